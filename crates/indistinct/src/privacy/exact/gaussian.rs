//! The discrete Gaussian law: normal noise on the whole numbers.

use super::Ratio;
use super::bernoulli::bernoulli_exp;
use super::laplace::discrete_laplace;
use crate::random::Generator;
use std::num::NonZeroU128;

/// Most binary digits after the point of a [`Sigma`].
const MOST_BITS: u32 = 30;
/// The limit of a numerator with digits after the point.
const FINE: u128 = 1 << 31;
/// The limit of a numerator without digits after the point.
const LARGEST: u128 = 1 << 62;

/// The scale of a discrete Gaussian: a positive whole number of units of 2^-bits.
///
/// It has about 30 digits, or is whole and below 2^62, so that the sampler's numbers fit 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::privacy) struct Sigma {
    numerator: NonZeroU128,
    bits: u32,
}

impl Sigma {
    /// The square root of `numerator / denominator`, rounded up; `None` where that is zero, or 2^62 and above.
    ///
    /// # Guarantee
    /// Never below the root: both the quotient and its root are rounded up. Test `sigmas_are_rounded_up`.
    pub(in crate::privacy) fn at_least_root(numerator: u128, denominator: NonZeroU128) -> Option<Self> {
        let with = |bits: u32| {
            let square = numerator.checked_mul(1 << (2 * bits))?.div_ceil(denominator.get());
            let root = square.isqrt();
            let root = NonZeroU128::new(root + u128::from(root * root < square))?;
            (root.get() < if bits == 0 { LARGEST } else { FINE }).then_some(Self { numerator: root, bits })
        };
        (0..=MOST_BITS).rev().find_map(with)
    }

    /// The numerator, and the number of binary digits after the point.
    pub(in crate::privacy) fn parts(self) -> (u128, u32) {
        (self.numerator.get(), self.bits)
    }
}

/// A whole number y with probability proportional to exp(-y^2 / (2 `sigma`^2)).
///
/// # Guarantee
/// Exact; algorithm 3 of Canonne, Kamath and Steinke, `proofs/discrete_gaussian.md`, tests
/// `discrete_gaussian_follows_its_law` and `small_and_wide_gaussians_are_drawn`. A small number of rounds is
/// expected. Time depends on the noise drawn, and on `sigma`, which is public.
pub(in crate::privacy) fn discrete_gaussian(sigma: Sigma, generator: &mut Generator) -> i128 {
    let (s, d) = (sigma.numerator, 1u128 << sigma.bits);
    let t = s.get().div_ceil(d);
    // (|y| - sigma^2/t) / sigma as a quotient of whole numbers, |y * each - centre| / unit.
    let (each, centre, unit) = match NonZeroU128::new(s.get() * d * t) {
        Some(unit) if sigma.bits > 0 => (d * d * t, s.get() * s.get(), unit),
        _ => (1, s.get(), s),
    };
    loop {
        let y = discrete_laplace(Ratio::new(t, NonZeroU128::MIN), generator);
        // So far out that it does not fit has a probability that is nothing: see the proof.
        let accepted = y
            .unsigned_abs()
            .checked_mul(each)
            .and_then(|place| half_square_exp(place.abs_diff(centre), unit, generator));
        if accepted == Some(true) {
            return y;
        }
    }
}

/// Heads with probability exp(-(`gap`/`unit`)^2 / 2). `None` where numbers do not fit.
///
/// With gap/unit = q + r/unit the exponent is q^2/2 + q r/unit + r^2/(2 unit^2): three coins, all of which must
/// show heads.
fn half_square_exp(gap: u128, unit: NonZeroU128, generator: &mut Generator) -> Option<bool> {
    let (q, r) = (gap / unit, gap % unit);
    let two = NonZeroU128::MIN.saturating_add(1);
    let whole = Ratio::raw(q.checked_mul(q)?, two);
    let mixed = Ratio::raw(q.checked_mul(r)?, unit);
    // r is below unit, which is below 3 * 2^61: twice its square is below 2^128.
    let rest = Ratio::raw(r * r, unit.checked_mul(unit)?.checked_mul(two)?);
    Some([whole, mixed, rest].into_iter().all(|gamma| bernoulli_exp(gamma, generator)))
}
