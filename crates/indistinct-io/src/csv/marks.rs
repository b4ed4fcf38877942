//! Where the fields of a stretch of text end, found many bytes at a time.

use wide::u8x16;

/// Bytes that are looked at together.
const WIDTH: usize = 64;

/// Ends of fields: the positions of separators and line breaks, quoted or not.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The position before the first field (which wraps to 0 by adding 1), then the ends in order.
    ends: Vec<u32>,
    /// How many are in use.
    used: usize,
}

/// What else is in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Some quotes.
    pub(super) quotes: bool,
    /// Some carriage returns.
    pub(super) returns: bool,
    /// Some bytes of value zero.
    pub(super) nul: bool,
}

impl Seen {
    /// Looks for all three at once, as most texts have none of them.
    pub(super) fn new(text: &[u8]) -> Self {
        match memchr::memchr3(b'"', b'\r', 0, text) {
            None => Self { quotes: false, returns: false, nul: false },
            Some(first) => {
                let has = |byte| memchr::memchr(byte, &text[first..]).is_some();
                Self { quotes: has(b'"'), returns: has(b'\r'), nul: has(0) }
            }
        }
    }
}

impl Marks {
    /// Marks a text of less than 2^32 bytes anew. The end of the text is no mark.
    pub(super) fn find(&mut self, text: &[u8], separator: u8) {
        // Room for a mark at every byte: positions are written four at a time, some of them in vain.
        let room = text.len() + WIDTH + 1;
        if self.ends.len() < room {
            self.ends.resize(room, 0);
        }
        self.ends[0] = u32::MAX;
        self.used = 1;
        let mut at = 0;
        let (blocks, rest) = text.as_chunks::<WIDTH>();
        for block in blocks {
            self.mark(block, separator, at);
            at += WIDTH as u32;
        }
        if !rest.is_empty() {
            // Filled up with a byte that means nothing.
            let mut block = [b' '; WIDTH];
            block[..rest.len()].copy_from_slice(rest);
            self.mark(&block, separator, at);
        }
    }

    /// The positions, the first of them being that before the text.
    pub(super) fn ends(&self) -> &[u32] {
        &self.ends[..self.used]
    }

    /// Adds a mark.
    pub(super) fn push(&mut self, end: u32) {
        self.ends[self.used] = end;
        self.used += 1;
    }

    #[inline(always)]
    fn mark(&mut self, block: &[u8; WIDTH], separator: u8, at: u32) {
        let mut bits = 0_u64;
        for (bytes, place) in block.as_chunks::<16>().0.iter().zip(0..) {
            let bytes = u8x16::new(*bytes);
            let hits = bytes.simd_eq(u8x16::splat(separator)) | bytes.simd_eq(u8x16::splat(b'\n'));
            bits |= u64::from(hits.to_bitmask()) << (16 * place);
        }
        let count = bits.count_ones() as usize;
        let room = &mut self.ends[self.used..];
        let mut written = 0;
        while written < count {
            for end in &mut room[written..written + 4] {
                // The top bit spares a test for zero, and is never the lowest unless it is meant or in vain.
                *end = at + (bits | (1 << 63)).trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            written += 4;
        }
        self.used += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_ends_are_found(text in "[ab,;\n\r\"é\u{0}]{0,300}") {
            let mut marks = Marks::default();
            marks.find(text.as_bytes(), b',');
            let seen = Seen::new(text.as_bytes());
            let expected: Vec<u32> = std::iter::once(u32::MAX)
                .chain(text.bytes().zip(0..).filter(|(byte, _)| b",\n".contains(byte)).map(|(_, at)| at))
                .collect();
            prop_assert_eq!(marks.ends(), expected);
            let has = |character: char| text.contains(character);
            prop_assert_eq!(seen, Seen { quotes: has('"'), returns: has('\r'), nul: has('\0') });
        }
    }
}
