//! Tries all small tables and all their neighbours: no count moves further than the proofs say.

use super::*;
use crate::grid::{ColumnFacts, LineCells, Point};
use crate::margin::{leave_others_out, magnitude_utilities, pair_utilities};
use crate::normal::search::{interval_utilities, width_utilities};
use crate::private::{Passes, PrivateNumbers};
use crate::table::Column;

/// Missing, an atom, values on both sides of zero, one beyond the limit, one far off.
const DOMAIN: [f64; 7] = [f64::NAN, -8.0, -1.0, 0.0, 0.5, 3.0, 1e9];

fn numbers(values: Vec<f64>) -> PrivateTable {
    PrivateTable::new(Table::new(vec![Column::float("x", values)]).unwrap())
}

/// A table of columns of two levels each, row by row, and their classes; a value that is neither counts nowhere.
fn two_levels<const COLUMNS: usize>(rows: &[[u32; COLUMNS]]) -> (PrivateTable, Vec<CodedColumn>) {
    let column = |place: usize| {
        let codes = rows.iter().map(|row| row[place]).collect();
        Column::nominal(&format!("c{place}"), &["a", "b"], codes)
    };
    let table = PrivateTable::new(Table::new((0..COLUMNS).map(column).collect()).unwrap());
    let coded = |column| CodedColumn { column, grid: Grid::levels(2), starts: vec![0, 1], missing: None };
    (table, (0..COLUMNS).map(coded).collect())
}

fn facts() -> ColumnFacts {
    ColumnFacts { atoms: vec![-8.0], ..ColumnFacts::default() }
}

/// All tables of up to four rows, each with all tables that differ from it in the first row.
fn neighbours(mut check: impl FnMut(&PrivateTable, &PrivateTable)) {
    for n in 1..=4 {
        for code in 0..DOMAIN.len().pow(n) {
            let value = |row: u32| DOMAIN[code / DOMAIN.len().pow(row) % DOMAIN.len()];
            let values: Vec<f64> = (0..n).map(value).collect();
            let table = numbers(values.clone());
            for other in DOMAIN {
                let mut neighbour = values.clone();
                neighbour[0] = other;
                check(&table, &numbers(neighbour));
            }
        }
    }
}

fn moves(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| b - a).collect()
}

#[test]
fn counts_move_by_two_in_all() {
    let grid = Grid::numbers(&ColumnFacts { step: Some(1.0), ..facts() }, -2.0, 4.0);
    let starts = [0, 1, 3, 4, grid.len()];
    let mut most = 0;
    neighbours(|a, b| {
        let found = a.counts(0, &Axis::new(&grid, None), &starts);
        assert_eq!(found.iter().sum::<i64>(), a.rows() as i64, "a partition");
        let moves = moves(&found, &b.counts(0, &Axis::new(&grid, None), &starts));
        assert!(moves.iter().all(|by| by.abs() <= 1));
        most = most.max(moves.iter().map(|by| by.abs()).sum());
    });
    assert_eq!(most, 2);
}

#[test]
fn rows_beyond_radii_move_in_one_direction() {
    let mut most = 0;
    neighbours(|a, b| {
        let of = |table: &PrivateTable| table.beyond(0, &facts(), Point::Real(0.25), &(-3..40));
        let moves = moves(&of(a), &of(b));
        let (low, high) = (moves.iter().min().unwrap(), moves.iter().max().unwrap());
        most = most.max(high - low);
    });
    assert_eq!(most, 1, "the bound between candidates holds and is attained");
}

