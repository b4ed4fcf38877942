//! The centred pMSE of tables that are alike, and how far an observed one is from it.
//!
//! A discriminator finds differences between any two samples, and the more parameters it has the more it finds.
//! For a logistic model with k coefficients (including the intercept), N rows in all and a share c of them
//! synthetic, the centred pMSE of two independent samples of one population is c (1 - c) / N times a chi-square
//! variable with k - 1 degrees of freedom. Rows drawn from a *correct model fitted to the real rows* follow
//! these rows instead of the population, which leaves out the real rows' share of the variance: a factor 1 - c
//! (Snoke, Raab, Nowok, Dibben and Slavkovic, 2018; with their 1/2 corrected for tables of unequal size).
//!
//! That factor holds where fitting the synthesis model matches everything that the discriminator looks at, as
//! normal regressions match the means and products in a logistic model. A tree also sees what no model with few
//! parameters matches, the real rows' own noise in every corner of the table, so that rows of the correct fitted
//! model are as easy to tell from them as another sample is: its yardstick is that of independent samples, found
//! by permuting labels and fitting again ([`NullExpectation::of_simulations`]). [`Reference`] says which of these
//! a ratio is relative to.

use serde::Serialize;

/// The reference for a synthetic table: the table that has S_pMSE 1 in expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Another sample of the population that the real rows come from.
    Sample,
    /// Rows drawn from a correct model fitted to the real rows, which matches everything that the discriminator
    /// looks at.
    FittedModel,
    /// The yardstick of R's synthpop: half of a simulated null, whatever the discriminator and the sizes of the tables.
    Synthpop,
}

words!(Reference {
    "sample" => Sample: "Another sample of the same population",
    "fitted-model" => FittedModel: "Rows of a correct model fitted to the real table (logistic only)",
    "synthpop" => Synthpop: "Half the permutation null whatever the discriminator, to compare with R's synthpop",
});

impl Reference {
    /// A sentence that says what an S_pMSE of 1 means.
    pub fn meaning_of_one(self) -> &'static str {
        match self {
            Self::Sample => {
                "S_pMSE is 1 for a table that is as hard to tell from the real one as another sample of the same population."
            }
            Self::FittedModel => {
                "S_pMSE is 1 for a table drawn from a correct model that was fitted to the real one."
            }
            Self::Synthpop => {
                "S_pMSE is relative to synthpop's yardstick: with trees, even another sample of the same population has about 2."
            }
        }
    }
}

/// Mean and standard deviation of the centred pMSE of tables that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullExpectation {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
}

impl NullExpectation {
    /// The expectation for two independent samples of one population, or for permuted labels, and a logistic
    /// model with `coefficients` coefficients, including the intercept: (k - 1) c (1 - c) / N.
    pub fn independent_samples(coefficients: usize, real_rows: usize, synthetic_rows: usize) -> Self {
        let rows = (real_rows + synthetic_rows) as f64;
        let degrees = coefficients.saturating_sub(1) as f64;
        let unit = synthetic_rows as f64 / rows * (real_rows as f64 / rows) / rows;
        Self { mean: degrees * unit, sd: (2.0 * degrees).sqrt() * unit }
    }

    /// The expectation for rows drawn from a correct model fitted to the real rows: (k - 1) c (1 - c)^2 / N.
    pub fn fitted_model(coefficients: usize, real_rows: usize, synthetic_rows: usize) -> Self {
        let share = synthetic_rows as f64 / (real_rows + synthetic_rows) as f64;
        Self::independent_samples(coefficients, real_rows, synthetic_rows)
            .relative_to(Reference::FittedModel, share)
    }

    /// The closed form relative to `reference`, for a logistic model with `coefficients` coefficients.
    /// (synthpop's closed form is that of a fitted model.)
    pub fn analytic(
        reference: Reference,
        coefficients: usize,
        real_rows: usize,
        synthetic_rows: usize,
    ) -> Self {
        match reference {
            Reference::Sample => Self::independent_samples(coefficients, real_rows, synthetic_rows),
            Reference::FittedModel | Reference::Synthpop => {
                Self::fitted_model(coefficients, real_rows, synthetic_rows)
            }
        }
    }

    /// The expectation from the centred pMSE of fits to simulated pairs of independent samples, such as permuted
    /// labels. `None` for fewer than two of them.
    pub fn of_simulations(centred: &[f64]) -> Option<Self> {
        if centred.len() < 2 {
            return None;
        }
        let count = centred.len() as f64;
        let mean = centred.iter().sum::<f64>() / count;
        let squares: f64 = centred.iter().map(|value| (value - mean) * (value - mean)).sum();
        Some(Self { mean, sd: (squares / (count - 1.0)).sqrt() })
    }

    /// Converts the expectation of two independent samples to another reference, where `synthetic_share` is c:
    /// for a fitted model, mean and standard deviation times 1 - c.
    #[must_use]
    pub fn relative_to(self, reference: Reference, synthetic_share: f64) -> Self {
        let factor = match reference {
            Reference::Sample => 1.0,
            Reference::FittedModel => 1.0 - synthetic_share,
            Reference::Synthpop => 0.5,
        };
        Self { mean: self.mean * factor, sd: self.sd * factor }
    }

    /// S_pMSE: the centred pMSE over its expectation; 1 is as expected. `None` when the expectation is zero (a
    /// model without predictors).
    pub fn ratio(&self, pmse_centred: f64) -> Option<f64> {
        (self.mean > 0.0).then(|| pmse_centred / self.mean)
    }

    /// The excess of the centred pMSE over its expectation, in standard deviations; `None` when these are zero.
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
        assert_eq!(NullExpectation::of_simulations(&[0.1]), None);
        let null = NullExpectation::of_simulations(&[0.1, 0.2, 0.3]).unwrap();
        assert!(close(null.mean, 0.2) && close(null.sd, 0.1));
        for (reference, factor) in
            [(Reference::Sample, 1.0), (Reference::FittedModel, 0.75), (Reference::Synthpop, 0.5)]
        {
            let found = null.relative_to(reference, 0.25);
            assert!(close(found.mean, 0.2 * factor) && close(found.sd, 0.1 * factor), "{reference:?}");
        }
    }
}
