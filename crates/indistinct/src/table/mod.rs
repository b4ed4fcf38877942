//! Columnar tables: what a statistician calls a data frame.

mod column;
pub mod condition;
mod invalid;
pub mod moment;
mod nearest;
mod schema;

use std::collections::HashSet;

use crate::number::number_of;

pub use column::{Column, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Values};
pub(crate) use condition::CutPoint;
pub use condition::{Condition, ConditionError, Derive, Lookup, LookupValue};
pub use invalid::Invalid;
pub(crate) use nearest::edits;
pub use nearest::nearest;
pub use schema::{
    ColumnSchema, ColumnType, Constraint, DEFAULT_MISSING, DELIMITERS, DecidedColumn, Family, Notation,
    Schema, SchemaError, round_to_decimals,
};

/// A table whose columns all have the same number of rows and different names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    rows: usize,
    columns: Vec<Column>,
}

/// The reason why columns do not make a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Two columns have different lengths.
    #[error("column `{column}` has {} where the first column has {expected}", number_of(*.found, "row"))]
    Ragged {
        /// The column that differs.
        column: String,
        /// Its number of rows.
        found: usize,
        /// The number of rows of the first column.
        expected: usize,
    },
    /// Two columns have one name.
    #[error("two columns are named `{0}`")]
    DuplicateName(String),
}

impl Table {
    /// A table of these columns.
    ///
    /// # Errors
    /// When lengths differ or a name occurs twice.
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        let rows = columns.first().map_or(0, |column| column.values().len());
        let mut names = HashSet::new();
        for column in &columns {
            if column.values().len() != rows {
                return Err(TableError::Ragged {
                    column: column.name().to_owned(),
                    found: column.values().len(),
                    expected: rows,
                });
            }
            if !names.insert(column.name()) {
                return Err(TableError::DuplicateName(column.name().to_owned()));
            }
        }
        Ok(Self { rows, columns })
    }

    /// A table of columns that are known to fit together.
    ///
    /// # Panics
    /// When they do not.
    pub(crate) fn of_columns(columns: Vec<Column>) -> Self {
        match Self::new(columns) {
            Ok(table) => table,
            Err(error) => panic!("{error}"),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns, without a copy.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// A table of the rows in `rows`, in that order, repeats allowed.
    ///
    /// # Panics
    /// When a row is out of range.
    #[must_use]
    pub fn take(&self, rows: &[u32]) -> Self {
        Self { rows: rows.len(), columns: self.columns.iter().map(|column| column.take(rows)).collect() }
    }

    /// The rows of several tables with the same columns, one after the other; `None` without tables.
    ///
    /// # Panics
    /// When the columns differ.
    pub fn stacked(tables: Vec<Self>) -> Option<Self> {
        let mut tables = tables.into_iter();
        let mut all = tables.next()?;
        tables.for_each(|table| all.append(table));
        Some(all)
    }

    /// Appends the rows of another table with the same columns.
    ///
    /// # Panics
    /// When the columns differ.
    pub(crate) fn append(&mut self, more: Self) {
        assert_eq!(more.columns.len(), self.columns.len(), "the same columns");
        self.rows += more.rows;
        for (column, more) in self.columns.iter_mut().zip(more.columns) {
            column.append(more);
        }
    }

    /// Reserves room for exactly this many more rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|column| column.reserve(rows));
    }

    /// A table in which each column's rows are rearranged independently.
    ///
    /// # Panics
    /// When an arrangement has a different number of rows.
    #[must_use]
    pub fn rearrange_columns(&self, mut arrangement: impl FnMut(usize) -> Vec<u32>) -> Self {
        let rearrange = |(position, column): (usize, &Column)| {
            let rows = arrangement(position);
            assert_eq!(rows.len(), self.rows, "as many rows as before");
            column.take(&rows)
        };
        Self { rows: self.rows, columns: self.columns.iter().enumerate().map(rearrange).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_must_fit_together() {
        let float = |name: &str, rows: usize| Column::float(name, vec![0.0; rows]);
        assert_eq!(Table::new(vec![float("a", 2), float("b", 2)]).unwrap().rows(), 2);
        assert!(matches!(Table::new(vec![float("a", 2), float("b", 3)]), Err(TableError::Ragged { .. })));
        assert_eq!(
            Table::new(vec![float("a", 2), float("a", 2)]),
            Err(TableError::DuplicateName("a".to_owned()))
        );
    }

    #[test]
    fn tables_are_stacked() {
        let part = |values: &[f64]| Table::new(vec![Column::float("a", values.to_vec())]).unwrap();
        let all = Table::stacked(vec![part(&[1.0]), part(&[]), part(&[3.0, 2.0])]).unwrap();
        assert_eq!(all, part(&[1.0, 3.0, 2.0]));
        assert_eq!(Table::stacked(vec![]), None);
    }

    #[test]
    fn take_repeats_and_reorders() {
        let table = Table::new(vec![Column::float("a", vec![1.0, 2.0, 3.0])]).unwrap();
        assert_eq!(table.take(&[2, 0, 2]).columns()[0].values(), &Values::Float(vec![3.0, 1.0, 3.0]));
    }
}
