//! Parquet files.

use std::sync::Arc;

use arrow::array::{ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray};
use indistinct_io::{Format, Problem, Source};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::pages::{Page, file, levels, unsigned};
use crate::{EXPANSION, expands, feed, problem};

const DAMAGED: Problem = Problem::Damaged(Format::Parquet);
const TEXT: &str = "optional binary x (UTF8)";
const WHOLE: &str = "optional int64 x";
const PLAIN: Compression = Compression::UNCOMPRESSED;

fn written(array: ArrayRef, codec: Compression) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter([("x", array)]).unwrap();
    let properties = WriterProperties::builder().set_compression(codec).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn refused(bytes: &[u8]) -> Problem {
    problem("parquet", Format::Parquet, bytes)
}

fn page(encoding: Encoding, values: i64, bytes: Vec<u8>) -> Page {
    Page { dictionary: false, encoding, values, unpacked: bytes.len() as i64, bytes }
}

#[test]
fn pages_that_are_right_are_read() {
    let plain: Vec<u8> =
        [levels(2, true), 7_i64.to_le_bytes().to_vec(), 9_i64.to_le_bytes().to_vec()].concat();
    let bytes = file(WHOLE, PLAIN, 2, &[page(Encoding::PLAIN, 2, plain)]);
    feed("parquet", &bytes);
    let source = Source::from_reader_within("t", Format::Parquet, bytes.as_slice(), EXPANSION).unwrap();
    assert_eq!(source.read_plain(&[]).unwrap()[0].values.len(), 2);
}

#[test]
fn a_column_of_one_value_has_rows_beyond_its_bytes() {
    // Two million equal numbers are some hundred bytes, and more than a file of that size may unpack to here.
    let bytes = written(Arc::new(Int64Array::from(vec![5; 2_000_000])), PLAIN);
    assert!(bytes.len() < 10_000);
    assert!(expands(&refused(&bytes)));
    let source = Source::from_reader("t", Format::Parquet, bytes.as_slice()).unwrap();
    assert_eq!(source.read_plain(&[]).unwrap()[0].values.len(), 2_000_000, "which the usual limit allows");
}

#[test]
fn packed_pages_that_are_huge_are_not_unpacked() {
    let text = "a".repeat(32 << 20);
    for codec in [
        Compression::ZSTD(ZstdLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::GZIP(GzipLevel::default()),
    ] {
        let bytes = written(Arc::new(StringArray::from(vec![text.as_str()])), codec);
        assert!(bytes.len() < 200_000, "{}", bytes.len());
        assert!(expands(&refused(&bytes)));
    }
}

#[test]
fn pages_that_unpack_to_more_than_they_say_are_refused() {
    let text = "a".repeat(32 << 20);
    for codec in [Compression::BROTLI(BrotliLevel::default()), Compression::GZIP(GzipLevel::default())] {
        let mut bytes = written(Arc::new(StringArray::from(vec![text.as_str()])), codec);
        // Where a size is said that is a little more than the text's, in four or five bytes, a smaller one is put.
        let mut patched = 0;
        for at in 0..1000 {
            let Some(four) = bytes.get_mut(at..at + 4) else { break };
            let value = four.iter().rev().fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7f)) >> 1;
            let written = four[..3].iter().all(|byte| *byte >= 0x80) && four[3] < 0x80;
            if written && (text.len() as u64..text.len() as u64 + 100).contains(&value) {
                four.copy_from_slice(&[0xc8, 0x81, 0x80, 0x00]);
                patched += 1;
            }
        }
        assert!(patched > 0);
        assert_eq!(refused(&bytes), DAMAGED);
    }
}

#[test]
fn claims_of_pages_are_compared_with_the_file() {
    let most = i64::from(i32::MAX);
    let rle = |values: i64| [levels(values, true), vec![1], unsigned((values as u64) << 1), vec![0]].concat();
    let dictionary = |values: i64| Page {
        dictionary: true,
        encoding: Encoding::PLAIN,
        values,
        unpacked: 8,
        bytes: 5_i64.to_le_bytes().to_vec(),
    };
    let data = |values: i64| page(Encoding::RLE_DICTIONARY, values, rle(values));
    feed("parquet", &file(WHOLE, PLAIN, 10, &[dictionary(1), data(10)]));
    assert_eq!(
        refused(&file(WHOLE, PLAIN, 10, &[dictionary(most), data(10)])),
        DAMAGED,
        "values of a dictionary"
    );
    assert!(expands(&refused(&file(WHOLE, PLAIN, most, &[dictionary(1), data(most)]))), "rows");
    let mut large = data(10);
    large.unpacked = most;
    assert!(expands(&refused(&file(WHOLE, PLAIN, 10, &[dictionary(1), large]))), "bytes");
    let mut negative = data(10);
    negative.unpacked = -1;
    assert_eq!(refused(&file(WHOLE, PLAIN, 10, &[dictionary(1), negative])), DAMAGED);
}

