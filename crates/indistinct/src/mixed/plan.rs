//! From options to a plan that can run, by the schema and other public quantities only.

mod choice;
mod hopeless;
mod outlook;
mod predicted;

use std::num::{NonZeroU32, NonZeroU64};

use super::rules;
use crate::dependence::{Fineness, Predictors, Rounds, moved_by_noise};
use crate::grid::ColumnFacts;
use crate::margin;
use crate::pool::MOST_ROWS;
use crate::privacy::NUMBER_OF_ROWS;
use crate::privacy::StepError;
use crate::privacy::{Budget, Epsilon, Neighbours, Randomness, Sensitivity};
use crate::random::Seed;
use crate::table::{ColumnSchema, ColumnType, Schema};
use crate::terms::{FEWEST_ROWS, Field, Part, Terms, TermsError, least_factor, most_draws};

pub use choice::Choice;
pub use hopeless::{HopelessBecause, HopelessColumn, Remedy};
use outlook::TOO_MANY;
pub(super) use outlook::moved;
pub use outlook::{Look, Outlook};
pub use predicted::Predicted;

/// Share of the budget, in percent, for correlations of ordered columns: the least and the most. Their noise is
/// predicted near independence; columns that are nearly the same suffer more from it, so that there is a least
/// share. (On diamonds at epsilon 4 the distance of three columns was .108 with 2 %, .104 with 5 %: two releases
/// each.)
const SCORES: std::ops::RangeInclusive<u32> = 5..=30;
/// Growth of the sum of the distances of two and three columns with the noise of correlations, if all columns are
/// ordered. Near independence a correlation r moves r E|z z'| / 2 = r / pi between the cells of two normal
/// scores, and noise is 0.8 standard deviations on average: 0.25 for a pair, and times the square root of 3 for
/// three pairs.
const WEIGHT_OF_SCORES: f64 = 0.7;
/// Assumed root mean square of correlations, which are not public. For ranks of numbers it is between 0.09
/// (adult) and 0.7 (diamonds) on the development tables, with a median of 0.25. Noise beyond it does no more
/// harm, because correlations are then shrunk to zero.
const USUAL_CORRELATION: f64 = 0.25;
/// Share of the budget for counting rows where their number is private. At epsilon 1 the count then has noise of
/// standard deviation 71 if the guarantee is pure, and 29 with a delta of 10^-5: hardly anything follows from the
/// last digits of n.
const COUNTING: f64 = 0.02;
/// Cost of a choice as a part of a choice and its measurement together.
const CHOICE: f64 = 0.08;
/// Largest share of all rows that the noise of a table may seem to move between its cells: it limits the cells of
/// tables. Much of it is undone, because counts cannot be negative and the margins are known.
const MOVED: f64 = 0.4;
/// Least number of rows of the pool for each cell of a table: it could not tell more cells apart. (With 1,000,000
/// rows at epsilon 1 the distance of three columns was .085 with up to 13,000 cells, .081 with 2048, which is
/// this.)
const ROWS_OF_A_CELL: usize = 32;
/// Most rounds.
const MOST_ROUNDS: usize = 100;
/// The cells that a table must be able to have, times the number of rounds to the power of 3/2 and over the
/// number of columns squared: with more rounds tables are coarser, with fewer they are few. With given noise, the
/// number of rounds then grows with the number of columns, each of which gets its share of tables. (Three rounds
/// per column at epsilon 1 on national2019, of 10 columns or of 24: with 33 tables instead of 83 the distance of
/// three of the 24 columns was .129, not .118; 58 instead of 34 made that of the 10 .043, not .042.)
const CELLS_OF_ROUNDS: f64 = 300.0;
/// Most that this asks of tables of few columns, which have hardly any tables to choose from: that of eight columns.
const MOST_CELLS_OF_ROUNDS: f64 = 5.0;
/// Share of the budget, in percent, for margins: the least and the most. Distances alone would often leave them
/// less; but a tree sees a rare level that noise has removed, which distances do not. (national2019 at epsilon 1,
/// four releases, with at least 20, 35, 45 %: .0042, .0033, .0031 of one column, .0415, .0426, .0446 of three,
/// NIST's pMSE .0021, .0016, .0034.)
const MARGINS: std::ops::RangeInclusive<u32> = 35..=80;
/// Growth of the sum of the distances of one, two and three columns with the mean distance of margins.
const WEIGHT_OF_MARGINS: f64 = 3.0;
/// Assumed effect of dependence, which is not public: the fall of the sum of the distances of two and three
/// columns when the noise of tables falls by a factor of e. It is the mean over adult, diamonds and national2019
/// at epsilon 1.
const GAIN_OF_TABLES: f64 = 0.054;
/// Cells of a column of numbers that noise spoils like those of levels: the others are smoothed.
const NUMBER_CELLS: f64 = 12.0;
/// Rows of the pool for each row of the private table, if that leaves it between [`FEWEST_POOL`] and
/// [`MOST_ROWS`]: released rows are then chosen so that they stand for all.
const POOL_ROWS: usize = 4;
/// Fewest rows of the pool.
const FEWEST_POOL: usize = 1 << 11;
/// Most levels of a nominal column.
pub const MOST_LEVELS: usize = 1000;
/// Rows per standard deviation of a margin's noise below which a release would be noise.
const HOPELESS: f64 = 8.0;
/// Rows per standard deviation of a margin's noise below which a release suffers.
const STARVED: f64 = 40.0;

