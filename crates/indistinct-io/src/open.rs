//! Tables and formats by name.

use std::path::{Path, PathBuf};

use indistinct::table::Schema;

use crate::{Failure, Format, Header, Source, read_failure};

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

/// A format by its name, such as `csv.gz`.
///
/// # Errors
/// When there is no such format.
pub fn format_of(name: &str) -> Result<Format, Failure> {
    Format::of(Path::new(&format!("table.{name}"))).ok_or_else(|| {
        Failure::usage("--format is not a known format").advise("use csv, csv.gz, tsv, parquet or arrow")
    })
}
