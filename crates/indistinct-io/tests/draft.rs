//! Drafted schemas: the type that a statistician would give a column.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fmt::Write as _;

use common::csv;
use indistinct::table::{ColumnSchema, ColumnType, Family};
use indistinct_io::{ColumnPlace, Draft, Problem, ReadError, draft_schema, parse_schema};

/// A table of one column, given by row number.
fn column(rows: usize, cell: impl Fn(usize) -> String) -> Result<Draft, ReadError> {
    let mut text = "x\n".to_owned();
    for row in 0..rows {
        writeln!(text, "{}", cell(row)).unwrap();
    }
    draft_schema(&csv(&text))
}

fn kind(rows: usize, cell: impl Fn(usize) -> String) -> ColumnType {
    column(rows, cell).unwrap().schema.columns()[0].kind().clone()
}

fn levels(kind: &ColumnType) -> Vec<&str> {
    kind.levels().unwrap().iter().map(String::as_str).collect()
}

#[test]
fn numbers() {
    assert_eq!(kind(30, |row| format!("{row}.5")), ColumnType::Float);
    assert_eq!(kind(30, |row| (row * row % 17).to_string()), ColumnType::Integer);
    let truth = ColumnType::Boolean { when_false: "0".to_owned(), when_true: "1".to_owned() };
    assert_eq!(kind(9, |row| (row % 2).to_string()), truth);
    assert_eq!(kind(9, |_| "7".to_owned()), ColumnType::Integer);
}

#[test]
fn whole_numbers_with_few_values_are_codes_as_spelled() {
    let codes = kind(60, |row| format!("{:02}", 8 + row % 3));
    assert!(matches!(codes, ColumnType::Ordered { .. }));
    assert_eq!(levels(&codes), ["08", "09", "10"]);
    let codes = kind(60, |row| if row == 5 { "NA".to_owned() } else { (9 + row % 2 * 5).to_string() });
    assert_eq!(levels(&codes), ["9", "14"], "two values that are not 0 and 1");
    assert!(matches!(codes, ColumnType::Nominal { .. }));
    assert_eq!(kind(39, |row| (1 + row % 2).to_string()), ColumnType::Integer, "too few rows per code");
    let codes = kind(70, |row| format!("{}.0", 9 + row % 3));
    assert_eq!(levels(&codes), ["9.0", "10.0", "11.0"]);
    assert_eq!(kind(59, |row| (row % 3).to_string()), ColumnType::Integer, "too few rows per code");
}

#[test]
fn truths_and_categories() {
    let truth = kind(6, |row| ["No", "Yes", "NA"][row % 3].to_owned());
    assert_eq!(truth, ColumnType::Boolean { when_false: "No".to_owned(), when_true: "Yes".to_owned() });
    assert_eq!(levels(&kind(6, |row| ["yes", "Yes", "no"][row % 3].to_owned())), ["Yes", "no", "yes"]);
    assert_eq!(levels(&kind(9, |row| ["b", "a", "?"][row % 3].to_owned())), ["a", "b"]);
}

#[test]
fn dates() {
    let date = kind(30, |row| format!("2001-02-{:02}", 1 + row % 28));
    assert_eq!(date, ColumnType::Date { format: "%Y-%m-%d".to_owned() });
    let moment = kind(30, |row| format!("2001-02-03 04:05:{row:02}"));
    assert_eq!(moment, ColumnType::DateTime { format: "%Y-%m-%d %H:%M:%S%.f".to_owned() });
}

#[test]
fn names_of_rows_are_warned_of() {
    for (rows, cell, expected) in [
        (20, Box::new(|row| format!("p{row}")) as Box<dyn Fn(usize) -> String>, ColumnType::Identifier),
        (20, Box::new(|row| (1000 + row).to_string()), ColumnType::Identifier),
        (100, Box::new(|row| (row * row).to_string()), ColumnType::Integer),
        (3000, Box::new(|row| format!("p{}", row * 2 / 3)), ColumnType::Identifier),
    ] {
        let draft = column(rows, cell).unwrap();
        assert_eq!(draft.schema.columns()[0].kind(), &expected);
        assert_eq!(draft.warnings().len(), 1);
        assert!(draft.warnings()[0].starts_with("column `x`: "));
    }
    assert!(matches!(kind(19, |row| format!("p{row}")), ColumnType::Nominal { .. }));
    assert!(column(99, |row| (row * row).to_string()).unwrap().warnings().is_empty());
}

#[test]
fn large_numbers_are_told_apart() {
    let draft = column(100, |row| (9_007_199_254_740_993 + row as u64 * 2).to_string()).unwrap();
    assert_eq!(draft.schema.columns()[0].kind(), &ColumnType::Identifier, "16 digits");
    assert_eq!(draft.warnings().len(), 1);
    let short = column(100, |row| (900_719_925_474_099 - row * row).to_string()).unwrap();
    assert_eq!(short.schema.columns()[0].kind(), &ColumnType::Integer, "15 digits");
}

