//! The methods that table 2 and the regression study compare, each as one release from one simulated table.

mod baselines;
mod chain;
mod ours;
mod outcome;

use crate::baseline::functional::Ridge;
use crate::baseline::noisy_bayes::Repair;
use crate::baseline::smooth_histogram::Smoothing;
use indistinct::privacy::Epsilon;
use indistinct::random::{Generator, Seed};

use crate::store::{ExperimentError, Run, blocks, run_blocks};
pub use chain::{BURN_IN, STEPS, Variant};
pub use ours::Ours;
pub use outcome::Outcome;
use outcome::{Private, Published};

/// Simulations of a block.
const BLOCK: u64 = 5;

/// A method with its settings. Bounds are in standard deviations of a column, on either side of zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Parameters from their posterior distribution, without privacy.
    NonDp,
    /// The paper's own mechanism as the paper ran it, with trees of this depth.
    PmseMechanism {
        /// Deepest leaf; 30 is unlimited.
        depth: u32,
    },
    /// The same with unlimited depth and another choice where the paper leaves one.
    PmseVariant(Variant),
    /// Noisy Bayes (Bowen and Liu).
    NoisyBayes {
        /// Assumed bounds.
        bound: f64,
        /// The treatment of impossible moments.
        repair: Repair,
    },
    /// Smooth histogram (Wasserman and Zhou).
    SmoothHistogram {
        /// Assumed bounds.
        bound: f64,
        /// The choice of lambda.
        smoothing: Smoothing,
    },
    /// Functional mechanism (Zhang et al.): coefficients only.
    Functional {
        /// Assumed bounds.
        bound: f64,
        /// Whether the published ridge is added.
        ridge: Ridge,
    },
    /// l-infinity K-norm mechanism (Awan and Slavković): coefficients only.
    KNorm {
        /// Assumed bounds.
        bound: f64,
    },
    /// This program.
    Ours(Ours),
}

impl Method {
    /// A name for files: letters, digits and hyphens.
    pub fn slug(&self) -> String {
        match self {
            Self::NonDp => "non-dp".to_owned(),
            Self::PmseMechanism { depth } => format!("pmse-mechanism-sd-depth-{depth}"),
            Self::PmseVariant(variant) => format!("pmse-mechanism-sd-{}", variant.slug()),
            Self::NoisyBayes { bound, repair: Repair::Floored } => format!("noisy-bayes-floored-{bound}sd"),
            Self::NoisyBayes { bound, repair: Repair::Projected } => format!("noisy-bayes-{bound}sd"),
            Self::SmoothHistogram { bound, smoothing: Smoothing::Matching } => {
                format!("smooth-histogram-matching-{bound}sd")
            }
            Self::SmoothHistogram { bound, smoothing: Smoothing::Printed } => {
                format!("smooth-histogram-{bound}sd")
            }
            Self::Functional { bound, ridge: Ridge::Published } => format!("functional-{bound}sd"),
            Self::Functional { bound, ridge: Ridge::Absent } => format!("functional-without-ridge-{bound}sd"),
            Self::KNorm { bound } => format!("k-norm-{bound}sd"),
            Self::Ours(ours) => ours.slug().to_owned(),
        }
    }

