//! Checks of the pages of a column of a Parquet file, before its reader unpacks them.
//!
//! Parquet's reader allocates what a page claims to hold, and some of its codecs unpack without limit. So every
//! header is read here first: what pages claim must be within the file's allowance, and true where it could do
//! harm.

use std::io::{self, Read};

use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;

use super::delta;
use super::file_bytes::FileBytes;
use super::thrift::{Kind, Malformed, Thrift};
use crate::error::Problem;
use crate::expansion::Allowance;
use crate::format::Format;

/// Most bytes that a cell takes in the end.
const CELL: u64 = 8;
/// Bytes in which a header's end is looked for, at first.
const HEADER: u64 = 1 << 9;
const DAMAGED: Problem = Problem::Damaged(Format::Parquet);

/// Encodings, by their numbers in the file.
const DELTA_LENGTHS: i64 = 6;
const DELTA_TEXTS: i64 = 7;
/// Kinds of pages, by their numbers in the file.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_2: i64 = 3;

/// Facts about the pages of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pages {
    /// Bytes of the longest page, unpacked: no text can be longer.
    pub(super) longest: usize,
    /// Whether some texts are spelled by what they share with the one before.
    pub(super) shared: bool,
    /// Bytes that were taken from the allowance: what the pages unpack to, and the cells in the end.
    pub(super) unpacked: u64,
}

/// The contents of a page's header.
#[derive(Debug, Default)]
struct Header {
    kind: i64,
    packed: usize,
    unpacked: usize,
    values: u64,
    encoding: i64,
    /// Bytes before the values, in a page of the second version: never packed.
    levels: usize,
    /// Whether a page of the second version says that its values are not packed.
    is_plain: bool,
}

/// Checks the pages of a column in one group of rows.
pub(super) fn check(
    file: &FileBytes,
    chunk: &ColumnChunkMetaData,
    allowance: &Allowance,
) -> Result<Pages, Problem> {
    let (start, length) = chunk.byte_range();
    let end = start.checked_add(length).filter(|end| *end <= file.length()).ok_or(DAMAGED)?;
    let mut found = Pages::default();
    let mut counted = false;
    let mut at = start;
    // Page by page, so that no more than one is in memory.
    while at < end {
        let (header, length) = header_at(file, at, end)?;
        at += length;
        let next = at.checked_add(header.packed as u64).filter(|next| *next <= end).ok_or(DAMAGED)?;
        // Values of a dictionary are not rows, but take a byte each at least.
        let cells = match header.kind {
            DICTIONARY if header.values > header.unpacked as u64 => return Err(DAMAGED),
            DICTIONARY => 0,
            _ => header.values.saturating_mul(CELL),
        };
        let taken = cells.saturating_add(header.unpacked as u64);
        allowance.take(taken)?;
        found.unpacked = found.unpacked.saturating_add(taken);
        if must_unpack(&header, chunk.compression()) {
            let page = file.range(at, header.packed as u64)?.ok_or(DAMAGED)?;
            if !unpacks(&page, &header, chunk.compression()) {
                return Err(DAMAGED);
            }
        }
        found.longest = found.longest.max(header.unpacked);
        found.shared |= header.encoding == DELTA_TEXTS;
        counted |= matches!(header.encoding, DELTA_LENGTHS | DELTA_TEXTS);
        at = next;
    }
    if counted {
        delta::check(file, chunk)?;
    }
    Ok(found)
}

/// The header of the page that begins at a position, and its length in bytes.
fn header_at(file: &FileBytes, at: u64, end: u64) -> Result<(Header, u64), Problem> {
    let mut length = HEADER.min(end - at);
    loop {
        let bytes = file.range(at, length)?.ok_or(DAMAGED)?;
        let mut thrift = Thrift::new(&bytes);
        match header(&mut thrift) {
            Ok(header) => return Ok((header, length - thrift.left() as u64)),
            // It may go on: some have statistics with long texts.
            Err(Malformed) if length < end - at => length = length.saturating_mul(4).min(end - at),
            Err(Malformed) => return Err(DAMAGED),
        }
    }
}