#[test]
fn the_search_among_rows_that_take_part_moves_by_one() {
    let exponents = -2..32;
    let lines = [-1, 0, 1, 29].map(|exponent| LineCells { exponent, first: -2, bits: 2 });
    let (mut magnitudes, mut pairs, mut within, mut presence) = (0, 0, 0, 0);
    let largest = |moves: Vec<i64>| moves.iter().map(|by| by.abs()).max().unwrap();
    neighbours(|a, b| {
        let counts = |table: &PrivateTable| table.magnitudes(0, &facts(), &exponents);
        let of = |table| magnitude_utilities(&counts(table), exponents.start, a.rows());
        magnitudes = magnitudes.max(largest(moves(&of(a), &of(b))));
        let of = |table| [counts(table).iter().sum::<i64>()];
        presence = presence.max(largest(moves(&of(a), &of(b))));
        for cells in &lines {
            let of = |table: &PrivateTable| pair_utilities(&table.line_counts(0, &facts(), cells));
            pairs = pairs.max(largest(moves(&of(a), &of(b))));
            let of = |table: &PrivateTable| {
                let mut counts = table.line_counts(0, &facts(), cells);
                leave_others_out(&mut counts);
                pair_utilities(&counts)
            };
            within = within.max(largest(moves(&of(a), &of(b))));
        }
    });
    assert_eq!((magnitudes, pairs, within, presence), (1, 1, 1, 1), "the bounds hold and are attained");
}

#[test]
fn widths_and_handicaps_that_follow_the_rows_move_by_one() {
    // Rows of the handicap's far class that come or go: counts and handicap move together.
    let edges = [-1e12, -1e9, 0.0, 1e9, 1e12];
    for far in 0..12 {
        let rows = |take_part: usize| {
            let rows = (0..20).map(|row| if row < take_part { 1e10 } else { f64::NAN });
            let rows = PrivateNumbers::new(rows);
            [interval_utilities(&rows, &edges, Some(1.0)), width_utilities(&rows)].concat()
        };
        assert!(moves(&rows(far), &rows(far + 1)).iter().all(|by| by.abs() <= 1), "{far}");
    }
}

#[test]
fn levels_are_counted_and_debug_shows_nothing() {
    let column = Column::nominal("c", &["a", "b", "c"], vec![0, 2, MISSING_CODE, 2]);
    let table = PrivateTable::new(Table::new(vec![column]).unwrap());
    assert_eq!(table.counts(0, &Axis::new(&Grid::levels(3), None), &[0, 1, 2, 3]), [1, 0, 2, 1]);
    let passes = Passes::of_table(&table);
    assert_eq!((passes.levels(0), passes.columns()), (Some(3), 1));
    assert_eq!(table.beyond(0, &ColumnFacts::default(), Point::Real(0.0), &(0..3)), [0; 3]);
    assert_eq!(format!("{table:?}"), "PrivateTable(1 columns)");
}

#[test]
fn counts_by_roundness_and_of_heaps_move_by_two_in_all() {
    let grid = Grid::numbers(&ColumnFacts { step: Some(0.5), ..facts() }, -2.0, 40.0);
    let combs = crate::grid::combs(&grid);
    assert!(!combs.is_empty());
    let axis = Axis::new(&grid, combs.first().copied());
    let starts = [0, 3, 9, 40, grid.len()];
    neighbours(|a, b| {
        let round = moves(&a.roundness(0, &grid, &combs), &b.roundness(0, &grid, &combs));
        let heaps = moves(&a.counts(0, &axis, &starts), &b.counts(0, &axis, &starts));
        for moves in [round, heaps] {
            assert!(moves.iter().map(|moved| moved.abs()).sum::<i64>() <= 2);
        }
    });
}

