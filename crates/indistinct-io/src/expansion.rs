//! A limit on how much larger than itself a packed file may become.
//!
//! A kilobyte of gzip, Parquet or Arrow can claim to be a terabyte, and some do so on purpose. Unpacked data has
//! to be in memory, so there is a limit: a large amount that is free whatever the file's size, or a multiple of
//! that size. Real files stay far below both.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Problem;

/// Bytes in a gibibyte.
const GIB: u64 = 1 << 30;
/// Bytes to which every file may unpack.
const FREE: u64 = GIB;
/// Multiple of its own size to which a file may unpack, if that is more: text and columns pack to a tenth, or a
/// fiftieth.
const TIMES: u64 = 200;
/// The environment variable that raises the limit, in gibibytes.
pub(crate) const VARIABLE: &str = "INDISTINCT_UNPACK_GIB";

/// A limit on how much larger than itself a packed file (gzip, Parquet, Arrow) may become before it is refused.
///
/// ```
/// use indistinct_io::{Expansion, Format, Source};
///
/// let small = Expansion { free: 1 << 20, times: 200 };
/// let source = Source::from_reader_within("t.csv", Format::CSV, "x\n1\n".as_bytes(), small)?;
/// assert_eq!(source.names(), ["x"]);
/// # Ok::<(), indistinct_io::ReadError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansion {
    /// Bytes to which a file of any size may unpack.
    pub free: u64,
    /// Multiple of its own size to which it may unpack, if that is more.
    pub times: u64,
}

impl Default for Expansion {
    /// A gibibyte, or 200 times the file's size.
    fn default() -> Self {
        Self { free: FREE, times: TIMES }
    }
}

impl Expansion {
    /// The usual limit, raised to the number of gibibytes in the environment variable `INDISTINCT_UNPACK_GIB`.
    pub fn from_environment() -> Self {
        let given = std::env::var(VARIABLE).ok().and_then(|text| text.trim().parse::<u64>().ok());
        let usual = Self::default();
        Self { free: given.map_or(usual.free, |gib| gib.saturating_mul(GIB)), ..usual }
    }

    /// The allowance of a file of this size.
    pub(crate) fn of(self, size: usize) -> Allowance {
        let bytes = self.free.max(self.times.saturating_mul(size as u64));
        Allowance { bytes, left: AtomicU64::new(bytes) }
    }
}

/// The allowance of one file while it is unpacked.
#[derive(Debug)]
pub(crate) struct Allowance {
    bytes: u64,
    left: AtomicU64,
}

impl Allowance {
    /// The allowance in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes this many bytes; an error if they are not left.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Problem> {
        let rest = |left: u64| left.checked_sub(bytes);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest) {
            Ok(_) => Ok(()),
            Err(_) => Err(Problem::Expands(self.bytes)),
        }
    }

    /// The full allowance again, for another pass over the file.
    pub(crate) fn again(&self) -> Self {
        Self { bytes: self.bytes, left: AtomicU64::new(self.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up() {
        let allowance = Expansion { free: 10, times: 3 }.of(2);
        assert_eq!(allowance.bytes(), 10);
        assert_eq!(allowance.take(7), Ok(()));
        assert_eq!(allowance.take(4), Err(Problem::Expands(10)));
        assert_eq!(allowance.take(3), Ok(()));
        assert_eq!(allowance.again().take(10), Ok(()));
        assert_eq!(Expansion { free: 10, times: 3 }.of(100).bytes(), 300);
        assert_eq!(Expansion { free: 1, times: u64::MAX }.of(5).bytes(), u64::MAX);
    }
}
