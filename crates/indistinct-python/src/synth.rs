//! Synthesis: a release that can be made, and one that was.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::{Schema, SchemaRef};
use indistinct::privacy::SchemaSource;
use indistinct_io::{ReleaseFolder, to_batch, write_schema};
use indistinct_report::Progress;
use indistinct_tasks::sample::SampleOptions;
use indistinct_tasks::schema::{check_free, save, schema_json, source_of};
use indistinct_tasks::synth::{Prepared, PrivateInput, Released, SynthOptions, format_of};
use indistinct_tasks::verify::release_failure;
use indistinct_tasks::{Failure, schema_failure};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raised;
use crate::frame::{ArrowTable, Source};
use crate::given::Given;
use crate::shape;
use crate::work::{Manner, Monitor, work};

/// A release that can be made. It holds the private rows until it is made.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Preparation {
    /// Taken when it is released.
    prepared: Mutex<Option<Prepared>>,
    like: SchemaRef,
    /// How the budget would be divided, as JSON.
    #[pyo3(get)]
    split: String,
    /// The same, as the command prints it.
    #[pyo3(get)]
    split_text: String,
    /// What somebody should know beforehand.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// What somebody should know who releases.
    #[pyo3(get)]
    warning_of_delta: Option<&'static str>,
}

#[pymethods]
impl Preparation {
    /// Charges the ledger and draws. Can be done once.
    #[pyo3(signature = (ledger, ledger_id, options, progress))]
    fn release(
        &self,
        py: Python<'_>,
        ledger: Option<PathBuf>,
        ledger_id: Option<String>,
        options: &Bound<'_, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Fitted> {
        let threads = Given(options).count("threads")?;
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(prepared) = prepared else {
            return Err(raised(&Failure::failed("this was released already")));
        };
        let released = work(py, Manner { threads, progress }, move |monitor| {
            let ledger = ledger.as_deref().map(|path| (path, ledger_id.as_deref()));
            let charged = prepared.charge(ledger, "fit in Python")?;
            monitor.expect(charged.stages());
            charged.release(&|| monitor.tick_or_stop()).map(|(released, _)| released)
        })?;
        Ok(Fitted { released: Arc::new(released), like: Arc::clone(&self.like) })
    }
}

/// Reads a private table and tries everything that can fail, before anything is charged.
#[pyfunction]
#[pyo3(signature = (source, schema, drafted, options))]
pub(crate) fn prepare(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    schema: Option<String>,
    drafted: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Preparation> {
    let given = Given(options);
    let (threads, seed) = (given.count("threads")?, given.count("seed")?);
    let asked = as_typed(options)?;
    let like = Arc::clone(&source.get().schema);
    let source = Arc::clone(&source.get().source);
    work(py, Manner { threads, progress: None }, move |_| {
        let asked = asked.asked()?;
        let heard = Mutex::new(Vec::from_iter(asked.warning()));
        let warn = |text: &str| heard.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
        let declared = |text: &str| {
            let who = if drafted { SchemaSource::Drafted } else { source_of(text) };
            indistinct_io::parse_schema(text).map(|schema| (schema, who))
        };
        let schema = schema.as_deref().map(declared).transpose().map_err(schema_failure)?;
        let table = PrivateInput { source: &source, schema, seed };
        let prepared = asked.prepare(table, &warn)?;
        let split = prepared.split();
        Ok(Preparation {
            like,
            split: split.as_json().to_string(),
            split_text: split.as_text(),
            warnings: heard.into_inner().unwrap_or_else(PoisonError::into_inner),
            warning_of_delta: prepared.warning_of_delta(),
            prepared: Mutex::new(Some(prepared)),
        })
    })
}

/// Keyword arguments as the command's options.
fn as_typed(options: &Bound<'_, PyDict>) -> PyResult<SynthOptions> {
    let given = Given(options);
    let default = SynthOptions::default();
    Ok(SynthOptions {
        epsilon: given.text("epsilon")?,
        delta: given.text("delta")?.unwrap_or(default.delta),
        model: given.word("model")?.unwrap_or(default.model),
        quality: given.word("quality")?,
        discriminator: given.word("discriminator")?,
        sampler: given.word("sampler")?,
        measure_share: given.real("measure_share")?,
        sensitivity: given.word("sensitivity")?,
        candidates: given.count("candidates")?,
        steps: given.count("steps")?,
        chains: given.count("chains")?,
        prior_sd: given.real("prior_sd")?,
        fresh_tables: given.truth("fresh_tables")?.unwrap_or(default.fresh_tables),
        depth: given.count("depth")?,
        cp: given.real("cp")?,
        minsplit: given.count("minsplit")?,
        minbucket: given.count("minbucket")?,
        person: given.text("person")?,
        rows_per_person: given.count("rows_per_person")?.unwrap_or(default.rows_per_person),
        method: given.word("method")?.unwrap_or(default.method),
        bounds: given.text("bounds")?,
        bins: given.count("bins")?,
        draws: given.count("draws")?.unwrap_or(default.draws),
        tables: given.count("tables")?.unwrap_or(default.tables),
        rows: given.count("rows")?,
        score_epsilon: given.text("score_epsilon")?.unwrap_or(default.score_epsilon),
    })
}

/// A release in memory, or a model that was loaded.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Fitted {
    released: Arc<Released>,
    /// What the columns of the private table were.
    like: SchemaRef,
}

