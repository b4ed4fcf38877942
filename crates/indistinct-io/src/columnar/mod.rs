//! Typed columns: Parquet and Arrow files, and Arrow in memory.

mod delta;
mod file_bytes;
mod footer;
mod ipc;
mod pages;
mod parquet_file;
mod thrift;
mod visit;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Field, SchemaRef};
use arrow::error::ArrowError;
use indistinct::progress;
use rayon::prelude::*;

use crate::cells::{Collector, Total};
use crate::error::{ColumnPlace, Fault, Problem};
use crate::expansion::{Allowance, Expansion};
use crate::format::Format;
use crate::guarded::guarded;
pub(crate) use file_bytes::FileBytes;
use ipc::ArrowFile;
use parquet_file::{ParquetFile, parquet_problem};

/// Rows after which to check whether the work is still wanted.
const CHECKED: usize = 1 << 16;
/// The key of a field's metadata that says that its type has another meaning.
const EXTENSION: &str = "ARROW:extension:name";

/// A table of typed columns.
#[derive(Debug)]
pub(crate) struct Columnar {
    names: Vec<String>,
    schema: SchemaRef,
    store: Store,
    /// The rows to read, in order; `None` for all.
    rows: Option<Vec<u32>>,
    /// The allowance for reading all columns once.
    allowance: Allowance,
}

/// The storage of the columns.
#[derive(Debug, Clone)]
enum Store {
    /// Parquet files, one after the other.
    Parquet(Vec<ParquetFile>),
    /// An Arrow file.
    Arrow(ArrowFile),
    /// Arrays in memory.
    Batches(Vec<RecordBatch>),
}

/// The reason why a column could not be read; the row counts from 0.
enum Refusal {
    Whole(Problem),
    Value { row: usize, fault: Fault },
}

impl Columnar {
    /// Reads the description of the columns of several Parquet files that are one table: the same for all. Files without
    /// rows are passed over, unless none has any. An error comes with the place of the file.
    pub(crate) fn of_parquet_files(
        files: Vec<FileBytes>,
        expansion: Expansion,
    ) -> Result<Self, (usize, Problem)> {
        let length: u64 = files.iter().map(FileBytes::length).sum();
        let mut columns: Option<SchemaRef> = None;
        let mut without_rows = None;
        let mut store = Vec::new();
        for (place, bytes) in files.into_iter().enumerate() {
            if bytes.length() == 0 {
                return Err((place, Problem::EmptyFile));
            }
            let opened = guarded(Format::Parquet, || ParquetFile::open(bytes));
            let (schema, file) = opened.map_err(|problem| (place, problem))?;
            if file.is_empty() {
                without_rows.get_or_insert((schema, file));
                continue;
            }
            let known = columns.get_or_insert_with(|| SchemaRef::clone(&schema));
            if !have_same_columns(known, &schema) {
                return Err((place, Problem::OtherColumns));
            }
            store.push(file);
        }
        let columns = match (columns, without_rows) {
            (Some(columns), _) => columns,
            (None, Some((columns, file))) => {
                store.push(file);
                columns
            }
            (None, None) => return Err((0, Problem::NoRows)),
        };
        let allowance = expansion.of(length as usize);
        Self::described(columns, Store::Parquet(store), allowance).map_err(|problem| (0, problem))
    }

    /// Reads the description of the columns.
    pub(crate) fn new(bytes: FileBytes, format: Format, expansion: Expansion) -> Result<Self, Problem> {
        if bytes.length() == 0 {
            return Err(Problem::EmptyFile);
        }
        let allowance = expansion.of(bytes.length() as usize);
        let (schema, store) = guarded(format, || {
            if format == Format::Parquet {
                ParquetFile::open(bytes).map(|(schema, file)| (schema, Store::Parquet(vec![file])))
            } else {
                ArrowFile::open(bytes).map(|(schema, file)| (schema, Store::Arrow(file)))
            }
        })?;
        Self::described(schema, store, allowance)
    }

