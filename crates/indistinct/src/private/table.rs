//! Private tables of any types: numbers and levels, with what is missing. Counts of rows leave, nothing else.

use std::ops::Range;

use rayon::prelude::*;

use super::{ClassTable, PrivateNumbers};
use crate::interrupt;
use crate::margin::{Axis, Codes, Comb, Facts, Grid, roundness};
use crate::table::{Column, ColumnType, MISSING_CODE, Table, Values};

/// A private table. There is no way to read a row back.
pub struct PrivateTable {
    columns: Vec<PrivateColumn>,
    rows: usize,
}

/// One column: what is missing stays missing.
enum PrivateColumn {
    /// Numbers, days, or microseconds; NaN is missing.
    Number(Vec<f64>),
    /// Positions in declared levels; [`MISSING_CODE`] is missing.
    Level { codes: Vec<u32>, levels: usize },
}

impl std::fmt::Debug for PrivateTable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PrivateTable({} rows, {} columns)", self.rows, self.columns.len())
    }
}

impl PrivateTable {
    /// Takes the columns of a table, in order; identifiers are left out.
    pub fn new(table: &Table) -> Self {
        let used = |column: &&Column| !matches!(column.schema().kind(), ColumnType::Identifier);
        let columns = table.columns().iter().filter(used).map(PrivateColumn::new).collect();
        Self { columns, rows: table.rows() }
    }

    /// Number of rows, which is public.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, which is public.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The number of declared levels of a column, if it has levels, which is public.
    pub fn levels(&self, column: usize) -> Option<usize> {
        match &self.columns[column] {
            PrivateColumn::Number(_) => None,
            PrivateColumn::Level { levels, .. } => Some(*levels),
        }
    }

    /// Rows of a column in each cell of positions; cell i begins at `starts[i]` (ascending from 0) and ends where the next
    /// begins. A missing value counts at the position after the grid's last.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition, the cell of a row being a function of that row and of public values: one
    /// substituted row moves two of them by one (`proofs/counts_sensitivity.md`).
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

    /// Rows of a column by how round they are: how many of the combs, each of which holds the next, hold them. Atoms and
    /// missing values count nowhere.
    ///
    /// # Guarantee
    /// As [`Self::counts`].
    pub(crate) fn roundness(&self, column: usize, grid: &Grid, combs: &[Comb]) -> Vec<i64> {
        let mut counts = vec![0; combs.len() + 1];
        let counted =
            |position: &usize| *position < grid.len() && grid.atoms().binary_search(position).is_err();
        for position in self.columns[column].positions(grid).filter(counted) {
            counts[roundness(combs, grid.place(position))] += 1;
        }
        counts
    }

    /// The numbers of a column that are neither missing nor atoms, for the interval search alone: how many they are is
    /// private.
    ///
    /// # Guarantee
    /// The utilities of the search move by at most 1 all the same (`proofs/interval_search.md`, claim 4).
    pub(crate) fn searched(&self, column: usize, facts: &Facts) -> PrivateNumbers {
        let values: &[f64] = match &self.columns[column] {
            PrivateColumn::Number(values) => values,
            PrivateColumn::Level { .. } => &[],
        };
        PrivateNumbers::new(values.iter().filter_map(|&value| facts.searched(value)))
    }

    /// For each power of two 2^k, k in `exponents`, the rows of a column further than that from `centre`, which are
    /// neither missing nor atoms.
    ///
    /// # Guarantee
    /// One substituted row moves all entries that it moves by 1 in the same direction (`proofs/interval_search.md`,
    /// claim 5).
    pub(crate) fn beyond(
        &self,
        column: usize,
        facts: &Facts,
        centre: f64,
        exponents: Range<i32>,
    ) -> Vec<i64> {
        let mut beyond = vec![0; exponents.len()];
        if let PrivateColumn::Number(values) = &self.columns[column] {
            let reaches: Vec<f64> = exponents.map(|exponent| libm::scalbn(1.0, exponent)).collect();
            for value in values.iter().filter_map(|&value| facts.searched(value)) {
                let distance = (value - centre).abs();
                let passed = reaches.partition_point(|reach| *reach < distance);
                beyond[..passed].iter_mut().for_each(|rows| *rows += 1);
            }
        }
        beyond
    }
}

