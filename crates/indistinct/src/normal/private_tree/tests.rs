//! Tries all substitutions on all small tables, and whole trees.

use super::*;
use crate::privacy::{Guarantee, Randomness};
use crate::random::Seed;
use crate::testing::private_rows;
use std::num::NonZeroU32;

/// The sum over lists of the largest difference between the moves of two candidates.
fn range_of_moves(before: &[Vec<i64>], after: &[Vec<i64>]) -> i64 {
    let of_list = |(before, after): (&Vec<i64>, &Vec<i64>)| {
        let moves = || before.iter().zip(after).map(|(before, after)| after - before);
        moves().max().unwrap_or(0) - moves().min().unwrap_or(0)
    };
    before.iter().zip(after).map(of_list).sum()
}

#[test]
fn neighbours_stay_within_the_bound_of_a_level() {
    const N: usize = 3;
    let domain = [(-1.0, -1.0), (-1.0, 1.0), (0.0, 0.0), (0.5, -1.0), (1.0, 0.2), (1.0, 1.0)];
    let growth = Growth { levels: 2, thresholds: 3, fewest_synthetic: 2 };
    let cut = |column, threshold| Some(Cut { column, threshold });
    let first = FixedTree::undivided().divided(&[cut(0, 0.0)]);
    let second = first.divided(&[cut(1, 0.0), None]);
    let synthetic = [
        vec![vec![-1.0, -0.5, 0.2, 0.7, 1.0], vec![-0.3, 0.4, 1.0, -1.0, 0.1]],
        vec![vec![-1.0, -1.0, -1.0, -0.5], vec![-1.0, 1.0, -0.5, 0.0]],
        vec![vec![0.9, 0.2, 0.4], vec![0.0, 1.0, -1.0]],
    ];
    let bound = Sensitivity::tree_level(shares_scale()).bound().units().get() as i64;
    let all = domain.len().pow(N as u32);
    let rows = |code: usize| -> Vec<(f64, f64)> {
        (0..N as u32).map(|k| domain[code / domain.len().pow(k) % domain.len()]).collect()
    };
    let mut largest = 0;
    for tree in [&FixedTree::undivided(), &first, &second] {
        for synthetic in &synthetic {
            let candidates = candidates(tree, synthetic, growth);
            let lists: Vec<Vec<Vec<i64>>> = (0..all)
                .map(|code| {
                    let columns = [
                        rows(code).iter().map(|row| row.0).collect(),
                        rows(code).iter().map(|row| row.1).collect(),
                    ];
                    utilities(&private_rows(&columns), synthetic, tree, &candidates)
                })
                .collect();
            for code in 0..all {
                // Order does not matter: substitute the first row.
                for value in 0..domain.len() {
                    let neighbour = code - code % domain.len() + value;
                    largest = largest.max(range_of_moves(&lists[code], &lists[neighbour]));
                }
            }
        }
    }
    assert!(largest <= bound, "{largest} > {bound}");
    // All synthetic rows of a leaf beside the row that moves: 2a/(a+1) of the scale.
    assert!(largest > bound / 2, "the bound is of the right order: {largest} of {bound}");
}

fn grown(columns: &[Vec<f64>], located: &SequentialNormal, seeded: bool) -> (FixedTree, Budget) {
    let randomness = if seeded { Randomness::seeded(Seed(4)) } else { Randomness::from_system().unwrap() };
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, randomness);
    let rows = private_rows(columns);
    let growth = Growth::for_rows(rows.rows());
    let epsilon = "0.6".parse().unwrap();
    let tree = grow(&rows, located, growth, &mut budget, epsilon, &mut Seed(5).stream(0)).unwrap();
    (tree, budget)
}

fn paper(n: usize) -> Vec<Vec<f64>> {
    let model = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    model.simulate(&standard_normals(n, 2, &mut Seed(6).stream(0)))
}

#[test]
fn a_tree_is_paid_for_level_by_level() {
    let located = SequentialNormal::new(vec![0.0, 0.0], vec![vec![8.0], vec![2.0, 4.0]]);
    let (tree, budget) = grown(&paper(2000), &located, false);
    assert_eq!(budget.spends().len(), 4, "32 leaves at most for 2000 rows");
    assert_eq!(budget.spent(), "0.6".parse().unwrap());
    assert_eq!(budget.guarantee(), Guarantee::Pure { epsilon: "1".parse().unwrap() });
    assert!((8..=16).contains(&tree.leaves()), "{}", tree.leaves());
}

#[test]
fn row_order_changes_nothing_and_the_first_split_sees_a_difference() {
    let columns = paper(4000);
    let reversed: Vec<Vec<f64>> =
        columns.iter().map(|column| column.iter().rev().copied().collect()).collect();
    // The first column is right, the second far off: a useful tree asks about the second.
    let located = SequentialNormal::new(vec![2.0, 20.0], vec![vec![10.0], vec![5.0, 3.0]]);
    let (tree, _) = grown(&columns, &located, true);
    assert_eq!(tree, grown(&reversed, &located, true).0);
    let first = tree.cuts().next().unwrap();
    assert_eq!(first.column, 1);
}

#[test]
fn growth_follows_the_number_of_rows() {
    let levels = |rows| Growth::for_rows(rows).levels;
    assert_eq!((levels(50), levels(1000), levels(5000), levels(1_000_000)), (1, 3, 6, 6));
}
