//! Everything that can be wrong with a file is said in one line, with its place and without its content.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Write as _;
use std::path::Path;

use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::{ColumnPlace, Fault, Format, Problem, ReadError, Source, Wanted};

fn open(text: &str) -> Result<Source, ReadError> {
    Source::from_reader("t.csv", Format::CSV, text.as_bytes())
}

/// The problem with a text, at whichever stage it shows.
fn problem(text: impl AsRef<[u8]>) -> Problem {
    let result =
        Source::from_reader("t.csv", Format::CSV, text.as_ref()).and_then(|source| source.read_plain(&[]));
    let error = result.unwrap_err();
    assert!(
        !error.to_string().contains('\n') && !error.advice().contains('\n') && !error.advice().is_empty()
    );
    error.problem().clone()
}

fn value(row: usize, column: &str, fault: Fault) -> Problem {
    Problem::Value { row, column: ColumnPlace::Named(column.to_owned()), fault }
}

/// The same in a column that only the file names.
fn at(row: usize, place: usize, fault: Fault) -> Problem {
    Problem::Value { row, column: ColumnPlace::At(place), fault }
}

#[test]
fn files_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |path: &Path| Source::open(path).unwrap_err().problem().clone();
    assert_eq!(problem(&folder.path().join("x.csv")), Problem::NotFound);
    assert_eq!(problem(&folder.path().join("x.xyz")), Problem::NotFound);
    assert_eq!(problem(folder.path()), Problem::EmptyFolder);
    let odd = folder.path().join("x.xyz");
    std::fs::write(&odd, "a\n1\n").unwrap();
    let error = Source::open(&odd).unwrap_err();
    assert_eq!(error.problem(), &Problem::UnknownFormat);
    assert!(error.advice().contains(".csv.gz") && error.advice().contains(".parquet"));
}

#[test]
fn headers() {
    assert_eq!(problem(""), Problem::EmptyFile);
    assert_eq!(problem("\n\n"), Problem::EmptyFile);
    assert_eq!(problem("a,b"), Problem::NoRows);
    assert_eq!(problem("a,b\r\n\r\n"), Problem::NoRows);
    assert_eq!(problem("a,b,a\n1,2,3\n"), Problem::DuplicateName { first: 1, second: 3 });
    assert_eq!(problem("a,,c\n1,2,3\n"), Problem::EmptyName(2));
    assert_eq!(problem("a,\" \",c\n1,2,3\n"), Problem::EmptyName(2));
    assert_eq!(problem("Survey 2024,,\na,b,c\n1,2,3\n"), Problem::EmptyName(2));
    assert_eq!(problem(",\n1,2\n"), Problem::EmptyName(1));
    assert_eq!(problem("sep=;\n"), Problem::EmptyFile);
    assert_eq!(problem(",a,column1\n1,2,3\n"), Problem::EmptyName(1));
}

#[test]
fn rows_of_the_wrong_length() {
    let ragged = |row, line, found| Problem::Ragged { row, line, expected: 2, found };
    assert_eq!(problem("a,b\n1,2\n3\n"), ragged(2, 3, 1));
    assert_eq!(problem("a,b\n1,2\n3,4,5,6\n7,8\n"), ragged(2, 3, 4));
    assert_eq!(problem("a,b\n1,\"2\n2\"\n\n5,6\n"), ragged(2, 4, 1));
    assert_eq!(problem("a,b\n1,2\n3,4,\n"), ragged(2, 3, 3));
}

#[test]
fn a_row_of_the_wrong_length_explains_a_wrong_value() {
    let columns = ["a", "b"].map(|name| ColumnSchema::new(name, ColumnType::Float)).to_vec();
    let schema = Schema::new(vec![], columns).unwrap();
    let error = open("a,b\n1,2\nx,3,4\n").unwrap().read(&schema).unwrap_err();
    assert_eq!(error.problem(), &Problem::Ragged { row: 2, line: 3, expected: 2, found: 3 });
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(problem("a,b\n1,2\n3,\0\n"), Problem::NulByte(3));
    assert_eq!(problem(b"a,b\n1,2\n\n3,\xff\n"), Problem::NotUtf8(4));
    assert_eq!(problem(b"\xff\xfea\0,\0b\0\n\0"), Problem::NoRows);
    assert_eq!(problem(b"\xff\xfea\0,\0b\0\n"), Problem::NotInEncoding("UTF-16LE"));
}

#[test]
fn quotes() {
    assert_eq!(problem("a,b\n1,2\n3,\"4\n5,6\n"), Problem::UnterminatedQuote(3));
    assert_eq!(problem("a,b\n1,2\n3,4\"5\n"), Problem::StrayQuote(3));
    assert_eq!(problem("a,b\n\"1\"x,2\n"), Problem::TextAfterQuote(2));
    assert_eq!(problem("a,\"b\n1,2\n"), Problem::UnterminatedQuote(1));
}

