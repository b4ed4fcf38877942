//! Errors of steps that spend privacy.

use super::{BudgetError, MechanismError};

/// The reason why nothing was drawn. It never depends on private rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The budget refused the charge.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A mechanism failed.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}
