//! Writing tables: completely or not at all.

#[cfg(feature = "columnar")]
mod arrow;
mod atomic;
mod part;
mod text;

use std::io::{self, Write};
use std::path::Path;

use indistinct::table::{Schema, Table};

use crate::format::Format;
#[cfg(feature = "columnar")]
pub use arrow::to_batch;
pub use atomic::write_atomically;
pub(crate) use atomic::{create_atomically, folder_of, sync_folder};
pub(crate) use part::PartFolder;

/// The reason why a table could not be written: the file, and what is wrong. Displays as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct WriteError {
    file: String,
    problem: WriteProblem,
}

impl WriteError {
    /// The problem.
    pub fn problem(&self) -> &WriteProblem {
        &self.problem
    }

    /// Advice in one line.
    pub fn advice(&self) -> String {
        self.problem.advice()
    }
}

/// A problem of writing a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteProblem {
    /// A file name that does not show the format.
    #[error("the file name does not end in a known format")]
    UnknownFormat,
    /// The operating system refused, or the encoder.
    #[error("cannot be written: {0}")]
    Io(String),
    /// Nothing to write.
    #[error("the table has no columns")]
    NoColumns,
    /// Missing values and a level would have the same spelling.
    #[error("column `{0}` has missing values and an empty level, which text files cannot tell apart")]
    MissingIsLevel(String),
    /// A name or a level that text files cannot hold.
    #[error("column `{}` has a NUL byte in its name or in a level, which text files cannot hold", .0.replace('\0', ""))]
    NulByte(String),
    /// A format that cannot spell the column's dates.
    #[error("column `{0}` has dates that its format cannot spell")]
    BadFormat(String),
}

impl WriteProblem {
    /// Advice in one line.
    pub fn advice(&self) -> String {
        match self {
            Self::UnknownFormat => format!("use one of {}", crate::format::WRITTEN),
            Self::Io(_) => {
                "check that the folder exists, that you may write there, and the free space".to_owned()
            }
            Self::NoColumns => "declare at least one column that is not an identifier".to_owned(),
            Self::MissingIsLevel(_) => {
                "declare a code of `missing` for the column, or give the empty level a name".to_owned()
            }
            Self::NulByte(_) => {
                "write Parquet or Arrow, or give the column or the level another name".to_owned()
            }
            Self::BadFormat(_) => "correct the column's format, as in %Y-%m-%d".to_owned(),
        }
    }
}

impl From<io::Error> for WriteProblem {
    fn from(error: io::Error) -> Self {
        Self::Io(error.to_string())
    }
}

/// Writes a table to a file, in the format of its name's ending.
///
/// The file appears complete, under its name, or not at all. Numbers have the shortest spelling that reads back
/// as the same number, in text the declared number of decimals where there is one, categories and booleans their
/// declared spelling, dates their declared format, numbers in text their declared marks. A missing value is in text the
/// first declared spelling, of the column or else of the table (an empty field if none is, in quotes if it is alone on
/// its line; another one if the first is a level), and null in Parquet and Arrow. There, categories whose spellings are all
/// whole numbers are written as such, and booleans other than `false` and `true` as categories, so that a table
/// looks alike in all formats.
///
/// # Errors
/// When the format is unknown, the table cannot be spelled, or the system refuses; then no file is left behind.
pub fn write(table: &Table, path: &Path) -> Result<(), WriteError> {
    write_formed(table, path, |format| format)
}

/// Writes a table like [`write()`], with the delimiter that a schema declares for text.
///
/// # Errors
/// Those of [`write()`].
pub fn write_declared(table: &Table, schema: &Schema, path: &Path) -> Result<(), WriteError> {
    write_formed(table, path, |format| format.written(schema))
}

fn write_formed(table: &Table, path: &Path, form: impl Fn(Format) -> Format) -> Result<(), WriteError> {
    let fail = |problem| WriteError { file: path.display().to_string(), problem };
    let is_written = |format: &Format| !matches!(format, Format::Zip | Format::Xlsx | Format::Ods);
    let format = Format::of(path).filter(is_written).ok_or_else(|| fail(WriteProblem::UnknownFormat))?;
    write_atomically(path, |out| write_to(table, form(format), out)).map_err(fail)
}

/// Writes a table like [`write()`], to anything that takes bytes.
///
/// # Errors
/// When the table cannot be spelled or the bytes are not taken.
pub fn write_to(table: &Table, format: Format, out: &mut (dyn Write + Send)) -> Result<(), WriteProblem> {
    if table.columns().is_empty() {
        return Err(WriteProblem::NoColumns);
    }
    match format {
        Format::Text { separator, gzip: false } => text::write(table, separator, out),
        Format::Text { separator, gzip: true } => {
            let mut packed = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            text::write(table, separator, &mut packed)?;
            packed.finish()?;
            Ok(())
        }
        Format::Zip | Format::Xlsx | Format::Ods => Err(WriteProblem::UnknownFormat),
        #[cfg(feature = "columnar")]
        Format::Parquet => arrow::write_parquet(table, out),
        #[cfg(feature = "columnar")]
        Format::Arrow => arrow::write_ipc(table, out),
        #[cfg(not(feature = "columnar"))]
        Format::Parquet | Format::Arrow => Err(WriteProblem::UnknownFormat),
    }
}
