//! A whole column, put together from the parts that were read in parallel.

use indistinct::table::Values;

use super::{Collector, InferredTotal, TextTotal};

/// The cells of all parts so far, in order.
#[derive(Debug)]
pub(crate) enum Total {
    /// None are kept.
    Nothing,
    /// Of a column of undeclared type.
    Inferred(InferredTotal),
    /// Of a text column.
    Text(TextTotal),
    /// Of a declared column.
    Typed(Values),
}

impl Total {
    /// Moves the cells of the next part here; the part is empty then and can be filled again.
    pub(crate) fn append(&mut self, part: &mut Collector) {
        match (self, part) {
            (Self::Inferred(total), Collector::Inferred(part)) => total.append(part),
            (Self::Text(total), Collector::Text(part)) => total.append(part),
            (Self::Typed(total), Collector::Typed(part)) => part.drain_into(total),
            // A total is made from a collector of its own kind.
            _ => {}
        }
    }
}
