//! The rows of a part of the text, read cell by cell, including quotes.

use super::fields::{Break, Fields};
use crate::cells::{Cell, Collector};
use crate::error::Fault;

/// The reason why a part of the text could not be read. Rows and positions count from the part's start.
#[derive(Debug)]
pub(super) enum Refusal {
    Nul(usize),
    NotUtf8(usize),
    Structure(Break),
    Ragged { row: usize, at: usize, found: usize },
    Value { row: usize, column: usize, fault: Fault },
}

/// Reads a text of whole rows; returns their number.
pub(super) fn read_rows(text: &str, separator: u8, collectors: &mut [Collector]) -> Result<usize, Refusal> {
    let mut fields = Fields::new(text, 0, separator);
    let mut scratch = String::new();
    let mut row = 0;
    let expected = collectors.len();
    while !fields.is_done() {
        let start = fields.position();
        for (column, collector) in collectors.iter_mut().enumerate() {
            let (cell, last) = fields.next(&mut scratch).map_err(Refusal::Structure)?;
            if let Err(fault) = collector.push(Cell::Text(cell)) {
                // A row of the wrong length explains a wrong value, not the other way round.
                check_length(text, start, separator, row, expected)?;
                return Err(Refusal::Value { row, column, fault });
            }
            if last != (column + 1 == expected) {
                check_length(text, start, separator, row, expected)?;
            }
        }
        row += 1;
    }
    Ok(row)
}

/// Checks the number of fields of the row that starts here.
#[cold]
fn check_length(text: &str, at: usize, separator: u8, row: usize, expected: usize) -> Result<(), Refusal> {
    let mut fields = Fields::new(text, at, separator);
    let mut scratch = String::new();
    let mut found = 1;
    while !fields.next(&mut scratch).map_err(Refusal::Structure)?.1 {
        found += 1;
    }
    if found == expected { Ok(()) } else { Err(Refusal::Ragged { row, at, found }) }
}
