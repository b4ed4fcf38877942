//! A set of rows, one bit each: small enough to stay in a cache where a byte for each of them would not.

const WORD: usize = u64::BITS as usize;

#[derive(Debug, Default)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// Makes room for so many rows, of which none is marked.
    pub(super) fn resize(&mut self, rows: usize) {
        self.words.resize(rows.div_ceil(WORD), 0);
    }

    pub(super) fn set(&mut self, row: usize) {
        self.words[row / WORD] |= 1 << (row % WORD);
    }

    pub(super) fn clear(&mut self, row: usize) {
        self.words[row / WORD] &= !(1 << (row % WORD));
    }

    pub(super) fn clear_all(&mut self) {
        self.words.fill(0);
    }

    /// 1 if the row is marked, else 0.
    pub(super) fn get(&self, row: usize) -> usize {
        (self.words[row / WORD] >> (row % WORD) & 1) as usize
    }
}
