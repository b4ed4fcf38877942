//! The counts that the interval search uses.

use std::num::NonZeroU64;
use std::ops::Range;

use num_bigint::BigInt;

use super::bits::{all_neighbours, as_read, neighbours};
use super::{Lists, between, excess};
use crate::grid::{ColumnFacts, LineCells, Point};
use crate::margin::{leave_others_out, magnitude_utilities, pair_utilities};
use crate::normal::search::{EXPONENTS, interval_utilities, near_and_far, utilities_of_fullest};
use crate::privacy::{Neighbours, Sensitivity};
use crate::private::{PrivateNumbers, PrivateTable};
use crate::table::{Column, ColumnSchema, ColumnType, MISSING_INTEGER, Table, Values};

/// The cell of a number at width 2^k by exact arithmetic: the floor of m 2^(e - k) for the double m 2^e.
fn cell(value: f64, exponent: i32) -> BigInt {
    let (mantissa, power) = libm::frexp(value);
    let shift = power - 53 - exponent;
    let whole = BigInt::from((mantissa * 9_007_199_254_740_992.0) as i64);
    // A shift to the right rounds down.
    if shift >= 0 { whole << shift } else { whole >> -shift }
}

/// Rows in the fullest two neighbouring cells of width 2^k, by counting every cell that contains a row or is next
/// to one.
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

/// The excess moves of the utilities of widths, for a way to count the fullest cells, if there are any.
pub(super) fn too_far(tables: usize, fullest_cells: impl Fn(&[f64]) -> Vec<i64>) -> Option<String> {
    let utilities = |columns: &[Vec<f64>]| -> Lists {
        let taking_part = columns[0].iter().filter(|value| value.is_finite()).count();
        vec![utilities_of_fullest(&fullest_cells(&columns[0]), taking_part)]
    };
    let sensitivity = Sensitivity::interval_search("rows to change for the width to be right");
    let mut found = None;
    all_neighbours(1, tables, 1, &[], |relation, before, after| {
        let sensitivity = between(relation, &sensitivity);
        found = found.take().or_else(|| excess(&sensitivity, &utilities(before), &utilities(after)));
    });
    found
}

