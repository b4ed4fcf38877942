//! Tables and formats by name.

use std::path::{Path, PathBuf};

use indistinct::table::Schema;

use crate::{Encoding, Failure, Format, Header, Source, TextOptions, read_failure};

/// Opens a table; `-` is CSV on standard input.
///
/// # Errors
/// When there is no such file, or it has no usable header.
pub fn open(path: &Path) -> Result<Source, Failure> {
    Source::open(path).map_err(read_failure)
}

/// The form of a table's text, as the command has it.
#[derive(Debug, Clone, Default)]
pub struct TypedForm {
    /// Whether the first line is a row.
    pub no_header: bool,
    /// The name of the encoding.
    pub encoding: Option<String>,
}

impl TypedForm {
    /// The options of a text. A schema declares the delimiter, and nothing of any row decides on it.
    ///
    /// # Errors
    /// When there is no such encoding.
    pub fn options(&self, schema: Option<&Schema>) -> Result<TextOptions, Failure> {
        Ok(TextOptions {
            header: if self.no_header { Header::Absent } else { Header::Present },
            delimiter: schema.and_then(Schema::delimiter),
            encoding: self.encoding.as_deref().map(encoding_of).transpose()?,
            may_look_at_rows: schema.is_none(),
        })
    }
}

/// An encoding by its name.
fn encoding_of(name: &str) -> Result<Encoding, Failure> {
    Encoding::of(name).ok_or_else(|| {
        Failure::usage("--encoding is not a known encoding")
            .advise("use utf-8, utf-16le, utf-16be, latin1, windows-1252, shift_jis or another name that browsers know")
    })
}

/// Opens a table of this form. Columns of a table without a header have the names that the schema declares, in its order, or are
/// numbered, `column1` and so on, where there is none.
///
/// # Errors
/// Those of [`open`], and when the schema does not declare as many columns, or the text is not of this form.
pub fn open_named(path: &Path, form: &TypedForm, schema: Option<&Schema>) -> Result<Source, Failure> {
    let mut source = Source::open_with(path, &form.options(schema)?).map_err(read_failure)?;
    if let Some(schema) = schema {
        source.name_columns(schema).map_err(read_failure)?;
    }
    Ok(source)
}

/// Opens a table that may be in several Parquet files.
///
/// # Errors
/// Those of [`open_named`], and when files of one table do not have the same columns.
pub fn open_table(paths: &[PathBuf], form: &TypedForm, schema: Option<&Schema>) -> Result<Source, Failure> {
    match paths {
        [path] => open_named(path, form, schema),
        #[cfg(feature = "columnar")]
        paths => Source::open_files(paths, form.options(schema)?.header).map_err(read_failure),
        #[cfg(not(feature = "columnar"))]
        _ => Err(Failure::usage("Parquet files are not part of this build").advise("name one file")),
    }
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
    let format = Format::of(Path::new(&format!("table.{name}")));
    let is_written = |format: &Format| !matches!(format, Format::Zip | Format::Xlsx | Format::Ods);
    format.filter(is_written).ok_or_else(|| {
        Failure::usage("--format is not a known format").advise(if cfg!(feature = "columnar") {
            "use csv, csv.gz, tsv, parquet or arrow"
        } else {
            "use csv, csv.gz or tsv"
        })
    })
}
