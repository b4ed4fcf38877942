//! A chain that draws new synthetic tables at every step: the smallest use of the library that shows the effect
//! of that.
//!
//! Six models stand in a circle, and the synthetic table of each is one of two, so that each has one of two
//! utilities. One row moves every utility by one, which is the charged sensitivity. With one table per model and
//! release the chain approaches the exponential mechanism's law, and is private at epsilon; with new tables at
//! every step it approaches another law, whose ratios multiply along the circle. The numbers were found by hill
//! climbing on the exact stationary laws, whose worst ratio at epsilon 1 is e^2.35. It is a utility of
//! sensitivity one, not one that a discriminator gives.

use std::num::{NonZeroU32, NonZeroU64};

use indistinct::privacy::{Budget, Epsilon, Exactness, Guarantee, Randomness, Sensitivity};
use indistinct::random::{Generator, Seed};
use indistinct_paper::store::ExperimentError;
use rand::{Rng, RngExt};

use crate::outcome::Outcome;
use crate::sample::{Mechanism, Side};

/// Minus the utility of every model with either of its tables.
const COSTS: [[i32; 2]; 6] = [[17, 19], [15, 6], [2, 4], [18, 20], [22, 10], [5, 10]];
/// The moves of the utilities by one row.
const MOVES: [[i32; 2]; 6] = [[-1, -1], [1, -1], [1, 1], [1, 1], [1, 1], [-1, -1]];
/// Probability of the first table, in sixteenths.
const FIRST: [u32; 6] = [1, 9, 13, 14, 10, 1];
/// Steps of a chain: far more than it needs to forget its start.
const STEPS: usize = 600;

/// A chain on six models.
#[derive(Debug, Clone, Copy)]
pub struct Chain {
    /// The charged epsilon.
    pub epsilon: Epsilon,
    /// Whether tables are drawn anew at every step, which is the fault, or once.
    pub fresh: bool,
    /// The seed, with which releases can be repeated.
    pub seed: u64,
}

impl Chain {
    /// The guarantee in the certificate of such a chain: the library cannot know how it is walked.
    ///
    /// # Errors
    /// When there is no randomness, or no budget.
    pub fn guarantee(&self) -> Result<Guarantee, ExperimentError> {
        let randomness = Randomness::from_system().map_err(failed)?;
        Ok(self.walk(Side::X, randomness)?.1.guarantee())
    }

    fn walk(&self, side: Side, randomness: Randomness) -> Result<(usize, Budget), ExperimentError> {
        let mut budget = Budget::new(self.epsilon, NonZeroU32::MIN, randomness);
        let sensitivity = Sensitivity::pmae(NonZeroU64::MIN);
        let charge = budget
            .charge_chain("a chain on six models", self.epsilon, sensitivity, Exactness::AtStationarity)
            .map_err(failed)?;
        let (factor, mut generators) = charge.into_chains(1);
        let Some(mut random) = generators.pop() else { return Err(failed("no generator")) };
        let draw =
            |random: &mut Generator| FIRST.map(|first| usize::from(random.random_range(0..16) >= first));
        let mut tables = draw(&mut random);
        let mut state = random.random_range(0..COSTS.len());
        for _ in 0..STEPS {
            if self.fresh {
                tables = draw(&mut random);
            }
            let cost = |model: usize| {
                let moved = if side == Side::Neighbour { MOVES[model][tables[model]] } else { 0 };
                f64::from(COSTS[model][tables[model]] + moved)
            };
            let step = if random.random_bool(0.5) { 1 } else { COSTS.len() - 1 };
            let proposed = (state + step) % COSTS.len();
            if random.random_range(0.0..1.0) < (factor * (cost(state) - cost(proposed))).exp() {
                state = proposed;
            }
        }
        Ok((state, budget))
    }
}

impl Mechanism for Chain {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        let seed = Seed(self.seed).stream(2 * number + side as u64).next_u64();
        let (state, _) = self.walk(side, Randomness::seeded(Seed(seed)))?;
        let mut outcome = Outcome::default();
        outcome.number("model", state as f64);
        Ok(outcome)
    }
}

fn failed(why: impl std::fmt::Display) -> ExperimentError {
    ExperimentError::Method { method: "chain".to_owned(), why: why.to_string() }
}
