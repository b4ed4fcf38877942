//! Tables that are compared without a schema, and differ in their spellings only.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::csv;
use indistinct_io::read_comparable;

/// Whether a column is read as the same from two tables with these cells.
fn same(one: &[&str], other: &[&str]) -> bool {
    let table = |cells: &[&str]| {
        csv(&format!("x,y\n{}", cells.iter().map(|cell| format!("{cell},1\n")).collect::<String>()))
    };
    let (real, others) = read_comparable(&table(one), &[table(other)]).unwrap();
    // Missing numbers are not equal to each other.
    format!("{:?}", real.columns()[0]) == format!("{:?}", others[0].columns()[0])
}

#[test]
fn words_for_missing_values_are_missing() {
    assert!(same(&["1", "NULL", "3"], &["1", "", "3"]));
    assert!(same(&["1", "None", "3.0"], &["1", "-", "3"]));
    assert!(same(&["a", "NULL", "b"], &["a", "", "b"]));
    assert!(same(&["2024-02-29", "null"], &["2024-02-29", ""]));
    assert!(same(&["NULL", "NULL"], &["", ""]));
    assert!(!same(&["a", "None", "b"], &["a", "", "b"]), "a category");
}

#[test]
fn truths_are_the_same_in_all_spellings() {
    assert!(same(&["TRUE", "FALSE", ""], &["True", "False", ""]));
    assert!(same(&["yes", "no"], &["1", "0"]));
    assert!(same(&["TRUE", "TRUE", "FALSE"], &["t", "t", "f"]));
    assert!(!same(&["F", "M"], &["False", "True"]));
    assert!(!same(&["yes", "no"], &["no", "yes"]));
}

#[test]
fn dates_of_each_table_have_a_form_of_their_own() {
    assert!(same(&["2024-02-29", "2024-01-05"], &["02/29/2024", "01/05/2024"]));
    assert!(same(&["2024-02-29", "2024-01-05"], &["29.02.2024", "05.01.2024"]));
    assert!(same(&["2024-02-29 12:30", "2024-01-05 00:00"], &["02/29/2024 12:30", "01/05/2024 00:00"]));
    assert!(!same(&["2024-02-29", "x"], &["02/29/2024", "x"]));
}
