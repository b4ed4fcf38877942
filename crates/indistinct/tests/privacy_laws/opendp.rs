//! The same numbers by another implementation: what OpenDP says of rho, of tails and of the price of noise, and what it draws.
//! `tests/golden/make_opendp.py` made the file.

use crate::laws;
use crate::samplers::misfit;
use indistinct::privacy::{
    Bound, Budget, Cost, CountsCharge, Delta, Epsilon, Proof, Randomness, Rho, Sensitivity, noisy_counts,
};
use indistinct::random::Seed;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};

#[derive(Deserialize)]
struct Golden {
    conversions: Vec<Conversion>,
    largest_rho: Vec<Conversion>,
    laplace_tails: Vec<Tail>,
    gaussian_tails: Vec<Tail>,
    laplace_costs: Vec<LaplaceCost>,
    gaussian_costs: Vec<GaussianCost>,
    laplace_draws: Vec<Drawn>,
    gaussian_draws: Vec<Drawn>,
}

/// rho-zCDP implies (epsilon, delta)-differential privacy.
#[derive(Deserialize)]
struct Conversion {
    rho: f64,
    epsilon: f64,
    delta: f64,
}

/// At this scale |noise| >= reach has probability alpha.
#[derive(Deserialize)]
struct Tail {
    reach: i64,
    alpha: f64,
    scale: f64,
}

/// Noise of this scale on counts whose moves add up to so many.
#[derive(Deserialize)]
struct LaplaceCost {
    scale: f64,
    moves: u64,
    epsilon: f64,
}

/// Noise of this scale on counts whose squared moves add up to so many.
#[derive(Deserialize)]
struct GaussianCost {
    scale: f64,
    squares: u64,
    rho: f64,
}

/// How often each value was drawn.
#[derive(Deserialize)]
struct Drawn {
    scale: f64,
    counts: Vec<(i64, usize)>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/opendp.json")).unwrap()
}

fn delta(value: f64) -> Delta {
    value.to_string().parse().unwrap()
}

/// A sensitivity by which squared moves are those of one count, or of counts that move by one each.
fn moves(units: u64, squares: u64) -> Sensitivity {
    let bound = Bound::sum_and_squares(NonZeroU64::new(units).unwrap(), u128::from(squares), "counts");
    Sensitivity::Proven { bound, added: None, proof: Proof::CountsSensitivity }
}

fn pure() -> Budget {
    Budget::new(Epsilon::MAX, NonZeroU32::MIN, Randomness::seeded(Seed(3)))
}

fn concentrated() -> Budget {
    let delta = "0.5".parse().unwrap();
    Budget::with_delta(Epsilon::MAX, delta, NonZeroU32::MIN, Randomness::seeded(Seed(3)))
}

/// The discrete Gaussian law on whole numbers so far out that nothing is left.
fn gaussian(sigma: f64) -> Vec<(i64, f64)> {
    let far = (40.0 * sigma) as i64 + 10;
    let weight = |y: i64| (-(y as f64).powi(2) / (2.0 * sigma * sigma)).exp();
    let all: f64 = (-far..=far).map(weight).sum();
    (-far..=far).map(|y| (y, weight(y) / all)).collect()
}

fn laplace(scale: f64) -> Vec<(i64, f64)> {
    let far = (40.0 * scale) as i64 + 10;
    (-far..=far).map(|y| (y, laws::discrete_laplace(y, scale))).collect()
}

/// Both use the bound of Canonne, Kamath and Steinke (2020) at the best order alpha. OpenDP searches for it in doubles, to the last
/// digit or so, and we by whole numbers on a grid of orders 2^-20 apart, rounding down. So ours is never larger, but for the last
/// digits of a double, and smaller by no more than the grid and the unit of 10^-15.
#[test]
fn no_more_rho_is_had_for_an_epsilon_than_opendp_allows_and_hardly_less() {
    let golden = golden();
    assert!(golden.conversions.len() >= 90 && golden.largest_rho.len() >= 60);
    let mut compared = 0;
    for Conversion { rho, epsilon, delta: at } in golden.conversions.into_iter().chain(golden.largest_rho) {
        // Where delta alone is enough OpenDP says that epsilon is 0, which has no rho of its own.
        if epsilon > 0.0 {
            let found = Rho::largest(Epsilon::from_f64(epsilon).unwrap(), delta(at)).to_f64();
            // Epsilon is read to 12 decimals: rho moves by no more than its square root times as much, relatively.
            let rounding = 1e-9 * rho + 2e-12 * rho.sqrt() + 2e-15;
            assert!(found <= rho + rounding, "epsilon {epsilon}, delta {at}: {found} is more than {rho}");
            assert!(found >= rho * (1.0 - 1e-6) - rounding, "epsilon {epsilon}, delta {at}: {found}, {rho}");
            compared += 1;
        }
    }
    assert!(compared > 140, "{compared}");
}

/// The bound is not the truth: the discrete Gaussian whose rho is ours has a smaller delta at that epsilon.
#[test]
fn the_noise_that_a_rho_buys_keeps_the_promised_delta() {
    for Conversion { epsilon, delta: promised, .. } in golden().largest_rho {
        let rho = Rho::largest(Epsilon::from_f64(epsilon).unwrap(), delta(promised)).to_f64();
        // One count that moves by one: rho = 1 / (2 sigma^2).
        let sigma = (0.5 / rho).sqrt();
        if sigma < 300.0 {
            let law = gaussian(sigma);
            let shifted = law.iter().skip(1).map(|(_, p)| *p).chain([0.0]);
            let spent: f64 =
                law.iter().zip(shifted).map(|((_, p), q)| (p - epsilon.exp() * q).max(0.0)).sum();
            assert!(
                spent <= promised * (1.0 + 1e-9),
                "epsilon {epsilon}: delta {spent}, promised {promised}"
            );
            // And uses more than an eighth of it, but for noise so narrow that whole numbers matter.
            assert!(spent > promised / 8.0 || sigma < 2.0, "epsilon {epsilon}: {spent} of {promised}");
        }
    }
}

