//! Arrow files, decoded from memory.
//!
//! The crate's own file reader trusts the lengths in the footer and may ask for more memory than there is, which
//! ends the process; here every block is checked to lie in the file first.

use arrow::array::RecordBatch;
use arrow::buffer::Buffer;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::reader::{FileDecoder, read_footer_length};
use arrow::ipc::{Block, Footer, root_as_footer};

use super::arrow_problem;
use crate::error::Problem;
use crate::format::Format;

/// The bytes after the footer: its length, and six letters.
const TRAILER: usize = 10;

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

/// What the columns are.
pub(super) fn schema(bytes: &[u8]) -> Result<SchemaRef, Problem> {
    Ok(fb_to_schema(footer(bytes)?.schema().ok_or(DAMAGED)?).into())
}

/// One column of every batch of rows, handed to `take` in order.
pub(super) fn read_column<E: From<Problem>>(
    bytes: &Buffer,
    schema: &SchemaRef,
    column: usize,
    mut take: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<(), E> {
    let footer = footer(bytes)?;
    let mut decoder = FileDecoder::new(SchemaRef::clone(schema), footer.version());
    for block in footer.dictionaries().iter().flatten() {
        let data = slice(bytes, block)?;
        decoder.read_dictionary(block, &data).map_err(|error| failed(&error))?;
    }
    decoder = decoder.with_projection(vec![column]);
    for block in footer.recordBatches().iter().flatten() {
        let data = slice(bytes, block)?;
        if let Some(batch) = decoder.read_record_batch(block, &data).map_err(|error| failed(&error))? {
            take(&batch)?;
        }
    }
    Ok(())
}

/// The bytes of a block, if the file has them.
fn slice(bytes: &Buffer, block: &Block) -> Result<Buffer, Problem> {
    let number = |value: i64| usize::try_from(value).map_err(|_| DAMAGED);
    let start = number(block.offset())?;
    let length =
        number(block.bodyLength())?.checked_add(number(block.metaDataLength().into())?).ok_or(DAMAGED)?;
    match start.checked_add(length) {
        Some(end) if end <= bytes.len() => Ok(bytes.slice_with_length(start, length)),
        _ => Err(DAMAGED),
    }
}