#[test]
fn lengths_of_texts_are_no_more_than_values() {
    // Blocks of 128 in four parts, so many lengths, all of them 1 bit wide at most.
    let lengths = |count: u64| [vec![0x80, 1, 4], unsigned(count), vec![0, 0, 0, 0, 0, 0]].concat();
    for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
        for count in [1 << 40, 1 << 62, 4] {
            let bytes = [levels(3, true), lengths(count), lengths(count)].concat();
            assert_eq!(refused(&file(TEXT, PLAIN, 3, &[page(encoding, 3, bytes)])), DAMAGED, "{count}");
        }
        let bytes = [levels(3, true), lengths(3), lengths(3)].concat();
        feed("parquet", &file(TEXT, PLAIN, 3, &[page(encoding, 3, bytes)]));
    }
}

#[test]
fn a_letter_is_not_cut_between_two_texts() {
    // Two texts of one byte each, which are two bytes of one letter.
    let two = [vec![0x80, 1, 4, 2, 2, 0, 0, 0, 0, 0], "é".as_bytes().to_vec()].concat();
    let bytes = [levels(2, true), two].concat();
    let file = |bytes: Vec<u8>| file(TEXT, PLAIN, 2, &[page(Encoding::DELTA_LENGTH_BYTE_ARRAY, 2, bytes)]);
    assert_eq!(refused(&file(bytes.clone())), DAMAGED);
    let plain: Vec<u8> = bytes.iter().map(|byte| if *byte > 0x80 { b'x' } else { *byte }).collect();
    feed("parquet", &file(plain));
}

#[test]
fn a_long_text_that_all_rows_share_is_not_copied_for_each() {
    let text = "long ".repeat(20_000);
    let rows = 60_000;
    let keys = Int32Array::from(vec![0; rows]);
    let shared = DictionaryArray::new(keys, Arc::new(StringArray::from(vec![text.as_str()])));
    let bytes = written(Arc::new(shared), PLAIN);
    assert!(bytes.len() < 400_000, "{}", bytes.len());
    assert!(expands(&refused(&bytes)));
}

#[test]
fn rows_without_values_take_no_memory_for_them() {
    for column in ["optional fixed_len_byte_array(16) x (DECIMAL(20, 2))", TEXT, WHOLE] {
        let bytes = file(column, PLAIN, 1000, &[page(Encoding::PLAIN, 1000, levels(1000, false))]);
        feed("parquet", &bytes);
    }
}

/// A file of a footer only.
fn footer(thrift: &[u8]) -> Vec<u8> {
    [b"PAR1", thrift, &(thrift.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

#[test]
fn footers_that_claim_more_than_they_hold_are_refused() {
    let most = unsigned(i32::MAX as u64);
    let element = |children: &[u8]| [&[0x48, 1, b'x', 0x15], children, &[0]].concat();
    let schema = |length: &[u8], elements: &[u8]| [&[0x15, 2, 0x19, 0xfc], length, elements].concat();
    // So many columns, children, row groups.
    assert_eq!(refused(&footer(&schema(&most, &[]))), DAMAGED);
    let children = schema(&[1], &element(&unsigned(u64::from(u32::MAX) - 1)));
    assert_eq!(refused(&footer(&[children, vec![0]].concat())), DAMAGED);
    let groups = [schema(&[1], &element(&[0])), vec![0x16, 2, 0x19, 0xfc], most, vec![0]].concat();
    assert_eq!(refused(&footer(&groups)), DAMAGED);
    // A hundred thousand columns inside each other.
    let depth = 100_000;
    let deep = schema(&unsigned(depth), &element(&[2]).repeat(depth as usize));
    assert_eq!(refused(&footer(&[deep, vec![0]].concat())), DAMAGED);
}
