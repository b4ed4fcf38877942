//! From what was asked for to a plan that can run, by the schema and other public quantities only.

use std::num::{NonZeroU32, NonZeroU64};

use super::block::Pair;
use super::nodes::{FEWEST_CLASSES, MOST_CLASSES, USUAL_CLASSES};
use super::predictors::{Predictors, completed};
use crate::linear::Symmetric;
use crate::margin::{self, Facts};
use crate::privacy::{
    Budget, BudgetError, ChoiceCharge, CountsCharge, Delta, Epsilon, Guarantee, Randomness, Sensitivity,
};
use crate::random::Seed;
use crate::release::{FEWEST_ROWS, Part};
use crate::sampler::SamplerError;
use crate::table::{ColumnSchema, ColumnType, Schema};

/// The part of the budget for margins.
const MARGINS: f64 = 0.6;
/// How the rest is divided: the dependence of ordered columns, branches, corrections; and where these are coarse.
const WEIGHTS: [f64; 3] = [0.2, 0.4, 0.4];
const COARSE_WEIGHTS: [f64; 3] = [0.4, 0.4, 0.2];
/// From so many branches on they have all of their part.
const MANY_BRANCHES: f64 = 4.0;
/// What a choice costs of a choice and its measurement together.
const CHOICE: f64 = 0.13;
/// Rounds of corrections for each column, at most.
const ROUNDS: f64 = 1.5;
/// Of all rows, how many a correction's noise may move between the cells of two ordered columns: rounds are as many as keep
/// to that with the usual classes (or fewer, if not even one round does), and then classes as many as do.
const AFFORDABLE: f64 = 0.1;
/// The most levels of a nominal column.
pub const MOST_LEVELS: usize = 1000;
/// Rows per standard deviation of a margin's noise below which a release would be noise, and below which it suffers.
const HOPELESS: f64 = 8.0;
const STARVED: f64 = 40.0;

/// What was asked for, unchecked.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedOptions {
    /// Everything that the run may publish.
    pub epsilon: Epsilon,
    /// Zero for pure differential privacy.
    pub delta: Delta,
    /// Private draws, an equal part of the budget each.
    pub draws: u32,
    /// Synthetic tables for each draw.
    pub tables: u32,
    /// Of `epsilon`, for the quality score; zero for none.
    pub score_epsilon: Epsilon,
    /// The most rows that one person owns.
    pub rows_per_person: u32,
}

impl MixedOptions {
    /// The guarantee that a release with these options will have: every step is proven and drawn exactly.
    pub fn expected_guarantee(&self) -> Guarantee {
        let Self { epsilon, delta, .. } = *self;
        if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } }
    }
}

/// Settings that fit a schema and a table of public size.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedPlan {
    options: MixedOptions,
    rows_per_person: NonZeroU32,
    rows: usize,
    names: Vec<String>,
    pub(super) facts: Vec<Facts>,
    /// Of the share of each margin, the part with which its cells are counted.
    counted: Vec<f64>,
    /// By how much the shares of margins differ: noise costs a column of many cells more, so that it has more.
    weights: Vec<f64>,
    pub(super) predictors: Predictors,
    /// Columns with an order, and so with a score, such that predictors come first.
    block: Vec<usize>,
}

/// Settings or a schema that make no sense, or a budget that is hopeless. Depends on public quantities only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MixedError {
    /// Too few rows.
    #[error("the table has {0} rows; at least {FEWEST_ROWS} are needed")]
    TooFewRows(usize),
    /// No tables, or nobody.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// Nothing to release.
    #[error("the schema has no column but identifiers")]
    NoColumns,
    /// A column that is a name rather than a category.
    #[error("column `{column}` has {levels} levels; at most {MOST_LEVELS} can be released")]
    Levels {
        /// The column.
        column: String,
        /// Its declared levels.
        levels: usize,
    },
    /// The score would take everything.
    #[error("the quality score would take epsilon {score} of {total}, and leave nothing for the table")]
    ScoreTakesAll {
        /// Asked for the score.
        score: Epsilon,
        /// In all.
        total: Epsilon,
    },
    /// Too little signal.
    #[error(
        "epsilon times rows is too small for {columns} columns: the release would be noise. An epsilon of about \
         {epsilon:.2} would do with these rows"
    )]
    Hopeless {
        /// Columns to measure.
        columns: usize,
        /// The epsilon that would do.
        epsilon: f64,
    },
    /// The budget was not enough.
    #[error(transparent)]
    Sampler(#[from] SamplerError),
}

