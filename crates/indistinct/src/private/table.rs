//! Private tables of any types: numbers and levels, with missing values. Counts of rows leave, nothing else.

use std::num::NonZeroU64;

use rayon::prelude::*;

use super::ClassTable;
use crate::grid::{Axis, Codes, Comb, Grid, roundness};
use crate::privacy::StepError;
use crate::privacy::{Budget, NUMBER_OF_ROWS, Sensitivity, noisy_counts};
use crate::progress;
use crate::table::{Column, ColumnType, MISSING_CODE, MISSING_INTEGER, Table, Values};

/// A private table. There is no way to read a row back.
pub struct PrivateTable {
    /// Names of columns, as in the schema.
    names: Vec<String>,
    pub(super) columns: Vec<PrivateColumn>,
    /// The number of rows, as far as it is public.
    rows: usize,
}

/// One column: missing values stay missing.
pub(super) enum PrivateColumn {
    /// Numbers or days; NaN is missing.
    Number(Vec<f64>),
    /// Whole numbers or microseconds, which doubles may not hold exactly; [`MISSING_INTEGER`] is missing.
    Whole(Vec<i64>),
    /// Positions in declared levels; [`MISSING_CODE`] is missing.
    Level { codes: Vec<u32>, levels: usize },
}

impl std::fmt::Debug for PrivateTable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // How many rows there are may be private.
        write!(formatter, "PrivateTable({} columns)", self.columns.len())
    }
}

impl PrivateTable {
    /// Takes the columns of a table, in order; identifiers are left out.
    pub fn new(table: Table) -> Self {
        let rows = table.rows();
        let used = |column: &Column| !matches!(column.schema().kind(), ColumnType::Identifier);
        let used: Vec<Column> = table.into_columns().into_iter().filter(used).collect();
        let names = used.iter().map(|column| column.name().to_owned()).collect();
        let columns = used.into_iter().map(PrivateColumn::new).collect();
        Self { names, columns, rows }
    }

    /// Makes the number of rows private: rows are counted with noise, with a share of the budget, and the count
    /// is at least one. Nothing else sees the true number.
    ///
    /// # Guarantee
    /// One count of all rows, the only cell of a partition (`proofs/counts_sensitivity.md`).
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub(crate) fn counted(self, budget: &mut Budget, share: f64) -> Result<Self, StepError> {
        let cost = budget.portion(share);
        let charge = budget.charge_counts(NUMBER_OF_ROWS, cost, Sensitivity::counts(NonZeroU64::MIN))?;
        let noisy = noisy_counts(charge, &[self.rows as i64])?;
        let rows = noisy.first().map_or(1, |rows| usize::try_from(*rows).unwrap_or(0).max(1));
        Ok(Self { rows, ..self })
    }

    /// Number of rows, or the noisy count where only that is public.
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

    /// The number of declared levels of a column with levels, which is public.
    pub fn levels(&self, column: usize) -> Option<usize> {
        match &self.columns[column] {
            PrivateColumn::Number(_) | PrivateColumn::Whole(_) => None,
            PrivateColumn::Level { levels, .. } => Some(*levels),
        }
    }

    /// Rows of a column in each cell of positions; cell i begins at `starts[i]` (ascending from 0) and ends where
    /// the next begins. A missing value counts at the position after the grid's last.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition: the cell of a row is a function of that row and of public
    /// values, so that one substituted row moves two of them by one (`proofs/counts_sensitivity.md`).
    pub(crate) fn counts(&self, column: usize, axis: &Axis<'_>, starts: &[usize]) -> Vec<i64> {
        let mut counts = vec![0; starts.len()];
        for position in self.columns[column].positions(axis.grid()) {
            let place = axis.of(position);
            let cell = starts.partition_point(|start| *start <= place);
            if let Some(count) = cell.checked_sub(1).and_then(|cell| counts.get_mut(cell)) {
                *count += 1;
            }
        }
        counts
    }

    /// Rows of a column by roundness: the number of combs, each of which contains the next, that contain their
    /// position. Atoms and missing values count nowhere.
    ///
    /// # Guarantee
    /// That of [`Self::counts`].
    pub(crate) fn roundness(&self, column: usize, grid: &Grid, combs: &[Comb]) -> Vec<i64> {
        let mut counts = vec![0; combs.len() + 1];
        let counted =
            |position: &usize| *position < grid.len() && grid.atoms().binary_search(position).is_err();
        for position in self.columns[column].positions(grid).filter(counted) {
            counts[roundness(combs, grid.place(position))] += 1;
        }
        counts
    }
}

