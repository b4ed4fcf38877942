//! The integers that the stages of the interval search see in tiny tables, by the library's own code, list after
//! list.

use indistinct::normal::search::{SearchedNumbers, divided};

/// The possible values of rows: subnormal and huge ones, a power of two that overflows when divided by the
/// narrowest width, and the doubles next to it, one of which does not overflow.
pub(super) const NUMBERS: [f64; 7] =
    [0.0, 1e-310, TWO_TO_24.next_down(), TWO_TO_24, TWO_TO_24.next_up(), 1e300, f64::MAX];
const TWO_TO_24: f64 = 16_777_216.0;

/// Exponents of the widths 2^k among which the scale is chosen: the narrowest of the search, some between the
/// numbers, the widest.
const WIDTHS: [i32; 8] = [-1000, -999, -990, -60, 0, 23, 25, 999];
/// Exponents of the widths from which a location is searched for.
const FEW_WIDTHS: [i32; 3] = [-1000, 0, 25];
/// Stages of a search, each with an equal part of epsilon: scale, location, and one division.
pub(super) const STAGES: u64 = 3;

/// Utilities of the widths.
pub(super) fn widths(rows: Vec<f64>) -> Vec<i64> {
    SearchedNumbers::new(&rows).width_utilities(&WIDTHS)
}

/// Utilities of every stage of a search on a small tree of intervals: those of the widths; of the intervals for
/// each width; of the halves of each of these intervals.
pub(super) fn stages(rows: Vec<f64>) -> Vec<Vec<Vec<i64>>> {
    let rows = SearchedNumbers::new(&rows);
    let widths = FEW_WIDTHS.map(|exponent| 2f64.powi(exponent + 1));
    let edges = |width: f64| [-16.0 * width, 0.0, 16.0 * width, 2f64.powi(1000), f64::MAX];
    let intervals = widths.map(|width| rows.interval_utilities(&edges(width), Some(width)));
    let halves = widths.iter().flat_map(|&width| {
        let edges = edges(width);
        let halves = |pair: &[f64]| {
            let width = (pair[1] - pair[0]) / 2.0;
            rows.interval_utilities(&divided(pair[0], pair[1], width), None)
        };
        edges.windows(2).map(halves).collect::<Vec<_>>()
    });
    vec![vec![rows.width_utilities(&FEW_WIDTHS)], intervals.to_vec(), halves.collect()]
}
