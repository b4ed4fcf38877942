//! Private rows that are counted where they are: queries go there as bytes, counts come back as bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatchReader;
use arrow::datatypes::{FieldRef, Schema as Columns, SchemaRef};
use arrow::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use indistinct::privacy::SourceError;
use indistinct::private::{CountQuery, PrivateCounts, PrivateSource, PrivateTable};
use indistinct::table::Schema;
use indistinct_io::synth::left_out_of;
use indistinct_io::{ChosenPass, Failure, Invalid, Problem, ReadError, Source, read_failure, schema_failure};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::raised;
use crate::frame::{moved_out, no_stream};
use crate::given::Given;
use crate::persons::RowsOfPersons;
use crate::streams::WaitingRows;
use crate::work::{Callback, RunConfig, work};

pyo3::create_exception!(
    indistinct,
    PassFailed,
    PyValueError,
    "A pass over private rows that failed, with a text of our own and what to do about it: nothing of the rows is in either."
);

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
pub(crate) fn failed(failure: &Failure) -> PyErr {
    let message = failure.message();
    let (problem, remedy) = message.split_once("\n help: ").unwrap_or((&message, "report this"));
    PassFailed::new_err((problem.to_owned(), remedy.to_owned()))
}

fn source_failure(error: SourceError) -> Failure {
    Failure::failed(error.problem).advise(error.remedy)
}

/// Checks that columns are those that a schema declares, and of types that can be read, by a table of no rows. The schema
/// need not declare the column of persons, and never releases it.
#[pyfunction]
pub(crate) fn check_columns(
    py: Python<'_>,
    name: String,
    schema: String,
    person: Option<String>,
    stream: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let stream = moved_out(stream.cast()?)?;
    let columns = work(py, RunConfig::default(), move |_| Ok(columns_of(stream)))?;
    let columns = columns.ok_or_else(no_stream)?;
    work(py, RunConfig::default(), move |_| {
        let schema = parsed(&schema, person.as_deref())?;
        let columns = match person {
            None => columns,
            Some(person) => without_persons(&name, &person, &columns)?,
        };
        let source = Source::from_batches(&name, columns, Vec::new()).map_err(read_failure)?;
        let read = source.read_measured(&schema, Invalid::Missing);
        read.map(drop).map_err(|error| columns_failure(error, &source))
    })
}

/// The columns of a stream without its rows.
fn columns_of(stream: FFI_ArrowArrayStream) -> Option<SchemaRef> {
    let described = || ArrowArrayStreamReader::try_new(stream).map(|reader| reader.schema());
    catch_unwind(AssertUnwindSafe(described)).ok()?.ok()
}

/// The columns without that of persons, if it is one: two of the same name will show.
fn without_persons(table: &str, person: &str, columns: &SchemaRef) -> Result<SchemaRef, Failure> {
    let (persons, others): (Vec<FieldRef>, Vec<FieldRef>) =
        columns.fields().iter().cloned().partition(|field| field.name() == person);
    match persons.len() {
        0 => Err(Failure::failed(format!("{table}: there is no column `{person}` to tell persons by"))
            .advise("check the spelling of the column that says whose rows they are")),
        1 => Ok(SchemaRef::new(Columns::new(others))),
        _ => Ok(SchemaRef::clone(columns)),
    }
}

