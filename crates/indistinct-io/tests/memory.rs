//! Arrow arrays in memory: read as files are, and given back in the types that the schema declares.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    StringViewArray, TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int8Type, Int32Type, Schema, TimeUnit};
use indistinct_io::{Source, draft_schema, parse_schema, to_batch};

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn source(batch: &RecordBatch) -> Source {
    // In two parts, as chunked arrays come.
    let parts = vec![batch.slice(0, 1), batch.slice(1, batch.num_rows() - 1)];
    Source::from_batches("frame", batch.schema(), parts).unwrap()
}

#[test]
fn every_type_is_read_and_comes_back_as_declared() {
    let levels: DictionaryArray<Int8Type> = [Some("low"), None, Some("high")].into_iter().collect();
    let zoned = TimestampNanosecondArray::from(vec![Some(1_700_000_000_000_000_000), None, Some(0)]);
    let decimal = Decimal128Array::from(vec![Some(1_234), None, Some(-5)]).with_precision_and_scale(10, 2);
    let text = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let moment = DataType::Timestamp(TimeUnit::Microsecond, None);
    let columns: Vec<(&str, ArrayRef, DataType)> = vec![
        ("int8", Arc::new(Int8Array::from(vec![Some(-3), None, Some(7)])), DataType::Int64),
        ("uint64", Arc::new(UInt64Array::from(vec![Some(1), None, Some(12)])), DataType::Int64),
        ("float32", Arc::new(Float32Array::from(vec![Some(0.5), None, Some(-2.5)])), DataType::Float64),
        ("float64", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(1e-300)])), DataType::Float64),
        ("boolean", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])), DataType::Boolean),
        ("text", Arc::new(StringArray::from(vec![Some("a"), None, Some("b, c")])), text.clone()),
        ("large", Arc::new(LargeStringArray::from(vec![Some("x"), None, Some("x")])), text.clone()),
        (
            "view",
            Arc::new(StringViewArray::from(vec![Some("long enough for a view"), None, Some("y")])),
            text.clone(),
        ),
        ("levels", Arc::new(levels), text),
        ("date", Arc::new(Date32Array::from(vec![Some(19_000), None, Some(-1)])), DataType::Date32),
        (
            "millis",
            Arc::new(TimestampMillisecondArray::from(vec![Some(1_700_000_000_123), None, Some(0)])),
            moment.clone(),
        ),
        ("zoned", Arc::new(zoned.with_timezone("+02:00")), moment),
        ("decimal", Arc::new(decimal.unwrap()), DataType::Float64),
        ("nothing", Arc::new(NullArray::new(3)), DataType::Float64),
    ];
    let batch = batch(columns.iter().map(|(name, array, _)| (*name, Arc::clone(array))).collect());
    let source = source(&batch);
    let table = source.read(&draft_schema(&source).unwrap().schema).unwrap();
    let back = to_batch(&table).unwrap();
    assert_eq!(back.num_columns(), columns.len());
    for (place, (name, before, kind)) in columns.iter().enumerate() {
        let after = back.column(place);
        assert_eq!(after.data_type(), kind, "{name}");
        let same = cast(before, kind).unwrap();
        // A time zone is how moments are shown, and those of UTC are kept.
        if *name != "zoned" {
            assert_eq!(spelled(&same), spelled(after), "{name}");
        }
    }
}

/// Values as text, so that dictionaries with other positions count as the same.
fn spelled(array: &ArrayRef) -> Vec<Option<String>> {
    let value = |row| arrow::util::display::array_value_to_string(array, row).unwrap();
    (0..array.len()).map(|row| array.is_valid(row).then(|| value(row))).collect()
}

const DECLARED: &str = "version = 1\n[[column]]\nname = \"code\"\ntype = \"nominal\"\nlevels = [\"1\", \"2\"]\n\
    [[column]]\nname = \"day\"\ntype = \"date\"\nformat = \"%d/%m/%Y\"\n\
    [[column]]\nname = \"grade\"\ntype = \"ordered\"\nlevels = [\"low\", \"mid\", \"high\"]\n\
    [[column]]\nname = \"smoker\"\ntype = \"boolean\"\nfalse = \"no\"\ntrue = \"yes\"\n\
    [[column]]\nname = \"price\"\ntype = \"float\"\ndecimals = 2\n\
    [[column]]\nname = \"age\"\ntype = \"integer\"\n\
    [[column]]\nname = \"key\"\ntype = \"identifier\"\n";

