//! Compares exact laws with the formulae in floats, and tests the enumeration of every case.

use super::*;
use crate::exact::law::Law;

/// Probabilities at t, in floats.
fn floats(law: &Law, t: f64) -> Vec<f64> {
    let value = |polynomial: &polynomial::Polynomial| -> f64 {
        let term = |(exponent, coefficient): (u64, &num_bigint::BigInt)| {
            coefficient.to_string().parse::<f64>().unwrap() * t.powi(exponent as i32)
        };
        polynomial.terms().map(term).sum()
    };
    law.outcomes.iter().map(|outcome| value(&outcome.numerator) / value(&outcome.denominator)).collect()
}

/// Adds up the law over all orders in which candidates can be tried.
fn orders(left: &mut Vec<usize>, reached: f64, weights: &[f64], law: &mut [f64]) {
    let each = reached / left.len() as f64;
    for place in 0..left.len() {
        let candidate = left.remove(place);
        law[candidate] += each * weights[candidate];
        if !left.is_empty() {
            orders(left, each * (1.0 - weights[candidate]), weights, law);
        }
        left.insert(place, candidate);
    }
}

#[test]
fn laws_are_those_of_the_mechanisms() {
    let utilities = [-3, 0, -1, -1];
    let t = 0.6f64;
    let weights: Vec<f64> = utilities.iter().map(|utility| t.powi(-utility)).collect();
    let mut wanted = vec![0.0; 4];
    orders(&mut vec![0, 1, 2, 3], 1.0, &weights, &mut wanted);
    let utilities = utilities.map(i64::from);
    let found = floats(&Law::permute_and_flip(&utilities), t);
    assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {wanted:?}");
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let all: f64 = weights.iter().sum();
    let found = floats(&Law::exponential(&utilities), t);
    assert!(found.iter().zip(&weights).all(|(a, b)| (a - b / all).abs() < 1e-12));
    let noisy = floats(&Law::noisy_counts(&[0, 2], 2), t);
    assert_eq!(noisy.len(), 9);
    assert!((noisy[0] - t * t).abs() < 1e-12 && (noisy[2] - 1.0).abs() < 1e-12);
}

#[test]
fn certified_cases_hold_on_all_neighbours_and_greedy_trees_do_not() {
    for epsilon in ["0.5", "2"] {
        let epsilon: Epsilon = epsilon.parse().unwrap();
        let mut worst_of_cart = Verdict::Below;
        for case in Case::ALL {
            for rows in case.rows() {
                let found = verify(case, rows, epsilon);
                assert!(found.worst.1 - found.worst.0 < 1e-11 && found.pairs > 20, "{found:?}");
                assert!(found.tables > 9 && found.worst.0 > 0.0, "{found:?}");
                if case == Case::Cart {
                    assert!(!found.certified);
                    worst_of_cart = worst_of_cart.max(found.verdict);
                } else {
                    assert!(found.certified && found.verdict <= Verdict::Attained, "{found:?}");
                    assert!(found.worst.0 <= found.epsilon + 1e-12, "{found:?}");
                }
                if case == Case::Counts {
                    assert_eq!(found.verdict, Verdict::Attained);
                }
            }
        }
        assert_eq!(worst_of_cart, Verdict::Exceeds);
    }
}

#[test]
fn stages_multiply() {
    let stages = [vec![vec![0, -2]], vec![vec![0, -1, -1], vec![-3, 0]]];
    let t = 0.7;
    let found = floats(&Law::in_stages(&stages), t);
    let chances = |list: &[i64]| floats(&Law::permute_and_flip(list), t);
    let first = chances(&stages[0][0]);
    let wanted: Vec<f64> = first
        .iter()
        .zip(&stages[1])
        .flat_map(|(before, list)| chances(list).into_iter().map(move |chance| before * chance))
        .collect();
    assert_eq!(found.len(), 5);
    assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {wanted:?}");
}

#[cfg(feature = "broken")]
#[test]
fn cells_that_overflow_break_the_bound() {
    use indistinct::privacy::broken::{Fault, with};
    for epsilon in ["0.5", "2"] {
        for case in [Case::Width, Case::WidthExponential] {
            let verdict = |fault| with(fault, || verify(case, 13, epsilon.parse().unwrap()).verdict);
            assert_eq!(verdict(Some(Fault::OverflowingCells)), Verdict::Exceeds, "{case:?} at {epsilon}");
            assert!(verdict(None) <= Verdict::Attained, "{case:?} at {epsilon}");
        }
    }
}

#[test]
fn too_small_a_sensitivity_is_found() {
    // Counts move by one in two cells: with a range of one instead of two the bound is broken by a factor.
    let epsilon: Epsilon = "1".parse().unwrap();
    let (here, there) = (Law::noisy_counts(&[1, 1], 2), Law::noisy_counts(&[2, 0], 2));
    let worst = |range: u64| {
        let root = Root::new(epsilon, range);
        let each = here.outcomes.iter().zip(&there.outcomes);
        each.map(|(output, beside)| compare(output, beside, range, &root)).max().unwrap()
    };
    assert_eq!((worst(3), worst(2), worst(1)), (Verdict::Below, Verdict::Attained, Verdict::Exceeds));
}
