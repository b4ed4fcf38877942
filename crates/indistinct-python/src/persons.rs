//! The choice of rows of each person that are counted, where rows are not in memory.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use indistinct::private::PersonKey;
use indistinct::table::Schema;
use indistinct_io::{
    ChosenPass, ChosenRows, Failure, PersonChooser as Chooser, PersonColumn, Source, owned_rows,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::raised;
use crate::frame::moved_out;
use crate::given::Given;
use crate::passes::{failed, parsed, rows_failure};
use crate::streams::{WaitingRows, all_rows};
use crate::work::{RunConfig, work};

/// Chooses rows of persons, of streams whose rows may come in another order in every pass.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct PersonChooser {
    state: Arc<Mutex<Choosing>>,
    threads: Option<usize>,
}

struct Choosing {
    chooser: Chooser,
    waiting: WaitingRows,
}

/// The rows of persons that are counted.
#[pyclass(frozen, module = "indistinct._indistinct")]
pub(crate) struct RowsOfPersons(ChosenRows);

impl RowsOfPersons {
    pub(crate) fn pass(&self) -> ChosenPass {
        self.0.pass()
    }

    /// The columns without that of persons.
    pub(crate) fn schema(&self) -> &Schema {
        self.0.schema()
    }
}

#[pymethods]
impl PersonChooser {
    /// Begins the first pass.
    #[new]
    fn new(
        schema: &str,
        person: String,
        most: NonZeroU32,
        options: &Bound<'_, PyDict>,
        key: [u8; 32],
        memory: usize,
    ) -> PyResult<Self> {
        let given = Given(options);
        let invalid = given.word("invalid")?.unwrap_or_default();
        let threads = given.count("threads")?;
        let schema = parsed(schema, Some(&person)).map_err(|failure| failed(&failure))?;
        let column = PersonColumn { name: person, schema, invalid, key: PersonKey::from_bytes(key) };
        let chooser = Chooser::new(column, most, memory);
        let state = Choosing { chooser, waiting: WaitingRows::default() };
        Ok(Self { state: Arc::new(Mutex::new(state)), threads })
    }

    /// Looks at the rows of a stream.
    fn add(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        let stream = moved_out(stream.cast()?)?;
        self.choosing(py, move |Choosing { chooser, waiting }| {
            waiting.add(stream, &mut |rows| looked_at(chooser, &rows))
        })
    }

    /// Ends a pass over all rows. Whether another is needed.
    fn end_pass(&self, py: Python<'_>) -> PyResult<bool> {
        self.choosing(py, |Choosing { chooser, waiting }| {
            waiting.pass_on(&mut |rows| looked_at(chooser, &rows))?;
            Ok(chooser.end_pass())
        })
    }

    /// The rows that were chosen, after the last pass.
    fn chosen(&self) -> RowsOfPersons {
        RowsOfPersons(self.state.lock().unwrap_or_else(PoisonError::into_inner).chooser.chosen())
    }
}

impl PersonChooser {
    fn choosing<T: Send + 'static>(
        &self,
        py: Python<'_>,
        step: impl FnOnce(&mut Choosing) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let state = Arc::clone(&self.state);
        let config = RunConfig { threads: self.threads, ..RunConfig::default() };
        let done =
            work(py, config, move |_| Ok(step(&mut state.lock().unwrap_or_else(PoisonError::into_inner))))?;
        done.map_err(|failure| failed(&failure))
    }
}

fn looked_at(chooser: &mut Chooser, rows: &Source) -> Result<(), Failure> {
    chooser.add(rows).map_err(|error| rows_failure(error, rows))
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
        let hash = |rows: Source| {
            owned_rows(&rows, &person, &schema, invalid, PersonKey::from_bytes(key))
                .map_err(|error| rows_failure(error, &rows))
        };
        Ok(all_rows(stream).and_then(hash))
    })?;
    let rows = hashed.map_err(|failure| failed(&failure))?;
    let places = rows.iter().map(|row| row.row).collect();
    let persons = rows.iter().map(|row| format!("{:032x}", row.person.0)).collect();
    Ok((places, persons, rows.iter().map(|row| format!("{:016x}", row.contents)).collect()))
}