/// The class of every private row in one column: what tables of several columns count. There is no way to read them back.
pub(crate) struct PrivateClasses {
    /// [`NO_CLASS`] for rows that count nowhere.
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

/// Rows in every cell of tables of classes; the classes of each column are those of one entry of `columns`.
///
/// # Guarantee
/// Counts of the cells of one fixed partition for each table: one substituted row moves at most two of a table's counts by
/// one (`proofs/counts_sensitivity.md`). The lists are private: they leave by charged choices and measurements only.
pub(crate) fn table_counts(columns: &[PrivateClasses], tables: &[ClassTable]) -> Vec<Vec<i64>> {
    let counted = |table: &ClassTable| {
        interrupt::check();
        let mut counts = vec![0; table.cells()];
        let sides: Vec<(&[u16], &[u32])> = table
            .columns()
            .iter()
            .zip(table.steps())
            .map(|(&column, steps)| (columns[column].classes.as_slice(), steps.as_slice()))
            .collect();
        let rows = sides.first().map_or(0, |(classes, _)| classes.len());
        for row in 0..rows {
            // A row without a class in one of the columns counts nowhere.
            let step = |(classes, steps): &(&[u16], &[u32])| steps.get(usize::from(classes[row])).copied();
            if let Some(cell) = sides.iter().try_fold(0, |cell, side| Some(cell + step(side)?)) {
                counts[cell as usize] += 1;
            }
        }
        counts
    };
    tables.par_iter().map(counted).collect()
}

/// The score of every class, in absolute value at most the largest that a charge was made for; rows that count nowhere have
/// the score 0.
pub(crate) type ClassScores<'a> = (&'a PrivateClasses, &'a [i64]);

/// Sums over rows of the product of two columns' scores, for every pair of columns that is named.
///
/// # Guarantee
/// The scores of a row are functions of that row and of public values: one substituted row moves the sums as
/// `proofs/score_products.md` says.
pub(crate) fn score_products(columns: &[ClassScores<'_>], pairs: &[(usize, usize)]) -> Vec<i64> {
    let scores: Vec<Vec<i64>> = columns
        .par_iter()
        .map(|(rows, scores)| {
            let score = |&class: &u16| if class == NO_CLASS { 0 } else { scores[usize::from(class)] };
            rows.classes.iter().map(score).collect()
        })
        .collect();
    let product = |&(first, second): &(usize, usize)| -> i64 {
        scores[first].iter().zip(&scores[second]).map(|(a, b)| a * b).sum()
    };
    pairs.par_iter().map(product).collect()
}

impl PrivateColumn {
    fn new(column: &Column) -> Self {
        match (column.schema().kind(), column.values()) {
            (kind, Values::Code(codes)) => {
                let levels = kind.levels().map_or(2, |levels| levels.len());
                Self::Level { codes: codes.clone(), levels }
            }
            (_, values) => Self::Number(values.to_reals()),
        }
    }

    /// The position of every row; that after the last for missing values.
    fn positions<'a>(&'a self, grid: &'a Grid) -> Box<dyn Iterator<Item = usize> + 'a> {
        let missing = grid.len();
        match self {
            Self::Number(values) => {
                Box::new(values.iter().map(move |&value| grid.position(value).unwrap_or(missing)))
            }
            Self::Level { codes, .. } => Box::new(codes.iter().map(move |&code| match code {
                MISSING_CODE => missing,
                code => (code as usize).min(missing - 1),
            })),
        }
    }
}

#[cfg(test)]
mod tests;
