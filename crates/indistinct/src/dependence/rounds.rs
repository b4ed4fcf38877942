//! Discriminate, measure, refit: the table on which pool and private rows are easiest to tell apart is chosen and
//! measured, and the pool is made to agree with all measured tables.

use std::num::NonZeroU64;

use rayon::prelude::*;

use super::candidates::{Allowed, Candidates};
use super::predictors::Predictors;
use crate::pool::{ClassRules, Classes, Copula, Pool, ProductTargets, Refit, Target};
use crate::privacy::StepError;
use crate::privacy::{Budget, Sensitivity, choose, noisy_counts};
use crate::private::{ClassTable, CodedColumn, CountQuery, Passes};
use crate::progress::{self, Progress, done};
use crate::random::Generator;

/// Part of the rows moved by noise that counts against a table.
const PENALTY: f64 = 0.25;

/// Exchanges tried for every row and column of the pool after all measurements but the last together. With twice
/// as many, distances of two and three columns were the same within 1 %, up or down (six tables, epsilon 1 to
/// 10).
const TRIES: f64 = 15.0;
/// Exchanges tried for every row and column after the last measurement.
const LAST_TRIES: f64 = 5.0;
/// Number of times that surplus rows of cells are exchanged before that. Not after it: exchanges that only ever
/// lower the objective fit the noise (distances of three columns rose by 5 % on national2019 and by 3 % on
/// diamonds at epsilon 1).
const EVENED_OUT: usize = 2;

/// The beginning of the names of steps that choose a table; the number of the round follows.
pub(crate) const CHOICE_STEP: &str = "which table differs, round ";

/// The number of rounds, and their costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounds {
    /// Most tables.
    pub(crate) count: usize,
    /// Share of the budget of each choice.
    pub(crate) choice: f64,
    /// Share of the budget of each table's counts.
    pub(crate) counts: f64,
    /// The most cells of a table.
    pub(crate) most_cells: usize,
}

/// A table that was chosen and counted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CountedTable {
    pub(crate) columns: Vec<usize>,
    pub(crate) cells: usize,
    pub(crate) noise_sd: f64,
}

/// The setting of the rounds.
pub(crate) struct Setting<'a> {
    pub(crate) names: &'a [String],
    pub(crate) classes: &'a [Classes],
    pub(crate) predictors: &'a Predictors,
    /// The weight of tables with each column, relative to others.
    pub(crate) focus: &'a [f64],
    /// Measured products of scores, with which the pool agrees too.
    pub(crate) products: &'a ProductTargets,
    /// The law of rows before tables are measured.
    pub(crate) copula: &'a Copula,
    /// The rules that rows must obey.
    pub(crate) rules: &'a ClassRules,
    pub(crate) rows: usize,
}

/// Private rows by their classes.
pub(crate) struct CodedRows<'a> {
    pub(crate) passes: &'a Passes<'a>,
    /// The classes of every column.
    pub(crate) columns: Vec<CodedColumn>,
}

impl CodedRows<'_> {
    /// Rows in the cells of tables, by one pass for all of them.
    ///
    /// # Errors
    /// When the rows cannot be read.
    fn counts(&self, tables: &[ClassTable]) -> Result<Vec<Vec<i64>>, StepError> {
        if tables.is_empty() {
            return Ok(Vec::new());
        }
        let counts = self.passes.pass(&[CountQuery::tables(&self.columns, tables.to_vec())])?.concat();
        let mut rest = counts.as_slice();
        let of_table = |table: &ClassTable| rest.split_off(..table.cells()).unwrap_or_default().to_vec();
        Ok(tables.iter().map(of_table).collect())
    }
}

/// Mean number of rows that the noise of this many counts seems to move between cells: half the sum of its
/// absolute values.
pub(crate) fn moved_by_noise(sd: f64, cells: usize) -> f64 {
    // Noise of standard deviation 1 has a mean absolute value of about 0.8.
    0.4 * sd * cells as f64
}

