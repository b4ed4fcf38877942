//! The budget of a release: what may be spent, what was, and the tokens that noise is drawn with.

use super::charge::{ChainCharge, Charge, ChoiceCharge, CountsCharge, Terms};
use super::cost::{Cost, Share};
use super::guarantee::Evidence;
use super::{Epsilon, Exactness, Guarantee, Randomness, Sensitivity};
use crate::random::Generator;
use std::num::NonZeroU32;

/// One step that was paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spend {
    /// What it was for, in words for the certificate.
    pub step: String,
    /// What it cost, for all rows of a person.
    pub epsilon: Epsilon,
    /// What one row can do.
    pub sensitivity: Sensitivity,
    /// How its law is drawn from.
    pub exactness: Exactness,
}

/// A total epsilon, everything that is charged to it, and the randomness that is drawn with what was charged.
///
/// Noise needs a [`Charge`], and only this makes them: noise that was not charged does not compile. Each charge brings
/// a generator of its own, so that noise drawn with a seed cannot be certified, nor drawn twice.
#[derive(Debug)]
pub struct Budget {
    total: Epsilon,
    rows_per_person: NonZeroU32,
    randomness: Randomness,
    spent: Epsilon,
    spends: Vec<Spend>,
}

/// Why a charge was refused. Nothing was spent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// More than is left.
    #[error("{step} would cost epsilon {asked}, but only {left} of the budget is left")]
    Exceeded {
        /// What it was for.
        step: String,
        /// What it would cost.
        asked: Epsilon,
        /// What is left.
        left: Epsilon,
    },
    /// So little that nothing can be drawn with it.
    #[error("{step} has no budget: its share of epsilon, for each of the rows of a person, rounds to zero")]
    Nothing {
        /// What it was for.
        step: String,
    },
}

impl Budget {
    /// A budget of `total`, for data in which a person owns up to `rows_per_person` rows.
    pub fn new(total: Epsilon, rows_per_person: NonZeroU32, randomness: Randomness) -> Self {
        Self { total, rows_per_person, randomness, spent: Epsilon::ZERO, spends: Vec::new() }
    }

    /// Pays for a step that is drawn from its exact law.
    ///
    /// # Guarantee
    /// The step, drawn by a function of this module with the charge, is `epsilon`-differentially private when the rows
    /// of one person are substituted (`proofs/rows_per_person.md`), if `sensitivity` holds for one row; and steps may
    /// depend on what earlier ones gave (`proofs/budget_charge.md`). The sum of all charges never exceeds the total,
    /// in exact arithmetic. Checked by `tests/privacy_laws`.
    ///
    /// # Errors
    /// If that is more than is left, or rounds to nothing for each of a person's rows; nothing is then spent.
    pub fn charge(
        &mut self,
        step: impl Into<String>,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
    ) -> Result<Charge, BudgetError> {
        self.spend(step.into(), epsilon, sensitivity, Exactness::Exact).map(Charge)
    }

    /// Pays for a step whose law a chain only tends to, or whose law is not the proven one.
    ///
    /// # Guarantee
    /// That of `exactness`. Whatever is claimed there, no function that draws exactly takes the charge.
    ///
    /// # Errors
    /// As [`charge`](Self::charge).
    pub fn charge_chain(
        &mut self,
        step: impl Into<String>,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
        exactness: Exactness,
    ) -> Result<ChainCharge, BudgetError> {
        self.spend(step.into(), epsilon, sensitivity, exactness).map(ChainCharge)
    }

    /// A part of the whole budget, rounded down: what a step costs that has this share.
    ///
    /// A share is read by its decimal text, so that 0.1 is one tenth. Shares that sum to one can all be charged.
    pub fn portion(&self, share: f64) -> Cost {
        Cost::Epsilon(self.total.portion(Share::from_f64(share)))
    }

    /// Pays for counts with noise, to be drawn by [`noisy_counts`](super::noisy_counts).
    ///
    /// # Guarantee
    /// As [`charge`](Self::charge).
    ///
    /// # Errors
    /// As [`charge`](Self::charge).
    pub fn charge_counts(
        &mut self,
        step: impl Into<String>,
        cost: Cost,
        sensitivity: Sensitivity,
    ) -> Result<CountsCharge, BudgetError> {
        let Cost::Epsilon(epsilon) = cost;
        self.charge(step, epsilon, sensitivity).map(CountsCharge)
    }

    /// Pays for one choice among candidates, to be made by [`choose`](super::choose).
    ///
    /// # Guarantee
    /// As [`charge`](Self::charge).
    ///
    /// # Errors
    /// As [`charge`](Self::charge).
    pub fn charge_choice(
        &mut self,
        step: impl Into<String>,
        cost: Cost,
        sensitivity: Sensitivity,
    ) -> Result<ChoiceCharge, BudgetError> {
        let Cost::Epsilon(epsilon) = cost;
        self.charge(step, epsilon, sensitivity).map(ChoiceCharge)
    }

    fn spend(
        &mut self,
        step: String,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
        exactness: Exactness,
    ) -> Result<Terms, BudgetError> {
        let left = self.remaining();
        if epsilon > left {
            return Err(BudgetError::Exceeded { step, asked: epsilon, left });
        }
        let per_row = epsilon.divided_by(u64::from(self.rows_per_person.get()));
        if per_row.is_zero() {
            return Err(BudgetError::Nothing { step });
        }
        let generator = self.randomness.noise_stream(self.spends.len() as u64);
        let bound = sensitivity.bound().clone();
        self.spent = self.spent.saturating_add(epsilon);
        self.spends.push(Spend { step, epsilon, sensitivity, exactness });
        Ok(Terms { epsilon: per_row, bound, generator })
    }

    /// What may be spent in all.
    pub fn total(&self) -> Epsilon {
        self.total
    }

    /// What was spent so far.
    pub fn spent(&self) -> Epsilon {
        self.spent
    }

    /// What is left.
    pub fn remaining(&self) -> Epsilon {
        self.total.saturating_sub(self.spent)
    }

    /// Every step that was paid for, in order.
    pub fn spends(&self) -> &[Spend] {
        &self.spends
    }

    /// The most rows that a person owns.
    pub fn rows_per_person(&self) -> NonZeroU32 {
        self.rows_per_person
    }

    /// Whether the run could be repeated by who knows its seed.
    pub fn is_seeded(&self) -> bool {
        self.randomness.is_seeded()
    }

    /// The generator of public task number `task`, for what does not look at private rows.
    pub fn public_stream(&self, task: u64) -> Generator {
        self.randomness.public_stream(task)
    }

    /// What can be promised about everything that was drawn with this budget.
    ///
    /// # Guarantee
    /// See [`Guarantee`]: it is computed from what was charged, and states the total.
    pub fn guarantee(&self) -> Guarantee {
        let steps = self.spends.iter().map(|spend| Evidence {
            step: &spend.step,
            unproven: match &spend.sensitivity {
                Sensitivity::Proven { .. } => None,
                Sensitivity::Unproven { why, .. } => Some(why.as_str()),
            },
            exactness: &spend.exactness,
        });
        Guarantee::fold(self.total, self.rows_per_person.get(), self.is_seeded(), steps)
    }
}
