//! Arguments of `indistinct reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indistinct_paper::simulations::Simulations;

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
/// twenty minutes each for 500, most of it for the paper's own random walks, and variants of these as long again. --simulations
/// can give these a number of their own.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// Which experiment
    #[arg(value_enum, value_name = "EXPERIMENT")]
    pub(crate) experiment: Which,
    /// Simulations of every setting: one number, or `table1=N,methods=N,chains=N,variants=N,slow-variants=N`, or some of these
    ///
    /// Methods are those of table2 and regression that have no chains; chains are the paper's random walks; variants are these with
    /// another choice where the paper leaves one, of which the slow ones take ten times as long. With one number, variants have no
    /// more than usual [default: table1=200000,methods=500,chains=500,variants=50,slow-variants=10]
    #[arg(long, value_name = "N")]
    pub(crate) simulations: Option<Simulations>,
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
  indistinct reproduce table2 --simulations methods=500,chains=60,variants=20,slow-variants=5
  indistinct reproduce all --out results --seed 7";