impl MixedOptions {
    /// Checks the options against a schema (identifiers are left out) and the public size of a table.
    ///
    /// # Errors
    /// See [`MixedError`].
    pub fn plan(self, rows: usize, schema: &Schema) -> Result<MixedPlan, MixedError> {
        if rows < FEWEST_ROWS {
            return Err(MixedError::TooFewRows(rows));
        }
        for (count, what) in [(self.draws, "the number of draws"), (self.tables, "the number of tables")] {
            if count == 0 {
                return Err(MixedError::Zero(what));
            }
        }
        let rows_per_person =
            NonZeroU32::new(self.rows_per_person).ok_or(MixedError::Zero("the rows of a person"))?;
        if self.score_epsilon >= self.epsilon {
            return Err(MixedError::ScoreTakesAll { score: self.score_epsilon, total: self.epsilon });
        }
        let used = |column: &&ColumnSchema| !matches!(column.kind(), ColumnType::Identifier);
        let columns: Vec<&ColumnSchema> = schema.columns().iter().filter(used).collect();
        if columns.is_empty() {
            return Err(MixedError::NoColumns);
        }
        for column in &columns {
            let levels = column.kind().levels().map_or(0, |levels| levels.len());
            if levels > MOST_LEVELS {
                return Err(MixedError::Levels { column: column.name().to_owned(), levels });
            }
        }
        let predictors = Predictors::new(&columns);
        let ordered = (0..columns.len()).filter(|&column| is_ordered(columns[column].kind())).collect();
        let mut plan = MixedPlan {
            options: self,
            rows_per_person,
            rows,
            names: columns.iter().map(|column| column.name().to_owned()).collect(),
            facts: columns.iter().map(|column| Facts::of_column(column)).collect(),
            counted: Vec::new(),
            weights: columns.iter().map(|column| (margin::cells(column) as f64).sqrt()).collect(),
            block: predictors.ordered(ordered),
            predictors,
        };
        let counted = |(place, column): (usize, &&ColumnSchema)| {
            margin::counted_share(column, rows as f64 / plan.counts_noise(plan.margin_share(place)))
        };
        plan.counted = columns.iter().enumerate().map(counted).collect();
        let signal = plan.signal();
        if signal < HOPELESS {
            let epsilon = plan.options.epsilon.to_f64() * STARVED / signal;
            return Err(MixedError::Hopeless { columns: plan.facts.len(), epsilon });
        }
        Ok(plan)
    }
}

/// How many rows the noise of so many counts seems to move between cells, on average: half the sum of its absolute values.
pub(super) fn moved_by_noise(sd: f64, cells: usize) -> f64 {
    // Noise of standard deviation 1 has a mean absolute value of about 0.8.
    0.4 * sd * cells as f64
}

/// Numbers, dates, ordered categories, booleans, and categories of which there are two: any order will do for those.
fn is_ordered(kind: &ColumnType) -> bool {
    match kind {
        ColumnType::Nominal { levels } => levels.len() <= 2,
        _ => true,
    }
}

/// What the choices and measurements of a stage may cost, each, as shares of the budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shares {
    choice: f64,
    counts: f64,
}

impl MixedPlan {
    /// The options as given.
    pub fn options(&self) -> &MixedOptions {
        &self.options
    }

    /// A budget of what was asked for.
    pub(super) fn budget(&self, randomness: Randomness) -> Budget {
        let MixedOptions { epsilon, delta, .. } = self.options;
        Budget::with_delta(epsilon, delta, self.rows_per_person, randomness)
    }

    /// The columns that have scores, such that predictors come first.
    pub(super) fn block(&self) -> &[usize] {
        &self.block
    }

    /// Pairs of these, by places, of which the dependence is measured.
    pub(super) fn block_pairs(&self) -> Vec<Pair> {
        self.predictors.pairs(&self.block)
    }

    /// All correlations of the block, from those that were measured.
    pub(super) fn completed(&self, known: &[(Pair, f64)]) -> Symmetric {
        completed(self.block.len(), known)
    }

