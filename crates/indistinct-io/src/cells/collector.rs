//! What happens to the cells of one column of a file.

use super::number::Number;
use super::{Cell, Dictionary, Inferred, InferredTotal, TextTotal, Total, Typed};
use crate::error::Fault;

/// Takes the cells of one column, or of a part of it, in order.
#[derive(Debug)]
pub(crate) enum Collector {
    /// Reads past them.
    Nothing,
    /// Keeps them as numbers as long as they are.
    Inferred(Inferred),
    /// Keeps them as text.
    Text(Dictionary),
    /// Keeps them as declared.
    Typed(Typed),
}

impl Collector {
    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell<'_>) -> Result<(), Fault> {
        match self {
            Self::Nothing => {}
            Self::Inferred(column) => column.push(cell),
            Self::Text(column) => column.push(cell),
            Self::Typed(column) => column.push(cell)?,
        }
        Ok(())
    }

    /// Whether numbers are wanted as such, not by their spelling.
    #[inline]
    pub(crate) fn takes_numbers(&self) -> bool {
        match self {
            Self::Inferred(column) => !column.is_text(),
            Self::Typed(column) => column.takes_numbers(),
            Self::Nothing | Self::Text(_) => false,
        }
    }

    /// Adds a row, whose cell is a finite number.
    #[inline]
    pub(crate) fn push_number(&mut self, number: Number) -> Result<(), Fault> {
        let cell = match number {
            Number::Whole(value) => Cell::Integer(value),
            Number::Real(value) => Cell::Float(value),
            Number::Nan | Number::Infinite | Number::Not => Cell::Missing,
        };
        self.push(cell)
    }

    /// The empty total of such collectors.
    pub(crate) fn total(&self) -> Total {
        match self {
            Self::Nothing => Total::Nothing,
            Self::Inferred(_) => Total::Inferred(InferredTotal::new()),
            Self::Text(_) => Total::Text(TextTotal::new()),
            Self::Typed(column) => Total::Typed(column.no_values()),
        }
    }
}
