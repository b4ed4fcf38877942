//! The pool: rows of classes that agree with everything that was released, from which synthetic rows are made.

mod classes;
mod copula;
mod fill_in;
mod obey;
mod packed;
mod products;
mod refit;
mod repair;
mod rules;
mod start;
mod subset;

pub(crate) use classes::{Classes, MANY_LEVELS, View};
pub(crate) use copula::Copula;
pub(crate) use fill_in::FillIn;
pub(crate) use obey::{RowRules, obey};
pub(crate) use products::{ProductTarget, ProductTargets};
pub(crate) use refit::{Refit, Target};
pub(crate) use repair::repair;
pub(crate) use rules::ClassRules;
pub(crate) use start::start;
pub(crate) use subset::subset;

use packed::Packed;
use serde::{Deserialize, Serialize, Serializer};

/// Most rows of a pool: its cost does not grow with the private table's.
pub(crate) const MOST_ROWS: usize = 1 << 16;

/// Rows of classes, one class for each column.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Packed")]
pub(crate) struct Pool {
    /// Classes, row after row.
    classes: Vec<u16>,
    columns: usize,
}

impl Pool {
    /// A pool from classes, row after row.
    pub(crate) fn new(classes: Vec<u16>, columns: usize) -> Self {
        assert!(columns > 0 && classes.len().is_multiple_of(columns), "whole rows");
        Self { classes, columns }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.classes.len() / self.columns
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The classes of a row.
    pub(crate) fn row(&self, row: usize) -> &[u16] {
        &self.classes[row * self.columns..][..self.columns]
    }

    /// The classes of all rows in one column.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = u16> + '_ {
        self.classes.iter().skip(column).step_by(self.columns).copied()
    }

    /// Exchanges the classes of two rows in some columns.
    fn exchange(&mut self, columns: &[usize], first: usize, second: usize) {
        for &column in columns {
            self.classes.swap(first * self.columns + column, second * self.columns + column);
        }
    }

    /// The rows in the order of their classes: the order in which they were made says nothing, and takes more
    /// room.
    pub(crate) fn sorted(&self) -> Self {
        let mut rows: Vec<&[u16]> = self.classes.chunks_exact(self.columns).collect();
        rows.sort_unstable();
        Self { classes: rows.concat(), columns: self.columns }
    }

    /// The classes of all rows, column by column.
    pub(crate) fn by_column(&self) -> Vec<Vec<u16>> {
        (0..self.columns).map(|column| self.column(column).collect()).collect()
    }
}

impl Serialize for Pool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Packed::try_from(self.clone()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}
