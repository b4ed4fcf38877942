//! Persons in the order of their hashes, as many at a time as fit into memory, with a pass over all rows for each part.

use indistinct::private::OwnedRow;

/// The persons of a pass: those whose hashes are in a range.
#[derive(Debug)]
pub(super) struct PersonRanges {
    most_rows: usize,
    lowest: u64,
    highest: u64,
    rows: Vec<OwnedRow>,
}

/// The upper half of a person's hash, by ranges of which persons come one after the other.
fn upper(row: &OwnedRow) -> u64 {
    (row.person.0 >> 64) as u64
}

impl PersonRanges {
    /// Begins with the persons whose hashes are smallest, of whom as many rows as fit into this many bytes of memory
    /// are taken at a time: twice, since they are sorted.
    pub(super) fn new(memory: usize) -> Self {
        let most_rows = (memory / (2 * size_of::<OwnedRow>())).max(1);
        Self { most_rows, lowest: 0, highest: u64::MAX, rows: Vec::new() }
    }

    /// Takes those of some rows that are of persons of this pass.
    pub(super) fn add(&mut self, rows: impl Iterator<Item = OwnedRow>) {
        let (lowest, highest) = (self.lowest, self.highest);
        self.rows.extend(rows.filter(|row| (lowest..=highest).contains(&upper(row))));
        while self.rows.len() > self.most_rows && self.highest > self.lowest {
            self.highest = self.lowest + (self.highest - self.lowest) / 2;
            let highest = self.highest;
            self.rows.retain(|row| upper(row) <= highest);
        }
    }

    /// Ends a pass: all rows of its persons, and whether there are persons for another.
    pub(super) fn end_pass(&mut self) -> (Vec<OwnedRow>, bool) {
        let rows = std::mem::take(&mut self.rows);
        let goes_on = self.highest < u64::MAX;
        (self.lowest, self.highest) = (self.highest.saturating_add(1), u64::MAX);
        (rows, goes_on)
    }
}
