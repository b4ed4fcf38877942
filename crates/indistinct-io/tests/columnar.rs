//! Parquet and Arrow files that others wrote: all types, nulls, and damage.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray,
    Float32Array, Float64Array, Int8Array, Int32Array, Int64Array, LargeStringArray, ListArray, NullArray,
    RecordBatch, StringArray, StringViewArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt16Array, UInt64Array,
};
use arrow::datatypes::{Int8Type, Int32Type};
use arrow::ipc::writer::FileWriter;
use common::texts;
use indistinct::table::{ColumnSchema, ColumnType, MISSING_CODE, MISSING_INTEGER, Schema, Values};
use indistinct_io::{ColumnPlace, Fault, Format, PlainValues, Problem, Source, Wanted};
use parquet::arrow::ArrowWriter;

fn ipc(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// The table as a file of either kind.
fn both(columns: Vec<(&str, ArrayRef)>) -> [Source; 2] {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    [
        Source::from_reader("t.parquet", Format::Parquet, parquet(&batch).as_slice()).unwrap(),
        Source::from_reader("t.arrow", Format::Arrow, ipc(&batch).as_slice()).unwrap(),
    ]
}

#[test]
fn every_type_without_a_schema() {
    const NONE: u32 = MISSING_CODE;
    let dictionary: DictionaryArray<Int8Type> = [Some("b"), None, Some("a")].into_iter().collect();
    let decimal =
        Decimal128Array::from(vec![Some(1), None, Some(-25)]).with_precision_and_scale(10, 1).unwrap();
    let zoned = TimestampNanosecondArray::from(vec![Some(1_500), None, Some(-1)]).with_timezone("+05:00");
    let columns: Vec<(&str, ArrayRef, PlainValues)> = vec![
        (
            "i8",
            Arc::new(Int8Array::from(vec![Some(-1), None, Some(2)])),
            PlainValues::Integers(vec![-1, MISSING_INTEGER, 2]),
        ),
        ("u16", Arc::new(UInt16Array::from(vec![1, 2, 3])), PlainValues::Integers(vec![1, 2, 3])),
        (
            "i64",
            Arc::new(Int64Array::from(vec![i64::MAX, 0, 1])),
            PlainValues::Integers(vec![i64::MAX, 0, 1]),
        ),
        (
            "u64",
            Arc::new(UInt64Array::from(vec![u64::MAX, 0, 1])),
            PlainValues::Floats(vec![u64::MAX as f64, 0.0, 1.0]),
        ),
        ("f32", Arc::new(Float32Array::from(vec![0.5, 1.0, 2.0])), PlainValues::Floats(vec![0.5, 1.0, 2.0])),
        ("f64", Arc::new(Float64Array::from(vec![0.1, 1.0, 2.0])), PlainValues::Floats(vec![0.1, 1.0, 2.0])),
        (
            "bool",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
            texts(&["false", "true"], &[1, NONE, 0]),
        ),
        (
            "utf8",
            Arc::new(StringArray::from(vec![Some("1"), None, Some("0")])),
            texts(&["0", "1"], &[1, NONE, 0]),
        ),
        ("large", Arc::new(LargeStringArray::from(vec!["x", "NA", "x"])), texts(&["x"], &[0, NONE, 0])),
        (
            "view",
            Arc::new(StringViewArray::from(vec!["x", "y", "a long text, longer than a view"])),
            texts(&["a long text, longer than a view", "x", "y"], &[1, 2, 0]),
        ),
        ("dictionary", Arc::new(dictionary), texts(&["a", "b"], &[1, NONE, 0])),
        (
            "date32",
            Arc::new(Date32Array::from(vec![Some(0), None, Some(1)])),
            texts(&["1970-01-01", "1970-01-02"], &[0, NONE, 1]),
        ),
        (
            "date64",
            Arc::new(Date64Array::from(vec![Some(0), None, Some(86_400_000)])),
            texts(&["1970-01-01", "1970-01-02"], &[0, NONE, 1]),
        ),
        (
            "seconds",
            Arc::new(TimestampSecondArray::from(vec![Some(0), None, Some(1)])),
            texts(&["1970-01-01T00:00:00", "1970-01-01T00:00:01"], &[0, NONE, 1]),
        ),
        (
            "millis",
            Arc::new(TimestampMillisecondArray::from(vec![Some(0), None, Some(1)])),
            texts(&["1970-01-01T00:00:00", "1970-01-01T00:00:00.001"], &[0, NONE, 1]),
        ),
        (
            "zoned",
            Arc::new(zoned),
            texts(&["1969-12-31T23:59:59.999999", "1970-01-01T00:00:00.000001"], &[1, NONE, 0]),
        ),
    ];
    let arrays = columns.iter().map(|(name, array, _)| (*name, Arc::clone(array))).collect();
    for source in both(arrays) {
        for (found, (name, _, expected)) in source.read_plain(&[]).unwrap().iter().zip(&columns) {
            assert_eq!(&found.name, name);
            assert_eq!(&found.values, expected, "{name} in {}", source.file());
        }
    }
    let nulls: Vec<(&str, ArrayRef)> = vec![
        ("decimal", Arc::new(decimal)),
        ("null", Arc::new(NullArray::new(3))),
        ("no text", Arc::new(StringArray::from(vec![None::<&str>; 3]))),
    ];
    for source in both(nulls) {
        let found = source.read_plain(&[]).unwrap();
        let spelled = |values: &PlainValues| format!("{values:?}");
        assert_eq!(spelled(&found[0].values), "Floats([0.1, NaN, -2.5])");
        assert_eq!(spelled(&found[1].values), "Floats([NaN, NaN, NaN])");
        assert_eq!(spelled(&found[2].values), "Floats([NaN, NaN, NaN])");
    }
}

#[test]
fn types_that_differ_from_the_declared_ones() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("whole", Arc::new(Float64Array::from(vec![Some(1.0), None, Some(-8.0)]))),
        ("coded", Arc::new(Int64Array::from(vec![Some(2), None, Some(1)]))),
        ("day", Arc::new(StringArray::from(vec!["02/01/1970", "-", "01/01/1970"]))),
        ("bit", Arc::new(Int8Array::from(vec![Some(0), None, Some(1)]))),
        ("truth", Arc::new(BooleanArray::from(vec![Some(false), None, Some(true)]))),
        ("moment", Arc::new(Date32Array::from(vec![Some(1), None, Some(0)]))),
    ];
    let boolean =
        |a: &str, b: &str| ColumnType::Boolean { when_false: a.to_owned(), when_true: b.to_owned() };
    let declared = vec![
        ColumnSchema::new("whole", ColumnType::Integer).with_missing(vec!["-8".to_owned()]),
        ColumnSchema::new(
            "coded",
            ColumnType::Ordered { levels: vec!["1".to_owned(), "2".to_owned()].into() },
        ),
        ColumnSchema::new("day", ColumnType::Date { format: "%d/%m/%Y".to_owned() }),
        ColumnSchema::new("bit", boolean("0", "1")),
        ColumnSchema::new("truth", boolean("no", "yes")),
        ColumnSchema::new("moment", ColumnType::DateTime { format: "%Y-%m-%dT%H:%M:%S".to_owned() }),
    ];
    let schema = Schema::new(vec!["-".to_owned()], declared).unwrap();
    for source in both(columns) {
        let table = source.read(&schema).unwrap();
        let values: Vec<&Values> = table.columns().iter().map(indistinct::table::Column::values).collect();
        assert_eq!(values[0], &Values::Integer(vec![1, MISSING_INTEGER, MISSING_INTEGER]));
        assert_eq!(values[1], &Values::Code(vec![1, MISSING_CODE, 0]));
        assert_eq!(values[2], &Values::Date(vec![1, i32::MIN, 0]));
        assert_eq!(values[3], &Values::Code(vec![0, MISSING_CODE, 1]));
        assert_eq!(values[4], &Values::Code(vec![0, MISSING_CODE, 1]));
        assert_eq!(values[5], &Values::DateTime(vec![86_400_000_000, MISSING_INTEGER, 0]));
    }
}

