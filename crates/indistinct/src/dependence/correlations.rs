//! Dependence between ordered columns: correlations of their normal scores.

use std::num::NonZeroU64;

use super::predictors::{Predictors, completed};
use super::scores::{StepScores, usual_slope};
use crate::linear::{Cholesky, Symmetric, clamped_eigenvalues};
use crate::margin::Margin;
use crate::pool::{Classes, ProductTarget, ProductTargets};
use crate::privacy::StepError;
use crate::privacy::{Budget, CountsCharge, SCORE_FINENESS, Sensitivity, noisy_counts};
use crate::private::{CodedColumn, CountQuery, Passes};

/// The least eigenvalue of a correlation matrix.
const LEAST: f64 = 1e-3;
/// Largest standard deviation of a correlation's noise at which finer classes are affordable.
const AFFORDABLE: f64 = 0.01;
/// Least share of rows in which two columns are both present that is used in computations: below it there is only
/// noise.
const RARELY_BOTH: f64 = 1e-3;

/// The fineness of scores, and its cost.
pub(crate) struct Fineness {
    classes: usize,
    /// The largest score.
    largest: NonZeroU64,
    sensitivity: Sensitivity,
    /// The standard deviation of the noise of a correlation near zero, if classes have equal mass.
    pub(crate) noise: f64,
}

impl Fineness {
    /// The finest affordable scores, or else the coarsest, for the products of this many pairs of a table's
    /// columns with scores, with a share of the budget.
    pub(crate) fn affordable(columns: usize, pairs: usize, rows: usize, budget: &Budget, share: f64) -> Self {
        let of = |(classes, largest): (usize, u64)| {
            let square = largest.pow(2) as f64;
            let largest = NonZeroU64::new(largest).unwrap_or(NonZeroU64::MIN);
            let sensitivity = Sensitivity::score_products(columns, pairs, largest);
            let sd = budget.counts_noise_sd(share, &sensitivity);
            let noise = sd / (rows as f64 * usual_slope(classes) * square);
            Self { classes, largest, sensitivity, noise }
        };
        let [finer @ .., coarsest] = SCORE_FINENESS.map(of);
        finer.into_iter().find(|fineness| fineness.noise <= AFFORDABLE).unwrap_or(coarsest)
    }
}

/// A pair of columns of a block, by their places in it, the earlier one first.
pub(super) type PlacePair = (usize, usize);

/// Noisy sums of products of the scores of ordered columns, from which correlations follow.
pub(crate) struct Products {
    /// Columns with scores.
    block: Vec<usize>,
    scores: Vec<StepScores>,
    pairs: Vec<PlacePair>,
    noisy: Vec<i64>,
    sd: f64,
    rows: f64,
}

impl Products {
    /// Measures the products of all pairs of `block` that may depend, with a share of the budget.
    ///
    /// # Guarantee
    /// One charge for the sums of products of all pairs (`proofs/score_products.md`), of scores that released
    /// margins define.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub(crate) fn measure(
        table: &Passes<'_>,
        margins: &[Margin],
        block: &[usize],
        predictors: &Predictors,
        budget: &mut Budget,
        share: f64,
    ) -> Result<Self, StepError> {
        let rows = table.rows() as f64;
        let pairs = if share > 0.0 { predictors.pairs(block) } else { Vec::new() };
        if pairs.is_empty() {
            let (scores, noisy) = (Vec::new(), Vec::new());
            return Ok(Self { block: block.to_vec(), scores, pairs, noisy, sd: 0.0, rows });
        }
        let Fineness { classes, largest, sensitivity, .. } =
            Fineness::affordable(block.len(), pairs.len(), table.rows(), budget, share);
        let scores: Vec<StepScores> = block
            .iter()
            .map(|&column| StepScores::new(&margins[column], classes, largest.get().cast_signed()))
            .collect();
        let cost = budget.portion(share);
        let charge: CountsCharge =
            budget.charge_counts("correlations of ordered columns", cost, sensitivity)?;
        let sd = charge.noise_sd();
        let coded = block.iter().zip(&scores);
        let coded = coded
            .map(|(&column, scores)| CodedColumn::new(column, margins[column].grid(), &scores.codes, false));
        let of_classes = scores.iter().map(|scores| scores.scores.clone()).collect();
        let query = CountQuery::products(coded.collect(), of_classes, &pairs);
        let noisy = noisy_counts(charge, &table.pass(&[query])?.concat())?;
        Ok(Self { block: block.to_vec(), scores, pairs, noisy, sd, rows })
    }

    /// The lower triangular factor of the correlations, row by row, where `presence` gives the share of rows in
    /// which two columns are both present.
    pub(crate) fn factor(&self, presence: &dyn Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
        if self.pairs.is_empty() {
            return (0..self.block.len()).map(independent).collect();
        }
        let estimates: Vec<Estimate> = self
            .pairs
            .iter()
            .zip(&self.noisy)
            .map(|(&(first, second), &noisy)| {
                let both = self.rows * presence(self.block[first], self.block[second]).max(RARELY_BOTH);
                Estimate::new(&self.scores[first], &self.scores[second], noisy as f64 / both, self.sd / both)
            })
            .collect();
        possible(&completed(self.block.len(), &shrunk(&self.pairs, &estimates)))
    }
}

impl Products {
    /// The targets of the pool: the scores of its classes, column by column, and the products of pairs.
    pub(crate) fn targets(&self, margins: &[Margin], classes: &[Classes]) -> ProductTargets {
        let mut scores = vec![Vec::new(); margins.len()];
        for (&column, own) in self.block.iter().zip(&self.scores) {
            scores[column] = own.of_classes(&margins[column], classes[column].codes());
        }
        let pair = |(&(first, second), &noisy): (&PlacePair, &i64)| ProductTarget {
            columns: (self.block[first], self.block[second]),
            mean: noisy as f64 / self.rows,
            sd: self.sd / self.rows,
        };
        ProductTargets { scores, pairs: self.pairs.iter().zip(&self.noisy).map(pair).collect() }
    }
}

/// A correlation and the standard deviation of its noise.
#[derive(Debug, Clone, Copy)]
struct Estimate {
    correlation: f64,
    sd: f64,
}

impl Estimate {
    fn new(first: &StepScores, second: &StepScores, product: f64, sd: f64) -> Self {
        let slope = first.slope(second);
        // A column of one class, or next to it, shows no dependence.
        if slope <= 0.0 || sd > 3.0 * slope {
            return Self { correlation: 0.0, sd: 0.0 };
        }
        Self { correlation: first.correlation(second, product), sd: sd / slope }
    }
}

/// Estimates shrunk towards zero by what noise alone explains of all of them together (James and Stein).
fn shrunk(pairs: &[PlacePair], estimates: &[Estimate]) -> Vec<(PlacePair, f64)> {
    let noise: f64 = estimates.iter().map(|estimate| estimate.sd.powi(2)).sum();
    let all: f64 = estimates.iter().map(|estimate| estimate.correlation.powi(2)).sum();
    let factor = if all > 0.0 { (1.0 - noise / all).max(0.0) } else { 0.0 };
    pairs.iter().zip(estimates).map(|(&pair, estimate)| (pair, factor * estimate.correlation)).collect()
}

fn independent(row: usize) -> Vec<f64> {
    let mut factor = vec![0.0; row];
    factor.push(1.0);
    factor
}

/// The factor of the nearest matrix that is a correlation matrix.
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
        None => (0..order).map(independent).collect(),
    }
}
