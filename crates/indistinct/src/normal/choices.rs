//! What a release is made with: the discriminator and the sampler.

use super::metropolis::PriorScale;
use crate::discriminator::cart::CartParams;
use crate::discriminator::optimal::BinnedTrees;

/// What finds the cells that candidates are judged by.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Discriminator {
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

impl Discriminator {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Partition => "partition",
            Self::Optimal(_) => "optimal",
            Self::PrivateTree => "private-tree",
            Self::Cart(_) => "cart",
        }
    }

    /// Whether it fits a tree to every synthetic table that it sees, so that several can be averaged over.
    pub fn fits_trees(&self) -> bool {
        matches!(self, Self::Optimal(_) | Self::Cart(_))
    }
}

/// What draws theta.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Sampler {
    /// Exact choices from finite sets of candidates.
    #[default]
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only.
    Metropolis {
        /// Chains.
        chains: usize,
        /// Steps of each, a third of which is burn-in.
        steps: usize,
        /// Standard deviation of the prior of every parameter.
        prior_sd: f64,
        /// What the prior of a standard deviation is normal in.
        prior_scale: PriorScale,
        /// New synthetic tables at every step, as the paper seems to draw them: no guarantee at all.
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
