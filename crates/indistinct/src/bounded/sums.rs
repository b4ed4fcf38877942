//! Sums over clipped rows, as integers that leave with noise.
//!
//! Every row is clipped and scaled to [-1, 1] and put on a grid of whole numbers by itself, so that sums are exact, do
//! not depend on the order of rows, and one row moves them by no more than is proven.

use std::num::NonZeroU64;

use super::Bounds;
use crate::privacy::{Bound, Budget, Epsilon, Sensitivity, discrete_laplace_counts, k_norm};
use crate::private::PrivateRows;
use crate::sampler::SamplerError;

/// Units of a scaled value of one.
pub(crate) const GRID: i64 = 1 << 30;

/// Which sums are asked for, over the scaled rows x of q columns. Each comes with its own noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sums {
    /// All first and second moments: sum x_j for every column, then sum x_j x_k for the lower triangle, row by row.
    /// Laplace noise, scaled by what one row can do to all of them together.
    Moments,
    /// Mean and covariance: sum x_j for every column, then sum (x_j - mean_j)(x_k - mean_k) for the lower triangle.
    /// Laplace noise, scaled as if every statistic had an equal part of the budget to itself.
    Covariances,
    /// What a regression of `response` on the other columns needs: sum x_j for every column, then for the lower triangle
    /// of the predictors sum x_j x_k, then for each predictor sum x_j y. Noise of the cube ([`k_norm`]).
    Regression {
        /// The response.
        response: usize,
    },
    /// The coefficients of its squared error: with d - 1 predictors and a column of ones before them, all d^2 products
    /// sum x_j x_k, then for each of the d the sum of -2 x_j y. Laplace noise, scaled by 2d^2 + 4d.
    SquaredError {
        /// The response.
        response: usize,
    },
}

impl Sums {
    /// How far one row can move the integers, at `grid` units to one: `proofs/clipped_sums.md`.
    pub(crate) fn bound(self, columns: usize, grid: u64) -> Bound {
        let (q, grid) = (columns as u128, u128::from(grid));
        let units = |units: u128| {
            NonZeroU64::new(u64::try_from(units).unwrap_or(u64::MAX)).unwrap_or(NonZeroU64::MIN)
        };
        match self {
            Self::Moments => {
                let together = (grid * q * (q + 2) * (q + 2)).div_ceil(2 * (q + 1)) + q * (q + 1) / 2;
                Bound::sum(units(together), format!("moments of clipped rows, in units of 1/{grid}"))
            }
            Self::Covariances => {
                let together = q * (q + 3) / 2 * (4 * grid + 1);
                Bound::sum(
                    units(together),
                    format!("mean and covariance of clipped rows, in units of 1/{grid}"),
                )
            }
            Self::SquaredError { .. } => {
                let together = 2 * (q * q + 2 * q) * grid;
                Bound::sum(units(together), format!("squared error of clipped rows, in units of 1/{grid}"))
            }
            Self::Regression { .. } => Bound::largest(
                units(2 * grid),
                format!("regression sums of clipped rows, in units of 1/{grid}"),
            ),
        }
    }

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

    /// From units of the grid to sums of scaled values, in the order of the list.
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

/// Every bound that [`noisy_sums`] can rely on, for a table of so many columns.
pub(crate) fn stated(columns: usize) -> impl Iterator<Item = Bound> {
    let response = 0;
    let all =
        [Sums::Moments, Sums::Covariances, Sums::Regression { response }, Sums::SquaredError { response }];
    all.into_iter().map(move |sums| sums.bound(columns, GRID as u64))
}

/// Exact sums over rows on the grid.
pub(crate) struct Totals {
    rows: i128,
    /// Sum u_j.
    linear: Vec<i128>,
    /// For the lower triangle: sum of u_j u_k, of that over the grid rounded row by row, and of twice that.
    products: Vec<[i128; 3]>,
}

impl Totals {
    /// Of no rows yet.
    pub(crate) fn new(columns: usize) -> Self {
        Self { rows: 0, linear: vec![0; columns], products: vec![[0; 3]; columns * (columns + 1) / 2] }
    }

    /// Adds a row, which is on the grid.
    ///
    /// # Guarantee
    /// What is added is a function of the row and of public values alone.
    pub(crate) fn add(&mut self, row: &[i64], grid: i64) {
        let rounded = |product: i64| i128::from((product + grid / 2).div_euclid(grid));
        self.rows += 1;
        let mut products = self.products.iter_mut();
        for (j, &u) in row.iter().enumerate() {
            self.linear[j] += i128::from(u);
            for (&other, sums) in row[..=j].iter().zip(&mut products) {
                let product = u * other;
                sums[0] += i128::from(product);
                sums[1] += rounded(product);
                sums[2] += rounded(2 * product);
            }
        }
    }

    fn at(&self, j: usize, k: usize) -> &[i128; 3] {
        let (j, k) = if j < k { (k, j) } else { (j, k) };
        &self.products[j * (j + 1) / 2 + k]
    }

    fn exact_product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[0]
    }

    fn product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[1]
    }

    fn doubled_square(&self, j: usize) -> i128 {
        self.at(j, j)[2]
    }
}

/// The sums that were asked for, of the rows scaled to [-1, 1], with exact noise.
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
    (budget, epsilon): (&mut Budget, Epsilon),
    step: &str,
) -> Result<Vec<f64>, SamplerError> {
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
