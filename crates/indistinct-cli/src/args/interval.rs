//! `indistinct interval` and `indistinct rehearse` as typed.

use std::path::PathBuf;

use clap::Args;
use indistinct::interval::{DEFAULT_REPLICATES, Of};
use indistinct_io::interval::{DEFAULT_LEVEL, IntervalOptions};

use super::words::one_of;

/// How wrong may a number of a release be? Error bars for statistics of its synthetic rows
///
/// The release is rehearsed: rows are drawn from its published model, the same program is run on them with noise of its
/// own, and the statistic is computed on what comes out, many times. How far that goes astray is how far the released
/// number may be from the truth: sampling, noise, choices and rounding are all in it. Only published files are read, so it
/// costs no privacy. What the model cannot express at all, rehearsals cannot show.
///
/// STATISTICS: mean(x), median(x), quantile(x, 0.9), share(yes), share(job == 'clerk'), cor(x, y), regressions
/// `y ~ x + z` by least squares with x:z, x*z, log(x), C(x) and categories, and logit(yes ~ x + z). A condition follows
/// after `where`, as in `median(income) where age > 60`, and survey weights inside: `mean(income, weight = pwgtp)`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Interval {
    /// The folder of a release
    #[arg(value_name = "RELEASE")]
    pub(crate) release: PathBuf,
    /// What to compute
    #[arg(value_name = "STATISTIC", required = true)]
    pub(crate) statistics: Vec<String>,
    #[command(flatten)]
    pub(crate) options: IntervalArgs,
    /// Use rehearsals that `indistinct rehearse` has written into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replicates"])]
    pub(crate) rehearsed: Option<PathBuf>,
    /// Write a page with bars, in plain words. Must not exist
    #[arg(long, value_name = "FILE", help_heading = "Page")]
    pub(crate) html: Option<PathBuf>,
    /// Replace the page if it exists
    #[arg(long, requires = "html", help_heading = "Page")]
    pub(crate) force: bool,
}

/// Options of intervals.
#[derive(Debug, Clone, Args)]
pub(crate) struct IntervalArgs {
    /// How many rehearsals
    #[arg(long, value_name = "B", default_value_t = DEFAULT_REPLICATES)]
    pub(crate) replicates: usize,
    /// Probability that an interval is to have
    #[arg(long, value_name = "P", default_value_t = DEFAULT_LEVEL, allow_hyphen_values = true)]
    pub(crate) level: f64,
    /// What the intervals are for
    #[arg(long, value_parser = one_of::<Of>(), default_value = "population")]
    pub(crate) of: Of,
}

impl IntervalArgs {
    /// The same as options. Without a seed the bars of a release are the same every time.
    pub(crate) fn options(&self, seed: Option<u64>) -> IntervalOptions {
        let Self { replicates, level, of } = *self;
        let mut options = IntervalOptions::default();
        options.replicates = replicates;
        options.level = level;
        options.of = of;
        options.seed = seed.unwrap_or_default();
        options
    }
}

/// Rehearse a release, and write the rehearsed tables for analyses of your own
///
/// Rows are drawn from the published model, and the same program is run on them with noise of its own. The folder then has
/// rehearsal-population (the model itself, in many rows), and for every rehearsal the rows that were drawn
/// (rehearsal-0001-drawn) and what the program made of them (rehearsal-0001). Compute a statistic on all of them: how far
/// it is on rehearsal-k from what it is on rehearsal-population shows how far the release may be from the population; from
/// what it is on rehearsal-k-drawn, how far from the private table.
///
/// These files are no release. They are made from published files only, promise nothing and cost nothing. A run that was
/// stopped goes on with --resume.
#[derive(Debug, Args)]
#[command(after_long_help = REHEARSE_EXAMPLES)]
pub(crate) struct Rehearse {
    /// The folder of a release
    #[arg(value_name = "RELEASE")]
    pub(crate) release: PathBuf,
    /// How many rehearsals
    #[arg(long, value_name = "B", default_value_t = DEFAULT_REPLICATES)]
    pub(crate) replicates: usize,
    /// Folder to write; must not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Go on with a folder that was begun with the same settings
    #[arg(long)]
    pub(crate) resume: bool,
    /// Format of the tables: csv, csv.gz, tsv, parquet, arrow, feather
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub(crate) format: String,
}

const EXAMPLES: &str = "\
Examples:
  indistinct interval release \"mean(income)\" \"median(income) where age > 60\"
  indistinct interval release \"share(smoker)\" \"share(job == 'clerk') where sex == 'F'\"
  indistinct interval release \"income ~ age * sex\" \"logit(smoker ~ age + sex)\" --html bars.html
  indistinct interval release \"cor(age, income)\" --of table --level 0.9 --json
  indistinct interval release \"mean(income, weight = pwgtp)\" --rehearsed rehearsals";

const REHEARSE_EXAMPLES: &str = "\
Examples:
  indistinct rehearse release --out rehearsals
  indistinct rehearse release --replicates 200 --out rehearsals --format parquet
  indistinct interval release \"mean(income)\" --rehearsed rehearsals";