/// Checked settings for a schema and a table of public size.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedPlan {
    terms: Terms,
    rows_per_person: NonZeroU32,
    rows: usize,
    /// The schema without identifiers.
    schema: Schema,
    names: Vec<String>,
    focus: Vec<f64>,
    pub(super) facts: Vec<ColumnFacts>,
    /// The share of a draw's budget for all margins together.
    margins: f64,
    /// The share of a draw's budget for correlations.
    scores: f64,
    /// For each margin, the part of its share with which its cells are counted.
    counted: Vec<f64>,
    /// For each margin, the cells that noise spoils.
    cells: Vec<f64>,
    /// Weights of the shares of margins: noise harms a column of many cells more, so that it has more.
    weights: Vec<f64>,
    pub(super) predictors: Predictors,
    /// Ordered columns, which have scores, with predictors first.
    block: Vec<usize>,
}

/// The reason why settings or a schema are invalid, or a budget is hopeless. It depends on public quantities
/// only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MixedError {
    /// Terms that are invalid whatever the model.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// No columns to release.
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
    /// Rules that contradict each other, counted from 1.
    #[error("no row within the declared levels and limits obeys {}", rules::told(.0))]
    Rules(Vec<usize>),
    /// Too little signal.
    #[error(
        "epsilon times rows is too small for {columns} columns: the release would be noise. An epsilon of about \
         {epsilon:.2} would do with these rows"
    )]
    Hopeless {
        /// Columns to measure.
        columns: usize,
        /// A sufficient epsilon.
        epsilon: f64,
    },
    /// Columns about which a release would say nothing, whatever they contain.
    #[error("the release would say nothing about {}", HopelessColumn::list(.columns, |name| format!("`{name}`")))]
    HopelessColumns {
        /// The columns, and what is wrong with each.
        columns: Vec<HopelessColumn>,
        /// A remedy for all of them.
        remedy: Remedy,
    },
    /// Too little signal in each of several draws, for one of which there would be a warning at most.
    #[error(
        "each of {draws} draws has too little of the budget for {columns} columns: some would be noise, and an analysis of all \
         draws with them"
    )]
    StarvedDraws {
        /// The requested number of draws.
        draws: u32,
        /// Columns to measure.
        columns: usize,
        /// The largest sufficient number of draws; one if none above one is.
        most: u32,
        /// An epsilon that is sufficient for all of them.
        epsilon: f64,
    },
    /// A plan for a number of rows that is not public.
    #[error(
        "the number of rows is private when one may be added or removed: they are to be counted before a plan is made"
    )]
    RowsArePrivate,
    /// The budget was not enough.
    #[error(transparent)]
    Sampler(#[from] StepError),
}

