//! From the iteration to a result: the ridge where it is needed, and coefficients on the original scale.

use super::design::{Design, Source};
use super::irls::{Ending, Run, iterate};
use super::{LogisticError, Term};
use crate::quality::Distinguishability;

/// Iterations R allows.
const MAX_ITERATIONS: usize = 25;
/// Iterations with a ridge: separable data gain about one unit of log-odds in each.
const MAX_RIDGE_ITERATIONS: usize = 200;
/// The first penalty tried: a normal prior with standard deviation 1000 on each coefficient, in log-odds per
/// standard deviation of a number, or between a level and its reference.
const PENALTY: f64 = 1e-6;
/// The largest penalty; only a factorisation that breaks down leads beyond the first.
const MAX_PENALTY: f64 = 1.0;
/// The smallest penalty: below it the penalty is lost in rounding errors.
const MIN_PENALTY: f64 = 1e-14;
/// The factor by which penalties are reduced.
const RELAXATION: f64 = 0.01;
/// Penalties are reduced until that moves the scores, and so the pMSE, by less than this on average.
const UNMOVED: f64 = 1e-4;

/// A fitted propensity model: P(row is synthetic).
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    /// For each row the estimated probability of being synthetic.
    pub scores: Vec<f64>,
    /// The coefficients, the intercept first, on the scale of the table; a missing number counts as the mean
    /// of those present.
    pub coefficients: Vec<Coefficient>,
    /// The terms that were dropped because they depend on earlier ones.
    pub aliased: Vec<Term>,
    /// Minus twice the log-likelihood (the penalty, if any, not included).
    pub deviance: f64,
    /// Number of steps, with all penalties up to the reported one.
    pub iterations: usize,
    /// Whether the deviance settled to R's 1e-8.
    pub converged: bool,
    /// The ridge penalty, if the tables can be told apart too well for a fit without one.
    pub ridge: Option<f64>,
    /// Share of synthetic rows (c).
    pub synthetic_share: f64,
}

/// A term and its coefficient.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficient {
    /// The term that it multiplies.
    pub term: Term,
    /// The term's name.
    pub name: String,
    /// Log-odds per unit.
    pub value: f64,
}

impl Logistic {
    /// Number of coefficients (k), including the intercept: the number that null expectations count.
    pub fn k(&self) -> usize {
        self.coefficients.len()
    }

    /// pMSE and related measures.
    pub fn distinguishability(&self) -> Distinguishability {
        Distinguishability::of_scores(&self.scores, self.synthetic_share)
    }
}

impl Design<'_> {
    /// Fits the model to labels (true for synthetic), one for each row.
    ///
    /// # Errors
    /// When the number of labels is not that of rows, or all labels are the same.
    pub fn fit(&self, labels: &[bool]) -> Result<Logistic, LogisticError> {
        if labels.len() != self.rows() {
            return Err(LogisticError::Labels { labels: labels.len(), rows: self.rows() });
        }
        let synthetic = labels.iter().filter(|&&label| label).count();
        if synthetic == 0 || synthetic == labels.len() {
            return Err(LogisticError::OneKind);
        }
        let (mut run, mut ridge) = (iterate(self, labels, None, None, MAX_ITERATIONS), None);
        if run.ending != Ending::Converged {
            let (penalised, penalty) = self.penalised(labels);
            (run, ridge) = (penalised, Some(penalty));
        }
        let Run { ending, iterations, coefficients, point } = run;
        let names = self.stacked().names();
        let level = |predictor: usize, code: u32| self.stacked().levels(predictor)[code as usize].clone();
        let coefficients = self.original_scale(&coefficients).into_iter().zip(&self.independent.kept);
        Ok(Logistic {
            scores: point.scores,
            coefficients: coefficients
                .map(|(value, &column)| {
                    let term = self.term(column);
                    Coefficient { term, name: term.name(names, &level), value }
                })
                .collect(),
            aliased: self.aliased(),
            deviance: point.deviance,
            iterations,
            converged: ending == Ending::Converged,
            ridge,
            synthetic_share: synthetic as f64 / labels.len() as f64,
        })
    }

    /// The fit with a ridge, and its penalty: the first in a falling sequence whose successor makes no
    /// difference.
    ///
    /// A single penalty for all tables would not do: where a heavy tail has most values in a thousandth of a
    /// standard deviation, or products of such columns separate the tables, the coefficients needed are in the
    /// millions.
    fn penalised(&self, labels: &[bool]) -> (Run, f64) {
        let attempt =
            |penalty, from: Option<&[f64]>| iterate(self, labels, Some(penalty), from, MAX_RIDGE_ITERATIONS);
        let mut penalty = PENALTY;
        let mut run = attempt(penalty, None);
        while run.ending == Ending::Singular && penalty < MAX_PENALTY {
            penalty *= 10.0;
            run = attempt(penalty, None);
        }
        while run.ending == Ending::Converged && penalty * RELAXATION >= MIN_PENALTY {
            let mut next = attempt(penalty * RELAXATION, Some(&run.coefficients));
            let changes = next.point.scores.iter().zip(&run.point.scores).map(|(new, old)| (new - old).abs());
            let change = changes.sum::<f64>() / labels.len() as f64;
            if next.ending != Ending::Converged || change < UNMOVED {
                break;
            }
            next.iterations += run.iterations;
            (run, penalty) = (next, penalty * RELAXATION);
        }
        (run, penalty)
    }

    /// Coefficients of the kept columns on the table's scale, from those of the standardised columns.
    ///
    /// A column is f = (g - centre) / scale, so that a product of two contributes to both of its main effects. A
    /// dropped main effect is replaced by the combination of earlier main effects that it equals.
    fn original_scale(&self, standardised: &[f64]) -> Vec<f64> {
        let kept = &self.independent.kept;
        let mut original = vec![0.0; standardised.len()];
        for (position, (&column, &value)) in kept.iter().zip(standardised).enumerate() {
            match self.source(column) {
                Source::Intercept => original[0] += value,
                Source::Main(main) => {
                    let main = &self.mains[main];
                    original[position] += value / main.scale;
                    original[0] -= value / main.scale * main.centre;
                }
                Source::Product(left, right) => {
                    let (a, b) = (&self.mains[left], &self.mains[right]);
                    let value = value / a.scale / b.scale;
                    original[position] += value;
                    original[0] += value * a.centre * b.centre;
                    self.add_main(&mut original, left, -value * b.centre);
                    self.add_main(&mut original, right, -value * a.centre);
                }
            }
        }
        original
    }

    /// Adds `amount` times the unstandardised column `main` to coefficients on the original scale.
    fn add_main(&self, original: &mut [f64], main: usize, amount: f64) {
        if amount == 0.0 {
            return;
        }
        let kept = &self.independent.kept;
        // Column 0 is the intercept, and the main effects follow it in order.
        let column = main + 1;
        if let Ok(position) = kept.binary_search(&column) {
            original[position] += amount;
            return;
        }
        let main = &self.mains[main];
        original[0] += amount * main.centre;
        let dropped = self.independent.dropped.iter().find(|dropped| dropped.column == column);
        let combination = dropped.map_or(&[][..], |dropped| &dropped.combination);
        for (position, (&earlier, &factor)) in kept.iter().zip(combination).enumerate() {
            let share = amount * main.scale * factor;
            match self.source(earlier) {
                Source::Main(number) => {
                    let earlier = &self.mains[number];
                    original[position] += share / earlier.scale;
                    original[0] -= share / earlier.scale * earlier.centre;
                }
                Source::Intercept | Source::Product(..) => original[position] += share,
            }
        }
    }
}
