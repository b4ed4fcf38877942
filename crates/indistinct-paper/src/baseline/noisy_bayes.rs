//! Posterior draws from noisy moments: the noisy Bayesian method of Bowen and Liu (2016).
//!
//! Columns are clipped to bounds and scaled to [-1, 1]. Their moments get Laplace noise, and parameters are drawn from
//! the posterior that the noisy moments would have: with noise on the sufficient statistics instead of the parameters,
//! everything after it is post-processing.
//!
//! **A reconstruction**: the paper gives neither constants nor what is done with noisy moments that no table can have.
//! [`Repair`] offers a proper way and one that comes near the published figures.

use indistinct::bounded::sums::{Sums, noisy_sums};
use indistinct::linear::{Symmetric, clamped_eigenvalues};
use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Epsilon};
use indistinct::private::PrivateRows;
use indistinct::random::Generator;

use crate::baseline::error::{check_bounds, check_rows};
use crate::baseline::posterior::{self, Moments, Smallest};
use crate::baseline::{BaselineError, Bounds, unscale};

/// Variance below which the floored method lets none fall, of a column scaled to [-1, 1].
const FLOOR: f64 = 1e-6;
/// The variance of a uniform column on [-1, 1]: what is assumed of moments that noise has drowned.
const UNIFORM: f64 = 1.0 / 3.0;

/// The treatment of noisy moments that no table can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Noise for all moments together, at the least that one row needs; then the nearest valid moments: means within the
    /// bounds, and a covariance whose eigenvalues are no smaller than the noise can tell from zero.
    Projected,
    /// Noise on means and covariances, each with an equal part of epsilon; then variances that are not positive are set
    /// to next to nothing, one by one. Bad, and what the published figures look like.
    Floored,
}

/// One private draw of the parameters; l draws at epsilon / l each are l calls.
///
/// # Guarantee
/// Epsilon-differentially private when one row is substituted, if the bounds do not depend on the rows: noise on sums
/// of clipped rows (`clipped_sums` among the proofs of `indistinct`), and post-processing.
///
/// # Errors
/// With bounds for other columns, too few rows, or when the budget does not allow it.
pub fn draw(
    rows: &PrivateRows,
    bounds: &Bounds,
    repair: Repair,
    budget: &mut Budget,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<SequentialNormal, BaselineError> {
    check_bounds(rows, bounds)?;
    check_rows(rows)?;
    let (sums, step) = match repair {
        Repair::Projected => (Sums::Moments, "moments of clipped rows"),
        Repair::Floored => (Sums::Covariances, "mean and covariance of clipped rows"),
    };
    let per_row = epsilon.divided_by(u64::from(budget.rows_per_person().get()));
    let noisy = noisy_sums(rows, bounds, sums, budget, epsilon, step)?;
    let (n, q) = (rows.rows() as f64, rows.columns());
    let means: Vec<f64> = noisy[..q].iter().map(|sum| sum / n).collect();
    let mut lower = noisy[q..].iter();
    let mut second = Symmetric::zeros(q);
    for j in 0..q {
        for k in 0..=j {
            second.set(j, k, lower.next().map_or(0.0, |sum| sum / n));
        }
    }
    let moments = match repair {
        Repair::Projected => {
            let noise = noise_of_moments(q) / (per_row.to_f64() * n);
            projected(rows.rows(), means, second, noise)
        }
        Repair::Floored => {
            let means = means.into_iter().map(|mean| mean.clamp(-1.0, 1.0)).collect();
            Moments { rows: rows.rows(), means, centred: times(&second, n) }
        }
    };
    // Projected moments are above the floor already.
    let model = posterior::draw(&moments, Smallest::Floor(FLOOR * n), random)?;
    Ok(unscale::model(&model, bounds))
}

/// By how much one row can move all moments of q scaled columns together.
fn noise_of_moments(columns: usize) -> f64 {
    let q = columns as f64;
    q * (q + 2.0).powi(2) / (2.0 * (q + 1.0))
}

/// The nearest moments that n rows within [-1, 1] can have, and whose covariance stands out from the noise.
fn projected(rows: usize, means: Vec<f64>, second: Symmetric, noise: f64) -> Moments {
    let q = means.len();
    let means: Vec<f64> = means.into_iter().map(|mean| mean.clamp(-1.0, 1.0)).collect();
    let mut covariance = Symmetric::zeros(q);
    for j in 0..q {
        for k in 0..=j {
            covariance.set(j, k, second.get(j, k) - means[j] * means[k]);
        }
    }
    // No variance within [-1, 1] is above 1, so no eigenvalue above q.
    let floor = noise.clamp(FLOOR, UNIFORM);
    let covariance = clamped_eigenvalues(&covariance, floor, (q as f64).max(floor));
    Moments { rows, means, centred: times(&covariance, rows as f64) }
}

fn times(matrix: &Symmetric, factor: f64) -> Symmetric {
    let mut product = Symmetric::zeros(matrix.order());
    for j in 0..matrix.order() {
        for k in 0..=j {
            product.set(j, k, matrix.get(j, k) * factor);
        }
    }
    product
}
