//! Names of columns: declared, or taken from a file that may have no header.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use common::csv;
use indistinct::table::ColumnSchema;
use indistinct_io::{Format, Problem, Source, draft_schema, has_marks, parse_schema, read_comparable};

const DECLARED: &str = "version = 1\n[[column]]\nname = \"31\"\ntype = \"integer\"\n[[column]]\nname = \"sex\"\n\
                        type = \"nominal\"\nlevels = [\"F\", \"M\"]\n";

fn without_header(text: &str) -> Source {
    Source::from_reader_without_header("t.csv", Format::CSV, text.as_bytes()).unwrap()
}

#[test]
fn a_first_record_is_not_taken_for_names() {
    for (text, place) in [("31,F\n64,M\n", 1), ("x,2001-02-03\n64,2001-02-04\n", 2), ("x,NA\n1,2\n", 2)] {
        let error = draft_schema(&csv(text)).unwrap_err();
        assert_eq!(error.problem(), &Problem::ValueAsName(place), "{text}");
        assert!(error.advice().contains("--no-header") && error.advice().contains("add a line"));
        assert_eq!(
            read_comparable(&csv(text), &[csv("x\n1\n")]).unwrap_err().problem(),
            &Problem::ValueAsName(place)
        );
    }
    let error = draft_schema(&csv("F,single\nM,married\nF,single\n")).unwrap_err();
    assert_eq!(error.problem(), &Problem::NameAsValue(1));
    let error = draft_schema(&csv("sex,single\nM,married\nF,single\n")).unwrap_err();
    assert_eq!(error.problem(), &Problem::NameAsValue(2));
}

#[test]
fn declared_names_may_look_like_anything() {
    let schema = parse_schema(DECLARED).unwrap();
    assert_eq!(csv("31,sex\n64,M\n").read(&schema).unwrap().rows(), 1);
    let error = csv("64,M\n31,F\n").read(&schema).unwrap_err();
    assert!(!format!("{error} {}", error.advice()).contains("64"), "{error}");
}

#[test]
fn a_file_without_a_header_keeps_its_first_record_and_gets_names() {
    let text = "31,F\n64,M\n";
    let draft = draft_schema(&without_header(text)).unwrap();
    let names: Vec<&str> = draft.schema.columns().iter().map(ColumnSchema::name).collect();
    assert_eq!(names, ["column1", "column2"]);
    assert_eq!(without_header(text).read(&draft.schema).unwrap().rows(), 2);
    let schema = parse_schema(DECLARED).unwrap();
    let mut source = without_header(text);
    source.name_columns(&schema).unwrap();
    assert_eq!(source.names(), ["31", "sex"]);
    assert_eq!(source.read(&schema).unwrap().rows(), 2);
    let error = without_header("31,F,9\n").name_columns(&schema).unwrap_err();
    assert_eq!(error.problem(), &Problem::Unnamed { found: 3, declared: 2 });
    // What has a header keeps it.
    let mut source = csv("a,b\n31,F\n");
    source.name_columns(&schema).unwrap();
    assert_eq!(source.names(), ["a", "b"]);
}

#[test]
fn drafts_mark_names_that_are_the_files_own() {
    let name_line = |source: &Source| {
        let draft = draft_schema(source).unwrap().to_toml();
        draft.lines().find(|line| line.starts_with("name = ")).unwrap().to_owned()
    };
    assert!(has_marks(&name_line(&csv("age,sex\n31,F\n64,M\n"))));
    assert!(!has_marks(&name_line(&without_header("31,F\n64,M\n"))));
}

#[test]
fn columns_that_a_program_numbered_have_names() {
    let source = |names: [&str; 2]| {
        let values: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
        let batch = RecordBatch::try_from_iter(names.map(|name| (name, Arc::clone(&values)))).unwrap();
        Source::from_batches("t", batch.schema(), vec![batch]).unwrap()
    };
    assert!(draft_schema(&source(["0", "1"])).is_ok());
    assert_eq!(draft_schema(&source(["1", "0"])).unwrap_err().problem(), &Problem::ValueAsName(1));
}
