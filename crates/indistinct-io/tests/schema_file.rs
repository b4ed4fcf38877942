//! Schema files: what is read, what is written, and what is said of mistakes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::{parse_schema, write_schema};
use proptest::prelude::*;

const FULL: &str = r#"version = 1
missing = ["", "NA", "-"]

[[column]]
name = "age"
type = "integer"
missing = ["-8", -9]

[[column]]
name = "weight"
type = "float"

[[column]]
name = "sex"
type = "nominal"
levels = ["F", "M"]

[[column]]
name = "grade"
type = "ordered"
levels = ["low", "high"]

[[column]]
name = "smoker"
type = "boolean"
false = "no"
true = "yes"

[[column]]
name = "born"
type = "date"
format = "%d/%m/%Y"

[[column]]
name = "seen"
type = "datetime"

[[column]]
name = "id"
type = "identifier"
"#;

#[test]
fn a_full_schema_is_read_and_survives_writing() {
    let schema = parse_schema(FULL).unwrap();
    assert_eq!(schema.missing(), ["", "NA", "-"]);
    assert_eq!(schema.columns().len(), 8);
    assert_eq!(schema.columns()[0].missing(), ["-8", "-9"]);
    assert_eq!(schema.columns()[5].kind(), &ColumnType::Date { format: "%d/%m/%Y".to_owned() });
    let format = "%Y-%m-%dT%H:%M:%S%.f".to_owned();
    assert_eq!(schema.columns()[6].kind(), &ColumnType::DateTime { format });
    assert_eq!(parse_schema(&write_schema(&schema)).unwrap(), schema);
}

#[test]
fn missing_codes_have_a_default() {
    let schema = parse_schema("version = 1\n[[column]]\nname = 'x'\ntype = 'float'\n").unwrap();
    assert_eq!(schema.missing(), ["", "NA", "NaN", "?"]);
}

/// The text of the error and its advice.
fn mistake(text: &str) -> (String, String) {
    let error = parse_schema(text).unwrap_err();
    (error.to_string(), error.advice().to_owned())
}

#[test]
fn mistakes_are_located_and_explained() {
    let column = |lines: &str| format!("version = 1\n\n[[column]]\nname = \"x\"\n{lines}\n");
    for (text, line, what, advice) in [
        ("version = 1\nmising = []\n".to_owned(), 2, "no key `mising`", "`missing`"),
        (column("type = \"float\"\nlevel = []"), 6, "no key `level`", "`levels`"),
        (column("type = \"interger\""), 5, "no type `interger`", "`integer`"),
        (column("type = \"text\""), 5, "no type `text`", "nominal"),
        (
            column("type = \"float\"\nlevels = [\"a\"]"),
            6,
            "`levels` does not belong to type `float`",
            "remove",
        ),
        (column("type = \"nominal\""), 3, "without `levels`", "levels = ["),
        (column("type = \"nominal\"\nlevels = []"), 4, "at least one level", "list"),
        (column("type = \"nominal\"\nlevels = [\"a\", \"a\"]"), 4, "twice", "remove"),
        (column("type = \"nominal\"\nlevels = [\"NA\"]"), 4, "both as a value and as missing", "remove"),
        (column("type = \"nominal\"\nlevels = \"a\""), 6, "list of strings", "levels = ["),
        (column("type = \"boolean\"\ntrue = \"yes\""), 3, "one of `false` and `true`", "both"),
        (column("type = \"date\"\nformat = \"%Q\""), 6, "format", "strftime"),
        (column("type = \"date\"\nformat = \"%H:%M\""), 6, "format", "strftime"),
        (column("type = 3"), 5, "must be a string", "quotes"),
        (column(""), 3, "without `type`", "float"),
        ("version = 1\n[[column]]\ntype = \"float\"\n".to_owned(), 2, "without `name`", "name"),
        ("version = 2\n".to_owned(), 1, "version 1 only", "version = 1"),
        ("version = 1\n\nmissing = [\"a\n".to_owned(), 3, "TOML", "quotes"),
        ("version = 1\ncolumn = 3\n".to_owned(), 2, "list of columns", "[[column]]"),
        (column("type = \"float\"\n[[column]]\nname = \"x\"\ntype = \"float\""), 7, "twice", "remove"),
        (column("type = \"float\"\n[[column]]\nname = \"\"\ntype = \"float\""), 7, "empty name", "name"),
    ] {
        let (message, hint) = mistake(&text);
        assert!(message.starts_with(&format!("schema, line {line}: ")), "{message}\n{text}");
        assert!(message.contains(what), "{message} does not contain {what}");
        assert!(hint.contains(advice), "{hint} does not contain {advice}");
        assert!(!message.contains('\n') && !hint.contains('\n'));
    }
    assert!(mistake("missing = []").0.contains("no `version`"));
    assert!(mistake("version = 1").0.contains("no columns"));
}

#[test]
fn a_file_is_named() {
    let error = indistinct_io::read_schema(std::path::Path::new("nowhere/schema.toml")).unwrap_err();
    assert_eq!(error.to_string(), "nowhere/schema.toml: there is no such file");
}

proptest! {
    #[test]
    fn any_spelling_survives(name in "\\PC{1,8}|[\"\\\\\n\t\u{1}\u{7f}]{1,4}", levels in prop::collection::btree_set(".{1,6}", 1..5)) {
        let levels: Vec<String> = levels.into_iter().collect();
        let column = ColumnSchema::new(&name, ColumnType::Nominal { levels: levels.into() });
        if let Ok(schema) = Schema::new(vec![String::new()], vec![column]) {
            prop_assert_eq!(parse_schema(&write_schema(&schema)).unwrap(), schema);
        }
    }
}
