//! Regression from sums with noise of a cube: the l-infinity K-norm mechanism (Awan and Slavković).
//!
//! Of the columns scaled to [-1, 1], sum x, sum x x', sum y and sum x y get noise whose law depends on the largest
//! coordinate alone, each coordinate in units of what one row can do to it: 1 for squares, 2 for all others. The normal
//! equations are then solved, after moving the noisy covariance of the predictors to the nearest one that can be.
//!
//! **A reconstruction** from the mechanism's definition; the paper compared with gives no constants.

use indistinct::bounded::sums::Sums;
use indistinct::linear::Symmetric;
use indistinct::privacy::{Budget, Epsilon};
use indistinct::private::PrivateRows;

use crate::baseline::regression::{NoisySums, release_sums, solve_along_eigenvectors};
use crate::baseline::{BaselineError, Bounds, unscale};

/// Variance of a predictor scaled to [-1, 1] that is the least a noisy one is moved to, if noise does not say more.
const FLOOR: f64 = 1e-6;

/// The intercept, then the slopes on all other columns in order.
///
/// # Guarantee
/// Epsilon-differentially private when one row is substituted, if the bounds do not depend on the rows: no sum moves by
/// more than its unit (`clipped_sums` and `k_norm` among the proofs of `indistinct`). The rest is post-processing.
///
/// # Errors
/// With bounds for other columns, no such response, or when the budget does not allow it.
pub fn regression(
    rows: &PrivateRows,
    response: usize,
    bounds: &Bounds,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<Vec<f64>, BaselineError> {
    let (sums, step) = (Sums::Regression { response }, "regression sums of clipped rows");
    let NoisySums { values: noisy, epsilon_per_row } =
        release_sums(rows, response, bounds, sums, budget, epsilon, step)?;
    let (n, q) = (rows.rows().max(1) as f64, rows.columns());
    let mean: Vec<f64> = noisy[..q].iter().map(|sum| (sum / n).clamp(-1.0, 1.0)).collect();
    let predictors: Vec<usize> = (0..q).filter(|&column| column != response).collect();
    let mut rest = noisy[q..].iter().map(|sum| sum / n);
    let mut covariance = Symmetric::zeros(q - 1);
    for (j, &one) in predictors.iter().enumerate() {
        for (k, &other) in predictors[..=j].iter().enumerate() {
            covariance.set(j, k, rest.next().unwrap_or_default() - mean[one] * mean[other]);
        }
    }
    let with_response: Vec<f64> = predictors
        .iter()
        .map(|&column| rest.next().unwrap_or_default() - mean[column] * mean[response])
        .collect();
    // The half-width of the noise of a square, on average: smaller variances cannot be told from zero.
    let coordinates = noisy.len() as f64;
    let floor = (coordinates / (epsilon_per_row * n)).clamp(FLOOR, 1.0 / 3.0);
    let slopes = solve_along_eigenvectors(&covariance, &with_response, |value| Some(value.max(floor)));
    let explained: f64 = slopes.iter().zip(&predictors).map(|(slope, &column)| slope * mean[column]).sum();
    let scaled = [vec![mean[response] - explained], slopes].concat();
    Ok(unscale::coefficients(&scaled, response, bounds))
}
