//! Means and shares of simulations, with what chance may have done to them.

use serde::{Deserialize, Serialize};

/// The 97.5 % point of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// A share, with Wilson's interval, which is right at 0 too.
    pub fn share(successes: u64, trials: u64) -> Self {
        let (n, p) = (trials.max(1) as f64, successes as f64 / trials.max(1) as f64);
        let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        Self { value: p, low: (centre - half).max(0.0).min(p), high: (centre + half).min(1.0).max(p) }
    }

    /// A mean, with the normal interval.
    pub fn mean(values: &[f64]) -> Self {
        let Moments { mean, variance } = Moments::of(values);
        let half = Z * (variance / values.len() as f64).sqrt();
        Self { value: mean, low: mean - half, high: mean + half }
    }

    /// Whether the interval holds a number.
    pub fn holds(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// Mean and variance (with n - 1) of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The variance.
    pub variance: f64,
}

impl Moments {
    /// Of these values.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { mean, variance }
    }
}

/// The median; not a number if there is none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        // R: prop.test(10, 1000, correct = FALSE)$conf.int
        let share = Estimate::share(10, 1000);
        assert!(
            (share.low - 0.005_440_754_446).abs() < 1e-11 && (share.high - 0.018_309_468_870).abs() < 1e-11,
            "{share:?}"
        );
        let none = Estimate::share(0, 80_000);
        assert_eq!((none.value, none.low), (0.0, 0.0));
        assert!(none.high < 5e-5 && !none.holds(5e-5));
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0])), (2.0, 2.5));
        let mean = Estimate::mean(&[1.0, 2.0, 3.0]);
        assert!((mean.value - 2.0).abs() < 1e-15 && (mean.high - 2.0 - Z / 3f64.sqrt()).abs() < 1e-12);
    }
}
