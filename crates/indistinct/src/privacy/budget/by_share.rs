//! Charges by share of a budget of either kind: the noise is the one that suits the budget's composition.

use super::{Budget, BudgetError, Concentrated};
use crate::privacy::charge::{
    Charge, ChargeTerms, ChoiceCharge, ChoiceLaw, CountsCharge, CountsNoise, GaussianCharge,
};
use crate::privacy::cost::{Accounting, Cost, RhoSpend, Share};
use crate::privacy::exact::Sigma;
use crate::privacy::{Epsilon, Exactness, Randomness, Rho, Sensitivity};
use crate::random::Seed;
use std::num::NonZeroU128;

impl Budget {
    /// A share of the whole budget, rounded down: the cost of a step with this share.
    ///
    /// A share is read by its decimal text, so that 0.1 is one tenth. Shares that sum to one can all be charged.
    pub fn portion(&self, share: f64) -> Cost {
        let share = Share::from_f64(share);
        match &self.concentrated {
            None => Cost::Epsilon(self.total.portion(share)),
            Some(account) => Cost::Rho(account.total.portion(share)),
        }
    }

    /// The cost that a part of the total epsilon amounts to: itself for a pure budget, and the same part of rho
    /// for a budget with a delta. So a plan that divides epsilon divides either kind of budget.
    pub fn worth(&self, epsilon: Epsilon) -> Cost {
        match &self.concentrated {
            None => Cost::Epsilon(epsilon),
            Some(account) => {
                let part = u128::from(account.total.units()) * u128::from(epsilon.min(self.total).units());
                let part = part.checked_div(u128::from(self.total.units())).unwrap_or(0);
                Cost::Rho(Rho::from_units_below(part))
            }
        }
    }

    /// The part of the total epsilon that was spent, rounded up: the inverse of [`worth`](Self::worth).
    pub fn spent_worth(&self) -> Epsilon {
        match &self.concentrated {
            None => self.spent,
            Some(account) => {
                let part = u128::from(self.total.units()) * u128::from(account.spent.units());
                let units = part.div_ceil(u128::from(account.total.units()).max(1));
                Epsilon::from_units_above(units)
            }
        }
    }

    /// The unspent budget, as the cost of one last step.
    pub fn left(&self) -> Cost {
        match &self.concentrated {
            None => Cost::Epsilon(self.remaining()),
            Some(account) => Cost::Rho(account.total.saturating_sub(account.spent)),
        }
    }

    /// The standard deviation of the noise of counts that [`charge_counts`](Self::charge_counts) would pay for
    /// with a share of the whole budget: public, free, and infinite where it cannot be paid for.
    pub fn counts_noise_sd(&self, share: f64, sensitivity: &Sensitivity) -> f64 {
        let mut trial = Self {
            concentrated: self.concentrated.map(|account| Concentrated { spent: Rho::ZERO, ..account }),
            ..Self::new(self.total, self.rows_per_person, Randomness::seeded(Seed(0)))
        }
        .between(self.neighbours);
        let cost = self.portion(share);
        trial
            .charge_counts("trial", cost, sensitivity.clone())
            .map_or(f64::INFINITY, |charge| charge.noise_sd())
    }

    /// The share of the whole budget at which one unit of utility weighs about `per_unit` in the exponent of a
    /// choice's law: the inverse of [`ChoiceCharge::per_unit`].
    pub fn choice_share(&self, per_unit: f64, sensitivity: &Sensitivity) -> f64 {
        let epsilon = per_unit * sensitivity.bound().range() as f64 * f64::from(self.rows_per_person.get());
        match &self.concentrated {
            None => epsilon / self.total.to_f64(),
            Some(account) => epsilon * epsilon / 8.0 / account.total.to_f64(),
        }
    }

