//! The budget of a release: what may be spent, what was spent, and the tokens that pay for noise.

mod by_share;
mod error;

pub use error::BudgetError;

use super::charge::{ChainCharge, Charge, ChargeTerms};
use super::cost::{Accounting, RhoSpend};
use super::guarantee::Evidence;
use super::{Delta, Epsilon, Exactness, Guarantee, Neighbours, Randomness, Rho, Sensitivity};
use crate::random::Generator;
use std::num::NonZeroU32;

/// One step that was paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spend {
    /// The step's name, in words for the certificate.
    pub step: String,
    /// The cost for all rows of a person in a pure budget; in a budget with a delta the pure epsilon of what was
    /// drawn, zero where it has none.
    pub epsilon: Epsilon,
    /// The cost in a budget with a delta.
    pub concentrated: Option<RhoSpend>,
    /// The sensitivity to one row.
    pub sensitivity: Sensitivity,
    /// The exactness of the draw.
    pub exactness: Exactness,
}

/// A total epsilon, everything that is charged to it, and the randomness of the noise that charges pay for.
///
/// A pure budget adds up epsilons. A budget with a delta adds up rhos of zero-concentrated differential privacy,
/// whose total follows from epsilon and delta: many small steps then cost less than the sum of their epsilons.
///
/// Noise needs a [`Charge`], and only a budget makes them: noise that was not charged does not compile. Each
/// charge has a generator of its own, so that noise drawn with a seed cannot be certified, nor drawn twice.
#[derive(Debug)]
pub struct Budget {
    total: Epsilon,
    rows_per_person: NonZeroU32,
    neighbours: Neighbours,
    randomness: Randomness,
    /// Spent epsilon of a pure budget.
    spent: Epsilon,
    concentrated: Option<Concentrated>,
    spends: Vec<Spend>,
}

/// The account of a budget with a delta.
#[derive(Debug, Clone, Copy)]
struct Concentrated {
    delta: Delta,
    total: Rho,
    spent: Rho,
}

impl Budget {
    /// A budget of `total`, for data in which a person owns up to `rows_per_person` rows.
    pub fn new(total: Epsilon, rows_per_person: NonZeroU32, randomness: Randomness) -> Self {
        Self {
            total,
            rows_per_person,
            neighbours: Neighbours::Substitute,
            randomness,
            spent: Epsilon::ZERO,
            concentrated: None,
            spends: Vec::new(),
        }
    }

    /// A budget of `total` and `delta`, composed by zero-concentrated differential privacy; pure if delta is
    /// zero.
    ///
    /// # Guarantee
    /// Everything drawn with its charges together is (`total`, `delta`)-differentially private when the rows of
    /// one person are substituted, or differ as [`between`](Self::between) says: `proofs/zcdp.md`. The sum of all
    /// rhos never exceeds [`Rho::largest`], in exact arithmetic.
    pub fn with_delta(
        total: Epsilon,
        delta: Delta,
        rows_per_person: NonZeroU32,
        randomness: Randomness,
    ) -> Self {
        let concentrated = (!delta.is_zero()).then(|| Concentrated {
            delta,
            total: Rho::largest(total, delta),
            spent: Rho::ZERO,
        });
        Self { concentrated, ..Self::new(total, rows_per_person, randomness) }
    }

    /// Sets how neighbouring tables differ: sensitivities of charges are those between such tables.
    ///
    /// # Guarantee
    /// That of the budget, when the rows of one person are substituted, or when they are added or removed: the
    /// proofs of composition hold for any two tables. A charge whose sensitivity is not proven for these
    /// neighbours is refused.
    #[must_use]
    pub fn between(self, neighbours: Neighbours) -> Self {
        Self { neighbours, ..self }
    }

    /// Pays for a step that is drawn from its exact law.
    ///
    /// # Guarantee
    /// The step, drawn by a function of this module with the charge, is `epsilon`-differentially private between
    /// [neighbours](Self::neighbours) that differ by the rows of one person (`proofs/rows_per_person.md`), if
    /// `sensitivity` holds for one row; and steps may depend on the results of earlier ones
    /// (`proofs/budget_charge.md`). The sum of all charges never exceeds the total, in exact arithmetic. In a
    /// budget with a delta the step costs epsilon^2 / 2, whatever is drawn. Checked by `tests/privacy_laws`.
    ///
    /// # Errors
    /// If `epsilon` is more than is left, or rounds to nothing for each of a person's rows; nothing is then
    /// spent.
    pub fn charge(
        &mut self,
        step: impl Into<String>,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
    ) -> Result<Charge, BudgetError> {
        self.spend_epsilon(step.into(), epsilon, sensitivity, Exactness::Exact).map(Charge)
    }

    /// Pays for a step whose law a chain approaches but does not reach, or whose law is not the proven one.
    ///
    /// # Guarantee
    /// That of `exactness`. Whatever is claimed there, no function that draws exactly takes the charge.
    ///
    /// # Errors
    /// Those of [`charge`](Self::charge).
    pub fn charge_chain(
        &mut self,
        step: impl Into<String>,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
        exactness: Exactness,
    ) -> Result<ChainCharge, BudgetError> {
        self.spend_epsilon(step.into(), epsilon, sensitivity, exactness).map(ChainCharge)
    }

