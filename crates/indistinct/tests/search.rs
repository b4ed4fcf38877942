//! The interval search: what it finds, and that one row moves its utilities by at most 1.
//!
//! The utilities are not public, so the bound is checked where it shows: by brute force over the same definitions.

mod common;

use std::num::NonZeroU32;

use common::nearly_normal;
use indistinct::normal::search::{location, scale};
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateRows;
use indistinct::random::Seed;
use indistinct::table::{Column, Table};

fn rows(values: Vec<f64>) -> PrivateRows {
    PrivateRows::new(&Table::new(vec![Column::float("x", values)]).expect("a table")).expect("numbers")
}

/// Normal columns anywhere among the doubles are found within two standard deviations and a factor of three.
#[test]
fn columns_are_found_wherever_they_lie() {
    let n = 2000u32;
    let epsilon = Epsilon::from_f64(70.0 / f64::from(n)).expect("positive");
    let mut seed = 0;
    for (mean, sd) in [
        (0.0, 1.0),
        (2.0, 10.0),
        (1024.0, 1.0),
        (-1e5, 1.0),
        (1e9, 1e-3),
        (0.0, 1e-200),
        (-7e250, 1e245),
        (0.5, 1e-9),
    ] {
        for _ in 0..10 {
            seed += 1;
            let mut random = Seed(seed).stream(0);
            let private = rows((0..n).map(|_| mean + sd * nearly_normal(&mut random)).collect());
            let total = Epsilon::from_f64(5.0).expect("positive");
            let mut budget = Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
            let mut far = total;
            let exponent = scale(&private, 0, &mut budget, epsilon).expect("within budget");
            let found =
                location(&private, 0, exponent, &mut budget, epsilon, &mut far).expect("within budget");
            assert!((found.location - mean).abs() < 2.0 * sd, "N({mean}, {sd}): {found:?}");
            assert!((sd / 3.0..3.0 * sd).contains(&found.scale), "N({mean}, {sd}): {found:?}");
        }
    }
}

/// The rows in the fullest two neighbouring cells of width 2^k, by definition.
fn fullest(values: &[i32], exponent: u32) -> i32 {
    let pair =
        |first: i32| values.iter().filter(|value| [0, 1].contains(&((**value >> exponent) - first))).count();
    (-9..9).map(pair).max().unwrap_or(0) as i32
}

/// u_k of `proofs/interval_search.md`, for integers and k = 0, 1, 2, 3.
fn utilities(values: &[i32]) -> Vec<i32> {
    let half = values.len().div_ceil(2) as i32;
    let counts: Vec<i32> = (0..4).map(|exponent| fullest(values, exponent)).collect();
    (0..4)
        .map(|k| {
            let too_many = if k == 0 { 0 } else { counts[k - 1] - (half - 1) };
            -(half - counts[k]).max(too_many).max(0)
        })
        .collect()
}

#[test]
fn one_row_moves_every_utility_by_at_most_one() {
    let domain = -4..4;
    let tables = |n: u32| -> Vec<Vec<i32>> {
        let all = 8usize.pow(n);
        (0..all).map(|code| (0..n).map(|row| (code >> (3 * row) & 7) as i32 - 4).collect()).collect()
    };
    let mut largest = 0;
    for n in 1..=4 {
        for table in tables(n) {
            let before = utilities(&table);
            for value in domain.clone() {
                let mut neighbour = table.clone();
                neighbour[0] = value;
                let moves = before.iter().zip(utilities(&neighbour)).map(|(a, b)| (a - b).abs());
                largest = largest.max(moves.max().unwrap_or(0));
            }
        }
    }
    assert_eq!(largest, 1, "the bound holds and is attained");
}
