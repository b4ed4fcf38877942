//! Sums over clipped rows, and the bound on how far one row can move them.

use std::num::NonZeroU64;

use super::Bound;

/// Grid units in a scaled value of one.
pub(crate) const GRID: i64 = 1 << 30;

/// The sums over the scaled rows x of q columns that a method needs. Each list comes with its own noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sums {
    /// All first and second moments: sum x_j for every column, then sum x_j x_k for the lower triangle, row by row.
    /// Laplace noise, scaled by what one row can do to all of them together.
    Moments,
    /// Mean and covariance: sum x_j for every column, then sum (x_j - mean_j)(x_k - mean_k) for the lower triangle.
    /// Laplace noise, scaled as if every statistic had an equal part of the budget to itself.
    Covariances,
    /// The sums for a regression of `response` on the other columns: sum x_j for every column, then for the lower
    /// triangle of the predictors sum x_j x_k, then for each predictor sum x_j y. Noise of the cube
    /// ([`k_norm`](super::k_norm)).
    Regression {
        /// The response.
        response: usize,
    },
    /// The coefficients of a regression's squared error: with d - 1 predictors and a column of ones before them,
    /// all d^2 products sum x_j x_k, then for each of the d the sum of -2 x_j y. Laplace noise, scaled by 2d^2 +
    /// 4d.
    SquaredError {
        /// The response.
        response: usize,
    },
}

impl Sums {
    /// The bound on how far one row can move the integers, at `grid` units to one: `proofs/clipped_sums.md`.
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
}

/// Every bound that [`noisy_sums`] can rely on, for a table with this many columns.
pub(crate) fn stated(columns: usize) -> impl Iterator<Item = Bound> {
    let response = 0;
    let all =
        [Sums::Moments, Sums::Covariances, Sums::Regression { response }, Sums::SquaredError { response }];
    all.into_iter().map(move |sums| sums.bound(columns, GRID as u64))
}

/// Exact sums over rows on the grid.
pub(crate) struct Totals {
    pub(crate) rows: i128,
    /// Sum u_j.
    pub(crate) linear: Vec<i128>,
    /// For the lower triangle, three sums over rows: u_j u_k, its quotient by the grid rounded row by row, and
    /// twice that.
    products: Vec<[i128; 3]>,
}

impl Totals {
    /// The sums over no rows.
    pub(crate) fn new(columns: usize) -> Self {
        Self { rows: 0, linear: vec![0; columns], products: vec![[0; 3]; columns * (columns + 1) / 2] }
    }

    /// Adds a row, which is on the grid.
    ///
    /// # Guarantee
    /// The summands are a function of the row and of public values alone.
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

    pub(crate) fn exact_product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[0]
    }

    pub(crate) fn product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[1]
    }

    pub(crate) fn doubled_square(&self, j: usize) -> i128 {
        self.at(j, j)[2]
    }
}
