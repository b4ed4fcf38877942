//! Inputs that were made to do harm, one by one: each is refused with advice, or read, in little memory and time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arrow_files;
mod documents;
mod languages;
mod pages;
mod parquet_files;
mod text_files;
#[path = "../watch/mod.rs"]
mod watch;

use indistinct_fuzz::{EXPANSION, target};
use indistinct_io::{Format, Problem, Source};

/// Runs a target on an input, watched.
fn feed(name: &str, bytes: &[u8]) {
    watch::Watch::new(target(name).unwrap()).feed(bytes, name);
}

/// The problem with a file, after its target was run on it.
fn problem(name: &str, format: Format, bytes: &[u8]) -> Problem {
    feed(name, bytes);
    let read =
        Source::from_reader_within("t", format, bytes, EXPANSION).and_then(|source| source.read_plain(&[]));
    let error = read.expect_err("it is refused");
    assert!(!error.advice().is_empty() && !error.to_string().contains('\n'));
    error.problem().clone()
}

/// Whether the file was refused for what it would unpack to.
fn expands(problem: &Problem) -> bool {
    matches!(problem, Problem::Expands(_))
}
