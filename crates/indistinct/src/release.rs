//! Algorithm 2: from private rows and a budget to theta, synthetic tables and what the certificate needs.

use std::num::NonZeroU32;

use rand_distr::{Distribution, StandardNormal};

use crate::discriminator::cart::CartParams;
use crate::discriminator::optimal::BinnedTrees;
use crate::discriminator::views::Views;
use crate::model::{SequentialModel, SequentialNormal};
use crate::privacy::{Budget, Epsilon, Randomness, SCORE_STEP, Score, discrete_laplace};
use crate::private::PrivateRows;
use crate::quality::{Quality, Utility};
use crate::random::Generator;
use crate::sampler::diagnostics::Diagnostics;
use crate::sampler::judge::Judge;
use crate::sampler::metropolis::{Metropolis, Start};
use crate::sampler::private_tree::{self, Growth};
use crate::sampler::schedule::Plan;
use crate::sampler::zoom::{self, Zoom};
use crate::sampler::{SamplerError, measure};
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

/// What finds the cells that candidates are judged by.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Discriminator {
    /// Fixed cells in the model's own probability space.
    #[default]
    Partition,
    /// The best tree over thresholds of the synthetic table.
    Optimal(BinnedTrees),
    /// A tree grown privately against the located model, and then fixed.
    PrivateTree,
    /// A greedy tree, as in the paper: no proven sensitivity.
    Cart(CartParams),
}

impl Discriminator {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Partition => "partition",
            Self::Optimal(_) => "optimal",
            Self::PrivateTree => "private-tree",
            Self::Cart(_) => "cart",
        }
    }
}

/// What draws theta.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Sampler {
    /// Exact choices from finite sets of candidates.
    #[default]
    Zoom,
    /// The paper's random walk: a guarantee at stationarity only.
    Metropolis {
        /// Chains.
        chains: usize,
        /// Steps of each, a third of which is burn-in.
        steps: usize,
        /// Standard deviation of the prior of every parameter.
        prior_sd: f64,
        /// New synthetic tables at every step, as the paper seems to draw them: no guarantee at all.
        fresh_tables: bool,
    },
}

impl Sampler {
    /// The name on certificates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Zoom => "zoom",
            Self::Metropolis { .. } => "metropolis",
        }
    }
}

/// What was asked for, unchecked.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleaseOptions {
    /// Everything that the run may publish.
    pub epsilon: Epsilon,
    /// The quality function.
    pub quality: Quality,
    /// What finds the cells.
    pub discriminator: Discriminator,
    /// What draws theta.
    pub sampler: Sampler,
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
    /// Measuring is for zoom.
    #[error("metropolis draws theta by itself: there is nothing to measure")]
    MeasuredMetropolis,
    /// A prior that is none.
    #[error("the prior's standard deviation must be a positive number")]
    PriorSd,
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
        let mut share = self.measure_share;
        if let Sampler::Metropolis { chains, steps, prior_sd, .. } = self.sampler {
            if share.is_some_and(|share| share > 0.0) {
                return Err(ReleaseError::MeasuredMetropolis);
            }
            share = Some(0.0);
            for (count, what) in [(chains, "the number of chains"), (steps, "the number of steps")] {
                if count == 0 {
                    return Err(ReleaseError::Zero(what));
                }
            }
            if !(prior_sd.is_finite() && prior_sd > 0.0) {
                return Err(ReleaseError::PriorSd);
            }
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
            measure_share: share.unwrap_or(MEASURE_SHARE),
            quality: self.quality,
        };
        if share.is_none() {
            plan.measure_share =
                (1.0 - plan.needed() / plan.signal()).clamp(MEASURE_SHARE / 2.0, MEASURE_SHARE);
        }
        let planned = ReleasePlan { options: self, rows_per_person, plan };
        if planned.flatness() < HOPELESS {
            return Err(ReleaseError::Hopeless {
                columns,
                epsilon: planned.sufficient_epsilon(),
                rows: planned.sufficient_rows(),
            });
        }
        Ok(planned)
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

    /// What the budget can tell apart, over what has to be told apart: below 1 a draw may be noise.
    ///
    /// The density of a random walk separates good from bad by at most epsilon * n / 4 nats with pMSE and twice that
    /// with pMAE; if that is below the logarithm of the prior's volume over the posterior's, the tails win.
    fn flatness(&self) -> f64 {
        let Sampler::Metropolis { prior_sd, .. } = self.options.sampler else { return self.plan.flatness() };
        let signal = self.plan.signal() / if self.options.paper_sensitivity { 2.0 } else { 1.0 };
        let nats = match self.options.quality {
            Quality::Pmse => signal / 4.0,
            Quality::Pmae => signal / 2.0,
        };
        let q = self.plan.columns as f64;
        let parameters = q * (q + 3.0) / 2.0;
        // A posterior that has seen n * epsilon / 8 rows, of a column with standard deviation 1.
        nats / (parameters * (prior_sd * (signal / 8.0).sqrt()).ln().max(1.0))
    }

    fn sufficient_epsilon(&self) -> f64 {
        self.plan.epsilon.to_f64() / self.flatness() * f64::from(self.options.draws)
    }

    fn sufficient_rows(&self) -> f64 {
        self.plan.rows as f64 / self.flatness()
    }

    /// A warning for a budget that starves the search, with what would do; none if all is well.
    pub fn warning(&self) -> Option<String> {
        (self.flatness() < 1.0).then(|| {
            format!(
                "epsilon times rows is small for {} columns: some releases will miss the data altogether. An epsilon of \
                 about {:.2} would do with these rows, or about {:.0} rows with this epsilon",
                self.plan.columns,
                self.sufficient_epsilon(),
                self.sufficient_rows()
            )
        })
    }

    /// Stages that report progress.
    pub fn stages(&self) -> u64 {
        let q = self.plan.columns as u64;
        let each = match self.options.sampler {
            Sampler::Zoom => 2 * q + q * (q - 1) / 2,
            Sampler::Metropolis { chains, .. } => chains as u64,
        };
        u64::from(self.options.draws) * each
    }
}

