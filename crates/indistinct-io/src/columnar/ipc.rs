//! Arrow files, decoded one column at a time.
//!
//! The crate's own file reader trusts the lengths that it reads and may ask for more memory than there is, which
//! ends the process; here it is checked first that every block lies in the file, and that its unpacked buffers
//! are within the allowance.

use arrow::array::RecordBatch;
use arrow::buffer::Buffer;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::reader::{FileDecoder, read_footer_length};
use arrow::ipc::{self, Block, Footer, Message, root_as_footer, root_as_message};
use bytes::Bytes;

use super::arrow_problem;
use super::file_bytes::FileBytes;
use crate::error::Problem;
use crate::expansion::Allowance;
use crate::format::Format;

/// Number of bytes after the footer: its length, and six letters.
const TRAILER: usize = 10;
/// The beginning of a message, since the format's fifth version.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// Most bytes that a row takes in the end.
const CELL: u64 = 8;

const DAMAGED: Problem = Problem::Damaged(Format::Arrow);

fn failed(error: &ArrowError) -> Problem {
    arrow_problem(Format::Arrow, error)
}

fn footer(bytes: &[u8]) -> Result<Footer<'_>, Problem> {
    let (before, trailer) = bytes.split_last_chunk::<TRAILER>().ok_or(DAMAGED)?;
    let length = read_footer_length(*trailer).map_err(|error| failed(&error))?;
    let start = before.len().checked_sub(length).ok_or(DAMAGED)?;
    root_as_footer(&before[start..]).map_err(|_| DAMAGED)
}

/// The footer, with its length at its end.
fn footer_of(bytes: &FileBytes) -> Result<Bytes, Problem> {
    let trailer = bytes.tail(TRAILER as u64)?;
    let trailer = trailer.first_chunk::<TRAILER>().ok_or(DAMAGED)?;
    let length = read_footer_length(*trailer).map_err(|error| failed(&error))?;
    bytes.tail(length as u64 + TRAILER as u64)
}

/// An Arrow file whose footer was read.
#[derive(Debug, Clone)]
pub(super) struct ArrowFile {
    bytes: FileBytes,
    /// The batches to read; `None` for all.
    batch: Option<usize>,
}

impl ArrowFile {
    /// Reads the footer, which describes the columns.
    pub(super) fn open(bytes: FileBytes) -> Result<(SchemaRef, Self), Problem> {
        let schema = fb_to_schema(footer(&footer_of(&bytes)?)?.schema().ok_or(DAMAGED)?).into();
        Ok((schema, Self { bytes, batch: None }))
    }

    /// The batches one by one, and the number of rows of each.
    pub(super) fn parts(&self) -> Result<Vec<(Self, usize)>, Problem> {
        let bytes = footer_of(&self.bytes)?;
        let mut parts = Vec::new();
        for (place, block) in footer(&bytes)?.recordBatches().iter().flatten().enumerate() {
            let data = self.block(block)?;
            let rows = message(&data)?.header_as_record_batch().ok_or(DAMAGED)?.length();
            let rows = usize::try_from(rows).map_err(|_| DAMAGED)?;
            parts.push((Self { batch: Some(place), bytes: self.bytes.clone() }, rows));
        }
        Ok(parts)
    }

    /// Reads one column of every batch of rows, and passes it to `take` in order.
    pub(super) fn read_column<E: From<Problem>>(
        &self,
        schema: &SchemaRef,
        column: usize,
        allowance: &Allowance,
        mut take: impl FnMut(&RecordBatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let bytes = footer_of(&self.bytes)?;
        let footer = footer(&bytes)?;
        let dictionary = footer.schema().and_then(|schema| schema.fields()).and_then(|fields| {
            let field = (column < fields.len()).then(|| fields.get(column))?;
            Some(field.dictionary()?.id())
        });
        let mut decoder = FileDecoder::new(SchemaRef::clone(schema), footer.version());
        for block in footer.dictionaries().iter().flatten() {
            let data = self.block(block)?;
            let message = message(&data)?;
            let batch = message.header_as_dictionary_batch().ok_or(DAMAGED)?;
            // Those of other columns are not looked at.
            if Some(batch.id()) == dictionary {
                check(batch.data().ok_or(DAMAGED)?, body(block, &data)?, allowance)?;
                decoder.read_dictionary(block, &data).map_err(|error| failed(&error))?;
            }
        }
        decoder = decoder.with_projection(vec![column]);
        let is_wanted = |place: usize| self.batch.is_none_or(|batch| batch == place);
        for (place, block) in footer.recordBatches().iter().flatten().enumerate() {
            if !is_wanted(place) {
                continue;
            }
            let data = self.block(block)?;
            let message = message(&data)?;
            check(message.header_as_record_batch().ok_or(DAMAGED)?, body(block, &data)?, allowance)?;
            if let Some(batch) = decoder.read_record_batch(block, &data).map_err(|error| failed(&error))? {
                take(&batch)?;
            }
        }
        Ok(())
    }

    /// The bytes of a block, if the file has them.
    fn block(&self, block: &Block) -> Result<Buffer, Problem> {
        let number = |value: i64| usize::try_from(value).map_err(|_| DAMAGED);
        let start = number(block.offset())?;
        let length =
            number(block.bodyLength())?.checked_add(number(block.metaDataLength().into())?).ok_or(DAMAGED)?;
        let bytes = self.bytes.range(start as u64, length as u64)?.ok_or(DAMAGED)?;
        Ok(Buffer::from(bytes))
    }
}

/// The description of a block's buffers.
fn message(data: &[u8]) -> Result<Message<'_>, Problem> {
    let start = if data.starts_with(&CONTINUATION) { 8 } else { 4 };
    root_as_message(data.get(start..).ok_or(DAMAGED)?).map_err(|_| DAMAGED)
}

/// The buffers of a block.
fn body<'a>(block: &Block, data: &'a [u8]) -> Result<&'a [u8], Problem> {
    let start = usize::try_from(block.metaDataLength()).map_err(|_| DAMAGED)?;
    data.get(start..).ok_or(DAMAGED)
}

/// Checks that rows and buffers of a batch are within the allowance.
fn check(batch: ipc::RecordBatch<'_>, body: &[u8], allowance: &Allowance) -> Result<(), Problem> {
    // The rows of a column of nulls are nowhere but in this number.
    let rows = u64::try_from(batch.length()).map_err(|_| DAMAGED)?;
    allowance.take(rows.saturating_mul(CELL))?;
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().iter().flatten() {
        let start = usize::try_from(buffer.offset()).map_err(|_| DAMAGED)?;
        if buffer.length() == 0 {
            continue;
        }
        // Packed buffers begin with the number of bytes they unpack to, or a negative one if they are not packed.
        let length = body.get(start..).and_then(|buffer| buffer.first_chunk::<8>()).ok_or(DAMAGED)?;
        allowance.take(u64::try_from(i64::from_le_bytes(*length)).unwrap_or(0))?;
    }
    Ok(())
}
