//! An open table file: its column names are known, and its rows are read as often as needed.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

#[cfg(feature = "columnar")]
use arrow::array::RecordBatch;
#[cfg(feature = "columnar")]
use arrow::datatypes::SchemaRef;
use indistinct::table::Schema;

use crate::cells::{Collector, Total};
#[cfg(feature = "columnar")]
use crate::columnar::{Columnar, FileBytes};
use crate::csv::{self, Input};
use crate::error::{ColumnPlace, Problem, ReadError};
use crate::expansion::Expansion;
use crate::format::Format;

/// A table file. Its columns are read by [`Source::read`] with a schema, by [`Source::read_plain`] without.
#[derive(Debug)]
pub struct Source {
    file: String,
    content: Content,
    part: Option<Part>,
    header: Header,
}

/// Whether the first line of a text names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// The first line names the columns.
    #[default]
    Present,
    /// The first line is a row: columns are named `column1`, `column2` and so on.
    Absent,
}

/// A part of a table: some of its rows, and all columns but one.
#[derive(Debug, Clone)]
struct Part {
    /// The column that is left out.
    column: usize,
    /// The names of the others.
    names: Vec<String>,
    /// The rows that are left, numbered as before.
    rows: Vec<u32>,
}

/// Parts of a table in order, each with about its number of rows.
pub(crate) type Parts<'a> = Box<dyn Iterator<Item = Result<(Source, usize), ReadError>> + 'a>;

#[derive(Debug)]
enum Content {
    Text(csv::Text),
    #[cfg(feature = "columnar")]
    Columnar(Columnar),
}

