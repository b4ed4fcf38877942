//! What `synth` is asked for, as it is typed.

use clap::{Args, ValueEnum};
use indistinct::normal::metropolis::PriorScale;
use indistinct::privacy::Neighbours;
use indistinct_io::Invalid;

use crate::evaluate::Objective;

/// Headings of options in help: those that few need, those of the normal model, and those of methods that it is compared with.
pub const MORE: &str = "More options";
/// See [`MORE`].
pub const NORMAL: &str = "Options of the normal model";
/// See [`MORE`].
pub const BASELINE: &str = "Options of comparison methods";

#[expect(missing_docs, reason = "clap would take a doc comment for that of the whole command")]
#[derive(Debug, Clone, Args)]
pub struct SynthOptions {
    /// Total privacy budget of everything the run publishes (required)
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Option<String>,
    /// Probability with which the guarantee may fail, such as 1e-6; 0 is pure differential privacy
    ///
    /// With a delta the steps of a release add up by zero-concentrated differential privacy, which leaves less noise where
    /// there are many of them: tables of four columns and more. Choose it far below one over the number of rows. Not for
    /// the random walk of the normal model, nor for comparison methods.
    #[arg(long, value_name = "D", default_value = "0", allow_hyphen_values = true)]
    pub delta: String,
    /// What becomes of cells that the schema does not allow: undeclared levels, and what is no number or date
    ///
    /// `refuse` ends the run and says where the first one is; whoever sees that a run ended so has learned that there is such a
    /// cell. With `missing` each becomes a missing value, as if it had been left empty, and nothing tells that there was one: every
    /// table is released. Numbers beyond declared limits are taken as the limit in either case.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = InvalidCells::Refuse, help_heading = MORE)]
    pub invalid: InvalidCells,

    /// Between which tables the guarantee holds: those in which one row is another, or of which one has a row more
    ///
    /// With `add-remove` the number of rows is private: it is counted with noise first, with 2 % of the budget, and everything else
    /// follows from that. It is the relation of most other tools; epsilon between such tables is up to twice epsilon between tables in
    /// which one row is substituted. For tables of any columns (--model mixed, which it chooses).
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Relation::Substitute)]
    pub neighbours: Relation,

    /// What the columns are modelled by
    #[arg(long, value_enum, default_value_t = Modelling::Auto, help_heading = MORE)]
    pub model: Modelling,
    /// Quality function that candidates are compared by [default: pmae]
    #[arg(long, value_enum, help_heading = NORMAL, hide = true)]
    pub quality: Option<Objective>,
    /// What finds the cells that candidates are judged by; cart carries no guarantee [default: partition]
    #[arg(long, value_enum, help_heading = NORMAL, hide = true)]
    pub discriminator: Option<DiscriminatorArg>,
    /// What draws the parameters [default: zoom]
    #[arg(long, value_enum, help_heading = NORMAL, hide = true)]
    pub sampler: Option<SamplerArg>,
    /// Least part of the budget for noisy cell counts, to which the parameters are fitted; 0 is the exponential mechanism
    /// alone [default: 0.6, or less where finding the columns needs more; 0 with metropolis]
    #[arg(long, value_name = "S", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub measure_share: Option<f64>,
    /// 1/(2n), or twice that as in the paper [default: tight]
    #[arg(long, value_enum, help_heading = NORMAL, hide = true)]
    pub sensitivity: Option<Sensitivity>,
    /// zoom: candidates of a joint stage [default: 2000; 500 with trees]
    #[arg(long, value_name = "K", help_heading = NORMAL, hide = true)]
    pub candidates: Option<usize>,
    /// metropolis: steps of each chain, a third of them burn-in [default: 30000; 3000 with trees]
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub steps: Option<usize>,
    /// metropolis: chains [default: 4]
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub chains: Option<usize>,
    /// metropolis: standard deviation of the prior of every parameter [default: 316.2, variance 100000]
    #[arg(long, value_name = "SD", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub prior_sd: Option<f64>,
    /// metropolis: what the prior of a standard deviation is normal in [default: sd]
    #[arg(long, value_enum, help_heading = NORMAL, hide = true)]
    pub prior_scale: Option<PriorScaleArg>,
    /// metropolis with trees: new synthetic tables at every step, as in the paper; carries no guarantee
    #[arg(long, help_heading = NORMAL, hide = true)]
    pub fresh_tables: bool,
    /// optimal and cart: synthetic tables over which the quality of a candidate is averaged, as in the paper; each costs a
    /// tree, none costs privacy [default: 1]
    #[arg(long, value_name = "M", help_heading = NORMAL, hide = true)]
    pub sets: Option<u32>,
    /// optimal and cart: deepest level of a leaf [default: 2 for optimal, 30 for cart]
    #[arg(long, value_name = "D", help_heading = NORMAL, hide = true)]
    pub depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, help_heading = NORMAL, hide = true)]
    pub cp: Option<f64>,
    /// cart: fewest rows of a node that may be split
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub minsplit: Option<u32>,
    /// cart: fewest rows of a leaf
    #[arg(long, value_name = "N", help_heading = NORMAL, hide = true)]
    pub minbucket: Option<u32>,
    /// The column that says whose row it is: the guarantee then is for persons, however many rows they have
    ///
    /// Rows with the same value in it are those of one person (numbers by value, anything else as it is spelled). Before anything
    /// else looks at the table, at most --rows-per-person of them are kept, chosen at random. The column itself is not
    /// released; a schema declares it an identifier, or not at all. How many rows were kept in all is public, how many there
    /// were is not told: with --rows-per-person above 1 that number is no secret of a person who has fewer rows. A row that does
    /// not say whose it is ends the run, or is left out with --invalid missing.
    #[arg(long, value_name = "COLUMN")]
    pub person: Option<String>,
    /// The most rows that one person owns, or, with --person, that are kept of each: the guarantee then is for persons
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub rows_per_person: u32,

    /// What makes the release: the mechanism of this program, or a method that it is compared with.
    #[arg(skip = MethodArg::Pmse)]
    pub method: MethodArg,
    /// The interval that each column lies in: `-40:40` for all columns, `x1=-40:40,x2=-20:20` for each by name, or `4sd` for
    /// four standard deviations around zero
    ///
    /// Rows outside are moved to the nearest end. Intervals must be known without looking at the private rows: nothing in
    /// the guarantee speaks of them. With `4sd` (or `2.5sd`, and so on) they are computed from the private rows, as in the
    /// paper's experiments, and the release carries no guarantee.
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true, help_heading = BASELINE, hide = true)]
    pub bounds: Option<String>,
    /// smooth-histogram: intervals of each column; a table of q columns has N^q cells, of which there may be 16777216
    /// [default: 50]
    #[arg(long, value_name = "N", help_heading = BASELINE, hide = true)]
    pub bins: Option<usize>,

    /// Private draws of the parameters, epsilon/L each
    #[arg(long, value_name = "L", default_value_t = 1, help_heading = MORE)]
    pub draws: u32,
    /// Synthetic tables for each draw (free, but with a smooth histogram, where every row is paid for)
    #[arg(long, value_name = "M", default_value_t = 1)]
    pub tables: u32,
    /// Rows of each table [default: as many as the private table has, or as the noisy count of them says]
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
    /// Part of E to spend on releasing the quality score
    #[arg(long, value_name = "Q", default_value = "0", allow_hyphen_values = true, help_heading = MORE)]
    pub score_epsilon: String,
}

