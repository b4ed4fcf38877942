//! Opening tables: from files, readers, arrays and columns in memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;

#[cfg(feature = "columnar")]
use arrow::array::RecordBatch;
#[cfg(feature = "columnar")]
use arrow::datatypes::SchemaRef;

use super::{Content, Header, Source, TextOptions, io_problem};
#[cfg(feature = "spreadsheets")]
use crate::archive::Archive;
#[cfg(feature = "columnar")]
use crate::columnar::{Columnar, FileBytes};
use crate::csv::{self, Formed, Input};
use crate::error::{Problem, ReadError};
use crate::expansion::Expansion;
#[cfg(feature = "columnar")]
use crate::files::files_of;
#[cfg(feature = "spreadsheets")]
use crate::foreign::{ZIPPED, misnamed};
use crate::format::Format;
use crate::memory::{Memory, MemoryColumn};
#[cfg(feature = "spreadsheets")]
use crate::spreadsheet::first_sheet;

impl Source {
    /// Opens a file in the format of its name's ending; `-` is CSV on standard input. Packed files may unpack as
    /// far as [`Expansion::from_environment`] allows.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, or it has no usable header.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::open_with(path, &TextOptions::default())
    }

    /// Opens a file whose form is declared in part.
    ///
    /// # Errors
    /// Those of [`open`](Self::open); also when a format that always names its columns is declared to have no
    /// header, or the text is not in the declared encoding.
    pub fn open_with(path: &Path, options: &TextOptions) -> Result<Self, ReadError> {
        if path == Path::new("-") {
            return Self::read_all("standard input", Format::CSV, options, std::io::stdin().lock());
        }
        let file = path.display().to_string();
        let problem = |problem| ReadError::new(&file, problem);
        #[cfg(feature = "columnar")]
        if let Some(files) = files_of(path).map_err(problem)? {
            return Self::open_folder(path, &files, options.header);
        }
        #[cfg(not(feature = "columnar"))]
        if path.is_dir() {
            return Err(problem(Problem::IsFolder));
        }
        let Some(format) = Format::of(path) else {
            let found = path.try_exists().unwrap_or(true);
            return Err(problem(if found { Problem::of_ending(path) } else { Problem::NotFound }));
        };
        let expansion = Expansion::from_environment();
        let mut opened = File::open(path).map_err(|error| problem(io_problem(&error)))?;
        if let Format::Text { separator, gzip } = format {
            let formed = Input::open(opened, gzip, expansion)
                .and_then(|input| csv::Text::open(input, separator, options));
            return Self::formed(&file, formed, options.header);
        }
        #[cfg(feature = "columnar")]
        if matches!(format, Format::Parquet | Format::Arrow)
            && options.header == Header::Present
            && opened.metadata().is_ok_and(|about| about.is_file())
        {
            let bytes = FileBytes::open(opened).map_err(|error| problem(io_problem(&error)))?;
            return Self::new(
                &file,
                Columnar::new(bytes, format, expansion).map(Content::Columnar),
                options.header,
            );
        }
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map_err(|error| problem(io_problem(&error)))?;
        Self::from_bytes(&file, format, options, bytes, expansion)
    }

    /// Opens the bytes of a file from any reader; `file` is its name in messages.
    ///
    /// # Errors
    /// When it cannot be read or has no usable header.
    pub fn from_reader(file: &str, format: Format, reader: impl Read) -> Result<Self, ReadError> {
        Self::read_all(file, format, &TextOptions::default(), reader)
    }

    /// Opens the bytes of a text without a header.
    ///
    /// ```
    /// use indistinct_io::{Format, Source};
    ///
    /// let source = Source::from_reader_without_header("people.csv", Format::CSV, "31,F\n64,M\n".as_bytes())?;
    /// assert_eq!(source.names(), ["column1", "column2"]);
    /// # Ok::<(), indistinct_io::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// When it cannot be read, or is of a format that always names its columns.
    pub fn from_reader_without_header(
        file: &str,
        format: Format,
        reader: impl Read,
    ) -> Result<Self, ReadError> {
        let options =
            TextOptions { header: Header::Absent, may_look_at_rows: true, ..TextOptions::default() };
        Self::read_all(file, format, &options, reader)
    }

    fn read_all(
        file: &str,
        format: Format,
        options: &TextOptions,
        mut reader: impl Read,
    ) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| ReadError::new(file, io_problem(&error)))?;
        Self::from_bytes(file, format, options, bytes, Expansion::from_environment())
    }

    /// Opens the bytes of a file, with a given limit on what a packed file may unpack to.
    ///
    /// # Errors
    /// When it cannot be read, unpacks to more, or has no usable header.
    pub fn from_reader_within(
        file: &str,
        format: Format,
        mut reader: impl Read,
        expansion: Expansion,
    ) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| ReadError::new(file, io_problem(&error)))?;
        Self::from_bytes(file, format, &TextOptions::default(), bytes, expansion)
    }

    fn from_bytes(
        file: &str,
        format: Format,
        options: &TextOptions,
        bytes: Vec<u8>,
        expansion: Expansion,
    ) -> Result<Self, ReadError> {
        let header = options.header;
        let content = match format {
            Format::Text { separator, gzip } => {
                let input = Input::memory(bytes, gzip, expansion);
                let formed = input.and_then(|input| csv::Text::open(input, separator, options));
                return Self::formed(file, formed, header);
            }
            #[cfg(feature = "spreadsheets")]
            Format::Zip => {
                let unpacked = Archive::new(&bytes, format, &expansion.of(bytes.len()))
                    .and_then(|mut archive| archive.only_text());
                let formed = unpacked
                    .and_then(|(text, separator)| csv::Text::open(Input::Memory(text), separator, options));
                return Self::formed(file, formed, header);
            }
            #[cfg(feature = "spreadsheets")]
            Format::Xlsx | Format::Ods => return Self::of_sheet(file, format, options, &bytes, expansion),
            #[cfg(not(feature = "spreadsheets"))]
            Format::Zip | Format::Xlsx | Format::Ods => Err(Problem::UnknownFormat),
            format if header == Header::Absent => Err(Problem::AlwaysNamed(format)),
            #[cfg(feature = "columnar")]
            Format::Parquet | Format::Arrow => {
                Columnar::new(FileBytes::Memory(bytes.into()), format, expansion).map(Content::Columnar)
            }
            #[cfg(not(feature = "columnar"))]
            Format::Parquet | Format::Arrow => Err(Problem::UnknownFormat),
        };
        Self::new(file, content, header)
    }

    /// The first sheet of a spreadsheet.
    #[cfg(feature = "spreadsheets")]
    fn of_sheet(
        file: &str,
        format: Format,
        options: &TextOptions,
        bytes: &[u8],
        expansion: Expansion,
    ) -> Result<Self, ReadError> {
        if let Some(problem) = misnamed(bytes, ZIPPED) {
            return Err(ReadError::new(file, problem));
        }
        let read = first_sheet(bytes, format, expansion);
        let (text, sheets) = read.map_err(|problem| ReadError::new(file, problem))?;
        let text = csv::Text::new(Input::Memory(text), b',', options.header);
        let several = (sheets > 1).then(|| format!("the first of {sheets} sheets was read"));
        let said = several.into_iter().collect();
        let formed = text.map(|text| Formed { text, unusual: None, said });
        Ok(Self { is_sheet: true, ..Self::formed(file, formed, options.header)? })
    }

    /// A text with its form.
    fn formed(file: &str, formed: Result<Formed, Problem>, header: Header) -> Result<Self, ReadError> {
        let Formed { mut text, unusual, mut said } =
            formed.map_err(|problem| ReadError::new(file, problem))?;
        let unnamed = text.name_unnamed();
        match unnamed.as_slice() {
            [] => {}
            [name] => said.push(format!("the header has no name for `{name}`, which is read past")),
            [.., last] => said.push(format!(
                "the header has no name for {} columns up to `{last}`, which are read past",
                unnamed.len()
            )),
        }
        let source = Self::new(file, Ok(Content::Text(text)), header)?;
        Ok(Self { delimiter: unusual.map(char::from), said, unnamed, ..source })
    }

    #[cfg(feature = "columnar")]
    /// Opens Arrow arrays in memory, as other libraries hand them over; `file` is the table's name in messages.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow::array::{ArrayRef, Int64Array, RecordBatch};
    /// use indistinct_io::Source;
    ///
    /// let age: ArrayRef = Arc::new(Int64Array::from(vec![Some(31), None]));
    /// let batch = RecordBatch::try_from_iter([("age", age)])?;
    /// let source = Source::from_batches("people", batch.schema(), vec![batch])?;
    /// assert_eq!(source.read_plain(&[])?[0].values.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are no columns, or their names are empty or not different.
    pub fn from_batches(file: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, ReadError> {
        Self::new(file, Columnar::of_batches(schema, batches).map(Content::Columnar), Header::Present)
    }

    /// Opens columns in memory, as a language without Arrow hands them over; `file` is the table's name in messages.
    ///
    /// ```
    /// use indistinct_io::{MemoryColumn, MemoryValues, Source};
    ///
    /// let age = MemoryColumn { name: "age".to_owned(), values: MemoryValues::Float(vec![31.0, f64::NAN]) };
    /// let source = Source::from_columns("people", vec![age])?;
    /// assert_eq!(source.read_plain(&[])?[0].values.len(), 2);
    /// # Ok::<(), indistinct_io::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// When there are no columns, their lengths differ, or their names are empty or not different.
    pub fn from_columns(file: &str, columns: Vec<MemoryColumn>) -> Result<Self, ReadError> {
        Self::new(file, Memory::new(columns).map(Content::Memory), Header::Present)
    }

    #[cfg(feature = "columnar")]
    /// Opens a table whose columns were described.
    pub(crate) fn of_columnar(file: &str, table: Columnar) -> Result<Self, ReadError> {
        Self::new(file, Ok(Content::Columnar(table)), Header::Present)
    }

    fn new(file: &str, content: Result<Content, Problem>, header: Header) -> Result<Self, ReadError> {
        let source = Self {
            file: file.to_owned(),
            content: content.map_err(|problem| ReadError::new(file, problem))?,
            part: None,
            header,
            is_sheet: false,
            delimiter: None,
            said: Vec::new(),
            unnamed: Vec::new(),
        };
        source.check_names()?;
        Ok(source)
    }
}
