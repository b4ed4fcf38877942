//! A whole column, put together from the parts that were read in parallel.

use indistinct::table::Values;

use super::{Collector, InferredTotal, SeenTotal, TextTotal};

/// Reserves room for this many rows if there is any: an expectation may be wrong, and must not end the process.
pub(super) fn make_room<T>(values: &mut Vec<T>, rows: usize) {
    drop(values.try_reserve(rows));
}

/// The cells of all parts so far, in order.
#[derive(Debug)]
pub(crate) enum Total {
    /// No cells are kept.
    Nothing,
    /// Cells of a column of undeclared type.
    Inferred(InferredTotal),
    /// Cells of a text column.
    Text(TextTotal),
    /// Cells of a declared column.
    Typed(Values),
    /// Counts of spellings of missing values.
    Seen(SeenTotal),
}

impl Total {
    /// Reserves room for this many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        match self {
            Self::Nothing | Self::Seen(_) => {}
            Self::Inferred(total) => total.reserve(rows),
            Self::Text(total) => total.reserve(rows),
            Self::Typed(Values::Float(values)) => make_room(values, rows),
            Self::Typed(Values::Integer(values) | Values::DateTime(values)) => make_room(values, rows),
            Self::Typed(Values::Code(values)) => make_room(values, rows),
            Self::Typed(Values::Date(values)) => make_room(values, rows),
        }
    }

    /// Moves the cells of the next part here; the part is then empty and can be filled again.
    pub(crate) fn append(&mut self, part: &mut Collector) {
        match (self, part) {
            (Self::Inferred(total), Collector::Inferred(part)) => total.append(part),
            (Self::Text(total), Collector::Text(part)) => total.append(part),
            (Self::Typed(total), Collector::Typed(part)) => part.drain_into(total),
            (Self::Seen(total), Collector::Seen(part)) => total.append(part),
            // A total is made from a collector of its own kind.
            _ => {}
        }
    }
}
