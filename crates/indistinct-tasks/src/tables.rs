//! Opening tables, and what is said when that fails.

use std::path::{Path, PathBuf};

use indistinct::table::Schema;
use indistinct_io::{Header, ReadError, SchemaFileError, Source};

use crate::Failure;

/// Opens a table; `-` is CSV on standard input.
///
/// # Errors
/// When there is no such file, or it has no usable header.
pub fn open(path: &Path) -> Result<Source, Failure> {
    Source::open(path).map_err(read_failure)
}

/// Opens a table that has no header if `no_header` says so: its columns then have the names that the schema declares, in its order,
/// or are numbered, `column1` and so on, where there is none.
///
/// # Errors
/// The same, and when the schema does not declare as many columns.
pub fn open_named(path: &Path, no_header: bool, schema: Option<&Schema>) -> Result<Source, Failure> {
    let header = if no_header { Header::Absent } else { Header::Present };
    let mut source = Source::open_with(path, header).map_err(read_failure)?;
    if let Some(schema) = schema {
        source.name_columns(schema).map_err(read_failure)?;
    }
    Ok(source)
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
