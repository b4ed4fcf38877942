//! The law of rows before any table is measured: the normal law of scores with the released correlations.
//!
//! Exchanges are made as if rows were drawn from it. Without it chance alone would pull the pool towards
//! independence, and correlations that were paid for would fade.

use super::fill_in::{ScoreInterval, given_others, score_intervals};
use crate::grid::Codes;
use crate::margin::Margin;

/// Least share of a score's variance that classes are taken to tell.
const LEAST_TOLD: f64 = 0.01;

/// The dependence of a row's classes by their scores.
///
/// The middle of a class stands for all scores in it, and so varies less than they do: by the share `told` of
/// their variance. Middles over `told` have the scores' covariances, and variances that are larger by (1 - told)
/// / told, as if there were noise in them. Without that noise, columns that are nearly always zero, whose
/// correlations can nearly contradict each other, would dominate all others.
pub(crate) struct Copula {
    /// For every column, the middle of each class over `told`; 0 for missing values, and empty for columns
    /// without scores.
    scores: Vec<Vec<f32>>,
    /// For every column, the others with scores, with the negative of the entry of the inverse of the
    /// covariances.
    weights: Vec<Vec<(usize, f32)>>,
}

impl Copula {
    /// The copula of all columns, from their margins and classes, the columns with scores, and the lower
    /// triangular factor of their correlations.
    pub(crate) fn new(margins: &[Margin], codes: &[&Codes], block: &[usize], factor: &[Vec<f64>]) -> Self {
        let (mut scores, mut weights) = (vec![Vec::new(); margins.len()], vec![Vec::new(); margins.len()]);
        let mut within = Vec::with_capacity(block.len());
        for &column in block {
            let intervals = score_intervals(&margins[column], codes[column]);
            let middles: Vec<f64> = intervals.into_iter().map(ScoreInterval::middle).collect();
            let squares = middles.iter().zip(codes[column].probabilities()).map(|(z, p)| p * z * z);
            let told = squares.sum::<f64>().clamp(LEAST_TOLD, 1.0);
            scores[column] = middles.iter().map(|middle| (middle / told) as f32).collect();
            within.push((1.0 - told) / told);
        }
        for (&column, (given, sd)) in block.iter().zip(given_others(factor, &within)) {
            let others = block.iter().zip(given).filter(|(_, weight)| *weight != 0.0);
            weights[column] = others.map(|(&other, weight)| (other, (weight / (sd * sd)) as f32)).collect();
        }
        Self { scores, weights }
    }

    /// The rise of the pool's log-likelihood if two rows exchanged their classes in some columns.
    pub(super) fn rise(&self, columns: &[usize], r: &[u16], s: &[u16]) -> f32 {
        let apart = |column: usize| {
            let scores = &self.scores[column];
            scores[usize::from(r[column])] - scores[usize::from(s[column])]
        };
        let mut rise = 0.0;
        for &column in columns {
            let others = self.weights[column].iter().filter(|(other, _)| !columns.contains(other));
            let sum: f32 = others.map(|&(other, weight)| weight * apart(other)).sum();
            // Columns without scores have no weights.
            if sum != 0.0 {
                rise -= apart(column) * sum;
            }
        }
        rise
    }

    /// A copula of columns without scores.
    #[cfg(test)]
    pub(super) fn none(columns: usize) -> Self {
        Self { scores: vec![Vec::new(); columns], weights: vec![Vec::new(); columns] }
    }
}
