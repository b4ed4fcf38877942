//! Sums over clipped rows, as integers that leave with noise.
//!
//! Every row is clipped and scaled to [-1, 1] and put on a grid of whole numbers by itself, so that sums are exact, do
//! not depend on the order of rows, and one row moves them by no more than is proven.

use super::Bounds;
use crate::privacy::StepError;
pub use crate::privacy::clipped_sums::Sums;
use crate::privacy::clipped_sums::{GRID, Totals};
use crate::privacy::{Budget, Epsilon, Sensitivity, discrete_laplace_counts, k_norm};
use crate::private::PrivateRows;

impl Sums {
    /// The integers, at `grid` units to one, from the exact sums of a table's rows on the grid.
    pub(crate) fn of_totals(self, totals: &Totals, grid: i64) -> Vec<i64> {
        let q = totals.linear.len();
        // Clamping to 64 bits moves nothing further apart.
        let within = |sum: i128| sum.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        let linear = totals.linear.iter();
        let lower = || (0..q).flat_map(|j| (0..=j).map(move |k| (j, k)));
        match self {
            Self::Moments => {
                let products = lower().map(|(j, k)| totals.product(j, k));
                linear.copied().chain(products).map(within).collect()
            }
            Self::Covariances => {
                let n = totals.rows.max(1);
                let centred = |(j, k)| {
                    let (sum, one, other) = (totals.exact_product(j, k), totals.linear[j], totals.linear[k]);
                    (n * sum - one * other).div_euclid(n * i128::from(grid))
                };
                linear.map(|sum| 2 * sum).chain(lower().map(centred)).map(within).collect()
            }
            Self::Regression { response } => {
                let squares = lower().filter(|&(j, k)| j != response && k != response).map(|(j, k)| {
                    // A square moves by half as much as a product: it is counted in half units.
                    if j == k { totals.doubled_square(j) } else { totals.product(j, k) }
                });
                let with_response = (0..q).filter(|&j| j != response).map(|j| totals.product(j, response));
                linear.copied().chain(squares).chain(with_response).map(within).collect()
            }
            Self::SquaredError { response } => {
                // Column `response` is left out, and a column of ones put first.
                let terms: Vec<Option<usize>> =
                    std::iter::once(None).chain((0..q).filter(|&j| j != response).map(Some)).collect();
                let product = |j: Option<usize>, k: Option<usize>| match (j, k) {
                    (None, None) => totals.rows * i128::from(grid),
                    (Some(j), None) | (None, Some(j)) => totals.linear[j],
                    (Some(j), Some(k)) => totals.product(j, k),
                };
                let quadratic = terms.iter().flat_map(|&j| terms.iter().map(move |&k| (j, k)));
                let quadratic = quadratic.map(|(j, k)| product(j, k));
                let with_response = terms.iter().map(|&j| -2 * product(j, Some(response)));
                quadratic.chain(with_response).map(within).collect()
            }
        }
    }

    /// Factors from units of the grid to sums of scaled values, in the order of the list.
    fn unit_of(self, columns: usize) -> Vec<f64> {
        let one = 1.0 / GRID as f64;
        match self {
            Self::Moments => vec![one; columns * (columns + 3) / 2],
            Self::SquaredError { .. } => vec![one; columns * columns + columns],
            Self::Covariances => [vec![one / 2.0; columns], vec![one; columns * (columns + 1) / 2]].concat(),
            Self::Regression { response } => {
                let predictors = (0..columns).filter(|&j| j != response);
                let lower = predictors.clone().flat_map(|j| {
                    let before = predictors.clone().take_while(move |&k| k <= j);
                    before.map(move |k| if j == k { one / 2.0 } else { one })
                });
                let list = std::iter::repeat_n(one, columns).chain(lower);
                list.chain(std::iter::repeat_n(one, columns - 1)).collect()
            }
        }
    }
}

/// The requested sums of the rows scaled to [-1, 1], with exact noise.
///
/// # Guarantee
/// Epsilon-differentially private when one row is substituted, if the bounds do not depend on the rows:
/// `proofs/clipped_sums.md` with `proofs/discrete_laplace_counts.md` or `proofs/k_norm.md`.
///
/// # Errors
/// When the budget does not allow it.
///
/// # Panics
/// When there are not as many bounds as columns, or no such response.
pub fn noisy_sums(
    rows: &PrivateRows,
    bounds: &Bounds,
    sums: Sums,
    budget: &mut Budget,
    epsilon: Epsilon,
    step: &str,
) -> Result<Vec<f64>, StepError> {
    let columns = rows.columns();
    assert_eq!(bounds.intervals().len(), columns, "an interval for every column");
    if let Sums::Regression { response } | Sums::SquaredError { response } = sums {
        assert!(response < columns, "the response is a column");
    }
    let sensitivity = Sensitivity::clipped_sums(sums.bound(columns, GRID as u64));
    let charge = budget.charge(step, epsilon, sensitivity)?;
    let exact = sums.of_totals(&rows.totals_on_grid(bounds, GRID), GRID);
    let noisy = match sums {
        Sums::Regression { .. } => k_norm(charge, &exact)?,
        Sums::Moments | Sums::Covariances | Sums::SquaredError { .. } => {
            discrete_laplace_counts(charge, &exact)?
        }
    };
    Ok(noisy.into_iter().zip(sums.unit_of(columns)).map(|(sum, unit)| sum as f64 * unit).collect())
}

#[cfg(test)]
mod tests;
