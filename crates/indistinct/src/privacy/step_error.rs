//! Why a step that spends privacy gave nothing.

use super::{BudgetError, MechanismError};

/// Why nothing was drawn. Never depends on private rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The budget did not allow it.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A mechanism was given nothing to work on.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}
