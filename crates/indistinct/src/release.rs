//! Algorithm 2: from private rows and a budget to theta, synthetic tables and what the certificate needs.

use std::num::NonZeroU32;

use rand_distr::{Distribution, StandardNormal};

use crate::discriminator::views::Views;
use crate::model::{SequentialModel, SequentialNormal};
use crate::privacy::{Budget, Epsilon, Randomness, SCORE_STEP, Score, discrete_laplace};
use crate::private::PrivateRows;
use crate::quality::{Quality, Utility};
use crate::random::Generator;
use crate::sampler::schedule::Plan;
use crate::sampler::zoom::Zoom;
use crate::sampler::{self, SamplerError};
use crate::table::{Column, ColumnSchema, ColumnType, Table, Values};

/// Intervals of each axis of the views that a released score is computed on.
const SCORE_INTERVALS: usize = 8;
/// Candidates of a joint stage.
const CANDIDATES: usize = 2000;
/// The part of the budget that is measured, if there is enough to locate with the rest.
const MEASURE_SHARE: f64 = 0.6;
/// Fewest rows of a private table.
pub const FEWEST_ROWS: usize = 50;
/// Below this part of what locating needs a release would be noise.
const HOPELESS: f64 = 0.25;

/// What was asked for, unchecked.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleaseOptions {
    /// Everything that the run may publish.
    pub epsilon: Epsilon,
    /// The quality function.
    pub quality: Quality,
    /// The part of the budget for noisy counts; by default 0.6, or less where locating needs more.
    pub measure_share: Option<f64>,
    /// The paper's sensitivity, twice the proven one.
    pub paper_sensitivity: bool,
    /// Private draws of theta, epsilon / draws each.
    pub draws: u32,
    /// Synthetic tables for each draw.
    pub tables: u32,
    /// Part of epsilon for releasing the quality score; zero for none.
    pub score_epsilon: Epsilon,
    /// The most rows that one person owns.
    pub rows_per_person: u32,
    /// Candidates of a joint stage.
    pub candidates: Option<usize>,
}

/// Settings that fit a table of public size.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasePlan {
    options: ReleaseOptions,
    rows_per_person: NonZeroU32,
    plan: Plan,
}

/// Settings that make no sense, or a budget that is hopeless. Depends on public quantities only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReleaseError {
    /// Too few rows.
    #[error("the table has {0} rows; at least {FEWEST_ROWS} are needed")]
    TooFewRows(usize),
    /// Nothing to draw.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// Share out of range.
    #[error("the share of the budget that is measured must be at least 0 and below 1, not {0}")]
    MeasureShare(f64),
    /// The score would take everything.
    #[error("the quality score would take epsilon {score} of {total}, and leave nothing for the table")]
    ScoreTakesAll {
        /// Asked for the score.
        score: Epsilon,
        /// In all.
        total: Epsilon,
    },
    /// Too little signal to find anything.
    #[error(
        "epsilon times rows is too small to locate {columns} columns: the release would be noise. An epsilon of about \
         {epsilon:.2} would do with these rows, or about {rows:.0} rows with this epsilon"
    )]
    Hopeless {
        /// Columns to locate.
        columns: usize,
        /// The epsilon that would do.
        epsilon: f64,
        /// The number of rows that would do.
        rows: f64,
    },
    /// The budget was not enough, or a mechanism had nothing to work on.
    #[error(transparent)]
    Sampler(#[from] SamplerError),
}

impl ReleaseOptions {
    /// Checks the options against the public size of a table.
    ///
    /// # Errors
    /// See [`ReleaseError`].
    pub fn plan(self, rows: usize, columns: usize) -> Result<ReleasePlan, ReleaseError> {
        if rows < FEWEST_ROWS {
            return Err(ReleaseError::TooFewRows(rows));
        }
        for (count, what) in [(self.draws, "the number of draws"), (self.tables, "the number of tables")] {
            if count == 0 {
                return Err(ReleaseError::Zero(what));
            }
        }
        let rows_per_person =
            NonZeroU32::new(self.rows_per_person).ok_or(ReleaseError::Zero("the rows of a person"))?;
        if let Some(share) = self.measure_share
            && !(0.0..1.0).contains(&share)
        {
            return Err(ReleaseError::MeasureShare(share));
        }
        if self.score_epsilon >= self.epsilon {
            return Err(ReleaseError::ScoreTakesAll { score: self.score_epsilon, total: self.epsilon });
        }
        let per_draw = self.epsilon.saturating_sub(self.score_epsilon).divided_by(u64::from(self.draws));
        let mut plan = Plan {
            rows,
            columns,
            epsilon: per_draw,
            rows_per_person: self.rows_per_person,
            measure_share: self.measure_share.unwrap_or(MEASURE_SHARE),
            quality: self.quality,
        };
        if self.measure_share.is_none() {
            plan.measure_share =
                (1.0 - plan.needed() / plan.signal()).clamp(MEASURE_SHARE / 2.0, MEASURE_SHARE);
        }
        if plan.flatness() < HOPELESS {
            return Err(ReleaseError::Hopeless {
                columns,
                epsilon: plan.sufficient_epsilon() * f64::from(self.draws),
                rows: plan.sufficient_rows(),
            });
        }
        Ok(ReleasePlan { options: self, rows_per_person, plan })
    }
}

