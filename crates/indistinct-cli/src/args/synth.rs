//! Arguments of `indistinct synth`, `indistinct baseline` and `indistinct sample`.

use std::path::PathBuf;

use clap::{Arg, Args};
use indistinct_paper::release::MethodArg;

use super::synth_options::{BASELINE, MORE, SynthArgs};
use super::words::one_of;

/// Make a private synthetic table, with a certificate that says which guarantee holds and why
///
/// Columns may be numbers, counts, dates, booleans and categories, with missing values, heaps and spikes. No bounds are asked
/// for: every column is found wherever it lies. Its distribution is measured with exact noise, then how columns depend on
/// each other, and what tells model and private rows apart best is measured and corrected. With --model normal, tables of numbers get a
/// sequential normal model instead, drawn by the pMSE mechanism. Everything that looks at the private rows is
/// charged to --epsilon, exactly, and listed on the certificate; --dry-run says beforehand how it is divided.
///
/// The folder that --out names appears complete or not at all, with synthetic.csv (in the format of the private table),
/// model.json for `indistinct sample`, certificate.json, which `indistinct verify` checks, and report.html, a page made
/// only from these files: the guarantee in words, where the budget went, and what the synthetic table looks like.
/// Synthetic rows satisfy the constraints of the schema; whether the private ones do is not looked at.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that is given or not")]
#[derive(Debug, Args)]
#[command(after_long_help = SYNTH_EXAMPLES)]
pub(crate) struct Synth {
    /// The private table: .csv, .tsv or .txt (also .gz or .zip), .xlsx, .ods, .parquet, .arrow, .feather, a folder or several files of
    /// Parquet, or - for CSV on standard input; what separates the fields of a text is told from its header
    #[arg(value_name = "PRIVATE", required = true)]
    pub(crate) private: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) options: SynthArgs,
    /// What the columns mean; without it types and levels are read from the data, and the guarantee is conditional on that
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The table has no header line: its columns get the names that the schema declares, in its order, or, without one, are column1,
    /// column2 and so on
    #[arg(long, help_heading = MORE)]
    pub(crate) no_header: bool,
    /// What text that is not UTF-8 is encoded in: latin1, windows-1252, utf-16le, shift_jis, ... (UTF-16 with a mark in front is
    /// told by that)
    #[arg(long, value_name = "NAME", help_heading = MORE)]
    pub(crate) encoding: Option<String>,
    /// Folder to write; must not exist
    #[arg(long, value_name = "DIR", default_value = "release")]
    pub(crate) out: PathBuf,
    /// Replace an earlier release in --out
    #[arg(long)]
    pub(crate) force: bool,
    /// Say how the budget would be divided, and whether the ledger would take the charge, and stop: nothing is charged, drawn
    /// or written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Charge E, and D, to this ledger before anything is released; refuse if it does not fit
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// The name that the ledger must have been opened with
    #[arg(long, value_name = "NAME", requires = "ledger", help_heading = MORE)]
    pub(crate) ledger_id: Option<String>,
    /// Charge the ledger also where the guarantee is conditional, because the schema was drafted from the data
    ///
    /// A ledger adds up guarantees. It refuses releases that have none (a seed, a method without one), and releases whose
    /// guarantee holds only provided that what was learned from the rows is public anyway, unless this says that it is.
    #[arg(long, requires = "ledger", help_heading = MORE)]
    pub(crate) accept_conditional: bool,
    /// Format of the tables: csv, csv.gz, tsv, parquet or arrow [default: that of the private table]
    #[arg(long, value_name = "FORMAT", help_heading = MORE)]
    pub(crate) format: Option<String>,
    /// Read the table in passes, with about this much memory for rows, as in 2GB or 500MB, instead of keeping it in memory
    ///
    /// Rows are then read some five to fifteen times, a part at a time. The release is the same. A table that would take more than half of the
    /// free memory is read in passes by itself, if a schema is given.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = MORE)]
    pub(crate) memory: Option<usize>,
    /// Rehearse the release this many times, so that its page has error bars: at no cost to privacy
    ///
    /// A rehearsal takes about as long as the release. `indistinct interval` gives bars for other numbers later.
    #[arg(long, value_name = "B", help_heading = MORE)]
    pub(crate) rehearsals: Option<usize>,
    /// Where comparison methods were before they had a command of their own
    #[arg(long, value_name = "METHOD", hide = true)]
    pub(crate) method: Option<String>,
    /// The options of the normal model (--model normal), and what they do
    #[arg(long, help_heading = MORE)]
    pub(crate) help_normal: bool,
}