    /// The part of the whole budget that one draw has, a little less than it may be so that no sum of parts exceeds it.
    fn draw_share(&self) -> f64 {
        let score = self.options.score_epsilon.to_f64() / self.options.epsilon.to_f64();
        (1.0 - score) / f64::from(self.options.draws) * (1.0 - 1e-9)
    }

    /// The part of a draw's budget that all margins have together.
    fn margins(&self) -> f64 {
        if self.facts.len() == 1 { 1.0 } else { MARGINS }
    }

    /// The share of one margin.
    pub(super) fn margin_share(&self, column: usize) -> f64 {
        let all: f64 = self.weights.iter().sum();
        self.draw_share() * self.margins() * self.weights[column] / all
    }

    /// Shares of the dependence of ordered columns, of all branches and of all corrections, if so many nodes are to hang
    /// below others: those of stages that there are not go to the others.
    fn stages_of(&self, branches: usize) -> [f64; 3] {
        let there = [!self.block_pairs().is_empty(), branches > 0, self.rounds() > 0];
        // Few branches need less than many.
        let needed = [1.0, (branches as f64 / MANY_BRANCHES).min(1.0), 1.0];
        let weights = if self.is_coarse() { COARSE_WEIGHTS } else { WEIGHTS };
        let weight = |stage: usize| if there[stage] { needed[stage] * weights[stage] } else { 0.0 };
        let all: f64 = (0..3).map(weight).sum();
        let rest = self.draw_share() * (1.0 - self.margins());
        [0, 1, 2].map(|stage| if all > 0.0 { rest * weight(stage) / all } else { 0.0 })
    }

    /// The share of the dependence of ordered columns.
    pub(super) fn block_share(&self, branches: usize) -> f64 {
        self.stages_of(branches)[0]
    }

    /// The shares of every branch.
    pub(super) fn branch_shares(&self, branches: usize) -> Shares {
        Shares::of(self.stages_of(branches)[1], branches)
    }

    /// The shares of every round of corrections.
    pub(super) fn correction_shares(&self, branches: usize) -> Shares {
        Shares::of(self.stages_of(branches)[2], self.rounds())
    }

    /// Rounds of corrections: as many as leave each of them worth its noise, which public quantities decide.
    pub(super) fn rounds(&self) -> usize {
        let columns = self.facts.len();
        let most = if self.predictors.allow_any() { (ROUNDS * columns as f64).ceil() as usize } else { 0 };
        (1..=most).rev().find(|&rounds| self.is_affordable(rounds, self.fewest_classes())).unwrap_or(0)
    }

    /// Classes of an ordered column in tables of pairs, which public quantities decide too.
    pub(super) fn classes(&self) -> usize {
        let (rounds, fewest) = (self.rounds(), self.fewest_classes());
        let affordable = |&classes: &usize| rounds > 0 && self.is_affordable(rounds, classes);
        (fewest..=MOST_CLASSES).rev().find(affordable).unwrap_or(fewest)
    }

    fn fewest_classes(&self) -> usize {
        if self.is_coarse() { FEWEST_CLASSES } else { USUAL_CLASSES }
    }

    /// Whether noise leaves enough of tables of so many classes, if so many are measured.
    fn is_affordable(&self, rounds: usize, classes: usize) -> bool {
        let weights = if self.is_coarse() { COARSE_WEIGHTS } else { WEIGHTS };
        self.is_worth((1.0 - self.margins()) * weights[2], rounds, classes)
    }

    /// Whether not even one correction with the usual classes is worth its noise.
    fn is_coarse(&self) -> bool {
        !self.is_worth((1.0 - MARGINS) * WEIGHTS[2], 1, USUAL_CLASSES)
    }

    /// The same for so many rounds with that part of a draw's budget.
    fn is_worth(&self, part: f64, rounds: usize, classes: usize) -> bool {
        let noise = self.counts_noise(Shares::of(self.draw_share() * part, rounds).counts);
        moved_by_noise(noise, classes.pow(2)) <= AFFORDABLE * self.rows as f64
    }

    /// The number of nominal columns: each hangs below another.
    fn nominal(&self) -> usize {
        self.facts.len() - self.block.len()
    }

    /// Rows per standard deviation of the noise of one margin, on average.
    fn signal(&self) -> f64 {
        let share = self.draw_share() * self.margins() / self.facts.len() as f64;
        self.rows as f64 / self.counts_noise(share)
    }