impl MixedError {
    /// The setting that is wrong, if one is.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::Terms(error) => error.field(),
            Self::NoColumns | Self::Levels { .. } | Self::Rules(_) | Self::HopelessColumns { .. } => {
                Some(Field::Schema)
            }
            Self::Hopeless { .. } => Some(Field::Epsilon),
            Self::StarvedDraws { .. } => Some(Field::Draws),
            Self::RowsArePrivate => Some(Field::Neighbours),
            Self::Sampler(_) => None,
        }
    }
}

impl Terms {
    /// Checks the options against a schema, for everything that can be refused whatever the number of rows.
    /// Returns the most rows of a person, and the schema without identifiers.
    ///
    /// # Errors
    /// See [`MixedError`].
    pub fn check_mixed(&self, schema: &Schema) -> Result<(NonZeroU32, Schema), MixedError> {
        let rows_per_person = self.checked_rows_per_person()?;
        let left = (1.0 - self.counting_share()) * self.epsilon.to_f64();
        self.check_score(Epsilon::from_f64(left).unwrap_or(self.epsilon))?;
        let schema = schema.without_identifiers().map_err(|_| MixedError::NoColumns)?;
        let columns: Vec<&ColumnSchema> = schema.columns().iter().collect();
        for column in &columns {
            let levels = column.kind().levels().map_or(0, |levels| levels.len());
            if levels > MOST_LEVELS {
                return Err(MixedError::Levels { column: column.name().to_owned(), levels });
            }
        }
        let facts: Vec<ColumnFacts> =
            (0..columns.len()).map(|column| rules::facts(&schema, column)).collect();
        if let Some(numbers) = rules::impossible(&schema, &facts) {
            return Err(MixedError::Rules(numbers));
        }
        Ok((rows_per_person, schema))
    }

    /// Checks the options against a schema (identifiers are left out) and the public size of a table, which is
    /// the noisy count of its rows where their number is private. Hopeless columns are refused where the number
    /// is public: otherwise the count was paid for, and they are only [reported](MixedPlan::hopeless).
    ///
    /// # Errors
    /// See [`MixedError`].
    pub fn plan_mixed(self, rows: usize, schema: &Schema) -> Result<MixedPlan, MixedError> {
        if rows < FEWEST_ROWS {
            return Err(TermsError::TooFewRows(rows).into());
        }
        let (rows_per_person, schema) = self.check_mixed(schema)?;
        let columns = schema.columns().len();
        let plan = self.divided(rows, rows_per_person, &schema);
        let signal_with = |options: Terms| options.divided(rows, rows_per_person, &schema).signal();
        let with_draws = |draws: u32| signal_with(Terms { draws, ..plan.terms.clone() });
        let sufficient_epsilon = || {
            let asked = plan.terms.epsilon.to_f64();
            let with = |epsilon: Epsilon| signal_with(Terms { epsilon, ..plan.terms.clone() });
            asked
                * least_factor(|factor| {
                    Epsilon::from_f64(asked * factor).map_or(true, |e| with(e) >= STARVED)
                })
        };
        let (draws, signal) = (plan.terms.draws, plan.signal());
        if draws > 1 && signal < STARVED && with_draws(1) >= HOPELESS {
            return Err(MixedError::StarvedDraws {
                draws,
                columns,
                most: most_draws(draws, |draws| with_draws(draws) >= STARVED),
                epsilon: sufficient_epsilon(),
            });
        }
        if signal < HOPELESS {
            return Err(MixedError::Hopeless { columns, epsilon: sufficient_epsilon() });
        }
        let columns = plan.hopeless();
        if !columns.is_empty() && plan.terms.neighbours == Neighbours::Substitute {
            return Err(MixedError::HopelessColumns { columns, remedy: plan.remedy() });
        }
        Ok(plan)
    }

    /// The share of the budget for counting rows, if their number is private.
    pub(super) fn counting_share(&self) -> f64 {
        match self.neighbours {
            Neighbours::Substitute => 0.0,
            Neighbours::AddRemove => COUNTING,
        }
    }

    /// Largest number of stages that report progress, whatever the number of rows.
    pub fn most_stages(&self, schema: &Schema) -> u64 {
        u64::from(self.draws) * (schema.columns().len() + MOST_ROUNDS + 2) as u64
    }

