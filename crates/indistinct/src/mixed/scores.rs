//! Correlation of two normal scores, from a table of their classes.
//!
//! Scores are cut into classes of equal probability; the mean score of a class stands for its rows. The mean product of
//! two such stand-ins is a known, increasing function of the correlation rho, the series sum_k c_k^2 rho^k with c_k the
//! Hermite coefficients of the step function that maps a score to its class mean (Mehler's formula), so that rho is found
//! by bisection. One number from a whole noisy table: far less noise than in any of its cells.

use crate::model::quantile;

/// Classes of a score in a pair table.
pub const CLASSES: usize = 8;
/// Terms of the series: what is left out is below 0.001 at the largest correlation.
const TERMS: usize = 400;
/// Larger correlations cannot be told apart from classes.
const LARGEST: f64 = 0.999;

/// The points at which scores are cut, ascending.
pub fn cuts() -> Vec<f64> {
    (1..CLASSES).map(|k| quantile(k as f64 / CLASSES as f64)).collect()
}

/// Class means, and the coefficients of the mean product as a function of the correlation.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Scores {
    /// For classes of equal probability.
    pub fn new() -> Self {
        let density = |z: f64| (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let cuts = cuts();
        let edges: Vec<f64> = cuts.iter().map(|&cut| density(cut)).collect();
        let means: Vec<f64> = (0..CLASSES)
            .map(|class| {
                let low = if class == 0 { 0.0 } else { edges[class - 1] };
                let high = if class == CLASSES - 1 { 0.0 } else { edges[class] };
                CLASSES as f64 * (low - high)
            })
            .collect();
        // c_k = sum over cuts of (jump of the step function) h_{k-1}(cut) density(cut) / sqrt(k).
        let jumps: Vec<f64> = means.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (mut before, mut here) = (vec![0.0; cuts.len()], vec![1.0; cuts.len()]);
        let mut squares = Vec::with_capacity(TERMS);
        for k in 1..=TERMS {
            let terms = jumps.iter().zip(&edges).zip(&here);
            let coefficient: f64 = terms.map(|((jump, edge), h)| jump * edge * h).sum::<f64>() / (k as f64).sqrt();
            squares.push(coefficient * coefficient);
            // Normalised Hermite polynomials: sqrt(k) h_k = z h_{k-1} - sqrt(k-1) h_{k-2}.
            let order = k as f64;
            for ((before, here), &z) in before.iter_mut().zip(&mut here).zip(&cuts) {
                let next = (z * *here - (order - 1.0).sqrt() * *before) / order.sqrt();
                *before = std::mem::replace(here, next);
            }
        }
        Self { means, squares }
    }

    /// The mean product of class means at a correlation.
    fn product(&self, correlation: f64) -> f64 {
        self.squares.iter().rev().fold(0.0, |sum, square| (sum + square) * correlation)
    }

    /// The correlation at which a table of classes (row after row) would be expected to be as it is.
    pub fn correlation(&self, table: &[f64]) -> f64 {
        let total: f64 = table.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let cells = table.chunks(CLASSES).zip(&self.means);
        let sum: f64 = cells
            .map(|(row, first)| first * row.iter().zip(&self.means).map(|(count, second)| count * second).sum::<f64>())
            .sum();
        let (mut low, mut high) = (-LARGEST, LARGEST);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.product(middle) < sum / total { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }
}

impl Default for Scores {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn correlations_come_back() {
        let scores = Scores::new();
        let cuts = cuts();
        let class = |z: f64| cuts.partition_point(|&cut| cut < z);
        let mut random = Seed(4).stream(0);
        for correlation in [-0.98, -0.5, 0.0, 0.1, 0.7, 0.95, 0.99_f64] {
            let mut table = vec![0.0; CLASSES * CLASSES];
            for _ in 0..200_000 {
                let x: f64 = StandardNormal.sample(&mut random);
                let e: f64 = StandardNormal.sample(&mut random);
                let y = correlation * x + (1.0 - correlation * correlation).sqrt() * e;
                table[class(x) * CLASSES + class(y)] += 1.0;
            }
            let found = scores.correlation(&table);
            assert!((found - correlation).abs() < 0.006, "{correlation}: {found}");
        }
    }

    #[test]
    fn any_table_gives_a_correlation() {
        let scores = Scores::new();
        for table in [vec![0.0; 64], vec![-3.0; 64], vec![1.0; 64], (0..64).map(f64::from).collect()] {
            assert!(scores.correlation(&table).abs() <= LARGEST);
        }
    }
}
