//! Typed columns: Parquet and Arrow files, and Arrow in memory.

mod ipc;
mod visit;

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Field, SchemaRef};
use arrow::error::ArrowError;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use rayon::prelude::*;

use crate::cells::{Collector, Total};
use crate::error::{Fault, Problem};
use crate::format::Format;

/// Rows that are decoded at once.
const BATCH: usize = 1 << 16;

/// The key of a field's metadata that says that the type is not what it looks like.
const EXTENSION: &str = "ARROW:extension:name";

/// A table of typed columns.
#[derive(Debug)]
pub(crate) struct Columnar {
    names: Vec<String>,
    schema: SchemaRef,
    store: Store,
    /// The rows that are read, in order; all if none are named.
    rows: Option<Vec<u32>>,
}

/// Where the columns are.
#[derive(Debug, Clone)]
enum Store {
    /// A Parquet file.
    Parquet { bytes: Bytes, footer: ArrowReaderMetadata },
    /// An Arrow file.
    Arrow(Bytes),
    /// Arrays in memory.
    Batches(Vec<RecordBatch>),
}

/// Why a column could not be read; the row counts from 0.
enum Refusal {
    Whole(Problem),
    Value { row: usize, fault: Fault },
}

impl Columnar {
    /// Reads the description of the columns.
    pub(crate) fn new(bytes: Vec<u8>, format: Format) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Err(Problem::EmptyFile);
        }
        let bytes = Bytes::from(bytes);
        let (schema, store) = guarded(format, || {
            if format == Format::Parquet {
                let footer = ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::default());
                let footer = footer.map_err(|error| parquet_problem(&error))?;
                Ok((footer.schema().clone(), Store::Parquet { bytes, footer }))
            } else {
                Ok((ipc::schema(&bytes)?, Store::Arrow(bytes)))
            }
        })?;
        let columnar = Self::described(schema, store)?;
        match &columnar.store {
            Store::Parquet { footer, .. } if footer.metadata().file_metadata().num_rows() <= 0 => {
                Err(Problem::NoRows)
            }
            _ => Ok(columnar),
        }
    }

    /// Arrays in memory, all with these columns.
    pub(crate) fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, Problem> {
        Self::described(schema, Store::Batches(batches))
    }

    fn described(schema: SchemaRef, store: Store) -> Result<Self, Problem> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        if names.is_empty() {
            return Err(Problem::NoColumns);
        }
        Ok(Self { names, schema, store, rows: None })
    }

    /// The same with these rows only, which are in increasing order.
    pub(crate) fn rows_of(&self, rows: &[u32]) -> Self {
        let (names, schema, store) = (self.names.clone(), SchemaRef::clone(&self.schema), self.store.clone());
        Self { names, schema, store, rows: Some(rows.to_vec()) }
    }

    /// What messages call it.
    fn format(&self) -> Format {
        match self.store {
            Store::Parquet { .. } => Format::Parquet,
            Store::Arrow(_) | Store::Batches(_) => Format::Arrow,
        }
    }

    /// The column names.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a column's type says that it is no numbers.
    pub(crate) fn is_text(&self, column: usize) -> bool {
        visit::is_text(self.schema.field(column).data_type())
    }

    /// Reads all rows of the columns that have a collector.
    pub(crate) fn collect(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, Problem> {
        let columns: Vec<Collector> = (0..self.names.len()).map(collector).collect();
        for (column, field) in columns.iter().zip(self.schema.fields()) {
            if !matches!(column, Collector::Nothing)
                && let Some(kind) = unsupported(field)
            {
                return Err(Problem::UnsupportedType { column: field.name().clone(), kind });
            }
        }
        let read = |(position, mut column): (usize, Collector)| {
            if matches!(column, Collector::Nothing) {
                return Ok(column);
            }
            let format = self.format();
            // The outer error says that decoding failed, the inner one what the cells are.
            let rows = guarded(format, || Ok(self.read_column(position, &mut column)));
            match rows.map_err(|problem| (0, problem))? {
                Ok(0) => Err((0, Problem::NoRows)),
                Ok(_) => Ok(column),
                Err(Refusal::Whole(problem)) => Err((0, problem)),
                Err(Refusal::Value { row, fault }) => {
                    let column = self.names[position].clone();
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
        Ok(done.into_iter().filter_map(Result::ok).map(whole).collect())
    }

    /// Reads one column into its collector; its number of rows.
    fn read_column(&self, position: usize, column: &mut Collector) -> Result<usize, Refusal> {
        let format = self.format();
        // Rows passed, and rows read.
        let (mut before, mut rows) = (0, 0);
        let mut take = |array: Option<&ArrayRef>| {
            let array = array.ok_or(Problem::Damaged(format))?;
            visit::visit::<Refusal>(array.as_ref(), &mut |row, cell| {
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
            Store::Arrow(bytes) => {
                let bytes = Buffer::from(bytes.clone());
                ipc::read_column(&bytes, &self.schema, position, |batch| take(batch.columns().first()))?;
            }
            Store::Parquet { bytes, footer } => {
                let mask = ProjectionMask::roots(footer.parquet_schema(), [position]);
                let builder =
                    ParquetRecordBatchReaderBuilder::new_with_metadata(bytes.clone(), footer.clone());
                let reader = builder.with_projection(mask).with_batch_size(BATCH).build();
                for batch in reader.map_err(|error| parquet_problem(&error))? {
                    take(batch.map_err(|error| arrow_problem(format, &error))?.columns().first())?;
                }
            }
        }
        Ok(rows)
    }
}

/// A column that was read as one part.
fn whole(mut column: Collector) -> Total {
    let mut total = column.total();
    total.append(&mut column);
    total
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Whole(problem)
    }
}

/// Runs a decoder. Decoders of Parquet and Arrow check most, not all, of what they read, and may panic on damaged
/// files; here, at the boundary to foreign bytes, such a panic becomes the error that it means.
fn guarded<T>(format: Format, decode: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or(Err(Problem::Damaged(format)))
}

/// Texts of decoding errors may quote the file: only their kind is passed on.
fn parquet_problem(error: &ParquetError) -> Problem {
    match error {
        ParquetError::NYI(_) => Problem::NotSupported(Format::Parquet),
        _ => Problem::Damaged(Format::Parquet),
    }
}

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
