//! Tokens of privacy that was paid for: made by a budget, used up by the noise they pay for.

use super::exact::Sigma;
use super::{Bound, Epsilon};
use crate::random::Generator;
use std::fmt;

/// The terms of a charge.
pub(super) struct ChargeTerms {
    /// Epsilon for one row: a person's epsilon divided by the rows that a person owns.
    pub(super) epsilon: Epsilon,
    /// The bound on what one row can do.
    pub(super) bound: Bound,
    /// The generator of this charge alone.
    pub(super) generator: Generator,
}

/// Privacy that was paid for and not used yet: the right to draw once from an exact law.
///
/// # Guarantee
/// Only [`Budget::charge`](super::Budget::charge) makes it, it cannot be copied, and drawing noise consumes it.
/// The compiler sees to that:
///
/// ```compile_fail,E0603
/// let charge = indistinct::privacy::Charge(panic!());
/// ```
/// ```compile_fail,E0599
/// fn twice(charge: indistinct::privacy::Charge) {
///     let _again = charge.clone();
/// }
/// ```
/// ```compile_fail,E0382
/// use indistinct::privacy::{Charge, permute_and_flip};
/// fn twice(charge: Charge) {
///     let _ = permute_and_flip(charge, &[1, 2]);
///     let _ = permute_and_flip(charge, &[1, 2]);
/// }
/// ```
///
/// Once is fine:
///
/// ```
/// use indistinct::privacy::{Charge, permute_and_flip};
/// fn once(charge: Charge) {
///     let _ = permute_and_flip(charge, &[1, 2]);
/// }
/// ```
#[must_use = "privacy was paid for and is lost if nothing is drawn with it"]
pub struct Charge(pub(super) ChargeTerms);

/// Privacy that was paid for a Markov chain: it gives the exponent of the density, and generators.
///
/// No function that draws exactly takes it, so that a chain cannot pass for an exact draw:
///
/// ```compile_fail,E0308
/// use indistinct::privacy::{ChainCharge, permute_and_flip};
/// fn pass(charge: ChainCharge) {
///     let _ = permute_and_flip(charge, &[1, 2]);
/// }
/// ```
#[must_use = "privacy was paid for and is lost if nothing is drawn with it"]
pub struct ChainCharge(pub(super) ChargeTerms);

/// Privacy that was paid for noisy counts: [`noisy_counts`](super::noisy_counts) draws with it.
///
/// ```compile_fail,E0382
/// use indistinct::privacy::{CountsCharge, noisy_counts};
/// fn twice(charge: CountsCharge) {
///     let _ = noisy_counts(charge, &[1, 2]);
///     let _ = noisy_counts(charge, &[1, 2]);
/// }
/// ```
#[must_use = "privacy was paid for and is lost if nothing is drawn with it"]
#[derive(Debug)]
pub struct CountsCharge(pub(super) CountsNoise);

/// The noise that a [`CountsCharge`] pays for.
#[derive(Debug)]
pub(super) enum CountsNoise {
    Laplace(Charge),
    Gaussian(GaussianCharge),
}

/// Privacy that was paid for discrete Gaussian noise: [`discrete_gaussian_counts`](super::discrete_gaussian_counts)
/// draws with it.
#[must_use = "privacy was paid for and is lost if nothing is drawn with it"]
pub struct GaussianCharge {
    pub(super) sigma: Sigma,
    pub(super) generator: Generator,
}

/// Privacy that was paid for one choice: [`choose`](super::choose) draws with it.
///
/// ```compile_fail,E0382
/// use indistinct::privacy::{ChoiceCharge, choose};
/// fn twice(charge: ChoiceCharge) {
///     let _ = choose(charge, &[1, 2]);
///     let _ = choose(charge, &[1, 2]);
/// }
/// ```
#[must_use = "privacy was paid for and is lost if nothing is drawn with it"]
#[derive(Debug)]
pub struct ChoiceCharge {
    pub(super) charge: Charge,
    pub(super) law: ChoiceLaw,
}

/// The law by which a choice is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChoiceLaw {
    /// Permute-and-flip, the better one at the same pure epsilon.
    PermuteAndFlip,
    /// The exponential mechanism, whose range is bounded.
    Exponential,
}

impl CountsCharge {
    /// The standard deviation of the noise of each count, which is public.
    pub fn noise_sd(&self) -> f64 {
        match &self.0 {
            CountsNoise::Laplace(Charge(ChargeTerms { epsilon, bound, .. })) => {
                discrete_laplace_sd(bound.range() as f64 / epsilon.to_f64())
            }
            CountsNoise::Gaussian(charge) => charge.noise_sd(),
        }
    }
}

