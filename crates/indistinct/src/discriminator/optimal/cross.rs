//! The innermost loop: one cut of a node crossed with all cuts of a column.
//!
//! A cut of the node and a cut of the column divide the node's rows into four:
//!
//! ```text
//!                    inside the column's cut    outside it
//! inside the cut            x                   inside - x
//! outside it            total - x        outside - (total - x)
//! ```
//!
//! Their four values serve twice: added by rows they give the values of the two children of the *node's* cut when
//! both are cut by the column, added by columns the values of the children of the *column's* cut.

use super::score::Score;

/// Values that the compiler can handle together.
pub(super) const LANES: usize = 4;

/// The next multiple of the number of lanes.
pub(super) fn padded(length: usize) -> usize {
    length.next_multiple_of(LANES)
}

/// The counts of rows along an axis: d and m at each of its cuts, then any harmless padding (empty, or all rows).
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts<'a> {
    pub(super) d: &'a [f64],
    pub(super) m: &'a [f64],
}

/// Counts (d, m) of one node.
pub(super) type NodeCounts = (f64, f64);

/// The larger number, in a form that maps to one instruction. Never used on NaN.
#[inline]
pub(super) fn larger(left: f64, right: f64) -> f64 {
    if left > right { left } else { right }
}

fn largest(lanes: [f64; LANES]) -> f64 {
    lanes.into_iter().fold(f64::NEG_INFINITY, larger)
}

/// The best values of the rows inside, and of the rows outside, a cut of the node, when one cut of the column
/// divides them.
///
/// `inside` counts the rows inside the node's cut along the column, `total` all rows of the node; `pair` has the
/// counts inside and outside the node's cut. All lengths are the same multiple of [`LANES`].
pub(super) fn cross<const T: u8, const M: bool>(
    score: &Score<T, M>,
    inside: Counts,
    total: Counts,
    pair: [NodeCounts; 2],
) -> (f64, f64) {
    let mut best_inside = [f64::NEG_INFINITY; LANES];
    let mut best_outside = [f64::NEG_INFINITY; LANES];
    let rows = inside.d.as_chunks().0.iter().zip(inside.m.as_chunks().0);
    let totals = total.d.as_chunks().0.iter().zip(total.m.as_chunks().0);
    for ((xd, xm), (td, tm)) in rows.zip(totals) {
        let (xd, xm, td, tm): (&[f64; LANES], &[f64; LANES], &[f64; LANES], &[f64; LANES]) = (xd, xm, td, tm);
        for lane in 0..LANES {
            let [ii, io, oi, oo] = quarters(score, (xd[lane], xm[lane]), (td[lane], tm[lane]), pair);
            best_inside[lane] = larger(ii + io, best_inside[lane]);
            best_outside[lane] = larger(oi + oo, best_outside[lane]);
        }
    }
    (largest(best_inside), largest(best_outside))
}

/// [`cross`], which also raises `columns_inside` and `columns_outside` (the best values inside and outside each
/// cut of the column) to the values that the node's cut gives them.
pub(super) fn cross_both<const T: u8, const M: bool>(
    score: &Score<T, M>,
    inside: Counts,
    total: Counts,
    pair: [NodeCounts; 2],
    [columns_inside, columns_outside]: [&mut [f64]; 2],
) -> (f64, f64) {
    let mut best_inside = [f64::NEG_INFINITY; LANES];
    let mut best_outside = [f64::NEG_INFINITY; LANES];
    let rows = inside.d.as_chunks().0.iter().zip(inside.m.as_chunks().0);
    let totals = total.d.as_chunks().0.iter().zip(total.m.as_chunks().0);
    let columns = columns_inside.as_chunks_mut().0.iter_mut().zip(columns_outside.as_chunks_mut().0);
    for (((xd, xm), (td, tm)), (column_inside, column_outside)) in rows.zip(totals).zip(columns) {
        let (xd, xm, td, tm): (&[f64; LANES], &[f64; LANES], &[f64; LANES], &[f64; LANES]) = (xd, xm, td, tm);
        let (column_inside, column_outside): (&mut [f64; LANES], &mut [f64; LANES]) =
            (column_inside, column_outside);
        for lane in 0..LANES {
            let [ii, io, oi, oo] = quarters(score, (xd[lane], xm[lane]), (td[lane], tm[lane]), pair);
            best_inside[lane] = larger(ii + io, best_inside[lane]);
            best_outside[lane] = larger(oi + oo, best_outside[lane]);
            column_inside[lane] = larger(ii + oi, column_inside[lane]);
            column_outside[lane] = larger(io + oo, column_outside[lane]);
        }
    }
    (largest(best_inside), largest(best_outside))
}

/// The values of the four parts.
#[inline]
fn quarters<const T: u8, const M: bool>(
    score: &Score<T, M>,
    x: NodeCounts,
    total: NodeCounts,
    pair: [NodeCounts; 2],
) -> [f64; 4] {
    let [inside, outside] = pair;
    let y = (total.0 - x.0, total.1 - x.1);
    [
        score.leaf(x.0, x.1),
        score.leaf(inside.0 - x.0, inside.1 - x.1),
        score.leaf(y.0, y.1),
        score.leaf(outside.0 - y.0, outside.1 - y.1),
    ]
}
