//! Joining neighbouring cells whose densities do not differ by more than their noise explains.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A run of neighbouring cells, joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// First position.
    pub(super) first: usize,
    /// Number of positions.
    pub(super) length: usize,
    /// Estimated number of rows.
    pub(super) rows: f64,
    /// Variance of that estimate.
    pub(super) variance: f64,
    /// Whether it stays alone: atoms and missing.
    pub(super) alone: bool,
    /// Number of joined cells.
    cells: usize,
    /// Precision of the density that fits all its cells best.
    precision: f64,
    /// The density that fits best, times its precision.
    weighted: f64,
}

impl Piece {
    /// A piece of one cell.
    pub(super) fn new(first: usize, length: usize, rows: f64, variance: f64, alone: bool) -> Self {
        let width = length as f64;
        let precision = width * width / variance;
        Self { first, length, rows, variance, alone, cells: 1, precision, weighted: width * rows / variance }
    }

    fn joined(&self, next: &Self) -> Self {
        Self {
            first: self.first,
            length: self.length + next.length,
            rows: self.rows + next.rows,
            variance: self.variance + next.variance,
            alone: false,
            cells: self.cells + next.cells,
            precision: self.precision + next.precision,
            weighted: self.weighted + next.weighted,
        }
    }

    /// The squared difference of two densities over its variance.
    fn contrast(&self, next: &Self) -> f64 {
        let difference = self.weighted / self.precision - next.weighted / next.precision;
        difference * difference / (1.0 / self.precision + 1.0 / next.precision)
    }
}

/// Two neighbours that may be joined, and their contrast. Least first in a heap.
struct Joinable {
    strain: f64,
    left: usize,
    right: usize,
    versions: (usize, usize),
}

impl PartialEq for Joinable {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Joinable {}
impl PartialOrd for Joinable {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Joinable {
    fn cmp(&self, other: &Self) -> Ordering {
        other.strain.total_cmp(&self.strain).then(other.left.cmp(&self.left))
    }
}

/// Joins neighbours, the most similar first, until all that are left differ by more than noise explains, and at
/// most `most` pieces can be joined further.
///
/// Among m cells of pure noise the largest of all contrasts of k cells is about 2 ln(m / k): a contrast has to
/// exceed that plus `margin`.
pub(super) fn merge(pieces: &[Piece], margin: f64, most: usize) -> Vec<Piece> {
    let total = pieces.len();
    let mut pieces: Vec<Piece> = pieces.iter().map(|piece| Piece { cells: 1, ..*piece }).collect();
    let mut versions = vec![0; total];
    let mut next: Vec<usize> = (1..=total).collect();
    let mut before: Vec<usize> = (0..total).map(|piece| piece.wrapping_sub(1)).collect();
    let mut heap = BinaryHeap::with_capacity(total);
    let pair = |pieces: &[Piece], versions: &[usize], left: usize, right: usize| {
        let (a, b) = (pieces.get(left)?, pieces.get(right)?);
        let share = total as f64 / a.cells.min(b.cells) as f64;
        let strain = a.contrast(b) / (margin + 2.0 * share.ln());
        let versions = (versions[left], versions[right]);
        (!a.alone && !b.alone).then_some(Joinable { strain, left, right, versions })
    };
    heap.extend((1..total).filter_map(|right| pair(&pieces, &versions, right - 1, right)));
    let mut left_over = pieces.iter().filter(|piece| !piece.alone).count();
    while let Some(Joinable { strain, left, right, versions: seen }) = heap.pop() {
        if (versions[left], versions[right]) != seen {
            continue;
        }
        if strain >= 1.0 && left_over <= most {
            break;
        }
        pieces[left] = pieces[left].joined(&pieces[right]);
        // What was joined to the left is gone; what was known of the left is out of date.
        versions[right] = usize::MAX;
        versions[left] += 1;
        left_over -= 1;
        next[left] = next[right];
        if let Some(before) = before.get_mut(next[left]) {
            *before = left;
        }
        heap.extend(pair(&pieces, &versions, before[left], left));
        heap.extend(pair(&pieces, &versions, left, next[left]));
    }
    (0..total).filter(|&piece| versions[piece] != usize::MAX).map(|piece| pieces[piece]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[f64], variance: f64) -> Vec<Piece> {
        rows.iter().enumerate().map(|(place, &rows)| Piece::new(place, 1, rows, variance, false)).collect()
    }

    fn starts(pieces: &[Piece]) -> Vec<usize> {
        pieces.iter().map(|piece| piece.first).collect()
    }

    #[test]
    fn a_spike_stays_and_the_rest_is_joined() {
        let found = merge(&cells(&[5.0, 6.0, 4.0, 90.0, 5.0, 5.5, 4.5], 1.0), 2.0, 100);
        assert_eq!(starts(&found), [0, 3, 4]);
        assert_eq!(found.iter().map(|piece| piece.rows).collect::<Vec<_>>(), [15.0, 90.0, 15.0]);
        assert_eq!(starts(&merge(&cells(&[5.0, 6.0, 4.0, 90.0, 5.0], 1.0), 2.0, 1)), [0]);
    }

    #[test]
    fn a_small_step_shows_in_long_runs_only() {
        let step = |run: usize| -> Vec<f64> { (0..2 * run).map(|cell| f64::from(cell >= run)).collect() };
        assert_eq!(starts(&merge(&cells(&step(3), 1.0), 2.0, 100)), [0]);
        assert_eq!(starts(&merge(&cells(&step(60), 1.0), 2.0, 200)), [0, 60]);
    }

    #[test]
    fn pieces_that_stand_alone_are_never_joined() {
        let mut pieces = cells(&[0.0; 9], 1.0);
        pieces[4].alone = true;
        assert_eq!(starts(&merge(&pieces, 2.0, 1)), [0, 4, 5]);
        assert!(merge(&[], 2.0, 1).is_empty());
    }
}
