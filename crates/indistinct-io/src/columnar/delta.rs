//! Checks of texts whose lengths are written as differences: Parquet's reader allocates as many as the page says.

use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::file_bytes::FileBytes;
use super::parquet_problem;
use super::thrift::{Malformed, Thrift};
use crate::error::Problem;
use crate::format::Format;

/// Checks that all pages of a column have no more lengths than values. Sizes of pages were checked before.
pub(super) fn check(file: &FileBytes, chunk: &ColumnChunkMetaData) -> Result<(), Problem> {
    const DAMAGED: Problem = Problem::Damaged(Format::Parquet);
    let rows = usize::try_from(chunk.num_values()).map_err(|_| DAMAGED)?;
    let pages = SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None);
    let mut pages = pages.map_err(|error| parquet_problem(&error))?;
    while let Some(page) = pages.get_next_page().map_err(|error| parquet_problem(&error))? {
        check_page(&page, chunk).map_err(|_| DAMAGED)?;
    }
    Ok(())
}

fn check_page(page: &Page, chunk: &ColumnChunkMetaData) -> Result<(), Malformed> {
    let (encoding, bytes, count) = match page {
        Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
            let column = chunk.column_descr();
            if column.max_rep_level() > 0 {
                // Not a column that is read.
                return Ok(());
            }
            let levels = match (column.max_def_level(), *def_level_encoding) {
                (0, _) => 0,
                (_, Encoding::RLE) => {
                    let length = buf.first_chunk::<4>().ok_or(Malformed)?;
                    4 + u32::from_le_bytes(*length) as usize
                }
                // One bit for each value that could be missing, which is all that a column of a table has.
                _ => (*num_values as usize).div_ceil(8),
            };
            (*encoding, buf.get(levels..).ok_or(Malformed)?, *num_values)
        }
        Page::DataPageV2 { buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
            (*encoding, buf.get(levels..).ok_or(Malformed)?, *num_values)
        }
        Page::DictionaryPage { .. } => return Ok(()),
    };
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => lengths(bytes, count).map(|_| ()),
        Encoding::DELTA_BYTE_ARRAY => {
            let after = lengths(bytes, count)?;
            lengths(after, count).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Skips packed numbers, at most `most`; returns the bytes after them.
fn lengths(bytes: &[u8], most: u32) -> Result<&[u8], Malformed> {
    let mut numbers = Thrift::new(bytes);
    let (block, parts, count) = (numbers.unsigned()?, numbers.unsigned()?, numbers.unsigned()?);
    numbers.unsigned()?;
    if count > u64::from(most) || parts == 0 || parts > bytes.len() as u64 || block % parts != 0 {
        return Err(Malformed);
    }
    let each = block / parts;
    let rest = |numbers: &Thrift<'_>| bytes.get(bytes.len() - numbers.left()..).ok_or(Malformed);
    let mut after = rest(&numbers)?;
    // The first number is in the header.
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let mut numbers = Thrift::new(after);
        numbers.unsigned()?;
        let (widths, packed) =
            after[after.len() - numbers.left()..].split_at_checked(parts as usize).ok_or(Malformed)?;
        let mut length = 0_u64;
        for &width in widths {
            if left > 0 {
                length += each.checked_mul(u64::from(width)).ok_or(Malformed)? / 8;
                left = left.saturating_sub(each);
            }
            // No numbers in a part would never end.
            if each == 0 || length > packed.len() as u64 {
                return Err(Malformed);
            }
        }
        after = packed.get(length as usize..).ok_or(Malformed)?;
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_compared_and_ends_found() {
        // Blocks of 128 in four parts, three numbers: 5, and two of one bit each.
        let three = [128, 1, 4, 3, 10, 2, 1, 0, 0, 0, 0b11, 0, 0, 0, 77];
        assert_eq!(lengths(&three, 3), Ok(&[77][..]));
        assert_eq!(lengths(&three, 2), Err(Malformed));
        for cut in 0..three.len() - 1 {
            assert_eq!(lengths(&three[..cut], 3), Err(Malformed), "{cut}");
        }
        assert_eq!(lengths(&[128, 1, 4, 0, 0, 9], 3), Ok(&[9][..]));
        assert_eq!(lengths(&[0, 4, 3, 10, 2, 0, 0, 0, 0], 3), Err(Malformed), "empty parts");
        assert_eq!(lengths(&[128, 1, 0, 3, 10], 3), Err(Malformed), "no parts");
    }
}