/// A table that may still be measured.
struct Candidate {
    table: ClassTable,
    /// The private rows in its cells.
    counts: Vec<i64>,
    /// N times n * TV between the pool, when it was last compared, and the private rows.
    distance: i64,
    /// Its weight, relative to others.
    focus: u64,
}

/// Runs the rounds; returns the measured tables, to which the pool is fitted.
///
/// # Guarantee
/// Every round chooses a table by n * TV between the pool's shares, which are public, and the private rows
/// (`proofs/pmae_sensitivity.md`), minus a public penalty and times a public weight, and counts that table
/// (`proofs/counts_sensitivity.md`). The number of rounds, candidates and their cells are public. Which counts
/// were looked at again since the last round depends on the choices, which were released.
///
/// # Errors
/// When the budget does not allow it.
pub(crate) fn run_rounds(
    rows: &CodedRows<'_>,
    setting: &Setting<'_>,
    pool: &mut Pool,
    rounds: Rounds,
    budget: &mut Budget,
    random: &mut Generator,
    progress: &dyn Progress,
) -> Result<Vec<CountedTable>, StepError> {
    let mut measured: Vec<CountedTable> = Vec::new();
    let allowed = setting.allowed(rounds.most_cells);
    let candidates = Candidates::new(allowed);
    let mut wants_triples = candidates.wants_triples;
    let mut open = setting.candidates(rows, candidates.tables, pool)?;
    let most_focus = open.iter().map(|candidate| candidate.focus).max().unwrap_or(1);
    let sd = budget.counts_noise_sd(rounds.counts, &Sensitivity::counts(NonZeroU64::MIN));
    let mut refit = Refit::new(pool, setting.rows, setting.products, setting.copula, setting.rules);
    for round in 0..rounds.count {
        if wants_triples && 2 * round >= rounds.count {
            let sets: Vec<Vec<usize>> = measured.iter().map(|table| table.columns.clone()).collect();
            let tables = Candidates::around(&sets, allowed);
            open.extend(setting.candidates(rows, tables, refit.pool())?);
            wants_triples = false;
        }
        if open.is_empty() {
            break;
        }
        let scale = refit.pool().rows() as u64;
        let utility = |candidate: &Candidate| {
            let penalty = PENALTY * moved_by_noise(sd, candidate.table.cells()) * scale as f64;
            (candidate.distance - penalty as i64) * candidate.focus as i64
        };
        let mut utilities: Vec<i64> = open.iter().map(utility).collect();
        // To measure nothing is a choice too.
        utilities.push(0);
        let cost = budget.portion(rounds.choice);
        let scale = NonZeroU64::new(scale * most_focus).unwrap_or(NonZeroU64::MIN);
        let step = format!("{CHOICE_STEP}{}", round + 1);
        let charge = budget.charge_choice(&step, cost, Sensitivity::pmae(scale))?;
        let chosen = choose(charge, &utilities)?;
        if chosen == open.len() {
            done(progress)?;
            continue;
        }
        let Candidate { table, counts, .. } = open.swap_remove(chosen);
        let names: Vec<&str> = table.columns().iter().map(|&column| setting.names[column].as_str()).collect();
        let cost = budget.portion(rounds.counts);
        // Of columns with many levels there are two tables, which differ in the levels that they join.
        let is_second = measured.iter().any(|earlier| earlier.columns == table.columns());
        let step = format!("table of {}{}", names.join(", "), if is_second { ", other classes" } else { "" });
        let charge = budget.charge_counts(&step, cost, Sensitivity::counts(NonZeroU64::MIN))?;
        let noise_sd = charge.noise_sd();
        let noisy = noisy_counts(charge, &counts)?;
        measured.push(CountedTable { columns: table.columns().to_vec(), cells: table.cells(), noise_sd });
        let changed = table.columns().to_vec();
        refit.add(Target::new(table, &noisy, setting.rows, noise_sd));
        refit.even_out(measured.len() - 1..measured.len(), random);
        refit.exchange(TRIES / rounds.count as f64, random);
        let is_touched =
            |candidate: &Candidate| candidate.table.columns().iter().any(|column| changed.contains(column));
        let pool = refit.pool().by_column();
        open.par_iter_mut().filter(|candidate| is_touched(candidate)).for_each(|candidate| {
            candidate.distance = distance(&pool, &candidate.table, &candidate.counts, setting.rows);
        });
        done(progress)?;
    }
    for _ in 0..EVENED_OUT {
        refit.even_out(0..measured.len(), random);
    }
    refit.exchange(LAST_TRIES, random);
    Ok(measured)
}