/// The difference of a way to count the fullest cells from exact arithmetic, if there is one.
pub(super) fn wrong(tables: usize, fullest_cells: impl Fn(&[f64]) -> Vec<i64>) -> Option<String> {
    let mut found = None;
    let mut turn = 0;
    neighbours(2, tables, 1, &[], |before, _| {
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
        all_neighbours(3, 40, 1, &points, |relation, before, after| {
            let sensitivity = between(relation, &sensitivity);
            let counts = numbers(&before[0]).interval_counts(&edges);
            let finite = before[0].iter().filter(|value| value.is_finite()).count();
            assert_eq!(numbers(&before[0]).taking_part(), finite);
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
pub(super) fn facts() -> Vec<(ColumnFacts, Vec<f64>)> {
    let limits = |minimum, maximum| ColumnFacts { minimum, maximum, ..ColumnFacts::default() };
    vec![
        (ColumnFacts::default(), vec![]),
        (
            ColumnFacts { atoms: vec![0.0, -8.0, 1e300], ..ColumnFacts::default() },
            vec![0.0, -0.0, -8.0, 1e300],
        ),
        (ColumnFacts { step: Some(0.01), ..limits(Some(0.0), None) }, vec![0.0, 0.005, 0.015, 19.99]),
        (ColumnFacts { step: Some(1.0), ..limits(Some(-3.0), Some(4.0)) }, vec![-3.5, -3.0, 0.5, 4.0, 4.5]),
        (limits(None, Some(1e-310)), vec![0.0, 1e-310]),
        (
            ColumnFacts { atoms: vec![2.5], step: Some(1e6), ..limits(Some(-1e300), Some(1e300)) },
            vec![2.5, 1e300],
        ),
    ]
}

/// Lines all over the numbers: around zero, around one number, and with cells of every width.
fn lines(around: Point) -> Vec<LineCells> {
    let far = match around {
        Point::Real(value) => [-1074, -60, 0, 900]
            .map(|exponent| (cell(value, exponent), exponent))
            .into_iter()
            .filter_map(|(cell, exponent)| Some((i128::try_from(cell).ok()?, exponent)))
            .filter(|(cell, _)| cell.unsigned_abs() < 1 << 54)
            .collect::<Vec<_>>(),
        Point::Whole(value) => {
            [0, 1, 30, 62, 63, 70].map(|exponent| (i128::from(value) >> exponent, exponent)).to_vec()
        }
    };
    let near = [-1074, -1000, -53, -1, 0, 7, 53, 64, 900, 1026].map(|exponent| (0, exponent));
    let near = near.into_iter().filter(|(_, exponent)| matches!(around, Point::Real(_)) || *exponent >= 0);
    let of = |(cell, exponent): (i128, i32)| LineCells { exponent, first: cell - 3, bits: 3 };
    far.into_iter().chain(near).map(of).collect()
}

/// Checks the rows of a column of any bits, counted by magnitude, on lines and beyond radii.
fn check(
    relation: Neighbours,
    before: &PrivateTable,
    after: &PrivateTable,
    facts: &ColumnFacts,
    taken: &[Point],
    centre: Point,
    exponents: &Range<i32>,
) {
    let moved = |sensitivity: Sensitivity, before: Vec<i64>, after: Vec<i64>| {
        let sensitivity = between(relation, &sensitivity);
        assert_eq!(excess(&sensitivity, &vec![before], &vec![after]), None, "{taken:?}");
    };
    let rows = before.rows();
    let magnitudes = |table: &PrivateTable| table.magnitudes(0, facts, exponents);
    let counted = magnitudes(before);
    let below = |exponent: i32| taken.iter().filter(|point| is_below(**point, exponent)).count() as i64;
    let mut sum = 0;
    for (exponent, count) in exponents.clone().zip(&counted).take(exponents.len() - 1) {
        sum += count;
        if exponent % 61 == 0 || *count > 0 {
            assert_eq!(sum, below(exponent), "{taken:?} below 2^{exponent}");
        }
    }
    assert_eq!(counted.iter().sum::<i64>(), taken.len() as i64);
    moved(Sensitivity::counts(NonZeroU64::MIN), counted.clone(), magnitudes(after));
    let utilities = |table: &PrivateTable| magnitude_utilities(&magnitudes(table), exponents.start, rows);
    moved(Sensitivity::interval_search(Sensitivity::MAGNITUDE), utilities(before), utilities(after));
    // The choice whether enough rows are there.
    let presence = |table: &PrivateTable| vec![magnitudes(table).iter().sum(), rows as i64 / 2];
    moved(Sensitivity::rows_present(), presence(before), presence(after));

    for cells in lines(centre) {
        let counts = |table: &PrivateTable| table.line_counts(0, facts, &cells);
        let counted = counts(before);
        let mut expected = vec![0; cells.count() + 1];
        for point in taken {
            let cell = exact_cell(*point, cells.exponent) - BigInt::from(cells.first);
            let place = usize::try_from(&cell).ok().filter(|place| *place < cells.count());
            expected[place.unwrap_or(cells.count())] += 1;
        }
        assert_eq!(counted, expected, "{taken:?} {cells:?}");
        moved(Sensitivity::counts(NonZeroU64::MIN), counted.clone(), counts(after));
        let sensitivity = Sensitivity::interval_search(Sensitivity::INTERVAL);
        moved(sensitivity.clone(), pair_utilities(&counted), pair_utilities(&counts(after)));
        // Where the cells are what an earlier stage chose.
        let within = |table: &PrivateTable| {
            let mut counts = counts(table);
            leave_others_out(&mut counts);
            pair_utilities(&counts)
        };
        moved(sensitivity, within(before), within(after));
    }

    let radii = exponents.start - 1..exponents.end;
    let beyond = |table: &PrivateTable| table.beyond(0, facts, centre, &radii);
    let counted = beyond(before);
    for (exponent, count) in radii.clone().zip(&counted).step_by(37) {
        let radius = libm::scalbn(1.0, exponent);
        let further = taken.iter().filter(|point| point.distance(centre) > radius).count();
        assert_eq!(*count, further as i64);
    }
    moved(Sensitivity::rows_beyond(), counted.clone(), beyond(after));
}

/// The cell of a number by exact arithmetic.
fn exact_cell(point: Point, exponent: i32) -> BigInt {
    match point {
        Point::Real(value) => cell(value, exponent),
        Point::Whole(value) => BigInt::from(value) >> exponent,
    }
}

/// Whether |x| < 2^k, by exact arithmetic.
fn is_below(point: Point, exponent: i32) -> bool {
    let size = match point {
        Point::Real(value) => cell(value.abs(), exponent),
        Point::Whole(value) => BigInt::from(value.unsigned_abs()) >> exponent,
    };
    size == BigInt::from(0)
}

#[test]
fn reals_of_any_bits_are_found_where_they_are_and_move_as_claimed() {
    for (facts, points) in facts() {
        for centre in [0.0, -3.0, 1e-310, 1e300, f64::MAX] {
            all_neighbours(4, 28, 1, &points, |relation, before, after| {
                let table = |columns: &[Vec<f64>]| {
                    PrivateTable::new(Table::new(vec![Column::float("x", as_read(&columns[0]))]).unwrap())
                };
                let taken: Vec<Point> = before[0]
                    .iter()
                    .filter(|value| value.is_finite() && !facts.atoms.contains(value))
                    .map(|value| {
                        let above = value.max(facts.minimum.unwrap_or(f64::NEG_INFINITY));
                        Point::Real(above.min(facts.maximum.unwrap_or(f64::INFINITY)))
                    })
                    .collect();
                check(
                    relation,
                    &table(before),
                    &table(after),
                    &facts,
                    &taken,
                    Point::Real(centre),
                    &(-1074..1025),
                );
            });
        }
    }
}

#[test]
fn whole_numbers_of_any_bits_are_found_where_they_are_and_move_as_claimed() {
    let bits = |value: i64| f64::from_bits(value.cast_unsigned());
    let points =
        [0, 1, -1, 3, 1 << 53, (1 << 53) + 1, 1 << 60, -(1 << 60) + 1, i64::MAX, i64::MIN, i64::MIN + 1];
    let points = points.map(bits);
    let far = 9_007_199_254_740_994.0;
    let all = [
        ColumnFacts::default(),
        ColumnFacts { step: Some(1.0), atoms: vec![0.0, 3.5, far], ..ColumnFacts::default() },
        ColumnFacts { minimum: Some(-2.5), ..ColumnFacts::default() },
        ColumnFacts { maximum: Some(1e18), minimum: Some(-1e300), ..ColumnFacts::default() },
    ];
    for facts in all {
        for centre in [0, 1 << 60, i64::MAX, i64::MIN + 1] {
            all_neighbours(5, 28, 1, &points, |relation, before, after| {
                let of = |columns: &[Vec<f64>]| -> Vec<i64> {
                    columns[0].iter().map(|value| value.to_bits().cast_signed()).collect()
                };
                let table = |columns: &[Vec<f64>]| {
                    let schema = ColumnSchema::new("x", ColumnType::Integer);
                    let column = Column::new(schema, Values::Integer(of(columns)));
                    PrivateTable::new(Table::new(vec![column]).unwrap())
                };
                let is_atom = |value: i64| match facts.atoms.len() {
                    0 => false,
                    _ => value == 0 || value == (1 << 53) + 2,
                };
                let low = facts
                    .minimum
                    .map_or(i64::MIN + 1, |minimum| (minimum.max(-9.3e18) as i64).max(i64::MIN + 1));
                let high = facts.maximum.map_or(i64::MAX, |maximum| maximum as i64);
                let taken: Vec<Point> = of(before)
                    .into_iter()
                    .filter(|value| *value != MISSING_INTEGER && !is_atom(*value))
                    .map(|value| Point::Whole(value.max(low).min(high)))
                    .collect();
                check(
                    relation,
                    &table(before),
                    &table(after),
                    &facts,
                    &taken,
                    Point::Whole(centre),
                    &(0..64),
                );
            });
        }
    }
}
