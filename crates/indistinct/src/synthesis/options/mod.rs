//! The options of a release as they are asked for, the words that they know, and their check.

mod checked;
mod normal;
mod numbers;

pub use checked::{CheckedMethod, CheckedOptions, ExpectedCharge, MethodInput};
pub use numbers::{delta_of, epsilon_of, score_epsilon_of};

use crate::normal::metropolis::PriorScale;
use crate::privacy::{Delta, Epsilon, Neighbours};
use crate::quality::Quality;
use crate::table::Invalid;

/// A release as it is asked for, not yet checked.
///
/// ```
/// use indistinct::synthesis::SynthOptions;
///
/// let mut options = SynthOptions::default();
/// options.epsilon = Some("1".parse()?);
/// options.depth = Some(3);
/// let refused = options.check().unwrap_err();
/// assert_eq!(refused.to_string(), "depth means nothing to this discriminator");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SynthOptions {
    /// Total privacy budget of everything the run publishes (required).
    pub epsilon: Option<Epsilon>,
    /// Probability with which the guarantee may fail, such as 1e-6; 0 is pure differential privacy.
    pub delta: Delta,
    /// The treatment of cells that the schema does not allow: undeclared levels, and what is no number or date.
    pub invalid: Invalid,

    /// Between which tables the guarantee holds: those in which one row is another, or of which one has a row more.
    pub neighbours: Neighbours,

    /// The model of the columns.
    pub model: Modelling,
    /// Quality function that candidates are compared by [default: pmae].
    pub quality: Option<Quality>,
    /// The discriminator, which finds the cells that candidates are judged by; cart carries no guarantee [default: partition].
    pub discriminator: Option<CandidateDiscriminatorName>,
    /// The sampler, which draws the parameters [default: zoom].
    pub sampler: Option<SamplerName>,
    /// Least part of the budget for noisy cell counts, to which the parameters are fitted; 0 is the exponential mechanism
    /// alone [default: 0.6, or less where finding the columns needs more; 0 with metropolis].
    pub measure_share: Option<f64>,
    /// 1/(2n), or twice that as in the paper [default: tight].
    pub sensitivity: Option<RowEffect>,
    /// zoom: candidates of a joint stage [default: 2000; 500 with trees].
    pub candidates: Option<usize>,
    /// metropolis: steps of each chain, a third of them burn-in [default: 30000; 3000 with trees].
    pub steps: Option<usize>,
    /// metropolis: chains [default: 4].
    pub chains: Option<usize>,
    /// metropolis: standard deviation of the prior of every parameter [default: 316.2, variance 100000].
    pub prior_sd: Option<f64>,
    /// metropolis: what the prior of a standard deviation is normal in [default: sd].
    pub prior_scale: Option<PriorScale>,
    /// metropolis with trees: new synthetic tables at every step, as in the paper; carries no guarantee.
    pub fresh_tables: bool,
    /// optimal and cart: synthetic tables over which the quality of a candidate is averaged, as in the paper; each costs a
    /// tree, none costs privacy [default: 1].
    pub sets: Option<u32>,
    /// optimal and cart: deepest level of a leaf [default: 2 for optimal, 30 for cart].
    pub depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01].
    pub cp: Option<f64>,
    /// cart: fewest rows of a node that may be split.
    pub minsplit: Option<u32>,
    /// cart: fewest rows of a leaf.
    pub minbucket: Option<u32>,
    /// The column that says whose row it is: the guarantee then is for persons, however many rows they have.
    pub person: Option<String>,
    /// The most rows that one person owns, or, with `person`, that are kept of each: the guarantee then is for persons.
    pub rows_per_person: u32,

    /// Private draws of the parameters, epsilon/L each.
    pub draws: u32,
    /// Synthetic tables for each draw, at no further cost (but for a smooth histogram, which pays for every row).
    pub tables: u32,
    /// Rows of each table [default: as many as the private table has, or as the noisy count of them says].
    pub rows: Option<usize>,
    /// Part of E to spend on releasing the quality score.
    pub score_epsilon: Epsilon,
}

impl Default for SynthOptions {
    /// The defaults of the command: no epsilon, without which nothing can be released.
    fn default() -> Self {
        Self {
            epsilon: None,
            delta: Delta::ZERO,
            invalid: Invalid::Refuse,
            neighbours: Neighbours::Substitute,
            model: Modelling::Auto,
            quality: None,
            discriminator: None,
            sampler: None,
            measure_share: None,
            sensitivity: None,
            candidates: None,
            steps: None,
            chains: None,
            prior_sd: None,
            prior_scale: None,
            fresh_tables: false,
            sets: None,
            depth: None,
            cp: None,
            minsplit: None,
            minbucket: None,
            person: None,
            rows_per_person: 1,
            draws: 1,
            tables: 1,
            rows: None,
            score_epsilon: Epsilon::ZERO,
        }
    }
}

/// The model of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modelling {
    /// Mixed, unless options of the normal model are given
    Auto,
    /// Numbers, each normal given those before: the pMSE mechanism, with the options of --help-normal
    Normal,
    /// Columns of any type, with missing values, atoms and any shape
    Mixed,
}

words!(Modelling {
    "auto" => Auto: "Mixed, unless options of the normal model are given",
    "normal" => Normal: "Numbers, each normal given those before: the pMSE mechanism, with the options of --help-normal",
    "mixed" => Mixed: "Columns of any type, with missing values, atoms and any shape",
});

/// The effect of one row on the quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowEffect {
    /// The proven 1/(2n)
    Tight,
    /// The paper's 1/n
    Paper,
}

words!(RowEffect {
    "tight" => Tight: "The proven 1/(2n)",
    "paper" => Paper: "The paper's 1/n",
});

/// The discriminator, which finds the cells that candidates are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CandidateDiscriminatorName {
    /// Fixed cells in the model's own probability space
    Partition,
    /// The best tree over thresholds of the synthetic table
    Optimal,
    /// A tree grown privately against the located model
    PrivateTree,
    /// A greedy tree, as in the paper: no guarantee
    Cart,
}

words!(CandidateDiscriminatorName {
    "partition" => Partition: "Fixed cells in the model's own probability space",
    "optimal" => Optimal: "The best tree over thresholds of the synthetic table",
    "private-tree" => PrivateTree: "A tree grown privately against the located model",
    "cart" => Cart: "A greedy tree, as in the paper: no guarantee",
});

/// The sampler, which draws the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SamplerName {
    /// Exact choices from finite sets of candidates
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only
    Metropolis,
}

words!(SamplerName {
    "zoom" => Zoom: "Exact choices from finite sets of candidates",
    "metropolis" => Metropolis: "The paper's random walk: a guarantee at stationarity only",
});
