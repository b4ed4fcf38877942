//! Noisy counts by themselves: two cells, in one of which a person may be alone, published as the library draws them.

use std::num::{NonZeroU32, NonZeroU64};

use indistinct::privacy::{Budget, Cost, Epsilon, Guarantee, Randomness, Sensitivity, noisy_counts};
use indistinct::random::Seed;
use indistinct_paper::store::ExperimentError;
use rand::Rng;

use crate::outcome::Outcome;
use crate::sample::{Mechanism, Side};

/// Number of rows in all.
const ROWS: i64 = 60;

/// The counts of two cells.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    /// The charged epsilon.
    pub epsilon: Epsilon,
    /// The seed, with which releases can be repeated.
    pub seed: u64,
}

impl Counts {
    /// The guarantee in the certificate of such counts.
    ///
    /// # Errors
    /// When there is no randomness, or no budget.
    pub fn guarantee(&self) -> Result<Guarantee, ExperimentError> {
        Ok(self.drawn(Side::X, Randomness::from_system().map_err(failed)?)?.1.guarantee())
    }

    fn drawn(&self, side: Side, randomness: Randomness) -> Result<(Vec<i64>, Budget), ExperimentError> {
        let mut budget = Budget::new(self.epsilon, NonZeroU32::MIN, randomness);
        let sensitivity = Sensitivity::counts(NonZeroU64::MIN);
        let charge = budget
            .charge_counts("counts of two cells", Cost::Epsilon(self.epsilon), sensitivity)
            .map_err(failed)?;
        let counts = if side == Side::X { [ROWS, 0] } else { [ROWS - 1, 1] };
        Ok((noisy_counts(charge, &counts).map_err(failed)?, budget))
    }
}

impl Mechanism for Counts {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        let seed = Seed(self.seed).stream(2 * number + side as u64).next_u64();
        let (counts, _) = self.drawn(side, Randomness::seeded(Seed(seed)))?;
        let mut outcome = Outcome::default();
        for (cell, count) in counts.into_iter().enumerate() {
            outcome.number(format!("cell {cell}"), count as f64);
        }
        Ok(outcome)
    }
}

fn failed(why: impl std::fmt::Display) -> ExperimentError {
    ExperimentError::Method { method: "counts".to_owned(), why: why.to_string() }
}
