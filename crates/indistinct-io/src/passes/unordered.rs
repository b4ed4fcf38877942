//! Rows that are kept of each person, where rows come in parts whose order may be another in every pass.

use std::num::NonZeroU32;
use std::sync::Arc;

use indistinct::private::{KeptByContents, OwnedRow, PassOfPersons, PersonKey};
use indistinct::table::{Invalid, Schema};

use super::owned_rows;
use super::ranges::PersonRanges;
use crate::error::ReadError;
use crate::source::Source;

/// The way to tell rows of persons apart, wherever they come from.
#[derive(Debug, Clone)]
pub struct PersonColumn {
    /// The column that says whose row it is.
    pub name: String,
    /// The other columns.
    pub schema: Schema,
    /// The fate of rows that do not say whose they are.
    pub invalid: Invalid,
    /// The key of the hashes by which rows are chosen.
    pub key: PersonKey,
}

/// The choice of the rows that are kept, by passes of its own: one, or one for every part of the persons whose rows fit
/// into memory together.
#[derive(Debug)]
pub struct PersonChooser {
    column: PersonColumn,
    most: NonZeroU32,
    persons: PersonRanges,
    kept: KeptByContents,
}

/// The rows that are kept.
#[derive(Debug, Clone)]
pub struct ChosenRows {
    column: PersonColumn,
    kept: Arc<KeptByContents>,
}

/// A pass over all rows, of which those that were chosen are kept.
#[derive(Debug)]
pub struct ChosenPass {
    column: PersonColumn,
    pass: PassOfPersons,
}

impl PersonChooser {
    /// Chooses at most so many rows of each person, with about this many bytes of memory.
    pub fn new(column: PersonColumn, most: NonZeroU32, memory: usize) -> Self {
        Self { column, most, persons: PersonRanges::new(memory), kept: KeptByContents::default() }
    }

    /// Looks at some of the rows of a pass.
    ///
    /// # Errors
    /// When they cannot be read, or do not say whose they are.
    pub fn add(&mut self, part: &Source) -> Result<(), ReadError> {
        self.persons.add(self.column.owned(part)?.into_iter());
        Ok(())
    }

    /// Ends a pass over all rows. Whether another is needed.
    pub fn end_pass(&mut self) -> bool {
        let (mut rows, goes_on) = self.persons.end_pass();
        self.kept.choose(&mut rows, self.most);
        goes_on
    }

    /// The rows that were chosen, after the last pass.
    pub fn chosen(&self) -> ChosenRows {
        ChosenRows { column: self.column.clone(), kept: Arc::new(self.kept.clone()) }
    }
}

impl PersonColumn {
    fn owned(&self, part: &Source) -> Result<Vec<OwnedRow>, ReadError> {
        owned_rows(part, &self.name, &self.schema, self.invalid, self.key)
    }
}

impl ChosenRows {
    /// The columns without that of persons.
    pub fn schema(&self) -> &Schema {
        &self.column.schema
    }

    /// Begins a pass.
    pub fn pass(&self) -> ChosenPass {
        ChosenPass { column: self.column.clone(), pass: PassOfPersons::new(Arc::clone(&self.kept)) }
    }
}

impl ChosenPass {
    /// Those of some rows that are kept, without the column of persons; `None` if it is nothing.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn kept(&mut self, part: &Source) -> Result<Option<Source>, ReadError> {
        let owned = self.column.owned(part)?;
        let rows: Vec<u32> =
            owned.iter().filter(|row| self.pass.keeps(row)).map(|row| row.row as u32).collect();
        if rows.is_empty() { Ok(None) } else { part.of_rows(&self.column.name, rows).map(Some) }
    }

    /// Whether as many rows were kept in the whole pass as were chosen: otherwise the table has changed.
    pub fn is_complete(&self) -> bool {
        self.pass.is_complete()
    }
}