#[test]
fn tails_are_those_of_opendp() {
    let beyond = |law: Vec<(i64, f64)>, reach: i64| -> f64 {
        law.into_iter().filter(|(y, _)| y.abs() >= reach).map(|(_, p)| p).sum()
    };
    let golden = golden();
    assert!(golden.laplace_tails.len() >= 30 && golden.gaussian_tails.len() >= 30);
    for Tail { reach, alpha, scale } in golden.laplace_tails {
        let found = beyond(laplace(scale), reach);
        assert!((found / alpha - 1.0).abs() < 1e-9, "Laplace {scale}: {found} {alpha}");
    }
    for Tail { reach, alpha, scale } in golden.gaussian_tails {
        let found = beyond(gaussian(scale), reach);
        assert!((found / alpha - 1.0).abs() < 1e-9, "Gauss {scale}: {found} {alpha}");
    }
}

/// What OpenDP charges for noise buys noise of that scale here, no less than by the last digits.
#[test]
fn noise_costs_what_it_costs_in_opendp() {
    let golden = golden();
    for LaplaceCost { scale, moves: units, epsilon } in golden.laplace_costs {
        let cost = Cost::Epsilon(Epsilon::from_f64(epsilon).unwrap());
        let charge = pure().charge_counts("counts", cost, moves(units, units * units)).unwrap();
        assert!((charge.laplace_scale() / scale - 1.0).abs() < 1e-11, "{scale} for {units}");
    }
    for GaussianCost { scale, squares, rho } in golden.gaussian_costs {
        let charge = concentrated().charge_counts("counts", cost_of(rho), moves(squares, squares)).unwrap();
        let sigma = charge.laplace_scale() * std::f64::consts::SQRT_2;
        // Sigma is rounded up, to about 30 binary digits.
        assert!(sigma > scale * (1.0 - 1e-12) && sigma < scale * (1.0 + 1e-8), "{sigma} {scale}");
    }
}

/// A rho, rounded up as all that is read.
fn cost_of(rho: f64) -> Cost {
    Cost::Rho(serde_json::from_value(rho.into()).unwrap())
}

/// What OpenDP drew follows the laws that are enumerated here, and so does what charges draw at the price that it names.
#[test]
fn draws_of_both_follow_the_same_law() {
    let golden = golden();
    let drawn = |mut charge: Box<dyn FnMut() -> CountsCharge>| -> BTreeMap<i64, usize> {
        let mut counts = BTreeMap::new();
        for noise in (0..20).flat_map(|_| noisy_counts(charge(), &[0; 2000]).unwrap()) {
            *counts.entry(noise).or_default() += 1;
        }
        counts
    };
    for (gauss, Drawn { scale, counts }) in (golden.laplace_draws.into_iter().map(|drawn| (false, drawn)))
        .chain(golden.gaussian_draws.into_iter().map(|drawn| (true, drawn)))
    {
        let law = |scale: f64| if gauss { gaussian(scale) } else { laplace(scale) };
        let theirs: BTreeMap<i64, usize> = counts.into_iter().collect();
        assert!(theirs.values().sum::<usize>() >= 200_000);
        assert!(misfit(&theirs, law(scale)) < 1.0, "OpenDP at {scale}, Gauss {gauss}");
        assert!(misfit(&theirs, law(1.03 * scale)) > 1.0, "3 % more noise passed at {scale}");
        let ours = if gauss {
            let (mut budget, cost) = (concentrated(), cost_of(0.5 / (scale * scale)));
            drawn(Box::new(move || budget.charge_counts("draw", cost, moves(1, 1)).unwrap()))
        } else {
            let (mut budget, cost) = (pure(), Cost::Epsilon(Epsilon::from_f64(1.0 / scale).unwrap()));
            drawn(Box::new(move || budget.charge_counts("draw", cost, moves(1, 1)).unwrap()))
        };
        assert!(misfit(&ours, law(scale)) < 1.0, "ours at {scale}, Gauss {gauss}");
        let two = two_samples(&theirs, &ours);
        assert!(two < 1.0, "{two} between both at {scale}, Gauss {gauss}");
    }
}

/// Pearson's statistic of two samples over its 0.9999 quantile (Wilson and Hilferty); values that both have fewer than ten of
/// are taken together.
fn two_samples(first: &BTreeMap<i64, usize>, second: &BTreeMap<i64, usize>) -> f64 {
    let all = |counts: &BTreeMap<i64, usize>| counts.values().sum::<usize>() as f64;
    let (n, m) = (all(first), all(second));
    let of = |counts: &BTreeMap<i64, usize>, value: i64| counts.get(&value).copied().unwrap_or(0) as f64;
    let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
    for &value in first.keys().chain(second.keys().filter(|value| !first.contains_key(value))) {
        let (a, b) = (of(first, value), of(second, value));
        if a >= 10.0 && b >= 10.0 { cells.push((a, b)) } else { rare = (rare.0 + a, rare.1 + b) }
    }
    if rare.0 + rare.1 >= 40.0 {
        cells.push(rare);
    }
    let statistic: f64 = cells
        .iter()
        .map(|(a, b)| {
            let p = (a + b) / (n + m);
            (a - n * p).powi(2) / (n * p) + (b - m * p).powi(2) / (m * p)
        })
        .sum();
    let df = (cells.len() as f64 - 1.0).max(1.0);
    let c = 2.0 / (9.0 * df);
    statistic / (df * (1.0 - c + 3.719 * c.sqrt()).powi(3))
}
