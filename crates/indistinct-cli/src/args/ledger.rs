//! `indistinct ledger` as typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The privacy budget of one data set, across releases
///
/// Every release of a table reveals something, and the epsilons (and deltas) of all its releases add up. A ledger is a
/// small text file that keeps the sum: it is opened with a total, `indistinct synth --ledger FILE` charges it before
/// anything is released, and a release that does not fit is refused (exit code 3).
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
    Verify(LedgerVerify),
}

const EXAMPLES: &str = "\
Examples:
  indistinct ledger init patients.ledger --epsilon 3 --id patients-2026
  indistinct synth patients.csv --epsilon 1 --ledger patients.ledger
  indistinct ledger show patients.ledger
  indistinct ledger verify patients.ledger";

/// Open a ledger with the total that may ever be spent on a data set
///
/// Choose the total before the first release and keep to it. The first charge ties the ledger to the columns of its
/// table (names, types and levels, in order); with --id it is also tied to a name that releases can declare.
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
    /// All deltas that may be spent, over all releases together, such as 1e-6; 0 allows pure releases only
    #[arg(long, value_name = "D", default_value = "0", allow_negative_numbers = true)]
    pub(crate) delta: String,
    /// What the data set is called
    #[arg(long, value_name = "NAME")]
    pub(crate) id: Option<String>,
}

const INIT_EXAMPLES: &str = "\
Examples:
  indistinct ledger init patients.ledger --epsilon 3
  indistinct ledger init patients.ledger --epsilon 3 --id patients-2026
  indistinct ledger init patients.ledger --epsilon 3 --json | jq -r .head > patients.head";

/// Show what was charged and what is left
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

/// Check that a ledger was neither changed nor cut
///
/// Exit code 0 if every line matches its hash, all lines are there, and no more was charged than there was; 1 if not.
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
