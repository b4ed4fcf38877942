//! Numbers of events: the negative binomial distribution, and Poisson's as its limit.

use super::law::{Law, Tails};
use crate::model::{self, continued_fraction};

/// From this size on the normal distribution with the same mean and variance is within 0.0002 of it.
const NORMAL: f64 = 1e6;
/// The largest mean in computations: the continued fraction loses its digits beyond. Larger counts are scaled
/// down to it, since they are as good as continuous.
const LARGE: f64 = 1e7;
/// From here on Stirling's series is exact.
const STIRLING: f64 = 20.0;

/// Counts 0, 1, 2, ... with a mean and the variance mean + mean^2 / size: the larger the size, the closer to
/// Poisson's distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NegativeBinomial {
    pub(super) mean: f64,
    pub(super) size: f64,
}

impl Law for NegativeBinomial {
    /// Count k lies between the edges k and k + 1.
    fn tails(&self, edge: f64) -> Tails {
        let Self { mut mean, mut size } = *self;
        let mut edge = edge;
        if edge <= 0.0 {
            return Tails::FIRST;
        }
        if edge.is_infinite() {
            return Tails::LAST;
        }
        if size.min(edge) > NORMAL {
            let z = (edge - 0.5 - mean) / (mean + mean * mean / size).sqrt();
            return Tails { below: model::distribution(z), above: model::distribution(-z) };
        }
        if mean > LARGE {
            // With the same variance in terms of the mean.
            size = 1.0 / (1.0 / size + 1.0 / mean - 1.0 / LARGE);
            edge *= LARGE / mean;
            mean = LARGE;
        }
        // P(X < k) = I_p(size, k) with p = size / (size + mean), from whichever side converges.
        let (ln_p, ln_q) = (-(mean / size).ln_1p(), -(size / mean).ln_1p());
        let front = (size * ln_p + edge * ln_q - ln_beta(size, edge)).exp();
        let p = size / (size + mean);
        if p < (size + 1.0) / (size + edge + 2.0) {
            let below = (front / size * continued_fraction(p, size, edge)).min(1.0);
            Tails { below, above: 1.0 - below }
        } else {
            let above = (front / edge * continued_fraction(mean / (size + mean), edge, size)).min(1.0);
            Tails { below: 1.0 - above, above }
        }
    }
}

/// The logarithm of the beta function, without the difference of two large logarithms.
fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = (a.min(b), a.max(b));
    let sum = small + large;
    let series = |x: f64| (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * x * x)) / (x * x)) / x;
    let difference = if large < STIRLING {
        libm::lgamma(sum) - libm::lgamma(large)
    } else {
        (large - 0.5) * (small / large).ln_1p() + small * sum.ln() - small + series(sum) - series(large)
    };
    libm::lgamma(small) - difference
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::law::between;

    /// Golden values made by `tests/golden/make_families.py`; an infinite size means Poisson's distribution.
    #[test]
    fn agrees_with_scipy() {
        let golden = include_str!("../../tests/golden/negative_binomial.csv");
        assert!(golden.lines().count() > 100);
        for line in golden.lines() {
            let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
            let &[mean, size, k, probability, below, above] = numbers.as_slice() else { panic!("{line}") };
            let (law, tolerance) = match size {
                f64::INFINITY => (NegativeBinomial { mean, size: 1e9 }, 1e-5),
                size => (NegativeBinomial { mean, size }, 1e-8),
            };
            let (from, to) = (law.tails(k), law.tails(k + 1.0));
            for (found, wanted) in [(from.below, below), (to.above, above)] {
                assert!((found - wanted).abs() <= tolerance * wanted + 1e-15, "{line}: {found}");
            }
            let found = between(from, to);
            assert!((found - probability).abs() <= tolerance * probability + 1e-11, "{line}: {found}");
        }
    }

    #[test]
    fn the_switch_to_the_normal_distribution_is_continuous() {
        for z in [-2.0, 0.0, 1.0] {
            let below = |size: f64| {
                let mean = 4e6_f64;
                NegativeBinomial { mean, size }
                    .tails(mean + 0.5 + z * (mean + mean * mean / size).sqrt())
                    .below
            };
            assert!((below(0.999 * NORMAL) - below(1.001 * NORMAL)).abs() < 2e-4, "{z}");
        }
    }

    #[test]
    fn large_counts_are_scaled_without_a_step() {
        for size in [0.7, 30.0, 1e5] {
            for z in [-0.9, 0.0, 1.0, 4.0] {
                let below = |mean: f64| {
                    let sd = (mean + mean * mean / size).sqrt();
                    NegativeBinomial { mean, size }.tails((mean + z * sd).max(1.0)).below
                };
                assert!((below(0.999 * LARGE) - below(1.001 * LARGE)).abs() < 1e-4, "{size} {z}");
                assert!((below(0.999 * LARGE) - below(1e14)).abs() < 1e-3, "{size} {z}");
            }
        }
    }
}
