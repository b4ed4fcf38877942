//! Arguments of `indistinct reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Rerun the experiments of the paper: its methods, their competitors and ours side by side
///
/// Snoke and Slavković (2018) measured three things on simulated tables, all of which are measured again here: how often
/// a greedy tree violates the sensitivity bound (table1, with figure 1), how well a classifier can tell released tables
/// from private ones (table2), and how far regression coefficients from released tables are off (regression, with figure 2
/// and the appendix figure).
///
/// The folder that --out names receives CSV files, figures as SVG and summary.md, which puts the published number, ours and
/// its interval side by side. Finished blocks of simulations are kept there as they come: a run that was stopped goes on
/// with --resume, and ends as if it had never been stopped. With more --simulations it can be resumed too.
///
/// On two cores table1 takes about an hour for the paper's 1,000,000 simulations; table2 and regression take some
/// twenty minutes each for 500, most of it for the paper's own random walks.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Which experiment
    #[arg(value_enum, value_name = "EXPERIMENT")]
    pub(crate) experiment: Which,
    /// Simulations of every setting [default: 200000 for table1, 500 for table2 and regression]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) simulations: Option<u64>,
    /// Folder of results, made if it is not there
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub(crate) out: PathBuf,
    /// Go on with the results that are in the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// Write the page here too, with links to the figures in --out
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// Violations of the sensitivity bound by greedy trees, and figure 1
    Table1,
    /// Mean and variance of the pMSE of released tables
    Table2,
    /// Errors of regression coefficients: figure 2 and the appendix figure
    Regression,
    /// All three
    All,
}

const EXAMPLES: &str = "\
Examples:
  indistinct reproduce table1 --simulations 10000
  indistinct reproduce table1 --simulations 1000000 --resume
  indistinct reproduce all --out results --seed 7";
