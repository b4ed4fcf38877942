//! Error bars for statistics of a release, and rehearsals of it for functions of Python.

use std::path::PathBuf;
use std::sync::Arc;

use indistinct::interval::{NumberKind, Rehearsal, Replicate, Series, Study};
use indistinct_io::Failure;
use indistinct_io::arguments::interval_options;
use indistinct_io::interval::{
    IntervalOptions, Intervals, KeptRehearsals, OpenedRelease as Opened, intervals, open_release,
};
use indistinct_io::schema::released_schema;
use indistinct_report::page::{IntervalPage, interval_page};
use indistinct_report::text::{interval_document, interval_text};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::failure::raised;
use crate::frame::ArrowTable;
use crate::given::Given;
use crate::synth::Fitted;
use crate::work::{RunConfig, work};

/// The document, the text and the page of intervals.
type Told = (String, String, String);
/// One rehearsal: the tables that were made, and the rows that they were made from.
type RehearsedTables = (Vec<ArrowTable>, ArrowTable);
/// The numbers of one rehearsal: on the tables that were made, and on the rows that they were made from.
type Numbers = (Vec<f64>, Vec<f64>);

/// A release in a folder.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct OpenedRelease(Arc<Opened>);

/// A release that is rehearsed.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Rehearsing {
    rehearsal: Arc<Rehearsal>,
    /// Rows of a table of the release.
    rows: usize,
}

#[pymethods]
impl OpenedRelease {
    /// Opens the folder of a release.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        work(py, RunConfig::default(), move |_| Ok(Self(Arc::new(open_release(&path)?))))
    }

    /// The certificate, as JSON.
    #[getter]
    fn certificate(&self) -> Option<String> {
        self.0.release().certified().and_then(|certificate| serde_json::to_string(certificate).ok())
    }

    /// The text of the released table's schema, and its JSON document.
    #[getter]
    fn schema(&self) -> (String, String) {
        let (text, document) = released_schema(self.0.release());
        (text, document.to_string())
    }

    /// The model that it was made of.
    fn model(&self) -> Fitted {
        Fitted { release: Arc::new(self.0.release().clone()) }
    }

    /// The tables as they were released.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<ArrowTable>> {
        let opened = Arc::clone(&self.0);
        work(py, RunConfig::default(), move |_| opened.tables().iter().map(ArrowTable::new).collect())
    }

    /// Statistics with their bars: the JSON document, the command's text and the page.
    #[pyo3(signature = (statistics, options, rehearsed, progress))]
    fn intervals(
        &self,
        py: Python<'_>,
        statistics: Vec<String>,
        options: &Bound<'_, PyDict>,
        rehearsed: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Told> {
        let (opened, threads, options) =
            (Arc::clone(&self.0), Given(options).count("threads")?, as_typed(options)?);
        work(py, RunConfig { threads, progress, callback: None }, move |monitor| {
            let kept = rehearsed.map(|folder| KeptRehearsals::open(&folder, &opened)).transpose()?;
            told(&intervals(&opened, &statistics, &options, kept.as_ref(), monitor)?, &opened)
        })
    }

    /// Prepares to rehearse the release.
    fn rehearsing(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Rehearsing> {
        let (opened, options) = (Arc::clone(&self.0), as_typed(options)?);
        work(py, RunConfig::default(), move |_| {
            options.check()?;
            let rows = opened.release().rows();
            Ok(Rehearsing { rehearsal: Arc::new(opened.rehearsal(options.seed)?), rows })
        })
    }

    /// The bars of numbers that Python has computed on the release, on the model, and on rehearsals.
    fn intervals_of(
        &self,
        name: String,
        terms: Vec<Option<String>>,
        numbers: Numbers,
        rehearsed: Vec<Numbers>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Told> {
        let options = as_typed(options)?;
        let (released, in_model) = numbers;
        let number = |numbers: &[f64], term: usize| numbers.get(term).copied().unwrap_or(f64::NAN);
        let series = |term: usize| Series {
            estimate: number(&released, term),
            population: number(&in_model, term),
            kind: NumberKind::Other,
            replicates: rehearsed
                .iter()
                .map(|(made, drawn)| Replicate { released: number(made, term), drawn: number(drawn, term) })
                .collect(),
        };
        let series = (0..terms.len()).map(series).collect();
        let mut found = Intervals::of(&[Study { statistic: name, terms, series, range: None }], &options);
        found.notes.extend(self.0.notes());
        told(&found, &self.0).map_err(|failure| raised(&failure))
    }
}

#[pymethods]
impl Rehearsing {
    /// The rows that stand for the population, in tables of as many rows as those of the release.
    fn population(&self, py: Python<'_>) -> PyResult<Vec<ArrowTable>> {
        let (rehearsal, rows) = (Arc::clone(&self.rehearsal), self.rows);
        work(py, RunConfig::default(), move |_| {
            rehearsal.population_in_tables_of(rows).iter().map(ArrowTable::new).collect()
        })
    }

    /// Rehearsals number `first` and the next ones, in parallel; `None` for one that failed.
    fn rehearse(
        &self,
        py: Python<'_>,
        first: u64,
        count: u64,
        threads: Option<usize>,
    ) -> PyResult<Vec<Option<RehearsedTables>>> {
        let rehearsal = Arc::clone(&self.rehearsal);
        work(py, RunConfig { threads, ..RunConfig::default() }, move |_| {
            let one = |number: u64| -> Result<Option<RehearsedTables>, Failure> {
                let Ok(rehearsed) = rehearsal.rehearse(number) else { return Ok(None) };
                let tables = rehearsed.tables.iter().map(ArrowTable::new).collect::<Result<_, _>>()?;
                Ok(Some((tables, ArrowTable::new(&rehearsed.drawn)?)))
            };
            (first..first.saturating_add(count)).into_par_iter().map(one).collect()
        })
    }
}

fn told(found: &Intervals, opened: &Opened) -> Result<Told, Failure> {
    let document = serde_json::to_string(&interval_document(found)).map_err(Failure::failed)?;
    let release = opened.folder().display().to_string();
    let page = interval_page(IntervalPage { found, release: &release }).map_err(Failure::failed)?;
    Ok((document, interval_text(found, false), page))
}

/// Converts keyword arguments to the command's options.
fn as_typed(options: &Bound<'_, PyDict>) -> PyResult<IntervalOptions> {
    interval_options(&Given(options)).map_err(|failure| raised(&failure))
}
