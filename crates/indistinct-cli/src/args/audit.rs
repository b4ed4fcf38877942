//! Arguments of `indistinct audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indistinct_audit::world::World;
use indistinct_paper::release::MethodArg;

use super::synth_options::{BASELINE, SynthArgs};
use super::words::one_of;

/// Attack releases as an outsider would, and compare what that proves with what is certified
///
/// Two tables that differ in what one person owns are released many times each, exactly as `synth` does with the same options.
/// Everything that a release publishes (parameters, certificate, synthetic table) is searched for what tells the tables apart:
/// statistics are fitted and chosen on one half of the releases and judged on the other, which gives a lower bound on epsilon
/// at a stated confidence. A bound above the certified epsilon is a leak, and exit code 3. A bound below it is no proof that
/// there is none.
///
/// Without PRIVATE the tables are made to be the hardest to protect (--world); with it they are neighbours of your own table: then everything
/// printed is computed from private data and must not be published. --exact enumerates instead: all tiny tables, all
/// neighbours, all outputs, in exact arithmetic.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Audit {
    /// A private table, whose own neighbours are audited: .csv, .csv.gz, .tsv, .parquet, .arrow, .feather, or -
    #[arg(value_name = "PRIVATE")]
    pub(crate) table: Option<PathBuf>,
    /// What the columns of PRIVATE mean; without it a draft is made
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) schema: Option<PathBuf>,
    /// PRIVATE has no header line: its columns get the names that the schema declares, in its order, or, without one, are column1,
    /// column2 and so on
    #[arg(long, requires = "table")]
    pub(crate) no_header: bool,
    /// What text that is not UTF-8 is encoded in: latin1, windows-1252, utf-16le, shift_jis, ... (UTF-16 with a mark in front is
    /// told by that)
    #[arg(long, value_name = "NAME", requires = "table")]
    pub(crate) encoding: Option<String>,

    /// Which pairs of neighbouring tables
    #[arg(long, value_enum, value_name = "WORLD", default_value_t = Which::All, help_heading = "Audit")]
    pub(crate) world: Which,
    /// Releases from each side of every pair: half to choose the attack, half to judge it
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(FEWEST..), help_heading = "Audit")]
    pub(crate) releases: u64,
    /// Confidence of all bounds together
    #[arg(long, value_name = "C", default_value_t = 0.95, help_heading = "Audit")]
    pub(crate) confidence: f64,
    /// Rows of the tables of a world, at least 50 [default: as few as --epsilon can work with]
    #[arg(long, value_name = "N", conflicts_with = "table", help_heading = "Audit")]
    pub(crate) world_rows: Option<usize>,
    /// Their columns; at least 3 in the world `parity`
    #[arg(long, value_name = "Q", default_value_t = 1, conflicts_with = "table", value_parser = clap::value_parser!(u8).range(1..=20), help_heading = "Audit")]
    pub(crate) world_columns: u8,
    /// Enumerate all neighbours of tiny tables instead, exactly
    #[arg(long, conflicts_with_all = ["table", "out", "work"], help_heading = "Audit")]
    pub(crate) exact: bool,
    /// Draw the privacy curve into this SVG file; of a PRIVATE table it is not to be published
    #[arg(long, value_name = "FILE", help_heading = "Audit")]
    pub(crate) out: Option<PathBuf>,
    /// Keep releases in this folder as they come; of a PRIVATE table they are, together, as private as it is
    #[arg(long, value_name = "DIR", help_heading = "Audit")]
    pub(crate) work: Option<PathBuf>,
    /// Go on with the releases that are in the folder
    #[arg(long, requires = "work", help_heading = "Audit")]
    pub(crate) resume: bool,
    /// Break the program on purpose, to see that the audit notices
    #[cfg(feature = "broken")]
    #[arg(long, value_name = "FAULT", conflicts_with = "table", value_parser = broken_of, help_heading = "Audit")]
    pub(crate) broken: Option<indistinct_audit::fault::Broken>,

    /// What makes the releases: the mechanism of this program, or a method that it is compared with
    #[arg(long, value_parser = one_of::<MethodArg>(), value_name = "METHOD", default_value = "pmse", help_heading = BASELINE, hide = true)]
    pub(crate) method: MethodArg,
    #[command(flatten)]
    pub(crate) options: SynthArgs,
}

/// Fewest releases from each side.
const FEWEST: u64 = indistinct_audit::audit::FEWEST_RELEASES;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// One person from among the others to the other end of the world
    Outlier,
    /// All rows the same, but one person's
    Duplicates,
    /// Half of the rows one value, and one person's fewer
    Spike,
    /// One person from among millions to 1e-310, beside the only zero
    Subnormal,
    /// Numbers from 1e-310 to 1e300, and one person from one end to the other
    Magnitudes,
    /// A level that only one person has
    RareLevel,
    /// Only one level declared, and one person without it
    OneLevel,
    /// A declared level that nobody has, but for one person
    UnusedLevels,
    /// The only missing value
    Missing,
    /// The only value that is not missing
    AllMissing,
    /// A cell of three columns that only one person is in; pairs of them are even
    Parity,
    /// All of these that the options know
    All,
}

impl Which {
    /// The worlds that are meant.
    pub(crate) fn worlds(self) -> Vec<World> {
        match self {
            Self::Outlier => vec![World::Outlier],
            Self::Duplicates => vec![World::Duplicates],
            Self::Spike => vec![World::Spike],
            Self::Subnormal => vec![World::Subnormal],
            Self::Magnitudes => vec![World::Magnitudes],
            Self::RareLevel => vec![World::RareLevel],
            Self::OneLevel => vec![World::OneLevel],
            Self::UnusedLevels => vec![World::UnusedLevels],
            Self::Missing => vec![World::Missing],
            Self::AllMissing => vec![World::AllMissing],
            Self::Parity => vec![World::Parity],
            Self::All => World::ALL.to_vec(),
        }
    }
}

/// The fault of a name.
#[cfg(feature = "broken")]
fn broken_of(name: &str) -> Result<indistinct_audit::fault::Broken, String> {
    let all = indistinct_audit::fault::Broken::ALL;
    let names = || all.map(indistinct_audit::fault::Broken::name).join(", ");
    all.into_iter().find(|broken| broken.name() == name).ok_or_else(|| format!("not one of {}", names()))
}

const EXAMPLES: &str = "\
Examples:
  indistinct audit --epsilon 1
  indistinct audit --epsilon 1 --delta 1e-6 --model mixed --world rare-level --releases 5000
  indistinct audit --epsilon 2 --discriminator optimal --measure-share 0 --out curve.svg
  indistinct audit --epsilon 1 --releases 100000 --work audit --resume
  indistinct audit private.csv --schema schema.toml --epsilon 1
  indistinct audit --exact --epsilon 0.5";
