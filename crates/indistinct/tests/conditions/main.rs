//! Conditions on rows and values that are derived from them: what is understood, what is said of mistakes, what is true of rows, and what contradicts itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agreement;
#[path = "../common/mod.rs"]
mod common;
mod contradictions;
mod derivation_mistakes;
mod derivations;
mod language;
mod random_texts;

use common::levels;
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Schema, Table, Values,
};

/// A schema with a column of every type, two of most.
fn schema() -> Schema {
    let boolean = ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() };
    let day = ColumnType::Date { format: "%d/%m/%Y".to_owned() };
    let iso = ColumnType::Date { format: "%Y-%m-%d".to_owned() };
    let moment = ColumnType::DateTime { format: "%Y-%m-%dT%H:%M:%S%.f".to_owned() };
    let columns = [
        ("x", ColumnType::Float),
        ("y", ColumnType::Float),
        ("age", ColumnType::Integer),
        ("sex", ColumnType::Nominal { levels: levels(&["F", "M"]) }),
        ("partner", ColumnType::Nominal { levels: levels(&["M", "F", "other"]) }),
        ("grade", ColumnType::Ordered { levels: levels(&["low", "middle", "high"]) }),
        ("target", ColumnType::Ordered { levels: levels(&["low", "middle", "high"]) }),
        ("visits", ColumnType::Ordered { levels: levels(&["0", "1", "2"]) }),
        ("smoker", boolean.clone()),
        ("drinker", boolean),
        ("born", day),
        ("died", iso),
        ("seen", moment),
        ("odd name", ColumnType::Integer),
        ("record", ColumnType::Identifier),
    ];
    Schema::new(Vec::new(), columns.map(|(name, kind)| ColumnSchema::new(name, kind)).to_vec()).unwrap()
}

/// Rows of that schema, without the identifier: the first is full, the second is all missing.
fn table() -> Table {
    let second = |first: u32| Values::Code(vec![first, MISSING_CODE]);
    let values = [
        Values::Float(vec![1.5, f64::NAN]),
        Values::Float(vec![-2.0, f64::NAN]),
        Values::Integer(vec![61, MISSING_INTEGER]),
        second(0),
        second(1),
        second(1),
        second(2),
        second(2),
        second(1),
        second(0),
        // 2001-02-03 and 2001-03-05.
        Values::Date(vec![11_356, MISSING_DATE]),
        Values::Date(vec![11_386, MISSING_DATE]),
        // 2001-02-03T16:00:00.
        Values::DateTime(vec![(11_356 * 24 + 16) * 3_600_000_000, MISSING_INTEGER]),
        Values::Integer(vec![7, MISSING_INTEGER]),
    ];
    let schema = schema();
    let columns = schema.columns().iter().zip(values);
    Table::new(columns.map(|(column, values)| Column::new(column.clone(), values)).collect()).unwrap()
}