    /// The kind of method, without its settings.
    pub fn family(&self) -> &'static str {
        match self {
            Self::NonDp => "non-DP",
            Self::PmseMechanism { .. } => "pMSE mechanism, as in the paper",
            Self::PmseVariant(variant) => variant.name(),
            Self::NoisyBayes { repair: Repair::Floored, .. } => "noisy Bayes, floored",
            Self::NoisyBayes { repair: Repair::Projected, .. } => "noisy Bayes",
            Self::SmoothHistogram { smoothing: Smoothing::Matching, .. } => "smooth histogram, K/(K + n eps)",
            Self::SmoothHistogram { smoothing: Smoothing::Printed, .. } => "smooth histogram, as printed",
            Self::Functional { ridge: Ridge::Published, .. } => "functional mechanism",
            Self::Functional { ridge: Ridge::Absent, .. } => "functional mechanism, no ridge",
            Self::KNorm { .. } => "K-norm mechanism",
            Self::Ours(ours) => ours.name(),
        }
    }

    /// Its setting within the family: a depth or a bound; empty if there is none.
    pub fn setting(&self) -> String {
        match self {
            Self::NonDp | Self::PmseVariant(_) | Self::Ours(_) => String::new(),
            Self::PmseMechanism { depth: 30 } => "depth unlimited".to_owned(),
            Self::PmseMechanism { depth } => format!("depth {depth}"),
            Self::NoisyBayes { bound, .. }
            | Self::SmoothHistogram { bound, .. }
            | Self::Functional { bound, .. }
            | Self::KNorm { bound } => format!("bounds {bound} sd"),
        }
    }

    /// Family and setting.
    pub fn name(&self) -> String {
        match self.setting() {
            setting if setting.is_empty() => self.family().to_owned(),
            setting => format!("{}, {setting}", self.family()),
        }
    }

    /// The guarantee of one release, in a few words.
    pub fn guarantee(&self) -> &'static str {
        match self {
            Self::NonDp => "none: not private",
            Self::PmseMechanism { .. } | Self::PmseVariant(_) => "none: greedy trees, one unconverged chain",
            Self::NoisyBayes { .. }
            | Self::Functional { .. }
            | Self::KNorm { .. }
            | Self::SmoothHistogram { smoothing: Smoothing::Printed, .. } => "pure, within given bounds",
            Self::SmoothHistogram { smoothing: Smoothing::Matching, .. } => {
                "none: n ln(1 + eps) instead of eps"
            }
            Self::Ours(_) => "pure, no bounds",
        }
    }

    /// Whether it was put forward as differentially private: rightly or not.
    pub fn claims_privacy(&self) -> bool {
        *self != Self::NonDp
    }

    /// Blocks that one epsilon takes, for whoever shows progress.
    pub fn blocks(simulations: u64) -> u64 {
        blocks(simulations, BLOCK)
    }

    /// Its outcomes, one for each simulation.
    ///
    /// # Errors
    /// See [`ExperimentError`].
    pub fn outcomes(&self, run: &Run, epsilon: f64) -> Result<Vec<Outcome>, ExperimentError> {
        let name = format!("{}-epsilon-{epsilon}", self.slug());
        // Every method and epsilon has random numbers of its own, whatever else is run; private tables are shared.
        let own = Seed(run.seed() ^ hash(&name));
        let blocks = run_blocks(run, &name, BLOCK, |simulations| {
            let one = |simulation| {
                self.outcome(epsilon, Seed(run.seed()).stream(simulation), own.stream(simulation))
            };
            simulations
                .map(one)
                .collect::<Result<Vec<Outcome>, String>>()
                .map_err(|why| ExperimentError::Method { method: self.slug(), why })
        })?;
        Ok(blocks.concat())
    }

    fn outcome(&self, epsilon: f64, mut data: Generator, mut random: Generator) -> Result<Outcome, String> {
        let private = Private::draw(&mut data)?;
        let epsilon = Epsilon::from_f64(epsilon).map_err(|error| error.to_string())?;
        let published = match self {
            Self::NonDp => {
                Published::Models(baselines::posterior_predictive(&private, epsilon, &mut random)?)
            }
            Self::NoisyBayes { bound, repair } => {
                Published::Models(baselines::noisy_bayes(&private, *bound, *repair, epsilon, &mut random)?)
            }
            Self::SmoothHistogram { bound, smoothing } => Published::Table(baselines::smooth_histogram(
                &private,
                *bound,
                *smoothing,
                epsilon,
                &mut random,
            )?),
            Self::Functional { bound, ridge } => {
                baselines::functional(&private, *bound, *ridge, epsilon, &mut random)?
            }
            Self::KNorm { bound } => baselines::k_norm(&private, *bound, epsilon, &mut random)?,
            Self::PmseMechanism { depth } => {
                Published::Models(chain::states(&private, *depth, None, epsilon, &mut random)?)
            }
            Self::PmseVariant(variant) => {
                Published::Models(chain::states(&private, 30, Some(*variant), epsilon, &mut random)?)
            }
            Self::Ours(ours) => Published::Models(ours.models(&private, epsilon, &mut random)?),
        };
        Ok(private.compare(published, &mut random))
    }
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
