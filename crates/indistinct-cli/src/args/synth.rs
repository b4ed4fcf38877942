//! Arguments of `indistinct synth` and `indistinct sample`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Objective;

/// Make a private synthetic table, with a certificate that says which guarantee holds and why
///
/// Columns may be numbers, counts, dates, booleans and categories, with missing values, heaps and spikes. No bounds are asked
/// for: every column is found wherever it lies. Its distribution is measured with exact noise, then how columns depend on
/// each other, and what tells model and private rows apart best is measured and corrected. Tables of plain numbers get a
/// sequential normal model instead, drawn by the pMSE mechanism (--model). Everything that looks at the private rows is
/// charged to --epsilon, exactly, and listed on the certificate; --dry-run says beforehand how it is divided.
///
/// The folder that --out names appears complete or not at all, with synthetic.csv (in the format of the private table),
/// model.json for `indistinct sample`, certificate.json, which `indistinct verify` checks, and report.html, a page made
/// only from these files: the guarantee in words, where the budget went, and what the synthetic table looks like.
/// Synthetic rows satisfy the constraints of the schema; whether the private ones do is not looked at.
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
pub(crate) struct Synth {
    /// The private table: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather, or - for CSV on standard input
    #[arg(value_name = "PRIVATE")]
    pub(crate) table: PathBuf,
    /// Total privacy budget of everything the run publishes (required)
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub(crate) epsilon: Option<String>,
    /// Probability with which the guarantee may fail, such as 1e-6; 0 is pure differential privacy
    ///
    /// With a delta the steps of a release add up by zero-concentrated differential privacy, which leaves less noise where
    /// there are many of them: tables of four columns and more. Choose it far below one over the number of rows. Not for
    /// --sampler metropolis, nor for comparison methods.
    #[arg(long, value_name = "D", default_value = "0", allow_hyphen_values = true)]
    pub(crate) delta: String,
    /// What the columns mean; without it types are read from the data, outside the guarantee
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Folder to write; must not exist
    #[arg(long, value_name = "DIR", default_value = "release")]
    pub(crate) out: PathBuf,
    /// Replace an earlier release in --out
    #[arg(long)]
    pub(crate) force: bool,
    /// Say how the budget would be divided, and stop: nothing is charged, drawn or written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Charge E, and D, to this ledger before anything is released; refuse if it does not fit
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// The name that the ledger must have been opened with
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub(crate) ledger_id: Option<String>,

    /// What the columns are modelled by
    #[arg(long, value_enum, default_value_t = Modelling::Auto, help_heading = "Mechanism")]
    pub(crate) model: Modelling,
    /// Quality function that candidates are compared by [default: pmae]
    #[arg(long, value_enum, help_heading = "Mechanism")]
    pub(crate) quality: Option<Objective>,
    /// What finds the cells that candidates are judged by; cart carries no guarantee [default: partition]
    #[arg(long, value_enum, help_heading = "Mechanism")]
    pub(crate) discriminator: Option<Cells>,
    /// What draws the parameters [default: zoom]
    #[arg(long, value_enum, help_heading = "Mechanism")]
    pub(crate) sampler: Option<Draws>,
    /// Least part of the budget for noisy cell counts, to which the parameters are fitted; 0 is the exponential mechanism
    /// alone [default: 0.6, or less where finding the columns needs more; 0 with metropolis]
    #[arg(long, value_name = "S", allow_hyphen_values = true, help_heading = "Mechanism")]
    pub(crate) measure_share: Option<f64>,
    /// 1/(2n), or twice that as in the paper [default: tight]
    #[arg(long, value_enum, help_heading = "Mechanism")]
    pub(crate) sensitivity: Option<Sensitivity>,
    /// zoom: candidates of a joint stage [default: 2000; 500 with trees]
    #[arg(long, value_name = "K", help_heading = "Mechanism")]
    pub(crate) candidates: Option<usize>,
    /// metropolis: steps of each chain, a third of them burn-in [default: 30000; 3000 with trees]
    #[arg(long, value_name = "N", help_heading = "Mechanism")]
    pub(crate) steps: Option<usize>,
    /// metropolis: chains [default: 4]
    #[arg(long, value_name = "N", help_heading = "Mechanism")]
    pub(crate) chains: Option<usize>,
    /// metropolis: standard deviation of the prior of every parameter [default: 316.2, variance 100000]
    #[arg(long, value_name = "SD", allow_hyphen_values = true, help_heading = "Mechanism")]
    pub(crate) prior_sd: Option<f64>,
    /// metropolis with trees: new synthetic tables at every step, as in the paper; carries no guarantee
    #[arg(long, help_heading = "Mechanism")]
    pub(crate) fresh_tables: bool,
    /// optimal and cart: deepest level of a leaf [default: 2 for optimal, 30 for cart]
    #[arg(long, value_name = "D", help_heading = "Mechanism")]
    pub(crate) depth: Option<u32>,
    /// cart: complexity that a split must exceed [default: 0.01]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, help_heading = "Mechanism")]
    pub(crate) cp: Option<f64>,
    /// cart: fewest rows of a node that may be split
    #[arg(long, value_name = "N", help_heading = "Mechanism")]
    pub(crate) minsplit: Option<u32>,
    /// cart: fewest rows of a leaf
    #[arg(long, value_name = "N", help_heading = "Mechanism")]
    pub(crate) minbucket: Option<u32>,
    /// The most rows that one person owns: the guarantee then is for persons
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = "Mechanism")]
    pub(crate) rows_per_person: u32,

    /// What makes the release: the mechanism of this program, or a method that it is compared with
    ///
    /// Comparison methods are for experiments. All but `posterior-predictive` clip the rows to --bounds first. They take
    /// none of the options under "Mechanism" but --rows-per-person.
    #[arg(long, value_enum, default_value_t = Synthesis::Pmse, help_heading = "Comparison methods")]
    pub(crate) method: Synthesis,
    /// The interval that each column lies in: `-40:40` for all columns, `x1=-40:40,x2=-20:20` for each by name, or `4sd` for
    /// four standard deviations around zero
    ///
    /// Rows outside are moved to the nearest end. Intervals must be known without looking at the private rows: nothing in
    /// the guarantee speaks of them. With `4sd` (or `2.5sd`, and so on) they are computed from the private rows, as in the
    /// paper's experiments, and the release carries no guarantee.
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true, help_heading = "Comparison methods")]
    pub(crate) bounds: Option<String>,
    /// smooth-histogram: intervals of each column; a table of q columns has N^q cells, of which there may be 16777216
    /// [default: 50]
    #[arg(long, value_name = "N", help_heading = "Comparison methods")]
    pub(crate) bins: Option<usize>,

    /// Private draws of the parameters, epsilon/L each
    #[arg(long, value_name = "L", default_value_t = 1, help_heading = "Output")]
    pub(crate) draws: u32,
    /// Synthetic tables for each draw (free, but with a smooth histogram, where every row is paid for)
    #[arg(long, value_name = "M", default_value_t = 1, help_heading = "Output")]
    pub(crate) tables: u32,
    /// Rows of each table [default: as many as the private table has]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) rows: Option<usize>,
    /// Part of E to spend on releasing the quality score
    #[arg(long, value_name = "Q", default_value = "0", allow_hyphen_values = true, help_heading = "Output")]
    pub(crate) score_epsilon: String,
    /// Format of the tables: csv, csv.gz, tsv, parquet or arrow [default: that of the private table]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<String>,
}