#[test]
fn only_missing_values() {
    let draft = column(5, |_| "NA".to_owned()).unwrap();
    assert_eq!(draft.schema.columns()[0].kind(), &ColumnType::Float);
    assert_eq!(draft.warnings().len(), 1);
}

#[test]
fn mixed_garbage_is_located_and_not_quoted() {
    let numbers =
        column(50, |row| if row == 16 { "secret".to_owned() } else { row.to_string() }).unwrap_err();
    assert_eq!(
        numbers.problem(),
        &Problem::Mixed { row: 17, column: ColumnPlace::At(1), expected: "a number" }
    );
    assert!(!numbers.to_string().contains("secret") && !numbers.advice().contains("secret"));
    let dates =
        column(50, |row| if row == 30 { "soon".to_owned() } else { format!("2001-01-{:02}", 1 + row % 28) });
    assert_eq!(
        dates.unwrap_err().problem(),
        &Problem::Mixed { row: 31, column: ColumnPlace::At(1), expected: "a date" }
    );
    assert!(
        column(10, |row| if row < 2 { "word".to_owned() } else { row.to_string() }).is_ok(),
        "80 % numbers"
    );
}

#[test]
fn a_draft_is_a_schema_that_reads_its_table() {
    let mut text = "id,age,sex,grade,born,smoker\n".to_owned();
    for row in 0..80 {
        let sex = ["F", "M", "NA"][row % 3];
        let smoker = ["no", "yes"][row % 2];
        writeln!(text, "{row},{},{sex},{},1980-01-{:02},{smoker}", row * 7 % 90, row % 4, 1 + row % 28)
            .unwrap();
    }
    let source = csv(&text);
    let draft = draft_schema(&source).unwrap();
    let toml = draft.to_toml();
    assert_eq!(parse_schema(&toml).unwrap(), draft.schema);
    let words: Vec<&str> = draft.schema.columns().iter().map(|column| column.kind().word()).collect();
    assert_eq!(words, ["identifier", "integer", "nominal", "ordered", "date", "boolean"]);
    assert_eq!(toml.matches("\n# learned from the private data: ").count(), 6);
    assert!(toml.contains("outside the privacy guarantee") && toml.contains("-8"));
    let table = source.read(&draft.schema).unwrap();
    assert_eq!((table.rows(), table.columns().len()), (80, 5));
}

#[test]
fn decimals_atoms_and_families_are_proposed_and_marked() {
    let mut text = "income,weight,events,born\n".to_owned();
    for row in 0..400_u32 {
        // A spread that repeats no row: multiplication by a generator modulo a prime.
        let spread = f64::from(row * 167 % 401) / 401.0;
        let income = if row % 4 == 0 { 0.0 } else { -1000.0 * spread.max(0.002).ln() };
        let events = (-2.0 * spread.max(0.002).ln()).floor();
        let day = 1 + row % 28;
        writeln!(text, "{income:.2},{:.1},{events},19{:02}-03-{day:02}", 60.0 + 30.0 * spread, row * 7 % 90)
            .unwrap();
    }
    let source = csv(&text);
    let draft = draft_schema(&source).unwrap();
    let columns = draft.schema.columns();
    assert_eq!(
        columns.iter().map(ColumnSchema::decimals).collect::<Vec<_>>(),
        [Some(2), Some(1), None, None]
    );
    assert_eq!(columns[0].atoms(), [0.0]);
    assert!(columns[1..].iter().all(|column| column.atoms().is_empty()));
    let families: Vec<_> = columns.iter().map(|column| column.family().map(Family::word)).collect();
    assert_eq!(families, [Some("skewed"), Some("histogram"), Some("count"), Some("histogram")]);
    assert!(columns.iter().all(|column| column.predictors().is_none() && column.minimum().is_none()));
    assert!(draft.schema.constraints().is_empty());

    let toml = draft.to_toml();
    assert_eq!(parse_schema(&toml).unwrap(), draft.schema);
    for line in toml.lines() {
        if ["decimals", "atoms", "family"].iter().any(|key| line.starts_with(key)) {
            assert!(line.contains("  # learned from the private data: "), "{line}");
        }
    }
    assert!(toml.contains("\natoms = [0]  # learned"), "{toml}");
    let end = &toml[toml.rfind("\n\n").unwrap()..];
    assert!(end.contains("predictors = [") && end.contains("[[constraint]]") && end.contains("minimum"));
    assert!(end.trim().lines().all(|line| line.starts_with('#')));
    assert_eq!(source.read(&draft.schema).unwrap().rows(), 400);
}
