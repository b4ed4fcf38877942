//! Reading text tables without a schema.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::fmt::Write as _;

use common::{csv, texts};
use indistinct::table::{ColumnType, MISSING_CODE, MISSING_INTEGER, Values};
use indistinct_io::{Format, PlainValues, Source, Wanted, read_comparable};
use proptest::prelude::*;

fn read(text: &str) -> Vec<PlainValues> {
    csv(text).read_plain(&[]).unwrap().into_iter().map(|column| column.values).collect()
}

#[test]
fn line_ends_quotes_and_byte_order_marks() {
    let expected = vec![PlainValues::Integers(vec![1, 3]), texts(&["x", "y"], &[0, 1])];
    for file in [
        "a,b\n1,x\n3,y\n",
        "a,b\r\n1,x\r\n3,y\r\n",
        "a,b\n1,x\n3,y",
        "\u{feff}a,b\n1,x\n3,y\n\n\r\n\n",
        "\"a\",\"b\"\n\"1\",\"x\"\n \"\"3,y".replace(" \"\"", "").as_str(),
        "a,b\n 1 ,x\n+3,y\n",
    ] {
        assert_eq!(read(file), expected, "{file:?}");
    }
    assert_eq!(csv("\u{feff}a,b\n1,2\n").names(), ["a", "b"]);
}

#[test]
fn missing_values() {
    let columns = read("a,b,c\n1,x,\n NA ,NA,NA\n,\"\",?\nNaN,?,NaN\nnan, ,\n");
    let none = MISSING_INTEGER;
    assert_eq!(columns[0], PlainValues::Integers(vec![1, none, none, none, none]));
    let none = MISSING_CODE;
    assert_eq!(columns[1], texts(&["x"], &[0, none, none, none, none]));
    assert!(matches!(&columns[2], PlainValues::Floats(values) if values.iter().all(|value| value.is_nan())));
}

#[test]
fn a_blank_line_is_a_missing_value_of_a_single_column() {
    let PlainValues::Floats(values) = &read("a\n1.5\n\n2.5\n\n\n")[0] else { panic!() };
    let missing: Vec<bool> = values.iter().map(|value| value.is_nan()).collect();
    assert_eq!(missing, [false, true, false, true, true]);
}

#[test]
fn one_row_is_a_table() {
    assert_eq!(read("a,b\n1,x"), [PlainValues::Integers(vec![1]), texts(&["x"], &[0])]);
}

#[test]
fn a_word_at_the_end_of_a_long_file_makes_its_column_text() {
    let mut file = "a,b\n".to_owned();
    for row in 0..200_000 {
        writeln!(file, "{},{}.5", row % 7, row).unwrap();
    }
    file.push_str("x,1\n");
    let columns = read(&file);
    let PlainValues::Text { levels, codes } = &columns[0] else { panic!() };
    assert_eq!(levels, &["0", "1", "2", "3", "4", "5", "6", "x"]);
    assert_eq!((codes.len(), codes[8], codes[200_000]), (200_001, 1, 7));
    assert!(columns[1].is_numeric());
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let mut file = "a,b,c\n".to_owned();
    for row in 0..150_000_u64 {
        let odd = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        writeln!(file, "{odd},\"w{},\n{}\",{}.{odd}", odd % 50, odd % 3, row).unwrap();
    }
    let source = csv(&file);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| source.read_plain(&[]).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn comparable_tables_share_types_and_levels() {
    let real = csv("n,c,d,only\n1,b,1,5\n2,a,x,6\n");
    let synthetic = [csv("n,c,d\n1.5,z,01\n,a,2\n"), csv("c,n\n7,3\n")];
    let (real, synthetic) = read_comparable(&real, &synthetic).unwrap();
    let levels = |table: &indistinct::table::Table, name: &str| {
        let kind = table.column(name).unwrap().schema().kind().clone();
        kind.levels().map(|levels| levels.to_vec())
    };
    for table in [&real, &synthetic[0], &synthetic[1]] {
        assert_eq!(table.column("n").unwrap().schema().kind(), &ColumnType::Float);
        assert_eq!(levels(table, "c").unwrap(), ["7", "a", "b", "z"]);
    }
    assert_eq!(levels(&synthetic[0], "d").unwrap(), ["01", "1", "2", "x"]);
    assert_eq!(real.column("d").unwrap().values(), &Values::Code(vec![1, 3]));
    assert_eq!(synthetic[0].column("d").unwrap().values(), &Values::Code(vec![0, 2]));
    assert_eq!(real.column("only").unwrap().values(), &Values::Float(vec![5.0, 6.0]));
    assert_eq!(synthetic[1].columns()[0].name(), "c");
}

#[test]
fn wanted_columns_only() {
    let columns = csv("a,b,c\n01,2,3\n").read_plain(&[Wanted::Text, Wanted::Nothing]).unwrap();
    assert_eq!(columns.len(), 2);
    assert_eq!(columns[0].values, texts(&["01"], &[0]));
    assert_eq!(columns[1].values, PlainValues::Integers(vec![3]));
}

proptest! {
    #[test]
    fn any_bytes_are_a_table_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for format in [Format::CSV, Format::Text { separator: b'\t', gzip: true }] {
            _ = Source::from_reader("t", format, bytes.as_slice()).and_then(|source| source.read_plain(&[]));
        }
    }

    #[test]
    fn any_text_is_a_table_or_an_error(text in "[ab1.,\"\n\r ]{0,40}") {
        _ = Source::from_reader("t", Format::CSV, text.as_bytes()).and_then(|source| source.read_plain(&[]));
    }
}
