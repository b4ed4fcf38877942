//! Regression by the functional mechanism (Zhang and others 2012).
//!
//! The squared error sum (y - x'w)^2 is a polynomial in w. Its coefficients, sum x x' and -2 sum x y over columns scaled
//! to [-1, 1] with a column of ones, get Laplace noise of scale (2d^2 + 4d) / epsilon, and the noisy polynomial is
//! minimised: after adding to the diagonal what keeps it bounded, and without the directions in which it still is not.

use indistinct::bounded::sums::Sums;
use indistinct::linear::Symmetric;
use indistinct::privacy::{Budget, Epsilon};
use indistinct::private::PrivateRows;

use crate::baseline::regression::{NoisySums, release_sums, solve_along_eigenvectors};
use crate::baseline::{BaselineError, Bounds, unscale};

/// The amount added to the diagonal, in standard deviations of the noise: as in the authors' program.
const RIDGE: f64 = 5.0;
/// Directions along which the objective curves less than this are left out: as in the authors' program.
const FLAT: f64 = 1e-8;

/// The amount added to the diagonal of the noisy objective. Post-processing either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ridge {
    /// Five standard deviations of the noise: bounded nearly always, and biased towards zero while noise is large.
    Published,
    /// Nothing: nearly unbiased, and far off now and then where the noise leaves the objective nearly flat.
    Absent,
}

/// The intercept, then the slopes on all other columns in order, with the published ridge.
///
/// # Guarantee
/// As [`regression_with`].
///
/// # Errors
/// As [`regression_with`].
pub fn regression(
    rows: &PrivateRows,
    response: usize,
    bounds: &Bounds,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<Vec<f64>, BaselineError> {
    regression_with(Ridge::Published, rows, response, bounds, budget, epsilon)
}

/// The intercept, then the slopes on all other columns in order.
///
/// # Guarantee
/// Epsilon-differentially private when one row is substituted, if the bounds do not depend on the rows. The published
/// 2d^2 + 4d holds for all coefficients together: a row adds at most d^2 + 2d in absolute values, and a substitution
/// takes one away and adds another (`clipped_sums` among the proofs of `indistinct`). The rest is post-processing.
///
/// # Errors
/// With bounds for other columns, no such response, or when the budget does not allow it.
pub fn regression_with(
    ridge: Ridge,
    rows: &PrivateRows,
    response: usize,
    bounds: &Bounds,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<Vec<f64>, BaselineError> {
    let (sums, step) = (Sums::SquaredError { response }, "squared error of clipped rows");
    let NoisySums { values: noisy, epsilon_per_row } =
        release_sums(rows, response, bounds, sums, budget, epsilon, step)?;
    let d = rows.columns();
    let sensitivity = (2 * d * d + 4 * d) as f64;
    let ridge = match ridge {
        Ridge::Published => RIDGE * std::f64::consts::SQRT_2 * sensitivity / epsilon_per_row,
        Ridge::Absent => 0.0,
    };
    let mut quadratic = Symmetric::zeros(d);
    for j in 0..d {
        for k in 0..=j {
            let both = f64::midpoint(noisy[j * d + k], noisy[k * d + j]);
            quadratic.set(j, k, if j == k { both + ridge } else { both });
        }
    }
    // w'Qw + l'w is least where 2Qw = -l.
    let right: Vec<f64> = noisy[d * d..].iter().map(|linear| -linear).collect();
    let curved = |value: f64| (value >= FLAT).then_some(2.0 * value);
    let scaled = solve_along_eigenvectors(&quadratic, &right, curved);
    Ok(unscale::coefficients(&scaled, response, bounds))
}
