//! Private rows that are counted where they are: queries go there as bytes, counts come back as bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{RecordBatch, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use indistinct::privacy::SourceError;
use indistinct::private::{CountQuery, PersonKey, PrivateCounts, PrivateSource, PrivateTable};
use indistinct::progress;
use indistinct::table::Schema;
use indistinct_io::{Failure, Invalid, Problem, ReadError, Source, owned_rows, read_failure, schema_failure};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::raised;
use crate::frame::{moved_out, no_stream};
use crate::given::Given;
use crate::work::{Callback, RunConfig, work};

pyo3::create_exception!(
    indistinct,
    PassFailed,
    PyValueError,
    "A pass over private rows that failed, with a text of our own and what to do about it: nothing of the rows is in either."
);

/// Rows and bytes from which on batches are counted: every query makes room for its counts once for so many.
const MOST_ROWS: usize = 1 << 18;
const MOST_BYTES: usize = 64 << 20;

/// Rows that a function of Python counts.
pub(crate) struct CountedByPython(pub(crate) Callback);

impl PrivateSource for CountedByPython {
    fn count(&self, queries: &[CountQuery]) -> Result<PrivateCounts, SourceError> {
        let counted = self.0.call(CountQuery::encode(queries)).map_err(|error| match error {
            Some(error) => Python::attach(|py| source_error(py, &error)),
            None => SourceError::new("the pass over the rows was stopped", "start again"),
        })?;
        PrivateCounts::decode(&counted)
    }
}

/// An exception without what it says, which may quote rows, unless it is one of ours.
fn source_error(py: Python<'_>, error: &PyErr) -> SourceError {
    if error.is_instance_of::<PassFailed>(py)
        && let Ok((problem, remedy)) =
            error.value(py).getattr("args").and_then(|texts| texts.extract::<(String, String)>())
    {
        return SourceError::new(problem, remedy);
    }
    let class = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    SourceError::new(
        format!(
            "a pass over the rows failed with {class}, whose text is not shown because it may quote rows"
        ),
        "read the rows once by yourself, where you may see them, and look into the logs of the cluster if there is one; \
         nothing was released",
    )
}

/// A failure as one that a pass hands on.
fn failed(failure: &Failure) -> PyErr {
    let message = failure.message();
    let (problem, remedy) = message.split_once("\n help: ").unwrap_or((&message, "report this"));
    PassFailed::new_err((problem.to_owned(), remedy.to_owned()))
}

fn source_failure(error: SourceError) -> Failure {
    Failure::failed(error.problem).advise(error.remedy)
}

/// Checks that columns are those that a schema declares, and of types that can be read, by a table of no rows.
#[pyfunction]
pub(crate) fn check_columns(
    py: Python<'_>,
    name: String,
    schema: String,
    without: Option<String>,
    stream: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let stream = moved_out(stream.cast()?)?;
    let source = work(py, RunConfig::default(), move |_| Ok(columns_of(&name, stream)))?;
    let source = source.ok_or_else(no_stream)?;
    work(py, RunConfig::default(), move |_| {
        let schema = parsed(&schema, without.as_deref())?;
        let source = source.map_err(read_failure)?;
        let read = source.read_measured(&schema, Invalid::Missing);
        read.map(drop).map_err(|error| columns_failure(error, &source))
    })
}

/// The columns of a stream without its rows.
fn columns_of(name: &str, stream: FFI_ArrowArrayStream) -> Option<Result<Source, ReadError>> {
    let described = || ArrowArrayStreamReader::try_new(stream).map(|reader| reader.schema());
    let columns = catch_unwind(AssertUnwindSafe(described)).ok()?.ok()?;
    Some(Source::from_batches(name, columns, Vec::new()))
}

/// The schema that a text declares, without the column of persons.
fn parsed(text: &str, without: Option<&str>) -> Result<Schema, Failure> {
    let schema = indistinct_io::parse_schema(text).map_err(schema_failure)?;
    match without.filter(|column| schema.columns().iter().any(|declared| declared.name() == *column)) {
        None => Ok(schema),
        Some(column) => schema.without_identifier(column).map_err(Failure::failed),
    }
}

