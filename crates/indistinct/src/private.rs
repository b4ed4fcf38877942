//! The privacy boundary: the only module that looks at private rows. [`PrivateRows`] are numbers; a
//! [`PrivateTable`] has columns of any type, and is one [`PrivateSource`]: rows in files or on a cluster answer the
//! same [`CountQuery`]s, part by part.
//!
//! Counts of rows and sums over rows leave it, as integers, and the utilities computed from them; everything else
//! handles those. A reviewer who wants to know what touches X reads this page: its only inputs besides X are
//! public values (widths, edges, bounds, theta, cells), and what it returns must go through a mechanism of
//! [`crate::privacy`] before it is used. Trees that are fitted to X inside a sampler get the rows here, and
//! return one integer. [`rows_of_persons`] chooses the rows of each person that are kept at all, by keyed hashes of
//! that person's rows. One method returns moments as they are,
//! [`PrivateRows::unprotected_moments`]; it needs a budget, whose guarantee is gone from then on.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::discriminator::Stacked;
use crate::discriminator::cart::Workspace;
use crate::discriminator::fixed_tree::{Below, Cut, FixedTree, counts_below};
use crate::discriminator::judge::{Judge, Trial};
use crate::discriminator::views::Views;
use crate::grid::Bounds;
use crate::linear::Symmetric;
use crate::model::SequentialModel;
use crate::privacy::clipped_sums::Totals;
use crate::privacy::{Bound, Budget, BudgetError, Epsilon, Exactness, Sensitivity};
use crate::progress;
use crate::table::{Column, Table, Values};

/// Rows handled at once: few enough to stay in the cache for all candidates of a block.
const ROWS_AT_ONCE: usize = 1024;
/// Candidates that share one pass over the rows.
const CANDIDATES_AT_ONCE: usize = 16;

/// Private rows of numbers. There is no way to read a row back.
#[derive(Clone)]
pub struct PrivateRows {
    /// Names of columns, as in the schema.
    names: Vec<String>,
    /// Values by column; NaN is missing.
    columns: Vec<Vec<f64>>,
    rows: usize,
}

/// The reason why a table cannot be used. It depends on the schema alone, never on the rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrivateRowsError {
    /// A column of another type.
    #[error("column `{column}` is {kind}, not a number")]
    NotNumeric {
        /// The column.
        column: String,
        /// Its declared type.
        kind: &'static str,
    },
    /// No columns.
    #[error("the table has no columns")]
    Empty,
}

impl std::fmt::Debug for PrivateRows {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PrivateRows({} rows, {} columns)", self.rows, self.columns.len())
    }
}

impl PrivateRows {
    /// Takes the numbers of a table; numbers beyond a declared limit count as that limit, and numbers that are
    /// not finite as missing: refusing them would reveal that they are there.
    ///
    /// # Errors
    /// When a column is not numeric by the schema.
    pub fn new(table: &Table) -> Result<Self, PrivateRowsError> {
        if table.columns().is_empty() {
            return Err(PrivateRowsError::Empty);
        }
        for column in table.columns() {
            let name = column.name().to_owned();
            if !matches!(column.values(), Values::Float(_) | Values::Integer(_)) {
                return Err(PrivateRowsError::NotNumeric {
                    column: name,
                    kind: column.schema().kind().word(),
                });
            }
        }
        let limited = |column: &Column| {
            let taken = |value: f64| {
                if value.is_finite() { column.schema().within_limits(value) } else { f64::NAN }
            };
            column.values().to_reals().into_iter().map(taken).collect()
        };
        let columns = table.columns().iter().map(limited).collect();
        let names = table.columns().iter().map(|column| column.name().to_owned()).collect();
        Ok(Self { names, columns, rows: table.rows() })
    }

    /// Number of rows, which is public.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, which is public.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The name of a column, from the schema.
    pub(crate) fn name(&self, column: usize) -> &str {
        &self.names[column]
    }

    /// The present numbers of a column, for the interval search.
    ///
    /// # Guarantee
    /// Whether a row takes part is a function of that row alone (`proofs/interval_search.md`, claim 4).
    pub(crate) fn numbers(&self, column: usize) -> PrivateNumbers {
        PrivateNumbers::new(self.columns[column].iter().copied())
    }

