//! Persons of whom rows are, and tables of some of these rows: text, Parquet and Arrow alike.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use common::csv;
use indistinct::private::{PersonHash, PersonKey};
use indistinct::table::DEFAULT_MISSING;
use indistinct_io::{
    ColumnPlace, Fault, Invalid, PlainValues, Problem, ReadError, Source, draft_schema, parse_schema,
};

fn usual() -> Vec<String> {
    DEFAULT_MISSING.map(str::to_owned).to_vec()
}

/// Persons numbered as they come, so that only who is the same as whom is compared; `None` for nobody.
fn persons(
    source: &Source,
    column: &str,
    missing: &[String],
    invalid: Invalid,
) -> Result<Vec<Option<usize>>, ReadError> {
    let key = PersonKey::from_bytes([7; 32]);
    let found = source.persons(column, missing, invalid, &key)?;
    let mut known = Vec::new();
    let mut number = |person: &PersonHash| {
        known.iter().position(|other| other == person).unwrap_or_else(|| {
            known.push(*person);
            known.len() - 1
        })
    };
    Ok(found.iter().map(|person| person.as_ref().map(&mut number)).collect())
}

/// Rows of persons 7, 8, 7, 9, 7 in two batches.
fn arrays() -> Source {
    let batch = |ids: Vec<i64>, x: Vec<f64>, level: Vec<&str>| {
        let id: ArrayRef = Arc::new(Int64Array::from(ids));
        let x: ArrayRef = Arc::new(Float64Array::from(x));
        let level: ArrayRef = Arc::new(StringArray::from(level));
        RecordBatch::try_from_iter([("x", x), ("id", id), ("level", level)]).unwrap()
    };
    let first = batch(vec![7, 8, 7], vec![0.5, 1.5, 2.5], vec!["a", "b", "c"]);
    let second = batch(vec![9, 7], vec![3.5, f64::INFINITY], vec!["d", "e"]);
    Source::from_batches("t", first.schema(), vec![first, second]).unwrap()
}

fn text() -> Source {
    csv("x,id,level\n0.5,7,a\n1.5, 8 ,b\n2.5,7.0,\"c\"\n3.5,09,d\n1e999,+7,e\n")
}

#[test]
fn persons_are_told_apart() {
    for source in [text(), arrays()] {
        let found = persons(&source, "id", &usual(), Invalid::Refuse).unwrap();
        assert_eq!(found, [0, 1, 0, 2, 0].map(Some));
    }
    let days: ArrayRef = Arc::new(Date32Array::from(vec![3, 4, 3]));
    let batch = RecordBatch::try_from_iter([("born", days)]).unwrap();
    let source = Source::from_batches("t", batch.schema(), vec![batch]).unwrap();
    assert_eq!(persons(&source, "born", &usual(), Invalid::Refuse).unwrap(), [0, 1, 0].map(Some));
}