/// The names of the columns that queries are about, in the order of the schema. Where nothing is asked but how many rows there
/// are, those of all measured columns: every cell is checked then. Without queries, too.
#[pyfunction]
#[pyo3(signature = (schema, queries=None))]
pub(crate) fn asked_columns(schema: &str, queries: Option<&[u8]>) -> PyResult<Vec<String>> {
    let measured = parsed(schema, None).and_then(|schema| schema.measured().map_err(Failure::failed));
    let measured = measured.map_err(|failure| raised(&failure))?;
    let all = measured.columns();
    let queries = queries.map_or(Ok(Vec::new()), |queries| CountQuery::decode(queries, all.len()));
    let asked = CountQuery::columns(&queries.map_err(|error| failed(&source_failure(error)))?);
    let is_asked = |place: &usize| asked.is_empty() || asked.binary_search(place).is_ok();
    Ok((0..all.len()).filter(is_asked).map(|place| all[place].name().to_owned()).collect())
}

/// The counts of the rows that it is given, part by part. Rows are read as the schema says, counted and forgotten.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct Counter {
    state: Arc<Mutex<Counting>>,
    threads: Option<usize>,
}

struct Counting {
    schema: Schema,
    invalid: Invalid,
    /// The places of the measured columns that are counted; none if all are read, to check them.
    asked: Vec<usize>,
    /// Queries for these columns.
    queries: Vec<CountQuery>,
    counts: PrivateCounts,
    columns: Option<SchemaRef>,
    /// Rows that are not counted yet.
    waiting: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

#[pymethods]
impl Counter {
    /// Counts nothing yet. Queries are those of this version.
    #[new]
    fn new(schema: &str, queries: &[u8], options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = Given(options);
        let invalid = given.word("invalid")?.unwrap_or_default();
        let threads = given.count("threads")?;
        let counting = Counting::new(schema, queries, invalid).map_err(|failure| failed(&failure))?;
        Ok(Self { state: Arc::new(Mutex::new(counting)), threads })
    }

    /// Counts the rows of a stream. Of the stream there is never more in memory than it hands over at once, and what is
    /// counted together.
    fn add(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        let stream = moved_out(stream.cast()?)?;
        let state = Arc::clone(&self.state);
        let config = RunConfig { threads: self.threads, ..RunConfig::default() };
        work(py, config, move |_| Ok(state.lock().unwrap_or_else(PoisonError::into_inner).add(stream)))?
            .map_err(|failure| failed(&failure))
    }

    /// The counts of all rows so far, as bytes.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = Arc::clone(&self.state);
        let config = RunConfig { threads: self.threads, ..RunConfig::default() };
        let counts = work(py, config, move |_| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(state.count_waiting().map(|()| state.counts.encode()))
        })?;
        counts.map(|bytes| PyBytes::new(py, &bytes)).map_err(|failure| failed(&failure))
    }
}

impl Counting {
    fn new(schema: &str, queries: &[u8], invalid: Invalid) -> Result<Self, Failure> {
        let schema = parsed(schema, None)?;
        let columns = schema.measured().map_err(Failure::failed)?.columns().len();
        let queries = CountQuery::decode(queries, columns).map_err(source_failure)?;
        let asked = CountQuery::columns(&queries);
        let queries = CountQuery::for_columns(&queries, &asked);
        let counts = PrivateCounts::none(&queries);
        let waiting = Vec::new();
        Ok(Self { schema, invalid, asked, queries, counts, columns: None, waiting, rows: 0, bytes: 0 })
    }

    fn add(&mut self, stream: FFI_ArrowArrayStream) -> Result<(), Failure> {
        // Errors of streams are not passed on, because texts may quote values; and the importer may panic.
        let opened = catch_unwind(AssertUnwindSafe(|| ArrowArrayStreamReader::try_new(stream)));
        let mut batches = opened.ok().and_then(Result::ok).ok_or_else(broken_stream)?;
        let columns = batches.schema();
        if self.columns.as_ref().is_some_and(|known| known.fields() != columns.fields()) {
            self.count_waiting()?;
        }
        self.columns = Some(columns);
        loop {
            progress::check();
            let next = catch_unwind(AssertUnwindSafe(|| batches.next())).map_err(|_| broken_stream())?;
            let Some(batch) = next.transpose().map_err(|_| broken_stream())? else { return Ok(()) };
            if batch.num_rows() == 0 {
                continue;
            }
            self.rows += batch.num_rows();
            self.bytes += batch.get_array_memory_size();
            self.waiting.push(batch);
            if self.rows >= MOST_ROWS || self.bytes >= MOST_BYTES {
                self.count_waiting()?;
            }
        }
    }

