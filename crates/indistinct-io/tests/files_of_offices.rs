//! Files of offices: accounts, row numbers, dates of eight digits, several reasons for a missing value.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use indistinct::table::{ColumnSchema, ColumnType, Invalid, Values};
use indistinct_io::{
    Draft, Format, ReadError, Source, draft_schema, parse_schema, read_comparable, write_declared,
};

const ROWS: usize = 120;

fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    std::iter::once(format!("{header}\n")).chain((0..ROWS).map(|number| row(number) + "\n")).collect()
}

fn open(text: &str) -> Source {
    Source::from_reader("t.csv", Format::CSV, text.as_bytes()).unwrap()
}

/// The draft of a table, which reads it, and the table as it is written again.
fn again(text: &str) -> (Draft, String) {
    let source = open(text);
    let draft = draft_schema(&source).unwrap_or_else(|error| panic!("{error}: {}", error.advice()));
    assert_eq!(parse_schema(&draft.to_toml()).as_ref(), Ok(&draft.schema), "{}", draft.to_toml());
    let table = source.read_measured(&draft.schema, Invalid::Refuse).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("again.csv");
    write_declared(&table, &draft.schema, &out).unwrap();
    let written = std::fs::read_to_string(&out).unwrap();
    (draft, written)
}

fn column<'a>(draft: &'a Draft, name: &str) -> &'a ColumnSchema {
    draft.schema.columns().iter().find(|column| column.name() == name).unwrap()
}

fn refused(name: &str, bytes: &[u8]) -> ReadError {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Source::open(&path).map(|_| ()).unwrap_err()
}

#[test]
fn negative_numbers_in_parentheses() {
    let text = rows("account,balance,net", |row| {
        let (amount, net) = (1000 + row * 37, row % 50);
        let (thousands, rest) = (amount / 1000, amount % 1000);
        let amount = format!("${thousands},{rest:03}.50");
        let amount = if row % 3 == 1 { format!("({amount})") } else { amount };
        format!(
            "{},\"{amount}\",{}",
            row % 40,
            if row % 4 == 1 { format!("({net})") } else { net.to_string() }
        )
    });
    let (draft, written) = again(&text);
    assert_eq!(column(&draft, "balance").kind(), &ColumnType::Float);
    assert_eq!(column(&draft, "net").kind(), &ColumnType::Integer);
    assert!(
        column(&draft, "balance").notation().parentheses && draft.to_toml().contains("parentheses = true")
    );
    assert_eq!(written, text);
    let source = open(&text);
    let (real, _) = read_comparable(&source, &[open(&text)]).unwrap();
    let Values::Float(values) = real.columns()[1].values() else { panic!() };
    assert_eq!(values[..2], [1000.5, -1037.5]);
}

#[test]
fn minus_signs_of_typographers_are_read_by_the_draft() {
    let text = rows("delta,n", |row| format!("{}{}.5,{}", ["", "\u{2212}"][row % 2], row % 30, row % 40));
    let (draft, written) = again(&text);
    assert_eq!(column(&draft, "delta").kind(), &ColumnType::Float);
    assert_eq!(written, text.replace('\u{2212}', "-"));
}

#[test]
fn thousands_that_are_not_marked_everywhere_are_thousands() {
    let text = rows("amount,n", |row| {
        let amount = 12_345 + row * 131;
        let marked = format!("\"{},{:03}\"", amount / 1000, amount % 1000);
        format!("{},{}", if row % 5 == 0 { amount.to_string() } else { marked }, row % 40)
    });
    let (draft, _) = again(&text);
    assert_eq!(column(&draft, "amount").kind(), &ColumnType::Integer);
    let table = open(&text).read(&draft.schema).unwrap();
    let Values::Integer(values) = table.columns()[0].values() else { panic!() };
    assert_eq!(values[..2], [12_345, 12_476]);
}

#[test]
fn columns_without_a_name_are_read_past() {
    // As pandas and R write row numbers, and as separators at the ends of lines look.
    for (text, name) in [
        (rows(",age,sex", |row| format!("{row},{},{}", 20 + row % 60, ["F", "M"][row % 2])), "column1"),
        (rows("age,sex,", |row| format!("{},{},", 20 + row % 60, ["F", "M"][row % 2])), "column3"),
    ] {
        let source = open(&text);
        assert!(source.said()[0].contains(name), "{:?}", source.said());
        let (draft, written) = again(&text);
        assert_eq!(column(&draft, name).kind(), &ColumnType::Identifier);
        assert!(written.starts_with("age,sex\n20,F\n"), "{written}");
        // Without a schema, and by a schema that knows nothing of it.
        let (real, others) = read_comparable(&source, &[open(&written)]).unwrap();
        assert_eq!((real.columns().len(), others[0].columns().len()), (2, 2));
        let declared = draft.schema.without_identifiers().unwrap();
        assert_eq!(source.read(&declared).unwrap().rows(), ROWS);
    }
}

