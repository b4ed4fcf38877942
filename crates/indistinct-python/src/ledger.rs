//! Ledgers: the JSON document, and what the command prints.

use std::path::PathBuf;

use indistinct_io::LedgerFile;
use indistinct_tasks::ledger;
use pyo3::prelude::*;

use crate::work::{Manner, work};

fn told(ledger: &LedgerFile) -> (String, String) {
    (ledger::as_json(ledger).to_string(), ledger::as_text(ledger))
}

/// Opens a ledger; a warning comes along where the total protects little.
#[pyfunction]
#[pyo3(signature = (path, epsilon, delta, id))]
pub(crate) fn init_ledger(
    py: Python<'_>,
    path: PathBuf,
    epsilon: String,
    delta: String,
    id: Option<String>,
) -> PyResult<(String, String, Option<String>)> {
    work(py, Manner::default(), move |_| {
        let opened = ledger::init(&path, &epsilon, &delta, id.as_deref())?;
        let (document, text) = told(&opened);
        Ok((document, text, ledger::warning(&opened)))
    })
}

/// Reads a ledger and checks its chain.
#[pyfunction]
pub(crate) fn read_ledger(py: Python<'_>, path: PathBuf) -> PyResult<(String, String)> {
    work(py, Manner::default(), move |_| ledger::read(&path).map(|ledger| told(&ledger)))
}

/// Checks the chain of a ledger, and that a head noted earlier is still in it.
#[pyfunction]
#[pyo3(signature = (path, head))]
pub(crate) fn verify_ledger(
    py: Python<'_>,
    path: PathBuf,
    head: Option<String>,
) -> PyResult<(String, String)> {
    work(py, Manner::default(), move |_| {
        ledger::verify(&path, head.as_deref()).map(|ledger| told(&ledger)).map_err(|invalid| invalid.failure)
    })
}
