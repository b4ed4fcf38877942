//! Tests coins and uniform numbers against their laws. The mechanisms are tested through their charges, in
//! `tests`.

use super::Ratio;
use super::bernoulli::{bernoulli, bernoulli_exp};
use super::cube::cube_noise;
use super::gaussian::{Sigma, discrete_gaussian};
use super::laplace::discrete_laplace;
use super::select::{exponential_mechanism, permute_and_flip};
use super::smooth::{CELL_WEIGHT, row_weight, row_weight_exp};
use super::uniform::uniform_below;
use crate::random::Seed;
use std::num::NonZeroU128;

const DRAWS: usize = 100_000;

fn ratio(numerator: u128, denominator: u128) -> Ratio {
    Ratio::new(numerator, NonZeroU128::new(denominator).unwrap())
}

/// Pearson's statistic.
fn chi_square(counts: &[usize], probabilities: &[f64]) -> f64 {
    let n = counts.iter().sum::<usize>() as f64;
    counts.iter().zip(probabilities).map(|(&count, p)| (count as f64 - n * p).powi(2) / (n * p)).sum()
}

/// Deviation of the number of heads from that of probability `p`, in standard deviations.
fn deviation(p: f64, mut toss: impl FnMut() -> bool) -> f64 {
    let heads = (0..DRAWS).filter(|_| toss()).count();
    (heads as f64 - DRAWS as f64 * p) / (DRAWS as f64 * p * (1.0 - p)).sqrt()
}

#[test]
fn uniform_fills_its_range() {
    let mut generator = Seed(1).stream(0);
    for bound in [2u128, 3, 7, 8, 10] {
        let mut counts = vec![0; bound as usize];
        for _ in 0..DRAWS {
            counts[uniform_below(NonZeroU128::new(bound).unwrap(), &mut generator) as usize] += 1;
        }
        // The 0.9999 quantile with 9 degrees of freedom is 33.7.
        assert!(chi_square(&counts, &vec![1.0 / bound as f64; counts.len()]) < 33.7, "{bound}: {counts:?}");
    }
    // Beyond one word: tenths of the range are equally full.
    for bound in [1u128 << 64, (1 << 64) + 1, 3 << 100, u128::MAX] {
        let mut counts = vec![0; 10];
        for _ in 0..DRAWS {
            let number = uniform_below(NonZeroU128::new(bound).unwrap(), &mut generator);
            assert!(number < bound);
            counts[((number as f64 / bound as f64 * 10.0) as usize).min(9)] += 1;
        }
        assert!(chi_square(&counts, &[0.1; 10]) < 33.7, "{bound}: {counts:?}");
    }
    assert_eq!(uniform_below(NonZeroU128::MIN, &mut generator), 0);
}

#[test]
fn bernoulli_follows_its_law() {
    let mut generator = Seed(2).stream(0);
    for (p, q) in [(1, 3), (999, 1000), (1, 1 << 7), (1 << 99, 3 << 99)] {
        let law = p as f64 / q as f64;
        let q = NonZeroU128::new(q).unwrap();
        let off = deviation(law, || bernoulli(p, q, &mut generator));
        assert!(off.abs() < 4.0, "{p}/{q}: {off}");
    }
    assert!(!bernoulli(0, NonZeroU128::MAX, &mut generator));
    assert!(bernoulli(1, NonZeroU128::MIN, &mut generator));
}

#[test]
fn bernoulli_exp_follows_its_law() {
    let mut generator = Seed(3).stream(0);
    for (p, q) in
        [(1, 1000), (1, 3), (2, 3), (1, 1), (3, 2), (5, 1), (7 << 90, 3 << 90), ((1 << 90) + 1, 1 << 90)]
    {
        let law = (-(p as f64 / q as f64)).exp();
        let off = deviation(law, || bernoulli_exp(ratio(p, q), &mut generator));
        assert!(off.abs() < 4.0, "exp(-{p}/{q}): {off}");
    }
    assert!((0..1000).all(|_| bernoulli_exp(ratio(0, 5), &mut generator)));
    // However large, it ends at once.
    assert!((0..1000).all(|_| !bernoulli_exp(ratio(u128::MAX, 1), &mut generator)));
}

