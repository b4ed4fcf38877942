//! Streams of Arrow batches: errors of theirs are not passed on, because texts may quote values.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use indistinct::progress;
use indistinct_io::{Failure, Source, read_failure};
use pyo3::prelude::*;

use crate::frame::moved_out;
use crate::passes::failed;
use crate::work::{RunConfig, work};

/// Rows and bytes from which on batches are counted: every query makes room for its counts once for so many.
const MOST_ROWS: usize = 1 << 18;
const MOST_BYTES: usize = 64 << 20;

/// Rows of streams that wait until there are enough of them.
#[derive(Default)]
pub(crate) struct WaitingRows {
    columns: Option<SchemaRef>,
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

/// The use of rows of which there are enough.
type Use<'a> = &'a mut dyn FnMut(Source) -> Result<(), Failure>;

impl WaitingRows {
    /// Reads a stream to its end, and passes its rows on, but for the last ones.
    pub(crate) fn add(&mut self, stream: FFI_ArrowArrayStream, take: Use<'_>) -> Result<(), Failure> {
        let mut batches = batches_of(stream)?;
        let columns = batches.schema();
        if self.columns.as_ref().is_some_and(|known| known.fields() != columns.fields()) {
            self.pass_on(take)?;
        }
        self.columns = Some(columns);
        while let Some(batch) = next_rows(&mut batches)? {
            self.rows += batch.num_rows();
            self.bytes += batch.get_array_memory_size();
            self.batches.push(batch);
            if self.rows >= MOST_ROWS || self.bytes >= MOST_BYTES {
                self.pass_on(take)?;
            }
        }
        Ok(())
    }

    /// Passes the rows on that wait.
    pub(crate) fn pass_on(&mut self, take: Use<'_>) -> Result<(), Failure> {
        let (Some(columns), false) = (&self.columns, self.batches.is_empty()) else { return Ok(()) };
        let batches = std::mem::take(&mut self.batches);
        (self.rows, self.bytes) = (0, 0);
        take(Source::from_batches("table", SchemaRef::clone(columns), batches).map_err(read_failure)?)
    }
}

/// A stream, opened; the importer may panic.
fn batches_of(stream: FFI_ArrowArrayStream) -> Result<ArrowArrayStreamReader, Failure> {
    let opened = catch_unwind(AssertUnwindSafe(|| ArrowArrayStreamReader::try_new(stream)));
    opened.ok().and_then(Result::ok).ok_or_else(broken_stream)
}

/// The next batch of a stream that has rows; `None` after the last.
fn next_rows(batches: &mut ArrowArrayStreamReader) -> Result<Option<RecordBatch>, Failure> {
    loop {
        progress::check();
        let next = catch_unwind(AssertUnwindSafe(|| batches.next())).map_err(|_| broken_stream())?;
        let batch = next.transpose().map_err(|_| broken_stream())?;
        if batch.as_ref().is_none_or(|batch| batch.num_rows() > 0) {
            return Ok(batch);
        }
    }
}

/// All rows of a stream that is known to be short.
pub(crate) fn all_rows(stream: FFI_ArrowArrayStream) -> Result<Source, Failure> {
    let mut reader = batches_of(stream)?;
    let mut batches = Vec::new();
    while let Some(batch) = next_rows(&mut reader)? {
        batches.push(batch);
    }
    Source::from_batches("table", reader.schema(), batches).map_err(read_failure)
}

/// Whether any rows come of a stream.
#[pyfunction]
pub(crate) fn has_rows(py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<bool> {
    let stream = moved_out(stream.cast()?)?;
    let first = work(py, RunConfig::default(), move |_| {
        Ok(batches_of(stream).and_then(|mut batches| next_rows(&mut batches)))
    })?;
    first.map(|batch| batch.is_some()).map_err(|failure| failed(&failure))
}

fn broken_stream() -> Failure {
    Failure::failed("a pass over the rows failed: their stream broke off")
        .advise("read the rows once by yourself, where you may see what is wrong; nothing was released")
}