    fn counts_noise(&self, share: f64) -> f64 {
        let budget = self.budget(Randomness::seeded(Seed(0)));
        budget.counts_noise_sd(share, &Sensitivity::counts(NonZeroU64::MIN))
    }

    /// A warning for a budget that starves the measurements; none if all is well.
    pub fn warning(&self) -> Option<String> {
        let signal = self.signal();
        (signal < STARVED).then(|| {
            let advice = if self.options.delta.is_zero() { ", or a --delta" } else { "" };
            format!(
                "epsilon times rows is small for {} columns: margins will be coarse. An epsilon of about {:.2} would do with \
                 these rows{advice}",
                self.facts.len(),
                self.options.epsilon.to_f64() * STARVED / signal
            )
        })
    }

    /// How the budget is divided. Missing values show up in margins only, which are not known yet: where there are some,
    /// they hang below other columns as nominal ones do, and share what is set aside for that.
    pub fn split(&self) -> Vec<Part> {
        let draws = f64::from(self.options.draws);
        let part =
            |step: String, share: f64, noise_sd: Option<f64>| Part { step, share: share * draws, noise_sd };
        let margin = |(column, (name, counted)): (usize, (&String, &f64))| {
            let share = self.margin_share(column);
            part(format!("margin of {name}"), share, Some(self.counts_noise(share * counted)))
        };
        let mut parts: Vec<Part> = self.names.iter().zip(&self.counted).enumerate().map(margin).collect();
        let branches = self.nominal();
        let [block, hung, corrected] = self.stages_of(branches);
        if block > 0.0 {
            parts.push(part("dependence of ordered columns".to_owned(), block, None));
        }
        if hung > 0.0 {
            let noise = self.counts_noise(self.branch_shares(branches).counts);
            parts.push(part(
                format!("pairs of {branches} nominal columns and of missing values"),
                hung,
                Some(noise),
            ));
        }
        if corrected > 0.0 {
            let noise = self.counts_noise(self.correction_shares(branches).counts);
            parts.push(part(format!("{} corrections", self.rounds()), corrected, Some(noise)));
        }
        if !self.options.score_epsilon.is_zero() {
            let share = self.options.score_epsilon.to_f64() / self.options.epsilon.to_f64();
            parts.push(Part { step: crate::privacy::SCORE_STEP.to_owned(), share, noise_sd: None });
        }
        parts
    }

    /// The part of the budget that noisy counts and sums have, at least: the rest is for choices and the score.
    pub fn measure_share(&self) -> f64 {
        // Missing values may bring more branches, and branches more choices: as many as can matter.
        let [_, hung, corrected] = self.stages_of(self.nominal().max(MANY_BRANCHES as usize));
        let draws = f64::from(self.options.draws);
        // Finding where a column is can be a choice too.
        let found = margin::RANGE * self.draw_share() * self.margins();
        (draws * (self.draw_share() - CHOICE * (hung + corrected) - found)).clamp(0.0, 1.0 - 1e-9)
    }

    /// Steps that report progress: margins, and three more for every draw.
    pub fn stages(&self) -> u64 {
        u64::from(self.options.draws) * (self.facts.len() as u64 + 3)
    }
}

impl Shares {
    fn of(all: f64, count: usize) -> Self {
        let each = if count == 0 { 0.0 } else { all / count as f64 };
        Self { choice: CHOICE * each, counts: (1.0 - CHOICE) * each }
    }

    /// Pays for the counts of one pair, before it is chosen, so that the choice knows their noise; what was paid and not
    /// needed is used first.
    pub(super) fn counts(
        self,
        ready: Option<CountsCharge>,
        step: &str,
        budget: &mut Budget,
    ) -> Result<CountsCharge, BudgetError> {
        if let Some(charge) = ready {
            return Ok(charge);
        }
        let cost = budget.portion(self.counts);
        budget.charge_counts(step, cost, Sensitivity::counts(NonZeroU64::MIN))
    }

    /// Pays for the choice of a pair by n * TV.
    pub(super) fn choice(self, step: &str, budget: &mut Budget) -> Result<ChoiceCharge, BudgetError> {
        let cost = budget.portion(self.choice);
        budget.charge_choice(step, cost, Sensitivity::pmae(NonZeroU64::MIN))
    }
}
