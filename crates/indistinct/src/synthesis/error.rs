//! Why there is no release, or no rows of one. Nothing here depends on private rows.

use super::TooRare;
use crate::mixed::MixedError;
use crate::normal::NormalError;
use crate::privacy::EntropyError;
use crate::private::PrivateRowsError;
use crate::table::{DecidedColumn, SchemaError};
use crate::terms::{Field, TermsError};

/// Why no release can be made, or was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthesisError {
    /// No budget was given.
    #[error("epsilon is missing")]
    NoEpsilon,
    /// A setting that cannot be read.
    #[error("{}: {why}", .field.name())]
    Unreadable {
        /// The setting.
        field: Field,
        /// What is wrong with it.
        why: String,
    },
    /// A table with other columns than the schema declares.
    #[error("the table's columns are not those that the schema declares")]
    OtherColumns,
    /// A schema that cannot be released.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A rule that says what a column is in every row.
    #[error("constraint {} says what `{}` is in every row: declare it as derived", .0.constraint, .0.column)]
    Decided(DecidedColumn),
    /// Terms that make no sense.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Columns that are not numbers, for a model that is of numbers.
    #[error(transparent)]
    NotNumbers(#[from] PrivateRowsError),
    /// What the model of any columns refuses.
    #[error(transparent)]
    Mixed(#[from] MixedError),
    /// What the normal model refuses.
    #[error(transparent)]
    Normal(#[from] NormalError),
    /// What another method refuses.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
    /// The operating system gave no random numbers.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The release does not have the guarantee that was planned, and a ledger charged for.
    #[error("the release does not have the guarantee that it was planned with")]
    Overclaim,
}

impl SynthesisError {
    /// The setting that is wrong, if it is one.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::NoEpsilon => Some(Field::Epsilon),
            Self::Unreadable { field, .. } => Some(*field),
            Self::OtherColumns | Self::Schema(_) | Self::Decided(_) | Self::NotNumbers(_) => {
                Some(Field::Schema)
            }
            Self::Terms(error)
            | Self::Mixed(MixedError::Terms(error))
            | Self::Normal(NormalError::Terms(error)) => error.field(),
            Self::Mixed(error) => error.field(),
            Self::Normal(error) => error.field(),
            Self::Other(_) | Self::Entropy(_) | Self::Overclaim => None,
        }
    }
}

/// Why no rows can be made of a release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// None were asked for.
    #[error("the number of rows must be at least 1")]
    NoRows,
    /// No table was asked for.
    #[error("the number of tables must be at least 1")]
    NoTables,
    /// A draw that there is not.
    #[error("the model has {0} draws, counted from 1")]
    NoSuchDraw(usize),
    /// Every row of a smooth histogram is paid for.
    #[error("a smooth histogram has no model to make rows from: each of its rows is paid for")]
    NoModel,
    /// The model hardly ever makes such rows.
    #[error(transparent)]
    TooRare(#[from] TooRare),
    /// Derived columns that cannot be computed.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The operating system gave no random numbers.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}
