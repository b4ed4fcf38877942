//! Noise of a cube and draws from a smoothed histogram: against their laws, and their laws on neighbouring tables.

use crate::charge;
use crate::laws::{Counts, neighbouring};
use crate::samplers::{draws, misfit};
use indistinct::privacy::{
    Bound, Budget, Epsilon, Exactness, MechanismError, Proof, Randomness, Sensitivity, k_norm,
    smooth_histogram, smooth_histogram_matching,
};
use indistinct::random::Seed;
use std::num::{NonZeroU32, NonZeroU64};

const SLACK: f64 = 1e-9;

fn largest(units: u64) -> Sensitivity {
    let bound = Bound::largest(NonZeroU64::new(units).unwrap(), "sums");
    Sensitivity::Proven { bound, added: None, proof: Proof::ClippedSums }
}

/// All whole points of the cube of that half-width.
fn cube(dimensions: usize, width: i64) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..dimensions {
        points = points
            .iter()
            .flat_map(|point: &Vec<i64>| (-width..=width).map(|v| [point.as_slice(), &[v]].concat()))
            .collect();
    }
    points
}

/// The law of the cube's noise at a point, up to its constant.
fn cube_weight(noise: &[i64], eta: f64) -> f64 {
    (-eta * noise.iter().map(|v| v.abs()).max().unwrap_or(0) as f64).exp()
}

/// Sum of the weights of all points, by shells.
fn cube_total(dimensions: i32, eta: f64) -> f64 {
    let inside = |r: f64| if r < 0.0 { 0.0 } else { (2.0 * r + 1.0).powi(dimensions) };
    (0..4000).map(|r| (inside(f64::from(r)) - inside(f64::from(r) - 1.0)) * (-eta * f64::from(r)).exp()).sum()
}

#[test]
fn cube_noise_follows_its_law() {
    for (dimensions, epsilon, units, width) in [
        (1, "1", 1, 30),
        (2, "1.5", 1, 12),
        (2, "2", 3, 25),
        (3, "2", 1, 8),
        (4, "3", 1, 4),
        (1, "0.123456789012", 2, 400),
    ] {
        let eta = epsilon.parse::<f64>().unwrap() / units as f64;
        let counts =
            draws(epsilon, 1, &largest(units), |charge| k_norm(charge, &vec![0; dimensions]).unwrap());
        let total = cube_total(dimensions as i32, eta);
        let law = cube(dimensions, width).into_iter().map(|v| {
            let p = cube_weight(&v, eta) / total;
            (v, p)
        });
        let found = misfit(&counts, law);
        assert!(found < 1.0, "{dimensions} at {epsilon}: {found}");
        let wrong = cube(dimensions, width).into_iter().map(|v| {
            let p = cube_weight(&v, 1.3 * eta) / cube_total(dimensions as i32, 1.3 * eta);
            (v, p)
        });
        assert!(misfit(&counts, wrong) > 1.0, "another scale passed for {dimensions} at {epsilon}");
    }
}

#[test]
fn cube_noise_of_wide_scale_has_the_moments_of_its_law() {
    // Half-width nearly Gamma(d + 1) / eta, coordinates uniform: variance (d + 1)(d + 2) / (3 eta^2).
    let (dimensions, eta) = (5, 2.0 / (1u64 << 30) as f64);
    let mut budget = Budget::new(Epsilon::MAX, NonZeroU32::MIN, Randomness::seeded(Seed(3)));
    let (mut square, mut product) = (0.0, 0.0);
    for _ in 0..20_000 {
        let charge = budget.charge("draw", "2".parse().unwrap(), largest(1 << 30)).unwrap();
        let noise = k_norm(charge, &vec![0; dimensions]).unwrap();
        square += noise.iter().map(|&v| (v as f64 * eta).powi(2)).sum::<f64>() / (20_000.0 * 5.0);
        product += noise[0] as f64 * noise[1] as f64 * eta * eta / 20_000.0;
    }
    assert!((square / 14.0 - 1.0).abs() < 0.03, "{square}");
    assert!(product.abs() < 0.4, "{product}");
}

#[test]
fn cube_noise_never_reveals_more_than_its_charge() {
    for (epsilon, units) in [("0.3", 1), ("1", 1), ("2", 2)] {
        let charge = charge(epsilon, largest(units));
        let eta = charge.epsilon().to_f64() / charge.bound().units().get() as f64;
        let worst = |eta: f64| {
            let mut worst = 0.0f64;
            for moved in cube(2, units as i64) {
                for output in cube(2, 6) {
                    let off: Vec<i64> = output.iter().zip(&moved).map(|(y, t)| y - t).collect();
                    worst = worst.max((cube_weight(&output, eta) / cube_weight(&off, eta)).ln().abs());
                }
            }
            worst
        };
        let promised = charge.epsilon().to_f64();
        assert!((worst(eta) - promised).abs() < SLACK, "{} for {promised}, which is attained", worst(eta));
        assert!(worst(2.0 * eta) > promised + SLACK, "half the noise passed");
    }
}

/// The law of one draw, where a row weighs `weight` cells.
fn smooth_law(counts: Counts, weight: f64) -> [f64; 3] {
    let rows: i64 = counts.iter().sum();
    counts.map(|count| (1.0 + weight * count as f64) / (3.0 + weight * rows as f64))
}

