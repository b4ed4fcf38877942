//! Releases and their certificates.

use std::path::PathBuf;

use indistinct_io::ReleaseCheck;
use indistinct_io::verify::{self as release, release_failure, verdict};
use indistinct_report::text::verify::{as_json, as_text};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::failure::raised;
use crate::given::Given;
use crate::work::{RunConfig, work};

/// Checks a release: returns the JSON document, the command's text, and the reason of a failure, if it fails.
#[pyfunction]
#[pyo3(signature = (folder, options))]
pub(crate) fn verify(
    py: Python<'_>,
    folder: PathBuf,
    options: &Bound<'_, PyDict>,
) -> PyResult<(String, String, Option<String>)> {
    let required = Given(options).word("require")?;
    work(py, RunConfig::default(), move |_| {
        let check = ReleaseCheck::of(&folder).map_err(|error| release_failure(&error))?;
        let name = folder.display().to_string();
        let problem = verdict(&check, &name, required).err().map(|failure| failure.message());
        Ok((as_json(&check, &name).to_string(), as_text(&check, &name), problem))
    })
}

/// Repeats the arithmetic of a certificate: returns its problems, as JSON.
#[pyfunction]
pub(crate) fn certificate_problems(certificate: &str) -> PyResult<String> {
    let problems = release::certificate_problems(certificate).map_err(|failure| raised(&failure))?;
    Ok(Value::from(problems).to_string())
}
