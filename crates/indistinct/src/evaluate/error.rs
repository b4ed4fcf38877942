//! Reasons why an evaluation ends without a result.

use super::judge::JudgeError;
use super::null::NullError;
use super::predict::PredictError;
use crate::discriminator::StackError;
use crate::progress::{self, Progress, Stopped};

/// The reason why there is no evaluation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvaluationError {
    /// The discriminator does not allow this null.
    #[error(transparent)]
    Null(#[from] NullError),
    /// The tables cannot be compared.
    #[error(transparent)]
    Tables(#[from] StackError),
    /// The discriminator cannot judge them.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The column cannot be predicted.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// The work was stopped, by [`Progress::stopped`].
    #[error("stopped")]
    Stopped,
}

impl From<Stopped> for EvaluationError {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// Reports that one more unit is done, and stops the work if it is no longer wanted.
pub(super) fn done(progress: &dyn Progress) -> Result<(), EvaluationError> {
    Ok(progress::done(progress)?)
}

/// Stops the work if it is no longer wanted.
pub(super) fn wanted(progress: &dyn Progress) -> Result<(), EvaluationError> {
    Ok(progress::wanted(progress)?)
}
