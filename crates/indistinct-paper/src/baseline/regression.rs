//! Regressions that are published as noisy sums: what they share before and after the noise.

use indistinct::bounded::sums::{Sums, noisy_sums};
use indistinct::linear::{Symmetric, eigenvectors};
use indistinct::privacy::{Budget, Epsilon};
use indistinct::private::PrivateRows;

use crate::baseline::error::{check_bounds, check_response};
use crate::baseline::{BaselineError, Bounds};

/// Sums with noise, and how much of it there is.
pub(crate) struct NoisySums {
    /// The sums, in the order of [`Sums`].
    pub(crate) values: Vec<f64>,
    /// The epsilon that one row of a person has.
    pub(crate) epsilon_per_row: f64,
}

/// The sums that a regression of `response` on all other columns is computed from, all scaled to [-1, 1].
///
/// # Errors
/// With bounds for other columns, no such response, or when the budget does not allow it.
pub(crate) fn release_sums(
    rows: &PrivateRows,
    response: usize,
    bounds: &Bounds,
    sums: Sums,
    budget: &mut Budget,
    epsilon: Epsilon,
    step: &str,
) -> Result<NoisySums, BaselineError> {
    check_bounds(rows, bounds)?;
    check_response(rows, response)?;
    let epsilon_per_row = epsilon.divided_by(u64::from(budget.rows_per_person().get())).to_f64();
    let values = noisy_sums(rows, bounds, sums, budget, epsilon, step)?;
    Ok(NoisySums { values, epsilon_per_row })
}

/// Solves `matrix` * w = `right` along the eigenvectors of `matrix`. Noise can make eigenvalues useless: `usable` says what
/// to divide by instead of each, or to leave its direction out.
pub(crate) fn solve_along_eigenvectors(
    matrix: &Symmetric,
    right: &[f64],
    usable: impl Fn(f64) -> Option<f64>,
) -> Vec<f64> {
    let mut solution = vec![0.0; right.len()];
    for (value, vector) in eigenvectors(matrix) {
        if let Some(value) = usable(value) {
            let along: f64 = vector.iter().zip(right).map(|(v, r)| v * r).sum();
            solution.iter_mut().zip(&vector).for_each(|(w, v)| *w += along / value * v);
        }
    }
    solution
}
