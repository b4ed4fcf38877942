//! `measure`: count the private rows in cells of the located model, add exact noise, and fit theta to the noisy
//! counts.
//!
//! The fit is post-processing: it sees released numbers only and costs nothing, whatever its method.

use std::num::{NonZeroU32, NonZeroU64};

use super::view_fit::{self, Axis, Moments};
use crate::discriminator::views::{Views, equal_cuts};
use crate::linear::{Cholesky, Symmetric};
use crate::model::{SequentialNormal, distribution};
use crate::privacy::StepError;
use crate::privacy::{Budget, Epsilon, Rho, Sensitivity, noisy_counts};
use crate::private::PrivateRows;

/// The step that pays for noisy counts, by which readers of a certificate find the scale of their noise.
pub const COUNTS_STEP: &str = "noisy counts of cells";

/// Numbers of intervals into which an axis may be cut.
const INTERVALS: [usize; 8] = [3, 4, 5, 6, 8, 10, 12, 16];
/// Factors by which cut points may be spread out from those of equal probability: wide cuts tell more about
/// standard deviations, narrow ones suffer less from noise.
const SPREADS: [f64; 6] = [1.0, 1.15, 1.3, 1.45, 1.6, 1.75];

/// The views and cuts to measure with, by public quantities: those that tell mean, standard deviation and
/// correlation best, given the sampling noise of n rows and the noise that is added.
pub(super) fn choose_views(columns: usize, rows: usize, noise_scale: f64) -> Views {
    let spread = |intervals: usize, spread: f64| -> Vec<f64> {
        equal_cuts(intervals).into_iter().map(|cut| cut * spread).collect()
    };
    let grids = INTERVALS.iter().flat_map(|&intervals| SPREADS.map(|wide| spread(intervals, wide)));
    let lost = |cuts: &[f64]| information_lost(cuts, columns > 1, rows as f64, noise_scale);
    let best = grids.min_by(|a, b| lost(a).total_cmp(&lost(b)));
    Views::of_table(columns, best.unwrap_or_else(|| equal_cuts(INTERVALS[0])))
}

/// The mean over parameters of the variance of an estimate from noisy counts, relative to one from the rows
/// themselves.
///
/// The information of independent counts with variance n p + noise about a parameter is sum (n dp)^2 / variance.
fn information_lost(cuts: &[f64], pairs: bool, n: f64, noise_scale: f64) -> f64 {
    let noise = 2.0 * noise_scale * noise_scale;
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    // Per interval its probability, and how that moves with the mean and with the standard deviation.
    let mut below = (0.0, 0.0, 0.0);
    let ends = cuts.iter().map(|&cut| (distribution(cut), -density(cut), -cut * density(cut)));
    let axis: Vec<(f64, f64, f64)> = ends
        .chain(std::iter::once((1.0, 0.0, 0.0)))
        .map(|end| {
            let start = std::mem::replace(&mut below, end);
            (end.0 - start.0, end.1 - start.1, end.2 - start.2)
        })
        .collect();
    let information = |p: f64, move_of_p: f64| n * move_of_p * move_of_p / (n * p + noise);
    let (mut mean, mut sd, mut correlation) = (0.0, 0.0, 0.0);
    for first in &axis {
        if !pairs {
            mean += information(first.0, first.1);
            sd += information(first.0, first.2) / 2.0;
            continue;
        }
        for second in &axis {
            let p = first.0 * second.0;
            mean += information(p, first.1 * second.0);
            sd += information(p, first.2 * second.0) / 2.0;
            correlation += information(p, first.1 * second.1);
        }
    }
    if pairs { 1.0 / mean + 1.0 / sd + 1.0 / correlation } else { 1.0 / mean + 1.0 / sd }
}

/// The sensitivity of the counts of a table with this many columns, from which a model is fitted by the number of rows.
fn counted(columns: usize) -> Sensitivity {
    let partitions = (columns * columns.saturating_sub(1) / 2).max(1) as u64;
    Sensitivity::counts(NonZeroU64::new(partitions).unwrap_or(NonZeroU64::MIN)).with_number_of_rows()
}

