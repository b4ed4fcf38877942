//! The command line as typed.

mod audit;
mod combine;
mod evaluate;
mod help;
mod interval;
mod ledger;
mod reproduce;
mod synth;
mod synth_options;
mod verify;
mod words;

pub(crate) use audit::Audit;
pub(crate) use combine::Combine;
use evaluate::EvaluateArgs;
pub(crate) use help::{Completions, Man};
pub(crate) use interval::{Interval, Rehearse};
pub(crate) use ledger::{Ledger, LedgerAction, LedgerInit, LedgerPlan, LedgerShow, LedgerVerify};
pub(crate) use reproduce::{Reproduce, Which};
pub(crate) use synth::{Baseline, Sample, Synth};
pub(crate) use synth_options::NORMAL;
pub(crate) use verify::Verify;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Differentially private synthetic data that a classifier cannot tell from the real table.
#[derive(Debug, Parser)]
#[command(
    name = "indistinct",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 done; 1 failed (bad input, I/O); 2 wrong usage; 3 refused for privacy."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Print one JSON document on standard output, and nothing else
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) json: bool,
    /// No progress, no warnings
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) quiet: bool,
    /// Threads to use [default: all cores]; results do not depend on it
    #[arg(long, global = true, value_name = "N", help_heading = "Common options")]
    pub(crate) threads: Option<usize>,
    /// Where random numbers start; a release made with it can be repeated, and carries no guarantee
    #[arg(long, global = true, value_name = "S", help_heading = "Common options")]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Synth(Box<Synth>),
    Sample(Sample),
    Evaluate(Evaluate),
    Combine(Combine),
    Interval(Interval),
    Rehearse(Rehearse),
    Schema(Schema),
    Ledger(Ledger),
    Verify(Verify),
    Audit(Box<Audit>),
    Baseline(Box<Baseline>),
    Reproduce(Reproduce),
    Completions(Completions),
    Man(Man),
}

/// How well can a classifier tell a synthetic table from the real one? (For the data holder.)
///
/// It begins with a verdict, close, usable, poor or broken, and the reasons: how many rows trees tell apart that they have not
/// seen, how far tables of two columns are off, and whether dependence was kept.
///
/// A classification tree (or another discriminator) is fitted to the stacked rows of both tables, and its propensity
/// scores are summarised: pMSE, from 0 (cannot tell) to 1/4 (always can), pMAE from 0 to 1/2, and S_pMSE, the pMSE
/// relative to that of another sample of the same population (of a correct fitted model for logistic regression; see
/// --null-reference). The same for every column and every pair of columns, with the total variation distance, and for a
/// control whose columns were shuffled independently: a synthetic table that does not beat the control has no
/// dependence in it. Mean total variation distances over all sets of one, two and three columns need no classifier.
///
/// --predict COLUMN asks what a model of the synthetic rows is worth: a forest trained on them predicts that column of real
/// rows, beside one that was trained on real rows.
///
/// With the default discriminator the results are those of R's rpart, to the last leaf.
///
/// --html writes the same as one page with plots: distributions of both tables side by side, maps of how different pairs
/// of columns are, and the tree that tells the tables apart.
///
/// Everything printed, and the page, is computed from the private data and is not differentially private: do not publish
/// it.
#[derive(Debug, Args)]
#[command(after_long_help = EVALUATE_EXAMPLES)]
pub(crate) struct Evaluate {
    /// The real table: .csv, .tsv or .txt (also .gz or .zip), .xlsx, .ods, .parquet, .arrow, .feather, or - for CSV
    /// on standard input; what separates the fields of a text is told from its header
    #[arg(value_name = "REAL")]
    pub(crate) real: PathBuf,
    /// Synthetic tables to compare with it
    #[arg(value_name = "SYNTHETIC", required = true)]
    pub(crate) synthetic: Vec<PathBuf>,
    /// What the columns mean; without it a column whose values are all numbers in both tables is numeric, any other
    /// categorical
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The real table has no header line: its columns get the names that the schema declares, in its order, or, without one, are
    /// column1, column2 and so on, as in what `synth --no-header` releases
    #[arg(long)]
    pub(crate) no_header: bool,
    /// What text that is not UTF-8 is encoded in: latin1, windows-1252, utf-16le, shift_jis, ... (UTF-16 with a mark in front is
    /// told by that)
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    #[command(flatten)]
    pub(crate) options: EvaluateArgs,

    /// Write a page with plots, computed from the private data; a name without `private` in it gets it: look.html becomes
    /// look.private.html. Must not exist
    #[arg(long, value_name = "FILE", help_heading = "Page")]
    pub(crate) html: Option<PathBuf>,
    /// Replace the page if it exists
    #[arg(long, requires = "html", help_heading = "Page")]
    pub(crate) force: bool,
}

const EVALUATE_EXAMPLES: &str = "\
Examples:
  indistinct evaluate private.csv synthetic.csv
  indistinct evaluate private.csv synthetic-*.csv --cp 0.001 --minbucket 5
  indistinct evaluate private.parquet synthetic.parquet --discriminator optimal --depth 2
  indistinct evaluate private.csv synthetic.csv --discriminator logistic --interactions
  indistinct evaluate private.csv synthetic.csv --predict income
  indistinct evaluate private.csv synthetic.csv --sample 20000 --html look.private.html
  indistinct evaluate private.csv synthetic.csv --json | jq '.tables[0].pairs | sort_by(-.tvd)[:5]'";

/// Draft a schema for a private table, to review and edit
///
/// A schema says what the columns mean: type, levels and their order, missing codes. The draft is made by looking at
/// the private data, and every line that was learned from them is marked as such: a release made with an unreviewed
/// draft carries that on its certificate. Check the marked lines against public documentation of the data.
///
/// Columns that others decide in every row (squares, a body-mass index, age groups of ages) are proposed as derived, rules that
/// hold in every row as constraints, and a column that says whose rows they are for `synth --person`.
#[derive(Debug, Args)]
#[command(after_long_help = SCHEMA_EXAMPLES)]
pub(crate) struct Schema {
    /// The private table: .csv, .tsv or .txt (also .gz or .zip), .xlsx, .ods, .parquet, .arrow, .feather, or - for CSV
    /// on standard input; what separates the fields of a text is told from its header
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// The table has no header line: its columns are named column1, column2 and so on
    #[arg(long)]
    pub(crate) no_header: bool,
    /// What text that is not UTF-8 is encoded in: latin1, windows-1252, utf-16le, shift_jis, ... (UTF-16 with a mark in front is
    /// told by that)
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Write the draft here instead of to standard output; must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  indistinct schema private.csv --out schema.toml
  indistinct evaluate private.csv synthetic.csv --schema schema.toml";
