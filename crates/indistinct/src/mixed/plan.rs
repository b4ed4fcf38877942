//! From what was asked for to a plan that can run, by the schema and other public quantities only.

use std::num::NonZeroU32;

use crate::margin::Facts;
use crate::privacy::{Budget, Delta, Epsilon, Randomness};
use crate::release::FEWEST_ROWS;
use crate::sampler::SamplerError;
use crate::table::{ColumnSchema, ColumnType, Schema};

/// The part of the budget for margins.
const MARGINS: f64 = 0.5;
/// What a choice costs, in units of a measurement.
const CHOICE: f64 = 0.15;
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
    /// Synthetic tables.
    pub tables: u32,
    /// The most rows that one person owns.
    pub rows_per_person: u32,
}

/// Settings that fit a schema and a table of public size.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedPlan {
    options: MixedOptions,
    rows_per_person: NonZeroU32,
    rows: usize,
    pub(super) facts: Vec<Facts>,
    /// Whether a column has an order, and so a score.
    pub(super) ordered: Vec<bool>,
}

/// What every step of one kind may cost, as shares of the budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shares {
    /// One margin.
    pub(super) margin: f64,
    /// The counts of one pair.
    pub(super) counts: f64,
    /// One choice.
    pub(super) choice: f64,
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
    /// Too little signal.
    #[error(
        "epsilon times rows is too small for {columns} columns: the release would be noise. An epsilon of about {epsilon:.2} \
         would do with these rows"
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
        if self.tables == 0 {
            return Err(MixedError::Zero("the number of tables"));
        }
        let rows_per_person =
            NonZeroU32::new(self.rows_per_person).ok_or(MixedError::Zero("the rows of a person"))?;
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
        let facts = columns.iter().map(|column| Facts::of_column(column)).collect();
        let ordered = columns.iter().map(|column| is_ordered(column.kind())).collect();
        let plan = MixedPlan { options: self, rows_per_person, rows, facts, ordered };
        let signal = plan.signal();
        if signal < HOPELESS {
            let epsilon = plan.options.epsilon.to_f64() * STARVED / signal;
            return Err(MixedError::Hopeless { columns: plan.facts.len(), epsilon });
        }
        Ok(plan)
    }
}

/// Numbers, dates, ordered categories, booleans, and categories of which there are two: any order will do for those.
fn is_ordered(kind: &ColumnType) -> bool {
    match kind {
        ColumnType::Nominal { levels } => levels.len() <= 2,
        _ => true,
    }
}

impl MixedPlan {
    /// The options as given.
    pub fn options(&self) -> &MixedOptions {
        &self.options
    }

    /// A budget of what was asked for.
    pub(super) fn budget(&self, randomness: Randomness) -> Budget {
        Budget::with_delta(self.options.epsilon, self.options.delta, self.rows_per_person, randomness)
    }

    /// Rounds of corrections: one for each nominal column, as scores say nothing of those.
    pub(super) fn rounds(&self) -> usize {
        self.ordered.iter().filter(|ordered| !**ordered).count()
    }

    /// How the budget is divided when so many nodes hang below others.
    pub(super) fn shares(&self, branches: usize) -> Shares {
        let block = self.ordered.iter().filter(|ordered| **ordered).count();
        let pairs = block * block.saturating_sub(1) / 2;
        // Units: every measurement one, every choice a little.
        let units = pairs as f64 + (branches + self.rounds()) as f64 * (1.0 + CHOICE);
        let counts = (1.0 - MARGINS) / units.max(1.0) * (1.0 - 1e-9);
        Shares { margin: MARGINS / self.facts.len() as f64, counts, choice: CHOICE * counts }
    }

    /// Rows per standard deviation of the noise of one margin.
    fn signal(&self) -> f64 {
        let budget = self.budget(Randomness::seeded(crate::random::Seed(0)));
        let sd = budget.counts_noise_sd(self.shares(0).margin);
        self.rows as f64 / sd
    }

    /// A warning for a budget that starves the measurements; none if all is well.
    pub fn warning(&self) -> Option<String> {
        let signal = self.signal();
        (signal < STARVED).then(|| {
            format!(
                "epsilon times rows is small for {} columns: margins will be coarse. An epsilon of about {:.2} would do with \
                 these rows, or a --delta",
                self.facts.len(),
                self.options.epsilon.to_f64() * STARVED / signal
            )
        })
    }

    /// Steps that report progress: a margin each, and the rest.
    pub fn stages(&self) -> u64 {
        self.facts.len() as u64 + 3
    }
}
