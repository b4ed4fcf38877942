//! Separated text (CSV, TSV), read in parallel.

mod fields;
mod load;
mod split;

use std::ops::Range;

use rayon::prelude::*;

use crate::cells::{Cell, Collector};
use crate::error::{Fault, Problem};
use fields::{Break, Fields};
pub(crate) use load::Text;

/// A column in parts, in order of the rows.
pub(crate) type Parts = Vec<Collector>;

/// Why a part of the text could not be read. Rows and positions count from the part's start.
enum Refusal {
    Structure(Break),
    Ragged { row: usize, at: usize, found: usize },
    Value { row: usize, column: usize, fault: Fault },
}

/// Reads all rows; `collector` gives a fresh collector for a column. The result has one entry per column.
pub(crate) fn collect(
    text: &Text,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Parts>, Problem> {
    let columns = text.names().len();
    let body = text.body();
    let ranges = split::split(body.as_bytes());
    let read = |range: &Range<usize>| {
        let mut collectors: Vec<Collector> = (0..columns).map(collector).collect();
        read_part(&body[range.clone()], text.separator(), &mut collectors).map(|rows| (rows, collectors))
    };
    let parts: Vec<Result<(usize, Vec<Collector>), Refusal>> = ranges.par_iter().map(read).collect();
    let mut by_column: Vec<Parts> = (0..columns).map(|_| Vec::with_capacity(parts.len())).collect();
    let mut rows_before = 0;
    for (part, range) in parts.into_iter().zip(ranges) {
        let (rows, collectors) =
            part.map_err(|refusal| problem(text, &refusal, rows_before, range.start, columns))?;
        rows_before += rows;
        for (parts, collector) in by_column.iter_mut().zip(collectors) {
            parts.push(collector);
        }
    }
    Ok(by_column)
}

/// Reads the first rows only, and nothing if they are not well-formed: `collect` will say so.
pub(crate) fn sample(text: &Text, collector: &dyn Fn(usize) -> Collector) -> Vec<Collector> {
    let mut collectors: Vec<Collector> = (0..text.names().len()).map(collector).collect();
    if let Some(range) = split::split_first(text.body().as_bytes()) {
        _ = read_part(&text.body()[range], text.separator(), &mut collectors);
    }
    collectors
}

/// Reads a text that holds whole rows; how many they are.
fn read_part(text: &str, separator: u8, collectors: &mut [Collector]) -> Result<usize, Refusal> {
    let mut fields = Fields::new(text, 0, separator);
    let mut scratch = String::new();
    let mut row = 0;
    let final_column = collectors.len() - 1;
    while !fields.is_done() {
        let start = fields.position();
        for (column, collector) in collectors.iter_mut().enumerate() {
            let (cell, last) = fields.next(&mut scratch).map_err(Refusal::Structure)?;
            if let Err(fault) = collector.push(Cell::Text(cell)) {
                // A row of the wrong length explains a wrong value, not the other way round.
                check_length(text, start, separator, row, final_column + 1)?;
                return Err(Refusal::Value { row, column, fault });
            }
            if last != (column == final_column) {
                check_length(text, start, separator, row, final_column + 1)?;
            }
        }
        row += 1;
    }
    Ok(row)
}

/// Counts the fields of the row that starts there.
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

fn problem(text: &Text, refusal: &Refusal, rows: usize, start: usize, expected: usize) -> Problem {
    match *refusal {
        Refusal::Structure(Break::Unterminated(at)) => text.broken(Break::Unterminated(start + at)),
        Refusal::Structure(Break::Stray(at)) => text.broken(Break::Stray(start + at)),
        Refusal::Structure(Break::AfterQuote(at)) => text.broken(Break::AfterQuote(start + at)),
        Refusal::Ragged { row, at, found } => {
            Problem::Ragged { row: rows + row + 1, line: text.line(start + at), expected, found }
        }
        Refusal::Value { row, column, fault } => {
            Problem::Value { row: rows + row + 1, column: text.names()[column].clone(), fault }
        }
    }
}
