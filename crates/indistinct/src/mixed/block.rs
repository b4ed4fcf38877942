//! Dependence between columns with an order: correlations of their normal scores.

use std::num::NonZeroU64;

use super::scores::{CLASSES, Scores};
use crate::linear::{Cholesky, Symmetric, clamped_eigenvalues};
use crate::margin::Margin;
use crate::privacy::{Budget, Sensitivity, noisy_counts};
use crate::private::{PrivateClasses, PrivateTable};
use crate::random::Generator;
use crate::sampler::SamplerError;
use rand::RngExt;

/// The least eigenvalue of a correlation matrix.
const LEAST: f64 = 1e-3;

/// The lower triangular factor of the scores' correlations, row by row, from a noisy table for every pair.
///
/// # Guarantee
/// One charge for the counts of each pair (`proofs/counts_sensitivity.md`); correlations are post-processing.
///
/// # Errors
/// When the budget does not allow it.
pub(super) fn factor(
    table: &PrivateTable,
    margins: &[Margin],
    block: &[usize],
    (budget, share): (&mut Budget, f64),
    random: &mut Generator,
) -> Result<Vec<Vec<f64>>, SamplerError> {
    let scores = Scores::new();
    let cuts: Vec<f64> = (1..CLASSES).map(|k| k as f64 / CLASSES as f64).collect();
    let classes: Vec<PrivateClasses> = block
        .iter()
        .map(|&column| {
            // Public numbers that belong to the positions of rows.
            let places: Vec<f64> = (0..table.rows()).map(|_| random.random()).collect();
            table.scored(column, &margins[column], &cuts, &places)
        })
        .collect();
    let mut correlations = Symmetric::zeros(block.len());
    for second in 0..block.len() {
        correlations.set(second, second, 1.0);
        for first in 0..second {
            let step = format!("dependence of columns {} and {}", block[first] + 1, block[second] + 1);
            let cost = budget.portion(share);
            let charge = budget.charge_counts(step, cost, Sensitivity::counts(NonZeroU64::MIN))?;
            let noisy = noisy_counts(charge, &classes[first].pair_counts(&classes[second]))?;
            let counts: Vec<f64> = noisy.into_iter().map(|count| count as f64).collect();
            correlations.set(second, first, scores.correlation(&counts));
        }
    }
    Ok(possible(&correlations))
}

/// The factor of the nearest matrix that correlations can make.
fn possible(correlations: &Symmetric) -> Vec<Vec<f64>> {
    let order = correlations.order();
    let near = clamped_eigenvalues(correlations, LEAST, f64::INFINITY);
    let mut scaled = Symmetric::zeros(order);
    for j in 0..order {
        for k in 0..=j {
            scaled.set(j, k, near.get(j, k) / (near.get(j, j) * near.get(k, k)).sqrt());
        }
    }
    match Cholesky::new(&scaled) {
        Some(factor) => (0..order).map(|row| factor.row(row)[..=row].to_vec()).collect(),
        // All eigenvalues are positive; should rounding say otherwise, independence is possible.
        None => (0..order).map(|row| [vec![0.0; row], vec![1.0]].concat()).collect(),
    }
}
