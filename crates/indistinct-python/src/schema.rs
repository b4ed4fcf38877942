//! Schemas, as text and as documents.

use std::path::PathBuf;
use std::sync::Arc;

use indistinct::table::Schema;
use indistinct_io::schema::{check_free, draft_json, save, schema_json, source_of};
use indistinct_io::{Failure, read_failure, schema_failure};
use pyo3::prelude::*;

use crate::failure::raised;
use crate::frame::{ArrowTable, Source};
use crate::work::{RunConfig, work};

/// The schema that a text declares, if there is one.
pub(crate) fn declared(text: Option<&str>) -> Result<Option<Schema>, Failure> {
    text.map(indistinct_io::parse_schema).transpose().map_err(schema_failure)
}

/// Drafts a schema: returns the text of its file, its JSON document and warnings.
#[pyfunction]
pub(crate) fn draft_schema(
    py: Python<'_>,
    source: &Bound<'_, Source>,
) -> PyResult<(String, String, Vec<String>)> {
    let source = Arc::clone(&source.get().source);
    work(py, RunConfig::default(), move |_| {
        let draft = indistinct_io::draft_schema(&source).map_err(read_failure)?;
        Ok((draft.to_toml(), draft_json(&draft).to_string(), draft.warnings()))
    })
}

/// Checks the text of a schema: returns its JSON document.
#[pyfunction]
pub(crate) fn parse_schema(text: &str) -> PyResult<String> {
    let schema = indistinct_io::parse_schema(text).map_err(|error| raised(&schema_failure(error)))?;
    Ok(schema_json(&schema, source_of(text)).to_string())
}

/// Reads a schema file: returns its text and its JSON document.
#[pyfunction]
pub(crate) fn read_schema(py: Python<'_>, path: PathBuf) -> PyResult<(String, String)> {
    work(py, RunConfig::default(), move |_| {
        let (text, schema) = indistinct_io::read_schema_text(&path).map_err(schema_failure)?;
        let document = schema_json(&schema, source_of(&text)).to_string();
        Ok((text, document))
    })
}

/// Writes the text of a schema to a file.
#[pyfunction]
pub(crate) fn save_schema(py: Python<'_>, text: String, path: PathBuf, force: bool) -> PyResult<()> {
    work(py, RunConfig::default(), move |_| {
        check_free(&path, force)?;
        save(&text, &path)
    })
}

/// A table read as a schema declares it.
#[pyfunction]
pub(crate) fn read_table(py: Python<'_>, source: &Bound<'_, Source>, schema: String) -> PyResult<ArrowTable> {
    let source = Arc::clone(&source.get().source);
    work(py, RunConfig::default(), move |_| {
        let schema = indistinct_io::parse_schema(&schema).map_err(schema_failure)?;
        ArrowTable::new(&source.read(&schema).map_err(read_failure)?)
    })
}
