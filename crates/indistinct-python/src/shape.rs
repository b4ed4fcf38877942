//! Names and types of columns as bytes, in Arrow's own format.

use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use pyo3::PyResult;

use crate::failure::raised;
use indistinct_tasks::Failure;

/// The bytes; what else a table said about itself is left out.
pub(crate) fn bytes(schema: &SchemaRef) -> PyResult<Vec<u8>> {
    let written = || -> Result<Vec<u8>, ArrowError> {
        let mut bytes = Vec::new();
        StreamWriter::try_new(&mut bytes, &Schema::new(schema.fields().clone()))?.finish()?;
        Ok(bytes)
    };
    written().map_err(|error| raised(&Failure::failed(error)))
}

/// Back from bytes.
pub(crate) fn parse(bytes: &[u8]) -> PyResult<SchemaRef> {
    match StreamReader::try_new(bytes, None) {
        Ok(reader) => Ok(reader.schema()),
        Err(_) => Err(raised(&Failure::failed("the types of the columns cannot be read"))),
    }
}
