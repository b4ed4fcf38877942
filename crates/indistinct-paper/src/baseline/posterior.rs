//! The posterior of sequential normal regressions under the usual flat prior, from moments.

use indistinct::linear::Symmetric;
use indistinct::model::SequentialNormal;
use indistinct::random::Generator;
use rand_distr::{ChiSquared, Distribution, StandardNormal};

use crate::baseline::BaselineError;

/// Statistics of n rows that the posterior of a regression needs.
pub(crate) struct Moments {
    /// n.
    pub(crate) rows: usize,
    /// The mean of each column.
    pub(crate) means: Vec<f64>,
    /// Sums of (x_j - mean_j)(x_k - mean_k).
    pub(crate) centred: Symmetric,
}

/// The treatment of a residual sum of squares that is too small to be one.
#[derive(Clone, Copy)]
pub(crate) enum Smallest {
    /// Take this instead.
    Floor(f64),
    /// Refuse what is below this part of the column's own sum of squares.
    Refused(f64),
}

/// One draw: for each column sigma^2 = RSS / chi^2_{n-p}, and coefficients normal around least squares with covariance
/// sigma^2 (X'X)^-1. The intercept is drawn at the mean of the predictors, where it is independent of the slopes.
pub(crate) fn draw(
    moments: &Moments,
    smallest: Smallest,
    random: &mut Generator,
) -> Result<SequentialNormal, BaselineError> {
    let Moments { rows, means, centred } = moments;
    let q = means.len();
    let n = *rows as f64;
    // centred = lower diag(residual) lower', row by row: `lower` holds what each column has of the residuals before it.
    let (mut lower, mut residual): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    let (mut location, mut factor): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for j in 0..q {
        let mut loadings: Vec<f64> = Vec::with_capacity(j);
        for k in 0..j {
            let known: f64 = (0..k).map(|i| loadings[i] * residual[i] * lower[k][i]).sum();
            loadings.push((centred.get(j, k) - known) / residual[k]);
        }
        let explained: f64 =
            loadings.iter().zip(&residual).map(|(loading, rss)| loading * loading * rss).sum();
        let left = centred.get(j, j) - explained;
        let rss = match smallest {
            Smallest::Floor(floor) => left.max(floor),
            Smallest::Refused(part) if left > part * centred.get(j, j) => left,
            // What is not a number too.
            Smallest::Refused(_) => return Err(BaselineError::Determined(j)),
        };
        let freedom = rows.saturating_sub(j + 1).max(1) as f64;
        let sigma = (rss / chi_squared(freedom, random)).sqrt();
        // Slopes on earlier residuals are independent, with variance sigma^2 / residual; those on the columns follow.
        let drawn: Vec<f64> = loadings
            .iter()
            .zip(&residual)
            .map(|(loading, rss)| loading + sigma / rss.sqrt() * normal(random))
            .collect();
        let slopes = on_columns(&drawn, &lower);
        let offset = |k: usize| slopes[k] * (location[k] - means[k]);
        location.push(means[j] + sigma / n.sqrt() * normal(random) + (0..j).map(offset).sum::<f64>());
        let mut row = vec![0.0; j + 1];
        for (slope, earlier) in slopes.iter().zip(&factor) {
            row.iter_mut().zip(earlier).for_each(|(entry, loading)| *entry += slope * loading);
        }
        row[j] = sigma;
        factor.push(row);
        lower.push(loadings);
        residual.push(rss);
    }
    Ok(SequentialNormal::new(location, factor))
}

/// From slopes on the residuals of the columns to slopes on the columns themselves.
fn on_columns(on_residuals: &[f64], lower: &[Vec<f64>]) -> Vec<f64> {
    let mut slopes = on_residuals.to_vec();
    for k in (0..slopes.len()).rev() {
        for i in 0..k {
            slopes[i] -= slopes[k] * lower[k][i];
        }
    }
    slopes
}

/// Never zero: a tiny chi-square of few degrees of freedom may underflow.
fn chi_squared(freedom: f64, random: &mut Generator) -> f64 {
    ChiSquared::new(freedom).map_or(freedom, |law| law.sample(random)).max(f64::MIN_POSITIVE)
}

fn normal(random: &mut Generator) -> f64 {
    StandardNormal.sample(random)
}
