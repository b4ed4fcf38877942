//! CSV, plain and packed.

use std::fmt::Write as _;
use std::io::Write as _;

use indistinct_io::{Format, Problem};

use crate::{expands, feed, problem};

const GZIP: Format = Format::Text { separator: b',', gzip: true };

fn packed(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

#[test]
fn a_gzip_bomb_is_not_unpacked() {
    let mut text = b"x\n".to_vec();
    text.resize(64 << 20, b'1');
    let bomb = packed(&text);
    assert!(bomb.len() < 100_000);
    let found = problem("gzip", GZIP, &bomb);
    assert!(expands(&found));
    assert_eq!(
        found.to_string(),
        "the file unpacks to more than 3 MiB, which is far more than its size explains"
    );
    // Of many members as well.
    let many = packed(&b"1\n".repeat(1 << 20)).repeat(20);
    assert!(expands(&problem("gzip", GZIP, &many)));
}

#[test]
fn a_header_of_many_columns_takes_memory_for_as_many() {
    let mut text = String::new();
    for column in 0..200_000 {
        write!(text, "{column:x},").unwrap();
    }
    text.push_str("last\n");
    let ragged = format!("{text}{}", "1\n".repeat(600_000));
    assert!(matches!(problem("csv", Format::CSV, ragged.as_bytes()), Problem::Ragged { row: 1, .. }));
}

#[test]
fn a_wide_table_is_read() {
    let (columns, rows) = (5_000, 40);
    let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
    let row: Vec<&str> = (0..columns).map(|column| ["a", "1", "0.5"][column % 3]).collect();
    let text = format!("{}\n{}", names.join(","), format!("{}\n", row.join(",")).repeat(rows));
    feed("csv", text.as_bytes());
}

#[test]
fn a_quote_without_end_is_looked_through_once() {
    let mut text = b"a\n1\n\"".to_vec();
    while text.len() < 16 << 20 {
        text.extend(b"a long, long story\n");
    }
    assert_eq!(problem("csv", Format::CSV, &text), Problem::UnterminatedQuote(3));
}

#[test]
fn a_row_of_many_blocks_is_read() {
    let text = format!("a,b\n1,\"{}\"\n2,x\n", "line\n".repeat(400_000));
    feed("csv", text.as_bytes());
}
