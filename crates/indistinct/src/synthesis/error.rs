//! Errors of releases, and of rows made from them. Nothing here depends on private rows.

use super::TooRare;
use crate::field::{Field, OptionsError};
use crate::mixed::MixedError;
use crate::normal::NormalError;
use crate::number::number_of;
use crate::privacy::{EntropyError, SourceError, StepError};
use crate::private::PrivateRowsError;
use crate::progress::Stopped;
use crate::table::{DecidedColumn, SchemaError};
use crate::terms::TermsError;

/// The reason why no release can be made, or was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthesisError {
    /// No budget was given.
    #[error("epsilon is missing")]
    NoEpsilon,
    /// Options that are wrong in themselves, or do not fit together.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A table with columns other than those of the schema.
    #[error("the table's columns are not those that the schema declares")]
    OtherColumns,
    /// The normal model or a comparison method, for rows that are not in memory.
    #[error(
        "the normal model and comparison methods look at rows again and again, and these are not in memory"
    )]
    RowsNotInMemory,
    /// Private rows that cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A schema that cannot be released.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A rule that decides a column in every row.
    #[error("constraint {} says what `{}` is in every row: declare it as derived", .0.constraint, .0.column)]
    Decided(DecidedColumn),
    /// Invalid terms.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Columns that are not numbers, for a model of numbers.
    #[error(transparent)]
    NotNumbers(#[from] PrivateRowsError),
    /// A refusal by the model of any columns.
    #[error(transparent)]
    Mixed(#[from] MixedError),
    /// A refusal by the normal model.
    #[error(transparent)]
    Normal(#[from] NormalError),
    /// A refusal by another method.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
    /// The operating system gave no random numbers.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The work was stopped, by [`Progress::stopped`](crate::progress::Progress::stopped): nothing is released, and the budget is
    /// spent.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The release does not have the guarantee that was planned and charged to a ledger.
    #[error("the release does not have the guarantee that it was planned with")]
    Overclaim,
}

impl SynthesisError {
    /// The setting that is wrong, if one is.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::NoEpsilon => Some(Field::Epsilon),
            Self::Options(error) => Some(error.field),
            Self::OtherColumns | Self::Schema(_) | Self::Decided(_) | Self::NotNumbers(_) => {
                Some(Field::Schema)
            }
            Self::Terms(error)
            | Self::Mixed(MixedError::Terms(error))
            | Self::Normal(NormalError::Terms(error)) => error.field(),
            Self::Mixed(error) => error.field(),
            Self::Normal(error) => error.field(),
            Self::RowsNotInMemory
            | Self::Source(_)
            | Self::Other(_)
            | Self::Entropy(_)
            | Self::Stopped(_)
            | Self::Overclaim => None,
        }
    }

    /// The same error; one of a model that was stopped is [`Self::Stopped`].
    pub(super) fn of_model(self) -> Self {
        match self {
            Self::Mixed(MixedError::Sampler(StepError::Stopped(stopped)))
            | Self::Normal(NormalError::Sampler(StepError::Stopped(stopped))) => Self::Stopped(stopped),
            error => error,
        }
    }
}

/// The reason why no rows can be made from a release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// Zero rows were requested.
    #[error("the number of rows must be at least 1")]
    NoRows,
    /// Zero tables were requested.
    #[error("the number of tables must be at least 1")]
    NoTables,
    /// The requested draw does not exist.
    #[error("the model has {}, counted from 1", number_of(*.0, "draw"))]
    NoSuchDraw(usize),
    /// A smooth histogram has no model: each of its rows is paid for.
    #[error("a smooth histogram has no model to make rows from: each of its rows is paid for")]
    NoModel,
    /// The model hardly ever makes the requested rows.
    #[error(transparent)]
    TooRare(#[from] TooRare),
    /// The work was stopped, by [`Progress::stopped`](crate::progress::Progress::stopped).
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Derived columns that cannot be computed.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The operating system gave no random numbers.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}
