//! What can be promised about a release: computed from everything that was spent on it.

use super::{Condition, Delta, Epsilon};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;

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
    /// Either of these for what was drawn; for the release, provided that what was learned from the rows outside the budget
    /// is public anyway.
    Conditional {
        /// For everything that was drawn.
        epsilon: Epsilon,
        /// The probability with which it may fail; none if it is pure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delta: Option<Delta>,
        /// What was learned, in words.
        provided: Vec<String>,
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

    /// The same of a release that shows what was learned from the rows outside the budget.
    ///
    /// # Guarantee
    /// Never stronger: pure and approximate become conditional unless there is nothing to name; what is weaker than both
    /// stays what it is.
    #[must_use]
    pub fn provided(self, conditions: &[Condition]) -> Self {
        let provided: Vec<String> = conditions.iter().map(|condition| condition.text().to_owned()).collect();
        match self {
            Self::Pure { epsilon } if !provided.is_empty() => {
                Self::Conditional { epsilon, delta: None, provided }
            }
            Self::Approximate { epsilon, delta } if !provided.is_empty() => {
                Self::Conditional { epsilon, delta: Some(delta), provided }
            }
            other => other,
        }
    }

    /// The same of a run whose random numbers start from a seed: none, for that reason and its own.
    #[must_use]
    pub fn seeded(self) -> Self {
        let mut because = vec![SEEDED.to_owned()];
        if let Self::None { because: own } = self {
            because.extend(own.into_iter().filter(|why| why != SEEDED));
        }
        Self::None { because }
    }

    /// The name of its kind, as in certificates.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pure { .. } => "pure",
            Self::Approximate { .. } => "approximate",
            Self::Conditional { .. } => "conditional",
            Self::AtStationarity { .. } => "at-stationarity",
            Self::None { .. } => "none",
        }
    }

    /// The epsilon that is promised, if one is.
    pub fn epsilon(&self) -> Option<Epsilon> {
        match self {
            Self::Pure { epsilon }
            | Self::Approximate { epsilon, .. }
            | Self::Conditional { epsilon, .. }
            | Self::AtStationarity { epsilon } => Some(*epsilon),
            Self::None { .. } => None,
        }
    }

    /// The probability with which the promise may fail.
    pub fn delta(&self) -> Delta {
        match self {
            Self::Approximate { delta, .. } | Self::Conditional { delta: Some(delta), .. } => *delta,
            Self::Pure { .. }
            | Self::Conditional { delta: None, .. }
            | Self::AtStationarity { .. }
            | Self::None { .. } => Delta::ZERO,
        }
    }

    /// What the promise is conditional on, as the end of its sentence; none if it is not.
    ///
    /// Whoever states the promise of a conditional guarantee puts this into the same sentence.
    pub fn proviso(&self) -> Option<String> {
        let Self::Conditional { provided, .. } = self else { return None };
        Some(format!(
            "provided that what was learned from the rows outside the budget is public anyway: {}",
            provided.join("; ")
        ))
    }
}

/// The promise in one line, with its numbers, and in the same sentence what it is conditional on.
impl fmt::Display for Guarantee {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pure { epsilon } => write!(formatter, "pure differential privacy with epsilon {epsilon}"),
            Self::Approximate { epsilon, delta } => {
                write!(formatter, "({epsilon}, {delta})-differential privacy")
            }
            Self::Conditional { .. } => {
                formatter.write_str("differential privacy")?;
                if let Some(epsilon) = self.epsilon() {
                    write!(formatter, " with epsilon {epsilon}")?;
                }
                if !self.delta().is_zero() {
                    write!(formatter, " and delta {}", self.delta())?;
                }
                self.proviso().map_or(Ok(()), |proviso| write!(formatter, ", {proviso}"))
            }
            Self::AtStationarity { epsilon } => {
                write!(formatter, "epsilon {epsilon} at stationarity only: a chain that has run for ever")
            }
            Self::None { because } => write!(formatter, "none, because {}", because.join("; ")),
        }
    }
}
