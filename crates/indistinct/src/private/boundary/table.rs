//! Columns of any type: counts of cells, classes, tables of two columns, and products of scores.

use std::num::{NonZeroU32, NonZeroU64};

use super::bits::{Bits, all_neighbours, as_read};
use super::search::facts;
use super::{Lists, between, excess};
use crate::grid::{Axis, Grid, LineCells, Point, combs, roundness};
use crate::margin::{Margin, measure};
use crate::privacy::{Budget, Neighbours, Randomness, Sensitivity};
use crate::private::{
    ClassTable, CodedColumn, ColumnShape, CountQuery, Passes, PrivateCounts, PrivateTable, Task, public_rows,
};
use crate::random::Seed;
use crate::table::{Column, MISSING_CODE, Table};

fn table(columns: &[Vec<f64>]) -> PrivateTable {
    let column = |(place, values): (usize, &Vec<f64>)| Column::float(&format!("x{place}"), as_read(values));
    PrivateTable::new(Table::new(columns.iter().enumerate().map(column).collect()).unwrap())
}

fn grids() -> Vec<(Grid, Vec<f64>)> {
    let ends =
        [(-2.0, 40.0), (0.0, 0.0), (-1e300, 1e300), (f64::MIN, f64::MAX), (1e-310, 3e-310), (0.0, 1e15)];
    let of_ends = |(facts, points): (crate::grid::ColumnFacts, Vec<f64>)| {
        ends.map(|(low, high)| {
            let grid = Grid::numbers(&facts, low, high);
            let edges = [0, grid.len() / 3, grid.len() - 1].map(|position| grid.value(position));
            (grid, [&points[..], &edges, &[low, high]].concat())
        })
    };
    facts().into_iter().flat_map(of_ends).collect()
}

#[test]
fn cells_of_a_grid_hold_their_rows_and_move_by_two_in_all() {
    for (grid, points) in grids() {
        let combs = combs(&grid);
        for comb in [None, combs.first().copied()] {
            let axis = Axis::new(&grid, comb);
            let mut starts = vec![0, grid.len() / 3, grid.len() / 2, grid.len() - 1, grid.len()];
            starts.dedup();
            all_neighbours(21, 28, 1, &points, |relation, before, after| {
                let counts = |columns: &[Vec<f64>]| vec![table(columns).counts(0, &axis, &starts)];
                let counted = counts(before);
                let mut expected = vec![0; starts.len()];
                for value in &before[0] {
                    let place = axis.of(grid.position(*value).unwrap_or(grid.len()));
                    let cell = (0..starts.len()).rev().find(|&cell| starts[cell] <= place).unwrap();
                    expected[cell] += 1;
                }
                assert_eq!(counted[0], expected, "{before:?}");
                let sensitivity = between(relation, &Sensitivity::counts(NonZeroU64::MIN));
                assert_eq!(excess(&sensitivity, &counted, &counts(after)), None, "{before:?} {after:?}");

                let round = |columns: &[Vec<f64>]| vec![table(columns).roundness(0, &grid, &combs)];
                let counted = round(before);
                let mut expected = vec![0; combs.len() + 1];
                let regular = before[0].iter().filter_map(|&value| grid.position(value));
                for position in regular.filter(|position| !grid.atoms().contains(position)) {
                    expected[roundness(&combs, grid.place(position))] += 1;
                }
                assert_eq!(counted[0], expected);
                assert_eq!(excess(&sensitivity, &counted, &round(after)), None, "{before:?} {after:?}");
            });
        }
    }
}

/// A margin of such a column, measured with a seed.
fn margin(values: Vec<f64>, facts: &crate::grid::ColumnFacts) -> Margin {
    let mut budget = Budget::new("20".parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(3)));
    measure(&table(&[values]), 0, facts, &mut budget, 1.0).unwrap()
}