#[test]
fn a_coin_with_a_wrong_exponent_is_noticed() {
    let mut generator = Seed(4).stream(0);
    let off = deviation((-0.5f64).exp(), || bernoulli_exp(ratio(51, 100), &mut generator));
    assert!(off.abs() > 4.0, "a coin of exp(-0.51) passed for one of exp(-0.50): {off}");
}

#[test]
fn extremes_do_not_overflow() {
    let mut generator = Seed(5).stream(0);
    let steep = ratio(10u128.pow(18), 1);
    for _ in 0..100 {
        assert_eq!(permute_and_flip(&[i64::MIN, i64::MAX, 0], steep, &mut generator), Some(1));
        assert_eq!(exponential_mechanism(&[i64::MIN, i64::MAX, 0], steep, &mut generator), Some(1));
        // Scales from nothing to far beyond any count.
        assert_eq!(discrete_laplace(ratio(0, 1), &mut generator), 0);
        assert_eq!(discrete_laplace(ratio(1, 1000), &mut generator), 0);
        let wide = discrete_laplace(ratio(u128::from(u64::MAX) * 2 * 10u128.pow(12), 1), &mut generator);
        assert!(wide.unsigned_abs() > 1 << 64);
    }
    assert_eq!(permute_and_flip(&[], steep, &mut generator), None);
    assert_eq!(exponential_mechanism(&[], steep, &mut generator), None);
    assert_eq!(permute_and_flip(&[1], ratio(u128::MAX, 1), &mut generator), None);
}

#[test]
fn wide_noise_is_laplace_too() {
    // With a scale of 10^30 / 7 the remainder and the quotient both need two words: compare quartiles.
    let mut generator = Seed(6).stream(0);
    let scale = ratio(10u128.pow(30), 7);
    let width = 1e30 / 7.0;
    let mut counts = vec![0; 8];
    for _ in 0..DRAWS {
        let noise = discrete_laplace(scale, &mut generator) as f64 / width;
        let upper = 1.0 - (-noise.abs()).exp();
        counts[(upper * 4.0) as usize + if noise < 0.0 { 4 } else { 0 }] += 1;
    }
    // The 0.9999 quantile with 7 degrees of freedom is 29.9.
    assert!(chi_square(&counts, &[0.125; 8]) < 29.9, "{counts:?}");
}

#[test]
fn row_weights_are_below_exp() {
    let of = |numerator: u128, denominator: u128| {
        row_weight_exp(numerator, NonZeroU128::new(denominator).unwrap()) as f64 / CELL_WEIGHT as f64
    };
    let mut largest = 0.0f64;
    for denominator in [1, 7, 1000, 12_345_678, 1_000_000_000_000] {
        for numerator in (0..400).map(|k| k * k * 31) {
            let x = numerator as f64 / denominator as f64;
            let (found, wanted) = (of(numerator, denominator), x.exp_m1());
            // Doubles may be off in the sixteenth digit.
            assert!(found <= wanted * (1.0 + 1e-14), "{numerator}/{denominator}");
            if x < 8.0 {
                assert!(
                    wanted - found <= 1e-12 * (1.0 + wanted) * 20.0,
                    "{numerator}/{denominator}: {found} {wanted}"
                );
            }
            largest = largest.max(found);
        }
    }
    assert_eq!(largest, 4096.0);
    assert_eq!(of(u128::MAX, 1), 4096.0);
    assert_eq!(row_weight(u128::MAX, NonZeroU128::MIN), 1 << 60);
    assert_eq!(row_weight(1, NonZeroU128::MAX), 0);
}

#[test]
fn cubes_of_any_size_are_drawn() {
    let mut generator = Seed(11).stream(0);
    assert_eq!(cube_noise(3, ratio(0, 1), &mut generator), [0, 0, 0]);
    let noise = cube_noise(200, ratio(1 << 104, 1), &mut generator);
    assert!(
        noise.iter().all(|v| v.unsigned_abs() < 1 << 120)
            && noise.iter().any(|v| v.unsigned_abs() > 1 << 100)
    );
    assert!(cube_noise(0, ratio(5, 1), &mut generator).is_empty());
}

fn sigma(numerator: u128, denominator: u128) -> Sigma {
    Sigma::at_least_root(numerator, NonZeroU128::new(denominator).unwrap()).unwrap()
}

