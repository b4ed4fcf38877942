//! Private choice among candidates by their integer utilities.

use super::Ratio;
use super::bernoulli::bernoulli_exp;
use super::uniform::uniform_below;
use crate::random::Generator;
use std::num::NonZeroU128;

/// Tries candidates in random order, each accepted with probability exp(`eta` * (utility - best)), until one is.
///
/// `None` if there are no candidates, or if `eta` times the largest difference does not fit 128 bits.
///
/// # Guarantee
/// Exactly the law of `proofs/permute_and_flip.md`; test `permute_and_flip_follows_its_law`. The best candidate
/// is always accepted, so that each is tried at most once. Time depends on how many are tried, hence on the
/// utilities.
pub(in crate::privacy) fn permute_and_flip(
    utilities: &[i64],
    eta: Ratio,
    generator: &mut Generator,
) -> Option<usize> {
    let flips = Flips::new(utilities, eta)?;
    let mut candidates: Vec<usize> = (0..utilities.len()).collect();
    loop {
        // The random order is made as far as it is needed: Fisher and Yates from the end.
        let left = NonZeroU128::new(candidates.len() as u128)?;
        let candidate = candidates.swap_remove(uniform_below(left, generator) as usize);
        if flips.accepts(utilities[candidate], generator) {
            return Some(candidate);
        }
    }
}

/// Tries random candidates, each accepted with probability exp(`eta` * (utility - best)), until one is.
///
/// `None` where [`permute_and_flip`] gives it.
///
/// # Guarantee
/// Exactly the law of `proofs/exponential_mechanism.md`, candidate r with probability proportional to exp(`eta` *
/// utility of r); test `exponential_mechanism_follows_its_law`. At most as many rounds as candidates are
/// expected. Time depends on the utilities.
pub(in crate::privacy) fn exponential_mechanism(
    utilities: &[i64],
    eta: Ratio,
    generator: &mut Generator,
) -> Option<usize> {
    let flips = Flips::new(utilities, eta)?;
    let all = NonZeroU128::new(utilities.len() as u128)?;
    loop {
        let candidate = uniform_below(all, generator) as usize;
        if flips.accepts(utilities[candidate], generator) {
            return Some(candidate);
        }
    }
}

/// The coin of each candidate.
struct Flips {
    best: i64,
    eta: Ratio,
}

impl Flips {
    fn new(utilities: &[i64], eta: Ratio) -> Option<Self> {
        let best = *utilities.iter().max()?;
        // Whatever the utilities are: whether this fails is public.
        eta.numerator().checked_mul(u128::from(u64::MAX))?;
        Some(Self { best, eta })
    }

    fn accepts(&self, utility: i64, generator: &mut Generator) -> bool {
        let behind = u128::from(self.best.abs_diff(utility));
        // Reduced once for all candidates rather than for each: a fraction's law is the same either way.
        let gamma = Ratio::raw(self.eta.numerator() * behind, self.eta.denominator());
        bernoulli_exp(gamma, generator)
    }
}
