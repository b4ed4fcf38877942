//! Separated text (CSV, TSV), read in waves: the blocks of a wave in parallel, the waves one after the other.

mod columns;
mod fields;
mod input;
mod load;
mod marks;
mod part;
mod rows;
mod slot;
mod starts;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::cells::{Collector, Total};
use crate::error::Problem;
pub(crate) use input::Input;
pub(crate) use load::Text;
pub(crate) use part::rows_of;
use slot::{Slot, Workspace};

/// Bytes of a block: what one thread reads at a time, so that it stays in the processor's cache.
const BLOCK: usize = 1 << 17;
/// Bytes of a block for every column, at least: what is kept for each block and column is then in proportion to the text.
const BLOCK_PER_COLUMN: usize = 1 << 8;
/// Bytes of a wave: many, as at its end threads wait for each other, which is slow where others want the processor too.
/// Fixed, as the size of a block is, so that nothing depends on the number of threads.
const WAVE: usize = 1 << 23;
/// Blocks of a wave, at least.
const BLOCKS: usize = 8;
/// Bytes in which the rows of a sample start.
const SAMPLE: usize = 1 << 16;

/// Reads all rows; `collector` gives a fresh collector for a column. The result has one entry per column.
pub(crate) fn collect(
    text: &Text,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    // The whole work goes to the pool, not wave by wave: every crossing costs two switches between threads.
    let size = BLOCK.max(BLOCK_PER_COLUMN * text.names().len());
    rayon::scope(|_| collect_in_pool(text, size, collector))
}

/// Reads blocks of that size. Where the first row of a block starts cannot be seen in the block alone, as it may begin
/// inside quotes: that is guessed first, and then, in order, blocks of which it was guessed wrong are read again.
fn collect_in_pool(
    text: &Text,
    size: usize,
    collector: &(dyn Fn(usize) -> Collector + Sync),
) -> Result<Vec<Total>, Problem> {
    let columns = text.names().len();
    let body = text.body();
    let mut totals: Vec<Total> = (0..columns).map(|column| collector(column).total()).collect();
    let starts = body.clone().step_by(size);
    let blocks: Vec<Range<usize>> = starts.map(|start| start..(start + size).min(body.end)).collect();
    let mut slots: Vec<Slot> = Vec::new();
    let rooms: Mutex<Vec<Workspace>> = Mutex::default();
    let mut rows = 0;
    // Where the next row starts.
    let mut next = body.start;
    for wave in blocks.chunks((WAVE / size).max(BLOCKS)) {
        while slots.len() < wave.len() {
            slots.push(Slot::new(columns, collector));
        }
        let slots = &mut slots[..wave.len()];
        wave.par_iter().zip(&mut *slots).for_each(|(block, slot)| {
            let first = (block.start == body.start).then_some(body.start);
            with_workspace(&rooms, |room| slot.read(text, block, first, room));
        });
        for (block, slot) in wave.iter().zip(&mut *slots) {
            let first = (next <= block.end).then_some(next);
            if slot.first() != first {
                // The guess was wrong, which is rare.
                *slot = Slot::new(columns, collector);
                if first.is_some() {
                    with_workspace(&rooms, |room| slot.read(text, block, first, room));
                }
            }
            if first.is_some() {
                let (read, end) = slot.outcome().map_err(|failure| failure.problem(text, rows))?;
                rows += read;
                next = end;
            }
        }
        if wave[0].start == body.start {
            // Rows are about as long everywhere: room for all of them, and a few more.
            let expected = rows as f64 * 1.02 * (body.len() as f64 / (next - body.start) as f64);
            for total in &mut totals {
                total.reserve(expected as usize);
            }
        }
        append(&mut totals, slots);
    }
    Ok(totals)
}

/// Lends one of the workspaces that no thread has at the moment.
fn with_workspace(rooms: &Mutex<Vec<Workspace>>, work: impl FnOnce(&mut Workspace)) {
    let all = || rooms.lock().unwrap_or_else(PoisonError::into_inner);
    let free = all().pop();
    let mut room = free.unwrap_or_default();
    work(&mut room);
    all().push(room);
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

/// Reads the first rows only, as far as they are well-formed: `collect` will say what is not.
pub(crate) fn sample(text: &Text, collector: &dyn Fn(usize) -> Collector) -> Vec<Collector> {
    let mut slot = Slot::new(text.names().len(), collector);
    let body = text.body();
    let block = body.start..body.end.min(body.start + SAMPLE);
    slot.read(text, &block, Some(body.start), &mut Workspace::default());
    slot.collectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Dictionary, Missing};
    use proptest::prelude::*;
    use std::sync::Arc;

    /// The cells of all columns, read in blocks of that size.
    fn read(text: &[u8], size: usize) -> Result<Vec<Vec<String>>, Problem> {
        let text = Text::new(Input::Memory(text.to_vec()), b',')?;
        let missing = Arc::new(Missing::usual());
        let collector = |_| Collector::Text(Dictionary::new(Arc::clone(&missing)));
        let totals = collect_in_pool(&text, size, &collector)?;
        let cells = totals.into_iter().map(|total| {
            let Total::Text(total) = total else { unreachable!("asked for text") };
            let (levels, codes) = total.finish();
            codes.iter().map(|&code| levels.get(code as usize).cloned().unwrap_or_default()).collect()
        });
        Ok(cells.collect())
    }

    proptest! {
        /// Whatever the text is and wherever it is cut, it reads as if it were not cut.
        #[test]
        fn blocks_do_not_show(body in "(a|b|,|,|\n|\n|\"|\r\n|é|\"\"|,\"|\",|\"\n|1,2\n|\"x\ny\",z\n){0,60}", size in 1_usize..40) {
            let text = format!("p,q\n{body}");
            prop_assert_eq!(read(text.as_bytes(), size), read(text.as_bytes(), text.len()));
        }

        /// So do rows of the right length, with quotes of every kind.
        #[test]
        fn blocks_do_not_show_in_good_rows(
            rows in prop::collection::vec("(a{0,9}|\"(b|,|\n|\"\"){0,9}\"),(c{0,9}|\"(d|,|\r\n|\"\"){0,9}\")\r?\n", 1..30),
            size in 1_usize..60,
        ) {
            let text = format!("p,q\n{}", rows.concat());
            let whole = read(text.as_bytes(), text.len());
            prop_assert!(whole.is_ok());
            prop_assert_eq!(read(text.as_bytes(), size), whole);
        }
    }
}
