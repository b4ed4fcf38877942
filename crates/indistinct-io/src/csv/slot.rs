//! A block of the text: the rows that start in it, read without knowing what precedes it.

use std::ops::Range;

use fearless_simd::{Level, dispatch};

use super::columns::read_plain_rows;
use super::load::{self, Text};
use super::marks::Marks;
use super::rows::{Refusal, read_rows};
use super::starts::{quotes_odd, row_start, seems_inside};
use crate::cells::Collector;
use crate::error::{ColumnPlace, Problem};

/// Bytes after a block in which the end of its last row is searched for, at first.
const MORE: usize = 1 << 12;

/// The memory that a thread needs to read a block.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    bytes: Vec<u8>,
    marks: Marks,
}

/// The result of reading a block.
pub(super) struct Slot {
    pub(super) collectors: Vec<Collector>,
    /// The assumed start of the first row that starts in the block.
    first: Option<usize>,
    /// The number of rows that start in the block, and the end of the last of them.
    outcome: Result<(usize, usize), Failure>,
}

/// The reason why a block could not be read.
pub(super) enum Failure {
    Whole(Problem),
    Refused { refusal: Refusal, start: usize, rows: usize },
}

/// No rows.
const NOTHING: Result<(usize, usize), Failure> = Ok((0, 0));

impl Slot {
    pub(super) fn new(collectors: Vec<Collector>) -> Self {
        Self { collectors, first: None, outcome: NOTHING }
    }

    /// The assumed start of the first row that starts in the block.
    pub(super) fn first(&self) -> Option<usize> {
        self.first
    }

    /// The number of rows that start in the block, and the end of the last of them. Can be called once.
    pub(super) fn outcome(&mut self) -> Result<(usize, usize), Failure> {
        std::mem::replace(&mut self.outcome, NOTHING)
    }

    /// Reads the rows that start in a block after its first byte, the first of them at `first`, or where it seems
    /// to start. (The first byte belongs to the block before: if it starts a row, a line break is before it.)
    pub(super) fn read(
        &mut self,
        text: &Text,
        block: &Range<usize>,
        first: Option<usize>,
        room: &mut Workspace,
    ) {
        self.first = None;
        self.outcome = match find_rows(text, block, first, &mut room.bytes) {
            Ok(Some((first, bytes))) => {
                self.first = Some(first);
                let rows = self.read_rows(text, bytes, first, &mut room.marks);
                rows.map(|rows| (rows, first + bytes.len()))
            }
            Ok(None) => NOTHING,
            Err(problem) => Err(Failure::Whole(problem)),
        };
    }

    /// Reads whole rows that start at this position of the file.
    fn read_rows(
        &mut self,
        text: &Text,
        bytes: &[u8],
        start: usize,
        marks: &mut Marks,
    ) -> Result<usize, Failure> {
        let block = simdutf8::compat::from_utf8(bytes).map_err(|error| Failure::Refused {
            refusal: Refusal::NotUtf8(error.valid_up_to()),
            start,
            rows: 0,
        })?;
        let (separator, collectors) = (text.separator(), &mut self.collectors);
        // Made for several kinds of processors; which kind this one is shows when the program runs.
        let read =
            dispatch!(Level::new(), simd => read_plain_rows(simd, block, separator, collectors, marks));
        let (rows, used) = read.map_err(|refusal| Failure::Refused { refusal, start, rows: 0 })?;
        let rest = &block[used..];
        let refused = |refusal| Failure::Refused { refusal, start: start + used, rows };
        if let Some(at) = memchr::memchr(0, rest.as_bytes()) {
            return Err(refused(Refusal::Nul(at)));
        }
        Ok(rows + read_rows(rest, text.separator(), &mut self.collectors).map_err(refused)?)
    }
}

/// The rows that start in a block: the start of the first one, and the bytes of all.
fn find_rows<'a>(
    text: &Text,
    block: &Range<usize>,
    first: Option<usize>,
    bytes: &'a mut Vec<u8>,
) -> Result<Option<(usize, &'a [u8])>, Problem> {
    let from = first.unwrap_or(block.start);
    let most = text.body().end - from;
    let size = block.end - from;
    let mut length = (size + MORE).min(most);
    fill(text, from, bytes, 0..length)?;
    // Most blocks have no quotes, which shows faster than where they are.
    let quotes = memchr::memchr(b'"', &bytes[..size]).is_some();
    let start = if first.is_some() {
        0
    } else {
        let inside = quotes && seems_inside(&bytes[..size], text.separator());
        let Some(start) = row_start(&bytes[..size], 0, inside) else { return Ok(None) };
        start
    };
    // The last row ends where the first one starts that is not of this block.
    let inside = quotes && quotes_odd(&bytes[start..size]);
    let end = loop {
        if let Some(end) = row_start(&bytes[..length], size, inside) {
            break end;
        }
        if length == most {
            break most;
        }
        let longer = (2 * length).min(most);
        fill(text, from, bytes, length..longer)?;
        length = longer;
    };
    Ok(Some((from + start, &bytes[start..end])))
}

/// Reads a part of the text from `from` on to its place in the buffer, which is extended.
fn fill(text: &Text, from: usize, bytes: &mut Vec<u8>, part: Range<usize>) -> Result<(), Problem> {
    if bytes.len() < part.end {
        bytes.resize(part.end, 0);
    }
    text.input().read(from + part.start, &mut bytes[part])
}

impl Failure {
    /// The problem with its place in the file, where `rows` precede the block.
    pub(super) fn problem(self, text: &Text, rows: usize) -> Problem {
        let (refusal, start, rows) = match self {
            Self::Whole(problem) => return problem,
            Self::Refused { refusal, start, rows: before } => (refusal, start, rows + before),
        };
        match refusal {
            Refusal::Nul(at) => Problem::NulByte(text.input().line(start + at)),
            Refusal::NotUtf8(at) => Problem::NotUtf8(text.input().line(start + at)),
            Refusal::Structure(found) => load::broken(text.input(), found, start),
            Refusal::Ragged { row, at, found } => {
                let (line, expected) = (text.input().line(start + at), text.names().len());
                Problem::Ragged { row: rows + row + 1, line, expected, found }
            }
            Refusal::Value { row, column, fault } => {
                // Only declared columns refuse a value.
                let column = ColumnPlace::Named(text.names()[column].clone());
                Problem::Value { row: rows + row + 1, column, fault }
            }
        }
    }
}