#[test]
fn products_of_scores_move_as_their_page_says() {
    // All rows of up to four columns with scores -2, 0 and 2 (0 for missing), and of three with -2, 1 and 2.
    let scores_of = |row: [u32; 4], scores: &[i64; 2], pairs: &[(usize, usize)]| {
        let (table, coded) = two_levels(&[row]);
        table.score_products(&coded, &vec![scores.to_vec(); 4], pairs)
    };
    let classes = [0, 1, MISSING_CODE];
    for columns in 2..=4_usize {
        let all: Vec<(usize, usize)> = (0..columns).flat_map(|k| (0..k).map(move |j| (j, k))).collect();
        for pairs in [&all[..], &all[..1], &all[..all.len() - 1]] {
            let bound = crate::privacy::Sensitivity::score_products(
                columns,
                pairs.len(),
                std::num::NonZeroU64::MIN.saturating_add(1),
            );
            let (sum, squares) = (bound.bound().units().get(), bound.bound().squared().unwrap());
            let added = bound.between(crate::privacy::Neighbours::AddRemove).unwrap();
            let added = (added.bound().units().get(), added.bound().squared().unwrap());
            let rows: Vec<[u32; 4]> =
                (0..81_usize).map(|code| [1, 3, 9, 27].map(|power| classes[code / power % 3])).collect();
            for scores in [[-2, 2], [1, 2]] {
                let (mut most, mut most_squares) = (0, 0);
                for before in &rows {
                    for after in &rows {
                        let a = scores_of(*before, &scores, pairs);
                        let moved = moves(&a, &scores_of(*after, &scores, pairs));
                        most = most.max(moved.iter().map(|moved| moved.unsigned_abs()).sum::<u64>());
                        let squared = moved.iter().map(|moved| u128::from(moved.unsigned_abs()).pow(2));
                        most_squares = most_squares.max(squared.sum::<u128>());
                    }
                }
                assert!(most <= sum && most_squares <= squares, "{columns} {pairs:?} {most} {most_squares}");
                // A row more moves the products by its own, and some row by as much as is allowed.
                let own = rows.iter().map(|row| {
                    let products = scores_of(*row, &scores, pairs);
                    let sizes = || products.iter().map(|product| product.unsigned_abs());
                    (sizes().sum::<u64>(), sizes().map(|size| u128::from(size).pow(2)).sum::<u128>())
                });
                let (sums, squared): (Vec<u64>, Vec<u128>) = own.unzip();
                let own = (sums.into_iter().max().unwrap(), squared.into_iter().max().unwrap());
                assert!(own == added || pairs.is_empty(), "{columns} {pairs:?} {own:?}");
                // The bound is attained by scores of both signs when all pairs count.
                if scores[0] < 0 && pairs.len() == all.len() {
                    assert_eq!((most, most_squares), (sum, squares), "{columns}");
                }
            }
        }
    }
}

#[test]
fn tables_of_pairs_and_their_distances_move_as_their_pages_say() {
    // Two rows of two columns, each of two classes or in none; one row is substituted by every other.
    let classes = [0, 1, MISSING_CODE];
    let all: Vec<[u32; 2]> = (0..9_usize).map(|code| [classes[code / 3], classes[code % 3]]).collect();
    let counts = |rows: [[u32; 2]; 2]| {
        let (private, coded) = two_levels(&rows);
        let table = ClassTable::new(&[0, 1], &[(vec![0, 1], 2), (vec![0, 1], 2)]);
        private.table_counts(&coded, &[table]).remove(0)
    };
    let distance = |expected: [i64; 4], counts: &[i64]| -> i64 {
        expected.iter().zip(counts).map(|(a, b)| (a - b).max(0)).sum()
    };
    let mut most = 0;
    for &kept in &all {
        for &before in &all {
            for &after in &all {
                let (a, b) = (counts([before, kept]), counts([after, kept]));
                let moved = moves(&a, &b);
                assert!(moved.iter().map(|moved| moved.abs()).sum::<i64>() <= 2);
                assert!(moved.iter().all(|moved| moved.abs() <= 1));
                // Whatever is expected, and whether or not it sums to the rows.
                for expected in [[0; 4], [1, 0, 0, 1], [2, 1, 0, 5], [9, 9, 9, 9]] {
                    most = most.max((distance(expected, &a) - distance(expected, &b)).abs());
                }
            }
        }
    }
    assert_eq!(most, 1);
}
