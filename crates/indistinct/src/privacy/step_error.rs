//! Errors of steps that spend privacy.

use super::{BudgetError, MechanismError};
use crate::progress::Stopped;

/// The reason why nothing was drawn. It never depends on private rows, as far as they could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The budget refused the charge.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A mechanism failed.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// The private rows could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The work was stopped, by [`Progress::stopped`](crate::progress::Progress::stopped).
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The reason why private rows could not be counted. It must not contain anything of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct SourceError {
    /// The problem, in words.
    pub problem: String,
    /// Advice on what to do.
    pub remedy: String,
}

impl SourceError {
    /// A problem, and what to do about it.
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { problem: problem.into(), remedy: remedy.into() }
    }

    /// Rows that are others than in an earlier pass.
    pub fn changed() -> Self {
        Self::new(
            "the private table changed while it was read: it has another number of rows than before",
            "make a copy that does not change, and release from that; nothing was released",
        )
    }
}
