//! Conditions of `--where` and of constraints: what can be read is evaluated and reasoned about.

use std::sync::OnceLock;

use indistinct::table::condition::contradiction;
use indistinct::table::{Column, Condition, Schema, Table};
use indistinct_io::{Format, Source, parse_schema};

/// A column of every type.
const SCHEMA: &str = include_str!("every_type.toml");
const ROWS: &str = include_str!("every_type.csv");

/// The table that conditions are tried on, with its schema.
pub(crate) fn every_type() -> &'static (Schema, Table) {
    static TABLE: OnceLock<(Schema, Table)> = OnceLock::new();
    TABLE.get_or_init(|| {
        let schema = parse_schema(SCHEMA).expect("a schema");
        let source = Source::from_reader("rows", Format::CSV, ROWS.as_bytes()).expect("a table");
        let table = source.read(&schema).expect("a table of that schema");
        (schema, table)
    })
}

/// A condition.
pub(crate) fn condition(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let (schema, table) = every_type();
    let condition = match Condition::parse(text, schema) {
        Ok(condition) => condition,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.advice().is_empty());
            return;
        }
    };
    let holds = condition.holds(table);
    let passing: Vec<bool> = holds.iter().map(|holds| *holds == Some(true)).collect();
    assert_eq!(condition.passing(table), passing);
    let satisfied: Vec<bool> = holds.iter().map(|holds| *holds != Some(false)).collect();
    assert_eq!(condition.satisfied(table), satisfied);
    let impossible = contradiction(std::slice::from_ref(&condition), schema);
    // A contradiction is one for rows without missing values in its columns.
    if impossible.is_some() {
        let used = condition.columns();
        let columns: Vec<&Column> = used
            .iter()
            .map(|&place| &schema.columns()[place])
            .filter_map(|column| table.column(column.name()))
            .collect();
        for (row, passes) in passing.iter().enumerate() {
            let whole = columns.iter().all(|column| !column.values().is_missing(row));
            assert!(!(*passes && whole), "a row passes what was called impossible");
        }
    }
    let constrained = schema.clone().with_constraint(text, None);
    assert_eq!(constrained.is_err(), impossible.is_some());
}