/// Whether the sizes of a page are not known to be true by its header, because its codec would not stop where it says.
fn must_unpack(header: &Header, codec: Compression) -> bool {
    let is_known = header.levels <= header.unpacked && header.levels <= header.packed;
    !header.is_plain && (!is_known || matches!(codec, Compression::GZIP(_) | Compression::BROTLI(_)))
}

/// Whether a page unpacks to as much as it says, for codecs that would otherwise not stop there.
fn unpacks(page: &[u8], header: &Header, codec: Compression) -> bool {
    let (Some(packed), Some(values)) =
        (page.get(header.levels..), header.unpacked.checked_sub(header.levels))
    else {
        return false;
    };
    let length = |reader: &mut dyn Read| {
        let most = (values as u64).saturating_add(1);
        io::copy(&mut reader.take(most), &mut io::sink()).ok() == Some(values as u64)
    };
    match codec {
        // Nothing is unpacked where nothing is there.
        _ if values == 0 => true,
        Compression::GZIP(_) => length(&mut flate2::read::MultiGzDecoder::new(packed)),
        Compression::BROTLI(_) => length(&mut brotli::Decompressor::new(packed, 1 << 12)),
        _ => true,
    }
}

/// Reads the header of a page.
fn header(thrift: &mut Thrift<'_>) -> Result<Header, Malformed> {
    let size = |value: i64| usize::try_from(value).map_err(|_| Malformed);
    let mut header = Header::default();
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(last)? {
        last = field;
        match (field, kind) {
            (1, Kind::I32) => header.kind = thrift.signed()?,
            (2, Kind::I32) => header.unpacked = size(thrift.signed()?)?,
            (3, Kind::I32) => header.packed = size(thrift.signed()?)?,
            (4, Kind::I32) => _ = thrift.signed()?,
            (5, Kind::Struct) => inner(thrift, &mut header, DATA)?,
            (7, Kind::Struct) => inner(thrift, &mut header, DICTIONARY)?,
            (8, Kind::Struct) => inner(thrift, &mut header, DATA_2)?,
            (1..=5 | 7 | 8, _) => return Err(Malformed),
            (_, kind) => thrift.skip(kind)?,
        }
    }
    Ok(header)
}

/// Reads the part of a header that is specific to a kind of page.
fn inner(thrift: &mut Thrift<'_>, header: &mut Header, kind: i64) -> Result<(), Malformed> {
    let count = |value: i64| u64::try_from(value).map_err(|_| Malformed);
    let mut levels = 0;
    let mut last = 0;
    while let Some((field, found)) = thrift.field(last)? {
        last = field;
        match (kind, field, found) {
            (_, 1, Kind::I32) => header.values = header.values.max(count(thrift.signed()?)?),
            (DATA | DICTIONARY, 2, Kind::I32) | (DATA_2, 4, Kind::I32) => {
                header.encoding = thrift.signed()?;
            }
            (DATA_2, 5 | 6, Kind::I32) => levels += count(thrift.signed()?)?,
            (DATA_2, 7, Kind::False) => header.is_plain = true,
            (DATA_2, 7, Kind::True) | (DICTIONARY, 3, Kind::True | Kind::False) => {}
            (DATA, 3 | 4, Kind::I32) | (DATA_2, 2 | 3, Kind::I32) => _ = thrift.signed()?,
            (DATA, 5, Kind::Struct) | (DATA_2, 8, Kind::Struct) => thrift.skip(found)?,
            (DATA, 1..=5, _) | (DICTIONARY, 1..=3, _) | (DATA_2, 1..=8, _) => return Err(Malformed),
            (_, _, found) => thrift.skip(found)?,
        }
    }
    header.levels = usize::try_from(levels).map_err(|_| Malformed)?;
    Ok(())
}
