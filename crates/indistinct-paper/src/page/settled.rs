//! Whether simulations are enough to say that a claim holds, or that it does not.
//!
//! What was found is varied as chance would have varied it, many times; a claim that nearly always has the answer that it has in what
//! was found is settled, and any other is not.

use super::yes;

/// Number of resampled sets of simulations.
pub(super) const RESAMPLES: usize = 400;
/// The share of these in which a settled claim has the same answer: that of a two-sided test at 5 %.
const SETTLED: f64 = 0.975;

/// A figure that was found, and what chance might have made of it.
pub(super) struct Resamples<T> {
    pub(super) found: T,
    pub(super) varied: Vec<T>,
}

/// The verdict of the simulations on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    Open,
}

impl<T> Resamples<T> {
    pub(super) fn new(found: T, vary: impl FnMut(usize) -> T) -> Self {
        Self { found, varied: (0..RESAMPLES).map(vary).collect() }
    }

    /// The share of resamples of which something is true.
    pub(super) fn share(&self, claim: impl Fn(&T) -> bool) -> f64 {
        self.varied.iter().filter(|varied| claim(varied)).count() as f64 / self.varied.len().max(1) as f64
    }

    pub(super) fn answer(&self, claim: impl Fn(&T) -> bool) -> Answer {
        let (holds, share) = (claim(&self.found), self.share(&claim));
        match holds {
            true if share >= SETTLED => Answer::Yes,
            false if share <= 1.0 - SETTLED => Answer::No,
            _ => Answer::Open,
        }
    }
}

impl Answer {
    /// In a table. What is open has the answer of what was found, and that it is no more than that.
    pub(super) fn words(self, holds: bool) -> String {
        match self {
            Self::Yes | Self::No => yes(self == Self::Yes).to_owned(),
            Self::Open => format!("not settled ({} here)", if holds { "yes" } else { "no" }),
        }
    }
}

/// A claim about every epsilon: it holds if it does at each, and fails if it is settled that it fails at one.
pub(super) fn everywhere(epsilons: &[f64], answer: impl Fn(f64) -> Answer) -> String {
    let with = |wanted: Answer| {
        let found = epsilons.iter().filter(|&&epsilon| answer(epsilon) == wanted);
        found.map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    match (with(Answer::No), with(Answer::Open)) {
        (no, open) if no.is_empty() && open.is_empty() => yes(true).to_owned(),
        (no, open) if open.is_empty() => format!("**no**, not at {no}"),
        (no, open) if no.is_empty() => format!("not settled at {open}"),
        (no, open) => format!("**no**, not at {no}; not settled at {open}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(share: f64) -> Resamples<bool> {
        Resamples::new(true, |k| (k as f64) < share * RESAMPLES as f64)
    }

    #[test]
    fn a_claim_is_settled_where_chance_does_not_change_it() {
        assert_eq!(varied(0.98).answer(|&holds| holds), Answer::Yes);
        assert_eq!(varied(0.98).answer(|&holds| !holds), Answer::No);
        assert_eq!(varied(0.9).answer(|&holds| holds), Answer::Open);
        assert_eq!(varied(0.1).answer(|&holds| holds), Answer::Open);
        assert_eq!(Answer::Open.words(true), "not settled (yes here)");
    }

    #[test]
    fn one_epsilon_is_enough_to_refute() {
        let answers = |one: Answer, other: Answer| {
            everywhere(&[0.25, 1.0], |epsilon| if epsilon == 1.0 { one } else { other })
        };
        assert_eq!(answers(Answer::Yes, Answer::Yes), "yes");
        assert_eq!(answers(Answer::Yes, Answer::Open), "not settled at 0.25");
        assert_eq!(answers(Answer::No, Answer::Yes), "**no**, not at 1");
        assert_eq!(answers(Answer::No, Answer::Open), "**no**, not at 1; not settled at 0.25");
    }
}