fn unsigned(counts: Counts) -> Vec<u64> {
    counts.iter().map(|&count| count as u64).collect()
}

#[test]
fn smooth_histogram_follows_its_law() {
    let counts = [7, 0, 2];
    for (epsilon, number) in [("1", 1), ("2", 2), ("12", 1), ("0.01", 1)] {
        let weight = (epsilon.parse::<f64>().unwrap() / number as f64).exp_m1().min(4096.0);
        let law = smooth_law(counts, weight);
        let found = draws(epsilon, 1, &Sensitivity::cell_count(), |charge| {
            smooth_histogram(charge, &unsigned(counts), number).unwrap()
        });
        let sequences = cube(number, 1).into_iter().map(|cells| {
            let cells: Vec<usize> = cells.iter().map(|cell| (cell + 1) as usize).collect();
            let p = cells.iter().map(|&cell| law[cell]).product();
            (cells, p)
        });
        assert!(misfit(&found, sequences) < 1.0, "{number} draws at {epsilon}");
    }
    let mut budget = Budget::new(Epsilon::MAX, NonZeroU32::MIN, Randomness::seeded(Seed(3)));
    let none = Exactness::NoGuarantee { why: "another smoothing".to_owned() };
    let charge =
        budget.charge_chain("draw", "0.5".parse().unwrap(), Sensitivity::cell_count(), none).unwrap();
    let drawn = smooth_histogram_matching(charge, &unsigned(counts), 40_000).unwrap();
    let mut found = std::collections::BTreeMap::new();
    for cell in drawn {
        *found.entry(cell).or_default() += 1;
    }
    assert!(misfit(&found, smooth_law(counts, 0.5).into_iter().enumerate()) < 1.0);
}

/// The largest log-ratio of a sequence of `number` cells over all neighbouring tables of up to four rows.
fn worst_sequence(weight: f64, number: u32) -> f64 {
    let mut worst = 0.0f64;
    for (b, other) in (1..=4).flat_map(neighbouring) {
        let (law, another) = (smooth_law(b, weight), smooth_law(other, weight));
        for cell in 0..3 {
            // The worst sequence names one cell again and again.
            worst = worst.max(f64::from(number) * (law[cell] / another[cell]).ln().abs());
        }
    }
    worst
}

#[test]
fn smooth_histograms_never_reveal_more_than_their_charge() {
    for epsilon in [0.1f64, 1.0, 3.0] {
        for number in [1, 5, 1000] {
            let weight = (epsilon / f64::from(number)).exp_m1();
            let worst = worst_sequence(weight, number);
            assert!((worst - epsilon).abs() < 1e-6, "{worst} for {epsilon}, which is attained");
            assert!(worst_sequence(1.1 * weight, number) > epsilon + 1e-3, "a heavier row passed");
        }
        // What fits the published figures costs much more.
        let matching = worst_sequence(epsilon, 1000);
        assert!((matching - 1000.0 * epsilon.ln_1p()).abs() < 1e-6);
        assert!(matching > 100.0 * epsilon);
    }
}

#[test]
fn mechanisms_refuse_bounds_of_another_kind() {
    let sum = || Sensitivity::counts(NonZeroU64::MIN);
    let each = || Sensitivity::pmae(NonZeroU64::MIN);
    assert!(matches!(k_norm(charge("1", sum()), &[1]), Err(MechanismError::WrongBound { .. })));
    assert!(matches!(k_norm(charge("1", each()), &[1]), Err(MechanismError::WrongBound { .. })));
    assert!(matches!(smooth_histogram(charge("1", sum()), &[1], 1), Err(MechanismError::WrongBound { .. })));
    let counts = indistinct::privacy::discrete_laplace_counts(charge("1", largest(1)), &[1]);
    assert!(matches!(counts, Err(MechanismError::WrongBound { .. })));
    assert!(indistinct::privacy::permute_and_flip(charge("1", largest(1)), &[1]).is_err());
    assert_eq!(
        smooth_histogram(charge("1", Sensitivity::cell_count()), &[], 3),
        Err(MechanismError::NoCandidates)
    );
    assert_eq!(smooth_histogram(charge("1", Sensitivity::cell_count()), &[0, 0], 0), Ok(Vec::new()));
    assert_eq!(k_norm(charge("1", largest(1)), &[]), Ok(Vec::new()));
}

#[test]
fn people_with_several_rows_get_smoother_histograms_and_larger_cubes() {
    let counts =
        draws("3", 3, &Sensitivity::cell_count(), |charge| smooth_histogram(charge, &[9, 0, 0], 1).unwrap());
    let law = smooth_law([9, 0, 0], 1f64.exp_m1()).into_iter().enumerate().map(|(cell, p)| (vec![cell], p));
    assert!(misfit(&counts, law) < 1.0);
    let counts = draws("3", 3, &largest(1), |charge| k_norm(charge, &[0, 0]).unwrap());
    let total = cube_total(2, 1.0);
    let law = cube(2, 15).into_iter().map(|v| {
        let p = cube_weight(&v, 1.0) / total;
        (v, p)
    });
    assert!(misfit(&counts, law) < 1.0);
}
