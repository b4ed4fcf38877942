//! Synthesis: a prepared release, and a finished one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use indistinct::Release;
use indistinct::privacy::SchemaSource;
use indistinct::progress::Progress;
use indistinct::synthesis::CheckedOptions;
use indistinct::table::Schema;
use indistinct_io::arguments::synth_options;
use indistinct_io::sample::{SampleOptions, sample_failure, sample_release};
use indistinct_io::schema::{check_free, released_schema, save, source_of};
use indistinct_io::synth::{
    self, LedgerTerms, Prepared, PrivateInput, RowsElsewhere, admit, load_release, parse_release,
    release_text, released_model_json,
};
use indistinct_io::verify::release_failure;
use indistinct_io::{Failure, ReleaseFolder, format_of, schema_failure};
use indistinct_paper::release::{BoundsArg, MethodArg, MethodOptions};
use indistinct_report::text::Split;
use indistinct_report::write_release;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::{in_keywords, raised};
use crate::frame::{ArrowTable, Source};
use crate::given::Given;
use crate::passes::CountedByPython;
use crate::work::{Callback, RunConfig, work};

/// A prepared release. It holds the private rows until it is made.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Preparation {
    /// The prepared release; taken when it is made.
    prepared: Mutex<Option<Prepared>>,
    /// The function that counts rows, where they are not in memory.
    callback: Option<Callback>,
    /// The division of the budget, as JSON.
    #[pyo3(get)]
    split: String,
    /// The division of the budget, as the command prints it.
    #[pyo3(get)]
    split_text: String,
    /// Warnings before the release.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// A warning about delta, for the release.
    #[pyo3(get)]
    warning_of_delta: Option<&'static str>,
}

#[pymethods]
impl Preparation {
    /// Charges the ledger and draws; returns warnings too. Can be called once.
    #[pyo3(signature = (ledger, options, progress))]
    fn release(
        &self,
        py: Python<'_>,
        ledger: Option<GivenLedger>,
        options: &Bound<'_, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Fitted, Vec<String>)> {
        let threads = Given(options).count("threads")?;
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(prepared) = prepared else {
            return Err(raised(&Failure::failed("this was released already")));
        };
        let callback = self.callback.clone();
        work(py, RunConfig { threads, progress, callback }, move |monitor| {
            let charged = prepared.charge(ledger.as_ref().map(terms).as_ref(), "fit in Python")?;
            monitor.expect(charged.stages());
            let heard = Mutex::new(Vec::new());
            let warn =
                |text: &str| heard.lock().unwrap_or_else(PoisonError::into_inner).push(in_keywords(text));
            let (release, _) = charged.release(&warn, monitor)?;
            let heard = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok((Fitted { release: Arc::new(release) }, heard))
        })
    }
}

/// A ledger from Python: its file, the name that it must have, and whether a conditional guarantee is accepted.
type GivenLedger = (PathBuf, Option<String>, bool);

fn terms((file, id, accept_conditional): &GivenLedger) -> LedgerTerms<'_> {
    LedgerTerms { file, id: id.as_deref(), accept_conditional: *accept_conditional }
}

/// Reads a private table and tries everything that can fail, before anything is charged. A dry run says whether
/// the ledger would take the charge; any other run is refused at once where its options have no guarantee that
/// the ledger can add up.
#[pyfunction]
#[pyo3(signature = (source, schema, drafted, options, ledger, dry_run))]
pub(crate) fn prepare(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    schema: Option<String>,
    drafted: bool,
    options: &Bound<'_, PyDict>,
    ledger: Option<GivenLedger>,
    dry_run: bool,
) -> PyResult<Preparation> {
    let source = Arc::clone(&source.get().source);
    let request = Request { schema, drafted, ledger, dry_run, callback: None };
    prepared(py, request, options, move |checked, (schema, seed), warn| {
        let input = PrivateInput { source: &source, schema, seed, memory: None, progress: None };
        synth::prepare(checked, input, warn)
    })
}

/// Prepares a release from rows that `count` counts: a function that takes queries and returns counts, as bytes.
/// Everything that can fail is tried as [`prepare`] does, with one pass over the rows.
#[pyfunction]
#[pyo3(signature = (count, schema, drafted, options, ledger, dry_run))]
pub(crate) fn prepare_passes(
    py: Python<'_>,
    count: Py<PyAny>,
    schema: String,
    drafted: bool,
    options: &Bound<'_, PyDict>,
    ledger: Option<GivenLedger>,
    dry_run: bool,
) -> PyResult<Preparation> {
    let callback = Callback::new(count);
    let rows = Box::new(CountedByPython(callback.clone()));
    let request = Request { schema: Some(schema), drafted, ledger, dry_run, callback: Some(callback) };
    prepared(py, request, options, move |checked, (schema, seed), warn| {
        let schema = schema.ok_or_else(|| Failure::failed("rows that are not in memory need a schema"))?;
        synth::prepare_from(checked, RowsElsewhere { source: rows, schema, seed }, warn)
    })
}

/// A release that is asked for, without its options.
struct Request {
    schema: Option<String>,
    drafted: bool,
    ledger: Option<GivenLedger>,
    dry_run: bool,
    callback: Option<Callback>,
}

/// A schema, where one is given, with who says so; and a seed.
type Declared = (Option<(Schema, SchemaSource)>, Option<u64>);