    /// The parts of the budget before the number of rows is known.
    pub fn split_before_counting(&self) -> Vec<Part> {
        let share = self.counting_share();
        let rows_per_person = NonZeroU32::new(self.rows_per_person).unwrap_or(NonZeroU32::MIN);
        let budget = self.budget(rows_per_person, Randomness::seeded(Seed(0)));
        let noise_sd = Some(budget.counts_noise_sd(share, &Sensitivity::counts(NonZeroU64::MIN)));
        let rest = "margins, correlations and tables, by what that gives".to_owned();
        vec![
            Part { step: NUMBER_OF_ROWS.to_owned(), share, noise_sd },
            Part { step: rest, share: 1.0 - share, noise_sd: None },
        ]
    }

    /// Divides the budget among the draws, and that of a draw among its parts; the options are already checked.
    fn divided(self, rows: usize, rows_per_person: NonZeroU32, schema: &Schema) -> MixedPlan {
        let columns: Vec<&ColumnSchema> = schema.columns().iter().collect();
        let predictors = Predictors::new(&columns);
        let ordered = (0..columns.len()).filter(|&column| is_ordered(columns[column].kind())).collect();
        let mut plan = MixedPlan {
            terms: self,
            rows_per_person,
            rows,
            names: columns.iter().map(|column| column.name().to_owned()).collect(),
            focus: columns.iter().map(|column| column.focus()).collect(),
            facts: (0..columns.len()).map(|column| rules::facts(schema, column)).collect(),
            margins: f64::from(*MARGINS.end()) / 100.0,
            scores: 0.0,
            counted: Vec::new(),
            cells: columns.iter().map(|column| cells_to_spoil(column)).collect(),
            weights: columns.iter().map(|column| (margin::cells(column) as f64).sqrt()).collect(),
            block: predictors.ordered(ordered),
            predictors,
            schema: schema.clone(),
        };
        let counted = |plan: &MixedPlan, (place, column): (usize, &&ColumnSchema)| {
            margin::counted_share(column, rows as f64 / plan.counts_noise(plan.margin_share(place)))
        };
        plan.counted = columns.iter().enumerate().map(|column| counted(&plan, column)).collect();
        (plan.margins, plan.scores) = plan.best_parts();
        plan.counted = columns.iter().enumerate().map(|column| counted(&plan, column)).collect();
        plan
    }
}

/// The cells of a margin whose noise shows in the distance of the column.
pub(super) fn cells_to_spoil(column: &ColumnSchema) -> f64 {
    match column.kind().levels() {
        Some(levels) => levels.len() as f64,
        None => NUMBER_CELLS.min(margin::cells(column) as f64),
    }
}

/// Whether a column has an order: numbers, dates, ordered categories, booleans, and categories with two levels,
/// for which any order will do.
fn is_ordered(kind: &ColumnType) -> bool {
    match kind {
        ColumnType::Nominal { levels } => levels.len() <= 2,
        _ => true,
    }
}

impl MixedPlan {
    /// The terms as given.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// A budget with the plan's terms.
    pub(super) fn budget(&self, randomness: Randomness) -> Budget {
        self.terms.budget(self.rows_per_person, randomness)
    }

    /// Rows of the private table, or the noisy count of them.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns with scores, predictors first.
    pub(super) fn block(&self) -> &[usize] {
        &self.block
    }

    /// The schema without identifiers.
    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The cells of a margin that noise spoils.
    pub(super) fn cells(&self, column: usize) -> f64 {
        self.cells[column]
    }

    /// Names of the columns.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The weight of tables with each column, relative to others.
    pub(super) fn focus(&self) -> &[f64] {
        &self.focus
    }

    /// Number of rows of the pool.
    pub(super) fn pool_rows(&self) -> usize {
        self.rows.saturating_mul(POOL_ROWS).clamp(FEWEST_POOL, MOST_ROWS)
    }

    /// The share of the whole budget for one draw, slightly reduced so that no sum of parts exceeds it.
    fn draw_share(&self) -> f64 {
        let score = self.terms.score_epsilon.to_f64() / self.terms.epsilon.to_f64();
        (1.0 - score - self.terms.counting_share()) / f64::from(self.terms.draws) * (1.0 - 1e-9)
    }

