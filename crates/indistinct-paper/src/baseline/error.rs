//! Errors of comparison methods. Only [`BaselineError::Determined`] depends on the rows, and only where nothing is promised.

use indistinct::privacy::BudgetError;
use indistinct::privacy::StepError;
use indistinct::private::PrivateRows;

use crate::baseline::Bounds;

/// The reason why a method gave nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BaselineError {
    /// Bounds for other columns.
    #[error("there are bounds for {bounds} columns, but the table has {columns}")]
    Bounds {
        /// Intervals given.
        bounds: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// Too few rows to fit anything.
    #[error("the table has {rows} rows; at least {needed} are needed for {columns} columns")]
    TooFewRows {
        /// Rows of the table.
        rows: usize,
        /// Fewest that will do.
        needed: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// A regression needs a response and something to explain it with.
    #[error("column {response} is not one of {columns} columns with others to explain it")]
    Response {
        /// The response asked for, counted from 0.
        response: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// A constant column, counted from 0, or one that the columns before determine: no posterior. Not private.
    #[error("column {} is constant, or determined by the columns before it", .0 + 1)]
    Determined(usize),
    /// No cells.
    #[error("a histogram needs at least one bin a column")]
    NoBins,
    /// More cells than can be counted.
    #[error("{bins} bins in each of {columns} columns are more than {most} cells")]
    TooManyCells {
        /// Bins of a column.
        bins: usize,
        /// Columns.
        columns: usize,
        /// The most cells there may be.
        most: usize,
    },
    /// No rows to make.
    #[error("at least one row must be drawn")]
    NoRows,
    /// The budget was not enough, or a mechanism had nothing to work on.
    #[error(transparent)]
    Sampler(#[from] StepError),
}

impl From<BudgetError> for BaselineError {
    fn from(error: BudgetError) -> Self {
        Self::Sampler(error.into())
    }
}

/// Checks that there is an interval for every column.
pub(crate) fn check_bounds(rows: &PrivateRows, bounds: &Bounds) -> Result<(), BaselineError> {
    let (bounds, columns) = (bounds.intervals().len(), rows.columns());
    if bounds == columns { Ok(()) } else { Err(BaselineError::Bounds { bounds, columns }) }
}

/// Checks that every regression of the sequence has at least one degree of freedom left.
pub(crate) fn check_rows(rows: &PrivateRows) -> Result<(), BaselineError> {
    let columns = rows.columns();
    let (rows, needed) = (rows.rows(), columns + 1);
    if rows >= needed { Ok(()) } else { Err(BaselineError::TooFewRows { rows, needed, columns }) }
}

/// Checks that there is such a response, and something to explain it with.
pub(crate) fn check_response(rows: &PrivateRows, response: usize) -> Result<(), BaselineError> {
    let columns = rows.columns();
    if columns >= 2 && response < columns {
        Ok(())
    } else {
        Err(BaselineError::Response { response, columns })
    }
}