    /// The rows with a public value for each column in place of missing ones, such as the locations that were
    /// found; copied only if something is missing.
    ///
    /// # Guarantee
    /// A completed row remains a function of that row and of public values alone.
    pub(crate) fn completed(&self, values: &[f64]) -> Cow<'_, Self> {
        let mut rows = Cow::Borrowed(self);
        values.iter().enumerate().for_each(|(column, &value)| Self::complete(&mut rows, column, value));
        rows
    }

    /// Completes one column, as [`Self::completed`] does all.
    ///
    /// # Guarantee
    /// That of [`Self::completed`].
    pub(crate) fn complete(rows: &mut Cow<'_, Self>, column: usize, value: f64) {
        if rows.columns[column].iter().any(|value| value.is_nan()) {
            let values = rows.to_mut().columns[column].iter_mut();
            values.filter(|value| value.is_nan()).for_each(|missing| *missing = value);
        }
    }

    /// The integer utility of every candidate model of these columns, from its counts of rows in the cells of the
    /// views.
    ///
    /// One pass over the rows for each block of candidates; memory does not grow with their number.
    ///
    /// # Guarantee
    /// Each utility is a function of the counts of rows in cells that do not depend on the rows. The cell of a row
    /// depends on that row and public values alone; NaN falls into the lowest cell.
    pub(crate) fn utilities<M: SequentialModel>(
        &self,
        columns: &[usize],
        candidates: &[M],
        views: &Views,
        utility: impl Fn(&[u64]) -> i64 + Sync,
    ) -> Vec<i64> {
        candidates
            .par_chunks(CANDIDATES_AT_ONCE)
            .map_init(
                || (vec![0u64; CANDIDATES_AT_ONCE * views.cells()], vec![Vec::new(); columns.len()]),
                |(counts, z), candidates| {
                    counts.fill(0);
                    self.for_each_block(columns, |block| {
                        for (candidate, counts) in candidates.iter().zip(counts.chunks_mut(views.cells())) {
                            candidate.innovations(block, z);
                            views.count(z, counts);
                        }
                    });
                    let counts = counts.chunks(views.cells()).take(candidates.len());
                    counts.map(&utility).collect::<Vec<i64>>()
                },
            )
            .flatten()
            .collect()
    }

    /// Counts of rows in the cells of the views under one model, view after view.
    ///
    /// # Guarantee
    /// Counts of the cells of as many fixed partitions as there are views.
    pub(crate) fn cell_counts<M: SequentialModel>(&self, model: &M, views: &Views) -> Vec<i64> {
        let mut counts = vec![0u64; views.cells()];
        let every: Vec<usize> = (0..self.columns.len()).collect();
        let mut z = vec![Vec::new(); every.len()];
        self.for_each_block(&every, |block| {
            model.innovations(block, &mut z);
            views.count(&z, &mut counts);
        });
        counts.into_iter().map(|count| count as i64).collect()
    }

    /// The integer utility of every candidate model of all columns, to any judge; in parallel over candidates.
    ///
    /// # Guarantee
    /// Each moves by at most what [`Trial::sensitivity`] states. The order of rows does not matter.
    pub(crate) fn judged<M: SequentialModel>(&self, candidates: &[M], trial: &Trial) -> Vec<i64> {
        if !trial.judge.needs_tables() {
            let every: Vec<usize> = (0..self.columns.len()).collect();
            return self
                .utilities(&every, candidates, &trial.views, |counts| trial.utility.of_counts(counts));
        }
        let judged = |scratch: &mut Scratch, candidate: &M| {
            // Before anything is computed: work that ends is shared out among threads candidate by candidate.
            progress::check();
            self.judged_one(candidate, trial, scratch)
        };
        candidates.par_iter().map_init(Scratch::default, judged).collect()
    }

    /// The integer utility of one candidate, on the caller's thread; `scratch` must be used for one judge only.
    ///
    /// # Guarantee
    /// That of [`Self::judged`].
    pub(crate) fn judged_one<M: SequentialModel>(
        &self,
        candidate: &M,
        trial: &Trial,
        scratch: &mut Scratch,
    ) -> i64 {
        match trial.judge {
            Judge::Views => {
                let Scratch { every, counts, z, .. } = scratch;
                counts.clear();
                counts.resize(trial.views.cells(), 0);
                every.resize_with(self.columns.len(), || 0);
                every.iter_mut().enumerate().for_each(|(place, column)| *column = place);
                z.resize_with(self.columns.len(), Vec::new);
                self.for_each_block(every, |block| {
                    candidate.innovations(block, z);
                    trial.views.count(z, counts);
                });
                trial.utility.of_counts(counts)
            }
            Judge::PrivateTree(tree) => {
                // The tree is fixed, so that the private counts are the same for every candidate.
                let private = scratch.leaves.get_or_insert_with(|| tree.counts(&self.columns));
                let judged = |omega| trial.of_leaves(&tree.counts(&candidate.simulate(omega)), private);
                trial.omegas.iter().map(|omega| judged(omega)).sum()
            }
            Judge::Optimal(_) | Judge::Cart(_) => {
                let mut judged = |omega| {
                    let synthetic = candidate.simulate(omega);
                    trial.of_stacked(&Stacked::of_numbers(&self.columns, &synthetic), &mut scratch.trees)
                };
                trial.omegas.iter().map(|omega| judged(omega)).sum()
            }
        }
    }

    /// For every leaf of a fixed tree its number of rows, and the numbers on the low side of each of its
    /// candidate cuts.
    ///
    /// # Guarantee
    /// Counts of rows in fixed regions of data space.
    pub(crate) fn counts_below(&self, tree: &FixedTree, candidates: &[Vec<Cut>]) -> Vec<Below> {
        counts_below(&self.columns, tree, candidates)
    }

    /// Exact sums of the rows, clipped to bounds and put on a grid of whole numbers row by row.
    ///
    /// # Guarantee
    /// Each row adds a function of itself and of public values (`proofs/clipped_sums.md`). The order of rows does not
    /// matter.
    pub(crate) fn totals_on_grid(&self, bounds: &Bounds, grid: i64) -> Totals {
        let mut totals = Totals::new(self.columns.len());
        let mut scaled = vec![0; self.columns.len()];
        for row in 0..self.rows {
            for (column, scaled) in scaled.iter_mut().enumerate() {
                *scaled = bounds.on_grid(column, self.columns[column][row], grid);
            }
            totals.add(&scaled, grid);
        }
        totals
    }

    /// Rows in each cell of a grid with `bins` intervals per column within bounds; rows outside are clipped to
    /// the bounds. The first column varies fastest.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition: one substituted row moves two of them by one.
    pub(crate) fn cells_within(&self, bounds: &Bounds, bins: usize) -> Vec<u64> {
        let mut counts = vec![0; self.columns.iter().fold(1, |cells, _| cells * bins)];
        for row in 0..self.rows {
            let place =
                |cell, column: usize| cell * bins + bounds.bin(column, self.columns[column][row], bins);
            counts[(0..self.columns.len()).rev().fold(0, place)] += 1;
        }
        counts
    }

    /// Means and cross-products of the complete rows as they are, **without noise or any other protection**.
    ///
    /// # Guarantee
    /// None, and the budget records that under the name of the step, at the least possible cost: no epsilon would
    /// be enough.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn unprotected_moments(
        &self,
        budget: &mut Budget,
        step: &str,
    ) -> Result<UnprotectedMoments, BudgetError> {
        let why = "reads the private rows without noise".to_owned();
        let assumed = Bound::sum(std::num::NonZeroU64::MIN, "not bounded");
        let sensitivity = Sensitivity::Unproven { assumed, why: why.clone() };
        let nominal = Epsilon::least_for(budget.rows_per_person());
        let _ = budget.charge_chain(step, nominal, sensitivity, Exactness::NoGuarantee { why })?;
        let complete: Vec<usize> =
            (0..self.rows).filter(|&row| self.columns.iter().all(|column| !column[row].is_nan())).collect();
        let n = complete.len() as f64;
        // Measured from the first row, so that a constant column is exactly its own mean.
        let mean = |column: &Vec<f64>| {
            let first = complete.first().map_or(0.0, |&row| column[row]);
            first + complete.iter().map(|&row| column[row] / n - first / n).sum::<f64>()
        };
        let means: Vec<f64> = self.columns.iter().map(mean).collect();
        let mut centred = Symmetric::zeros(self.columns.len());
        for j in 0..self.columns.len() {
            for k in 0..=j {
                let product =
                    |&row: &usize| (self.columns[j][row] - means[j]) * (self.columns[k][row] - means[k]);
                centred.set(j, k, complete.iter().map(product).sum());
            }
        }
        Ok(UnprotectedMoments { rows: complete.len(), means, centred })
    }

    fn for_each_block(&self, columns: &[usize], mut work: impl FnMut(&[&[f64]])) {
        let mut block: Vec<&[f64]> = Vec::with_capacity(columns.len());
        for start in (0..self.rows).step_by(ROWS_AT_ONCE) {
            let end = (start + ROWS_AT_ONCE).min(self.rows);
            block.clear();
            block.extend(columns.iter().map(|&column| &self.columns[column][start..end]));
            progress::check();
            work(&block);
        }
    }
}