/// What a run found, all of it paid for by `budget`.
#[derive(Debug)]
pub struct Released {
    /// One theta for each draw.
    pub models: Vec<SequentialNormal>,
    /// How the chains of each draw went. Not private: for the owner of the table only.
    pub diagnostics: Vec<Diagnostics>,
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
    let (mut models, mut diagnostics) = (Vec::new(), Vec::new());
    for draw in 0..options.draws {
        let mut random = budget.public_stream(u64::from(draw));
        let mut drawer = Drawer { rows, plan, budget: &mut budget, random: &mut random, progress };
        match options.sampler {
            Sampler::Zoom => models.push(drawer.zoom()?),
            Sampler::Metropolis { chains, steps, prior_sd, fresh_tables } => {
                let walk = Metropolis {
                    quality: options.quality,
                    paper_sensitivity: options.paper_sensitivity,
                    prior_sd,
                    start: Start::Dispersed,
                    chains,
                    burn_in: steps / 3,
                    steps: steps - steps / 3,
                    fresh_tables,
                    progress,
                };
                let draw = drawer.walk(walk)?;
                models.push(draw.theta);
                diagnostics.push(draw.diagnostics);
            }
        }
    }
    let score = if options.score_epsilon.is_zero() {
        None
    } else {
        Some(score(rows, &models[0], options, &mut budget)?)
    };
    Ok(Released { models, diagnostics, score, budget })
}

/// One private draw of theta.
struct Drawer<'a> {
    rows: &'a PrivateRows,
    plan: &'a ReleasePlan,
    budget: &'a mut Budget,
    random: &'a mut Generator,
    progress: &'a (dyn Fn() + Sync),
}

impl<'a> Drawer<'a> {
    /// Locates, judges candidates by the discriminator with what is left for that, and measures the rest.
    fn zoom(&mut self) -> Result<SequentialNormal, SamplerError> {
        let (plan, options) = (&self.plan.plan, &self.plan.options);
        let zoom = self.zoom_stages();
        let schedule = plan.schedule();
        let before = self.budget.spent();
        let located = zoom.locate(self.rows, &schedule, self.budget)?;
        let left = |budget: &Budget| plan.epsilon.saturating_sub(budget.spent().saturating_sub(before));
        if plan.measure_share > 0.0 && options.discriminator == Discriminator::Partition {
            // The cells that would judge are those that are measured: measuring tells more.
            return measure::measure(self.rows, &located, self.budget, left(self.budget));
        }
        let measured = Epsilon::from_f64(plan.epsilon.to_f64() * plan.measure_share).unwrap_or(Epsilon::ZERO);
        let mut judging = left(self.budget).saturating_sub(measured);
        let judge = self.judge(&located, &mut judging)?;
        let mut theta = located;
        if !judging.is_zero() {
            let stages = judging.split(&[1, 2, 5]);
            let widths = zoom::widths(plan, &stages, schedule.refine);
            let stages: Vec<(Epsilon, f64)> = stages.into_iter().zip(widths).collect();
            theta = zoom.joint_with(&judge, self.rows, theta, &stages, self.budget, self.random)?;
        }
        if plan.measure_share > 0.0 {
            return measure::measure(self.rows, &theta, self.budget, left(self.budget));
        }
        Ok(theta)
    }

    /// The paper's random walk. A private tree needs a located model first.
    fn walk(&mut self, mut walk: Metropolis) -> Result<crate::sampler::metropolis::Draw, SamplerError> {
        let mut epsilon = self.plan.plan.epsilon;
        let judge = if self.plan.options.discriminator == Discriminator::PrivateTree {
            let before = self.budget.spent();
            let located = self.zoom_stages().locate(self.rows, &self.plan.plan.schedule(), self.budget)?;
            epsilon = epsilon.saturating_sub(self.budget.spent().saturating_sub(before));
            walk.start = Start::Around(located.clone());
            self.judge(&located, &mut epsilon)?
        } else {
            self.judge(&SequentialNormal::new(Vec::new(), Vec::new()), &mut epsilon)?
        };
        walk.draw(&judge, self.rows, (self.budget, epsilon), self.random)
    }

    /// The judge that was asked for; a private tree is grown with half of `epsilon`.
    fn judge(&mut self, located: &SequentialNormal, epsilon: &mut Epsilon) -> Result<Judge, SamplerError> {
        Ok(match &self.plan.options.discriminator {
            Discriminator::Partition => Judge::Views,
            Discriminator::Optimal(trees) => Judge::Optimal(*trees),
            Discriminator::Cart(params) => Judge::Cart(*params),
            Discriminator::PrivateTree => {
                let half = epsilon.divided_by(2);
                let growth = Growth::for_rows(self.rows.rows());
                let before = self.budget.spent();
                let tree = private_tree::grow(self.rows, located, growth, (self.budget, half), self.random)?;
                *epsilon = epsilon.saturating_sub(self.budget.spent().saturating_sub(before));
                Judge::PrivateTree(tree)
            }
        })
    }

    fn zoom_stages(&self) -> Zoom<'a> {
        let options = &self.plan.options;
        Zoom {
            quality: options.quality,
            paper_sensitivity: options.paper_sensitivity,
            candidates: options.candidates.unwrap_or(CANDIDATES),
            progress: self.progress,
        }
    }
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
