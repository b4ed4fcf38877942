//! The size of histograms.

/// The most cells that are counted.
pub const MOST_CELLS: usize = 1 << 24;

/// bins^columns, if it is not above [`MOST_CELLS`].
pub fn cells(bins: usize, columns: usize) -> Option<usize> {
    let cells = bins.checked_pow(u32::try_from(columns).ok()?)?;
    (cells <= MOST_CELLS).then_some(cells)
}
