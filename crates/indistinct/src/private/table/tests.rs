//! All small tables and all their neighbours: no count moves further than the pages say.

use super::*;
use crate::sampler::search::{interval_utilities, near_and_far, width_utilities};
use crate::table::Column;

/// Missing, an atom, values on both sides of zero, one beyond the limit, one far off.
const DOMAIN: [f64; 6] = [f64::NAN, -8.0, -1.0, 0.5, 3.0, 1e9];

fn numbers(values: Vec<f64>) -> PrivateTable {
    PrivateTable::new(&Table::new(vec![Column::float("x", values)]).unwrap())
}

fn facts() -> Facts {
    Facts { atoms: vec![-8.0], ..Facts::default() }
}

/// All tables of up to four rows with all that differ from them in the first row.
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
    let grid = Grid::numbers(&Facts { step: Some(1.0), ..facts() }, -2.0, 4.0);
    let starts = [0, 1, 3, 4, grid.len()];
    let mut most = 0;
    neighbours(|a, b| {
        let found = a.counts(0, &grid, &starts);
        assert_eq!(found.iter().sum::<i64>(), a.rows() as i64, "a partition");
        let moves = moves(&found, &b.counts(0, &grid, &starts));
        assert!(moves.iter().all(|by| by.abs() <= 1));
        most = most.max(moves.iter().map(|by| by.abs()).sum());
    });
    assert_eq!(most, 2);
}

#[test]
fn rows_beyond_radii_move_in_one_direction() {
    let mut most = 0;
    neighbours(|a, b| {
        let of = |table: &PrivateTable| table.beyond(0, &facts(), 0.25, -3..40);
        let moves = moves(&of(a), &of(b));
        let (low, high) = (moves.iter().min().unwrap(), moves.iter().max().unwrap());
        most = most.max(high - low);
    });
    assert_eq!(most, 1, "the bound between candidates holds and is attained");
}

#[test]
fn the_search_among_rows_that_take_part_moves_by_one() {
    let edges: Vec<f64> = near_and_far(0.125).into_iter().step_by(7).collect();
    let (mut widths, mut intervals) = (0, 0);
    neighbours(|a, b| {
        let (a, b) = (a.searched(0, &facts()), b.searched(0, &facts()));
        let largest = |moves: Vec<i64>| moves.iter().map(|by| by.abs()).max().unwrap();
        widths = widths.max(largest(moves(&width_utilities(&a, 0), &width_utilities(&b, 0))));
        let utilities = |rows| interval_utilities(rows, 0, &edges, Some(0.125));
        intervals = intervals.max(largest(moves(&utilities(&a), &utilities(&b))));
    });
    assert_eq!((widths, intervals), (1, 1));
}

#[test]
fn handicaps_that_follow_the_rows_move_by_one() {
    // Ten rows of the handicap's far class and one that comes or goes: counts and handicap move together.
    let edges = [-1e12, -1e9, 0.0, 1e9, 1e12];
    for far in 0..12 {
        let rows = |take_part: usize| {
            let values: Vec<f64> = (0..20).map(|row| if row < take_part { 1e10 } else { f64::NAN }).collect();
            interval_utilities(&numbers(values).searched(0, &facts()), 0, &edges, Some(1.0))
        };
        assert!(moves(&rows(far), &rows(far + 1)).iter().all(|by| by.abs() <= 1), "{far}");
    }
}

#[test]
fn levels_are_counted_and_debug_shows_nothing() {
    let column = Column::nominal("c", &["a", "b", "c"], vec![0, 2, MISSING_CODE, 2]);
    let table = PrivateTable::new(&Table::new(vec![column]).unwrap());
    assert_eq!(table.counts(0, &Grid::levels(3), &[0, 1, 2, 3]), [1, 0, 2, 1]);
    assert_eq!((table.levels(0), table.columns()), (Some(3), 1));
    assert_eq!(table.beyond(0, &Facts::default(), 0.0, 0..3), [0; 3]);
    assert_eq!(format!("{table:?}"), "PrivateTable(4 rows, 1 columns)");
}
