//! Code that several test binaries share.

#![allow(dead_code, reason = "each binary uses some of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use indistinct_io::{Format, PlainValues, Source};

/// A table as CSV text.
pub(crate) fn csv(text: &str) -> Source {
    Source::from_reader("t.csv", Format::CSV, text.as_bytes()).unwrap()
}

/// What a column of texts is read as.
pub(crate) fn texts(levels: &[&str], codes: &[u32]) -> PlainValues {
    PlainValues::Text {
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
        codes: codes.to_vec(),
    }
}