const SYNTH_EXAMPLES: &str = "\
Examples:
  indistinct synth private.csv --epsilon 1
  indistinct synth private.csv --epsilon 1 --schema schema.toml --out release-2026 --score-epsilon 0.05
  indistinct ledger init budget.ledger --epsilon 3 --id survey
  indistinct synth private.csv --epsilon 1 --ledger budget.ledger --ledger-id survey
  indistinct synth private.csv --epsilon 1 --delta 1e-6 --schema schema.toml --dry-run
  indistinct synth private.csv --epsilon 1 --delta 1e-6 --schema schema.toml
  indistinct verify release
  indistinct synth private.csv --epsilon 1 --method noisy-bayes --bounds age=0:120,income=0:500000";

/// More rows from a released model: post-processing, costs nothing
///
/// With --where only rows for which a condition is true are kept; rows are drawn until there are enough. Columns are
/// compared with numbers, 'strings', true and false, and with each other: == != < <= > >=, in (...), is missing, joined by
/// and, or, not and parentheses; + - * compute with numbers, and with days for dates. Names that are no plain words stand
/// in back-quotes. What is compared with a missing value is unknown, and does not pass. If fewer than about one row in
/// 100,000 passes, nothing is written. All rows satisfy the constraints of the release's schema.
#[derive(Debug, Args)]
#[command(after_long_help = SAMPLE_EXAMPLES)]
pub(crate) struct Sample {
    /// The model.json of a release
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// How many rows
    #[arg(long, value_name = "N")]
    pub(crate) rows: usize,
    /// File to write: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather; must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Which private draw to use, counted from 1
    #[arg(long, value_name = "L", default_value_t = 1)]
    pub(crate) draw: usize,
    /// Only rows that pass this condition, as in "age > 60 and sex == 'F'"
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

const SAMPLE_EXAMPLES: &str = "\
Examples:
  indistinct sample release/model.json --rows 100000 --out more.parquet
  indistinct sample release/model.json --rows 500 --out old.csv --where \"age > 60 and sex == 'F'\"
  indistinct sample release/model.json --rows 500 --out late.csv --where \"admitted >= '2020-01-01' and not smoker\"
  indistinct sample release/model.json --rows 500 --out odd.csv --where \"`odd name` in ('a', 'b') or x is missing\"";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Modelling {
    /// Mixed, unless the schema has up to 20 plain numbers only, or options of the normal model are given
    Auto,
    /// Numbers, each normal given those before: the pMSE mechanism with its options below
    Normal,
    /// Columns of any type, with missing values, atoms and any shape
    Mixed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sensitivity {
    /// The proven 1/(2n)
    Tight,
    /// The paper's 1/n
    Paper,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cells {
    /// Fixed cells in the model's own probability space
    Partition,
    /// The best tree over thresholds of the synthetic table
    Optimal,
    /// A tree grown privately against the located model
    PrivateTree,
    /// A greedy tree, as in the paper: no guarantee
    Cart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Draws {
    /// Exact choices from finite sets of candidates
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only
    Metropolis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Synthesis {
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

impl Synthesis {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
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
