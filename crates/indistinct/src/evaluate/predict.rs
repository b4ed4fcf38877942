//! Prediction of real rows by a model trained on synthetic ones.
//!
//! Two [forests](super::forest) predict one column from all others: one is grown on two thirds of the real rows,
//! the other on the synthetic rows. Both are tested on the remaining third of the real rows. Rows whose value is
//! missing in that column are left out everywhere.

use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;

use super::forest::{Features, Forest, ForestParams, Response};
use crate::discriminator::{Predictor, Stacked};
use crate::field::{Field, Message};
use crate::number::number_of;
use crate::random::Seed;
use crate::table::MISSING_CODE;

/// Number of trees of a forest.
pub const TREES: u64 = 100;
/// Trees in memory at a time. Fixed, so that sums have the same order whatever the number of threads.
const BATCH: u64 = 20;
/// Fewest real rows with a known value: 20 to train with and 10 to test.
const FEWEST_REAL: usize = 30;
/// Fewest synthetic rows with a known value.
const FEWEST_SYNTHETIC: usize = 20;
/// Most distinct values of whole numbers that are taken for codes of classes, unless they are known to be
/// numbers.
const FEW_NUMBERS: usize = 10;

/// First stream of random numbers for trees on real rows, past all other streams of an evaluation.
const REAL_TREES: u64 = 1 << 40;
/// First stream of random numbers for trees on synthetic rows.
const SYNTHETIC_TREES: u64 = 1 << 41;
/// Stream of random numbers that divides the real rows.
const TEST_ROWS: u64 = 1 << 42;

/// The column to predict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PredictOptions {
    /// The column.
    pub column: String,
    /// Whether it is declared to be a number. Otherwise whole numbers with few values are taken for codes of
    /// classes.
    pub declared_number: bool,
}

impl PredictOptions {
    /// Options for a column whose type nobody declares.
    pub fn of(column: &str) -> Self {
        Self { column: column.to_owned(), declared_number: false }
    }

    /// These options with some of them set, as in `options.with(|options| options.declared_number = true)`. Fields may be added, so
    /// that other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }
}

/// The measure of predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Metric {
    /// Share of rows whose class is predicted.
    #[serde(rename = "accuracy")]
    Accuracy,
    /// 1 - sum of squared errors / sum of squared deviations from the mean. Below 0 it is worse than the mean.
    R2,
}

impl Metric {
    /// Its name in JSON and in text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::R2 => "R2",
        }
    }
}

/// The results of two forests on the same real test rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// The column that is predicted.
    pub column: String,
    /// The measure of both numbers.
    pub metric: Metric,
    /// The result of the forest grown on real rows.
    pub real: f64,
    /// The result of the forest grown on synthetic rows.
    pub synthetic: f64,
    /// Number of real rows on which both are tested.
    pub test_rows: usize,
}

/// The reason why a column cannot be predicted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PredictError {
    /// No such column.
    #[error("the tables have no column `{0}` to predict")]
    Unknown(String),
    /// No other column to predict it from.
    #[error("the tables have no column but `{0}`: there is nothing to predict it from")]
    Alone(String),
    /// No value is known.
    #[error("column `{column}` is missing in every row of the {table} table: there is nothing to learn")]
    Missing {
        /// The column.
        column: String,
        /// `real` or `synthetic`.
        table: &'static str,
    },
    /// Too few rows with a known value.
    #[error(
        "column `{column}` has a value in {} of the {table} table; at least {needed} are needed to predict it",
        number_of(*.rows, "row")
    )]
    TooFewRows {
        /// The column.
        column: String,
        /// `real` or `synthetic`.
        table: &'static str,
        /// Rows that have a value.
        rows: usize,
        /// Rows that are needed.
        needed: usize,
    },
    /// One value only.
    #[error("column `{0}` has the same value in all real rows: there is nothing to predict")]
    Constant(String),
    /// One value only among the test rows.
    #[error(
        "column `{0}` has the same value in nearly all real rows: there is nothing to explain among the test rows"
    )]
    NearlyConstant(String),
}

impl PredictError {
    /// Advice on what to do.
    pub fn advice(&self) -> Message {
        match self {
            Self::Unknown(_) => "name a column of the real table, spelled as in its first line".into(),
            Self::Alone(_) => {
                Message::of("leave out {}, or compare tables with more columns", [Field::Predict.into()])
            }
            Self::TooFewRows { .. } => Message::of(
                "predict a column with more known values, or evaluate more rows ({} may be too small)",
                [Field::Sample.into()],
            ),
            Self::Missing { .. } | Self::Constant(_) | Self::NearlyConstant(_) => {
                Message::of("predict another column, or leave out {}", [Field::Predict.into()])
            }
        }
    }
}

/// Predicts one column; `each` is called after each of 2 * [`TREES`] trees, and may end the work.
///
/// # Errors
/// When the column cannot be predicted, or what `each` returns.
pub fn predict<E: Send + From<PredictError>>(
    stacked: &Stacked,
    options: &PredictOptions,
    seed: Seed,
    each: impl Fn() -> Result<(), E> + Sync,
) -> Result<Prediction, E> {
    let task = Task::new(stacked, options, seed)?;
    let real = task.score(&task.train, seed, REAL_TREES, &each)?;
    let synthetic = task.score(&task.synthetic, seed, SYNTHETIC_TREES, &each)?;
    let metric = task.metric();
    Ok(Prediction { column: options.column.clone(), metric, real, synthetic, test_rows: task.test.len() })
}

