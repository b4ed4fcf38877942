//! Rows from a smoothed histogram: Wasserman and Zhou (2010).
//!
//! The bounds are cut into K = bins^q cells. A row falls into cell i with probability
//! (1 - lambda) b_i / n + lambda / K, where b_i of the n private rows are in the cell, and lies uniformly within it.
//!
//! The more rows are drawn the more of the budget each may use: with lambda as printed in the paper, for n_s = n rows,
//! next to nothing is left of the data. The published figures fit another lambda, which does not have the privacy that
//! is claimed for it: see [`Smoothing`].

use indistinct::bounded::histogram::{MOST_CELLS, cells, draw_cells};
use indistinct::privacy::{Budget, Epsilon};
use indistinct::private::PrivateRows;
use indistinct::random::Generator;
use rand::RngExt;

use crate::baseline::error::check_bounds;
use crate::baseline::{BaselineError, Bounds};

pub use indistinct::bounded::histogram::Smoothing;

/// The rows that are drawn, and the histogram they are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Intervals of each column: K = bins^q cells.
    pub bins: usize,
    /// The smoothing of the histogram.
    pub smoothing: Smoothing,
    /// Rows to make, n_s.
    pub rows: usize,
}

/// Synthetic rows, by column.
///
/// # Guarantee
/// With [`Smoothing::Printed`] epsilon-differentially private when one row is substituted, all rows together, if the
/// bounds do not depend on the private rows (`smooth_histogram` among the proofs of `indistinct`). With
/// [`Smoothing::Matching`] n_s ln(1 + epsilon), and the budget records no guarantee.
///
/// # Errors
/// With bounds for other columns, no bins or rows, too many cells, or when the budget does not allow it.
pub fn simulate(
    rows: &PrivateRows,
    bounds: &Bounds,
    options: &Options,
    budget: &mut Budget,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<Vec<f64>>, BaselineError> {
    check(rows.columns(), options)?;
    check_bounds(rows, bounds)?;
    let Options { bins, smoothing, rows: draws } = *options;
    let drawn = draw_cells(rows, bounds, bins, smoothing, draws, budget, epsilon)?;
    let mut columns = vec![Vec::with_capacity(draws); rows.columns()];
    for cell in drawn {
        for ((column, interval), &(low, high)) in columns.iter_mut().zip(cell).zip(bounds.intervals()) {
            let share = (interval as f64 + random.random::<f64>()) / bins as f64;
            column.push((low + (high / 2.0 - low / 2.0) * 2.0 * share).clamp(low, high));
        }
    }
    Ok(columns)
}

/// Checks that there are some cells and rows, and not too many.
///
/// # Errors
/// When there are none, or more than [`MOST_CELLS`] cells.
pub fn check(columns: usize, options: &Options) -> Result<(), BaselineError> {
    let Options { bins, rows, .. } = *options;
    if bins == 0 {
        return Err(BaselineError::NoBins);
    }
    if rows == 0 {
        return Err(BaselineError::NoRows);
    }
    match cells(bins, columns) {
        Some(_) => Ok(()),
        None => Err(BaselineError::TooManyCells { bins, columns, most: MOST_CELLS }),
    }
}
