//! The blocks of a text: read by any free thread, and put together in order.
//!
//! No thread waits for another unless that is far behind: a thread that loses its processor for a while holds up
//! only the block that it is reading. Three things happen to a block, each in the order of blocks: a thread takes
//! it and reads it; it is checked, because the start of its first row depends on the block before; and column by
//! column its cells are moved to the totals.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indistinct::progress;

use super::load::Text;
use super::slot::{Slot, Workspace};
use crate::cells::{Collector, Total};
use crate::error::Problem;

/// Blocks in progress for every thread: enough that others go on while one has lost its processor, and few enough
/// to stay in the processor's cache.
const UNDER_WAY: usize = 8;
/// Most bytes in progress, unless blocks are so large that there would not be two of them for every thread.
const MOST_BYTES: usize = 1 << 26;
/// Room for rows, as a multiple of the expected number: rows are about equally long everywhere.
const ROOM: f64 = 1.02;

/// All blocks of a text, and the results so far.
pub(super) struct Blocks<'a> {
    text: &'a Text,
    collector: &'a (dyn Fn(usize) -> Collector + Sync),
    ranges: Vec<Range<usize>>,
    /// Number of blocks taken.
    taken: Mutex<usize>,
    /// Places for blocks in progress, used in turn.
    places: Vec<Place>,
    check: Mutex<Check>,
    /// Number of blocks checked.
    checked: AtomicUsize,
    /// Whether reading has ended early.
    failed: AtomicBool,
    /// Expected number of rows in all, by the first block.
    expected: AtomicUsize,
    columns: Vec<Mutex<Column>>,
}

/// The place of a block in progress.
struct Place {
    slot: Mutex<Slot>,
    /// One more than the number of the block that was read last.
    read: AtomicUsize,
    /// The cells of every column, once they were checked.
    cells: Vec<Mutex<Collector>>,
    /// Number of columns that have not been moved yet: the place is free when there are none.
    left: AtomicUsize,
}

/// The state of checking.
struct Check {
    blocks: usize,
    rows: usize,
    /// The start of the next row.
    next: usize,
    problem: Option<Problem>,
}

/// The cells of a column, and the number of blocks they are from.
struct Column {
    total: Total,
    blocks: usize,
}

impl<'a> Blocks<'a> {
    /// Unread blocks of this size, for this many threads; `collector` returns a fresh collector for a column.
    pub(super) fn new(
        text: &'a Text,
        size: usize,
        threads: usize,
        collector: &'a (dyn Fn(usize) -> Collector + Sync),
    ) -> Self {
        let columns = text.names().len();
        let body = text.body();
        let starts = body.clone().step_by(size);
        let ranges: Vec<Range<usize>> = starts.map(|start| start..(start + size).min(body.end)).collect();
        let under_way = (UNDER_WAY * threads).min(MOST_BYTES / size).max(2 * threads);
        let place = |_| Place {
            slot: Mutex::new(Slot::new(Vec::new())),
            read: AtomicUsize::new(0),
            cells: (0..columns).map(|column| Mutex::new(collector(column))).collect(),
            left: AtomicUsize::new(0),
        };
        let column = |column| Mutex::new(Column { total: collector(column).total(), blocks: 0 });
        Self {
            text,
            collector,
            taken: Mutex::new(0),
            places: (0..under_way.min(ranges.len()).max(1)).map(place).collect(),
            ranges,
            check: Mutex::new(Check { blocks: 0, rows: 0, next: body.start, problem: None }),
            checked: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            expected: AtomicUsize::new(0),
            columns: (0..columns).map(column).collect(),
        }
    }

    /// The work of one thread until there is nothing left to take.
    pub(super) fn work(&self) {
        let _alarm = Alarm(&self.failed);
        let mut room = Workspace::default();
        while let Some(number) = self.take(&mut room) {
            progress::check();
            let place = self.place(number);
            let mut slot = lock(&place.slot);
            let cells = place.cells.iter();
            let emptied = cells.map(|cells| std::mem::replace(&mut *lock(cells), Collector::Nothing));
            slot.collectors = emptied.collect();
            let first = (number == 0).then_some(self.text.body().start);
            slot.read(self.text, &self.ranges[number], first, &mut room);
            drop(slot);
            place.read.store(number + 1, Ordering::Release);
            self.check(&mut room);
            self.move_cells(number);
        }
    }