    /// Pays for a step with pure epsilon, from either kind of budget.
    fn spend_epsilon(
        &mut self,
        step: String,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
        exactness: Exactness,
    ) -> Result<ChargeTerms, BudgetError> {
        let per_row = self.per_row(&step, epsilon)?;
        let sensitivity = self.proven(&step, sensitivity)?;
        let bound = sensitivity.bound().clone();
        let generator = if self.concentrated.is_some() {
            let spend = RhoSpend { rho: Rho::of_pure(epsilon), accounting: Accounting::PureEpsilon };
            self.spend_rho(step, spend, epsilon, sensitivity, exactness)?
        } else {
            let left = self.remaining();
            if epsilon > left {
                return Err(BudgetError::Exceeded { step, asked: epsilon, left });
            }
            let generator =
                self.record(Spend { step, epsilon, concentrated: None, sensitivity, exactness })?;
            self.spent = self.spent.saturating_add(epsilon);
            generator
        };
        #[cfg(feature = "broken")]
        let per_row = crate::privacy::broken::charged(per_row);
        Ok(ChargeTerms { epsilon: per_row, bound, generator })
    }

    /// Pays in rho.
    fn spend_rho(
        &mut self,
        step: String,
        spend: RhoSpend,
        epsilon: Epsilon,
        sensitivity: Sensitivity,
        exactness: Exactness,
    ) -> Result<Generator, BudgetError> {
        let Some(account) = self.concentrated else { return Err(BudgetError::AnotherKind { step }) };
        let left = account.total.saturating_sub(account.spent);
        if spend.rho > left {
            return Err(BudgetError::ExceededRho { step, asked: spend.rho, left });
        }
        let generator =
            self.record(Spend { step, epsilon, concentrated: Some(spend), sensitivity, exactness })?;
        self.concentrated = Some(Concentrated { spent: account.spent.saturating_add(spend.rho), ..account });
        Ok(generator)
    }

    /// The sensitivity between the neighbours of this budget.
    fn proven(&self, step: &str, sensitivity: Sensitivity) -> Result<Sensitivity, BudgetError> {
        let step = || step.to_owned();
        sensitivity.between(self.neighbours).ok_or_else(|| BudgetError::OtherNeighbours { step: step() })
    }

    /// Refuses a step that takes the number of rows for public, where a row may be added or removed.
    pub(crate) fn refuse_private_number_of_rows(&self, step: &str) -> Result<(), BudgetError> {
        match self.neighbours {
            Neighbours::Substitute => Ok(()),
            Neighbours::AddRemove => Err(BudgetError::OtherNeighbours { step: step.to_owned() }),
        }
    }

    /// The epsilon of each of a person's rows, rounded down.
    fn per_row(&self, step: &str, epsilon: Epsilon) -> Result<Epsilon, BudgetError> {
        let per_row = epsilon.divided_by(u64::from(self.rows_per_person.get()));
        if per_row.is_zero() { Err(BudgetError::Nothing { step: step.to_owned() }) } else { Ok(per_row) }
    }

    /// Records what is paid for, and returns a generator for this step alone.
    fn record(&mut self, spend: Spend) -> Result<Generator, BudgetError> {
        let generator = self.randomness.noise_stream(self.spends.len() as u64);
        let generator = generator.map_err(|_| BudgetError::NoEntropy { step: spend.step.clone() })?;
        self.spends.push(spend);
        Ok(generator)
    }

    /// The total epsilon.
    pub fn total(&self) -> Epsilon {
        self.total
    }

    /// Spent epsilon of a pure budget; zero for a budget with a delta, which is not spent in epsilon.
    pub fn spent(&self) -> Epsilon {
        self.spent
    }

    /// Unspent epsilon of a pure budget; zero for a budget with a delta: see [`left`](Self::left).
    pub fn remaining(&self) -> Epsilon {
        if self.concentrated.is_some() { Epsilon::ZERO } else { self.total.saturating_sub(self.spent) }
    }

    /// The probability with which the guarantee may fail: zero for a pure budget.
    pub fn delta(&self) -> Delta {
        self.concentrated.map_or(Delta::ZERO, |account| account.delta)
    }

    /// The total rho of a budget with a delta.
    pub fn total_rho(&self) -> Option<Rho> {
        self.concentrated.map(|account| account.total)
    }

    /// Spent rho of a budget with a delta.
    pub fn spent_rho(&self) -> Option<Rho> {
        self.concentrated.map(|account| account.spent)
    }

    /// Every step that was paid for, in order.
    pub fn spends(&self) -> &[Spend] {
        &self.spends
    }

    /// The kind of neighbouring tables between which the guarantee holds.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// The most rows that one person owns.
    pub fn rows_per_person(&self) -> NonZeroU32 {
        self.rows_per_person
    }

    /// Whether anyone who knows the seed could repeat the run.
    pub fn is_seeded(&self) -> bool {
        self.randomness.is_seeded()
    }

    /// The generator of public task number `task`, for work that does not look at private rows.
    pub fn public_stream(&self, task: u64) -> Generator {
        self.randomness.public_stream(task)
    }

    /// The guarantee of everything that was drawn with this budget.
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
        Guarantee::fold(self.total, self.delta(), self.rows_per_person.get(), self.is_seeded(), steps)
    }
}
