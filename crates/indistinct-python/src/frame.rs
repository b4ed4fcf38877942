//! Tables of other libraries, by the Arrow C stream interface: in and out without copying.

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use indistinct_tasks::{Failure, open, read_failure};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::failure::raised;
use crate::work::{Manner, work};

/// The name that capsules of streams have by the interface's definition.
const STREAM: &CStr = c"arrow_array_stream";

/// A table that can be read: a stream of arrays that was taken over, or a file.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Source {
    pub(crate) source: Arc<indistinct_io::Source>,
    /// What its columns were, if it was a stream.
    pub(crate) schema: SchemaRef,
}

#[pymethods]
impl Source {
    /// Takes over the stream of an object that has `__arrow_c_stream__`; `name` is what messages call the table.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, name: &str, stream: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = stream.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let reader = imported(&capsule)?;
        let taken = py.detach(|| {
            let (schema, batches) = reader.and_then(collected)?;
            let source = indistinct_io::Source::from_batches(name, Arc::clone(&schema), batches);
            Ok(Self { source: Arc::new(source.map_err(read_failure)?), schema })
        });
        taken.map_err(|failure: Failure| raised(&Failure::failed(failure.message())))
    }

    /// Opens a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = work(py, Manner::default(), move |_| open(&path))?;
        Ok(Self { source: Arc::new(source), schema: Arc::new(Schema::empty()) })
    }

    /// The names of its columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.source.names().to_vec()
    }
}

/// A capsule's stream.
fn imported(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<ArrowArrayStreamReader, Failure>> {
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the interface's definition a capsule of this name, which was just checked, holds a stream structure that
    // the caller may move out; `from_raw` does so and leaves a released one behind, and the capsule lives until then.
    #[expect(unsafe_code, reason = "a pointer from C")]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    Ok(ArrowArrayStreamReader::try_new(stream).map_err(|error| unreadable(&error)))
}

/// All arrays of a stream. The importer trusts what it is told and may panic when that is wrong.
fn collected(reader: ArrowArrayStreamReader) -> Result<(SchemaRef, Vec<RecordBatch>), Failure> {
    let schema = reader.schema();
    let collected = catch_unwind(AssertUnwindSafe(|| reader.collect::<Result<Vec<_>, ArrowError>>()));
    match collected {
        Ok(Ok(batches)) => Ok((schema, batches)),
        Ok(Err(error)) => Err(unreadable(&error)),
        Err(_) => Err(no_table()),
    }
}

/// Texts of errors may quote values: only what is known to be harmless is passed on.
fn unreadable(error: &ArrowError) -> Failure {
    match error {
        ArrowError::CDataInterface(_) | ArrowError::NotYetImplemented(_) | ArrowError::SchemaError(_) => {
            Failure::failed("a column has a type that cannot be read")
                .advise("turn the columns into numbers, text, dates or booleans")
        }
        _ => no_table(),
    }
}

fn no_table() -> Failure {
    Failure::failed("its columns cannot be read as a table")
        .advise("give a table of pandas, polars or pyarrow")
}

/// A table on its way out.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct ArrowTable(pub(crate) RecordBatch);

#[pymethods]
impl ArrowTable {
    /// The table as a capsule of a stream; a wish for other types is not followed, as the interface allows.
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
}