/// Unprotected moments of private rows, for methods that promise nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct UnprotectedMoments {
    /// Number of rows without a missing value.
    pub rows: usize,
    /// Mean of each column.
    pub means: Vec<f64>,
    /// Sums of (x_j - mean_j)(x_k - mean_k).
    pub centred: Symmetric,
}

/// Memory for one evaluation at a time, kept between evaluations. It holds private counts, which nothing else
/// reads.
#[derive(Default)]
pub(crate) struct Scratch {
    every: Vec<usize>,
    counts: Vec<u64>,
    z: Vec<Vec<f64>>,
    leaves: Option<Vec<u64>>,
    trees: Workspace,
}

mod class_table;
mod location;
mod numbers;
mod passes;
mod persons;
mod query;
mod table;

pub(crate) use class_table::ClassTable;
pub(crate) use numbers::PrivateNumbers;
pub use passes::PrivateSource;
pub(crate) use passes::{ColumnShape, Passes, Task, public_rows};
pub use persons::{KeptByContents, OwnedRow, PassOfPersons, PersonHash, PersonKey, rows_of_persons};
pub(crate) use query::CodedColumn;
pub use query::{CountQuery, PrivateCounts};
pub use table::PrivateTable;

#[cfg(test)]
mod boundary;
#[cfg(test)]
mod tests;