    /// Counts the rows that wait.
    fn count_waiting(&mut self) -> Result<(), Failure> {
        let (Some(columns), false) = (&self.columns, self.waiting.is_empty()) else { return Ok(()) };
        let batches = std::mem::take(&mut self.waiting);
        (self.rows, self.bytes) = (0, 0);
        let source =
            Source::from_batches("table", SchemaRef::clone(columns), batches).map_err(read_failure)?;
        let read = source.read_asked(&self.schema, self.invalid, &self.asked);
        let table =
            read.map_err(|error| cell_failure(&error).unwrap_or_else(|| columns_failure(error, &source)))?;
        let counts = PrivateTable::new(table).count(&self.queries);
        self.counts.add(&counts).map_err(source_failure)
    }
}

fn broken_stream() -> Failure {
    Failure::failed("a pass over the rows failed: their stream broke off")
        .advise("read the rows once by yourself, where you may see what is wrong; nothing was released")
}

/// A table that cannot be read as the schema says. A type that cannot be read is that of a column that is declared, so that
/// its name may be told.
fn columns_failure(error: ReadError, source: &Source) -> Failure {
    let Problem::UnsupportedType { column, kind } = error.problem() else { return read_failure(error) };
    let Some(name) = source.names().get(column - 1) else { return read_failure(error) };
    Failure::failed(format!("{}: column `{name}` is of type {kind}, which cannot be read", error.file()))
        .advise(error.advice())
}

/// A cell that the schema does not allow. Rows have no numbers where they come in parts.
fn cell_failure(error: &ReadError) -> Option<Failure> {
    let Problem::Value { column, fault, .. } = error.problem() else { return None };
    let what = format!("{}: {column} has a cell that the schema does not allow: {fault}", error.file());
    Some(Failure::failed(what).advise(error.advice() + ", or say --invalid missing"))
}

/// The key by which rows of persons are chosen: from the system's entropy, or the seed's own.
#[pyfunction]
#[pyo3(signature = (seed))]
pub(crate) fn person_key(py: Python<'_>, seed: Option<u64>) -> PyResult<Bound<'_, PyBytes>> {
    let key = indistinct_io::synth::person_key(seed).map_err(|failure| raised(&failure))?;
    Ok(PyBytes::new(py, &key.to_bytes()))
}

/// Rows with the hashes of their persons and contents, in hexadecimal digits.
type HashedRows = (Vec<u64>, Vec<String>, Vec<String>);

/// The rows of a stream that are somebody's, by their places in it, with the hashes by which rows of persons are chosen.
#[pyfunction]
pub(crate) fn hash_rows(
    py: Python<'_>,
    schema: &str,
    person: &str,
    options: &Bound<'_, PyDict>,
    key: [u8; 32],
    stream: &Bound<'_, PyAny>,
) -> PyResult<HashedRows> {
    let invalid = Given(options).word("invalid")?.unwrap_or_default();
    let schema = parsed(schema, Some(person)).map_err(|failure| failed(&failure))?;
    let (person, stream) = (person.to_owned(), moved_out(stream.cast()?)?);
    let config = RunConfig { threads: Some(1), ..RunConfig::default() };
    let hashed = work(py, config, move |_| {
        let opened = catch_unwind(AssertUnwindSafe(|| ArrowArrayStreamReader::try_new(stream)));
        let Ok(Ok(reader)) = opened else { return Ok(Err(broken_stream())) };
        let columns = reader.schema();
        let batches = catch_unwind(AssertUnwindSafe(|| reader.collect::<Result<Vec<RecordBatch>, _>>()));
        let Ok(Ok(batches)) = batches else { return Ok(Err(broken_stream())) };
        let rows = Source::from_batches("table", columns, batches)
            .and_then(|source| owned_rows(&source, &person, &schema, invalid, PersonKey::from_bytes(key)));
        Ok(rows.map_err(|error| cell_failure(&error).unwrap_or_else(|| read_failure(error))))
    })?;
    let rows = hashed.map_err(|failure| failed(&failure))?;
    let places = rows.iter().map(|row| row.row).collect();
    let persons = rows.iter().map(|row| format!("{:032x}", row.person.0)).collect();
    Ok((places, persons, rows.iter().map(|row| format!("{:016x}", row.contents)).collect()))
}

/// The counts of all parts of a table together.
#[pyfunction]
pub(crate) fn add_counts<'py>(
    py: Python<'py>,
    schema: &str,
    queries: &[u8],
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let sum = || {
        let mut counting = Counting::new(schema, queries, Invalid::Refuse)?;
        for part in &parts {
            let part = PrivateCounts::decode(part).map_err(source_failure)?;
            counting.counts.add(&part).map_err(source_failure)?;
        }
        Ok(counting.counts.encode())
    };
    let sum = py.detach(sum).map_err(|failure: Failure| failed(&failure))?;
    Ok(PyBytes::new(py, &sum))
}
