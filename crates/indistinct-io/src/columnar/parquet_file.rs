//! Parquet files, decoded one column at a time.
//!
//! Parquet's own reader trusts what a file says about itself, up to ending the process by asking for more memory
//! than there is; so footers and pages are checked first.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Type;
use parquet::errors::ParquetError;

use super::file_bytes::FileBytes;
use super::pages::{self, Pages};
use super::{arrow_problem, footer, visit};
use crate::error::Problem;
use crate::expansion::Allowance;
use crate::format::Format;

/// Rows decoded at once.
const BATCH: usize = 1 << 16;
/// Bytes of text decoded at once, if all were as long as the longest may be.
const BATCH_BYTES: usize = 1 << 28;

const DAMAGED: Problem = Problem::Damaged(Format::Parquet);

/// A Parquet file whose footer was read.
#[derive(Debug, Clone)]
pub(super) struct ParquetFile {
    bytes: FileBytes,
    footer: ArrowReaderMetadata,
    /// The groups of rows to read.
    groups: Vec<usize>,
    /// The rows of these groups to read; `None` for all.
    slice: Option<Range<usize>>,
    /// The pages that were checked, by group and leaf: the parts of a file share it.
    checked: Arc<Mutex<HashMap<(usize, usize), Pages>>>,
    /// The first leaf of every column, which is its only one if it is not nested.
    leaves: Vec<usize>,
}

impl ParquetFile {
    /// Reads the footer; returns the columns as the file declares them.
    pub(super) fn open(bytes: FileBytes) -> Result<(SchemaRef, Self), Problem> {
        footer::check(&footer_of(&bytes)?).map_err(|_| DAMAGED)?;
        let options = ArrowReaderOptions::default();
        let read = ArrowReaderMetadata::load(&bytes, options).map_err(|error| parquet_problem(&error))?;
        let declared = SchemaRef::clone(read.schema());
        let options = ArrowReaderOptions::default().with_schema(Arc::new(viewed(&declared)));
        let footer = ArrowReaderMetadata::try_new(Arc::clone(read.metadata()), options).unwrap_or(read);
        let schema = footer.parquet_schema();
        let mut leaves: Vec<usize> = Vec::new();
        for leaf in 0..schema.num_columns() {
            if schema.get_column_root_idx(leaf) == leaves.len() {
                leaves.push(leaf);
            }
        }
        let groups = (0..footer.metadata().num_row_groups()).collect();
        let checked = Arc::default();
        Ok((declared, Self { bytes, footer, groups, slice: None, checked, leaves }))
    }

    /// Whether the file declares that it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.footer.metadata().file_metadata().num_rows() <= 0
    }

    /// The groups of rows one by one, in slices of about the same size where one has more than `most` rows; and the number
    /// of rows of each.
    pub(super) fn parts(&self, most: usize) -> impl Iterator<Item = (Self, usize)> + '_ {
        self.groups.iter().flat_map(move |&group| {
            let rows = usize::try_from(self.footer.metadata().row_group(group).num_rows()).unwrap_or(0);
            let slices = rows.div_ceil(most).max(1);
            let start = move |slice: usize| (rows as u128 * slice as u128 / slices as u128) as usize;
            (0..slices).map(move |slice| {
                let range = start(slice)..start(slice + 1);
                let rows = range.len();
                let slice = (slices > 1).then_some(range);
                (Self { groups: vec![group], slice, ..self.clone() }, rows)
            })
        })
    }

    /// Reads one column of all rows, and passes it to `take` in batches.
    pub(super) fn read_column<E: From<Problem>>(
        &self,
        position: usize,
        allowance: &Allowance,
        mut take: impl FnMut(&RecordBatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let batch = self.batch(position, allowance)?;
        let mask = ProjectionMask::roots(self.footer.parquet_schema(), [position]);
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.bytes.clone(), self.footer.clone());
        let groups = self.groups.clone();
        let builder = builder.with_row_groups(groups).with_projection(mask).with_batch_size(batch);
        let builder = match &self.slice {
            None => builder,
            Some(rows) => builder.with_offset(rows.start).with_limit(rows.len()),
        };
        for batch in builder.build().map_err(|error| parquet_problem(&error))? {
            take(&batch.map_err(|error| arrow_problem(Format::Parquet, &error))?)?;
        }
        Ok(())
    }

    /// The pages of a column in a group of rows. They are checked once, and what they unpack to is taken from every
    /// allowance.
    fn pages(&self, group: usize, leaf: usize, allowance: &Allowance) -> Result<Pages, Problem> {
        let known = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&(group, leaf)).copied();
        if let Some(found) = found {
            allowance.take(found.unpacked)?;
            return Ok(found);
        }
        let chunk = self.footer.metadata().row_group(group).columns().get(leaf).ok_or(DAMAGED)?;
        let found = pages::check(&self.bytes, chunk, allowance)?;
        known().insert((group, leaf), found);
        Ok(found)
    }

    /// Checks the pages of a column; returns the number of its rows that are decoded at once.
    fn batch(&self, position: usize, allowance: &Allowance) -> Result<usize, Problem> {
        let schema = self.footer.parquet_schema();
        let leaf = *self.leaves.get(position).ok_or(DAMAGED)?;
        let mut longest = 0;
        let mut shared = false;
        for &group in &self.groups {
            let found = self.pages(group, leaf, allowance)?;
            longest = longest.max(found.longest);
            shared |= found.shared;
        }
        let views = *self.footer.schema().field(position).data_type() == DataType::Utf8View;
        let bytes = schema.column(leaf).physical_type() == Type::BYTE_ARRAY;
        // Where bytes are copied for every row, none of them is longer than its page.
        let copied = bytes && (shared || !views);
        Ok(if copied { (BATCH_BYTES / longest.max(1)).clamp(1, BATCH) } else { BATCH })
    }
}

/// The footer, with its length at its end.
fn footer_of(bytes: &FileBytes) -> Result<bytes::Bytes, Problem> {
    let trailer = bytes.tail(footer::TRAILER as u64)?;
    let length = trailer.first_chunk::<4>().map_or(0, |length| u64::from(u32::from_le_bytes(*length)));
    bytes.tail(length + footer::TRAILER as u64)
}

/// The schema with texts as views of the bytes of their pages: a text that many rows share is not copied for
/// each.
fn viewed(schema: &Schema) -> Schema {
    let view = |field: &Arc<Field>| {
        if visit::is_text(field.data_type()) {
            Field::clone(field).with_data_type(DataType::Utf8View).into()
        } else {
            Arc::clone(field)
        }
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(view).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// The problem of a decoding error. Its text may quote the file: only its kind is passed on.
pub(super) fn parquet_problem(error: &ParquetError) -> Problem {
    match error {
        ParquetError::NYI(_) => Problem::NotSupported(Format::Parquet),
        _ => DAMAGED,
    }
}
