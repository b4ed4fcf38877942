//! Regressions over synthetic tables.

use std::path::PathBuf;
use std::sync::Arc;

use indistinct::combine::CombineOptions;
use indistinct_io::Failure;
use indistinct_io::arguments::{combine_options, rehearsed_options};
use indistinct_io::combine::{Combination, of_files, of_rehearsals, of_sources};
use indistinct_report::text::{combination_document, combination_text};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raised;
use crate::frame::Source;
use crate::given::Given;
use crate::schema::declared;
use crate::work::{RunConfig, work};

/// Combines a release folder or table files: returns the JSON document, and the command's text.
#[pyfunction]
#[pyo3(signature = (paths, formula, schema, options))]
pub(crate) fn combine_files(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    formula: String,
    schema: Option<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(String, String)> {
    let rehearsed = rehearsed_options(&Given(options)).map_err(|failure| raised(&failure))?;
    let options = as_typed(options)?;
    work(py, RunConfig::default(), move |monitor| {
        if let Some(rehearsed) = rehearsed {
            return told(&of_rehearsals(&paths, &formula, &options, rehearsed, monitor)?);
        }
        told(&of_files(&paths, &formula, declared(schema.as_deref())?, &options)?)
    })
}

/// Combines tables, given with their names.
#[pyfunction]
#[pyo3(signature = (sources, formula, schema, options))]
pub(crate) fn combine_sources(
    py: Python<'_>,
    sources: Vec<(String, Bound<'_, Source>)>,
    formula: String,
    schema: Option<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(String, String)> {
    let options = as_typed(options)?;
    let sources: Vec<_> =
        sources.into_iter().map(|(name, source)| (name, Arc::clone(&source.get().source))).collect();
    work(py, RunConfig::default(), move |_| {
        told(&of_sources(sources, &formula, declared(schema.as_deref())?.as_ref(), &options)?)
    })
}

fn told(found: &Combination) -> Result<(String, String), Failure> {
    let document = serde_json::to_string(&combination_document(found)).map_err(Failure::failed)?;
    Ok((document, combination_text(found, false)))
}

/// Converts keyword arguments to the command's options.
fn as_typed(options: &Bound<'_, PyDict>) -> PyResult<CombineOptions> {
    combine_options(&Given(options)).map_err(|failure| raised(&failure))
}