#[pymethods]
impl Fitted {
    /// A released model, with the certificate that lies beside it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let released = work(py, Manner::default(), move |_| Released::load(&path))?;
        Ok(Self { released: Arc::new(released), like: Arc::new(Schema::empty()) })
    }

    /// What `state` gave.
    #[staticmethod]
    fn of_state(release: &str, columns: &[u8]) -> PyResult<Self> {
        let released = Released::parse(release).map_err(|failure| raised(&failure))?;
        Ok(Self { released: Arc::new(released), like: shape::parse(columns)? })
    }

    /// The release, and the columns of the private table, as text and bytes.
    fn state(&self) -> PyResult<(String, Vec<u8>)> {
        let release = self.released.to_text().map_err(|failure| raised(&failure))?;
        Ok((release, shape::bytes(&self.like)?))
    }

    /// The same for tables that look like another.
    fn looking_like(&self, source: &Bound<'_, Source>) -> Self {
        Self { released: Arc::clone(&self.released), like: Arc::clone(&source.get().schema) }
    }

    /// The certificate without files, as JSON; none if the model came without it.
    #[getter]
    fn certificate(&self) -> PyResult<Option<String>> {
        let certificate = self.released.certificate().map(serde_json::to_string).transpose();
        certificate.map_err(|error| raised(&Failure::failed(error)))
    }

    /// The text of the schema of what is released, and its JSON document.
    #[getter]
    fn schema(&self) -> (String, String) {
        let schema = self.released.schema();
        let certificate = self.released.certificate();
        let source = certificate.map_or(SchemaSource::User, |certificate| certificate.facts().schema_source);
        (write_schema(schema), schema_json(schema, source).to_string())
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
            rows: given.count("rows")?.unwrap_or(self.released.rows()),
            draw: given.count("draw")?.unwrap_or(1),
            condition: given.text("where")?,
        };
        let (released, like) = (Arc::clone(&self.released), Arc::clone(&self.like));
        work(py, Manner { threads, progress }, move |monitor| {
            monitor.expect(options.rows as u64);
            let table = released.sample(&options, seed, &|rows| monitor.reach_or_stop(rows as u64))?;
            let batch = to_batch(&table, &like);
            batch.map(ArrowTable).map_err(|problem| Failure::failed(&problem).advise(problem.advice()))
        })
    }

    /// Writes the model file.
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        let released = Arc::clone(&self.released);
        work(py, Manner::default(), move |_| {
            check_free(&path, force)?;
            save(&released.model_json()?, &path)
        })
    }

    /// Writes the folder of the release: its certificate, as JSON.
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
        let format = given.text("format")?.unwrap_or_else(|| "csv".to_owned());
        let released = Arc::clone(&self.released);
        work(py, Manner { threads, progress }, move |monitor| {
            let format = format_of(&format)?;
            let released = released.as_ref().clone();
            let released = match tables {
                None => released,
                Some(tables) => released.with_tables(tables)?,
            };
            let written = |folder: ReleaseFolder| {
                let mut writing = released.write_into(folder, format)?;
                monitor.expect(released.count() * released.rows() as u64);
                for number in 0..released.count() {
                    let before = number * released.rows() as u64;
                    writing.next_table(&|rows| monitor.reach_or_stop(before + rows as u64))?;
                }
                writing.finish()
            };
            let folder = ReleaseFolder::begin(&folder, force).map_err(|error| release_failure(&error))?;
            serde_json::to_string(&written(folder)?).map_err(Failure::failed)
        })
    }
}

impl Monitor {
    /// One more stage is done. Where the work is no longer wanted it is unwound from here: mechanisms know no other way to
    /// stop, and whatever they hold is let go of. The panic hook is not called.
    fn tick_or_stop(&self) {
        self.tick();
        self.stop_if_unwanted();
    }

    /// So many units are done; likewise.
    fn reach_or_stop(&self, units: u64) {
        self.reach(units);
        self.stop_if_unwanted();
    }

    fn stop_if_unwanted(&self) {
        if self.stopped() {
            std::panic::resume_unwind(Box::new("stopped"));
        }
    }
}
