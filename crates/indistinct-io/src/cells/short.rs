//! Short texts as numbers, which are compared in one step.

/// A text of at most 15 bytes: its bytes, and its length in the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short(u128);

impl Short {
    /// No text: its length is impossible.
    pub(crate) const NONE: Self = Self(u128::MAX);
    /// Number of places of [`Short::place`].
    pub(crate) const PLACES: usize = 256;

    /// The first `length` of 16 bytes, fewer than 16.
    #[inline]
    pub(crate) fn new(word: u128, length: usize) -> Self {
        let kept = word & ((1 << (8 * length)) - 1);
        Self(kept | ((length as u128) << 120))
    }

    /// The bytes from `start` to `end`, if they are few enough and 16 bytes are readable.
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let word = bytes.get(start..start + 16)?.try_into().ok()?;
        (end - start < 16).then(|| Self::new(u128::from_le_bytes(word), end - start))
    }

    /// Its place in a small table.
    #[inline]
    pub(crate) fn place(self) -> usize {
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(23);
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_after_the_text_do_not_matter() {
        let short = |text: &[u8; 16], length| Short::new(u128::from_le_bytes(*text), length);
        assert_eq!(short(b"abc,rest of line", 3), short(b"abc\nother lines.", 3));
        assert_ne!(short(b"abc,rest of line", 3), short(b"abc,rest of line", 4));
        assert_ne!(short(b"\0\0\0,rest of line", 3), short(b"\0\0\0,rest of line", 2));
        assert!(short(b"abc,rest of line", 15).place() < Short::PLACES);
    }
}
