//! Parts of a file that fit into memory, read by all threads.

use std::fmt;
use std::sync::Arc;

use indistinct::progress;
use rayon::prelude::*;

use crate::error::ReadError;
use crate::source::{FilePart, Source};

/// Bytes of a value in memory, with what is needed to read it.
const VALUE: usize = 24;
/// Least bytes of text that are read at once.
const LEAST_TEXT: usize = 1 << 20;
/// Most bytes of text that are read at once.
const MOST_TEXT: usize = 1 << 26;
/// Least rows of a columnar file that are read at once.
const LEAST_ROWS: usize = 1 << 12;

/// A listener for passes over rows, called from the thread that reads: with the hundredths of the file that were read in the
/// present pass, and never with a number of rows, which may be private.
#[derive(Clone)]
pub struct PassProgress(Arc<dyn Fn(u64) + Send + Sync>);

impl PassProgress {
    /// A listener that is told hundredths of a pass, from 0 to 100.
    pub fn new(listener: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }
}

impl fmt::Debug for PassProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PassProgress")
    }
}

/// The division of a file into parts: the same for every pass.
#[derive(Debug, Clone)]
pub(crate) struct Division {
    /// Columns of a row that are read.
    columns: usize,
    /// Most bytes of memory for parts that are read at the same time.
    memory: usize,
    /// Bytes of text in a part.
    text: usize,
    progress: Option<PassProgress>,
}

impl Division {
    /// Parts of a table of so many columns that together take about this many bytes of memory.
    pub(crate) fn new(columns: usize, memory: usize, progress: Option<PassProgress>) -> Self {
        // Numbers of few digits take several times as much in memory as in text.
        let text = (memory / (8 * rayon::current_num_threads())).clamp(LEAST_TEXT, MOST_TEXT);
        Self { columns, memory, text, progress }
    }

    /// Bytes of memory for so many rows.
    pub(super) fn bytes_of(&self, rows: usize) -> usize {
        rows.saturating_mul(self.columns).saturating_mul(VALUE)
    }

    /// Most bytes of memory for parts that are read at the same time.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Most rows of a part of a columnar file: two fit at the same time.
    fn most_rows(&self) -> usize {
        (self.memory / (2 * VALUE * self.columns.max(1))).max(LEAST_ROWS)
    }

    /// Runs some work on every part of a file, on several at the same time, and takes the results in order. `take` says
    /// how many rows of the file the part has.
    pub(super) fn for_each<T: Send, E: From<ReadError>>(
        &self,
        source: &Source,
        work: impl Fn(usize, &Source) -> Result<T, ReadError> + Sync,
        mut take: impl FnMut(T) -> Result<usize, E>,
    ) -> Result<(), E> {
        let mut before = 0;
        let mut parts = source.parts(self.text, self.most_rows()).enumerate();
        self.tell(0.0);
        loop {
            progress::check();
            // As many at a time as there are threads, and as fit into memory: at least one.
            let mut batch = Vec::new();
            let (mut bytes, mut read) = (0, 0.0);
            while batch.len() < rayon::current_num_threads() && (batch.is_empty() || bytes < self.memory / 2)
            {
                let Some((place, part)) = parts.next() else { break };
                let FilePart { source, rows, read: so_far } = part?;
                bytes += self.bytes_of(rows);
                read = so_far;
                batch.push((place, source));
            }
            if batch.is_empty() {
                return Ok(());
            }
            let done: Vec<Result<T, ReadError>> =
                batch.par_iter().map(|(place, part)| work(*place, part)).collect();
            for result in done {
                before += take(result.map_err(|error| error.after(before))?)?;
            }
            self.tell(read);
        }
    }

    /// Tells how much of the file was read, from 0 to 1.
    fn tell(&self, read: f64) {
        if let Some(PassProgress(listener)) = &self.progress {
            listener((100.0 * read) as u64);
        }
    }
}
