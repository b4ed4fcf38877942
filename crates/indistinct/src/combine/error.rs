//! Errors of fitting and combining regressions. They contain counts and names of columns, never a value.

use super::FormulaError;

/// The reason why a regression cannot be fitted or combined. Tables are counted from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CombineError {
    /// The formula cannot be read, or does not fit the tables.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// The formula does not fit one of the tables.
    #[error("table {table}: {error}")]
    InTable {
        /// The table.
        table: usize,
        /// The error.
        error: FormulaError,
    },
    /// No tables.
    #[error("there are no tables")]
    NoTables,
    /// Tables without the same columns.
    #[error("table {table} has not the columns of table 1: column `{column}` is in one of them only")]
    OtherColumns {
        /// The table that differs.
        table: usize,
        /// A column that only one of them has.
        column: String,
    },
    /// A column of another type.
    #[error("column `{column}` is {found} in table {table} and {expected} in table 1")]
    OtherType {
        /// The table that differs.
        table: usize,
        /// The column.
        column: String,
        /// Its type there.
        found: &'static str,
        /// Its type in the first table.
        expected: &'static str,
    },
    /// Nothing to estimate.
    #[error("the formula has no coefficients")]
    NoCoefficients,
    /// More columns than can be handled.
    #[error("the formula needs {columns} columns of numbers; at most {limit} are allowed")]
    TooManyColumns {
        /// Columns after categories are expanded.
        columns: usize,
        /// The limit.
        limit: usize,
    },
    /// Too few rows to estimate the residual variance.
    #[error("table {table} has {rows} complete rows for {coefficients} coefficients")]
    TooFewRows {
        /// The table.
        table: usize,
        /// Rows without missing values in the columns used.
        rows: usize,
        /// Coefficients to estimate.
        coefficients: usize,
    },
    /// Products or coefficients that are too large.
    #[error("table {table}: numbers are too large or too small for this regression")]
    NotFinite {
        /// The table.
        table: usize,
    },
    /// Columns of different lengths.
    #[error("predictor {predictor} has not as many values as the response")]
    Ragged {
        /// The predictor, counted from 1.
        predictor: usize,
    },
    /// Fits of different formulas.
    #[error("fit {table} has not the coefficients of fit 1")]
    OtherCoefficients {
        /// The fit that differs.
        table: usize,
    },
    /// A coefficient that some tables cannot tell from others.
    #[error("coefficient `{name}` can be estimated in some tables and not in table {table}")]
    AliasedInSome {
        /// The coefficient.
        name: String,
        /// A table where it depends on those before it.
        table: usize,
    },
    /// A rule that needs several tables.
    #[error("the rule `{rule}` needs at least two {needed}")]
    TooFewTables {
        /// The rule.
        rule: &'static str,
        /// The thing that it needs more of.
        needed: &'static str,
    },
    /// Tables that cannot be divided among the draws.
    #[error("{tables} tables cannot come from {draws} private draws with as many tables each")]
    Draws {
        /// Tables given.
        tables: usize,
        /// Draws.
        draws: usize,
    },
    /// A regression that is not a smooth function of the model's parameters.
    #[error("the noise of measuring cannot be carried over to this formula")]
    NotOfTheModel,
    /// An original table that is too small.
    #[error("an original table of {n} rows cannot have given {coefficients} coefficients")]
    Original {
        /// Its rows.
        n: usize,
        /// Coefficients.
        coefficients: usize,
    },
    /// A number that must be positive.
    #[error("{what} must be a positive number")]
    NotPositive {
        /// The number's name.
        what: &'static str,
    },
    /// An efficiency above 1: cells cannot tell more than the rows in them.
    #[error("the efficiency must be above 0 and at most 1")]
    Efficiency,
    /// A level that is not between 0 and 1.
    #[error("the level of an interval must be above 0 and below 1")]
    Level,
}

impl CombineError {
    /// Advice in one line.
    pub fn advice(&self) -> &str {
        match self {
            Self::Formula(error) | Self::InTable { error, .. } => error.advice(),
            Self::NoTables => "name at least one synthetic table",
            Self::OtherColumns { .. } | Self::OtherType { .. } => {
                "combine tables of one release, or give a schema"
            }
            Self::NoCoefficients => "name at least one column on the right of ~, or 1 for a mean",
            Self::TooManyColumns { .. } => "leave out categories with many levels, or merge levels",
            Self::TooFewRows { .. } => "name fewer columns, or use larger tables",
            Self::NotFinite { .. } => {
                "take logarithms, or change units; if it is a private draw that missed the data, say so where you report: no \
                 draw is left out for you"
            }
            Self::Ragged { .. } => "give as many values of every predictor as of the response",
            Self::OtherCoefficients { .. } => "fit the same formula to every table",
            Self::AliasedInSome { .. } => {
                "leave out the column it comes from, merge rare levels, or use larger tables; if it is a private draw that \
                 missed the data, say so where you report: no draw is left out for you"
            }
            Self::TooFewTables { .. } => "give more tables, or choose another rule",
            Self::Draws { .. } => "name all tables of the release, in order, and the number of its draws",
            Self::NotOfTheModel => "use tables as the model made them, without C(), or choose another rule",
            Self::Original { .. } => "give the number of rows of the original table",
            Self::NotPositive { .. } => "give a positive number",
            Self::Efficiency => "give the share of the rows' information that cells keep, or leave it out",
            Self::Level => "0.95 is usual",
        }
    }
}
