//! Coins: with a rational probability, and with probability exp(-rational).

use super::Ratio;
use super::uniform::uniform_below;
use crate::random::Generator;
use std::num::NonZeroU128;

/// Heads with probability `p / q`; always heads if that is above one.
///
/// # Guarantee
/// Exact: `p` of the `q` equally likely numbers are below `p`.
pub(super) fn bernoulli(p: u128, q: NonZeroU128, generator: &mut Generator) -> bool {
    uniform_below(q, generator) < p
}

/// Heads with probability exp(-`gamma`), for any rational `gamma` >= 0.
///
/// # Guarantee
/// Exact; see `proofs/bernoulli_exp.md` and the test `bernoulli_exp_follows_its_law`. The whole part of `gamma`
/// is tossed as that many coins of exp(-1), all of which must show heads; the first tails ends it, so that the
/// expected number of tosses is below 1.6 however large `gamma` is. Time depends on the coins, and on `gamma`
/// through them.
pub(super) fn bernoulli_exp(gamma: Ratio, generator: &mut Generator) -> bool {
    let (p, q) = (gamma.numerator(), gamma.denominator());
    let mut whole = p / q;
    while whole > 0 {
        if !bernoulli_exp_fraction(1, NonZeroU128::MIN, generator) {
            return false;
        }
        whole -= 1;
    }
    bernoulli_exp_fraction(p % q, q, generator)
}

/// Heads with probability exp(-`p`/`q`), for `p` <= `q`.
///
/// Tosses coins of probability (p/q)/1, (p/q)/2, (p/q)/3, ... until the first tails, and checks whether that was
/// an odd toss. A coin of (p/q)/k is two coins, p/q and 1/k, so that no product overflows.
fn bernoulli_exp_fraction(p: u128, q: NonZeroU128, generator: &mut Generator) -> bool {
    let mut toss = NonZeroU128::MIN;
    while bernoulli(p, q, generator) && bernoulli(1, toss, generator) {
        // Toss 2^128 is never reached: the probability of toss k is below 1/k!.
        toss = toss.saturating_add(1);
    }
    toss.get() % 2 == 1
}