#[test]
fn tables_of_columns_and_products_of_scores_move_as_claimed() {
    let mut bits = Bits::new(22);
    for (facts, points) in facts() {
        let learnt: Vec<f64> = (0..300).flat_map(|_| bits.column_near(1, &points)).collect();
        let far: Vec<f64> = (0..300).map(|row| f64::from(row - 150) * 1e3).collect();
        let margins = [learnt, (0..300).map(f64::from).collect(), far].map(|values| margin(values, &facts));
        let codes = [margins[0].codes(6), margins[1].codes(4), margins[2].codes(3)];
        all_neighbours(23, 80, 3, &points, |relation, before, after| {
            let coded = |missing: bool| {
                [0, 1, 2].map(|place| CodedColumn::new(place, margins[place].grid(), &codes[place], missing))
            };
            for missing in [false, true] {
                // A table of two columns, one in which the second column's classes are one, and one of three columns.
                let of = |place: usize| ((0..codes[place].len()).collect(), codes[place].len());
                let tables = [
                    ClassTable::new(&[0, 1], &[of(0), of(1)]),
                    ClassTable::new(&[0, 1], &[of(0), (vec![0; codes[1].len()], 1)]),
                    ClassTable::new(&[0, 1, 2], &[of(0), of(1), of(2)]),
                ];
                let counts = |columns: &[Vec<f64>]| table(columns).table_counts(&coded(missing), &tables);
                let (counted, after_counted) = (counts(before), counts(after));
                let class = |place: usize, row: usize| {
                    let (grid, codes) = (margins[place].grid(), &codes[place]);
                    match grid.position(before[place][row]) {
                        Some(position) => Some(codes.class(Some(position))),
                        None => (missing && codes.has_missing()).then(|| codes.len() - 1),
                    }
                };
                let (width, cells) = (codes[0].len(), codes[0].len() * codes[1].len());
                let mut expected = vec![vec![0; cells], vec![0; width], vec![0; cells * codes[2].len()]];
                for row in 0..before[0].len() {
                    if let (Some(first), Some(second)) = (class(0, row), class(1, row)) {
                        expected[0][second * width + first] += 1;
                        expected[1][first] += 1;
                        if let Some(third) = class(2, row) {
                            expected[2][third * cells + second * width + first] += 1;
                        }
                    }
                }
                assert_eq!(counted, expected, "{before:?}");
                let sensitivity = between(relation, &Sensitivity::counts(NonZeroU64::MIN));
                let chosen_by = between(relation, &Sensitivity::pmae(NonZeroU64::new(3).unwrap()));
                for (a, b) in counted.into_iter().zip(after_counted) {
                    // What is chosen by: N n * TV from several fixed masses, and one that does not look.
                    let distance = |counts: &[i64], mass: i64| -> i64 {
                        (0..).zip(counts).map(|(cell, b)| (mass * (cell % 5) - 3 * b).max(0)).sum()
                    };
                    let distances = |counts: &[i64]| vec![vec![distance(counts, 7), distance(counts, 2), 0]];
                    let excess_of_choice = excess(&chosen_by, &distances(&a), &distances(&b));
                    assert_eq!(excess_of_choice, None, "{before:?} {after:?}");
                    assert_eq!(excess(&sensitivity, &vec![a], &vec![b]), None, "{before:?} {after:?}");
                }
            }
            let scores: Vec<Vec<i64>> = codes
                .iter()
                .map(|codes| (0..codes.len() as i64).map(|k| 32 - 64 * (k % 2)).collect())
                .collect();
            let products = |columns: &[Vec<f64>]| -> Lists {
                vec![table(columns).score_products(&coded(false)[..2], &scores[..2], &[(0, 1)])]
            };
            let sensitivity = Sensitivity::score_products(2, 1, NonZeroU64::new(32).unwrap());
            let sensitivity = between(relation, &sensitivity);
            assert_eq!(excess(&sensitivity, &products(before), &products(after)), None);
        });
    }
}

