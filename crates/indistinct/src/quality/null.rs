//! What the centred pMSE would be if the tables were alike, and how far from that an observed one is.
//!
//! A discriminator finds differences between any two samples, and the more parameters it has the more it finds.
//! For a logistic model with k coefficients (the intercept among them), N rows in all and a share c of them
//! synthetic, the centred pMSE of two independent samples of one population is c (1 - c) / N times a chi-square
//! variable with k - 1 degrees of freedom. Rows drawn from a *correct model fitted to the real rows* follow
//! these rows instead of the population, which leaves out the real rows' share of the variance: a factor 1 - c
//! (Snoke, Raab, Nowok, Dibben and Slavkovic, 2018; with their 1/2 put right for tables of unequal size).
//!
//! Trees have no such formula; there the labels are permuted and the discriminator refitted
//! ([`NullExpectation::of_permutations`]).

/// Mean and standard deviation of the centred pMSE of tables that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullExpectation {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
}

impl NullExpectation {
    /// For two independent samples of one population, or for permuted labels, and a logistic model with
    /// `coefficients` coefficients, the intercept among them: (k - 1) c (1 - c) / N.
    pub fn independent_samples(coefficients: usize, real_rows: usize, synthetic_rows: usize) -> Self {
        let rows = (real_rows + synthetic_rows) as f64;
        let degrees = coefficients.saturating_sub(1) as f64;
        let unit = synthetic_rows as f64 / rows * (real_rows as f64 / rows) / rows;
        Self { mean: degrees * unit, sd: (2.0 * degrees).sqrt() * unit }
    }

    /// For rows drawn from a correct model fitted to the real rows: (k - 1) c (1 - c)^2 / N.
    pub fn fitted_model(coefficients: usize, real_rows: usize, synthetic_rows: usize) -> Self {
        let share = synthetic_rows as f64 / (real_rows + synthetic_rows) as f64;
        Self::independent_samples(coefficients, real_rows, synthetic_rows).to_fitted_model(share)
    }

    /// From the centred pMSE of refits to permuted labels; stands for two independent samples. `None` for
    /// fewer than two permutations.
    pub fn of_permutations(centred: &[f64]) -> Option<Self> {
        if centred.len() < 2 {
            return None;
        }
        let count = centred.len() as f64;
        let mean = centred.iter().sum::<f64>() / count;
        let squares: f64 = centred.iter().map(|value| (value - mean) * (value - mean)).sum();
        Some(Self { mean, sd: (squares / (count - 1.0)).sqrt() })
    }

    /// From two independent samples to rows drawn from a correct model fitted to the real rows, where
    /// `synthetic_share` is c: mean and standard deviation times 1 - c.
    #[must_use]
    pub fn to_fitted_model(self, synthetic_share: f64) -> Self {
        Self { mean: self.mean * (1.0 - synthetic_share), sd: self.sd * (1.0 - synthetic_share) }
    }

    /// S_pMSE as synthpop reports it: the centred pMSE over its expectation; 1 is as expected. `None` when
    /// nothing is expected (a model without predictors).
    pub fn ratio(&self, pmse_centred: f64) -> Option<f64> {
        (self.mean > 0.0).then(|| pmse_centred / self.mean)
    }

    /// By how many standard deviations the centred pMSE exceeds its expectation; `None` when these are zero.
    pub fn standardised(&self, pmse_centred: f64) -> Option<f64> {
        (self.sd > 0.0).then(|| (pmse_centred - self.mean) / self.sd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-15 * left.abs().max(right.abs()).max(1.0)
    }

    #[test]
    fn formulas() {
        // k = 5, c = 3/4, N = 200.
        let independent = NullExpectation::independent_samples(5, 50, 150);
        assert!(close(independent.mean, 4.0 * 0.75 * 0.25 / 200.0));
        assert!(close(independent.sd, 8f64.sqrt() * 0.75 * 0.25 / 200.0));
        let fitted = NullExpectation::fitted_model(5, 50, 150);
        assert!(close(fitted.mean, 4.0 * 0.75 * 0.0625 / 200.0));
        assert!(close(fitted.sd, 8f64.sqrt() * 0.75 * 0.0625 / 200.0));
        assert!(close(fitted.ratio(2.0 * fitted.mean).unwrap(), 2.0));
        assert!(close(fitted.standardised(fitted.mean + 3.0 * fitted.sd).unwrap(), 3.0));
    }

    #[test]
    fn equal_sizes_give_the_published_eighth() {
        // Snoke et al.: (k - 1)(1 - c)^2 c / N = (k - 1) / (8 N) for c = 1/2.
        assert!(close(NullExpectation::fitted_model(3, 500, 500).mean, 2.0 / 8000.0));
    }

    #[test]
    fn a_model_without_predictors_has_no_ratio() {
        let null = NullExpectation::fitted_model(1, 10, 10);
        assert_eq!((null.ratio(0.0), null.standardised(0.0)), (None, None));
    }

    #[test]
    fn permutations() {
        assert_eq!(NullExpectation::of_permutations(&[0.1]), None);
        let null = NullExpectation::of_permutations(&[0.1, 0.2, 0.3]).unwrap();
        assert!(close(null.mean, 0.2) && close(null.sd, 0.1));
        let fitted = null.to_fitted_model(0.25);
        assert!(close(fitted.mean, 0.15) && close(fitted.sd, 0.075));
    }
}