#[test]
fn sigmas_are_rounded_up() {
    for numerator in (1..200u128).flat_map(|k| [k, k * 12_345_677, k << 60, k << 110]) {
        for denominator in [1, 3, 2_000, 999_999_999_937, 10u128.pow(18)] {
            let Some(sigma) = Sigma::at_least_root(numerator, NonZeroU128::new(denominator).unwrap()) else {
                assert!(numerator as f64 / denominator as f64 > 2f64.powi(123));
                continue;
            };
            let (s, bits) = sigma.parts();
            // s^2 denominator >= 4^bits numerator, where that fits; and never much above.
            if let (Some(left), Some(right)) =
                ((s * s).checked_mul(denominator), numerator.checked_mul(1 << (2 * bits)))
            {
                assert!(left >= right, "{numerator}/{denominator}");
            }
            let (found, wanted) =
                (s as f64 / f64::exp2(f64::from(bits)), (numerator as f64 / denominator as f64).sqrt());
            assert!(found >= wanted * (1.0 - 1e-15), "{numerator}/{denominator}");
            assert!(
                found <= wanted * (1.0 + 1e-8) + f64::exp2(-30.0) * 1.01 || bits == 0,
                "{numerator}/{denominator}"
            );
        }
    }
    assert_eq!(sigma(9, 4).parts(), (3 << 29, 30));
    assert_eq!(Sigma::at_least_root(0, NonZeroU128::MIN), None);
    assert_eq!(Sigma::at_least_root(1 << 125, NonZeroU128::MIN), None);
}

/// The probabilities of -k..=k, and of everything beyond on either side, of a discrete Gaussian.
fn gaussian_law(sigma_squared: f64, k: i64) -> Vec<f64> {
    let weight = |y: i64| (-(y as f64).powi(2) / (2.0 * sigma_squared)).exp();
    let all: f64 = (-10_000..=10_000).map(weight).sum();
    let mut law: Vec<f64> = (-k..=k).map(|y| weight(y) / all).collect();
    let beyond = (1.0 - law.iter().sum::<f64>()) / 2.0;
    law.extend([beyond, beyond]);
    law
}

fn gaussian_counts(sigma: Sigma, k: i64, generator: &mut crate::random::Generator) -> Vec<usize> {
    let mut counts = vec![0; 2 * k as usize + 3];
    for _ in 0..DRAWS {
        let place = match discrete_gaussian(sigma, generator) {
            y if y.unsigned_abs() <= k.unsigned_abs().into() => (y + i128::from(k)) as usize,
            y => counts.len() - 1 - usize::from(y < 0),
        };
        counts[place] += 1;
    }
    counts
}

#[test]
fn discrete_gaussian_follows_its_law() {
    let mut generator = Seed(12).stream(0);
    // sigma^2, and how far out more than five draws are expected; the 0.9999 quantiles by degrees of freedom.
    for (numerator, denominator, k, quantile) in
        [(1, 4, 1, 23.5), (1, 1, 3, 31.8), (9, 4, 5, 39.1), (10, 1, 12, 61.7), (1_234, 100, 13, 64.7)]
    {
        let law = gaussian_law(numerator as f64 / denominator as f64, k);
        let counts = gaussian_counts(sigma(numerator, denominator), k, &mut generator);
        let misfit = chi_square(&counts, &law);
        assert!(misfit < quantile, "{numerator}/{denominator}: {misfit}, {counts:?}");
    }
    // A sigma that is a twentieth too small is noticed.
    let counts = gaussian_counts(sigma(9_025, 1_000), 12, &mut generator);
    assert!(chi_square(&counts, &gaussian_law(10.0, 12)) > 200.0);
}

#[test]
fn small_and_wide_gaussians_are_drawn() {
    let mut generator = Seed(13).stream(0);
    assert!((0..1000).all(|_| discrete_gaussian(sigma(1, 10u128.pow(12)), &mut generator) == 0));
    // From below one to near the largest: mean of squares over sigma^2, whose standard deviation is sqrt(2 / draws).
    for numerator in [1u128 << 10, 1 << 40, (1 << 80) + 12_345, 1 << 123] {
        let width = sigma(numerator, 3);
        let draws = 20_000;
        let mean: f64 = (0..draws)
            .map(|_| (discrete_gaussian(width, &mut generator) as f64).powi(2) / (numerator as f64 / 3.0))
            .sum::<f64>()
            / f64::from(draws);
        assert!((mean - 1.0).abs() < 0.04, "{numerator}: {mean}");
    }
}
