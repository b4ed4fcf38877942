//! The discriminator and the sampler of a release.

use super::metropolis::PriorScale;
use crate::discriminator::cart::CartParams;
use crate::discriminator::optimal::BinnedTrees;

/// The discriminator that finds the cells by which candidates are judged.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum CandidateDiscriminator {
    /// Fixed cells in the model's own probability space.
    #[default]
    Partition,
    /// The best tree over thresholds of the synthetic table.
    Optimal(BinnedTrees),
    /// A tree grown privately against the located model, and then fixed.
    PrivateTree,
    /// A greedy tree, as in the paper: no proven sensitivity.
    Cart(CartParams),
}

impl CandidateDiscriminator {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Partition => "partition",
            Self::Optimal(_) => "optimal",
            Self::PrivateTree => "private-tree",
            Self::Cart(_) => "cart",
        }
    }

    /// Whether it fits a tree to every synthetic table, so that several tables can be averaged.
    pub fn fits_trees(&self) -> bool {
        matches!(self, Self::Optimal(_) | Self::Cart(_))
    }
}

/// The sampler of theta.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Sampler {
    /// Exact choices from finite sets of candidates.
    #[default]
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only.
    Metropolis {
        /// Number of chains.
        chains: usize,
        /// Steps of each chain, a third of which is burn-in.
        steps: usize,
        /// Standard deviation of the prior of every parameter.
        prior_sd: f64,
        /// The scale on which the prior of a standard deviation is normal.
        prior_scale: PriorScale,
        /// Draws new synthetic tables at every step, as the paper seems to: no guarantee at all.
        fresh_tables: bool,
    },
}

impl Sampler {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Zoom => "zoom",
            Self::Metropolis { .. } => "metropolis",
        }
    }
}