impl Source {
    /// Opens a file in the format of its name's ending; `-` is CSV on standard input. Packed files may unpack as
    /// far as [`Expansion::from_environment`] allows.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, or it has no usable header.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::open_with(path, Header::Present)
    }

    /// Opens a file that may have no header.
    ///
    /// # Errors
    /// Those of [`open`](Self::open); also when a format that always names its columns is declared to have no
    /// header.
    pub fn open_with(path: &Path, header: Header) -> Result<Self, ReadError> {
        if path == Path::new("-") {
            return Self::read_all("standard input", (Format::CSV, header), std::io::stdin().lock());
        }
        let file = path.display().to_string();
        let problem = |problem| ReadError::new(&file, problem);
        if path.is_dir() {
            return Err(problem(Problem::IsFolder));
        }
        let Some(format) = Format::of(path) else {
            let found = path.try_exists().unwrap_or(true);
            return Err(problem(if found { Problem::UnknownFormat } else { Problem::NotFound }));
        };
        let expansion = Expansion::from_environment();
        let mut opened = File::open(path).map_err(|error| problem(io_problem(&error)))?;
        if let Format::Text { tabs, gzip } = format {
            let text = Input::open(opened, gzip, expansion)
                .and_then(|input| csv::Text::new(input, Format::separator(tabs), header));
            return Self::new(&file, text.map(Content::Text), header);
        }
        #[cfg(feature = "columnar")]
        if header == Header::Present && opened.metadata().is_ok_and(|about| about.is_file()) {
            let bytes = FileBytes::open(opened).map_err(|error| problem(io_problem(&error)))?;
            return Self::new(&file, Columnar::new(bytes, format, expansion).map(Content::Columnar), header);
        }
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map_err(|error| problem(io_problem(&error)))?;
        Self::from_bytes(&file, (format, header), bytes, expansion)
    }

    /// Opens the bytes of a file from any reader; `file` is its name in messages.
    ///
    /// # Errors
    /// When it cannot be read or has no usable header.
    pub fn from_reader(file: &str, format: Format, reader: impl Read) -> Result<Self, ReadError> {
        Self::read_all(file, (format, Header::Present), reader)
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
        Self::read_all(file, (format, Header::Absent), reader)
    }

    fn read_all(file: &str, what: (Format, Header), mut reader: impl Read) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| ReadError::new(file, io_problem(&error)))?;
        Self::from_bytes(file, what, bytes, Expansion::from_environment())
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
        Self::from_bytes(file, (format, Header::Present), bytes, expansion)
    }

    fn from_bytes(
        file: &str,
        (format, header): (Format, Header),
        bytes: Vec<u8>,
        expansion: Expansion,
    ) -> Result<Self, ReadError> {
        let content = match format {
            Format::Text { tabs, gzip } => {
                let input = Input::memory(bytes, gzip, expansion);
                let text = input.and_then(|input| csv::Text::new(input, Format::separator(tabs), header));
                text.map(Content::Text)
            }
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

    fn new(file: &str, content: Result<Content, Problem>, header: Header) -> Result<Self, ReadError> {
        let source = Self {
            file: file.to_owned(),
            content: content.map_err(|problem| ReadError::new(file, problem))?,
            part: None,
            header,
        };
        source.check_names()?;
        Ok(source)
    }

    /// The file's name, as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The names of its columns: different, none empty.
    pub fn names(&self) -> &[String] {
        match &self.part {
            Some(part) => &part.names,
            None => self.all_names(),
        }
    }

    fn all_names(&self) -> &[String] {
        match &self.content {
            Content::Text(text) => text.names(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => file.names(),
        }
    }

    /// Whether the names of the columns come from the file.
    pub(crate) fn has_header(&self) -> bool {
        self.header == Header::Present
    }

    /// Whether the columns are described apart from the rows, so that names cannot be a first row.
    pub(crate) fn is_columnar(&self) -> bool {
        !matches!(self.content, Content::Text(_))
    }

    /// Gives the columns of a text without a header the names that a schema declares, in its order. Tables with
    /// names keep them. All derived columns may be absent.
    ///
    /// # Errors
    /// When there are not as many.
    pub fn name_columns(&mut self, schema: &Schema) -> Result<(), ReadError> {
        if self.has_header() {
            return Ok(());
        }
        let mut declared: Vec<String> =
            schema.columns().iter().map(|column| column.name().to_owned()).collect();
        let found = self.names().len();
        if found + schema.derived().count() == declared.len() {
            declared.retain(|name| !schema.derived().any(|column| column.name() == name));
        }
        if found != declared.len() {
            return Err(self.error(Problem::Unnamed { found, declared: declared.len() }));
        }
        if let Content::Text(text) = &mut self.content {
            text.rename(declared);
        }
        Ok(())
    }

    /// The place in the file, from 1, of the column at this position, from 0.
    pub(crate) fn place_in_file(&self, position: usize) -> usize {
        let hidden = self.part.as_ref().is_some_and(|part| part.column <= position);
        position + usize::from(hidden) + 1
    }

    /// The place in the file of the column at this position, for messages.
    pub(crate) fn place(&self, position: usize) -> ColumnPlace {
        ColumnPlace::At(self.place_in_file(position))
    }

    /// The place in the file of the column with this name, for messages that must not reveal the name.
    pub fn place_of(&self, name: &str) -> Option<ColumnPlace> {
        self.names().iter().position(|own| own == name).map(|position| self.place(position))
    }

    fn check_names(&self) -> Result<(), ReadError> {
        let mut seen = HashMap::new();
        for (name, position) in self.names().iter().zip(1..) {
            if name.trim().is_empty() {
                return Err(self.error(Problem::EmptyName(position)));
            }
            if let Some(first) = seen.insert(name, position) {
                return Err(self.error(Problem::DuplicateName { first, second: position }));
            }
        }
        Ok(())
    }

    /// The part of a whole table with these rows, in increasing order, and without one column.
    pub(crate) fn part(&self, column: usize, rows: Vec<u32>) -> Result<Self, ReadError> {
        assert!(self.part.is_none(), "a part of a part");
        let content = match &self.content {
            Content::Text(text) => csv::rows_of(text, &rows).map(Content::Text),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => Ok(Content::Columnar(file.rows_of(&rows))),
        };
        let mut names = self.all_names().to_vec();
        names.remove(column);
        let content = content.map_err(|problem| self.error(problem))?;
        let part = Some(Part { column, names, rows });
        Ok(Self { file: self.file.clone(), content, part, header: self.header })
    }

    /// The same table once more, without reading anything.
    pub(crate) fn again(&self) -> Self {
        let content = match &self.content {
            Content::Text(text) => Content::Text(text.clone()),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => Content::Columnar(file.again()),
        };
        Self { file: self.file.clone(), content, part: self.part.clone(), header: self.header }
    }

    /// Parts that have every row once, in order, each with about its number of rows: groups of rows of a columnar file,
    /// or this many bytes of text.
    pub(crate) fn parts(&self, bytes: usize) -> Parts<'_> {
        assert!(self.part.is_none(), "parts of all rows");
        let source = |content| Self { file: self.file.clone(), content, part: None, header: self.header };
        match &self.content {
            Content::Text(text) => {
                let mut start = text.body().start;
                // Rows of text have two bytes for each column, at least.
                let rows = bytes / (2 * text.names().len());
                Box::new(std::iter::from_fn(move || {
                    let part = text.part_from(start, bytes).map_err(|problem| self.error(problem));
                    let next = |(part, next)| {
                        start = next;
                        (source(Content::Text(part)), rows)
                    };
                    part.map(|part| part.map(next)).transpose()
                }))
            }
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => {
                let parts = match file.parts() {
                    Ok(parts) => parts,
                    Err(problem) => return Box::new(std::iter::once(Err(self.error(problem)))),
                };
                let parts = parts.into_iter().filter(|(_, rows)| *rows > 0);
                Box::new(parts.map(move |(part, rows)| Ok((source(Content::Columnar(part)), rows))))
            }
        }
    }

    /// About how many bytes the columns take in memory, and to read them; none if they are there.
    pub(crate) fn bytes_in_memory(&self) -> usize {
        match &self.content {
            // Numbers of few digits take more than their text.
            Content::Text(text) => 4 * text.body().len(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) if file.is_in_memory() => 0,
            #[cfg(feature = "columnar")]
            Content::Columnar(_) => {
                let rows: usize = self.rows_of_parts().iter().sum();
                rows.saturating_mul(self.names().len()).saturating_mul(16)
            }
        }
    }

    /// The numbers of rows of parts that cannot be divided; none if they cannot be read, which will show.
    pub(crate) fn rows_of_parts(&self) -> Vec<usize> {
        match &self.content {
            Content::Text(_) => Vec::new(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => {
                file.parts().unwrap_or_default().into_iter().map(|(_, rows)| rows).collect()
            }
        }
    }

    /// The row of the file that is row number `row` here; both count from 1.
    pub fn row_in_file(&self, row: usize) -> usize {
        let before = self.part.as_ref().and_then(|part| part.rows.get(row.checked_sub(1)?));
        before.map_or(row, |&before| before as usize + 1)
    }

    /// An error from this problem in this file.
    pub(crate) fn error(&self, mut problem: Problem) -> ReadError {
        if let Problem::Value { row, .. } | Problem::Mixed { row, .. } = &mut problem {
            *row = self.row_in_file(*row);
        }
        ReadError::new(&self.file, problem)
    }

    /// Reads all rows; `collector` returns a fresh collector for a column. The result has one entry per column.
    pub(crate) fn collect(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, ReadError> {
        let hidden = self.part.as_ref().map(|part| part.column);
        let collector = |column| seen(hidden, column).map_or(Collector::Nothing, collector);
        let totals = match &self.content {
            Content::Text(text) => csv::collect(text, &collector),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => file.collect(&collector),
        };
        let mut totals = totals.map_err(|problem| self.error(problem))?;
        if let Some(hidden) = hidden {
            totals.remove(hidden);
        }
        Ok(totals)
    }

    /// For each column, whether it is known not to be numeric before reading all rows: by its type, or by the
    /// first rows.
    pub(crate) fn surely_text(&self, collector: &dyn Fn(usize) -> Collector) -> Vec<bool> {
        let hidden = self.part.as_ref().map(|part| part.column);
        let collector = |column| seen(hidden, column).map_or(Collector::Nothing, collector);
        let mut text: Vec<bool> = match &self.content {
            Content::Text(text) => csv::sample(text, &collector)
                .iter()
                .map(|column| matches!(column, Collector::Inferred(column) if column.is_text()))
                .collect(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => (0..file.names().len()).map(|column| file.is_text(column)).collect(),
        };
        if let Some(hidden) = hidden {
            text.remove(hidden);
        }
        text
    }
}

/// The position of a column among those that are not hidden.
fn seen(hidden: Option<usize>, column: usize) -> Option<usize> {
    match hidden {
        Some(hidden) if column == hidden => None,
        Some(hidden) => Some(column - usize::from(column > hidden)),
        None => Some(column),
    }
}

fn io_problem(error: &std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::NotFound,
        std::io::ErrorKind::IsADirectory => Problem::IsFolder,
        _ => Problem::Io(error.to_string()),
    }
}
