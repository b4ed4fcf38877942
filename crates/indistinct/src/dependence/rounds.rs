//! Discriminate, measure, refit: the table on which pool and private rows are easiest to tell apart is chosen, measured, and
//! the pool is made to agree with all that was measured.

use crate::progress::Progress;
use std::num::NonZeroU64;

use rayon::prelude::*;

use super::candidates::Candidates;
use super::predictors::Predictors;
use crate::pool::{ClassRules, Classes, Copula, Pool, ProductTargets, Refit, Target};
use crate::privacy::StepError;
use crate::privacy::{Budget, Sensitivity, choose, noisy_counts};
use crate::private::{ClassTable, PrivateClasses, table_counts};
use crate::progress;
use crate::random::Generator;

/// How much of what its noise would move counts against a table.
const PENALTY: f64 = 0.25;

/// Exchanges that are tried for every row and column of the pool: after all measurements but the last together, and at last.
/// With twice as many, distances of two and three columns were the same within 1 %, up or down (six tables, epsilon 1 to 10).
const TRIES: f64 = 15.0;
const LAST_TRIES: f64 = 5.0;
/// How often rows that are too many in their cells are exchanged before that. Not after it: exchanges that only ever lower the
/// objective fit the noise (distances of three columns rose by 5 % on national2019 and by 3 % on diamonds at epsilon 1).
const EVENED_OUT: usize = 2;

/// How the steps begin that choose a table; the number of the round follows.
pub(crate) const CHOICE_STEP: &str = "which table differs, round ";

/// How many tables there are to be, and what they may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounds {
    /// Tables, at most.
    pub(crate) count: usize,
    /// Shares of the budget of each choice, and of each table's counts.
    pub(crate) choice: f64,
    pub(crate) counts: f64,
    /// The most cells of a table.
    pub(crate) most_cells: usize,
}

/// A table that was chosen and counted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) columns: Vec<usize>,
    pub(crate) cells: usize,
    pub(crate) noise_sd: f64,
}

/// What the rounds work with.
pub(crate) struct Setting<'a> {
    pub(crate) names: &'a [String],
    pub(crate) classes: &'a [Classes],
    pub(crate) predictors: &'a Predictors,
    /// How much more than others tables with a column matter.
    pub(crate) focus: &'a [f64],
    pub(crate) private: &'a [PrivateClasses],
    /// Measured products of scores, which the pool agrees with too.
    pub(crate) products: &'a ProductTargets,
    /// What rows are likely before tables are measured.
    pub(crate) copula: &'a Copula,
    /// What no row may be like.
    pub(crate) rules: &'a ClassRules,
    pub(crate) rows: usize,
}

/// How many rows the noise of so many counts seems to move between cells, on average: half the sum of its absolute values.
pub(crate) fn moved_by_noise(sd: f64, cells: usize) -> f64 {
    // Noise of standard deviation 1 has a mean absolute value of about 0.8.
    0.4 * sd * cells as f64
}

/// A table that may still be measured.
struct Candidate {
    table: ClassTable,
    /// The private rows in its cells.
    counts: Vec<i64>,
    /// N times n * TV between the pool, as it was last looked at, and the private rows.
    distance: i64,
    /// By how much more than others it matters.
    focus: u64,
}

