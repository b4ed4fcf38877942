//! Makes the packed files of the corpus: `cargo test -p indistinct-fuzz --test make_corpus -- --ignored`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    StringViewArray, TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array,
};
use arrow::datatypes::{Int8Type, Int32Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};

fn place(target: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target).join(name)
}

/// A table with a column of every type that is read.
fn every_type() -> RecordBatch {
    let levels: DictionaryArray<Int8Type> =
        [Some("low"), None, Some("high"), Some("low")].into_iter().collect();
    let zoned =
        TimestampNanosecondArray::from(vec![Some(1_700_000_000_000_000_000), None, Some(0), Some(-1)]);
    let decimal = Decimal128Array::from(vec![Some(1_234), None, Some(-5), Some(0)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("int8", Arc::new(Int8Array::from(vec![Some(-3), None, Some(7), Some(0)]))),
        ("int64", Arc::new(Int64Array::from(vec![i64::MIN, -1, 5, i64::MAX]))),
        ("uint64", Arc::new(UInt64Array::from(vec![Some(1), None, Some(u64::MAX), Some(3)]))),
        ("float32", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(-2.5), Some(f32::NAN)]))),
        ("float64", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(1e-300), Some(1e300)]))),
        ("boolean", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]))),
        ("text", Arc::new(StringArray::from(vec![Some("a"), None, Some("b, c"), Some("a")]))),
        ("large", Arc::new(LargeStringArray::from(vec![Some("x"), None, Some("x"), Some("")]))),
        (
            "view",
            Arc::new(StringViewArray::from(vec![Some("long enough to be a view"), None, Some("y"), None])),
        ),
        ("levels", Arc::new(levels)),
        ("date", Arc::new(Date32Array::from(vec![Some(19_000), None, Some(-1), Some(0)]))),
        ("date64", Arc::new(Date64Array::from(vec![Some(86_400_000), None, Some(0), Some(1)]))),
        (
            "millis",
            Arc::new(TimestampMillisecondArray::from(vec![Some(1_700_000_000_123), None, Some(0), None])),
        ),
        ("zoned", Arc::new(zoned.with_timezone("+02:00"))),
        ("decimal", Arc::new(decimal.with_precision_and_scale(10, 2).unwrap())),
        ("nothing", Arc::new(NullArray::new(4))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

/// Columns that are enough to meet every encoding.
fn few_types() -> RecordBatch {
    let rows = 40;
    let text: StringArray =
        (0..rows).map(|row| (row % 7 != 3).then(|| format!("text {}", row / 3))).collect();
    let whole: Int64Array = (0..rows).map(|row| Some(row * row - 9)).collect();
    let real: Float64Array = (0..rows).map(|row| (row % 5 > 0).then_some(row as f64 / 8.0)).collect();
    let columns: Vec<(&str, ArrayRef)> =
        vec![("text", Arc::new(text)), ("whole", Arc::new(whole)), ("real", Arc::new(real))];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn parquet(
    name: &str,
    batch: &RecordBatch,
    with: impl Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
) {
    let file = File::create(place("parquet", name)).unwrap();
    let properties = with(WriterProperties::builder().set_created_by("x".to_owned())).build();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn arrow(name: &str, batches: &[RecordBatch], compression: Option<CompressionType>) {
    let file = File::create(place("arrow", name)).unwrap();
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = FileWriter::try_new_with_options(file, &batches[0].schema(), options).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
#[ignore = "it makes the files that other tests use"]
fn make_packed_files() {
    let (every, few) = (every_type(), few_types());
    parquet("every_type", &every, |properties| properties);
    for (name, codec) in [
        ("snappy", Compression::SNAPPY),
        ("gzip", Compression::GZIP(GzipLevel::default())),
        ("brotli", Compression::BROTLI(BrotliLevel::default())),
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
        ("lz4_raw", Compression::LZ4_RAW),
        ("lz4", Compression::LZ4),
    ] {
        parquet(name, &few, |properties| properties.set_compression(codec));
    }
    let plain = |properties: WriterPropertiesBuilder| properties.set_dictionary_enabled(false);
    for (name, encoding) in
        [("delta_text", Encoding::DELTA_BYTE_ARRAY), ("delta_length", Encoding::DELTA_LENGTH_BYTE_ARRAY)]
    {
        parquet(name, &few, |properties| {
            let properties = plain(properties).set_column_encoding("text".into(), encoding);
            let properties = properties.set_column_encoding("whole".into(), Encoding::DELTA_BINARY_PACKED);
            properties.set_column_encoding("real".into(), Encoding::BYTE_STREAM_SPLIT)
        });
    }
    parquet("second_version", &few, |properties| {
        properties.set_writer_version(WriterVersion::PARQUET_2_0).set_compression(Compression::SNAPPY)
    });
    parquet("groups", &few, |properties| {
        properties
            .set_max_row_group_row_count(Some(7))
            .set_data_page_row_count_limit(3)
            .set_write_batch_size(2)
    });
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), None]), None]);
    let nested: Vec<(&str, ArrayRef)> =
        vec![("list", Arc::new(list)), ("x", Arc::new(Int64Array::from(vec![1, 2])))];
    let nested = RecordBatch::try_from_iter(nested).unwrap();
    parquet("nested", &nested, |properties| properties);

    arrow("every_type", std::slice::from_ref(&every), None);
    arrow("two_batches", &[few.slice(0, 5), few.slice(5, 9)], None);
    arrow("zstd", std::slice::from_ref(&few), Some(CompressionType::ZSTD));
    arrow("lz4", std::slice::from_ref(&few), Some(CompressionType::LZ4_FRAME));
    arrow("nested", &[nested], None);

    for entry in fs::read_dir(place("csv", "")).unwrap() {
        let path = entry.unwrap().path();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&fs::read(&path).unwrap()).unwrap();
        fs::write(place("gzip", path.file_name().unwrap().to_str().unwrap()), packed.finish().unwrap())
            .unwrap();
    }
}
