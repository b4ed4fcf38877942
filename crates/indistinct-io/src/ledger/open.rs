//! Opening a privacy budget, reading and checking it, and what is said when that fails.

use std::path::Path;

use indistinct::privacy::Epsilon;
use indistinct::privacy::ledger::LedgerError;

use super::options::InitOptions;
use super::{LedgerFile, LedgerFileError, LedgerFileProblem};
use crate::{Failure, in_flags};

/// Above this a guarantee says little: the odds of a guess about a person may grow by e^10.
const LARGE_UNITS: u64 = 10 * Epsilon::UNITS_PER_ONE;

/// Opens a ledger with the total that may ever be spent. The file must not exist.
///
/// # Errors
/// When the name is empty, or the file cannot be made.
pub fn init(path: &Path, options: &InitOptions<'_>) -> Result<LedgerFile, Failure> {
    LedgerFile::create(path, &options.checked()?).map_err(ledger_failure)
}

/// A warning of a total that protects little.
pub fn warning(ledger: &LedgerFile) -> Option<String> {
    let epsilon = ledger.ledger().opening().epsilon;
    (epsilon.units() > LARGE_UNITS)
        .then(|| format!("a total epsilon of {epsilon} protects little; below 10 is usual"))
}

/// Reads a ledger and checks its chain.
///
/// # Errors
/// When it is no ledger, or was changed.
pub fn read(path: &Path) -> Result<LedgerFile, Failure> {
    LedgerFile::read(path).map_err(ledger_failure)
}

/// The problem with a ledger.
#[derive(Debug)]
pub struct InvalidLedger {
    /// The problem, without the file's name.
    pub problem: String,
    /// Advice on what to do about it.
    pub advice: String,
    /// The same as a failure.
    pub failure: Failure,
}

/// Checks the chain of a ledger, and that a head noted earlier is still in it.
///
/// # Errors
/// When either does not hold.
pub fn verify(path: &Path, head: Option<&str>) -> Result<LedgerFile, InvalidLedger> {
    let ledger = LedgerFile::read(path).map_err(|error| InvalidLedger {
        problem: problem_in_flags(error.problem()),
        advice: in_flags(&error.advice()),
        failure: ledger_failure(error),
    })?;
    match head {
        Some(head) if !ledger.has_head(head.trim()) => {
            let problem = "the ledger was rewritten: the head that was noted is not in its chain".to_owned();
            let advice =
                "restore the file from a backup; if there is none, count everything released so far as spent";
            let failure = Failure::failed(format!("{}: {problem}", path.display())).advise(advice);
            Err(InvalidLedger { problem, advice: advice.to_owned(), failure })
        }
        _ => Ok(ledger),
    }
}

/// The failure when a ledger cannot be used, or refuses.
pub fn ledger_failure(error: LedgerFileError) -> Failure {
    let what = format!("{}: {}", error.file(), problem_in_flags(error.problem()));
    let failure = if error.lacks_guarantee() {
        Failure::no_guarantee(what)
    } else if error.is_refusal() {
        Failure::refused(what)
    } else {
        Failure::failed(what)
    };
    failure.advise(in_flags(&error.advice()))
}

fn problem_in_flags(problem: &LedgerFileProblem) -> String {
    match problem {
        LedgerFileProblem::Ledger(error) => in_flags(&error.message()),
        other => other.to_string(),
    }
}

/// The same of a refusal that is known before the ledger is read.
pub(crate) fn ledger_error_failure(file: &str, error: &LedgerError) -> Failure {
    Failure::no_guarantee(format!("{file}: {}", in_flags(&error.message()))).advise(in_flags(&error.advice()))
}
