//! All substitutions on all small tables: nothing moves by more than is stated, and the bounds are attained.

use crate::laws::{self, SCALE, integer_pmse, neighbouring, tables, total_variation};
use indistinct::privacy::Sensitivity;
use std::num::NonZeroU64;

fn units(sensitivity: &Sensitivity) -> i64 {
    sensitivity.bound().units().get().try_into().unwrap()
}

/// The largest move of `utility` over all neighbouring tables of `n` rows and all synthetic masses of `mass`.
fn largest_move(n: i64, mass: i64, utility: impl Fn(laws::Counts, laws::Counts) -> i64) -> i64 {
    let pairs = neighbouring(n);
    let moves = tables(mass).into_iter().flat_map(|a| {
        let utility = &utility;
        pairs.iter().map(move |&(b, other)| (utility(a, b) - utility(a, other)).abs())
    });
    moves.max().unwrap()
}

#[test]
fn total_variation_moves_by_one() {
    let stated = units(&Sensitivity::pmae(NonZeroU64::MIN));
    for n in 1..=6 {
        assert_eq!(largest_move(n, n, total_variation), stated);
    }
}

#[test]
fn total_variation_with_fractional_masses_moves_by_their_denominator() {
    // Masses n * k_i / 7: seven times the utility is an integer.
    let stated = units(&Sensitivity::pmae(NonZeroU64::new(7).unwrap()));
    for n in 1..=5 {
        let utility = |k: laws::Counts, b: laws::Counts| (0..3).map(|i| (n * k[i] - 7 * b[i]).max(0)).sum();
        assert_eq!(largest_move(n, 7, utility), stated);
    }
}

#[test]
fn integer_pmse_moves_by_less_than_its_scale() {
    let stated = units(&Sensitivity::pmse(NonZeroU64::new(SCALE as u64).unwrap()));
    assert_eq!(stated, SCALE);
    for n in 1..=6 {
        // The supremum is n/(n+1) in real numbers; the floor of each cell can add less than one.
        let found = largest_move(n, n, integer_pmse);
        assert!(found <= stated);
        assert_eq!(found, (SCALE * n + n) / (n + 1), "attained where all synthetic mass meets one row");
    }
}

#[test]
fn coarse_floors_do_not_add_up() {
    // Floors lose up to one unit each; with a scale of one that would show at once.
    let coarse = |scale: i64| {
        move |a: laws::Counts, b: laws::Counts| {
            a.iter().zip(&b).map(|(a, b)| if a + b == 0 { 0 } else { scale * a * a / (a + b) }).sum()
        }
    };
    for scale in 1..=9 {
        for n in 1..=5 {
            for mass in 1..=8 {
                assert!(largest_move(n, mass, coarse(scale)) <= scale, "scale {scale}, n {n}, mass {mass}");
            }
        }
    }
}

#[test]
fn counts_move_by_two_in_all() {
    let stated = units(&Sensitivity::counts(NonZeroU64::MIN));
    for n in 1..=4 {
        let pairs = neighbouring(n).into_iter();
        let moves = pairs.map(|(b, other)| (0..3).map(|i| (b[i] - other[i]).abs()).sum::<i64>());
        assert_eq!(moves.max(), Some(stated));
    }
}

#[test]
fn a_utility_that_looks_at_the_table_is_found_out() {
    // The score of the cut that looks best for these rows under another criterion, as a greedy tree would take it.
    let greedy = |a: laws::Counts, b: laws::Counts| {
        let cut = |i: usize| [a[i], b[i], a.iter().sum::<i64>() - a[i], b.iter().sum::<i64>() - b[i]];
        let best = (0..3).max_by_key(|&i| (b[i] - 2, i)).unwrap();
        let [a1, b1, a2, b2] = cut(best);
        (a1 - b1).max(0) + (a2 - b2).max(0)
    };
    assert!(largest_move(4, 4, greedy) > units(&Sensitivity::pmae(NonZeroU64::MIN)));
}
