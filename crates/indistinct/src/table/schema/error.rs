//! Errors of schemas.

use super::MOST_CONSTRAINTS;
use super::check::{FOCUS, MOST_DECIMALS, MOST_VALUES};
use super::derived::MOST_DERIVED;
use crate::table::condition::ConditionError;

/// A schema that contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// No columns.
    #[error("the schema declares no columns")]
    Empty,
    /// A column without a name, by position.
    #[error("column {0} of the schema has an empty name")]
    EmptyName(usize),
    /// Two columns with the same name.
    #[error("the schema declares column `{0}` twice")]
    DuplicateName(String),
    /// A level declared twice.
    #[error("column `{column}`: level `{level}` is declared twice")]
    DuplicateLevel {
        /// The column.
        column: String,
        /// The level.
        level: String,
    },
    /// A categorical column without levels.
    #[error("column `{0}`: a nominal or ordered column needs at least one level")]
    NoLevels(String),
    /// The same spelling for both truth values.
    #[error("column `{0}`: true and false are spelled alike")]
    SameTruth(String),
    /// A spelling that means both a value and missing.
    #[error("column `{column}`: `{spelling}` is declared both as a value and as missing")]
    ValueIsMissing {
        /// The column.
        column: String,
        /// The spelling.
        spelling: String,
    },
    /// A declaration that does not fit the type.
    #[error("column `{column}`: `{key}` does not belong to type `{kind}`")]
    Misplaced {
        /// The column.
        column: String,
        /// The declaration's key.
        key: &'static str,
        /// The type's word.
        kind: &'static str,
    },
    /// More digits than a double has.
    #[error("column `{column}`: decimals must be at most {MOST_DECIMALS}")]
    Decimals {
        /// The column.
        column: String,
    },
    /// More atoms or codes of missing values than anyone can mean.
    #[error("column `{column}`: more than {MOST_VALUES} values in `{key}`")]
    TooMany {
        /// The column.
        column: String,
        /// The key that declares them: `atoms` or `missing`.
        key: &'static str,
    },
    /// More constraints than anyone can mean.
    #[error("the schema has more than {MOST_CONSTRAINTS} constraints")]
    TooManyConstraints,
    /// An atom or a limit that the column cannot hold.
    #[error("column `{column}`: {value}, declared in `{key}`, {why}")]
    Unfit {
        /// The column.
        column: String,
        /// The key that declares it: `atoms`, `minimum` or `maximum`.
        key: &'static str,
        /// The value.
        value: String,
        /// The reason why it does not fit.
        why: String,
    },
    /// Limits the wrong way round.
    #[error("column `{column}`: the minimum is not below the maximum")]
    Limits {
        /// The column.
        column: String,
    },
    /// A predictor that is not a column, or is a column without values.
    #[error("column `{column}`: predictor `{predictor}` {why}")]
    Predictor {
        /// The column.
        column: String,
        /// The predictor.
        predictor: String,
        /// The reason.
        why: &'static str,
        /// Advice.
        advice: String,
    },
    /// Columns that depend on each other in a circle.
    #[error("predictors go round in a circle: {}", circle(.columns))]
    Circle {
        /// The columns, each predicted by the next; the last one by the first.
        columns: Vec<String>,
    },
    /// A focus that is not a sensible number.
    #[error("column `{column}`: focus must be a number from {} to {}", FOCUS.0, FOCUS.1)]
    Focus {
        /// The column.
        column: String,
    },
    /// Marks of numbers that cannot be told apart, or are part of numbers.
    #[error("column `{column}`: `{key}` {why}")]
    Notation {
        /// The column.
        column: String,
        /// The declaration's key.
        key: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A delimiter that no text file has.
    #[error("`delimiter` must be \",\", \";\", \"|\" or a tab (\"\\t\")")]
    Delimiter,
    /// A declaration about how a derived column is measured.
    #[error("column `{column}` is derived, and not measured: `{key}` means nothing to it")]
    NotMeasured {
        /// The column.
        column: String,
        /// The declaration's key.
        key: &'static str,
    },
    /// A derivation that cannot be read, or does not fit its column.
    #[error("column `{column}`, derive, {error}")]
    Derivation {
        /// The column.
        column: String,
        /// The error.
        error: ConditionError,
    },
    /// Columns that are derived from each other in a circle.
    #[error("derived columns go round in a circle: {}", circle(.columns))]
    DerivedCircle {
        /// The columns, each derived from the next; the last one from the first.
        columns: Vec<String>,
    },
    /// More derived columns than anyone can mean.
    #[error("the schema has more than {MOST_DERIVED} derived columns")]
    TooManyDerived,
    /// A schema without columns to measure.
    #[error("all columns of the schema are derived or identifiers")]
    NothingMeasured,
    /// A constraint that cannot be read.
    #[error("constraint {number}, {error}")]
    Constraint {
        /// Its number, counted from 1.
        number: usize,
        /// The error.
        error: ConditionError,
    },
    /// Constraints that no row can satisfy.
    #[error("{} be satisfied: {what}", unsatisfied(.numbers))]
    Contradiction {
        /// Their numbers, counted from 1.
        numbers: Vec<usize>,
        /// The reason.
        what: String,
    },
}

fn circle(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().chain(columns.first()).map(|name| format!("`{name}`")).collect();
    names.join(" depends on ")
}

fn unsatisfied(numbers: &[usize]) -> String {
    if let [only] = numbers {
        return format!("constraint {only} cannot");
    }
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("constraints {} cannot all", numbers.join(" and "))
}
