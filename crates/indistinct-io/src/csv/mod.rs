//! Separated text (CSV, TSV), read in waves: the blocks of a wave in parallel, the waves one after the other.

mod columns;
mod fields;
mod input;
mod load;
mod marks;
mod part;
mod rows;
mod split;

use rayon::prelude::*;

use crate::cells::{Collector, Total};
use crate::error::Problem;
use columns::read_plain_rows;
pub(crate) use input::Input;
pub(crate) use load::Text;
use marks::Marks;
pub(crate) use part::rows_of;
use rows::{Refusal, read_rows};

/// Bytes of a block: what one thread reads at a time, so that it stays in the processor's cache.
const BLOCK: usize = 1 << 17;
/// Blocks of a wave. Fixed, as the size of a block is, so that nothing depends on the number of threads.
const BLOCKS: usize = 16;
/// Bytes of a block for every column, at least: what is kept for each block and column is then in proportion to the text.
const BLOCK_PER_COLUMN: usize = 16;
/// Bytes that are read as a sample.
const SAMPLE: usize = 1 << 16;

/// Reads all rows; `collector` gives a fresh collector for a column. The result has one entry per column.
pub(crate) fn collect(
    text: &Text,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    // The whole work goes to the pool, not wave by wave: every crossing costs two switches between threads.
    rayon::scope(|_| collect_in_pool(text, collector))
}

fn collect_in_pool(
    text: &Text,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    let columns = text.names().len();
    let body = text.body();
    let block = BLOCK.max(BLOCK_PER_COLUMN * columns);
    let mut totals: Vec<Total> = (0..columns).map(|column| collector(column).total()).collect();
    let mut slots: Vec<Slot> = Vec::new();
    let mut rows = 0;
    let mut buffer = Vec::new();
    let (mut kept, mut start) = (0, body.start);
    while start < body.end {
        // `kept` bytes at the start of the buffer are those of a row that did not end in the last wave.
        let length = (kept + block * BLOCKS).max(2 * kept).min(body.end - start);
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        let fresh = buffer[kept..length].par_chunks_mut(block).enumerate();
        fresh
            .map(|(number, bytes)| text.input().read(start + kept + number * block, bytes))
            .collect::<Result<(), _>>()?;
        let bytes = &buffer[..length];
        let ranges = split::split(bytes, block, start + length == body.end);
        while slots.len() < ranges.len() {
            slots.push(Slot::new(columns, collector));
        }
        let read: Vec<Result<(), Failure>> = ranges
            .par_iter()
            .zip(&mut slots)
            .map(|(range, slot)| slot.read(text, &bytes[range.clone()], start + range.start))
            .collect();
        for (result, slot) in read.into_iter().zip(&slots) {
            result.map_err(|failure| failure.problem(text, rows))?;
            rows += slot.rows;
        }
        let used = ranges.last().map_or(0, |range| range.end);
        if start == body.start && used > 0 {
            // Rows are about as long everywhere: room for all of them, and a few more.
            let expected = rows as f64 * 1.02 * (body.len() as f64 / used as f64);
            for total in &mut totals {
                total.reserve(expected as usize);
            }
        }
        append(&mut totals, &mut slots[..ranges.len()]);
        buffer.copy_within(used..length, 0);
        kept = length - used;
        start += used;
    }
    Ok(totals)
}

/// Moves what the slots have read to the totals, column by column.
fn append(totals: &mut [Total], slots: &mut [Slot]) {
    let mut by_column: Vec<(&mut Total, Vec<&mut Collector>)> =
        totals.iter_mut().map(|total| (total, Vec::with_capacity(slots.len()))).collect();
    for slot in slots {
        for ((_, parts), collector) in by_column.iter_mut().zip(&mut slot.collectors) {
            parts.push(collector);
        }
    }
    by_column.par_iter_mut().for_each(|(total, parts)| {
        for part in parts {
            total.append(part);
        }
    });
}

/// What one thread fills from one block.
struct Slot {
    collectors: Vec<Collector>,
    marks: Marks,
    rows: usize,
}

/// Why a block could not be read.
enum Failure {
    Whole(Problem),
    Refused { refusal: Refusal, start: usize, rows: usize },
}

impl Slot {
    fn new(columns: usize, collector: &dyn Fn(usize) -> Collector) -> Self {
        Self { collectors: (0..columns).map(collector).collect(), marks: Marks::default(), rows: 0 }
    }

    /// Reads the rows of a block that starts at that position of the file.
    fn read(&mut self, text: &Text, bytes: &[u8], start: usize) -> Result<(), Failure> {
        let block = load::as_text(text.input(), bytes, start).map_err(Failure::Whole)?;
        let (rows, used) = read_plain_rows(block, text.separator(), &mut self.collectors, &mut self.marks)
            .map_err(|refusal| Failure::Refused { refusal, start, rows: 0 })?;
        let rest = &block[used..];
        let refused = |refusal| Failure::Refused { refusal, start: start + used, rows };
        if let Some(at) = memchr::memchr(0, rest.as_bytes()) {
            return Err(refused(Refusal::Nul(at)));
        }
        self.rows = rows + read_rows(rest, text.separator(), &mut self.collectors).map_err(refused)?;
        Ok(())
    }
}

impl Failure {
    /// With its place in the file, `rows` being those before the block.
    fn problem(self, text: &Text, rows: usize) -> Problem {
        let (refusal, start, rows) = match self {
            Self::Whole(problem) => return problem,
            Self::Refused { refusal, start, rows: before } => (refusal, start, rows + before),
        };
        match refusal {
            Refusal::Nul(at) => Problem::NulByte(text.input().line(start + at)),
            Refusal::Structure(found) => load::broken(text.input(), found, start),
            Refusal::Ragged { row, at, found } => {
                let (line, expected) = (text.input().line(start + at), text.names().len());
                Problem::Ragged { row: rows + row + 1, line, expected, found }
            }
            Refusal::Value { row, column, fault } => {
                Problem::Value { row: rows + row + 1, column: text.names()[column].clone(), fault }
            }
        }
    }
}

/// Reads the first rows only, as far as they are well-formed: `collect` will say what is not.
pub(crate) fn sample(text: &Text, collector: &dyn Fn(usize) -> Collector) -> Vec<Collector> {
    let mut slot = Slot::new(text.names().len(), collector);
    let body = text.body();
    let mut bytes = vec![0; body.len().min(SAMPLE)];
    if text.input().read(body.start, &mut bytes).is_ok()
        && let Some(range) = split::split(&bytes, SAMPLE, bytes.len() == body.len()).first()
    {
        _ = slot.read(text, &bytes[range.clone()], body.start);
    }
    slot.collectors
}
