//! Draws from a histogram that was smoothed towards the uniform law, in integers.

use super::uniform::uniform_below;
use crate::random::Generator;
use std::num::NonZeroU128;

/// The weight of every cell before a row is counted: the unit of the weight of a row.
pub(in crate::privacy) const CELL_WEIGHT: u128 = 1 << 48;
/// The largest weight of a row: beyond 4096 cells' weights there is nothing left to smooth.
const HEAVIEST_ROW: u128 = 1 << 60;

/// The weight of a row, in units of [`CELL_WEIGHT`], at `numerator / denominator` times the weight of a cell; rounded
/// down.
pub(in crate::privacy) fn row_weight(numerator: u128, denominator: NonZeroU128) -> u128 {
    numerator.saturating_mul(CELL_WEIGHT).checked_div(denominator.get()).unwrap_or(0).min(HEAVIEST_ROW)
}

/// The weight of a row at e^x - 1 times the weight of a cell, where x is `numerator / denominator`; rounded down.
///
/// # Guarantee
/// Never above the exact value: x is rounded down, the series e^x - 1 = x + x^2/2 + ... has positive terms, each
/// rounded down, and the rest is dropped; the largest weight is 2^12 < e^9 - 1. Test `row_weights_are_below_exp`.
pub(in crate::privacy) fn row_weight_exp(numerator: u128, denominator: NonZeroU128) -> u128 {
    let x = row_weight(numerator, denominator);
    if x >= 9 * CELL_WEIGHT {
        return HEAVIEST_ROW;
    }
    // x is below 2^52 and a term below 2^59: no overflow.
    let (mut sum, mut term, mut k) = (0, x, 1);
    while term > 0 {
        sum += term;
        k += 1;
        term = term * x / CELL_WEIGHT / k;
    }
    sum.min(HEAVIEST_ROW)
}

/// Draws cells, each with probability proportional to [`CELL_WEIGHT`] plus `row_weight` times its count; `None`
/// if there are no cells.
///
/// # Guarantee
/// Exact: of all equally likely numbers each cell owns as many as it weighs. Test
/// `smooth_histogram_follows_its_law`.
pub(in crate::privacy) fn smooth_cells(
    counts: &[u64],
    row_weight: u128,
    draws: usize,
    generator: &mut Generator,
) -> Vec<usize> {
    let mut rows = 0u64;
    let below: Vec<u64> = counts
        .iter()
        .map(|count| {
            rows = rows.saturating_add(*count);
            rows
        })
        .collect();
    // Below 2^112 and 2^124: no overflow.
    let uniform = counts.len() as u128 * CELL_WEIGHT;
    let Some(all) = NonZeroU128::new(uniform + u128::from(rows) * row_weight) else { return Vec::new() };
    let draw = |_| {
        let number = uniform_below(all, generator);
        match number.checked_sub(uniform) {
            None => (number / CELL_WEIGHT) as usize,
            Some(beyond) => {
                let row = (beyond / row_weight.max(1)) as u64;
                below.partition_point(|&up_to| up_to <= row)
            }
        }
    };
    (0..draws).map(draw).collect()
}