impl Setting<'_> {
    /// The tables that may be chosen.
    fn allowed(&self, most_cells: usize) -> Allowed<'_> {
        Allowed { classes: self.classes, predictors: self.predictors, most_cells }
    }

    /// The weight of a table of these columns, relative to others, in hundredths if any column declares one: that
    /// of the column that matters most, or least where none matters more.
    fn weight(&self, columns: &[usize]) -> u64 {
        if self.focus.iter().all(|focus| *focus == 1.0) {
            return 1;
        }
        let focus = columns.iter().map(|&column| self.focus[column]);
        let (least, most) =
            focus.fold((f64::INFINITY, 0.0), |(least, most), focus| (focus.min(least), focus.max(most)));
        let focus = if most > 1.0 { most } else { least };
        ((100.0 * focus).round() as u64).max(1)
    }

    /// Candidates with their private counts: one pass over the rows for all of them.
    fn candidates(
        &self,
        rows: &CodedRows<'_>,
        tables: Vec<ClassTable>,
        pool: &Pool,
    ) -> Result<Vec<Candidate>, StepError> {
        let counts = rows.counts(&tables)?;
        let pool = pool.by_column();
        let candidates = tables.into_par_iter().zip(counts);
        Ok(candidates
            .map(|(table, counts)| {
                let focus = self.weight(table.columns());
                let distance = distance(&pool, &table, &counts, self.rows);
                Candidate { table, counts, distance, focus }
            })
            .collect())
    }
}

/// N times n * TV, in whole numbers: sum max(n c - N b, 0), where c is the pool's rows in a cell and b the
/// private ones. The pool is given column by column.
fn distance(pool: &[Vec<u16>], table: &ClassTable, counts: &[i64], rows: usize) -> i64 {
    progress::check();
    let (n, of_pool) = (rows as i64, pool[0].len() as i64);
    let of_cells = table.counts(|column| &pool[column]);
    of_cells.iter().zip(counts).map(|(c, b)| (n * c - of_pool * b).max(0)).sum()
}

/// Tables of all pairs of columns that may depend, by which a model is scored.
pub(crate) struct PairTables(Vec<ClassTable>);

/// Most cells of a table of two columns in a score.
const SCORED_CELLS: usize = 1024;

impl PairTables {
    /// The tables in the finest views with at most [`SCORED_CELLS`] cells.
    pub(crate) fn new(classes: &[Classes], predictors: &Predictors) -> Self {
        let mut tables = Candidates::new(Allowed { classes, predictors, most_cells: SCORED_CELLS }).tables;
        tables.retain(|table| table.columns().len() == 2);
        tables.dedup_by(|second, first| second.columns() == first.columns());
        Self(tables)
    }

    /// Number of pairs.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// N times n * TV between a pool and private rows, summed over all pairs.
    ///
    /// # Guarantee
    /// One substituted row moves it by at most N times the number of pairs (`proofs/pmae_sensitivity.md`).
    ///
    /// # Errors
    /// When the rows cannot be read.
    pub(crate) fn distance(&self, pool: &Pool, rows: &CodedRows<'_>) -> Result<i64, StepError> {
        let (counts, pool) = (rows.counts(&self.0)?, pool.by_column());
        let distance =
            |(table, counts): (&ClassTable, &Vec<i64>)| distance(&pool, table, counts, rows.passes.rows());
        Ok(self.0.iter().zip(&counts).map(distance).sum())
    }
}
