//! Parts that models of all versions have: margins of all columns, and correlated scores of the ordered ones.

use crate::margin::Margin;
use crate::table::{ColumnSchema, ColumnType};

/// Largest rounding error of loadings in a file.
const ROUNDING: f64 = 1e-6;

/// The margins of a model that was read from a file, and the correlations of its scores.
pub(super) struct Scored<'a> {
    pub(super) margins: &'a [Margin],
    /// Columns with scores.
    pub(super) block: &'a [usize],
    /// The lower triangular factor of the scores' correlations.
    pub(super) factor: &'a [Vec<f64>],
}

impl Scored<'_> {
    /// Checks that they fit the columns, and each other.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub(super) fn check(&self, schema: &[ColumnSchema]) -> Result<(), &'static str> {
        if self.margins.len() != schema.len() || schema.is_empty() {
            return Err("its margins do not fit its columns");
        }
        let fits = |(column, margin): (&ColumnSchema, &Margin)| match column.kind().level_count() {
            _ if column.kind() == &ColumnType::Identifier => false,
            Some(levels) => margin.grid().is_levels() && margin.grid().len() == levels,
            None => !margin.grid().is_levels(),
        };
        if !schema.iter().zip(self.margins).all(fits) {
            return Err("its margins do not fit its columns");
        }
        let mut columns = self.block.to_vec();
        columns.sort_unstable();
        columns.dedup();
        if columns.len() != self.block.len() || columns.last().is_some_and(|last| *last >= schema.len()) {
            return Err("its ordered columns are not columns");
        }
        let row = |(place, row): (usize, &Vec<f64>)| {
            row.len() == place + 1 && row.iter().all(|loading| loading.abs() <= 1.0 + ROUNDING)
        };
        if self.factor.len() != self.block.len() || !self.factor.iter().enumerate().all(row) {
            return Err("its factor does not fit its ordered columns");
        }
        Ok(())
    }
}
