//! Errors of release folders, with advice.

use std::path::Path;

use indistinct::number::size;
use indistinct::privacy::Problem;

use crate::write::WriteProblem;

/// The reason why a release could not be written or read: the folder or file, and what is wrong. Displays as one
/// line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct ReleaseError {
    path: String,
    problem: ReleaseProblem,
}

/// A problem of a release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseProblem {
    /// The name is already taken.
    #[error("the folder exists")]
    Exists,
    /// The existing file is not a folder, or is a link to one.
    #[error("this is not a folder")]
    NotAFolder,
    /// A folder that is to be replaced contains other things than a release.
    #[error("the folder holds something that is not a release, and is not replaced")]
    NotARelease,
    /// No folder can have that name.
    #[error("this does not name a folder that can be made")]
    BadName,
    /// A file of a release has a name that no file should have, or one that is taken.
    #[error("a release cannot hold a file of that name, or holds it already")]
    BadFileName,
    /// The system refused, or a table cannot be spelled.
    #[error(transparent)]
    Write(#[from] WriteProblem),
    /// The disk is too full.
    #[error("the disk has {} left, and the release needs about {}", size(*free), size(*needed))]
    NoSpace {
        /// Most bytes that the release needs.
        needed: u64,
        /// Free bytes.
        free: u64,
    },
    /// There is no such folder.
    #[error("there is no such folder")]
    NotFound,
    /// A folder without a certificate.
    #[error("there is no certificate.json in it")]
    NoCertificate,
    /// The certificate, or another file, cannot be read.
    #[error("cannot be read: {0}")]
    Read(String),
    /// The file is other JSON, or not JSON.
    #[error("this is not a certificate: {0}")]
    NotACertificate(String),
    /// The certificate would claim more than follows from its parts.
    #[error("the certificate claims what does not follow from its parts: {0}")]
    Overclaim(Problem),
}

impl ReleaseError {
    /// An error from this problem at this path.
    pub(super) fn new(path: &Path, problem: impl Into<ReleaseProblem>) -> Self {
        Self { path: path.display().to_string(), problem: problem.into() }
    }

    /// The name of the folder or file, as given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The problem.
    pub fn problem(&self) -> &ReleaseProblem {
        &self.problem
    }

    /// Advice in one line.
    pub fn advice(&self) -> String {
        let text = match &self.problem {
            ReleaseProblem::Exists => "choose another name for --out, or say --force to replace it",
            ReleaseProblem::NotAFolder => "name the folder itself, not a file or a link",
            ReleaseProblem::NotARelease => "choose another name for --out, or remove the folder yourself",
            ReleaseProblem::BadName => "name a new folder, such as `release`",
            ReleaseProblem::BadFileName => "report this: it should not happen",
            ReleaseProblem::Write(problem) => return problem.advice(),
            ReleaseProblem::NoSpace { .. } => {
                "free some space, or release on another disk; nothing was charged"
            }
            ReleaseProblem::NotFound => "name the folder that `indistinct synth` made",
            ReleaseProblem::NoCertificate => {
                "name the folder that `indistinct synth` made; without a certificate nothing is known about a table"
            }
            ReleaseProblem::Read(_) => "check that you may read it",
            ReleaseProblem::NotACertificate(_) => {
                "restore the file from the release, or use a newer version of indistinct"
            }
            ReleaseProblem::Overclaim(_) => "do not publish it; report this, it should not happen",
        };
        text.to_owned()
    }

    /// Whether it is a refusal for the sake of privacy.
    pub fn is_refusal(&self) -> bool {
        matches!(self.problem, ReleaseProblem::Overclaim(_))
    }
}
