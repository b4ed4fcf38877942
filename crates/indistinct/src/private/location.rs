//! The location of the numbers of one column: rows by magnitude, in cells of a line, and beyond radii. Each takes
//! one pass over the rows, in any order.

use std::ops::Range;

use super::table::{PrivateColumn, PrivateTable};
use crate::grid::{ColumnFacts, LineCells, Point};
use crate::table::MISSING_INTEGER;

impl PrivateTable {
    /// Rows of a column by magnitude, except missing values and atoms: for every k in `exponents` those with |x|
    /// < 2^k that are not below 2^j for a smaller j among them. All that are at least the largest power count
    /// there.
    ///
    /// # Guarantee
    /// Counts of the cells of a fixed partition, without those of rows that do not take part, which is a function
    /// of the row: one substituted row moves two of them by one (`proofs/interval_search.md`).
    pub(crate) fn magnitudes(&self, column: usize, facts: &ColumnFacts, exponents: &Range<i32>) -> Vec<i64> {
        let mut counts = vec![0; exponents.len()];
        self.each_point(column, facts, |point| {
            let place = point.magnitude().clamp(exponents.start, exponents.end - 1) - exponents.start;
            counts[place as usize] += 1;
        });
        counts
    }

    /// Rows of a column in every cell of a line, except missing values and atoms, and after them the rows that
    /// are in no cell.
    ///
    /// # Guarantee
    /// That of [`Self::magnitudes`].
    pub(crate) fn line_counts(&self, column: usize, facts: &ColumnFacts, cells: &LineCells) -> Vec<i64> {
        let mut counts = vec![0; cells.count() + 1];
        self.each_point(column, facts, |point| counts[cells.place(point).unwrap_or(cells.count())] += 1);
        counts
    }

    /// For each power of two 2^k, k in `exponents`, the rows of a column further than that from `centre`, except
    /// missing values and atoms.
    ///
    /// # Guarantee
    /// One substituted row moves all entries that it moves by 1 in the same direction
    /// (`proofs/interval_search.md`, claim 5).
    pub(crate) fn beyond(
        &self,
        column: usize,
        facts: &ColumnFacts,
        centre: Point,
        exponents: &Range<i32>,
    ) -> Vec<i64> {
        // By the number of radii that a row is beyond.
        let mut passed = vec![0; exponents.len() + 1];
        let reaches: Vec<f64> = exponents.clone().map(|exponent| libm::scalbn(1.0, exponent)).collect();
        self.each_point(column, facts, |point| {
            let distance = point.distance(centre);
            passed[reaches.partition_point(|reach| *reach < distance)] += 1;
        });
        let mut beyond: Vec<i64> = passed
            .iter()
            .rev()
            .scan(0, |rows, count| {
                *rows += count;
                Some(*rows)
            })
            .collect();
        beyond.reverse();
        beyond.split_off(1)
    }

    /// Calls `visit` with every number of a column that takes part.
    fn each_point(&self, column: usize, facts: &ColumnFacts, mut visit: impl FnMut(Point)) {
        match &self.columns[column] {
            PrivateColumn::Number(values) => {
                let searched = values.iter().filter_map(|&value| facts.searched(value));
                searched.for_each(|value| visit(Point::Real(value)));
            }
            PrivateColumn::Whole(values) => {
                let present = values.iter().filter(|value| **value != MISSING_INTEGER);
                let searched = present.filter_map(|&value| facts.searched_whole(value));
                searched.for_each(|value| visit(Point::Whole(value)));
            }
            PrivateColumn::Level { .. } => {}
        }
    }
}
