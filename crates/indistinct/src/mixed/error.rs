//! The reasons why a table of any columns cannot be planned.

use super::plan::{HopelessColumn, MOST_LEVELS, Remedy};
use super::rules;
use crate::field::Field;
use crate::number::{enough, number_of};
use crate::privacy::StepError;
use crate::terms::TermsError;

/// The reason why settings or a schema are invalid, or a budget is hopeless. It depends on public quantities
/// only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MixedError {
    /// Terms that are invalid whatever the model.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// No columns to release.
    #[error("the schema has no column but identifiers")]
    NoColumns,
    /// A column that is a name rather than a category.
    #[error("column `{column}` has {levels} levels; at most {MOST_LEVELS} can be released")]
    Levels {
        /// The column.
        column: String,
        /// Its declared levels.
        levels: usize,
    },
    /// Rules that contradict each other, counted from 1.
    #[error("no row within the declared levels and limits obeys {}", rules::told(.0))]
    Rules(Vec<usize>),
    /// Too little signal.
    #[error(
        "epsilon times rows is too small for {}: the release would be noise. An epsilon of about {} would do with these rows",
        number_of(*.columns, "column"),
        enough(*.epsilon)
    )]
    Hopeless {
        /// Columns to measure.
        columns: usize,
        /// A sufficient epsilon.
        epsilon: f64,
    },
    /// Columns about which a release would say nothing, whatever they contain.
    #[error("the release would say nothing about {}", HopelessColumn::list(.columns, |name| format!("`{name}`")))]
    HopelessColumns {
        /// The columns, and what is wrong with each.
        columns: Vec<HopelessColumn>,
        /// A remedy for all of them.
        remedy: Remedy,
    },
    /// Too little signal in each of several draws, for one of which there would be a warning at most.
    #[error(
        "each of {draws} draws has too little of the budget for {}: some would be noise, and an analysis of all draws with them",
        number_of(*.columns, "column")
    )]
    StarvedDraws {
        /// The requested number of draws.
        draws: u32,
        /// Columns to measure.
        columns: usize,
        /// The largest sufficient number of draws; one if none above one is.
        most: u32,
        /// An epsilon that is sufficient for all of them.
        epsilon: f64,
    },
    /// A plan for a number of rows that is not public.
    #[error(
        "the number of rows is private when one may be added or removed: they are to be counted before a plan is made"
    )]
    RowsArePrivate,
    /// The budget was not enough.
    #[error(transparent)]
    Sampler(#[from] StepError),
}

impl MixedError {
    /// The setting that is wrong, if one is.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::Terms(error) => error.field(),
            Self::NoColumns | Self::Levels { .. } | Self::Rules(_) | Self::HopelessColumns { .. } => {
                Some(Field::Schema)
            }
            Self::Hopeless { .. } => Some(Field::Epsilon),
            Self::StarvedDraws { .. } => Some(Field::Draws),
            Self::RowsArePrivate => Some(Field::Neighbours),
            Self::Sampler(_) => None,
        }
    }
}
