//! From options to a plan that can run, by the schema and other public quantities only.

mod choice;
mod division;
mod hopeless;
mod outlook;
mod predicted;

use std::num::{NonZeroU32, NonZeroU64};

use super::error::MixedError;
use super::rules;
use crate::dependence::Predictors;
use crate::field::{Field, Message};
use crate::grid::ColumnFacts;
use crate::margin;
use crate::number::{enough, number_of};
use crate::pool::MOST_ROWS;
use crate::privacy::NUMBER_OF_ROWS;
use crate::privacy::{Budget, Epsilon, Neighbours, Randomness, Sensitivity};
use crate::random::Seed;
use crate::table::{ColumnSchema, ColumnType, Schema};
use crate::terms::{FEWEST_ROWS, Part, Terms, TermsError, least_factor, most_draws};

pub use choice::TableChoice;
pub use hopeless::{HopelessBecause, HopelessColumn, Remedy};
use outlook::TOO_MANY;
pub(super) use outlook::moved;
pub use outlook::{Look, Outlook};
pub use predicted::Predicted;

/// Share of the budget for counting rows where their number is private. At epsilon 1 the count then has noise of
/// standard deviation 71 if the guarantee is pure, and 29 with a delta of 10^-5: hardly anything follows from the
/// last digits of n.
const COUNTING: f64 = 0.02;
/// Most rounds.
const MOST_ROUNDS: usize = 100;
/// Most cells of a column of numbers that noise spoils like those of levels: the others are smoothed.
const MOST_SPOILED_CELLS: f64 = 12.0;
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
        let (draws, signal) = (plan.terms.draws, plan.signal());
        if draws > 1 && signal < STARVED && with_draws(1) >= HOPELESS {
            return Err(MixedError::StarvedDraws {
                draws,
                columns,
                most: most_draws(draws, |draws| with_draws(draws) >= STARVED),
                epsilon: plan.sufficient_epsilon(),
            });
        }
        if signal < HOPELESS {
            return Err(MixedError::Hopeless { columns, epsilon: plan.sufficient_epsilon() });
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
            margins: f64::from(*division::MARGINS.end()) / 100.0,
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
        None => MOST_SPOILED_CELLS.min(margin::cells(column) as f64),
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

    /// The share for one margin.
    pub(super) fn margin_share(&self, column: usize) -> f64 {
        let all: f64 = self.weights.iter().sum();
        self.draw_share() * self.margins * self.weights[column] / all
    }

    /// The share for the correlations of ordered columns.
    pub(super) fn scores_share(&self) -> f64 {
        self.draw_share() * self.scores
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

    /// The least epsilon that does not starve the measurements.
    fn sufficient_epsilon(&self) -> f64 {
        let asked = self.terms.epsilon.to_f64();
        let is_enough = |epsilon: Epsilon| {
            let terms = Terms { epsilon, ..self.terms.clone() };
            terms.divided(self.rows, self.rows_per_person, &self.schema).signal() >= STARVED
        };
        asked * least_factor(|factor| Epsilon::from_f64(asked * factor).map_or(true, is_enough))
    }

    /// A warning for a budget that starves the measurements; `None` if all is well.
    pub fn warning(&self) -> Option<Message> {
        let signal = self.signal();
        (signal < STARVED).then(|| {
            let warning = Message::from(format!(
                "epsilon times rows is small for {}: margins will be coarse. An epsilon of about {} would do with these rows",
                number_of(self.facts.len(), "column"),
                enough(self.sufficient_epsilon())
            ));
            let advice = self.terms.delta.is_zero().then(|| Message::of(", or a {}", [Field::Delta.into()]));
            advice.into_iter().fold(warning, Message::then)
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
