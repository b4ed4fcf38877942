//! Geometric numbers, and two-sided geometric noise: the discrete Laplace law.

use super::Ratio;
use super::bernoulli::{bernoulli, bernoulli_exp};
use super::uniform::uniform_below;
use crate::random::Generator;
use std::num::NonZeroU128;

/// A whole number x >= 0 with probability proportional to exp(-x / `scale`), saturated where it exceeds 128 bits.
///
/// # Guarantee
/// Exact: steps 1 and 2 of `proofs/discrete_laplace.md`; tests `discrete_laplace_follows_its_law` and
/// `cube_noise_follows_its_law`. Fewer than two rounds are expected.
pub(super) fn geometric(scale: Ratio, generator: &mut Generator) -> u128 {
    let Some(t) = NonZeroU128::new(scale.numerator()) else {
        return 0;
    };
    let exp_one = Ratio::new(1, NonZeroU128::MIN);
    loop {
        // x is geometric with ratio exp(-1/t): its remainder by t first, then how often t goes into it.
        let remainder = uniform_below(t, generator);
        if !bernoulli_exp(Ratio::new(remainder, t), generator) {
            continue;
        }
        let mut x = remainder;
        while bernoulli_exp(exp_one, generator) {
            x = x.saturating_add(t.get());
        }
        return x / scale.denominator();
    }
}

/// A whole number y with probability proportional to exp(-|y| / `scale`).
///
/// The law is exact for every y whose noisy sum fits into a 64-bit integer; larger ones are saturated, at 2^64 or
/// beyond if the denominator of `scale` is below 2^63. Adding a 64-bit count and clamping to 64 bits gives the
/// same whether the noise was saturated or not, so that clamping is all that is done to the exact law.
///
/// # Guarantee
/// Exact; algorithm 2 of Canonne, Kamath and Steinke, `proofs/discrete_laplace.md`, test
/// `discrete_laplace_follows_its_law`. Fewer than five rounds are expected. Time depends on the noise drawn, and
/// on `scale`.
pub(in crate::privacy) fn discrete_laplace(scale: Ratio, generator: &mut Generator) -> i128 {
    loop {
        let magnitude = i128::try_from(geometric(scale, generator)).unwrap_or(i128::MAX);
        let negative = bernoulli(1, NonZeroU128::MIN.saturating_add(1), generator);
        // Zero would be drawn twice, as plus and as minus zero.
        if !(negative && magnitude == 0) {
            return if negative { -magnitude } else { magnitude };
        }
    }
}
