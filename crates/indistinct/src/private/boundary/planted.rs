//! Faults of the kind that reviews find, in place of the true functions: the checks of this folder must find
//! each.

use super::search::{too_far, wrong};
use crate::normal::search::EXPONENTS;

/// The fullest two neighbouring cells, from the widest down, with a given definition of a cell and of the end.
fn fullest_cells(
    values: &[f64],
    cell: impl Fn(f64, i32) -> f64,
    ends: impl Fn(usize, usize) -> bool,
) -> Vec<i64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let same = sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
    let mut fullest = vec![same as i64; EXPONENTS.len()];
    for (entry, exponent) in fullest.iter_mut().zip(EXPONENTS).rev() {
        let cells: Vec<f64> = sorted.iter().map(|&value| cell(value, exponent)).collect();
        let runs: Vec<&[f64]> = cells.chunk_by(|a, b| a == b).collect();
        let alone = runs.iter().map(|run| run.len()).max().unwrap_or(0);
        let neighbours = runs.windows(2).filter(|pair| pair[1][0] - pair[0][0] == 1.0);
        let found = neighbours.map(|pair| pair[0].len() + pair[1].len()).max().unwrap_or(0).max(alone);
        *entry = found as i64;
        if ends(found, same) {
            break;
        }
    }
    fullest
}

fn by_sign(value: f64, scaled: f64) -> f64 {
    match scaled {
        scaled if scaled.abs() >= 1.0 => scaled.floor(),
        _ if value < 0.0 => -1.0,
        _ => 0.0,
    }
}

/// The fault of 0.1.0: all numbers too large to scale share one cell, and a search that stops early does not see
/// it.
#[test]
fn cells_that_overflow_are_caught() {
    let overflowing = |values: &[f64]| {
        fullest_cells(
            values,
            |value, exponent| by_sign(value, libm::scalbn(value, -exponent)),
            |found, same| found == same,
        )
    };
    assert!(too_far(1500, overflowing).is_some(), "a row moves what is claimed to be 1-sensitive by more");
    assert!(wrong(600, overflowing).is_some());
}

/// Counts that stop at a number of rows which depends on the rows.
#[test]
fn a_stop_that_looks_at_rows_is_caught() {
    let stopping = |values: &[f64]| {
        let exact = |value: f64, exponent: i32| match libm::scalbn(value, -exponent) {
            scaled if scaled.is_infinite() => value,
            scaled => by_sign(value, scaled),
        };
        fullest_cells(values, exact, |found, _| 2 * found < values.len())
    };
    assert!(too_far(1500, stopping).is_some());
}

/// Cells found by division and truncation: wrong below zero, and where the width is subnormal.
#[test]
fn cells_by_truncation_are_caught() {
    let truncating = |values: &[f64]| {
        let cell = |value: f64, exponent: i32| (value / 2f64.powi(exponent)).trunc();
        fullest_cells(values, cell, |_, _| false)
    };
    assert!(wrong(600, truncating).is_some());
}

/// Cells as whole numbers of 64 bits: numbers beyond them share the last.
#[test]
fn cells_that_saturate_are_caught() {
    let saturating = |values: &[f64]| {
        let cell = |value: f64, exponent: i32| libm::scalbn(value, -exponent).floor() as i64 as f64;
        fullest_cells(values, cell, |found, same| found == same)
    };
    assert!(too_far(1500, saturating).is_some());
    assert!(wrong(600, saturating).is_some());
}