#[test]
fn fields_follow_from_the_schema_alone() {
    let plain = batch(vec![
        ("day", Arc::new(StringArray::from(vec!["31/12/1999", "01/02/2003"]))),
        ("smoker", Arc::new(StringArray::from(vec!["yes", "no"]))),
        ("price", Arc::new(StringArray::from(vec!["1.50", "2.25"]))),
        ("code", Arc::new(Int64Array::from(vec![2, 1]))),
        ("grade", Arc::new(StringArray::from(vec!["high", "low"]))),
        ("age", Arc::new(Int64Array::from(vec![31, 64]))),
        ("key", Arc::new(StringArray::from(vec!["a", "b"]))),
    ]);
    // The same rows: other types, levels that do not occur, in another order, fields that are never null and say things.
    let levels = |codes: Vec<i8>, levels: Vec<&str>| -> ArrayRef {
        Arc::new(DictionaryArray::new(Int8Array::from(codes), Arc::new(StringArray::from(levels))))
    };
    let said = HashMap::from([("maximum".to_owned(), "918273645".to_owned())]);
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = [
        ("key", levels(vec![1, 0], vec!["MARK b", "MARK a"])),
        ("age", Arc::new(Float64Array::from(vec![31.0, 64.0])) as ArrayRef),
        ("grade", levels(vec![2, 1], vec!["MARK", "low", "high"])),
        ("code", levels(vec![0, 1], vec!["2", "1", "MARK"])),
        ("price", Arc::new(Float64Array::from(vec![1.5, 2.25])) as ArrayRef),
        ("smoker", levels(vec![0, 1], vec!["yes", "no", "MARK"])),
        ("day", Arc::new(Date32Array::from(vec![10_956, 12_084])) as ArrayRef),
    ]
    .into_iter()
    .map(|(name, array)| {
        (Field::new(name, array.data_type().clone(), false).with_metadata(said.clone()), array)
    })
    .unzip();
    let schema = Arc::new(Schema::new(fields).with_metadata(said));
    let dressed = RecordBatch::try_new(schema, arrays).unwrap();
    let declared = parse_schema(DECLARED).unwrap();
    let back = |batch: &RecordBatch| to_batch(&source(batch).read(&declared).unwrap()).unwrap();
    let (plain, dressed) = (back(&plain), back(&dressed));
    assert_eq!(plain, dressed);
    let names = ["code", "day", "grade", "smoker", "price", "age"];
    assert_eq!(dressed.schema().metadata(), &HashMap::new());
    for (field, name) in dressed.schema().fields().iter().zip(names) {
        assert_eq!((field.name().as_str(), field.is_nullable()), (name, true));
        assert!(field.metadata().is_empty(), "{name}");
    }
    let grades = dressed.column(2).as_any_dictionary().values();
    assert_eq!(grades.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["low", "mid", "high"]);
    assert_eq!(dressed.schema().field(2).dict_is_ordered(), Some(true));
}

#[test]
fn what_cannot_be_read_is_located() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let nested = batch(vec![("x", Arc::new(Int64Array::from(vec![1, 2]))), ("tags", Arc::new(list))]);
    let error = source(&nested).read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: column 2 is of type List, which cannot be read");

    // Periods are stored as numbers, and are none.
    let metadata = HashMap::from([("ARROW:extension:name".to_owned(), "pandas.period".to_owned())]);
    let field = Field::new("month", DataType::Int64, true).with_metadata(metadata);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch =
        RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(Int64Array::from(vec![1, 2]))]).unwrap();
    let error = Source::from_batches("frame", schema, vec![batch]).unwrap().read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: column 1 is of type pandas.period, which cannot be read");
}

#[test]
fn empty_tables_and_double_names_are_refused() {
    let fields = |names: &[&str]| {
        Arc::new(Schema::new(
            names.iter().map(|name| Field::new(*name, DataType::Int64, true)).collect::<Vec<_>>(),
        ))
    };
    let error = Source::from_batches("frame", fields(&[]), vec![]).unwrap_err();
    assert_eq!(error.to_string(), "frame: the table has no columns");
    let error = Source::from_batches("frame", fields(&["a", "a"]), vec![]).unwrap_err();
    assert_eq!(error.to_string(), "frame: columns 1 and 2 have the same name");
    let error = Source::from_batches("frame", fields(&["a"]), vec![]).unwrap().read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: the table has column names but no rows");
}