/// The class of every private row in one column, counted by tables of several columns. There is no way to read
/// them back.
pub(crate) struct PrivateClasses {
    /// Classes; [`NO_CLASS`] for rows that count nowhere.
    classes: Vec<u16>,
}

/// The class of a row that is not counted.
const NO_CLASS: u16 = u16::MAX;

impl PrivateTable {
    /// Rows by the classes of a column's codes. Missing values are the last class of `codes`, or count nowhere.
    ///
    /// # Guarantee
    /// The class of a row is a function of that row and of public values.
    pub(crate) fn coded(&self, column: usize, grid: &Grid, codes: &Codes, missing: bool) -> PrivateClasses {
        let values = codes.len() - usize::from(codes.has_missing());
        let class = |position: usize| match (position < grid.len(), missing && codes.has_missing()) {
            (true, _) => codes.class(Some(position)) as u16,
            (false, true) => values as u16,
            (false, false) => NO_CLASS,
        };
        PrivateClasses { classes: self.columns[column].positions(grid).map(class).collect() }
    }
}

/// Rows in every cell of tables of classes; each entry of `columns` has the classes of one column.
///
/// # Guarantee
/// Counts of the cells of one fixed partition for each table: one substituted row moves at most two of a table's
/// counts by one (`proofs/counts_sensitivity.md`). The lists are private: they leave by charged choices and
/// measurements only.
pub(crate) fn table_counts(columns: &[PrivateClasses], tables: &[ClassTable]) -> Vec<Vec<i64>> {
    let counted = |table: &ClassTable| {
        progress::check();
        table.counts(|column| &columns[column].classes)
    };
    tables.par_iter().map(counted).collect()
}

/// The classes of a column and the score of every class, whose absolute value is at most the largest that was
/// charged for; rows that count nowhere have the score 0.
pub(crate) type ClassScores<'a> = (&'a PrivateClasses, &'a [i64]);

/// Sums over rows of the product of two columns' scores, for every given pair of columns.
///
/// # Guarantee
/// The scores of a row are functions of that row and of public values: one substituted row moves the sums as
/// `proofs/score_products.md` says.
pub(crate) fn score_products(columns: &[ClassScores<'_>], pairs: &[(usize, usize)]) -> Vec<i64> {
    let product = |&(first, second): &(usize, usize)| -> i64 {
        progress::check();
        let ((first, of_first), (second, of_second)) = (columns[first], columns[second]);
        let score = |scores: &[i64], class: u16| scores.get(usize::from(class)).copied().unwrap_or(0);
        let rows = first.classes.iter().zip(&second.classes);
        rows.map(|(&a, &b)| score(of_first, a) * score(of_second, b)).sum()
    };
    pairs.par_iter().map(product).collect()
}

impl PrivateColumn {
    fn new(column: Column) -> Self {
        let levels = column.schema().kind().levels().map_or(2, |levels| levels.len());
        match column.into_values() {
            Values::Code(codes) => Self::Level { codes, levels },
            Values::Integer(values) | Values::DateTime(values) => Self::Whole(values),
            Values::Float(values) => Self::Number(values),
            days @ Values::Date(_) => Self::Number(days.to_reals()),
        }
    }

    /// The position of every row; the position after the last for missing values.
    fn positions<'a>(&'a self, grid: &'a Grid) -> Box<dyn Iterator<Item = usize> + 'a> {
        let missing = grid.len();
        match self {
            Self::Number(values) => {
                Box::new(values.iter().map(move |&value| grid.position(value).unwrap_or(missing)))
            }
            Self::Whole(values) => Box::new(values.iter().map(move |&value| match value {
                MISSING_INTEGER => missing,
                value => grid.position_of_whole(value),
            })),
            Self::Level { codes, .. } => Box::new(codes.iter().map(move |&code| match code {
                MISSING_CODE => missing,
                code => (code as usize).min(missing - 1),
            })),
        }
    }
}

#[cfg(test)]
mod tests;
