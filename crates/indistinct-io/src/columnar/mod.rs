//! Parquet and Arrow files: typed columns.

mod ipc;
mod visit;

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow::array::RecordBatch;
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, SchemaRef};
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

/// A Parquet or Arrow file in memory.
#[derive(Debug)]
pub(crate) struct Columnar {
    bytes: Bytes,
    names: Vec<String>,
    schema: SchemaRef,
    /// The footer of a Parquet file; an Arrow file has none.
    parquet: Option<ArrowReaderMetadata>,
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
        let (schema, parquet) = guarded(format, || {
            if format == Format::Parquet {
                let metadata = ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::default());
                let metadata = metadata.map_err(|error| parquet_problem(&error))?;
                Ok((metadata.schema().clone(), Some(metadata)))
            } else {
                Ok((ipc::schema(&bytes)?, None))
            }
        })?;
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        if names.is_empty() {
            return Err(Problem::NoColumns);
        }
        if parquet.as_ref().is_some_and(|footer| footer.metadata().file_metadata().num_rows() <= 0) {
            return Err(Problem::NoRows);
        }
        Ok(Self { bytes, names, schema, parquet })
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
        for (column, name) in columns.iter().zip(0..) {
            let kind = self.schema.field(name).data_type();
            if !matches!(column, Collector::Nothing) && !visit::is_supported(kind) {
                let column = self.names[name].clone();
                return Err(Problem::UnsupportedType { column, kind: type_word(kind) });
            }
        }
        let read = |(position, mut column): (usize, Collector)| {
            if matches!(column, Collector::Nothing) {
                return Ok(column);
            }
            let format = if self.parquet.is_some() { Format::Parquet } else { Format::Arrow };
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
        let format = if self.parquet.is_some() { Format::Parquet } else { Format::Arrow };
        let mut rows = 0;
        let mut take = |batch: &RecordBatch| {
            let array = batch.columns().first().ok_or(Problem::Damaged(format))?;
            visit::visit(array.as_ref(), &mut |row, cell| {
                column.push(cell).map_err(|fault| Refusal::Value { row: rows + row, fault })
            })?
            .map_err(|_| Problem::Damaged(format))?;
            rows += batch.num_rows();
            Ok::<(), Refusal>(())
        };
        let Some(footer) = &self.parquet else {
            ipc::read_column(&Buffer::from(self.bytes.clone()), &self.schema, position, take)?;
            return Ok(rows);
        };
        let mask = ProjectionMask::roots(footer.parquet_schema(), [position]);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), footer.clone());
        let reader = builder.with_projection(mask).with_batch_size(BATCH).build();
        for batch in reader.map_err(|error| parquet_problem(&error))? {
            take(&batch.map_err(|error| arrow_problem(format, &error))?)?;
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

/// A type's name in words, without its parameters.
fn type_word(kind: &DataType) -> String {
    let full = format!("{kind:?}");
    full.split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
}