#[test]
fn wrong_values_are_located() {
    let float: ArrayRef = Arc::new(Float64Array::from(vec![0.0, f64::NAN, f64::INFINITY]));
    for source in both(vec![("x", float)]) {
        let at = |column| Problem::Value { row: 3, column, fault: Fault::Infinite };
        assert_eq!(source.read_plain(&[]).unwrap_err().problem(), &at(ColumnPlace::At(1)));
        let expected = at(ColumnPlace::Named("x".to_owned()));
        let schema = Schema::new(vec![], vec![ColumnSchema::new("x", ColumnType::Float)]).unwrap();
        assert_eq!(source.read(&schema).unwrap_err().problem(), &expected);
    }
}

#[test]
fn columns_of_no_use_are_named_and_may_be_read_past() {
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)]), None]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("x", Arc::new(Int32Array::from(vec![1, 2]))),
        ("list", Arc::new(lists)),
        ("bytes", Arc::new(BinaryArray::from(vec![&b"a"[..], b"b"]))),
    ];
    for source in both(columns) {
        let error = source.read_plain(&[]).unwrap_err();
        assert_eq!(error.problem(), &Problem::UnsupportedType { column: 2, kind: "List".to_owned() });
        let wanted = [Wanted::Inferred, Wanted::Nothing, Wanted::Nothing];
        assert_eq!(source.read_plain(&wanted).unwrap().len(), 1);
    }
}

#[test]
fn no_rows_and_repeated_names() {
    let batch = |names: [&'static str; 2], rows: Vec<i32>| {
        let array: ArrayRef = Arc::new(Int32Array::from(rows));
        RecordBatch::try_from_iter(names.map(|name| (name, Arc::clone(&array)))).unwrap()
    };
    for (format, write) in [(Format::Arrow, ipc as fn(&RecordBatch) -> Vec<u8>), (Format::Parquet, parquet)] {
        let problem = |batch: &RecordBatch| {
            let source = Source::from_reader("t", format, write(batch).as_slice());
            source.and_then(|source| source.read_plain(&[])).unwrap_err().problem().clone()
        };
        assert_eq!(problem(&batch(["a", "b"], vec![])), Problem::NoRows);
        let repeated = Problem::DuplicateName { first: 1, second: 2 };
        assert_eq!(problem(&batch(["a", "a"], vec![1])), repeated);
    }
}

/// Whatever is cut off or changed: an error or some table, never a panic that gets out.
#[test]
fn damage_is_an_error() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("x", Arc::new(Int32Array::from(vec![1, 2, 3]))),
        ("s", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let try_read = |format, bytes: &[u8]| {
        Source::from_reader("t", format, bytes).and_then(|source| source.read_plain(&[]))
    };
    for (format, bytes) in [(Format::Parquet, parquet(&batch)), (Format::Arrow, ipc(&batch))] {
        assert!(try_read(format, &bytes).is_ok());
        for length in 0..bytes.len() {
            let error = try_read(format, &bytes[..length]).unwrap_err();
            let expected = if length == 0 { Problem::EmptyFile } else { Problem::Damaged(format) };
            assert_eq!(error.problem(), &expected, "{length} bytes");
        }
        for position in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[position] ^= 0x55;
            _ = try_read(format, &changed);
        }
        assert!(try_read(format, b"this is no such file, but text of some length").is_err());
    }
}
