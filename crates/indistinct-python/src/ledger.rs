//! Ledgers: the JSON document, and the command's text.

use std::path::PathBuf;

use indistinct::Word;
use indistinct::privacy::Neighbours;
use indistinct_io::ledger::{self, InitOptions};
use indistinct_io::{Failure, LedgerFile};
use indistinct_report::text::ledger::{as_json, as_text, plan_text};
use pyo3::prelude::*;

use crate::work::{RunConfig, work};

fn told(ledger: &LedgerFile) -> (String, String) {
    (as_json(ledger).to_string(), as_text(ledger))
}

/// Opens a ledger; returns a warning too where the total protects little.
#[pyfunction]
#[pyo3(signature = (path, epsilon, delta, id, neighbours))]
pub(crate) fn init_ledger(
    py: Python<'_>,
    path: PathBuf,
    epsilon: String,
    delta: String,
    id: Option<String>,
    neighbours: String,
) -> PyResult<(String, String, Option<String>)> {
    work(py, RunConfig::default(), move |_| {
        let neighbours = Neighbours::of_word(&neighbours).ok_or_else(|| {
            Failure::usage("neighbours must be \"substitute\" or \"add-remove\"")
                .advise("leave it away for tables in which one row is another")
        })?;
        let (epsilon, delta) = (ledger::total_epsilon_of(&epsilon)?, ledger::total_delta_of(&delta)?);
        let options = InitOptions { epsilon, delta, id: id.as_deref(), neighbours };
        let opened = ledger::init(&path, &options)?;
        let (document, text) = told(&opened);
        Ok((document, text, ledger::warning(&opened)))
    })
}

/// Reads a ledger and checks its chain.
#[pyfunction]
pub(crate) fn read_ledger(py: Python<'_>, path: PathBuf) -> PyResult<(String, String)> {
    work(py, RunConfig::default(), move |_| ledger::read(&path).map(|ledger| told(&ledger)))
}

/// Divides the rest of a ledger's budget over equal releases.
#[pyfunction]
#[pyo3(signature = (path, releases, delta))]
pub(crate) fn plan_ledger(
    py: Python<'_>,
    path: PathBuf,
    releases: u64,
    delta: Option<String>,
) -> PyResult<(String, String)> {
    work(py, RunConfig::default(), move |_| {
        let delta = delta.as_deref().map(ledger::planned_delta_of).transpose()?;
        let plan = ledger::plan(&path, releases, delta)?;
        Ok((plan.as_json().to_string(), plan_text(&plan, &plan.command())))
    })
}

/// Checks the chain of a ledger, and that a head noted earlier is still in it.
#[pyfunction]
#[pyo3(signature = (path, head))]
pub(crate) fn verify_ledger(
    py: Python<'_>,
    path: PathBuf,
    head: Option<String>,
) -> PyResult<(String, String)> {
    work(py, RunConfig::default(), move |_| {
        ledger::verify(&path, head.as_deref()).map(|ledger| told(&ledger)).map_err(|invalid| invalid.failure)
    })
}
