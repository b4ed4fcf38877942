//! Arrow files.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, DictionaryArray, Int8Array, Int64Array, NullArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use indistinct_io::{Format, Problem};

use crate::{expands, feed, problem};

fn file(array: ArrayRef, compression: Option<CompressionType>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable([("x", array, true)]).unwrap();
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

#[test]
fn a_column_of_nulls_takes_no_bytes_and_still_has_rows() {
    let rows = 1 << 40;
    assert!(expands(&problem("arrow", Format::Arrow, &file(Arc::new(NullArray::new(rows)), None))));
    feed("arrow", &file(Arc::new(NullArray::new(1000)), None));
}

#[test]
fn packed_buffers_that_claim_a_terabyte_are_not_unpacked() {
    for codec in [CompressionType::ZSTD, CompressionType::LZ4_FRAME] {
        let numbers: Int64Array = (0..1000).map(|row| Some(row % 3)).collect();
        let mut bytes = file(Arc::new(numbers), Some(codec));
        let length = 8000_i64.to_le_bytes();
        let places: Vec<usize> = (0..bytes.len() - 8).filter(|&at| bytes[at..at + 8] == length).collect();
        assert!(!places.is_empty());
        for claim in [1_i64 << 40, i64::MAX] {
            for &at in &places {
                bytes[at..at + 8].copy_from_slice(&claim.to_le_bytes());
            }
            assert!(expands(&problem("arrow", Format::Arrow, &bytes)));
        }
        // A little more than is there.
        for &at in &places {
            bytes[at..at + 8].copy_from_slice(&8001_i64.to_le_bytes());
        }
        assert_eq!(problem("arrow", Format::Arrow, &bytes), Problem::Damaged(Format::Arrow));
    }
}

#[test]
fn a_long_text_that_all_rows_share_is_not_copied_for_each() {
    let text = "long ".repeat(20_000);
    let rows = 50_000;
    let keys = Int8Array::from(vec![0; rows]);
    let shared = DictionaryArray::new(keys, Arc::new(StringArray::from(vec![text.as_str()])));
    assert!(expands(&problem("arrow", Format::Arrow, &file(Arc::new(shared), None))));
    let one = StringViewArray::from(vec![text.as_str()]);
    let views = StringViewArray::new(vec![one.views()[0]; rows].into(), one.data_buffers().to_vec(), None);
    assert_eq!(views.len(), rows);
    assert!(expands(&problem("arrow", Format::Arrow, &file(Arc::new(views), None))));
}

#[test]
fn short_texts_that_many_rows_share_are_read() {
    let keys = Int8Array::from(vec![0; 100_000]);
    let shared = DictionaryArray::new(keys, Arc::new(StringArray::from(vec!["a level"])));
    let bytes = file(Arc::new(shared), None);
    let source =
        indistinct_io::Source::from_reader_within("t", Format::Arrow, bytes.as_slice(), crate::EXPANSION);
    assert_eq!(source.unwrap().read_plain(&[]).unwrap()[0].values.len(), 100_000);
}

#[test]
fn a_footer_beyond_the_file_is_refused() {
    let numbers: Int64Array = (0..10).map(Some).collect();
    let mut bytes = file(Arc::new(numbers), None);
    let at = bytes.len() - 10;
    for claim in [i32::MAX, -1, 0, 7] {
        bytes[at..at + 4].copy_from_slice(&claim.to_le_bytes());
        assert_eq!(problem("arrow", Format::Arrow, &bytes), Problem::Damaged(Format::Arrow));
    }
}
