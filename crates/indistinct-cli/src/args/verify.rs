//! `indistinct verify` as typed.

use std::path::PathBuf;

use clap::Args;
use indistinct_io::verify::Requirement;

use super::words::one_of;

/// Check a release: its certificate against its files and its own arithmetic
///
/// Needs nothing but the folder: no private data, no ledger. It adds up what the steps of the certificate cost, asks
/// which guarantee those steps carry, compares that with what is claimed, hashes every file, and compares model and tables
/// with the certificate. Then it says in words what is promised, what that rests on, and what is outside it.
///
/// Exit code 0 if the release is whole and its claim follows; 1 if a file differs, is missing or cannot be read; 3 if
/// the certificate claims more than its parts carry, claims nothing, or claims less than --require.
///
/// It shows that a release is whole and consistent, not who made it: somebody who writes a consistent certificate by
/// hand is not found out. Get releases from where you trust.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The folder of the release
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Fail with exit code 3 if the guarantee is weaker: conditional, at stationarity and none always are
    #[arg(long, value_parser = one_of::<Requirement>(), value_name = "KIND")]
    pub(crate) require: Option<Requirement>,
}

const EXAMPLES: &str = "\
Examples:
  indistinct verify release
  indistinct verify release --json | jq .guarantee
  indistinct verify release --require pure --quiet && echo fine";
