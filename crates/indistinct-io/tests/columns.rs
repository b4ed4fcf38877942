//! Columns in memory are read as the same cells of a file are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use indistinct::table::{ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER};
use indistinct_io::schema::schema_of_types;
use indistinct_io::{
    Format, Invalid, MemoryColumn, MemoryValues, Source, draft_schema, parse_schema, write_schema,
};
use proptest::prelude::*;

fn column(name: &str, values: MemoryValues) -> MemoryColumn {
    MemoryColumn { name: name.to_owned(), values }
}

fn texts(levels: &[&str]) -> Vec<String> {
    levels.iter().map(|&level| level.to_owned()).collect()
}

fn people() -> Source {
    let columns = vec![
        column("height", MemoryValues::Float(vec![1.5, f64::NAN, 2.25])),
        column("age", MemoryValues::Integer(vec![31, 64, MISSING_INTEGER])),
        column("smoker", MemoryValues::Boolean(vec![Some(true), None, Some(false)])),
        column("born", MemoryValues::Date(vec![0, 59, MISSING_DATE])),
        column("seen", MemoryValues::DateTime(vec![MISSING_INTEGER, 0, 1_500_000])),
        column("town", MemoryValues::Text { levels: texts(&["b", "a"]), codes: vec![0, MISSING_CODE, 1] }),
        column(
            "grade",
            MemoryValues::Factor {
                levels: texts(&["low", "mid", "high"]),
                codes: vec![2, 0, 9],
                ordered: true,
            },
        ),
    ];
    Source::from_columns("people", columns).unwrap()
}

const FILE: &str = "height,age,smoker,born,seen,town,grade\n\
                    1.5,31,TRUE,1970-01-01,,b,high\n\
                    ,64,,1970-03-01,1970-01-01T00:00:00,,low\n\
                    2.25,,FALSE,,1970-01-01T00:00:01.5,a,\n";

#[test]
fn tables_of_columns_and_of_files_are_the_same() {
    let file = Source::from_reader("people.csv", Format::CSV, FILE.as_bytes()).unwrap();
    let schema = draft_schema(&people()).unwrap().schema;
    // A missing number is not equal to itself, but looks the same.
    let looks = |source: &Source| format!("{:?}", source.read(&schema).unwrap());
    assert_eq!(looks(&people()), looks(&file));
    assert_eq!(people().names(), file.names());
    for (one, other) in people().read_plain(&[]).unwrap().iter().zip(file.read_plain(&[]).unwrap()).take(2) {
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
}

#[test]
fn a_draft_keeps_known_types_and_marks_them_as_learned() {
    let draft = draft_schema(&people()).unwrap();
    let kind =
        |name: &str| draft.schema.columns().iter().find(|one| one.name() == name).unwrap().kind().clone();
    assert_eq!(kind("grade"), ColumnType::Ordered { levels: texts(&["low", "mid", "high"]).into() });
    assert_eq!(kind("town"), ColumnType::Nominal { levels: texts(&["a", "b"]).into() });
    assert!(matches!(kind("smoker"), ColumnType::Boolean { .. }));
    assert!(matches!(kind("age"), ColumnType::Integer));
    assert!(matches!(kind("born"), ColumnType::Date { .. }));
    assert!(matches!(kind("seen"), ColumnType::DateTime { .. }));
    assert!(indistinct_io::has_marks(&draft.to_toml()));
    // Values that name rows do so whatever their type.
    let key = MemoryValues::Factor {
        levels: (0..30).map(|row| format!("k{row}")).collect(),
        codes: (0..30).collect(),
        ordered: false,
    };
    let source = Source::from_columns("t", vec![column("key", key)]).unwrap();
    assert_eq!(draft_schema(&source).unwrap().schema.columns()[0].kind(), &ColumnType::Identifier);
}

#[test]
fn types_alone_make_a_schema_without_marks() {
    let error = schema_of_types(&people()).unwrap_err();
    assert!(error.message().contains("column 6 is text"), "{error}");
    let factor = |codes| MemoryValues::Factor { levels: texts(&["NA", "x"]), codes, ordered: false };
    let source = |codes| Source::from_columns("t", vec![column("a", factor(codes))]).unwrap();
    let text = write_schema(&schema_of_types(&source(vec![0, 1])).unwrap());
    assert!(!indistinct_io::has_marks(&text));
    assert_eq!(text, write_schema(&schema_of_types(&source(vec![1, 1, 7])).unwrap()));
    let table = source(vec![0, 1, 7]).read(&parse_schema(&text).unwrap()).unwrap();
    assert_eq!(table.columns()[0].values().missing(), 1);
}

#[test]
fn an_empty_level_is_not_a_missing_value() {
    let factor =
        MemoryValues::Factor { levels: texts(&["", "NA", "x"]), codes: vec![0, 1, 9], ordered: false };
    let source = Source::from_columns("t", vec![column("a", factor)]).unwrap();
    let text = write_schema(&schema_of_types(&source).unwrap());
    let schema = parse_schema(&text).unwrap();
    assert_eq!(schema.missing(), ["NaN"]);
    assert_eq!(source.read(&schema).unwrap().columns()[0].values().missing(), 1);
}

#[test]
fn what_is_wrong_is_said_by_place() {
    let of = |columns| Source::from_columns("t", columns).map(|_| ()).unwrap_err().to_string();
    let real = |rows: usize| MemoryValues::Float(vec![1.0; rows]);
    assert_eq!(of(vec![]), "t: the table has no columns");
    assert_eq!(
        of(vec![column("a", real(2)), column("b", real(3))]),
        "t: column 2 has 3 rows where the first column has 2"
    );
    assert_eq!(of(vec![column("a", real(2)), column("a", real(2))]), "t: columns 1 and 2 have the same name");
    let empty = Source::from_columns("t", vec![column("a", real(0))]).unwrap();
    assert!(empty.read_plain(&[]).is_err());
    let schema = parse_schema("version = 1\n[[column]]\nname = \"a\"\ntype = \"float\"\n").unwrap();
    let infinite = MemoryValues::Float(vec![1.0, f64::INFINITY]);
    let infinite = Source::from_columns("t", vec![column("a", infinite)]).unwrap();
    let error = infinite.read(&schema).unwrap_err();
    assert_eq!(error.to_string(), "t: row 2, column `a`: the number is infinite or too large");
    assert_eq!(infinite.read_with(&schema, Invalid::Missing).unwrap().columns()[0].values().missing(), 1);
}

proptest! {
    /// Rows of persons are those of the table, wherever they are.
    #[test]
    fn some_rows_are_those_rows(values in prop::collection::vec(-9_i64..9, 1..40), keep: u64) {
        let rows: Vec<u32> = (0..values.len() as u32).filter(|row| keep >> (row % 64) & 1 == 1).collect();
        prop_assume!(!rows.is_empty());
        let source = Source::from_columns("t", vec![
            column("who", MemoryValues::Integer((0..values.len() as i64).collect())),
            column("x", MemoryValues::Integer(values.clone())),
        ]).unwrap();
        let part = source.of_rows("who", rows.clone()).unwrap();
        prop_assert_eq!(part.names(), ["x"]);
        let schema = parse_schema("version = 1\n[[column]]\nname = \"x\"\ntype = \"integer\"\n").unwrap();
        let table = part.read(&schema).unwrap();
        let expected: Vec<i64> = rows.iter().map(|&row| values[row as usize]).collect();
        prop_assert_eq!(table.columns()[0].values(), &indistinct::table::Values::Integer(expected));
    }
}
