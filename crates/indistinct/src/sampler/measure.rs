//! `measure`: count the private rows in cells of the located model, add exact noise, and fit theta to the noisy counts.
//!
//! The fit is post-processing: it sees released numbers only and costs nothing, whatever its method.

use std::num::NonZeroU64;

use super::SamplerError;
use super::view_fit::{self, Axis, Moments};
use crate::discriminator::views::Views;
use crate::linear::{Cholesky, Symmetric};
use crate::model::SequentialNormal;
use crate::privacy::{Budget, Epsilon, Sensitivity, discrete_laplace_counts};
use crate::private::PrivateRows;

/// Cut points on the normal scale, and how much of the information about mean and standard deviation they keep: for
/// each number of intervals the ones that keep the most. (Equal probabilities would lose much more about the latter.)
const GRIDS: [(&[f64], f64, f64); 6] = [
    (&[1.358], 0.857, 0.645),
    (&[0.983, 1.87], 0.925, 0.817),
    (&[0.778, 1.448, 2.189], 0.954, 0.888),
    (&[0.645, 1.199, 1.753, 2.419], 0.969, 0.925),
    (&[0.55, 1.029, 1.488, 1.98, 2.597], 0.978, 0.946),
    (&[0.425, 0.806, 1.16, 1.511, 1.882, 2.306, 2.863], 0.987, 0.968),
];

/// The views and cuts to measure with, by public quantities: finer cells lose less information and gather more noise.
fn choose_views(columns: usize, rows: usize, noise_scale: f64) -> Views {
    let lost = |&(cuts, mean, sd): &(&[f64], f64, f64)| {
        let intervals = (2 * (cuts.len() + 1)) as f64;
        let cells = if columns == 1 { intervals } else { intervals * intervals };
        f64::midpoint(1.0 / mean, 1.0 / sd) - 1.0 + cells * 2.0 * noise_scale * noise_scale / rows as f64
    };
    let mut best = GRIDS[0];
    for grid in &GRIDS[1..] {
        if lost(grid) < lost(&best) {
            best = *grid;
        }
    }
    let mirrored =
        best.0.iter().rev().map(|cut| -cut).chain(std::iter::once(0.0)).chain(best.0.iter().copied());
    Views::of_table(columns, mirrored.collect())
}

/// Measures the rows under `located` and gives the model that fits the noisy counts.
///
/// # Guarantee
/// Discrete Laplace noise on the counts of as many fixed partitions as there are views
/// (`proofs/discrete_laplace_counts.md`, `proofs/counts_sensitivity.md`); the rest is post-processing.
///
/// # Errors
/// When the budget does not allow it.
pub fn measure(
    rows: &PrivateRows,
    located: &SequentialNormal,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<SequentialNormal, SamplerError> {
    let columns = rows.columns();
    let partitions = (columns * columns.saturating_sub(1) / 2).max(1) as u64;
    let partitions = NonZeroU64::new(partitions).unwrap_or(NonZeroU64::MIN);
    let charge = budget.charge("noisy counts of cells", epsilon, Sensitivity::counts(partitions))?;
    let noise_scale = charge.bound().units().get() as f64 / charge.epsilon().to_f64();
    let views = choose_views(columns, rows.rows(), noise_scale);
    let noisy = discrete_laplace_counts(charge, &rows.cell_counts(located, &views))?;
    Ok(fit(located, &views, &noisy, rows.rows(), noise_scale))
}

/// The model whose innovations under `located` have the moments that the views show.
fn fit(
    located: &SequentialNormal,
    views: &Views,
    noisy: &[i64],
    rows: usize,
    noise_scale: f64,
) -> SequentialNormal {
    let q = located.location().len();
    let noise_variance = 2.0 * noise_scale * noise_scale;
    let mut axes: Vec<Vec<Axis>> = vec![Vec::new(); q];
    let mut correlations = Symmetric::zeros(q);
    let mut offset = 0;
    for (view, &(first, second)) in views.views().iter().enumerate() {
        let counts = &noisy[offset..offset + views.cells_of(view)];
        offset += counts.len();
        let found = if second.is_some() {
            view_fit::pair(counts, rows as f64, views.cuts(), noise_variance)
        } else {
            view_fit::single(counts, views.cuts(), noise_variance)
        };
        let Moments { first: axis, second: other } = found;
        axes[first].push(axis);
        if let (Some(second), Some((other, correlation))) = (second, other) {
            axes[second].push(other);
            correlations.set(first, second, correlation);
        }
    }
    let mean =
        |axes: &[Axis], value: fn(&Axis) -> f64| axes.iter().map(value).sum::<f64>() / axes.len() as f64;
    let means: Vec<f64> = axes.iter().map(|axes| mean(axes, |axis| axis.mean)).collect();
    let sds: Vec<f64> = axes.iter().map(|axes| mean(axes, |axis| axis.sd.ln()).exp()).collect();
    let correlation = factor_of_correlations(&correlations);
    let factor: Vec<Vec<f64>> =
        (0..q).map(|j| correlation.row(j).iter().map(|loading| loading * sds[j]).collect()).collect();
    located.corrected(&means, &factor)
}

/// The Cholesky factor of the correlations, shrunk towards independence until there is one: views are fitted one by one,
/// and noise can make them contradict each other.
fn factor_of_correlations(correlations: &Symmetric) -> Cholesky {
    let q = correlations.order();
    let mut shrink = 1.0;
    loop {
        let mut matrix = Symmetric::zeros(q);
        for row in 0..q {
            for column in 0..row {
                matrix.set(row, column, shrink * correlations.get(row, column));
            }
            matrix.set(row, row, 1.0);
        }
        if let Some(factor) = Cholesky::new(&matrix) {
            return factor;
        }
        shrink *= 0.98;
    }
}