#[test]
fn infinite_numbers() {
    assert_eq!(problem("a,b\n1,2\n3,1e999\n"), at(2, 2, Fault::Infinite));
    assert_eq!(problem("a\n1\n-Infinity\n"), at(2, 1, Fault::Infinite));
    let source = open("a\nx\ninf\n").unwrap();
    assert!(source.read_plain(&[]).is_ok(), "a word among words");
    assert!(open("a\n1\ninf\n").unwrap().read_plain(&[Wanted::Text]).is_ok());
}

/// A problem far down a file of many parts keeps its row and line.
#[test]
fn positions_hold_across_parts() {
    let mut text = "a,b\n".to_owned();
    for row in 0..400_000 {
        text.push_str(if row % 100 == 0 { "1,\"x\ny\"\n" } else { "123,4\n" });
    }
    text.push_str("1,2,3\n");
    let ragged = Problem::Ragged { row: 400_001, line: 400_000 + 4_000 + 2, expected: 2, found: 3 };
    assert_eq!(problem(&text), ragged);
    let text = text.replace("1,2,3\n", "1e999,2\n");
    assert_eq!(problem(&text), at(400_001, 1, Fault::Infinite));
}

#[test]
fn cells_that_are_not_what_the_schema_declares() {
    let levels = |levels: &[&str]| levels.iter().map(|&level| level.to_owned()).collect();
    let boolean = ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() };
    let format = || "%d/%m/%Y".to_owned();
    for (kind, cell, fault) in [
        (ColumnType::Float, "secret", Fault::NotANumber),
        (ColumnType::Float, "1e999", Fault::Infinite),
        (ColumnType::Integer, "secret", Fault::NotANumber),
        (ColumnType::Integer, "1.5", Fault::Fraction),
        (ColumnType::Integer, "9223372036854775808", Fault::TooLarge),
        (ColumnType::Nominal { levels: levels(&["a"]) }, "secret", Fault::UnknownLevel),
        (ColumnType::Ordered { levels: levels(&["a"]) }, "a ", Fault::UnknownLevel),
        (boolean, "true", Fault::NotABoolean),
        (ColumnType::Date { format: format() }, "30/02/2001", Fault::NotADate),
        (ColumnType::Date { format: format() }, "2001-02-03", Fault::NotADate),
        (ColumnType::DateTime { format: "%Y-%m-%dT%H:%M".to_owned() }, "secret", Fault::NotADateTime),
    ] {
        let id = ColumnSchema::new("id", ColumnType::Identifier);
        let schema = Schema::new(vec!["NA".to_owned()], vec![ColumnSchema::new("x", kind), id]).unwrap();
        let source = open(&format!("id,x\n1,NA\n2,\n3,{cell}\n")).unwrap();
        let error = source.read(&schema).unwrap_err();
        assert_eq!(error.problem(), &value(3, "x", fault));
        assert!(!error.to_string().contains(cell) && !error.advice().contains("secret"), "{error}");
    }
}

#[test]
fn columns_that_are_not_those_of_the_schema() {
    let schema = |names: &[&str]| {
        let columns = names.iter().map(|name| ColumnSchema::new(name, ColumnType::Float)).collect();
        Schema::new(vec![], columns).unwrap()
    };
    let source = open("a,b\n1,2\n").unwrap();
    let problem = |names: &[&str]| source.read(&schema(names)).unwrap_err().problem().clone();
    let list = |name: &str| vec![name.to_owned()];
    assert_eq!(problem(&["a"]), Problem::Undeclared(vec![2]));
    assert_eq!(problem(&["c", "b", "a"]), Problem::Absent(list("c")));
    assert_eq!(problem(&["c", "a"]), Problem::Differs { absent: list("c"), undeclared: vec![2] });
    let bad = ColumnSchema::new("b", ColumnType::Date { format: "%Q".to_owned() });
    let schema = Schema::new(vec![], vec![ColumnSchema::new("a", ColumnType::Float), bad]).unwrap();
    assert_eq!(source.read(&schema).unwrap_err().problem(), &Problem::BadFormat("b".to_owned()));
}

#[test]
fn gzip_that_is_cut_short_or_none() {
    let gzip = Format::Text { separator: b',', gzip: true };
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    for row in 0..1000 {
        writeln!(packed, "{row},{}", row * row).unwrap();
    }
    let packed = packed.finish().unwrap();
    let problem = |bytes: &[u8]| Source::from_reader("t.csv.gz", gzip, bytes).unwrap_err().problem().clone();
    assert_eq!(problem(&packed[..packed.len() / 2]), Problem::GzipCutShort);
    assert_eq!(problem(b"a,b\n1,2\nthis is text\n"), Problem::GzipDamaged);
    assert_eq!(problem(b""), Problem::EmptyFile);
}