    /// The totals, when all threads are done.
    pub(super) fn finish(self) -> Result<Vec<Total>, Problem> {
        // What was read last may have been left to a thread that had looked before.
        self.check(&mut Workspace::default());
        self.move_cells(0);
        let check = self.check.into_inner().unwrap_or_else(PoisonError::into_inner);
        let total = |column: Mutex<Column>| column.into_inner().unwrap_or_else(PoisonError::into_inner).total;
        check.problem.map_or_else(|| Ok(self.columns.into_iter().map(total).collect()), Err)
    }

    fn place(&self, number: usize) -> &Place {
        &self.places[number % self.places.len()]
    }

    /// The number of the next block, as soon as there is a place for it.
    fn take(&self, room: &mut Workspace) -> Option<usize> {
        loop {
            let mut taken = lock(&self.taken);
            let number = *taken;
            if number == self.ranges.len() || self.failed.load(Ordering::Relaxed) {
                return None;
            }
            let left = &self.place(number).left;
            if left.load(Ordering::Acquire) == 0 {
                left.store(self.columns.len(), Ordering::Relaxed);
                *taken += 1;
                return Some(number);
            }
            drop(taken);
            self.check(room);
            self.move_cells(number);
            std::thread::yield_now();
        }
    }

    /// Checks blocks that were read, in order, unless another thread is doing so. The start of a block's first
    /// row cannot be seen in the block alone, which may begin inside quotes: it was guessed, and blocks with a
    /// wrong guess are read again.
    fn check(&self, room: &mut Workspace) {
        let Ok(mut check) = self.check.try_lock() else { return };
        while check.problem.is_none() && check.blocks < self.ranges.len() {
            let (number, place) = (check.blocks, self.place(check.blocks));
            if place.read.load(Ordering::Acquire) != number + 1 {
                return;
            }
            let mut slot = lock(&place.slot);
            let block = &self.ranges[number];
            let first = (check.next <= block.end).then_some(check.next);
            if slot.first() != first {
                *slot = Slot::new((0..self.columns.len()).map(self.collector).collect());
                if first.is_some() {
                    slot.read(self.text, block, first, room);
                }
            }
            if first.is_some() {
                match slot.outcome() {
                    Ok((rows, end)) => {
                        check.rows += rows;
                        check.next = end;
                    }
                    Err(failure) => {
                        // First, as it takes a while to find out in which line.
                        self.failed.store(true, Ordering::Relaxed);
                        check.problem = Some(failure.problem(self.text, check.rows));
                        return;
                    }
                }
            }
            for (cells, read) in place.cells.iter().zip(slot.collectors.drain(..)) {
                *lock(cells) = read;
            }
            if number == 0 {
                let body = self.text.body();
                let part = (check.next - body.start) as f64 / body.len() as f64;
                self.expected.store((ROOM * check.rows as f64 / part) as usize, Ordering::Relaxed);
            }
            check.blocks += 1;
            self.checked.store(check.blocks, Ordering::Release);
        }
    }

    /// Moves the cells of checked blocks to the totals, except those of columns that other threads are moving;
    /// the first column depends on `number`, so that threads do not get in each other's way.
    fn move_cells(&self, number: usize) {
        let count = self.columns.len();
        for place in 0..count {
            let at = (number + place) % count;
            let Ok(mut column) = self.columns[at].try_lock() else { continue };
            while column.blocks < self.checked.load(Ordering::Acquire) {
                if column.blocks == 0 {
                    column.total.reserve(self.expected.load(Ordering::Relaxed));
                }
                let place = self.place(column.blocks);
                column.total.append(&mut lock(&place.cells[at]));
                column.blocks += 1;
                place.left.fetch_sub(1, Ordering::Release);
            }
        }
    }
}

/// Ends the work when its thread panics: others would wait for its block forever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// A lock, even if a thread that held it panicked: the panic continues anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_work() {
        let failed = AtomicBool::new(false);
        drop(Alarm(&failed));
        assert!(!failed.load(Ordering::Relaxed));
        let panics = std::panic::catch_unwind(|| {
            let _alarm = Alarm(&failed);
            panic!("on purpose");
        });
        assert!(panics.is_err() && failed.load(Ordering::Relaxed));
    }
}
