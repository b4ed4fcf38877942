//! What can be promised about a release: computed from everything that was spent on it.

use super::{Delta, Epsilon};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How exactly the law that was drawn from is the one that the proof is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Exactness {
    /// It is that law, drawn in integers and in finite time.
    Exact,
    /// It is, except with probability `delta`; epsilon and delta together are what a proof says.
    WithinDelta {
        /// The probability.
        delta: Delta,
    },
    /// It tends to that law as a chain runs on; after finitely many steps nothing is proven.
    AtStationarity,
    /// It is another law.
    NoGuarantee {
        /// Why, in words for the certificate.
        why: String,
    },
}

/// The guarantee of a release, as its certificate states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Guarantee {
    /// Pure epsilon-differential privacy: every sensitivity proven, every draw exact, no seed.
    Pure {
        /// For everything together.
        epsilon: Epsilon,
    },
    /// (epsilon, delta)-differential privacy.
    Approximate {
        /// For everything together.
        epsilon: Epsilon,
        /// The probability with which it may fail.
        delta: Delta,
    },
    /// Epsilon-differential privacy of the law that a chain tends to, not of what it gave.
    AtStationarity {
        /// Of that law.
        epsilon: Epsilon,
    },
    /// No guarantee.
    None {
        /// Every reason.
        because: Vec<String>,
    },
}

/// What the guarantee looks at in one step.
pub(super) struct Evidence<'a> {
    /// The step's name.
    pub(super) step: &'a str,
    /// Why its sensitivity is not proven, if it is not.
    pub(super) unproven: Option<&'a str>,
    /// How its law was drawn from.
    pub(super) exactness: &'a Exactness,
}

/// What a seed does to a guarantee, as certificates say it.
pub(super) const SEEDED: &str = "seeded: who knows the seed can take the noise away";

impl Guarantee {
    /// The guarantee of all `steps` together, which spent at most `epsilon`; with a `delta` they were paid for in rho.
    ///
    /// # Guarantee
    /// Pure only if every sensitivity is proven, every law exact and the randomness unknown to all; whatever is
    /// weaker than that in one step is weaker in the whole. Substitution of the rows of one person. Composition is
    /// proven in `proofs/budget_charge.md` and `proofs/zcdp.md`; `tests/privacy_types.rs` tries all combinations.
    pub(super) fn fold<'a>(
        (epsilon, delta): (Epsilon, Delta),
        rows_per_person: u32,
        seeded: bool,
        steps: impl Iterator<Item = Evidence<'a>>,
    ) -> Self {
        let mut because: Vec<String> = seeded.then(|| SEEDED.to_owned()).into_iter().collect();
        let mut total_delta = Delta::ZERO;
        let mut at_stationarity = false;
        for Evidence { step, unproven, exactness } in steps {
            because.extend(unproven.map(|why| format!("{step}: {why}")));
            match exactness {
                Exactness::Exact => {}
                Exactness::WithinDelta { delta } => total_delta = total_delta.saturating_add(*delta),
                Exactness::AtStationarity => at_stationarity = true,
                Exactness::NoGuarantee { why } => because.push(format!("{step}: {why}")),
            }
        }
        let concentrated = !delta.is_zero();
        if concentrated && at_stationarity {
            because.push("a chain at stationarity is not accounted in a budget with a delta".to_owned());
        }
        if concentrated && !total_delta.is_zero() {
            because.push("a delta of a step is not accounted in a budget that has its own".to_owned());
        }
        if !total_delta.is_zero() && rows_per_person > 1 {
            because.push("delta is not accounted for people with several rows".to_owned());
        }
        if !total_delta.is_zero() && at_stationarity {
            because.push("delta is not accounted together with a chain at stationarity".to_owned());
        }
        // The same step of several draws has the same reason.
        let mut seen = HashSet::new();
        because.retain(|why| seen.insert(why.clone()));
        if !because.is_empty() {
            Self::None { because }
        } else if concentrated {
            Self::Approximate { epsilon, delta }
        } else if at_stationarity {
            Self::AtStationarity { epsilon }
        } else if total_delta.is_zero() {
            Self::Pure { epsilon }
        } else {
            Self::Approximate { epsilon, delta: total_delta }
        }
    }

    /// The epsilon that is promised, if one is.
    pub fn epsilon(&self) -> Option<Epsilon> {
        match self {
            Self::Pure { epsilon } | Self::Approximate { epsilon, .. } | Self::AtStationarity { epsilon } => {
                Some(*epsilon)
            }
            Self::None { .. } => None,
        }
    }
}