/// The scale of the noise on the counts of a table with this many columns, measured with `epsilon` for all rows
/// of a person.
pub fn noise_scale(columns: usize, epsilon: Epsilon, rows_per_person: NonZeroU32) -> f64 {
    counted(columns).bound().units().get() as f64 * f64::from(rows_per_person.get()) / epsilon.to_f64()
}

/// The scale of Laplace noise as wide as the Gaussian noise on such counts, measured with `rho`.
pub fn noise_scale_of_rho(columns: usize, rho: Rho, rows_per_person: NonZeroU32) -> f64 {
    // A variance of K^2 D / (2 rho), which is twice the square of a Laplace scale.
    let squared = counted(columns).bound().units().get() as f64;
    f64::from(rows_per_person.get()) * (squared / (4.0 * rho.to_f64())).sqrt()
}

/// Measures the rows under `located` and returns the model that fits the noisy counts.
///
/// # Guarantee
/// Discrete Laplace noise, or discrete Gaussian where the budget has a delta, on the counts of as many fixed
/// partitions as there are views (`proofs/discrete_laplace_counts.md`, `proofs/discrete_gaussian_counts.md`,
/// `proofs/counts_sensitivity.md`); the rest is post-processing.
///
/// # Errors
/// When the budget does not allow it.
pub fn measure(
    rows: &PrivateRows,
    located: &SequentialNormal,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<SequentialNormal, StepError> {
    let columns = rows.columns();
    let charge = budget.charge_counts(COUNTS_STEP, budget.worth(epsilon), counted(columns))?;
    let noise_scale = charge.laplace_scale();
    let views = choose_views(columns, rows.rows(), noise_scale);
    let noisy = noisy_counts(charge, &rows.cell_counts(located, &views))?;
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

/// The Cholesky factor of the correlations, shrunk towards independence until there is one: views are fitted one
/// by one, and noise can make them contradict each other.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_fine_cuts_lose_next_to_nothing() {
        let lost = information_lost(&equal_cuts(64), false, 1e6, 0.0);
        assert!((2.0..2.2).contains(&lost), "{lost}");
        let lost = information_lost(&equal_cuts(64), true, 1e9, 0.0);
        assert!((3.0..3.3).contains(&lost), "{lost}");
    }

    #[test]
    fn the_scale_in_a_certificate_is_that_of_the_noise() {
        let rows_per_person = NonZeroU32::MIN.saturating_add(2);
        for (columns, delta) in [(1, "0"), (5, "0"), (1, "1e-6"), (5, "1e-6")] {
            let randomness = crate::privacy::Randomness::seeded(crate::random::Seed(1));
            let (epsilon, delta) = ("2".parse().unwrap(), delta.parse().unwrap());
            let mut budget = Budget::with_delta(epsilon, delta, rows_per_person, randomness);
            let cost = budget.portion(0.7);
            let charge = budget.charge_counts(COUNTS_STEP, cost, counted(columns)).unwrap();
            let spend = &budget.spends()[0];
            let found = match spend.concentrated {
                None => noise_scale(columns, spend.epsilon, rows_per_person),
                Some(spend) => noise_scale_of_rho(columns, spend.rho, rows_per_person),
            };
            let drawn = charge.laplace_scale();
            assert!((found / drawn - 1.0).abs() < 1e-6, "{found} {drawn}");
            let sd = charge.noise_sd();
            assert!((sd / (drawn * 2f64.sqrt()) - 1.0).abs() < 0.02, "{sd} {drawn}");
        }
    }

    #[test]
    fn more_noise_needs_coarser_cells() {
        let intervals = |noise_scale: f64| choose_views(2, 5000, noise_scale).intervals();
        assert!(intervals(0.1) > intervals(5.0) && intervals(5.0) > intervals(200.0));
    }
}
