//! Arrow arrays in memory: read as files are, and given back in the types that came.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    StringViewArray, TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Int8Type, Int32Type, Schema};
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
fn every_type_comes_back() {
    let levels: DictionaryArray<Int8Type> = [Some("low"), None, Some("high")].into_iter().collect();
    let zoned = TimestampNanosecondArray::from(vec![Some(1_700_000_000_000_000_000), None, Some(0)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("int8", Arc::new(Int8Array::from(vec![Some(-3), None, Some(7)]))),
        ("uint64", Arc::new(UInt64Array::from(vec![Some(1), None, Some(12)]))),
        ("float32", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(-2.5)]))),
        ("float64", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(1e-300)]))),
        ("boolean", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("text", Arc::new(StringArray::from(vec![Some("a"), None, Some("b, c")]))),
        ("large", Arc::new(LargeStringArray::from(vec![Some("x"), None, Some("x")]))),
        ("view", Arc::new(StringViewArray::from(vec![Some("long enough to be a view"), None, Some("y")]))),
        ("levels", Arc::new(levels)),
        ("date", Arc::new(Date32Array::from(vec![Some(19_000), None, Some(-1)]))),
        ("date64", Arc::new(Date64Array::from(vec![Some(86_400_000), None, Some(0)]))),
        ("millis", Arc::new(TimestampMillisecondArray::from(vec![Some(1_700_000_000_123), None, Some(0)]))),
        ("zoned", Arc::new(zoned.with_timezone("+02:00"))),
        (
            "decimal",
            Arc::new(
                Decimal128Array::from(vec![Some(1_234), None, Some(-5)])
                    .with_precision_and_scale(10, 2)
                    .unwrap(),
            ),
        ),
        ("nothing", Arc::new(NullArray::new(3))),
    ];
    let batch = batch(columns);
    let source = source(&batch);
    let table = source.read(&draft_schema(&source).unwrap().schema).unwrap();
    let back = to_batch(&table, &batch.schema()).unwrap();
    assert_eq!(back.schema().fields().len(), batch.schema().fields().len());
    for (column, field) in batch.schema().fields().iter().enumerate() {
        let (before, after) = (batch.column(column), back.column(column));
        assert_eq!(before.data_type(), after.data_type(), "{}", field.name());
        assert_eq!(spelled(before), spelled(after), "{}", field.name());
    }
}

/// Values as text, so that dictionaries with other positions count as the same.
fn spelled(array: &ArrayRef) -> Vec<Option<String>> {
    let value = |row| arrow::util::display::array_value_to_string(array, row).unwrap();
    (0..array.len()).map(|row| array.is_valid(row).then(|| value(row))).collect()
}

#[test]
fn text_comes_back_as_it_was_spelled() {
    let batch = batch(vec![
        ("day", Arc::new(StringArray::from(vec!["31/12/1999", "01/02/2003"]))),
        ("smoker", Arc::new(StringArray::from(vec!["yes", "no"]))),
        ("price", Arc::new(StringArray::from(vec!["1.50", "2.25"]))),
        ("code", Arc::new(Int64Array::from(vec![2, 1]))),
    ]);
    let schema = "version = 1\n[[column]]\nname = \"code\"\ntype = \"nominal\"\nlevels = [\"1\", \"2\"]\n\
        [[column]]\nname = \"day\"\ntype = \"date\"\nformat = \"%d/%m/%Y\"\n\
        [[column]]\nname = \"smoker\"\ntype = \"boolean\"\nfalse = \"no\"\ntrue = \"yes\"\n\
        [[column]]\nname = \"price\"\ntype = \"float\"\ndecimals = 2\n";
    let table = source(&batch).read(&parse_schema(schema).unwrap()).unwrap();
    let back = to_batch(&table, &batch.schema()).unwrap();
    assert_eq!(back, batch, "types, order of columns and spellings");
}

#[test]
fn numbers_that_do_not_fit_keep_their_own_type() {
    let batch = batch(vec![("x", Arc::new(Float64Array::from(vec![0.5, 2.0])))]);
    let source = source(&batch);
    let table = source.read(&draft_schema(&source).unwrap().schema).unwrap();
    let wanted = |kind: DataType| Schema::new(vec![Field::new("x", kind, true)]);
    let back = to_batch(&table, &wanted(DataType::Int64)).unwrap();
    assert_eq!(back.column(0).data_type(), &DataType::Float64);
    let narrow = to_batch(&table, &wanted(DataType::Float32)).unwrap();
    assert_eq!(narrow.column(0).data_type(), &DataType::Float32);
}

#[test]
fn what_cannot_be_read_is_named() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let nested = batch(vec![("x", Arc::new(Int64Array::from(vec![1, 2]))), ("tags", Arc::new(list))]);
    let error = source(&nested).read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: column `tags` is of type List, which cannot be read");

    // Periods are stored as numbers, and are none.
    let metadata = HashMap::from([("ARROW:extension:name".to_owned(), "pandas.period".to_owned())]);
    let field = Field::new("month", DataType::Int64, true).with_metadata(metadata);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch =
        RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(Int64Array::from(vec![1, 2]))]).unwrap();
    let error = Source::from_batches("frame", schema, vec![batch]).unwrap().read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: column `month` is of type pandas.period, which cannot be read");
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
    assert_eq!(error.to_string(), "frame: columns 1 and 2 are both named `a`");
    let error = Source::from_batches("frame", fields(&["a"]), vec![]).unwrap().read_plain(&[]).unwrap_err();
    assert_eq!(error.to_string(), "frame: the table has column names but no rows");
}