#[test]
fn dates_of_eight_digits_are_dates() {
    let text =
        rows("visit,n", |row| format!("{}{:02}{:02},{}", 1990 + row % 30, 1 + row % 12, 1 + row % 28, row));
    let (draft, written) = again(&text);
    let ColumnType::Date { format } = column(&draft, "visit").kind() else { panic!("{}", draft.to_toml()) };
    assert_eq!((format.as_str(), written.lines().nth(1)), ("%Y%m%d", Some("19900101")));
    let numbers = rows("amount,n", |row| format!("{},{row}", 19_900_101 + row * 37));
    assert_eq!(column(&again(&numbers).0, "amount").kind(), &ColumnType::Integer);
}

#[test]
fn several_reasons_for_a_missing_value_are_no_levels() {
    let text = rows("income,n", |row| {
        let income = match row % 11 {
            3 => "refused".to_owned(),
            5 => "unknown".to_owned(),
            _ => (row * 37 % 1000).to_string(),
        };
        format!("{income},{}", row % 40)
    });
    let (draft, _) = again(&text);
    assert_eq!(column(&draft, "income").kind(), &ColumnType::Integer);
    assert_eq!(column(&draft, "income").missing(), ["refused", "unknown"]);
    assert!(draft.to_toml().contains("`refused`, `unknown` were taken for missing values"));
    // A limit of detection is not missing: the steward is asked.
    let lab = rows("lab,n", |row| {
        let value = if row % 9 < 2 { "<0.5".to_owned() } else { format!("{}.{}", row % 30, row % 10) };
        format!("{value},{}", row % 40)
    });
    let draft = draft_schema(&open(&lab)).unwrap();
    assert!(draft.warnings()[0].contains("most values are numbers"), "{:?}", draft.warnings());
}

#[test]
fn codes_and_numbers_of_accounts() {
    let text = rows("sex,account,n", |row| {
        format!(
            "{},{}{:06},{}",
            1 + row % 2,
            12_345_678_901_234_567_u64 + row as u64,
            row * 7919 % 999_983,
            row % 40
        )
    });
    let (draft, written) = again(&text);
    assert_eq!(column(&draft, "sex").kind().levels().unwrap()[..], ["1", "2"]);
    assert_eq!(column(&draft, "account").kind(), &ColumnType::Identifier);
    assert!(written.starts_with("sex,n\n1,0\n2,1\n"), "{written}");
    let large = rows("mass,n", |row| format!("{}.{:02}e24,{}", 1 + row % 9, row % 100, row % 40));
    assert_eq!(column(&again(&large).0, "mass").kind(), &ColumnType::Float);
}

#[test]
fn separators_that_are_not_read_are_told() {
    let spaces = rows("age sex", |row| format!("{} {}", 20 + row % 60, ["F", "M"][row % 2]));
    let draft = draft_schema(&open(&spaces)).unwrap();
    assert!(draft.warnings()[0].contains("separated by spaces"), "{:?}", draft.warnings());
}

#[test]
fn files_under_a_wrong_name_are_told() {
    let advice = refused("t.csv", b"\x1f\x8b\x08\x00\x00").advice();
    assert!(advice.contains(".csv.gz"), "{advice}");
    assert!(refused("t.csv", b"PK\x03\x04\x00").advice().contains(".xlsx"));
    let titled = Source::from_reader("t.csv", Format::CSV, "Survey\na,b\n1,2\n".as_bytes()).unwrap();
    assert!(draft_schema(&titled).unwrap_err().advice().contains("a title"));
    assert!(refused("t.rds", b"x").advice().contains("import pyreadr"));
    assert!(refused("t.json", b"{}").advice().contains("fromJSON"));
}

#[test]
fn dates_of_one_format_are_compared_as_times() {
    let dates = |months: [usize; 2]| {
        rows("visit,at", |row| {
            format!("{:02}/13/{},{}:{:02}", months[row % 2], 1990 + row % 30, row % 24, row % 60)
        })
    };
    let (real, others) = read_comparable(&open(&dates([2, 3])), &[open(&dates([4, 5]))]).unwrap();
    for table in [&real, &others[0]] {
        assert!(matches!(table.columns()[0].values(), Values::Date(_)));
        assert!(matches!(table.columns()[1].values(), Values::DateTime(_)));
    }
}