/// Every kind of query is answered as the function that it names answers, for whole tables and for their parts.
#[test]
fn queries_are_answered_as_their_functions_do_and_add_up_over_parts() {
    let mut bits = Bits::new(25);
    for (facts, points) in facts() {
        let learnt: Vec<f64> = (0..300).flat_map(|_| bits.column_near(1, &points)).collect();
        let margins = [margin(learnt, &facts), margin((0..300).map(f64::from).collect(), &facts)];
        let codes = [margins[0].codes(6), margins[1].codes(4)];
        let coded = [0, 1].map(|place| CodedColumn::new(place, margins[place].grid(), &codes[place], true));
        let grid = margins[0].grid();
        let (combs, axis) = (combs(grid), Axis::new(grid, None));
        let of = |place: usize| ((0..codes[place].len()).collect(), codes[place].len());
        let tables = vec![ClassTable::new(&[0, 1], &[of(0), of(1)])];
        let scores: Vec<Vec<i64>> = codes.iter().map(|codes| (0..codes.len() as i64).collect()).collect();
        let cells = LineCells { exponent: -2, first: -3, bits: 5 };
        let starts = [0, grid.len() / 2, grid.len()];
        let queries = [
            CountQuery::cells(0, &axis, &starts),
            CountQuery::roundness(0, grid, &combs),
            CountQuery::magnitudes(0, &facts, &(-3..9)),
            CountQuery::line(0, &facts, &cells),
            CountQuery::beyond(0, &facts, Point::Real(1.0), &(-3..9)),
            CountQuery::tables(&coded, tables.clone()),
            CountQuery::products(coded.to_vec(), scores.clone(), &[(0, 1)]),
        ];
        let sent = CountQuery::decode(&CountQuery::encode(&queries), 2).unwrap();
        assert_eq!(sent, queries);
        for rows in [0, 1, 2, 30] {
            let columns: Vec<Vec<f64>> = (0..2).map(|_| bits.column_near(rows, &points)).collect();
            let whole = table(&columns);
            let expected = [
                whole.counts(0, &axis, &starts),
                whole.roundness(0, grid, &combs),
                whole.magnitudes(0, &facts, &(-3..9)),
                whole.line_counts(0, &facts, &cells),
                whole.beyond(0, &facts, Point::Real(1.0), &(-3..9)),
                whole.table_counts(&coded, &tables).concat(),
                whole.score_products(&coded, &scores, &[(0, 1)]),
            ];
            let passes = Passes::of_table(&whole);
            assert_eq!((passes.pass(&sent).unwrap(), public_rows(&whole)), (expected.to_vec(), Ok(rows)));
            let task: Task<'_, Vec<i64>> = Box::pin(async { Ok(passes.ask(sent[3].clone()).await) });
            assert_eq!(passes.together(vec![task]).unwrap(), [expected[3].clone()]);
            for cut in 0..=rows {
                let part = |rows: std::ops::Range<usize>| {
                    table(&columns.iter().map(|column| column[rows.clone()].to_vec()).collect::<Vec<_>>())
                };
                let mut sum = PrivateCounts::none(&sent);
                for part in [part(cut..rows), part(0..cut)] {
                    sum.add(&PrivateCounts::decode(&part.count(&sent).encode()).unwrap()).unwrap();
                }
                assert_eq!(sum, whole.count(&sent), "{columns:?} cut at {cut}");
            }
        }
    }
}

#[test]
fn levels_and_missing_ones_count_once() {
    let mut bits = Bits::new(24);
    let grid = Grid::levels(3);
    let axis = Axis::new(&grid, None);
    let counts = |codes: &[u32]| {
        let column = Column::nominal("c", &["a", "b", "c"], codes.to_vec());
        let table = PrivateTable::new(Table::new(vec![column]).unwrap());
        vec![table.counts(0, &axis, &[0, 1, 2, 3])]
    };
    for rows in (1..15).cycle().take(300) {
        let (before, other) = (bits.codes(rows, 3), bits.codes(rows, 3));
        let counted = counts(&before);
        let missing = before.iter().filter(|&&code| code == MISSING_CODE).count() as i64;
        assert_eq!((counted[0].iter().sum::<i64>(), counted[0][3]), (rows as i64, missing));
        for row in 0..rows {
            let mut after = before.clone();
            after[row] = other[row];
            assert_eq!(excess(&Sensitivity::counts(NonZeroU64::MIN), &counted, &counts(&after)), None);
            after.remove(row);
            let sensitivity = between(Neighbours::AddRemove, &Sensitivity::counts(NonZeroU64::MIN));
            assert_eq!(excess(&sensitivity, &counted, &counts(&after)), None);
        }
    }
}

#[test]
fn the_number_of_rows_is_seen_through_one_charged_count() {
    for rows in [0, 1, 7, 40] {
        let counted = |epsilon: &str, seed: u64| {
            let budget =
                Budget::new(epsilon.parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
            let mut budget = budget.between(Neighbours::AddRemove);
            let table = table(&[vec![1.0; rows]]);
            let columns: Vec<ColumnShape> = table.shapes();
            let table = Passes::counted(&table, columns, &mut budget, 0.5).unwrap();
            let [spend] = budget.spends() else { panic!("one step") };
            assert_eq!(spend.sensitivity.bound().units().get(), 1);
            assert_eq!(spend.epsilon, budget.portion(0.5).pure_epsilon());
            assert!(table.rows() >= 1, "whatever the noise");
            table.rows()
        };
        assert_eq!(counted("200", 1), rows.max(1), "hardly any noise");
        let noisy: std::collections::BTreeSet<usize> = (0..40).map(|seed| counted("0.2", seed)).collect();
        assert!(noisy.len() > 10, "noise of standard deviation 14: {noisy:?}");
    }
}