impl ReleasePlan {
    /// The options as given.
    pub fn options(&self) -> &ReleaseOptions {
        &self.options
    }

    /// The part of the budget that is measured at least.
    pub fn measure_share(&self) -> f64 {
        self.plan.measure_share
    }

    /// A warning for a budget that starves the search, with what would do; none if all is well.
    pub fn warning(&self) -> Option<String> {
        (self.plan.flatness() < 1.0).then(|| {
            format!(
                "epsilon times rows is small for {} columns: some releases will miss the data altogether. An epsilon of \
                 about {:.2} would do with these rows, or about {:.0} rows with this epsilon",
                self.plan.columns,
                self.plan.sufficient_epsilon() * f64::from(self.options.draws),
                self.plan.sufficient_rows()
            )
        })
    }

    /// Stages that report progress.
    pub fn stages(&self) -> u64 {
        let q = self.plan.columns as u64;
        u64::from(self.options.draws) * (2 * q + q * (q - 1) / 2)
    }
}

/// What a run found, all of it paid for by `budget`.
#[derive(Debug)]
pub struct Released {
    /// One theta for each draw.
    pub models: Vec<SequentialNormal>,
    /// The noisy quality of the first draw, if it was asked for.
    pub score: Option<Score>,
    /// What was spent, and on what.
    pub budget: Budget,
}

/// Draws theta privately, as often as planned, and the quality score if planned.
///
/// # Guarantee
/// Everything that looks at the rows is charged to the budget that is returned; its guarantee is that of the release.
/// Synthetic tables made from the models are post-processing.
///
/// # Errors
/// When the budget does not allow a step; nothing is then released.
pub fn release(
    rows: &PrivateRows,
    plan: &ReleasePlan,
    randomness: Randomness,
    progress: &(dyn Fn() + Sync),
) -> Result<Released, ReleaseError> {
    let options = &plan.options;
    let mut budget = Budget::new(options.epsilon, plan.rows_per_person, randomness);
    let zoom = Zoom {
        quality: options.quality,
        paper_sensitivity: options.paper_sensitivity,
        candidates: options.candidates.unwrap_or(CANDIDATES),
        progress,
    };
    let models = (0..options.draws)
        .map(|draw| {
            let mut random = budget.public_stream(u64::from(draw));
            sampler::draw(rows, &plan.plan, &zoom, &mut budget, &mut random)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let score = if options.score_epsilon.is_zero() {
        None
    } else {
        Some(score(rows, &models[0], options, &mut budget)?)
    };
    Ok(Released { models, score, budget })
}

/// The quality of a model in cells of equal probability, with exact noise.
fn score(
    rows: &PrivateRows,
    model: &SequentialNormal,
    options: &ReleaseOptions,
    budget: &mut Budget,
) -> Result<Score, SamplerError> {
    let views = Views::of_table(rows.columns(), crate::discriminator::views::equal_cuts(SCORE_INTERVALS));
    let utility = Utility::new(options.quality, rows.rows(), views.cells_of(0), views.views().len());
    let charge = budget.charge(SCORE_STEP, options.score_epsilon, utility.sensitivity().released())?;
    let units = charge.bound().units().get() as f64 / charge.epsilon().to_f64();
    let every: Vec<usize> = (0..rows.columns()).collect();
    let utilities =
        rows.utilities(&every, std::slice::from_ref(model), &views, |counts| utility.of_counts(counts));
    let noisy = discrete_laplace(charge, utilities[0])?;
    Ok(Score {
        value: utility.to_quality(noisy),
        epsilon: options.score_epsilon,
        scale: (utility.to_quality(0) - utility.to_quality(1)).abs() * units,
    })
}

/// Makes synthetic rows, by column. Always finite, whatever the parameters: noise can make them absurd.
pub fn simulate(model: &SequentialNormal, rows: usize, random: &mut Generator) -> Vec<Vec<f64>> {
    let z: Vec<Vec<f64>> = (0..model.columns())
        .map(|_| (0..rows).map(|_| StandardNormal.sample(&mut *random)).collect())
        .collect();
    let mut columns = model.simulate(&z);
    for (column, &location) in columns.iter_mut().zip(model.location()) {
        for value in column {
            *value = if value.is_nan() { location } else { value.clamp(f64::MIN, f64::MAX) };
        }
    }
    columns
}

/// Makes a synthetic table of the columns that were modelled: whole numbers where the schema declares them.
///
/// # Panics
/// When the schema declares another number of columns, or one that is not numeric.
pub fn synthetic_table(
    model: &SequentialNormal,
    schema: &[ColumnSchema],
    rows: usize,
    random: &mut Generator,
) -> Table {
    assert_eq!(schema.len(), model.columns(), "a schema for every column");
    let whole =
        |values: Vec<f64>| values.into_iter().map(|value| (value.round() as i64).max(i64::MIN + 1)).collect();
    let columns = simulate(model, rows, random)
        .into_iter()
        .zip(schema)
        .map(|(values, column)| match column.kind() {
            ColumnType::Integer => Column::new(column.clone(), Values::Integer(whole(values))),
            _ => Column::new(column.clone(), Values::Float(values)),
        })
        .collect();
    Table::of_columns(columns)
}