impl CountsCharge {
    /// The scale of continuous Laplace noise of the same width: twice its square is the variance, except for
    /// noise so narrow that whole numbers matter.
    pub fn laplace_scale(&self) -> f64 {
        match &self.0 {
            CountsNoise::Laplace(Charge(ChargeTerms { epsilon, bound, .. })) => {
                bound.units().get() as f64 / epsilon.to_f64()
            }
            CountsNoise::Gaussian(charge) => charge.sigma.to_f64() / std::f64::consts::SQRT_2,
        }
    }
}

impl GaussianCharge {
    /// The standard deviation of the noise of each count, which is public.
    pub fn noise_sd(&self) -> f64 {
        discrete_gaussian_sd(self.sigma.to_f64())
    }
}

impl ChoiceCharge {
    /// The factor of the utility in the exponent of the choice's law, which is public: lowering a candidate's
    /// utility by one over this factor divides its odds by e.
    pub fn per_unit(&self) -> f64 {
        let Charge(ChargeTerms { epsilon, bound, .. }) = &self.charge;
        epsilon.to_f64() / bound.range() as f64
    }
}

/// The standard deviation of discrete Laplace noise: 2 q / (1 - q)^2 is its variance, with q = exp(-1 / scale).
fn discrete_laplace_sd(scale: f64) -> f64 {
    let q = (-1.0 / scale).exp();
    (2.0 * q).sqrt() / -(-1.0 / scale).exp_m1()
}

/// The standard deviation of discrete Gaussian noise: sigma, except where sigma is so small that most of the
/// noise is zero.
fn discrete_gaussian_sd(sigma: f64) -> f64 {
    if sigma > 2.0 {
        // The difference is below 10^-30.
        return sigma;
    }
    let weight = |y: i32| (-f64::from(y * y) / (2.0 * sigma * sigma)).exp();
    let (mut all, mut squares) = (1.0, 0.0);
    for y in 1..=40 {
        all += 2.0 * weight(y);
        squares += 2.0 * f64::from(y * y) * weight(y);
    }
    (squares / all).sqrt()
}

impl Charge {
    /// The epsilon of the draw for one row, which is public.
    pub fn epsilon(&self) -> Epsilon {
        self.0.epsilon
    }

    /// The bound by which the noise is scaled.
    pub fn bound(&self) -> &Bound {
        &self.0.bound
    }
}

impl ChainCharge {
    /// The epsilon of the chain's law for one row, which is public.
    pub fn epsilon(&self) -> Epsilon {
        self.0.epsilon
    }

    /// The bound by which the exponent is scaled.
    pub fn bound(&self) -> &Bound {
        &self.0.bound
    }

    /// Consumes the charge: returns the factor of the integer utility in the log-density, and a generator for
    /// each chain.
    ///
    /// # Guarantee
    /// prior * exp(factor * utility) is the exponential mechanism's density (`proofs/exponential_mechanism.md`).
    /// Floats are allowed here because a chain's law is not exact in any case.
    pub fn into_chains(self, chains: usize) -> (f64, Vec<Generator>) {
        use rand::SeedableRng;
        let ChargeTerms { epsilon, bound, mut generator } = self.0;
        let factor = epsilon.to_f64() / bound.range() as f64;
        (factor, (0..chains).map(|_| Generator::from_rng(&mut generator)).collect())
    }
}

impl fmt::Debug for Charge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Charge({} for {})", self.0.epsilon, self.0.bound)
    }
}

impl fmt::Debug for GaussianCharge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GaussianCharge(sigma {})", self.sigma.to_f64())
    }
}

impl fmt::Debug for ChainCharge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ChainCharge({} for {})", self.0.epsilon, self.0.bound)
    }
}

impl Sigma {
    /// The nearest double, for display and for planning.
    fn to_f64(self) -> f64 {
        let (numerator, bits) = self.parts();
        numerator as f64 / f64::exp2(f64::from(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_deviations_are_those_of_the_laws() {
        // Sums over the law, by itself.
        let brute = |weight: &dyn Fn(f64) -> f64| {
            let each = || (-3000..=3000).map(f64::from);
            let all: f64 = each().map(weight).sum();
            (each().map(|y| y * y * weight(y)).sum::<f64>() / all).sqrt()
        };
        for scale in [0.1, 0.5, 1.0, 1.9, 2.1, 10.0, 60.0] {
            let gaussian = brute(&|y: f64| (-y * y / (2.0 * scale * scale)).exp());
            assert!((discrete_gaussian_sd(scale) - gaussian).abs() <= 1e-9 * gaussian, "{scale}");
            let laplace = brute(&|y: f64| (-y.abs() / scale).exp());
            assert!((discrete_laplace_sd(scale) - laplace).abs() <= 1e-9 * laplace, "{scale}");
        }
    }
}
