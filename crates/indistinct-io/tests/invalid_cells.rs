//! Cells that a schema does not allow: refused, or missing values, each by itself; and numbers beyond limits, which are neither.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use indistinct::table::{Schema, Table};
use indistinct_io::{Format, Invalid, Source, parse_schema};

const SCHEMA: &str = r#"version = 1
[[column]]
name = "x"
type = "float"
[[column]]
name = "k"
type = "integer"
[[column]]
name = "level"
type = "nominal"
levels = ["a", "b"]
[[column]]
name = "flag"
type = "boolean"
false = "no"
true = "yes"
[[column]]
name = "day"
type = "date"
[[column]]
name = "at"
type = "datetime"
"#;

fn schema() -> Schema {
    parse_schema(SCHEMA).unwrap()
}

fn read(rows: &[[&str; 6]], tabs: bool, invalid: Invalid) -> Result<Table, String> {
    let between = if tabs { "\t" } else { "," };
    let lines = rows.iter().map(|row| row.join(between) + "\n");
    let text = ["x", "k", "level", "flag", "day", "at"].join(between) + "\n" + &lines.collect::<String>();
    let format = if tabs { Format::TSV } else { Format::CSV };
    let source = Source::from_reader("t", format, text.as_bytes()).unwrap();
    source.read_with(&schema(), invalid).map_err(|error| error.to_string())
}

/// A table as text, in which what is missing is the same everywhere: NaN is not equal to itself.
fn shown(table: &Table) -> String {
    format!("{table:?}")
}

const GOOD: [&str; 6] = ["1.5", "2", "a", "no", "2001-02-03", "2001-02-03T04:05:06"];
const BAD: [(usize, &str); 11] = [
    (0, "many"),
    (0, "1e999"),
    (0, "-inf"),
    (1, "2.5"),
    (1, "99999999999999999999"),
    (1, "two"),
    (2, "zebra"),
    (3, "maybe"),
    (4, "03/02/2001"),
    (4, "2001-02-30"),
    (5, "yesterday"),
];

#[test]
fn an_invalid_cell_is_refused_or_read_as_an_empty_one() {
    for (column, cell) in BAD {
        for tabs in [false, true] {
            let with = |cell| {
                let mut rows = [GOOD; 5];
                rows[3][column] = cell;
                rows
            };
            let refused = read(&with(cell), tabs, Invalid::Refuse).unwrap_err();
            assert!(refused.contains("row 4") && !refused.contains(cell), "{refused}");
            let empty = read(&with(""), tabs, Invalid::Refuse).unwrap();
            let missing = read(&with(cell), tabs, Invalid::Missing).unwrap();
            assert_eq!(shown(&missing), shown(&empty), "{cell}");
        }
    }
}

#[test]
fn what_a_cell_becomes_does_not_depend_on_the_others() {
    let mut rows = vec![GOOD; 40];
    for (place, (column, cell)) in BAD.into_iter().enumerate() {
        rows[3 * place][column] = cell;
    }
    let all = read(&rows, false, Invalid::Missing).unwrap();
    for (row, cells) in rows.iter().enumerate() {
        let alone = read(&[*cells], false, Invalid::Missing).unwrap();
        for (column, alone) in all.columns().iter().zip(alone.columns()) {
            assert_eq!(column.values().is_missing(row), alone.values().is_missing(0), "row {row}");
        }
    }
}

#[test]
fn typed_columns_have_invalid_cells_too() {
    let columns: [(&str, ArrayRef, ArrayRef); 4] = [
        (
            "x",
            Arc::new(Float64Array::from(vec![1.5, f64::INFINITY])),
            Arc::new(Float64Array::from(vec![Some(1.5), None])),
        ),
        (
            "k",
            Arc::new(Float64Array::from(vec![2.0, 2.5])),
            Arc::new(Float64Array::from(vec![Some(2.0), None])),
        ),
        (
            "k",
            Arc::new(UInt64Array::from(vec![2, u64::MAX])),
            Arc::new(UInt64Array::from(vec![Some(2), None])),
        ),
        (
            "level",
            Arc::new(StringArray::from(vec!["a", "c"])),
            Arc::new(StringArray::from(vec![Some("a"), None])),
        ),
    ];
    for (name, bad, empty) in columns {
        let table = |values: &ArrayRef, invalid| {
            let batch = RecordBatch::try_from_iter([(name, Arc::clone(values))]).unwrap();
            let source = Source::from_batches("t", batch.schema(), vec![batch]).unwrap();
            let column = schema().columns().iter().find(|column| column.name() == name).unwrap().clone();
            source.read_with(&Schema::new(vec![], vec![column]).unwrap(), invalid)
        };
        assert!(table(&bad, Invalid::Refuse).is_err());
        let missing = table(&bad, Invalid::Missing).unwrap();
        assert_eq!(shown(&missing), shown(&table(&empty, Invalid::Refuse).unwrap()));
    }
}

#[test]
fn numbers_beyond_limits_are_the_limit_however_large() {
    let limits = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\nminimum = -5\nmaximum = 9.5\n\
                  [[column]]\nname = \"k\"\ntype = \"integer\"\nminimum = 0\nmaximum = 120\n";
    let schema = parse_schema(limits).unwrap();
    let text = "x,k\n1e999,99999999999999999999\n-inf,-99999999999999999999\n-1e999,-9223372036854775808\nInfinity,1e300\n";
    let x: ArrayRef =
        Arc::new(Float64Array::from(vec![f64::INFINITY, f64::NEG_INFINITY, -f64::INFINITY, f64::INFINITY]));
    let k: ArrayRef = Arc::new(Float64Array::from(vec![1e20, -1e20, -1e300, f64::INFINITY]));
    let batch = RecordBatch::try_from_iter([("x", x), ("k", k)]).unwrap();
    for invalid in [Invalid::Refuse, Invalid::Missing] {
        for source in [
            Source::from_reader("t", Format::CSV, text.as_bytes()).unwrap(),
            Source::from_batches("t", batch.schema(), vec![batch.clone()]).unwrap(),
        ] {
            let table = source.read_with(&schema, invalid).unwrap();
            assert_eq!(table.columns()[0].values().to_reals(), [9.5, -5.0, -5.0, 9.5]);
            assert_eq!(table.columns()[1].values().to_reals(), [120.0, 0.0, 0.0, 120.0]);
        }
    }
    let least: ArrayRef = Arc::new(Int64Array::from(vec![i64::MIN]));
    let batch = RecordBatch::try_from_iter([("x", Arc::clone(&least)), ("k", least)]).unwrap();
    let table = Source::from_batches("t", batch.schema(), vec![batch]).unwrap().read(&schema).unwrap();
    assert_eq!(table.columns()[1].values().to_reals(), [0.0]);
}
