//! The guarantee of a release: computed from everything that was spent on it.

use super::{Delta, Epsilon, GuaranteeCondition};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;

/// The closeness of the law that was drawn from to that of the proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Exactness {
    /// The law of the proof, drawn in integers and in finite time.
    Exact,
    /// The law of the proof, except with probability `delta`; a proof gives epsilon and delta together.
    WithinDelta {
        /// The probability.
        delta: Delta,
    },
    /// A chain approaches the law of the proof; after finitely many steps nothing is proven.
    AtStationarity,
    /// Another law.
    NoGuarantee {
        /// The reason, in words for the certificate.
        why: String,
    },
}

/// The guarantee of a release, as its certificate states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Guarantee {
    /// Pure epsilon-differential privacy: every sensitivity proven, every draw exact, no seed.
    Pure {
        /// Epsilon of everything together.
        epsilon: Epsilon,
    },
    /// (epsilon, delta)-differential privacy.
    Approximate {
        /// Epsilon of everything together.
        epsilon: Epsilon,
        /// The probability with which it may fail.
        delta: Delta,
    },
    /// One of the two above for what was drawn; for the release, provided that what was learned from the rows
    /// outside the budget is public anyway.
    Conditional {
        /// Epsilon of everything that was drawn.
        epsilon: Epsilon,
        /// The probability with which it may fail; `None` if it is pure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delta: Option<Delta>,
        /// The facts that were learned, in words.
        provided: Vec<String>,
    },
    /// Epsilon-differential privacy of the law that a chain approaches, not of its draws.
    AtStationarity {
        /// Epsilon of that law.
        epsilon: Epsilon,
    },
    /// No guarantee.
    None {
        /// All reasons.
        because: Vec<String>,
    },
}

/// The evidence that one step contributes to the guarantee.
pub(super) struct Evidence<'a> {
    /// The step's name.
    pub(super) step: &'a str,
    /// The reason why its sensitivity is not proven, if it is not.
    pub(super) unproven: Option<&'a str>,
    /// The exactness of its draw.
    pub(super) exactness: &'a Exactness,
}

/// The effect of a seed on a guarantee, in the words of certificates.
pub(super) const SEEDED: &str = "seeded: who knows the seed can take the noise away";

impl Guarantee {
    /// The guarantee of all `steps` together, which spent at most `epsilon`; with a `delta` they were paid for in
    /// rho.
    ///
    /// # Guarantee
    /// Pure only if every sensitivity is proven, every law exact and the randomness unknown to everyone; a
    /// weakness of one step weakens the whole. Substitution of the rows of one person. Composition is proven in
    /// `proofs/budget_charge.md` and `proofs/zcdp.md`; `tests/privacy_types.rs` tries all combinations.
    pub(super) fn fold<'a>(
        epsilon: Epsilon,
        delta: Delta,
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

    /// The guarantee of a release that also shows facts learned from the rows outside the budget.
    ///
    /// # Guarantee
    /// Never stronger: pure and approximate become conditional unless there is nothing to name; anything weaker
    /// stays as it is.
    #[must_use]
    pub fn provided(self, conditions: &[GuaranteeCondition]) -> Self {
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

    /// The guarantee of a run whose random numbers start from a seed: none, for that reason and its own.
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

    /// The promised epsilon, if there is one.
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

    /// The conditions of the promise, as the end of its sentence; `None` if it has none.
    ///
    /// A statement of a conditional guarantee must put this into the same sentence.
    pub fn proviso(&self) -> Option<String> {
        let Self::Conditional { provided, .. } = self else { return None };
        Some(format!(
            "provided that what was learned from the rows outside the budget is public anyway: {}",
            provided.join("; ")
        ))
    }
}

/// The promise in one line, with its numbers, and its conditions in the same sentence.
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