#[test]
fn a_part_is_a_table_without_the_other_rows_and_the_column() {
    for source in [text(), arrays()] {
        let part = source.of_rows("id", vec![1, 2, 3]).unwrap();
        assert_eq!(part.names(), ["x", "level"]);
        let columns = part.read_plain(&[]).unwrap();
        assert_eq!(columns[0].values, PlainValues::Floats(vec![1.5, 2.5, 3.5]));
        let levels = ["b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(columns[1].values, PlainValues::Text { levels, codes: vec![0, 1, 2] });
        assert_eq!(draft_schema(&part).unwrap().schema.columns().len(), 2);
        assert_eq!((part.row_in_file(1), part.row_in_file(3), source.row_in_file(3)), (2, 4, 3));
    }
}

#[test]
fn rows_that_are_not_in_it_do_no_harm_and_others_are_named_as_in_the_file() {
    let declared = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n\
                    [[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"a\", \"b\", \"d\"]\n";
    let schema = parse_schema(declared).unwrap();
    for source in [text(), arrays()] {
        assert_eq!(source.of_rows("id", vec![0, 3]).unwrap().read(&schema).unwrap().rows(), 2);
        let fault = |rows: Vec<u32>| match source.of_rows("id", rows).unwrap().read(&schema) {
            Err(error) => error.problem().clone(),
            Ok(_) => panic!("read"),
        };
        let value = |row, column: &str, fault| Problem::Value {
            row,
            column: ColumnPlace::Named(column.to_owned()),
            fault,
        };
        assert_eq!(fault(vec![1, 2, 3]), value(3, "level", Fault::UnknownLevel));
        assert_eq!(fault(vec![3, 4]), value(5, "x", Fault::Infinite));
        let part = source.of_rows("id", vec![1, 4]).unwrap();
        assert_eq!(
            part.read_plain(&[]).unwrap_err().problem(),
            &Problem::Value { row: 5, column: ColumnPlace::At(1), fault: Fault::Infinite }
        );
        let part = source.of_rows("x", vec![1]).unwrap();
        assert_eq!(part.place_of("level"), Some(ColumnPlace::At(3)), "as the file counts columns");
    }
}

#[test]
fn one_person_in_every_format_and_spelling() {
    let values: [(&str, Vec<ArrayRef>); 2] = [
        (
            "id,x\n100000,1\n1e+05,2\n18446744073709551615,3\n18446744073709551614,4\n",
            vec![
                Arc::new(UInt64Array::from(vec![100_000, 100_000, u64::MAX, u64::MAX - 1])),
                Arc::new(
                    Decimal128Array::from(vec![
                        10_000_000,
                        10_000_000,
                        i128::from(u64::MAX) * 100,
                        i128::from(u64::MAX) * 100 - 100,
                    ])
                    .with_precision_and_scale(38, 2)
                    .unwrap(),
                ),
                Arc::new(StringArray::from(vec![
                    "100000",
                    " 1E5",
                    "18446744073709551615",
                    "18446744073709551614.0",
                ])),
            ],
        ),
        (
            "id,x\n0.5,1\n.50,2\n5e-1,3\n-2,4\n",
            vec![
                Arc::new(Float64Array::from(vec![0.5, 0.5, 0.5, -2.0])),
                Arc::new(StringArray::from(vec!["0.5", "+.5", "5.0E-01", "-02"])),
            ],
        ),
    ];
    for (text, arrays) in values {
        let expected = persons(&csv(text), "id", &usual(), Invalid::Refuse).unwrap();
        assert_eq!(expected.iter().max(), Some(&Some(if text.contains("1e+05") { 2 } else { 1 })));
        for id in arrays {
            let batch = RecordBatch::try_from_iter([("id", id)]).unwrap();
            let source = Source::from_batches("t", batch.schema(), vec![batch]).unwrap();
            assert_eq!(persons(&source, "id", &usual(), Invalid::Refuse).unwrap(), expected);
        }
    }
}

#[test]
fn every_row_must_be_somebodys() {
    let missing = |text: &str, codes: &[String]| match persons(&csv(text), "id", codes, Invalid::Refuse) {
        Err(error) => {
            let said = format!("{error}\n{}", error.advice());
            assert!(!said.contains("731"), "{said}");
            error.problem().clone()
        }
        Ok(_) => panic!("read"),
    };
    let at =
        |row| Problem::Value { row, column: ColumnPlace::Named("id".to_owned()), fault: Fault::NoPerson };
    assert_eq!(missing("id,x\n731,1\nNA,2\n", &usual()), at(2));
    assert_eq!(missing("id,x\n731,1\n731,1\n  ,2\n", &[]), at(3));
    assert_eq!(missing("id,x\n731,1\n-8.0,2\n", &["-8".to_owned()]), at(2));
    assert_eq!(missing("pid,x\n731,1\n", &usual()), Problem::NoPersonColumn("id".to_owned()));
    assert_eq!(
        persons(&csv("id,x\n731,1\nNA,2\n"), "id", &[], Invalid::Refuse).unwrap(),
        [0, 1].map(Some),
        "as the schema has it"
    );
    let nobody = persons(&csv("id,x\n731,1\nNA,2\n"), "id", &usual(), Invalid::Missing).unwrap();
    assert_eq!(nobody, [Some(0), None]);
    assert_eq!(csv("id\n1\n").of_rows("id", vec![0]).unwrap_err().problem(), &Problem::NoColumns);
}