impl Default for SynthOptions {
    /// What the command has when nothing is typed: no epsilon, without which nothing can be released.
    fn default() -> Self {
        Self {
            epsilon: None,
            delta: "0".to_owned(),
            invalid: InvalidCells::Refuse,
            neighbours: Relation::Substitute,
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
            method: MethodArg::Pmse,
            bounds: None,
            bins: None,
            draws: 1,
            tables: 1,
            rows: None,
            score_epsilon: "0".to_owned(),
        }
    }
}

/// What becomes of cells that the schema does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InvalidCells {
    /// They end the run
    Refuse,
    /// They become missing values
    Missing,
}

impl From<InvalidCells> for Invalid {
    fn from(typed: InvalidCells) -> Self {
        match typed {
            InvalidCells::Refuse => Self::Refuse,
            InvalidCells::Missing => Self::Missing,
        }
    }
}

/// Between which tables the guarantee holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Relation {
    /// One row is substituted by another; the number of rows is public
    Substitute,
    /// One row is added or removed; the number of rows is private
    AddRemove,
}

impl From<Relation> for Neighbours {
    fn from(typed: Relation) -> Self {
        match typed {
            Relation::Substitute => Self::Substitute,
            Relation::AddRemove => Self::AddRemove,
        }
    }
}

/// What the columns are modelled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Modelling {
    /// Mixed, unless options of the normal model are given
    Auto,
    /// Numbers, each normal given those before: the pMSE mechanism with its options below
    Normal,
    /// Columns of any type, with missing values, atoms and any shape
    Mixed,
}

/// What the prior of a standard deviation is normal in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorScaleArg {
    /// The standard deviation itself, cut off at zero, as in the paper
    Sd,
    /// Its logarithm
    LogSd,
}

impl From<PriorScaleArg> for PriorScale {
    fn from(typed: PriorScaleArg) -> Self {
        match typed {
            PriorScaleArg::Sd => Self::Sd,
            PriorScaleArg::LogSd => Self::LogSd,
        }
    }
}

/// What one row can do to the quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sensitivity {
    /// The proven 1/(2n)
    Tight,
    /// The paper's 1/n
    Paper,
}

/// What finds the cells that candidates are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiscriminatorArg {
    /// Fixed cells in the model's own probability space
    Partition,
    /// The best tree over thresholds of the synthetic table
    Optimal,
    /// A tree grown privately against the located model
    PrivateTree,
    /// A greedy tree, as in the paper: no guarantee
    Cart,
}

/// What draws the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SamplerArg {
    /// Exact choices from finite sets of candidates
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only
    Metropolis,
}

/// What makes a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// The pMSE mechanism as this program has it: no bounds, parameters chosen by how well a classifier tells tables apart
    Pmse,
    /// Parameters from the posterior of the regressions (not private: the yardstick)
    PosteriorPredictive,
    /// The same from moments of clipped rows with Laplace noise, moved to the nearest that can be
    NoisyBayes,
    /// The same from means and covariances with more noise, impossible variances set to next to nothing
    NoisyBayesFloored,
    /// Rows from a histogram smoothed towards the uniform law, as far as the paper prints and epsilon needs
    SmoothHistogram,
    /// The same smoothed less, which fits the paper's figures and carries no guarantee
    SmoothHistogramMatching,
    /// Regression coefficients by the functional mechanism
    #[value(hide = true)]
    Functional,
    /// Regression coefficients by the K-norm mechanism
    #[value(hide = true)]
    KNorm,
}

impl MethodArg {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pmse => "pmse",
            Self::PosteriorPredictive => "posterior-predictive",
            Self::NoisyBayes => "noisy-bayes",
            Self::NoisyBayesFloored => "noisy-bayes-floored",
            Self::SmoothHistogram => "smooth-histogram",
            Self::SmoothHistogramMatching => "smooth-histogram-matching",
            Self::Functional => "functional",
            Self::KNorm => "k-norm",
        }
    }
}
