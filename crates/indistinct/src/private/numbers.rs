//! One column of private numbers, to find their location.

use crate::progress;

/// The numbers of one column that take part in a search: those that are present and finite. Their number is
/// private, because whether a row takes part depends on that row.
pub(crate) struct PrivateNumbers {
    /// The numbers, ascending.
    sorted: Vec<f64>,
}

impl std::fmt::Debug for PrivateNumbers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not even how many: that is private.
        formatter.write_str("PrivateNumbers")
    }
}

impl PrivateNumbers {
    /// Takes the finite numbers among these values.
    pub(crate) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Self { sorted }
    }

    /// The number of rows that take part: m in `proofs/interval_search.md`.
    ///
    /// # Guarantee
    /// One substituted row moves it by at most 1; whatever is computed from it must say how far that moves (claim
    /// 4).
    pub(crate) fn taking_part(&self) -> usize {
        self.sorted.len()
    }

    /// Rows in the fullest two neighbouring cells [i 2^k, (i + 2) 2^k), over all integers i, for each k in
    /// `exponents`, which ascend.
    ///
    /// # Guarantee
    /// One substituted row moves each entry by at most 1 (`proofs/interval_search.md`, claims 2 and 4): it is the
    /// largest of counts of rows in fixed intervals, for all doubles exactly. The order of rows does not matter.
    pub(crate) fn fullest_cells(
        &self,
        exponents: impl DoubleEndedIterator<Item = i32> + ExactSizeIterator,
    ) -> Vec<i64> {
        let same = self.sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
        // Narrower cells hold no more than wider ones, and never fewer than the most frequent value (claim 7): from the
        // widest on down, and no further than there is something to see.
        let mut fullest = vec![same as i64; exponents.len()];
        for (entry, exponent) in fullest.iter_mut().zip(exponents).rev() {
            let found = fullest_neighbours(&self.sorted, exponent);
            *entry = found as i64;
            if found == same {
                break;
            }
        }
        fullest
    }

    /// Rows in each interval between neighbouring edges (ascending): low edge included, high excluded.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition: one substituted row moves two of them by one.
    pub(crate) fn interval_counts(&self, edges: &[f64]) -> Vec<i64> {
        let below: Vec<usize> =
            edges.iter().map(|edge| self.sorted.partition_point(|value| value < edge)).collect();
        below.windows(2).map(|ends| (ends[1] - ends[0]) as i64).collect()
    }
}

/// The number of rows in the fullest two neighbouring cells of width 2^k, for numbers in ascending order.
fn fullest_neighbours(sorted: &[f64], exponent: i32) -> usize {
    progress::check();
    let (mut fullest, mut before, mut before_cell, mut start) = (0, 0, Cell::NONE, 0);
    while start < sorted.len() {
        let here = Cell::of(sorted[start], exponent);
        let rows = sorted[start..].partition_point(|&value| Cell::of(value, exponent) == here);
        let neighbours = if here.follows(before_cell) { before } else { 0 };
        fullest = fullest.max(rows + neighbours);
        (before, before_cell, start) = (rows, here, start + rows);
    }
    fullest
}

/// The cell [i 2^k, (i + 1) 2^k) that contains a number, exactly, for every finite double and every k
/// (`proofs/interval_search.md`, claim 6).
#[derive(Clone, Copy, PartialEq)]
struct Cell {
    /// The number i, or infinity where i is not a double.
    index: f64,
    /// The number itself where i is infinite: so far from zero every double has a cell of its own, and no two of
    /// these cells are neighbours.
    alone: f64,
}

impl Cell {
    const NONE: Self = Self { index: f64::NAN, alone: 0.0 };

    fn of(value: f64, exponent: i32) -> Self {
        // Scaling by a power of two only rounds numbers below the cell's width, whose cell is known by their sign.
        let index = match libm::scalbn(value, -exponent) {
            scaled if scaled.abs() >= 1.0 => scaled.floor(),
            _ if value < 0.0 => -1.0,
            _ => 0.0,
        };
        let alone = index.is_infinite();
        #[cfg(feature = "broken")]
        let alone = alone && !crate::privacy::broken::is(crate::privacy::broken::Fault::OverflowingCells);
        Self { index, alone: if alone { value } else { 0.0 } }
    }

    /// Whether it is the cell after `before`.
    fn follows(self, before: Self) -> bool {
        self.index - before.index == 1.0
    }
}
