//! Opening tables, and what is said when that fails.

use std::path::{Path, PathBuf};

use indistinct_io::{ReadError, SchemaFileError, Source};

use crate::Failure;

/// Opens a table; `-` is CSV on standard input.
///
/// # Errors
/// When there is no such file, or it has no usable header.
pub fn open(path: &Path) -> Result<Source, Failure> {
    Source::open(path).map_err(read_failure)
}

/// Standard input can be read once.
///
/// # Errors
/// When it is named twice.
pub fn one_standard_input<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| **path == Path::new("-")).count() > 1 {
        return Err(Failure::usage("only one table can come from standard input"));
    }
    Ok(())
}

/// What is said when a table cannot be read.
pub fn read_failure(error: ReadError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}

/// What is said when a schema cannot be read.
pub fn schema_failure(error: SchemaFileError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}
