//! Evaluations.

use std::path::PathBuf;
use std::sync::Arc;

use indistinct::evaluate::{EvaluateOptions, EvaluateParams, Evaluation, Tables};
use indistinct_io::Failure;
use indistinct_io::arguments::evaluate_options;
use indistinct_io::evaluate::{judged, read, run};
use indistinct_report::text::evaluation_text;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raised;
use crate::frame::Source;
use crate::given::Given;
use crate::schema::declared;
use crate::work::{RunConfig, work};

/// An evaluation, with the tables from which its page is drawn.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Evaluated {
    /// The JSON document.
    #[pyo3(get)]
    document: String,
    /// The command's text.
    #[pyo3(get)]
    text: String,
    kept: Arc<Kept>,
}

struct Kept {
    tables: Tables,
    params: EvaluateParams,
    evaluation: Evaluation,
}

#[pymethods]
impl Evaluated {
    /// Writes the page; returns its path.
    fn write_page(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<PathBuf> {
        let kept = Arc::clone(&self.kept);
        work(py, RunConfig::default(), move |_| {
            let path = indistinct_report::page_path(&path, force)?;
            indistinct_report::write_page(&path, &kept.tables, &kept.evaluation, &kept.params)?;
            Ok(path)
        })
    }
}

/// Evaluates synthetic tables, given with their names.
#[pyfunction]
#[pyo3(signature = (real, synthetic, schema, options, progress))]
pub(crate) fn evaluate(
    py: Python<'_>,
    real: &Bound<'_, Source>,
    synthetic: Vec<(String, Bound<'_, Source>)>,
    schema: Option<String>,
    options: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Evaluated> {
    let threads = Given(options).count("threads")?;
    let typed = options_of(options)?;
    let judge = typed.discriminator;
    let params = typed.plan(Given(options).count("seed")?).map_err(|error| raised(&error.into()))?;
    let real = Arc::clone(&real.get().source);
    let synthetic: Vec<_> =
        synthetic.into_iter().map(|(name, table)| (name, Arc::clone(&table.get().source))).collect();
    work(py, RunConfig { threads, progress, callback: None }, move |monitor| {
        let schema = declared(schema.as_deref())?;
        let tables = read(&real, synthetic, schema.as_ref())?;
        let evaluation = run(&tables, &params, monitor)?;
        let document = serde_json::to_string(&evaluation).map_err(Failure::failed)?;
        let text = evaluation_text(&evaluation, judge);
        Ok(Evaluated { document, text, kept: Arc::new(Kept { tables, params, evaluation }) })
    })
}

/// pMSE and pMAE of one synthetic table.
#[pyfunction]
#[pyo3(signature = (real, synthetic, schema, options))]
pub(crate) fn judge(
    py: Python<'_>,
    real: &Bound<'_, Source>,
    synthetic: &Bound<'_, Source>,
    schema: Option<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(f64, f64)> {
    let threads = Given(options).count("threads")?;
    let params = options_of(options)?.plan(None).map_err(|error| raised(&error.into()))?;
    let real = Arc::clone(&real.get().source);
    let synthetic = vec![("synthetic".to_owned(), Arc::clone(&synthetic.get().source))];
    work(py, RunConfig { threads, ..RunConfig::default() }, move |_| {
        let schema = declared(schema.as_deref())?;
        let tables = read(&real, synthetic, schema.as_ref())?;
        let found = judged(&tables.real, &tables.synthetic[0].1, &params.discriminator)?;
        Ok((found.pmse, found.pmae))
    })
}

/// Options from keyword arguments.
fn options_of(options: &Bound<'_, PyDict>) -> PyResult<EvaluateOptions> {
    evaluate_options(&Given(options)).map_err(|failure| raised(&failure))
}
