//! Table files: what can be read is drafted a schema for, read by it, written, and read again as the same.

use indistinct::table::{Table, Values};
use indistinct_io::{Format, Source, draft_schema, parse_schema, read_comparable, write_schema, write_to};

use crate::EXPANSION;

/// Comma-separated text, and tabs where there are some.
pub(crate) fn csv(bytes: &[u8]) {
    file(Format::CSV, bytes);
    if bytes.contains(&b'\t') {
        file(Format::TSV, bytes);
    }
}

/// Packed text.
pub(crate) fn gzip(bytes: &[u8]) {
    file(Format::Text { separator: b',', gzip: true }, bytes);
}

/// An archive with a text in it.
pub(crate) fn zip(bytes: &[u8]) {
    file(Format::Zip, bytes);
}

/// Sheets of Excel.
pub(crate) fn xlsx(bytes: &[u8]) {
    file(Format::Xlsx, bytes);
}

/// Sheets of OpenDocument.
pub(crate) fn ods(bytes: &[u8]) {
    file(Format::Ods, bytes);
}

/// Parquet.
pub(crate) fn parquet(bytes: &[u8]) {
    file(Format::Parquet, bytes);
}

/// Arrow.
pub(crate) fn arrow(bytes: &[u8]) {
    file(Format::Arrow, bytes);
}

fn open(format: Format, bytes: &[u8]) -> Option<Source> {
    match Source::from_reader_within("table", format, bytes, EXPANSION) {
        Ok(source) => Some(source),
        Err(error) => {
            assert!(!error.advice().is_empty() && !error.to_string().is_empty());
            None
        }
    }
}

fn file(format: Format, bytes: &[u8]) {
    let Some(source) = open(format, bytes) else { return };
    let plain = source.read_plain(&[]);
    let comparable = read_comparable(&source, &[&source]);
    if let (Ok(plain), Ok((real, _))) = (&plain, &comparable) {
        // A first or last column without a name is read past.
        let unread = plain.len().checked_sub(real.columns().len());
        assert!(unread.is_some_and(|columns| columns <= 1));
    }
    let Ok(draft) = draft_schema(&source) else { return };
    let schema = parse_schema(&draft.to_toml()).expect("a draft is a schema");
    assert_eq!(schema, draft.schema, "a draft reads as what was drafted");
    assert_eq!(parse_schema(&write_schema(&schema)).as_ref(), Ok(&schema));
    // Not every draft fits its table: identifiers may be all there is.
    let Ok(table) = source.read(&schema) else { return };
    again(&table, Format::CSV);
    // Parquet's writer takes longer than all else here; its round trips have tests of their own.
    if format == Format::Arrow || matches!(format, Format::Text { gzip: true, .. }) {
        again(&table, format);
    }
}

/// Writes a table and reads it again.
fn again(table: &Table, format: Format) {
    let mut written = Vec::new();
    if write_to(table, format, &mut written).is_err() {
        return;
    }
    let columns = table.columns().iter().map(|column| column.schema().clone()).collect();
    let schema =
        indistinct::table::Schema::new(Vec::new(), columns).expect("the columns are those of a schema");
    let source = Source::from_reader("again", format, written.as_slice()).expect("what was written opens");
    let back = source.read(&schema).expect("what was written is read");
    assert!(same(table, &back), "what was written is read as the same");
}

/// Equal, missing numbers being equal to each other, and numbers with declared decimals if they are written alike: those in
/// single precision are not exactly what they are written as.
pub(crate) fn same(one: &Table, other: &Table) -> bool {
    let pairs = || one.columns().iter().zip(other.columns());
    one.columns().len() == other.columns().len()
        && pairs().all(|(column, other)| match (column.values(), other.values()) {
            (Values::Float(one), Values::Float(other)) => {
                let decimals = column.schema().decimals();
                let written = |value: &f64| match decimals {
                    Some(decimals) => format!("{value:.*}", decimals as usize).parse().unwrap_or(*value),
                    None => *value,
                };
                let present = |value: &f64| (!value.is_nan()).then(|| written(value));
                one.iter().map(present).eq(other.iter().map(present))
            }
            (one, other) => one == other,
        })
}
