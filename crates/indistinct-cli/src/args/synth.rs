//! Arguments of `indistinct synth` and `indistinct sample`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Objective;

/// Make a private synthetic table, with a certificate that says which guarantee holds and why
///
/// Parameters of a sequential normal model are drawn privately: every column is located wherever it lies (no bounds are
/// asked for), its dependence on the columns before it is found, and noisy counts of cells are fitted. Everything that
/// looks at the private rows is charged to --epsilon, exactly, and listed on the certificate.
///
/// The folder that --out names appears complete or not at all, with synthetic.csv (in the format of the private table),
/// model.json for `indistinct sample`, certificate.json, which `indistinct verify` checks, and report.html, a page made
/// only from these files: the guarantee in words, where the budget went, and what the synthetic table looks like.
///
/// For now all columns must be numbers; others can be declared `identifier` in a schema and are then left out.
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
pub(crate) struct Synth {
    /// The private table: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather, or - for CSV on standard input
    #[arg(value_name = "PRIVATE")]
    pub(crate) table: PathBuf,
    /// Total privacy budget of everything the run publishes (required)
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub(crate) epsilon: Option<String>,
    /// What the columns mean; without it types are read from the data, outside the guarantee
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Folder to write; must not exist
    #[arg(long, value_name = "DIR", default_value = "release")]
    pub(crate) out: PathBuf,
    /// Replace an earlier release in --out
    #[arg(long)]
    pub(crate) force: bool,
    /// Charge E to this ledger before anything is released; refuse if it does not fit
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// The name that the ledger must have been opened with
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub(crate) ledger_id: Option<String>,

    /// Quality function that candidates are compared by
    #[arg(long, value_enum, default_value_t = Objective::Pmae, help_heading = "Mechanism")]
    pub(crate) quality: Objective,
    /// What finds the cells that candidates are judged by; cart carries no guarantee
    #[arg(long, value_enum, default_value_t = Cells::Partition, help_heading = "Mechanism")]
    pub(crate) discriminator: Cells,
    /// What draws the parameters
    #[arg(long, value_enum, default_value_t = Draws::Zoom, help_heading = "Mechanism")]
    pub(crate) sampler: Draws,
    /// Least part of the budget for noisy cell counts, to which the parameters are fitted; 0 is the exponential mechanism
    /// alone [default: 0.6, or less where finding the columns needs more; 0 with metropolis]
    #[arg(long, value_name = "S", allow_hyphen_values = true, help_heading = "Mechanism")]
    pub(crate) measure_share: Option<f64>,
    /// 1/(2n), or twice that as in the paper
    #[arg(long, value_enum, default_value_t = Sensitivity::Tight, help_heading = "Mechanism")]
    pub(crate) sensitivity: Sensitivity,
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

    /// Private draws of the parameters, epsilon/L each
    #[arg(long, value_name = "L", default_value_t = 1, help_heading = "Output")]
    pub(crate) draws: u32,
    /// Synthetic tables for each draw (free)
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
  indistinct verify release";

/// More rows from a released model: post-processing, costs nothing
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
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

const SAMPLE_EXAMPLES: &str = "\
Examples:
  indistinct sample release/model.json --rows 100000 --out more.parquet";

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
