//! The pMSE mechanism as the paper ran it: greedy trees, Metropolis, ten draws at epsilon / 10, sensitivity 1/n.
//!
//! What the paper does not say is chosen here: one chain whose states are the draws, started near the parameters that
//! fit the private table (without which it would not be near them after so few steps), cp = 0.01 as in its Section 6,
//! and one set of random numbers that all proposals make their table from (its m is not told either). A [`Variant`] changes
//! one of these choices to see which of them the published numbers depend on. None of this is differentially private.

use indistinct::discriminator::judge::Judge;
use indistinct::model::{Regression, SequentialNormal};
use indistinct::normal::metropolis::{Metropolis, PriorScale, Start};
use indistinct::privacy::Epsilon;
use indistinct::quality::Quality;
use indistinct::random::Generator;

use super::outcome::{Private, budget, line, tree};
use crate::paper::DRAWS;

/// Steps before the first draw, in which the walk adapts.
pub const BURN_IN: usize = 250;
/// Steps over which the draws are spread.
pub const STEPS: usize = 250;
/// Steps of the longer chains, relative to the shorter.
const LONGER: usize = 10;
/// Synthetic tables that a state is judged by where it is judged by several: the m of the paper's equation 4.
const SETS: usize = 10;

/// A chain with one choice made differently; all others as in [`Method::PmseMechanism`](super::Method), with trees of
/// unlimited depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The prior on the logarithms of standard deviations.
    LogSd,
    /// Ten times the steps.
    Longer,
    /// The mean over ten synthetic tables.
    Sets,
    /// A start that knows nothing of the private table.
    Dispersed,
    /// New synthetic tables at every step.
    FreshTables,
    /// Trees with cp = 0.001, as in the evaluation of table 2, rather than 0.01.
    FineTrees,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::LogSd, Self::Longer, Self::Sets, Self::Dispersed, Self::FreshTables, Self::FineTrees];

    /// Whether a simulation takes about ten times as long as one of the paper's chains.
    pub fn is_slow(self) -> bool {
        matches!(self, Self::Longer | Self::Sets)
    }

    pub(super) fn slug(self) -> &'static str {
        match self {
            Self::LogSd => "log-sd",
            Self::Longer => "longer",
            Self::Sets => "sets",
            Self::Dispersed => "dispersed",
            Self::FreshTables => "fresh-tables",
            Self::FineTrees => "fine-trees",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LogSd => "pMSE mechanism, prior on log sd",
            Self::Longer => "pMSE mechanism, chains 10 times as long",
            Self::Sets => "pMSE mechanism, m = 10",
            Self::Dispersed => "pMSE mechanism, start anywhere",
            Self::FreshTables => "pMSE mechanism, new tables at every step",
            Self::FineTrees => "pMSE mechanism, trees with cp 0.001",
        }
    }
}

/// The states of a chain that are released.
pub(super) fn states(
    private: &Private,
    depth: u32,
    variant: Option<Variant>,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<SequentialNormal>, String> {
    let is = |wanted: Variant| variant == Some(wanted);
    let longer = if is(Variant::Longer) { LONGER } else { 1 };
    let dispersed = is(Variant::Dispersed);
    let walk = Metropolis {
        quality: Quality::Pmse,
        paper_sensitivity: true,
        prior_scale: if is(Variant::LogSd) { PriorScale::LogSd } else { PriorScale::Sd },
        start: if dispersed { Start::Dispersed } else { Start::Around(fitted(&private.columns)) },
        burn_in: longer * BURN_IN,
        steps: longer * STEPS,
        sets: if is(Variant::Sets) { SETS } else { 1 },
        fresh_tables: is(Variant::FreshTables),
        ..Metropolis::default()
    };
    let complexity = if is(Variant::FineTrees) { 0.001 } else { 0.01 };
    let judge = Judge::Cart(tree(complexity, depth));
    let mut budget = budget(epsilon, random);
    walk.states(&judge, &private.rows, &mut budget, epsilon, DRAWS as usize, random)
        .map_err(|error| error.to_string())
}

/// The model with the moments of the table.
fn fitted(columns: &[Vec<f64>]) -> SequentialNormal {
    let n = columns[0].len() as f64;
    let mean = columns[0].iter().sum::<f64>() / n;
    let sd = (columns[0].iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let (intercept, slope) = line(columns);
    let residual = |(x, y): (&f64, &f64)| (y - intercept - slope * x).powi(2);
    let residual_sd = (columns[0].iter().zip(&columns[1]).map(residual).sum::<f64>() / (n - 2.0)).sqrt();
    SequentialNormal::from_regressions(&[
        Regression { intercept: mean, slopes: vec![], sd },
        Regression { intercept, slopes: vec![slope], sd: residual_sd },
    ])
}
