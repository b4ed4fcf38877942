//! What the interval search asks for.

use num_bigint::BigInt;

use super::bits::{as_read, neighbours};
use super::{Lists, excess};
use crate::margin::Facts;
use crate::privacy::Sensitivity;
use crate::private::{PrivateNumbers, PrivateTable};
use crate::sampler::search::{
    EXPONENTS, interval_utilities, near_and_far, utilities_of_fullest, width_utilities,
};
use crate::table::{Column, Table};

/// The cell of a number at width 2^k by exact arithmetic: the floor of m 2^(e - k) for the double m 2^e.
fn cell(value: f64, exponent: i32) -> BigInt {
    let (mantissa, power) = libm::frexp(value);
    let shift = power - 53 - exponent;
    let whole = BigInt::from((mantissa * 9_007_199_254_740_992.0) as i64);
    // A shift to the right rounds down.
    if shift >= 0 { whole << shift } else { whole >> -shift }
}

/// Rows in the fullest two neighbouring cells of width 2^k, by counting for every cell that a row is in, or is next to.
fn fullest(values: &[f64], exponent: i32) -> i64 {
    let cells: Vec<BigInt> =
        values.iter().filter(|value| value.is_finite()).map(|&value| cell(value, exponent)).collect();
    let rows = |first: &BigInt| {
        let next: BigInt = first + 1;
        cells.iter().filter(|cell| *cell == first || **cell == next).count() as i64
    };
    cells.iter().flat_map(|cell| [rows(cell), rows(&(cell - 1))]).max().unwrap_or(0)
}

fn numbers(values: &[f64]) -> PrivateNumbers {
    PrivateNumbers::new(values.iter().copied())
}

/// What a way to count the fullest cells does to the utilities of widths, where that is too much.
pub(super) fn too_far(tables: usize, fullest_cells: impl Fn(&[f64]) -> Vec<i64>) -> Option<String> {
    let utilities = |columns: &[Vec<f64>]| -> Lists {
        let taking_part = columns[0].iter().filter(|value| value.is_finite()).count();
        vec![utilities_of_fullest(&fullest_cells(&columns[0]), taking_part)]
    };
    let sensitivity = Sensitivity::interval_search("rows to change for the width to be right");
    let mut found = None;
    neighbours((1, tables), 1, &[], |before, after| {
        found = found.take().or_else(|| excess(&sensitivity, &utilities(before), &utilities(after)));
    });
    found
}

/// Where a way to count the fullest cells differs from exact arithmetic.
pub(super) fn wrong(tables: usize, fullest_cells: impl Fn(&[f64]) -> Vec<i64>) -> Option<String> {
    let mut found = None;
    let mut turn = 0;
    neighbours((2, tables), 1, &[], |before, _| {
        if found.is_some() {
            return;
        }
        let counted = fullest_cells(&before[0]);
        // Widths all over, and around those of the values.
        let around = before[0].iter().filter(|value| value.is_finite()).flat_map(|value| {
            let power = libm::frexp(*value).1;
            [power - 54, power - 53, power - 1, power]
        });
        turn = (turn + 97) % EXPONENTS.len() as i32;
        for exponent in around.chain([EXPONENTS.start, EXPONENTS.start + turn, EXPONENTS.end - 1]) {
            if let Some(place) = EXPONENTS.clone().position(|tried| tried == exponent) {
                let expected = fullest(&before[0], exponent);
                if counted[place] != expected && found.is_none() {
                    found = Some(format!("{} rows, not {expected}, at 2^{exponent}", counted[place]));
                }
            }
        }
    });
    found
}

#[test]
fn fullest_cells_are_those_of_exact_arithmetic_and_move_by_one() {
    let fullest_cells = |values: &[f64]| numbers(values).fullest_cells(EXPONENTS);
    assert_eq!(too_far(1500, fullest_cells), None);
    assert_eq!(wrong(600, fullest_cells), None);
}

#[test]
fn intervals_hold_what_lies_in_them_and_their_utilities_move_by_one() {
    for exponent in [-1000, -900, -53, 0, 7, 53, 900, 999] {
        let width = libm::scalbn(1.0, exponent + 1);
        let edges = near_and_far(width);
        let points: Vec<f64> = edges.iter().step_by(edges.len() / 60).copied().collect();
        let sensitivity = Sensitivity::interval_search("rows in an interval");
        neighbours((3, 40), 1, &points, |before, after| {
            let counts = numbers(&before[0]).interval_counts(&edges);
            let expected = |ends: &[f64]| {
                before[0].iter().filter(|value| ends[0] <= **value && **value < ends[1]).count() as i64
            };
            assert!(counts.iter().zip(edges.windows(2)).all(|(count, ends)| *count == expected(ends)));
            for handicap in [None, Some(width)] {
                let utilities =
                    |columns: &[Vec<f64>]| vec![interval_utilities(&numbers(&columns[0]), &edges, handicap)];
                let excess = excess(&sensitivity, &utilities(before), &utilities(after));
                assert_eq!(excess, None, "{before:?} {after:?}");
            }
        });
    }
}

/// Facts of many kinds, and values that matter to them.
pub(super) fn facts() -> Vec<(Facts, Vec<f64>)> {
    let limits = |minimum, maximum| Facts { minimum, maximum, ..Facts::default() };
    vec![
        (Facts::default(), vec![]),
        (Facts { atoms: vec![0.0, -8.0, 1e300], ..Facts::default() }, vec![0.0, -0.0, -8.0, 1e300]),
        (Facts { step: Some(0.01), ..limits(Some(0.0), None) }, vec![0.0, 0.005, 0.015, 19.99]),
        (Facts { step: Some(1.0), ..limits(Some(-3.0), Some(4.0)) }, vec![-3.5, -3.0, 0.5, 4.0, 4.5]),
        (limits(None, Some(1e-310)), vec![0.0, 1e-310]),
        (Facts { atoms: vec![2.5], step: Some(1e6), ..limits(Some(-1e300), Some(1e300)) }, vec![2.5, 1e300]),
    ]
}

#[test]
fn rows_that_take_part_and_rows_beyond_radii_are_those_that_are() {
    for (facts, points) in facts() {
        for centre in [0.0, -3.0, 1e-310, 1e300, f64::MAX] {
            neighbours((4, 60), 1, &points, |before, after| {
                let table = |columns: &[Vec<f64>]| {
                    PrivateTable::new(&Table::new(vec![Column::float("x", as_read(&columns[0]))]).unwrap())
                };
                let taken: Vec<f64> = before[0]
                    .iter()
                    .filter(|value| value.is_finite() && !facts.atoms.contains(value))
                    .map(|value| {
                        value
                            .max(facts.minimum.unwrap_or(f64::NEG_INFINITY))
                            .min(facts.maximum.unwrap_or(f64::INFINITY))
                    })
                    .collect();
                let searched = table(before).searched(0, &facts);
                assert_eq!(searched.taking_part(), taken.len());
                assert_eq!(width_utilities(&searched), width_utilities(&numbers(&taken)));

                let beyond =
                    |columns: &[Vec<f64>]| vec![table(columns).beyond(0, &facts, centre, -1000..1000)];
                let counted = beyond(before);
                for place in (0..2000).step_by(37) {
                    let radius = libm::scalbn(1.0, place - 1000);
                    let further = taken.iter().filter(|value| (**value - centre).abs() > radius).count();
                    assert_eq!(counted[0][place as usize], further as i64);
                }
                let excess = excess(&Sensitivity::rows_beyond(), &counted, &beyond(after));
                assert_eq!(excess, None, "{before:?} {after:?}");
            });
        }
    }
}