    /// The shares of a draw's budget for all margins and for correlations that minimise the predicted distances:
    /// more where noise does harm, less where it does not.
    fn best_parts(&self) -> (f64, f64) {
        if self.facts.len() == 1 || !self.predictors.allow_any() {
            return (1.0, 0.0);
        }
        let part = |percent: u32| f64::from(percent) / 100.0;
        let has_scores = !self.predictors.pairs(&self.block).is_empty();
        let scores: Vec<u32> = if has_scores { SCORES.collect() } else { vec![0] };
        let of_scores: Vec<f64> = scores.iter().map(|&percent| self.scores_error(part(percent))).collect();
        // Of a hundredth of what tables have: noise of less than a row, which only whole numbers have, is not worth chasing.
        let noise = |percent: u32| self.counts_noise(self.draw_share() * part(percent) / 100.0);
        let of_tables: Vec<f64> = (0..100).map(|percent| noise(percent).ln()).collect();
        let mut best = (f64::INFINITY, (part(*MARGINS.end()), 0.0));
        for margins in MARGINS {
            let of_margins = WEIGHT_OF_MARGINS * self.margin_error(part(margins));
            for (&scores, of_scores) in scores.iter().zip(&of_scores) {
                let Some(rest) = 100_u32.checked_sub(margins + scores) else { continue };
                let predicted = of_margins + of_scores + GAIN_OF_TABLES * of_tables[rest as usize];
                if predicted < best.0 {
                    best = (predicted, (part(margins), part(scores)));
                }
            }
        }
        best.1
    }

    /// Approximate addition of noise to the sum of the distances of two and three columns, if correlations have
    /// this share of a draw's budget: estimates that are shrunk to zero as the noise requires are off by no more
    /// than correlations are large.
    fn scores_error(&self, share: f64) -> f64 {
        let (columns, pairs) = (self.facts.len(), self.predictors.pairs(&self.block).len());
        let all = columns * (columns - 1) / 2;
        let budget = self.budget(Randomness::seeded(Seed(0)));
        let share = self.draw_share() * share;
        let noise = Fineness::affordable((self.block.len(), pairs), self.rows, (&budget, share)).noise;
        let error = (noise.powi(-2) + USUAL_CORRELATION.powi(-2)).powf(-0.5);
        WEIGHT_OF_SCORES * pairs as f64 / all.max(1) as f64 * error
    }

    /// Approximate mean total variation distance that noise adds to margins if they have this share of a draw's
    /// budget.
    fn margin_error(&self, share: f64) -> f64 {
        let all: f64 = self.weights.iter().sum();
        let moved = |(weight, (cells, counted)): (&f64, (&f64, &f64))| {
            0.4 * cells * self.counts_noise(self.draw_share() * share * weight / all * counted)
        };
        let columns = self.weights.iter().zip(self.cells.iter().zip(&self.counted));
        let error = |moved: f64| (moved / self.rows as f64).min(1.0);
        columns.map(|column| error(moved(column))).sum::<f64>() / self.facts.len() as f64
    }

    /// The share for one margin.
    pub(super) fn margin_share(&self, column: usize) -> f64 {
        let all: f64 = self.weights.iter().sum();
        self.draw_share() * self.margins * self.weights[column] / all
    }

    /// The share for the correlations of ordered columns.
    pub(super) fn scores_share(&self) -> f64 {
        self.draw_share() * self.scores
    }

    /// The rounds of choosing and measuring tables: as many as leave each of them enough cells, by public
    /// quantities.
    pub(super) fn rounds(&self) -> Rounds {
        let most = self.candidates().min(MOST_ROUNDS);
        let cells = (CELLS_OF_ROUNDS / (self.names.len() as f64).powi(2)).min(MOST_CELLS_OF_ROUNDS);
        let is_worth =
            |&count: &usize| self.rounds_of(count).most_cells as f64 >= cells * (count as f64).powf(1.5);
        self.rounds_of((1..=most).rev().find(is_worth).unwrap_or(0))
    }

    /// Number of sets of two and three columns that may depend.
    fn candidates(&self) -> usize {
        let columns = self.names.len();
        let sets = (0..columns).flat_map(|third| {
            let pairs = (0..third).map(move |second| vec![second, third]);
            let triples =
                (0..third).flat_map(move |second| (0..second).map(move |first| vec![first, second, third]));
            pairs.chain(triples)
        });
        sets.filter(|set| self.predictors.allow(set)).take(MOST_ROUNDS).count()
    }

