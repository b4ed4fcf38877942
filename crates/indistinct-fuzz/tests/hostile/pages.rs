//! Parquet files of one column whose pages say what we want them to.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// Numbers as Thrift writes them.
pub(crate) fn unsigned(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn signed(value: i64) -> Vec<u8> {
    unsigned(((value << 1) ^ (value >> 63)).cast_unsigned())
}

/// A page: its kind, encoding, values, claimed size and bytes.
pub(crate) struct Page {
    pub(crate) dictionary: bool,
    pub(crate) encoding: Encoding,
    pub(crate) values: i64,
    pub(crate) unpacked: i64,
    pub(crate) bytes: Vec<u8>,
}

impl Page {
    fn written(&self) -> Vec<u8> {
        let field = |delta: u8, value: i64| [vec![delta << 4 | 5], signed(value)].concat();
        let encoding = match self.encoding {
            Encoding::PLAIN => 0,
            Encoding::RLE_DICTIONARY => 8,
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 6,
            Encoding::DELTA_BYTE_ARRAY => 7,
            other => panic!("{other}"),
        };
        let mut header = [
            field(1, if self.dictionary { 2 } else { 0 }),
            field(1, self.unpacked),
            field(1, self.bytes.len() as i64),
        ]
        .concat();
        // The fifth field is the header of a data page, the seventh that of a dictionary.
        header.push(if self.dictionary { 0x4c } else { 0x2c });
        header.extend([field(1, self.values), field(1, encoding)].concat());
        if !self.dictionary {
            header.extend([field(1, 3), field(1, 3)].concat());
        }
        header.extend([0, 0]);
        [header, self.bytes.clone()].concat()
    }
}

/// A file of one column, declared as in `optional binary x (UTF8)`.
pub(crate) fn file(column: &str, codec: Compression, rows: i64, pages: &[Page]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {column}; }}")).unwrap());
    let properties = WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_1_0).build();
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::new(properties)).unwrap();
    let chunk: Vec<u8> = pages.iter().flat_map(Page::written).collect();
    let descriptor = writer.schema_descr().column(0);
    let mut metadata = ColumnChunkMetaData::builder(descriptor)
        .set_compression(codec)
        .set_num_values(rows)
        .set_total_compressed_size(chunk.len() as i64)
        .set_total_uncompressed_size(chunk.len() as i64)
        .set_data_page_offset(0);
    if pages[0].dictionary {
        metadata = metadata
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(pages[0].written().len() as i64);
    }
    let mut group = writer.next_row_group().unwrap();
    let closed = ColumnCloseResult {
        bytes_written: chunk.len() as u64,
        rows_written: rows as u64,
        metadata: metadata.build().unwrap(),
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    group.append_column(&Bytes::from(chunk), closed).unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

/// Levels that say that no value is missing, or that all are.
pub(crate) fn levels(values: i64, present: bool) -> Vec<u8> {
    let run = [unsigned((values as u64) << 1), vec![u8::from(present)]].concat();
    [(run.len() as u32).to_le_bytes().to_vec(), run].concat()
}