/// Checks options and whether the ledger admits them, and prepares a release.
fn prepared(
    py: Python<'_>,
    request: Request,
    options: &Bound<'_, PyDict>,
    prepare: impl FnOnce(CheckedOptions, Declared, &dyn Fn(&str)) -> Result<Prepared, Failure> + Send + 'static,
) -> PyResult<Preparation> {
    let Request { schema, drafted, ledger, dry_run, callback } = request;
    let given = Given(options);
    let (threads, seed) = (given.count("threads")?, given.count("seed")?);
    let options = options_of(options)?;
    let config = RunConfig { threads, progress: None, callback: callback.clone() };
    work(py, config, move |_| {
        let checked = options.check()?;
        let heard = Mutex::new(Vec::from_iter(checked.warning().as_deref().map(in_keywords)));
        let warn = |text: &str| heard.lock().unwrap_or_else(PoisonError::into_inner).push(in_keywords(text));
        let declared = |text: &str| {
            let who = if drafted { SchemaSource::Drafted } else { source_of(text) };
            indistinct_io::parse_schema(text).map(|schema| (schema, who))
        };
        let schema = schema.as_deref().map(declared).transpose().map_err(schema_failure)?;
        let ledger = ledger.as_ref().map(terms);
        if !dry_run {
            admit(&checked, ledger.as_ref(), seed, schema.as_ref().map(|(_, who)| *who))?;
        }
        let prepared = prepare(checked, (schema, seed), &warn)?;
        let fit = ledger.filter(|_| dry_run).map(|terms| prepared.fit(&terms));
        let split = Split::of(prepared.planned()).with_ledger(fit);
        Ok(Preparation {
            split: split.as_json().to_string(),
            split_text: split.as_text(),
            warnings: heard.into_inner().unwrap_or_else(PoisonError::into_inner),
            warning_of_delta: prepared.warning_of_delta(),
            prepared: Mutex::new(Some(prepared)),
            callback,
        })
    })
}

/// Options from keyword arguments.
fn options_of(options: &Bound<'_, PyDict>) -> PyResult<MethodOptions> {
    let given = Given(options);
    Ok(MethodOptions {
        method: given.word("method")?.unwrap_or(MethodArg::Pmse),
        bounds: given.parsed("bounds", BoundsArg::parse)?,
        bins: given.count("bins")?,
        synth: synth_options(&given).map_err(|failure| raised(&failure))?,
    })
}

/// A release in memory, or a loaded model. It contains nothing else of the private table.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Fitted {
    pub(crate) release: Arc<Release>,
}

#[pymethods]
impl Fitted {
    /// Loads a released model, with the certificate beside it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let release = work(py, RunConfig::default(), move |_| load_release(&path))?;
        Ok(Self { release: Arc::new(release) })
    }

    /// The release that `state` returned as text.
    #[staticmethod]
    fn of_state(release: &str) -> PyResult<Self> {
        let release = parse_release(release).map_err(|failure| raised(&failure))?;
        Ok(Self { release: Arc::new(release) })
    }

    /// The release as text.
    fn state(&self) -> PyResult<String> {
        release_text(&self.release).map_err(|failure| raised(&failure))
    }

    /// The certificate without files, as JSON; `None` if the model came without it.
    #[getter]
    fn certificate(&self) -> PyResult<Option<String>> {
        let certificate = self.release.certified().map(serde_json::to_string).transpose();
        certificate.map_err(|error| raised(&Failure::failed(error)))
    }

    /// The text of the released table's schema, and its JSON document.
    #[getter]
    fn schema(&self) -> (String, String) {
        let (text, document) = released_schema(&self.release);
        (text, document.to_string())
    }

    /// Makes rows.
    #[pyo3(signature = (options, progress))]
    fn sample(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ArrowTable> {
        let given = Given(options);
        let (threads, seed) = (given.count("threads")?, given.count("seed")?);
        let options = SampleOptions {
            rows: given.count("rows")?.unwrap_or(self.release.rows()),
            draw: given.count("draw")?.unwrap_or(1),
            condition: given.text("where")?,
        };
        let release = Arc::clone(&self.release);
        work(py, RunConfig { threads, progress, callback: None }, move |monitor| {
            monitor.expect(options.rows as u64);
            ArrowTable::new(&sample_release(&release, &options, seed, monitor)?)
        })
    }

    /// Writes the model file.
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        let release = Arc::clone(&self.release);
        work(py, RunConfig::default(), move |_| {
            check_free(&path, force)?;
            save(&released_model_json(&release)?, &path)
        })
    }

    /// Writes the folder of the release: returns its certificate, as JSON.
    #[pyo3(signature = (folder, options, force, progress))]
    fn save_release(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        options: &Bound<'_, PyDict>,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let given = Given(options);
        let (threads, tables) = (given.count("threads")?, given.count("tables")?);
        let rehearsals = given.count("rehearsals")?;
        let format = given.text("format")?.unwrap_or_else(|| "csv".to_owned());
        let release = Arc::clone(&self.release);
        work(py, RunConfig { threads, progress, callback: None }, move |monitor| {
            let format = format_of(&format)?;
            let release = release.as_ref().clone();
            let release = match tables {
                None => release,
                Some(tables) => release.with_tables(tables).map_err(|error| sample_failure(&error))?,
            };
            let folder = ReleaseFolder::begin(&folder, force).map_err(|error| release_failure(&error))?;
            let written = write_release(&release, folder, format, rehearsals, monitor)?;
            serde_json::to_string(&written).map_err(Failure::failed)
        })
    }
}