/// A column to predict, and the rows to do it with.
struct Task {
    features: Features,
    response: Response,
    train: Vec<u32>,
    test: Vec<u32>,
    synthetic: Vec<u32>,
}

impl Task {
    fn new(stacked: &Stacked, options: &PredictOptions, seed: Seed) -> Result<Self, PredictError> {
        let column = || options.column.clone();
        let names = stacked.names();
        let place = names.iter().position(|name| *name == options.column);
        let place = place.ok_or_else(|| PredictError::Unknown(column()))?;
        if names.len() == 1 {
            return Err(PredictError::Alone(column()));
        }
        let target = &stacked.predictors()[place];
        let known = |row: &u32| match target {
            Predictor::Ordered(values) => !values[*row as usize].is_nan(),
            Predictor::Nominal { codes, .. } => codes[*row as usize] != MISSING_CODE,
        };
        let (real, all) = (stacked.real_rows() as u32, stacked.rows() as u32);
        let mut train: Vec<u32> = (0..real).filter(known).collect();
        let synthetic: Vec<u32> = (real..all).filter(known).collect();
        for (rows, needed, table) in
            [(train.len(), FEWEST_REAL, "real"), (synthetic.len(), FEWEST_SYNTHETIC, "synthetic")]
        {
            if rows == 0 {
                return Err(PredictError::Missing { column: column(), table });
            }
            if rows < needed {
                return Err(PredictError::TooFewRows { column: column(), table, rows, needed });
            }
        }
        let has_levels = !stacked.levels(place).is_empty();
        let is_class = if has_levels { Some(true) } else { options.declared_number.then_some(false) };
        let response = response(target, real as usize, is_class);
        if !response.varies(&train) {
            return Err(PredictError::Constant(column()));
        }
        train.shuffle(&mut seed.stream(TEST_ROWS));
        let test = train.split_off(train.len() - train.len() / 3);
        // A share of explained variation needs some among the test rows.
        if matches!(response, Response::Number(_)) && !response.varies(&test) {
            return Err(PredictError::NearlyConstant(column()));
        }
        let others = stacked.predictors().iter().zip(0..).filter(|&(_, other)| other != place);
        let features = Features::new(&others.map(|(predictor, _)| predictor).collect::<Vec<_>>());
        Ok(Self { features, response, train, test, synthetic })
    }

    fn metric(&self) -> Metric {
        match self.response {
            Response::Class { .. } => Metric::Accuracy,
            Response::Number(_) => Metric::R2,
        }
    }

    /// The result on the test rows of a forest grown on these rows.
    fn score<E: Send>(
        &self,
        rows: &[u32],
        seed: Seed,
        first: u64,
        each: &(impl Fn() -> Result<(), E> + Sync),
    ) -> Result<f64, E> {
        let params = ForestParams::usual(&self.response, self.features.columns());
        let classes = match self.response {
            Response::Class { classes, .. } => classes,
            Response::Number(_) => 1,
        };
        let mut votes = vec![0.0; classes * self.test.len()];
        for batch in (0..TREES).step_by(BATCH as usize) {
            let trees = first + batch..first + batch + BATCH;
            let forest = Forest::grow(&self.features, &self.response, rows, params, seed, trees, each)?;
            votes.par_chunks_mut(classes).zip(&self.test).for_each(|(votes, &row)| match self.response {
                Response::Class { .. } => forest.add_votes(&self.features, row, votes),
                Response::Number(_) => votes[0] += forest.sum_of_means(&self.features, row),
            });
        }
        Ok(match &self.response {
            Response::Class { codes, .. } => {
                let chosen = votes.chunks(classes).map(most_votes);
                let right = chosen.zip(&self.test).filter(|&(class, &row)| class == codes[row as usize]);
                right.count() as f64 / self.test.len() as f64
            }
            Response::Number(values) => {
                let truth: Vec<f64> = self.test.iter().map(|&row| values[row as usize]).collect();
                r_squared(&truth, votes.iter().map(|sum| sum / TREES as f64))
            }
        })
    }
}

/// The response of every row; if it is not known to be a class, whole numbers with few values are.
fn response(target: &Predictor, real_rows: usize, is_class: Option<bool>) -> Response {
    match target {
        Predictor::Nominal { codes, levels } => Response::Class { codes: codes.clone(), classes: *levels },
        Predictor::Ordered(values) => {
            let known = |values: &[f64]| -> Vec<f64> {
                let mut values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
                values.sort_unstable_by(f64::total_cmp);
                values.dedup();
                values
            };
            let codes =
                |values: &[f64]| values.len() <= FEW_NUMBERS && values.iter().all(|x| x.fract() == 0.0);
            if !is_class.unwrap_or_else(|| codes(&known(&values[..real_rows]))) {
                return Response::Number(values.clone());
            }
            let different = known(values);
            let code = |value: &f64| different.partition_point(|other| other < value) as u32;
            Response::Class { codes: values.iter().map(code).collect(), classes: different.len() }
        }
    }
}

/// The class with the most votes; the first of several.
fn most_votes(votes: &[f64]) -> u32 {
    let mut best = 0;
    for (place, &share) in votes.iter().enumerate() {
        if share > votes[best] {
            best = place;
        }
    }
    best as u32
}

fn r_squared(truth: &[f64], predicted: impl Iterator<Item = f64>) -> f64 {
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let total: f64 = truth.iter().map(|value| (value - mean) * (value - mean)).sum();
    let errors: f64 =
        truth.iter().zip(predicted).map(|(value, guess)| (value - guess) * (value - guess)).sum();
    1.0 - errors / total
}

#[cfg(test)]
mod tests;
