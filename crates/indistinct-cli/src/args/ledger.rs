//! `indistinct ledger` as typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use indistinct::privacy::Neighbours;

use super::words::one_of;

/// The privacy budget of one data set, across releases
///
/// Every release of a data set reveals something, and what they reveal adds up, whatever columns they have. A ledger is a
/// small text file that keeps account: it is opened with a total, `indistinct synth --ledger FILE` charges it before
/// anything is released, and a release that does not fit is refused (exit code 3). Pure releases are added up by epsilon,
/// those with a delta by rho, which is less than their epsilons add up to.
///
/// Each line carries a hash of itself and of the line before, and the second line counts them, so that a line that was
/// changed, removed or moved is seen. A run that is killed may lose budget, never privacy. Keep the file with the
/// private data, back it up, and never restore an older copy without counting what was released since.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Ledger {
    #[command(subcommand)]
    pub(crate) action: LedgerAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerAction {
    Init(LedgerInit),
    Show(LedgerShow),
    Plan(LedgerPlan),
    Verify(LedgerVerify),
}

const EXAMPLES: &str = "\
Examples:
  indistinct ledger init patients.ledger --epsilon 3 --id patients-2026
  indistinct synth patients.csv --epsilon 1 --ledger patients.ledger
  indistinct ledger show patients.ledger
  indistinct ledger plan patients.ledger --releases 3
  indistinct ledger verify patients.ledger";

/// Open a ledger with the total that may ever be spent on a data set
///
/// Choose the total before the first release and keep to it. Open one ledger for a data set and charge everything that is
/// released from it there: other columns, other schemas, other columns of persons. With --id it has a name that releases
/// can ask for (`synth --ledger-id NAME`).
///
/// An existing file is never replaced.
#[derive(Debug, Args)]
#[command(after_long_help = INIT_EXAMPLES)]
pub(crate) struct LedgerInit {
    /// The ledger to make; must not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// All that may be spent, over all releases together
    #[arg(long, value_name = "TOTAL", allow_negative_numbers = true)]
    pub(crate) epsilon: String,
    /// With which probability the promise of all releases together may fail, such as 1e-6; 0 allows pure releases only
    #[arg(long, value_name = "D", default_value = "0", allow_negative_numbers = true)]
    pub(crate) delta: String,
    /// What the data set is called
    #[arg(long, value_name = "NAME")]
    pub(crate) id: Option<String>,
    /// Between which tables the sum holds: releases for added or removed rows count twofold where one is substituted, and
    /// releases for substituted rows are refused where one is added or removed
    #[arg(long, value_parser = one_of::<Neighbours>(), value_name = "RELATION", default_value = "substitute")]
    pub(crate) neighbours: Neighbours,
}

const INIT_EXAMPLES: &str = "\
Examples:
  indistinct ledger init patients.ledger --epsilon 3
  indistinct ledger init patients.ledger --epsilon 3 --delta 1e-6 --id patients-2026
  indistinct ledger init patients.ledger --epsilon 3 --json | jq -r .head > patients.head";

/// Show what was charged, what that comes to together, and what is left
///
/// Releases with a delta are added up by rho and converted at the ledger's delta: three of (0.6, 1e-6) are together about
/// (1.02, 3e-6), and not epsilon 1.8. What is left is the most that one more release may have.
///
/// The chain is checked first: a ledger that was changed or cut is not shown, but said to be so (exit code 1).
#[derive(Debug, Args)]
#[command(after_long_help = SHOW_EXAMPLES)]
pub(crate) struct LedgerShow {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  indistinct ledger show patients.ledger
  indistinct ledger show patients.ledger --json | jq .remaining";

/// Divide what is left over equal releases
///
/// Says what to type for each of them: they fit together, and use up what is left but for rounding. Each gets an equal part
/// of the ledger's delta unless --delta says otherwise; with --delta 0 all are pure.
#[derive(Debug, Args)]
#[command(after_long_help = PLAN_EXAMPLES)]
pub(crate) struct LedgerPlan {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How many releases are still to come
    #[arg(long, value_name = "K")]
    pub(crate) releases: u64,
    /// The delta of each of them
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) delta: Option<String>,
}

const PLAN_EXAMPLES: &str = "\
Examples:
  indistinct ledger plan patients.ledger --releases 3
  indistinct ledger plan patients.ledger --releases 12 --delta 1e-8
  indistinct ledger plan patients.ledger --releases 3 --json | jq -r .options";

/// Check that a ledger was neither changed nor cut
///
/// Exit code 0 if every line matches its hash, all lines are there, and all charges together, composed anew, are within the
/// total; 1 if not.
///
/// Somebody who rewrites the whole file, hashes and all, cannot be found out by the file alone. Note the head of the
/// chain elsewhere (`ledger show` prints it) and pass it as --head: a rewritten ledger does not contain it.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY_EXAMPLES)]
pub(crate) struct LedgerVerify {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A head of the chain that was noted earlier: must be the hash of one of the entries
    #[arg(long, value_name = "HASH")]
    pub(crate) head: Option<String>,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  indistinct ledger verify patients.ledger
  indistinct ledger verify patients.ledger --head \"$(cat patients.head)\"";
