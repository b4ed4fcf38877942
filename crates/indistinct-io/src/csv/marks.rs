//! Where the fields of a stretch of text end, found many bytes at a time.

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

/// What else was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Some quotes.
    pub(super) quotes: bool,
    /// Some carriage returns.
    pub(super) returns: bool,
    /// Some bytes of value zero.
    pub(super) nul: bool,
}

impl Marks {
    /// Marks a text of less than 2^32 bytes anew. The end of the text is no mark.
    pub(super) fn find(&mut self, text: &[u8], separator: u8) -> Seen {
        // Room for a mark at every byte: positions are written eight at a time, some of them in vain.
        let room = text.len() + WIDTH + 1;
        if self.ends.len() < room {
            self.ends.resize(room, 0);
        }
        self.ends[0] = u32::MAX;
        self.used = 1;
        let mut seen = [0; 3];
        let mut at = 0;
        let (blocks, rest) = text.as_chunks::<WIDTH>();
        for block in blocks {
            self.mark(block, separator, at, &mut seen);
            at += WIDTH as u32;
        }
        if !rest.is_empty() {
            // Filled up with a byte that means nothing.
            let mut block = [b' '; WIDTH];
            block[..rest.len()].copy_from_slice(rest);
            self.mark(&block, separator, at, &mut seen);
        }
        Seen { quotes: seen[0] != 0, returns: seen[1] != 0, nul: seen[2] != 0 }
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
    fn mark(&mut self, block: &[u8; WIDTH], separator: u8, at: u32, seen: &mut [u8; 3]) {
        // The compiler turns these loops into a few instructions on whole vectors.
        let mut hits = [0_u8; WIDTH];
        let (mut quotes, mut returns, mut nul) = (0, 0, 0);
        for (hit, &byte) in hits.iter_mut().zip(block) {
            *hit = u8::from(byte == separator) | u8::from(byte == b'\n');
            quotes |= u8::from(byte == b'"');
            returns |= u8::from(byte == b'\r');
            nul |= u8::from(byte == 0);
        }
        seen[0] |= quotes;
        seen[1] |= returns;
        seen[2] |= nul;
        let mut bits = 0_u64;
        for (eight, place) in hits.as_chunks::<8>().0.iter().zip(0..) {
            // Gathers the lowest bits of eight bytes in the top byte, the first byte lowest.
            let gathered = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits |= gathered << (8 * place);
        }
        let count = bits.count_ones() as usize;
        let room = &mut self.ends[self.used..];
        let mut written = 0;
        while written < count {
            for end in &mut room[written..written + 8] {
                // The top bit spares a test for zero, and is never the lowest unless it is meant or in vain.
                *end = at + (bits | (1 << 63)).trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            written += 8;
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
            let seen = marks.find(text.as_bytes(), b',');
            let expected: Vec<u32> = std::iter::once(u32::MAX)
                .chain(text.bytes().zip(0..).filter(|(byte, _)| b",\n".contains(byte)).map(|(_, at)| at))
                .collect();
            prop_assert_eq!(marks.ends(), expected);
            let has = |character: char| text.contains(character);
            prop_assert_eq!(seen, Seen { quotes: has('"'), returns: has('\r'), nul: has('\0') });
        }
    }
}
