//! The ends of fields in a stretch of text, found many bytes at a time.

use fearless_simd::prelude::*;
use fearless_simd::u8x64;

/// Bytes examined together.
const WIDTH: usize = 64;

/// Ends of fields: the positions of separators and line breaks, quoted or not.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The position before the first field (which wraps to 0 by adding 1), then the ends in order.
    ends: Vec<u32>,
    /// Number of ends in use.
    used: usize,
}

/// Other contents of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Number of line breaks.
    pub(super) breaks: usize,
    /// Whether there are quotes.
    pub(super) quotes: bool,
    /// Whether there are carriage returns.
    pub(super) returns: bool,
    /// Whether there are bytes of value zero.
    pub(super) nul: bool,
}

/// Other contents of blocks: the number of line breaks, and any quotes, carriage returns or zeros.
#[derive(Default)]
struct Others {
    breaks: usize,
    odd: u64,
}

impl Marks {
    /// Finds the marks of a text of less than 2^32 bytes. The end of the text is not a mark.
    #[inline(always)]
    pub(super) fn find<S: Simd>(&mut self, simd: S, text: &[u8], separator: u8) -> Seen {
        // Room for a mark at every byte: positions are written four at a time, some of them in vain.
        let room = text.len() + WIDTH + 1;
        if self.ends.len() < room {
            self.ends.resize(room, 0);
        }
        self.ends[0] = u32::MAX;
        self.used = 1;
        let mut at = 0;
        let mut others = Others::default();
        let (blocks, rest) = text.as_chunks::<WIDTH>();
        for block in blocks {
            self.mark(simd, block, separator, at, &mut others);
            at += WIDTH as u32;
        }
        if !rest.is_empty() {
            // Filled up with a byte that means nothing.
            let mut block = [b' '; WIDTH];
            block[..rest.len()].copy_from_slice(rest);
            self.mark(simd, &block, separator, at, &mut others);
        }
        // Most texts have none of the odd ones.
        let has = |byte| others.odd != 0 && memchr::memchr(byte, text).is_some();
        Seen { breaks: others.breaks, quotes: has(b'"'), returns: has(b'\r'), nul: has(0) }
    }

    /// The positions, beginning with the one before the text.
    pub(super) fn ends(&self) -> &[u32] {
        &self.ends[..self.used]
    }

    /// Adds a mark.
    pub(super) fn push(&mut self, end: u32) {
        self.ends[self.used] = end;
        self.used += 1;
    }

    #[inline(always)]
    fn mark<S: Simd>(&mut self, simd: S, block: &[u8; WIDTH], separator: u8, at: u32, others: &mut Others) {
        let bytes = u8x64::simd_from(simd, *block);
        let odd = bytes.simd_eq(b'"') | bytes.simd_eq(b'\r') | bytes.simd_eq(0);
        others.odd |= odd.to_bitmask();
        let breaks = bytes.simd_eq(b'\n').to_bitmask();
        others.breaks += breaks.count_ones() as usize;
        let mut bits = breaks | bytes.simd_eq(separator).to_bitmask();
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
            let expected: Vec<u32> = std::iter::once(u32::MAX)
                .chain(text.bytes().zip(0..).filter(|(byte, _)| b",\n".contains(byte)).map(|(_, at)| at))
                .collect();
            let has = |character: char| text.contains(character);
            let breaks = text.matches('\n').count();
            for level in crate::cells::vectors() {
                let mut marks = Marks::default();
                let seen = fearless_simd::dispatch!(level, simd => marks.find(simd, text.as_bytes(), b','));
                prop_assert_eq!(marks.ends(), expected.as_slice());
                prop_assert_eq!(seen, Seen { breaks, quotes: has('"'), returns: has('\r'), nul: has('\0') });
            }
        }
    }
}
