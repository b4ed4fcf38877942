//! Means and shares of simulations, with what chance may have done to them.

use indistinct::combine::student;
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

    /// A mean, with Student's interval: a few simulations tell their own variance badly, and four of them need an interval
    /// 1.6 times as wide as the normal one.
    pub fn mean(values: &[f64]) -> Self {
        let Moments { mean, variance } = Moments::of(values);
        let n = values.len() as f64;
        let half = student::critical(0.05, n - 1.0) * (variance / n).sqrt();
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
    use indistinct::random::Seed;
    use rand_distr::{Distribution, StandardNormal};

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
        // 3.182446 is the 97.5 % point of t with 3 degrees of freedom, and sqrt(14/3)/2 the standard error.
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 6.0]);
        let wanted = [-0.437_434_882, 6.437_434_882];
        assert!((mean.value - 3.0).abs() < 1e-15);
        assert!((mean.low - wanted[0]).abs() < 1e-6 && (mean.high - wanted[1]).abs() < 1e-6, "{mean:?}");
    }

    /// Means of four normal numbers: 95 % of their intervals hold zero, and 85.5 % would by the normal distribution.
    #[test]
    fn intervals_of_four_simulations_hold_what_they_should() {
        let random = &mut Seed(41).stream(0);
        let trials = 4000;
        let held = (0..trials).filter(|_| {
            let values: [f64; 4] = std::array::from_fn(|_| StandardNormal.sample(random));
            Estimate::mean(&values).holds(0.0)
        });
        let share = held.count() as f64 / f64::from(trials);
        assert!((share - 0.95).abs() < 0.012, "{share}");
    }
}