/// Runs the rounds; the tables that were measured, to which the pool is fitted.
///
/// # Guarantee
/// Every round chooses a table by n * TV between the pool's shares, which are public, and the private rows
/// (`proofs/pmae_sensitivity.md`), less a public penalty and times a public weight, and counts that table
/// (`proofs/counts_sensitivity.md`). The number of rounds, candidates and their cells are public. Which counts were
/// looked at again since the last round depends on what was chosen, which was released.
///
/// # Errors
/// When the budget does not allow it.
pub(crate) fn run_rounds(
    setting: &Setting<'_>,
    (pool, rounds): (&mut Pool, Rounds),
    (budget, random): (&mut Budget, &mut Generator),
    progress: &dyn Progress,
) -> Result<Vec<Measured>, StepError> {
    let mut measured: Vec<Measured> = Vec::new();
    let candidates = Candidates::new(setting.classes, setting.predictors, rounds.most_cells);
    let mut wants_triples = candidates.wants_triples;
    let mut open = setting.candidates(candidates.tables, pool);
    let most_focus = open.iter().map(|candidate| candidate.focus).max().unwrap_or(1);
    let sd = budget.counts_noise_sd(rounds.counts, &Sensitivity::counts(NonZeroU64::MIN));
    let mut refit = Refit::new(pool, setting.rows, (setting.products, setting.copula, setting.rules));
    for round in 0..rounds.count {
        if wants_triples && 2 * round >= rounds.count {
            let sets: Vec<Vec<usize>> = measured.iter().map(|table| table.columns.clone()).collect();
            let tables = Candidates::around(&sets, (setting.classes, setting.predictors, rounds.most_cells));
            open.extend(setting.candidates(tables, refit.pool()));
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
            progress.tick();
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
        measured.push(Measured { columns: table.columns().to_vec(), cells: table.cells(), noise_sd });
        let changed = table.columns().to_vec();
        refit.add(Target::new(table, &noisy, (setting.rows, noise_sd)));
        refit.even_out(measured.len() - 1..measured.len(), random);
        refit.exchange(TRIES / rounds.count as f64, random);
        let is_touched =
            |candidate: &Candidate| candidate.table.columns().iter().any(|column| changed.contains(column));
        let pool = refit.pool().by_column();
        open.par_iter_mut().filter(|candidate| is_touched(candidate)).for_each(|candidate| {
            candidate.distance = distance(&pool, &candidate.table, &candidate.counts, setting.rows);
        });
        progress.tick();
    }
    for _ in 0..EVENED_OUT {
        refit.even_out(0..measured.len(), random);
    }
    refit.exchange(LAST_TRIES, random);
    Ok(measured)
}

impl Setting<'_> {
    /// By how much more than others a table of these columns matters, in hundredths where any column says so: as much as
    /// the column that matters most, or least where none matters more.
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
    fn candidates(&self, tables: Vec<ClassTable>, pool: &Pool) -> Vec<Candidate> {
        let counts = table_counts(self.private, &tables);
        let pool = pool.by_column();
        tables
            .into_par_iter()
            .zip(counts)
            .map(|(table, counts)| {
                let focus = self.weight(table.columns());
                let distance = distance(&pool, &table, &counts, self.rows);
                Candidate { table, counts, distance, focus }
            })
            .collect()
    }
}

/// N times n * TV, in whole numbers: sum max(n c - N b, 0), c being the pool's rows in a cell and b the private ones. The pool is
/// given column by column.
fn distance(pool: &[Vec<u16>], table: &ClassTable, counts: &[i64], rows: usize) -> i64 {
    progress::check();
    let (n, of_pool) = (rows as i64, pool[0].len() as i64);
    let of_cells = table.counts(|column| &pool[column]);
    of_cells.iter().zip(counts).map(|(c, b)| (n * c - of_pool * b).max(0)).sum()
}

/// Tables of all pairs of columns that may depend, by which a model is scored.
pub(crate) struct Pairs(Vec<ClassTable>);

/// The most cells of a table of two columns in a score.
const SCORED_CELLS: usize = 1024;

impl Pairs {
    /// In the finest views that are not too fine.
    pub(crate) fn new(classes: &[Classes], predictors: &Predictors) -> Self {
        let mut tables = Candidates::new(classes, predictors, SCORED_CELLS).tables;
        tables.retain(|table| table.columns().len() == 2);
        tables.dedup_by(|second, first| second.columns() == first.columns());
        Self(tables)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// N times n * TV between a pool and private rows, summed over all pairs.
    ///
    /// # Guarantee
    /// One substituted row moves it by at most N times the number of pairs (`proofs/pmae_sensitivity.md`).
    pub(crate) fn distance(&self, pool: &Pool, private: &[PrivateClasses], rows: usize) -> i64 {
        let (counts, pool) = (table_counts(private, &self.0), pool.by_column());
        self.0.iter().zip(&counts).map(|(table, counts)| distance(&pool, table, counts, rows)).sum()
    }
}
