//! Tables of other libraries, by the Arrow C stream interface: in and out without copying.

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use indistinct::progress;
use indistinct::table::Table;
use indistinct_io::to_batch;
use indistinct_io::{Failure, open, read_failure};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::buffers;
use crate::failure::raised;
use crate::work::{RunConfig, work};

/// The name of stream capsules by the interface's definition.
const STREAM: &CStr = c"arrow_array_stream";

/// A table that can be read: a stream of arrays that was taken over, or a file.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Source {
    pub(crate) source: Arc<indistinct_io::Source>,
}

#[pymethods]
impl Source {
    /// Takes over the stream in a capsule; `name` is the table's name in messages. A `TypeError` if it is not a
    /// stream of tables, or has columns of types that Arrow's Rust library does not know.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, name: &str, stream: &Bound<'_, PyAny>) -> PyResult<Self> {
        let stream = moved_out(stream.cast::<PyCapsule>()?)?;
        let taken = work(py, RunConfig::default(), move |_| Ok(collected(stream)))?;
        let (schema, batches) = taken.ok_or_else(no_stream)?;
        let source = indistinct_io::Source::from_batches(name, schema, batches);
        let source = source.map_err(|error| raised(&read_failure(error)))?;
        Ok(Self { source: Arc::new(source) })
    }

    /// A table from columns of bytes, as pandas has them without pyarrow.
    #[staticmethod]
    fn from_columns(name: &str, columns: Vec<buffers::Imported>) -> PyResult<Self> {
        let batch = buffers::imported(columns)?;
        let source = indistinct_io::Source::from_batches(name, batch.schema(), vec![batch]);
        let source = source.map_err(|error| raised(&read_failure(error)))?;
        Ok(Self { source: Arc::new(source) })
    }

    /// Opens a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = work(py, RunConfig::default(), move |_| open(&path))?;
        Ok(Self { source: Arc::new(source) })
    }

    /// The names of its columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.source.names().to_vec()
    }
}

/// The stream of a capsule.
pub(crate) fn moved_out(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(STREAM)).map_err(|_| no_stream())?;
    // SAFETY: by the interface's definition a capsule of this name, which was just checked, holds a stream structure that
    // the caller may move out; `from_raw` does so and leaves a released one behind, and the capsule lives until then.
    #[expect(unsafe_code, reason = "a pointer from C")]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
    Ok(stream)
}

/// All arrays of a stream. Errors are not passed on, because texts may quote values; and the importer may panic.
fn collected(stream: FFI_ArrowArrayStream) -> Option<(SchemaRef, Vec<RecordBatch>)> {
    let all = || -> Result<_, ArrowError> {
        let reader = ArrowArrayStreamReader::try_new(stream)?;
        let schema = reader.schema();
        let batches = reader.inspect(|_| progress::check());
        Ok((schema, batches.collect::<Result<Vec<_>, ArrowError>>()?))
    };
    catch_unwind(AssertUnwindSafe(all)).ok()?.ok()
}

pub(crate) fn no_stream() -> PyErr {
    PyTypeError::new_err("this is no stream of tables")
}

/// A table for export, in the types that its schema declares.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct ArrowTable(RecordBatch);

impl ArrowTable {
    /// The table as arrays.
    pub(crate) fn new(table: &Table) -> Result<Self, Failure> {
        let batch = to_batch(table);
        batch.map(Self).map_err(|problem| Failure::failed(&problem).advise(problem.advice()))
    }
}

#[pymethods]
impl ArrowTable {
    /// The table as a capsule of a stream; a request for other types is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Every column as bytes, for pandas without pyarrow.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<buffers::Exported<'py>>> {
        buffers::exported(py, &self.0)
    }
}
