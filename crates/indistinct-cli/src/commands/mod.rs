//! One module a command.

pub(crate) mod combine;
pub(crate) mod evaluate;
pub(crate) mod ledger;
pub(crate) mod reproduce;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod synth;
pub(crate) mod verify;

use std::path::{Path, PathBuf};

use indistinct::release::TooRare;
use indistinct_io::{ReadError, Source};

use crate::failure::Failure;

/// Opens a table; `-` is CSV on standard input.
fn open(path: &Path) -> Result<Source, Failure> {
    let source = if path == Path::new("-") { Source::stdin() } else { Source::open(path) };
    source.map_err(read_failure)
}

/// Standard input can be read once.
fn one_standard_input<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| **path == Path::new("-")).count() > 1 {
        return Err(Failure::usage("only one table can come from standard input"));
    }
    Ok(())
}

fn read_failure(error: ReadError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}

/// A model that hardly ever makes rows as demanded.
fn rare_failure(error: &TooRare) -> Failure {
    Failure::failed(error).advise(match error.broken {
        Some(_) => "the model cannot follow the rule: relax it in the schema, or declare limits and predictors that help",
        None => "ask for more with --where: wider limits, fewer conditions joined by `and`",
    })
}