    /// A table of arrays in memory, all with these columns. Data in memory needs no limit.
    pub(crate) fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, Problem> {
        let unlimited = Expansion { free: u64::MAX, times: 0 };
        Self::described(schema, Store::Batches(batches), unlimited.of(0))
    }

    fn described(schema: SchemaRef, store: Store, allowance: Allowance) -> Result<Self, Problem> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        if names.is_empty() {
            return Err(Problem::NoColumns);
        }
        Ok(Self { names, schema, store, allowance, rows: None })
    }

    /// The levels of a column of text, from lowest to highest, if the table in memory says that they are ordered.
    pub(crate) fn ordered_levels(&self, column: usize) -> Option<Vec<String>> {
        let Store::Batches(batches) = &self.store else { return None };
        if self.schema.field(column).dict_is_ordered() != Some(true) {
            return None;
        }
        let values = batches.first()?.column(column).as_any_dictionary_opt()?.values();
        let levels: Option<Vec<&str>> = match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().iter().collect(),
            DataType::LargeUtf8 => values.as_string::<i64>().iter().collect(),
            _ => None,
        };
        Some(levels?.into_iter().map(str::to_owned).collect())
    }

    /// The same table once more.
    pub(crate) fn again(&self) -> Self {
        let allowance = self.allowance.again();
        let (names, schema) = (self.names.clone(), SchemaRef::clone(&self.schema));
        Self { names, schema, store: self.store.clone(), rows: self.rows.clone(), allowance }
    }

    /// The table with these rows only, which are in increasing order.
    pub(crate) fn rows_of(&self, rows: &[u32]) -> Self {
        Self { rows: Some(rows.to_vec()), ..self.again() }
    }

    /// Parts that have every row once, in order, each with its number of rows: groups of rows of a Parquet file or slices
    /// of them of at most so many rows, batches of an Arrow file. Arrays in memory are one part.
    pub(crate) fn parts(&self, most_rows: usize) -> Result<Vec<(Self, usize)>, Problem> {
        assert!(self.rows.is_none(), "parts of all rows");
        let format = self.format();
        let parts: Vec<(Store, usize)> = match &self.store {
            Store::Parquet(files) => {
                let parts = files.iter().flat_map(|file| file.parts(most_rows));
                parts.map(|(file, rows)| (Store::Parquet(vec![file]), rows)).collect()
            }
            Store::Arrow(file) => {
                let parts = guarded(format, || file.parts())?;
                parts.into_iter().map(|(file, rows)| (Store::Arrow(file), rows)).collect()
            }
            Store::Batches(batches) => {
                vec![(self.store.clone(), batches.iter().map(RecordBatch::num_rows).sum())]
            }
        };
        let part = |(store, rows): (Store, usize)| (Self { store, ..self.again() }, rows);
        Ok(parts.into_iter().map(part).collect())
    }

    /// Whether the columns are arrays in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.store, Store::Batches(_))
    }

    /// Whether rows are in batches that are read whole.
    pub(crate) fn has_batches(&self) -> bool {
        matches!(self.store, Store::Arrow(_))
    }

    /// The format named in messages.
    pub(crate) fn format(&self) -> Format {
        match self.store {
            Store::Parquet(_) => Format::Parquet,
            Store::Arrow(_) | Store::Batches(_) => Format::Arrow,
        }
    }

    /// The column names.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a column's type says that it is not numeric.
    pub(crate) fn is_text(&self, column: usize) -> bool {
        visit::is_text(self.schema.field(column).data_type())
    }

    /// Reads all rows of the columns that have a collector.
    pub(crate) fn collect(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, Problem> {
        let columns: Vec<Collector> = (0..self.names.len()).map(collector).collect();
        for ((column, field), place) in columns.iter().zip(self.schema.fields()).zip(1..) {
            if !matches!(column, Collector::Nothing)
                && let Some(kind) = unsupported(field)
            {
                return Err(Problem::UnsupportedType { column: place, kind });
            }
        }
        let allowance = self.allowance.again();
        let read = |(position, mut column): (usize, Collector)| {
            if matches!(column, Collector::Nothing) {
                return Ok(column);
            }
            let format = self.format();
            // The outer error says that decoding failed, the inner one what the cells are.
            let rows = guarded(format, || Ok(self.read_column(position, &mut column, &allowance)));
            match rows.map_err(|problem| (0, problem))? {
                Ok(0) => Err((0, Problem::NoRows)),
                Ok(_) => Ok(column),
                Err(Refusal::Whole(problem)) => Err((0, problem)),
                Err(Refusal::Value { row, fault }) => {
                    // Only declared columns refuse a value.
                    let column = ColumnPlace::Named(self.names[position].clone());
                    Err((row, Problem::Value { row: row + 1, column, fault }))
                }
            }
        };
        let done: Vec<Result<Collector, (usize, Problem)>> =
            columns.into_par_iter().enumerate().map(read).collect();
        // The first row with a wrong value is reported, whichever column was done first.
        let first = done.iter().filter_map(|result| result.as_ref().err()).min_by_key(|(row, _)| *row);
        if let Some((_, problem)) = first {
            return Err(problem.clone());
        }
        Ok(done.into_iter().filter_map(Result::ok).map(Collector::into_total).collect())
    }

    /// Reads one column into its collector; returns its number of rows.
    fn read_column(
        &self,
        position: usize,
        column: &mut Collector,
        allowance: &Allowance,
    ) -> Result<usize, Refusal> {
        let format = self.format();
        // Rows passed, and rows read.
        let (mut before, mut rows) = (0, 0);
        let mut take = |array: Option<&ArrayRef>| {
            let array = array.ok_or(Problem::Damaged(format))?;
            allowance.take(visit::shared_text(array.as_ref()))?;
            visit::visit::<Refusal>(array.as_ref(), &mut |row, cell| {
                if row.is_multiple_of(CHECKED) {
                    progress::check();
                }
                let wanted =
                    |wanted: &Vec<u32>| wanted.get(rows).is_some_and(|&next| next as usize == before + row);
                if self.rows.as_ref().is_none_or(wanted) {
                    column.push(cell).map_err(|fault| Refusal::Value { row: rows, fault })?;
                    rows += 1;
                }
                Ok(())
            })?
            .map_err(|_| Problem::Damaged(format))?;
            before += array.len();
            Ok::<(), Refusal>(())
        };
        match &self.store {
            Store::Batches(batches) => {
                batches.iter().try_for_each(|batch| take(batch.columns().get(position)))?;
            }
            Store::Arrow(file) => {
                file.read_column(&self.schema, position, allowance, |batch| take(batch.columns().first()))?;
            }
            Store::Parquet(files) => {
                for file in files {
                    file.read_column(position, allowance, |batch| take(batch.columns().first()))?;
                }
            }
        }
        Ok(rows)
    }
}

/// Whether two files have columns of the same names and types, in the same order.
fn have_same_columns(one: &SchemaRef, other: &SchemaRef) -> bool {
    let same = |(one, other): (&Arc<Field>, &Arc<Field>)| {
        one.name() == other.name() && one.data_type() == other.data_type()
    };
    one.fields().len() == other.fields().len() && one.fields().iter().zip(other.fields()).all(same)
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Whole(problem)
    }
}

/// The problem of a decoding error. Its text may quote the file: only its kind is passed on.
fn arrow_problem(format: Format, error: &ArrowError) -> Problem {
    match error {
        ArrowError::NotYetImplemented(_) => Problem::NotSupported(format),
        _ => Problem::Damaged(format),
    }
}

/// The type of a column that cannot be read.
fn unsupported(field: &Field) -> Option<String> {
    match field.metadata().get(EXTENSION) {
        // What is stored may look like numbers and be something else: periods, for one.
        Some(extension) => Some(extension.clone()),
        None => (!visit::is_supported(field.data_type())).then(|| type_word(field.data_type())),
    }
}

/// A type's name in words, without its parameters.
fn type_word(kind: &DataType) -> String {
    let full = format!("{kind:?}");
    full.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}
