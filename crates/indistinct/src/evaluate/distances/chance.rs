//! The distance that chance alone makes between two samples of one population.
//!
//! Deal M rows of a cell anew to tables of n real and m synthetic rows: the number of real ones among them is
//! binomial with p = n / (n + m), but for the correction of a finite population. The difference of the shares,
//! a/n - (M - a)/m, is (1/n + 1/m) (a - M p), so that the expected distance is a sum of mean absolute deviations
//! of binomials, which have a closed form (de Moivre): 2 k C(M, k) p^k q^(M - k + 1) with k = floor(M p) + 1.

use std::f64::consts::PI;

/// Rows of a cell up to which the closed form is used; beyond, that of the normal law, which differs by less than
/// one part in a hundred.
const SMALL_CELL: usize = 64;

/// The law of the difference between two shares of one cell under a random deal.
#[derive(Debug)]
pub(super) struct Chance {
    rows: f64,
    /// The share of real rows.
    p: f64,
    /// Mean absolute deviations of cells with 0, 1, ... rows.
    small: Vec<f64>,
}

impl Chance {
    pub(super) fn new(real_rows: usize, synthetic_rows: usize) -> Self {
        let rows = (real_rows + synthetic_rows) as f64;
        let p = real_rows as f64 / rows;
        Self { rows, p, small: (0..=SMALL_CELL).map(|size| binomial_deviation(size, p)).collect() }
    }

    /// The mean absolute deviation of the number of real rows in a cell with this many rows of both tables.
    pub(super) fn deviation(&self, size: usize) -> f64 {
        let left = ((self.rows - size as f64) / (self.rows - 1.0)).max(0.0);
        let deviation = match self.small.get(size) {
            Some(&deviation) => deviation,
            None => (2.0 * size as f64 * self.p * (1.0 - self.p) / PI).sqrt(),
        };
        deviation * left.sqrt()
    }
}

/// E|a - M p| of a binomial a of M trials.
fn binomial_deviation(size: usize, p: f64) -> f64 {
    let q = 1.0 - p;
    if size == 0 || p <= 0.0 || q <= 0.0 {
        return 0.0;
    }
    let k = ((size as f64 * p).floor() as usize + 1).min(size);
    let choices: f64 = (1..=k).map(|i| (size - k + i) as f64 / i as f64).product();
    2.0 * k as f64 * choices * p.powi(k as i32) * q.powi((size - k + 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_form_is_the_sum_over_all_outcomes() {
        for p in [0.1, 0.5, 0.77] {
            for size in 1..40usize {
                let choices = |a: usize| (1..=a).map(|i| (size - a + i) as f64 / i as f64).product::<f64>();
                let term = |a: usize| {
                    let probability =
                        choices(a) * f64::powi(p, a as i32) * f64::powi(1.0 - p, (size - a) as i32);
                    probability * (a as f64 - size as f64 * p).abs()
                };
                let sum: f64 = (0..=size).map(term).sum();
                assert!((binomial_deviation(size, p) - sum).abs() < 1e-12, "{p} {size}");
            }
        }
    }

    #[test]
    fn large_cells_continue_small_ones() {
        let chance = Chance::new(700_000, 300_000);
        let (before, after) = (chance.deviation(SMALL_CELL), chance.deviation(SMALL_CELL + 1));
        assert!(before < after && after / before < 1.02, "{before} {after}");
        assert_eq!(chance.deviation(1_000_000), 0.0, "a cell with all rows has nothing to deal");
    }
}
