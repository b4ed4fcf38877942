//! Errors of ledger files, with advice.

use std::io;
use std::path::Path;

use indistinct::Message;
use indistinct::privacy::ledger::LedgerError;

/// The reason why a ledger file could not be made, read or charged: the file, and what is wrong. Displays as one
/// line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct LedgerFileError {
    file: String,
    pub(super) problem: LedgerFileProblem,
}

/// A problem of a ledger file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerFileProblem {
    /// No file with this name.
    #[error("there is no such ledger")]
    NotFound,
    /// A new ledger would replace a file.
    #[error("the file exists, and a ledger never replaces a file")]
    Exists,
    /// A folder where a file is needed.
    #[error("this is a folder, not a ledger")]
    IsFolder,
    /// Another run held it too long.
    #[error("the ledger is locked by another run, also after waiting {seconds} s")]
    Locked {
        /// Seconds waited.
        seconds: u64,
    },
    /// The file system has no locks, so that two runs could spend the same budget.
    #[error("the ledger cannot be locked: {0}")]
    NoLocks(String),
    /// Another file took its name while it was charged.
    #[error("the ledger was replaced by another file while it was charged")]
    Replaced,
    /// The operating system refused to read it.
    #[error("the ledger cannot be read: {0}")]
    Read(String),
    /// The operating system refused to write it.
    #[error("the ledger cannot be written: {0}")]
    Write(String),
    /// No ledger, one that was changed, or a charge that is refused.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl LedgerFileError {
    /// An error from this problem of this file.
    pub(super) fn new(path: &Path, problem: impl Into<LedgerFileProblem>) -> Self {
        Self { file: path.display().to_string(), problem: problem.into() }
    }

    /// The file's name, as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The problem.
    pub fn problem(&self) -> &LedgerFileProblem {
        &self.problem
    }

    /// Advice in one line.
    pub fn advice(&self) -> Message {
        match &self.problem {
            LedgerFileProblem::NotFound => "make it with `indistinct ledger init`, or correct the name",
            LedgerFileProblem::Exists => {
                "choose another name; to see what is in it, `indistinct ledger show`"
            }
            LedgerFileProblem::IsFolder => "name the file that `indistinct ledger init` made",
            LedgerFileProblem::Locked { .. } => "try again when the other run is done; nothing was charged",
            LedgerFileProblem::NoLocks(_) => "keep the ledger on a local disk; nothing was charged",
            LedgerFileProblem::Replaced => {
                "find out which program replaces it, and check it with `indistinct ledger verify` before trying again"
            }
            LedgerFileProblem::Read(_) => "check that you may read the file",
            LedgerFileProblem::Write(_) => {
                "check that the folder exists, that you may write there, and the free space"
            }
            LedgerFileProblem::Ledger(error) => return error.advice(),
        }
        .into()
    }

    /// Whether a charge was refused because of the release's promise, whatever budget is left.
    pub fn lacks_guarantee(&self) -> bool {
        matches!(&self.problem, LedgerFileProblem::Ledger(error) if error.lacks_guarantee())
    }

    /// Whether a charge was refused for the sake of privacy, rather than because the file cannot be used.
    pub fn is_refusal(&self) -> bool {
        matches!(&self.problem, LedgerFileProblem::Ledger(error) if error.is_refusal())
    }
}

impl LedgerFileProblem {
    /// The problem of a file that is opened or read.
    pub(super) fn reading(error: &io::Error) -> Self {
        Self::known(error).unwrap_or_else(|| Self::Read(error.to_string()))
    }

    /// The problem of a file that is made or written.
    pub(super) fn writing(error: &io::Error) -> Self {
        Self::Write(error.to_string())
    }

    fn known(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::NotFound => Some(Self::NotFound),
            io::ErrorKind::IsADirectory => Some(Self::IsFolder),
            _ => None,
        }
    }
}
