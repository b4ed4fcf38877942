//! Collection of the cells of one column of a file.

use super::{Cell, Dictionary, Inferred, InferredTotal, MissingSeen, SeenTotal, TextTotal, Total, Typed};
use crate::error::Fault;

/// Takes the cells of one column, or of a part of it, in order.
#[derive(Debug)]
pub(crate) enum Collector {
    /// Skips them.
    Nothing,
    /// Keeps them as numbers as long as all are numbers.
    Inferred(Inferred),
    /// Keeps them as text.
    Text(Dictionary),
    /// Keeps them as declared.
    Typed(Typed),
    /// Counts spellings of missing values.
    Seen(MissingSeen),
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
            Self::Seen(column) => column.push(cell),
        }
        Ok(())
    }

    /// The total of a column that was read as one part.
    pub(crate) fn into_total(mut self) -> Total {
        let mut total = self.total();
        total.append(&mut self);
        total
    }

    /// An empty total for such collectors.
    pub(crate) fn total(&self) -> Total {
        match self {
            Self::Nothing => Total::Nothing,
            Self::Inferred(_) => Total::Inferred(InferredTotal::new()),
            Self::Text(_) => Total::Text(TextTotal::new()),
            Self::Typed(column) => Total::Typed(column.no_values()),
            Self::Seen(column) => Total::Seen(SeenTotal::new(column)),
        }
    }
}