    fn rounds_of(&self, count: usize) -> Rounds {
        let rest = self.draw_share() * (1.0 - self.margins - self.scores);
        let each = if count == 0 { 0.0 } else { rest / count as f64 * (1.0 - 1e-9) };
        let counts = (1.0 - CHOICE) * each;
        let most_cells = MOVED * self.rows as f64 / moved_by_noise(self.counts_noise(counts), 1);
        let most_cells = (most_cells as usize).min(self.pool_rows() / ROWS_OF_A_CELL);
        Rounds { count, choice: CHOICE * each, counts, most_cells }
    }

    /// Rows per standard deviation of the noise of one margin, on average.
    fn signal(&self) -> f64 {
        let share = self.draw_share() * self.margins / self.facts.len() as f64;
        self.rows as f64 / self.counts_noise(share)
    }

    fn counts_noise(&self, share: f64) -> f64 {
        let budget = self.budget(Randomness::seeded(Seed(0)));
        budget.counts_noise_sd(share, &Sensitivity::counts(NonZeroU64::MIN))
    }

    /// A warning for a budget that starves the measurements; `None` if all is well.
    pub fn warning(&self) -> Option<String> {
        let signal = self.signal();
        (signal < STARVED).then(|| {
            let advice = if self.terms.delta.is_zero() { ", or a --delta" } else { "" };
            format!(
                "epsilon times rows is small for {} columns: margins will be coarse. An epsilon of about {:.2} would do with \
                 these rows{advice}",
                self.facts.len(),
                self.terms.epsilon.to_f64() * STARVED / signal
            )
        })
    }

    /// The parts of the budget: margins, correlations, tables of several columns, and the score.
    pub fn split(&self) -> Vec<Part> {
        let draws = f64::from(self.terms.draws);
        let part =
            |step: String, share: f64, noise_sd: Option<f64>| Part { step, share: share * draws, noise_sd };
        let margin = |(column, (name, counted)): (usize, (&String, &f64))| {
            let share = self.margin_share(column);
            part(format!("margin of {name}"), share, Some(self.counts_noise(share * counted)))
        };
        let mut parts: Vec<Part> = Vec::new();
        let counting = self.terms.counting_share();
        if counting > 0.0 {
            let noise_sd = Some(self.counts_noise(counting));
            parts.push(Part { step: NUMBER_OF_ROWS.to_owned(), share: counting, noise_sd });
        }
        parts.extend(self.names.iter().zip(&self.counted).enumerate().map(margin));
        if self.scores_share() > 0.0 {
            parts.push(part("correlations of ordered columns".to_owned(), self.scores_share(), None));
        }
        let rounds = self.rounds();
        if rounds.count > 0 {
            let share = (rounds.choice + rounds.counts) * rounds.count as f64;
            parts.push(part(
                format!("{} table{}", rounds.count, if rounds.count == 1 { "" } else { "s" }),
                share,
                Some(self.counts_noise(rounds.counts)),
            ));
        }
        if !self.terms.score_epsilon.is_zero() {
            let share = self.terms.score_epsilon.to_f64() / self.terms.epsilon.to_f64();
            parts.push(Part { step: crate::privacy::SCORE_STEP.to_owned(), share, noise_sd: None });
        }
        parts
    }

    /// The least share of the budget for noisy counts and sums: the rest is for choices and the score.
    pub fn measure_share(&self) -> f64 {
        let rounds = self.rounds();
        let draws = f64::from(self.terms.draws);
        // Finding where a column is can be a choice too.
        let found = margin::USUAL_RANGE * self.draw_share() * self.margins;
        let chosen = rounds.choice * rounds.count as f64;
        let counted = draws * (self.draw_share() - chosen - found);
        (self.terms.counting_share() + counted).clamp(0.0, 1.0 - 1e-9)
    }

    /// Number of stages that report progress, for every draw: margins, correlations, rounds, and the last fit.
    pub fn stages(&self) -> u64 {
        u64::from(self.terms.draws) * (self.facts.len() + self.rounds().count + 2) as u64
    }
}
