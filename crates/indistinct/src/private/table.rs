//! Private tables of any types: numbers and levels, with missing values. Counts of rows leave, nothing else.

use std::ops::Range;

use rayon::prelude::*;

use super::passes::{ColumnKind, ColumnShape, PrivateSource};
use super::query::CodedColumn;
use super::{ClassTable, CountQuery, PrivateCounts};
use crate::grid::{Axis, Comb, Grid, roundness};
use crate::privacy::SourceError;
use crate::progress;
use crate::table::{Column, ColumnType, MISSING_CODE, MISSING_INTEGER, Table, Values};

/// A private table. There is no way to read a row back.
pub struct PrivateTable {
    /// Names of columns, as in the schema.
    names: Vec<String>,
    pub(super) columns: Vec<PrivateColumn>,
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

    /// Number of rows: public unless rows may be added or removed.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, which is public.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Public facts about its columns.
    pub(crate) fn shapes(&self) -> Vec<ColumnShape> {
        let kind = |column: &PrivateColumn| match column {
            PrivateColumn::Number(_) => ColumnKind::Number,
            PrivateColumn::Whole(_) => ColumnKind::Whole,
            PrivateColumn::Level { levels, .. } => ColumnKind::Levels(*levels),
        };
        let shape = |(name, column): (&String, _)| ColumnShape { name: name.clone(), kind: kind(column) };
        self.names.iter().zip(&self.columns).map(shape).collect()
    }

    /// Answers queries.
    ///
    /// # Guarantee
    /// That of the function that each query names: counts and sums that are private until a mechanism has used them.
    ///
    /// # Panics
    /// When a query is about columns that the table does not have.
    pub fn count(&self, queries: &[CountQuery]) -> PrivateCounts {
        let answer = |query: &CountQuery| {
            progress::check();
            query.count(self)
        };
        PrivateCounts::new(self.rows as u64, queries.par_iter().map(answer).collect())
    }

    /// Rows of a column in each cell of positions; cell i begins at `starts[i]` (ascending from 0) and ends where
    /// the next begins. A missing value counts at the position after the grid's last.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition: the cell of a row is a function of that row and of public
    /// values, so that one substituted row moves two of them by one (`proofs/counts_sensitivity.md`).
    pub(crate) fn counts(&self, column: usize, axis: &Axis<'_>, starts: &[usize]) -> Vec<i64> {
        let mut counts = vec![0; starts.len()];
        self.columns[column].each_position(axis.grid(), 0..self.rows, |position| {
            let place = axis.of(position);
            let cell = starts.partition_point(|start| *start <= place);
            if let Some(count) = cell.checked_sub(1).and_then(|cell| counts.get_mut(cell)) {
                *count += 1;
            }
        });
        counts
    }

    /// Rows of a column by roundness: the number of combs, each of which contains the next, that contain their
    /// position. Atoms and missing values count nowhere.
    ///
    /// # Guarantee
    /// That of [`Self::counts`].
    pub(crate) fn roundness(&self, column: usize, grid: &Grid, combs: &[Comb]) -> Vec<i64> {
        let mut counts = vec![0; combs.len() + 1];
        self.columns[column].each_position(grid, 0..self.rows, |position| {
            if position < grid.len() && grid.atoms().binary_search(&position).is_err() {
                counts[roundness(combs, grid.place(position))] += 1;
            }
        });
        counts
    }
}

/// The class of a row that is not counted.
const NO_CLASS: u16 = u16::MAX;
/// Rows whose classes are kept at once: they stay in the cache while all tables count them.
const ROWS_AT_ONCE: usize = 1 << 16;

impl PrivateTable {
    /// Rows in every cell of tables of classes; columns of tables are places in `columns`.
    ///
    /// # Guarantee
    /// The class of a row is a function of that row and of public values, so that these are counts of the cells of one
    /// fixed partition for each table: one substituted row moves at most two of a table's counts by one
    /// (`proofs/counts_sensitivity.md`). The lists are private: they leave by charged choices and measurements only.
    pub(crate) fn table_counts(&self, columns: &[CodedColumn], tables: &[ClassTable]) -> Vec<Vec<i64>> {
        let mut counts: Vec<Vec<i64>> = tables.iter().map(|table| vec![0; table.cells()]).collect();
        self.each_part(columns, |classes| {
            counts.par_iter_mut().zip(tables).for_each(|(counts, table)| {
                table.add(|column| &classes[column], counts);
            });
        });
        counts
    }

    /// Sums over rows of the product of two columns' scores, for every given pair of places in `columns`; `scores`
    /// has the score of every class, whose absolute value is at most the largest that was charged for. Rows that count
    /// nowhere have the score 0.
    ///
    /// # Guarantee
    /// The scores of a row are functions of that row and of public values: one substituted row moves the sums as
    /// `proofs/score_products.md` says.
    pub(crate) fn score_products(
        &self,
        columns: &[CodedColumn],
        scores: &[Vec<i64>],
        pairs: &[(usize, usize)],
    ) -> Vec<i64> {
        let mut sums = vec![0; pairs.len()];
        self.each_part(columns, |classes| {
            sums.par_iter_mut().zip(pairs).for_each(|(sum, &(first, second))| {
                let score =
                    |column: usize, class: u16| scores[column].get(usize::from(class)).copied().unwrap_or(0);
                let rows = classes[first].iter().zip(&classes[second]);
                *sum += rows.map(|(&a, &b)| score(first, a) * score(second, b)).sum::<i64>();
            });
        });
        sums
    }

    /// Calls `visit` with the classes of all columns, for one part of the rows after the other.
    fn each_part(&self, columns: &[CodedColumn], mut visit: impl FnMut(&[Vec<u16>])) {
        for first in (0..self.rows).step_by(ROWS_AT_ONCE) {
            progress::check();
            let part = first..self.rows.min(first + ROWS_AT_ONCE);
            let classes: Vec<Vec<u16>> =
                columns.par_iter().map(|column| self.classes(column, part.clone())).collect();
            visit(&classes);
        }
    }

    /// The classes of some rows of a column; [`NO_CLASS`] for those that count nowhere.
    fn classes(&self, coded: &CodedColumn, rows: Range<usize>) -> Vec<u16> {
        let CodedColumn { column, grid, starts, missing } = coded;
        let mut classes = Vec::with_capacity(rows.len());
        self.columns[*column].each_position(grid, rows, |position| {
            classes.push(if position < grid.len() {
                starts.partition_point(|start| *start <= position).saturating_sub(1) as u16
            } else {
                missing.unwrap_or(NO_CLASS)
            });
        });
        classes
    }
}

impl PrivateSource for PrivateTable {
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
        Ok(self.count(queries))
    }
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

    /// Calls `visit` with the position of each of some rows; the position after the last for missing values.
    fn each_position(&self, grid: &Grid, rows: Range<usize>, mut visit: impl FnMut(usize)) {
        let missing = grid.len();
        match self {
            Self::Number(values) => {
                values[rows].iter().for_each(|&value| visit(grid.position(value).unwrap_or(missing)));
            }
            Self::Whole(values) => values[rows].iter().for_each(|&value| {
                visit(if value == MISSING_INTEGER { missing } else { grid.position_of_whole(value) });
            }),
            Self::Level { codes, .. } => codes[rows].iter().for_each(|&code| {
                visit(if code == MISSING_CODE { missing } else { (code as usize).min(missing - 1) });
            }),
        }
    }
}

#[cfg(test)]
mod tests;