/// A number of bytes, as in 2GB, 500MB or 64 MB.
fn size(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let units = [("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1.0)];
    let upper = text.to_ascii_uppercase();
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((upper.strip_suffix(name)?, *unit)))
        .unwrap_or((upper.as_str(), 1.0));
    let bytes = number.trim().parse::<f64>().ok().map(|number| number * unit);
    bytes
        .filter(|bytes| (LEAST_MEMORY..1e18).contains(bytes))
        .map(|bytes| bytes as usize)
        .ok_or_else(|| "a size is a number with MB or GB, as in 2GB, of at least 16MB".to_owned())
}

/// Least memory for rows: parts of a table are not smaller than about a megabyte.
const LEAST_MEMORY: f64 = 16e6;

const SYNTH_EXAMPLES: &str = "\
Examples:
  indistinct synth private.csv --epsilon 1
  indistinct synth private.csv --epsilon 1 --schema schema.toml --out release-2026 --score-epsilon 0.05
  indistinct ledger init budget.ledger --epsilon 3 --id survey
  indistinct synth private.csv --epsilon 1 --ledger budget.ledger --ledger-id survey
  indistinct synth private.csv --epsilon 1 --delta 1e-6 --schema schema.toml --dry-run
  indistinct synth private.csv --epsilon 1 --delta 1e-6 --schema schema.toml
  indistinct synth visits.csv --epsilon 1 --person patient_id --rows-per-person 2 --schema visits.toml
  indistinct verify release
  indistinct synth --help-normal";

/// Make a release by one of the methods that the paper compares the pMSE mechanism with, for experiments
///
/// All but `posterior-predictive` clip rows of numbers to --bounds first, and promise something only if those are known without looking at the rows.
/// Everything else is as with `synth`: its folder, certificate and ledger. There is neither a delta nor a quality score.
#[derive(Debug, Args)]
#[command(after_long_help = BASELINE_EXAMPLES, mut_args = shown_by_baseline)]
pub(crate) struct Baseline {
    /// What makes the release
    #[arg(value_parser = one_of::<MethodArg>(), value_name = "METHOD", id = "baseline")]
    pub(crate) method: MethodArg,
    #[command(flatten)]
    pub(crate) synth: Synth,
}

/// Options of comparison methods are shown; those that mean nothing to them are not, and those that mean something else say it.
fn shown_by_baseline(option: Arg) -> Arg {
    const NOT_FOR_BASELINES: [&str; 10] = [
        "delta",
        "invalid",
        "neighbours",
        "model",
        "score_epsilon",
        "method",
        "help_normal",
        "memory",
        "rehearsals",
        "accept_conditional",
    ];
    if NOT_FOR_BASELINES.contains(&option.get_id().as_str()) {
        return option.hide(true);
    }
    if option.get_id() == "tables" {
        return option.help(
            "Synthetic tables for each draw, at no further privacy cost (but for `smooth-histogram`, which pays for every row)",
        );
    }
    if option.get_help_heading() == Some(BASELINE) { option.hide(false) } else { option }
}

const BASELINE_EXAMPLES: &str = "\
Examples:
  indistinct baseline noisy-bayes private.csv --epsilon 1 --bounds age=0:120,income=0:500000
  indistinct baseline smooth-histogram private.csv --epsilon 1 --bounds -40:40 --bins 20 --seed 1";

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
    /// Which private draw to use, counted from 1
    #[arg(long, value_name = "L", default_value_t = 1)]
    pub(crate) draw: usize,
    /// Only rows that pass this condition, as in "age > 60 and sex == 'F'"
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// File to write: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather; must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
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