    /// Pays for counts with noise, to be drawn by [`noisy_counts`](crate::privacy::noisy_counts).
    ///
    /// # Guarantee
    /// That of [`charge`](Self::charge) for a pure budget; that of [`charge_gaussian`](Self::charge_gaussian) for
    /// one with a delta.
    ///
    /// # Errors
    /// Those of [`charge`](Self::charge); also if the cost is of another kind of budget or the sensitivity is one
    /// of candidates.
    pub fn charge_counts(
        &mut self,
        step: impl Into<String>,
        cost: Cost,
        sensitivity: Sensitivity,
    ) -> Result<CountsCharge, BudgetError> {
        let step = step.into();
        if sensitivity.bound().squared().is_none() {
            return Err(BudgetError::WrongBound { step });
        }
        let noise = match cost {
            Cost::Epsilon(_) if self.concentrated.is_some() => return Err(BudgetError::AnotherKind { step }),
            Cost::Epsilon(epsilon) => CountsNoise::Laplace(self.charge(step, epsilon, sensitivity)?),
            Cost::Rho(rho) => CountsNoise::Gaussian(self.charge_gaussian(step, rho, sensitivity)?),
        };
        Ok(CountsCharge(noise))
    }

    /// Pays for discrete Gaussian noise on a list of counts, from a budget with a delta.
    ///
    /// # Guarantee
    /// Noise drawn by [`discrete_gaussian_counts`](crate::privacy::discrete_gaussian_counts) with the charge is
    /// `rho`-zCDP between neighbours that differ by the rows of one person, if `sensitivity` holds for one row:
    /// `proofs/discrete_gaussian_counts.md`. The noise's scale is rounded up.
    ///
    /// # Errors
    /// If `rho` is more than is left, or so little that the noise would not fit; if the sensitivity does not
    /// bound a list; or if the budget is pure. Nothing is then spent.
    pub fn charge_gaussian(
        &mut self,
        step: impl Into<String>,
        rho: Rho,
        sensitivity: Sensitivity,
    ) -> Result<GaussianCharge, BudgetError> {
        let step = step.into();
        let sensitivity = self.proven(&step, sensitivity)?;
        let Some(squared) = sensitivity.bound().squared() else {
            return Err(BudgetError::WrongBound { step });
        };
        let Some(sigma) = self.sigma(squared, rho) else { return Err(BudgetError::Nothing { step }) };
        let spend = RhoSpend { rho, accounting: Accounting::Gaussian };
        let generator = self.spend_rho(step, spend, Epsilon::ZERO, sensitivity, Exactness::Exact)?;
        Ok(GaussianCharge { sigma, generator })
    }

    /// The scale of Gaussian noise: the root of K^2 D / (2 rho) for squared moves that sum to D, rounded up.
    fn sigma(&self, squared: u128, rho: Rho) -> Option<Sigma> {
        let rows = u128::from(self.rows_per_person.get());
        let numerator = squared.checked_mul(rows * rows)?.checked_mul(u128::from(Rho::UNITS_PER_ONE))?;
        Sigma::at_least_root(numerator, NonZeroU128::new(2 * u128::from(rho.units()))?)
    }

    /// Pays for one choice among candidates, to be made by [`choose`](crate::privacy::choose).
    ///
    /// # Guarantee
    /// That of [`charge`](Self::charge) for a pure budget. With a delta, a rho buys the exponential mechanism
    /// with the largest epsilon for which epsilon^2 / 8 is at most rho (`proofs/zcdp.md`).
    ///
    /// # Errors
    /// Those of [`charge`](Self::charge); also if the cost is of another kind of budget or the sensitivity is not
    /// one of candidates.
    pub fn charge_choice(
        &mut self,
        step: impl Into<String>,
        cost: Cost,
        sensitivity: Sensitivity,
    ) -> Result<ChoiceCharge, BudgetError> {
        let step = step.into();
        if !sensitivity.bound().is_of_candidates() {
            return Err(BudgetError::WrongBound { step });
        }
        match cost {
            Cost::Epsilon(_) if self.concentrated.is_some() => Err(BudgetError::AnotherKind { step }),
            Cost::Epsilon(epsilon) => {
                let charge = self.charge(step, epsilon, sensitivity)?;
                Ok(ChoiceCharge { charge, law: ChoiceLaw::PermuteAndFlip })
            }
            Cost::Rho(rho) => {
                let epsilon = rho.bounded_range();
                let per_row = self.per_row(&step, epsilon)?;
                let sensitivity = self.proven(&step, sensitivity)?;
                let bound = sensitivity.bound().clone();
                let spend = RhoSpend { rho, accounting: Accounting::BoundedRange };
                let generator = self.spend_rho(step, spend, epsilon, sensitivity, Exactness::Exact)?;
                let charge = Charge(ChargeTerms { epsilon: per_row, bound, generator });
                Ok(ChoiceCharge { charge, law: ChoiceLaw::Exponential })
            }
        }
    }
}