/// The schema that a text declares, without the column of persons.
pub(crate) fn parsed(text: &str, without: Option<&str>) -> Result<Schema, Failure> {
    let schema = indistinct_io::parse_schema(text).map_err(schema_failure)?;
    match without {
        None => Ok(schema),
        Some(column) => left_out_of(column, &schema),
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
    counted: Counted,
    waiting: WaitingRows,
}

/// The counts of rows so far.
struct Counted {
    schema: Schema,
    invalid: Invalid,
    /// The places of the measured columns that are counted; none if all are read, to check them.
    asked: Vec<usize>,
    /// Queries for these columns.
    queries: Vec<CountQuery>,
    counts: PrivateCounts,
    /// The rows that are kept of each person, where persons are told apart.
    persons: Option<ChosenPass>,
}

#[pymethods]
impl Counter {
    /// Counts nothing yet. Queries are those of this version. Of persons those rows are counted that were chosen.
    #[new]
    #[pyo3(signature = (schema, queries, options, chosen=None))]
    fn new(
        schema: &str,
        queries: &[u8],
        options: &Bound<'_, PyDict>,
        chosen: Option<&RowsOfPersons>,
    ) -> PyResult<Self> {
        let given = Given(options);
        let invalid = given.word("invalid")?.unwrap_or_default();
        let threads = given.count("threads")?;
        let mut counted = Counted::new(schema, queries, invalid).map_err(|failure| failed(&failure))?;
        if let Some(chosen) = chosen {
            counted.persons = Some(chosen.pass());
            counted.schema = chosen.schema().clone();
        }
        let counting = Counting { counted, waiting: WaitingRows::default() };
        Ok(Self { state: Arc::new(Mutex::new(counting)), threads })
    }

    /// Counts the rows of a stream. Of the stream there is never more in memory than it hands over at once, and what is
    /// counted together.
    fn add(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        let stream = moved_out(stream.cast()?)?;
        let state = Arc::clone(&self.state);
        let config = RunConfig { threads: self.threads, ..RunConfig::default() };
        let add = move || {
            let Counting { counted, waiting } = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.add(stream, &mut |rows| counted.add(rows))
        };
        work(py, config, move |_| Ok(add()))?.map_err(|failure| failed(&failure))
    }

    /// The counts of all rows so far, as bytes.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = Arc::clone(&self.state);
        let config = RunConfig { threads: self.threads, ..RunConfig::default() };
        let counts = work(py, config, move |_| {
            let Counting { counted, waiting } = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(waiting.pass_on(&mut |rows| counted.add(rows)).and_then(|()| counted.finish()))
        })?;
        counts.map(|bytes| PyBytes::new(py, &bytes)).map_err(|failure| failed(&failure))
    }
}

impl Counted {
    fn new(schema: &str, queries: &[u8], invalid: Invalid) -> Result<Self, Failure> {
        let schema = parsed(schema, None)?;
        let columns = schema.measured().map_err(Failure::failed)?.columns().len();
        let queries = CountQuery::decode(queries, columns).map_err(source_failure)?;
        let asked = CountQuery::columns(&queries);
        let queries = CountQuery::for_columns(&queries, &asked);
        let counts = PrivateCounts::none(&queries);
        Ok(Self { schema, invalid, asked, queries, counts, persons: None })
    }

    /// Counts some rows.
    fn add(&mut self, rows: Source) -> Result<(), Failure> {
        let rows = match &mut self.persons {
            None => Some(rows),
            Some(persons) => persons.kept(&rows).map_err(|error| rows_failure(error, &rows))?,
        };
        let Some(rows) = rows else { return Ok(()) };
        let table = rows.read_asked(&self.schema, self.invalid, &self.asked);
        let counts =
            PrivateTable::new(table.map_err(|error| rows_failure(error, &rows))?).count(&self.queries);
        self.counts.add(&counts).map_err(source_failure)
    }

    /// The counts of all rows.
    fn finish(&self) -> Result<Vec<u8>, Failure> {
        if self.persons.as_ref().is_some_and(|persons| !persons.is_complete()) {
            return Err(source_failure(SourceError::changed()));
        }
        Ok(self.counts.encode())
    }
}

/// A table that cannot be read as the schema says. A type that cannot be read is that of a column that is declared, so that
/// its name may be told.
fn columns_failure(error: ReadError, source: &Source) -> Failure {
    let Problem::UnsupportedType { column, kind } = error.problem() else { return read_failure(error) };
    let Some(name) = source.names().get(column - 1) else { return read_failure(error) };
    Failure::failed(format!("{}: column `{name}` is of type {kind}, which cannot be read", error.file()))
        .advise(error.advice())
}

/// Rows that cannot be read as the schema says: for their cells, or their columns.
pub(crate) fn rows_failure(error: ReadError, source: &Source) -> Failure {
    cell_failure(&error).unwrap_or_else(|| columns_failure(error, source))
}

/// A cell that the schema does not allow. Rows have no numbers where they come in parts.
fn cell_failure(error: &ReadError) -> Option<Failure> {
    let Problem::Value { column, fault, .. } = error.problem() else { return None };
    let what = format!("{}: {column} has a cell that the schema does not allow: {fault}", error.file());
    Some(Failure::failed(what).advise(error.advice() + ", or say --invalid missing"))
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
        let mut counted = Counted::new(schema, queries, Invalid::Refuse)?;
        for part in &parts {
            let part = PrivateCounts::decode(part).map_err(source_failure)?;
            counted.counts.add(&part).map_err(source_failure)?;
        }
        counted.finish()
    };
    let sum = py.detach(sum).map_err(|failure: Failure| failed(&failure))?;
    Ok(PyBytes::new(py, &sum))
}
