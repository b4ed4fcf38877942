//! An open table file: its column names are known, and its rows are read as often as needed.

mod opening;

use std::collections::HashMap;

use indistinct::table::{ColumnType, Schema};

use crate::cells::{Collector, Total};
#[cfg(feature = "columnar")]
use crate::columnar::Columnar;
use crate::csv;
use crate::encoding::Encoding;
use crate::error::{ColumnPlace, Problem, ReadError};
use crate::memory::Memory;

/// A table file. Its columns are read by [`Source::read`] with a schema, by [`Source::read_plain`] without.
#[derive(Debug)]
pub struct Source {
    file: String,
    content: Content,
    part: Option<Part>,
    header: Header,
    /// Whether it is a sheet, whose dates are moments at midnight.
    is_sheet: bool,
    /// The separator of a text, if it is not the usual one of its format.
    delimiter: Option<char>,
    /// Remarks on the form of the file.
    said: Vec<String>,
    /// The names of columns that the header has no name for: row numbers before the first name, or fields after separators at
    /// the end.
    unnamed: Vec<String>,
}

/// The form of a text, as far as it is declared. The first line shows the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextOptions {
    /// Whether the first line names the columns.
    pub header: Header,
    /// The character between fields; told from the header if none is given.
    pub delimiter: Option<char>,
    /// The encoding; UTF-8, or the UTF-16 that a mark in front tells, if none is given.
    pub encoding: Option<Encoding>,
    /// Whether the separator may be told from the first row where no header is: only where everything else is learned
    /// from rows, too.
    pub may_look_at_rows: bool,
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
    /// The rows that are left, numbered as before; `None` for all.
    rows: Option<Vec<u32>>,
}

/// One of the parts of a table that is read in passes.
pub(crate) struct FilePart {
    /// The rows.
    pub(crate) source: Source,
    /// About how many there are.
    pub(crate) rows: usize,
    /// The share of the table that is read with this part and those before it.
    pub(crate) read: f64,
}

/// Parts of a table in order.
pub(crate) type Parts<'a> = Box<dyn Iterator<Item = Result<FilePart, ReadError>> + 'a>;

#[derive(Debug)]
enum Content {
    Text(csv::Text),
    Memory(Memory),
    #[cfg(feature = "columnar")]
    Columnar(Columnar),
}

impl Source {
    /// The file's name, as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Remarks on the form of the file, if that is not the usual one: its separator, its encoding.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// The character between fields of a text, if it is not the usual one of its format.
    pub fn delimiter(&self) -> Option<char> {
        self.delimiter
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
            Content::Memory(table) => table.names(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => file.names(),
        }
    }

    /// Whether the names of the columns come from the file.
    pub(crate) fn has_header(&self) -> bool {
        self.header == Header::Present
    }

    /// Whether the header has no name for the column that is called so here.
    pub(crate) fn is_unnamed(&self, name: &str) -> bool {
        self.unnamed.iter().any(|unnamed| unnamed == name)
    }

    /// Number of columns that the header has no name for.
    pub(crate) fn unnamed(&self) -> usize {
        self.unnamed.len()
    }

    /// Whether the columns are described apart from the rows, so that names cannot be a first row.
    pub fn is_columnar(&self) -> bool {
        !matches!(self.content, Content::Text(_))
    }

    /// Whether it is a sheet.
    pub(crate) fn is_sheet(&self) -> bool {
        self.is_sheet
    }

    /// Whether dates are moments at midnight, by their type.
    pub(crate) fn has_typed_moments(&self) -> bool {
        self.is_columnar() || self.is_sheet
    }

    /// The type that the column at this position is known to have before its rows are read, if its language says so.
    pub(crate) fn known_kind(&self, position: usize) -> Option<ColumnType> {
        match &self.content {
            Content::Memory(table) => table.kind(self.place_in_file(position) - 1),
            Content::Text(_) => None,
            // Of Arrow's types, those of ordered categories say more than their values do.
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => {
                let levels = file.ordered_levels(self.place_in_file(position) - 1)?;
                Some(ColumnType::Ordered { levels: levels.into() })
            }
        }
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

    /// The part of a whole table with these rows, in increasing order, or all, and without one column.
    pub(crate) fn part(&self, column: usize, rows: Option<Vec<u32>>) -> Result<Self, ReadError> {
        assert!(self.part.is_none(), "a part of a part");
        let content = match (&self.content, &rows) {
            (_, None) => Ok(self.again().content),
            (Content::Text(text), Some(rows)) => csv::rows_of(text, rows).map(Content::Text),
            (Content::Memory(table), Some(rows)) => Ok(Content::Memory(table.rows_of(rows))),
            #[cfg(feature = "columnar")]
            (Content::Columnar(file), Some(rows)) => Ok(Content::Columnar(file.rows_of(rows))),
        };
        let mut names = self.all_names().to_vec();
        names.remove(column);
        let content = content.map_err(|problem| self.error(problem))?;
        let part = Some(Part { column, names, rows });
        Ok(Self { part, ..self.with_content(content) })
    }

    /// Another content of the same file.
    fn with_content(&self, content: Content) -> Self {
        Self {
            file: self.file.clone(),
            content,
            part: None,
            header: self.header,
            is_sheet: self.is_sheet,
            delimiter: self.delimiter,
            said: Vec::new(),
            unnamed: self.unnamed.clone(),
        }
    }

    /// The same table once more, without reading anything.
    pub(crate) fn again(&self) -> Self {
        let content = match &self.content {
            Content::Text(text) => Content::Text(text.clone()),
            Content::Memory(table) => Content::Memory(table.clone()),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => Content::Columnar(file.again()),
        };
        Self { part: self.part.clone(), ..self.with_content(content) }
    }

    /// Parts that have every row once, in order: so many bytes of text, at most so many rows of a Parquet file, or the
    /// batches of an Arrow file.
    #[cfg_attr(
        not(feature = "columnar"),
        expect(unused_variables, reason = "only Parquet files are read by rows")
    )]
    pub(crate) fn parts(&self, bytes: usize, most_rows: usize) -> Parts<'_> {
        assert!(self.part.is_none(), "parts of all rows");
        let source = |content| self.with_content(content);
        match &self.content {
            Content::Text(text) => {
                let mut start = text.body().start;
                let share = move |next| (next - text.body().start) as f64 / text.body().len() as f64;
                // Rows of text have two bytes for each column, at least.
                let rows = bytes / (2 * text.names().len());
                Box::new(std::iter::from_fn(move || {
                    let part = text.part_from(start, bytes).map_err(|problem| self.error(problem));
                    let next = |(part, next)| {
                        start = next;
                        FilePart { source: source(Content::Text(part)), rows, read: share(next) }
                    };
                    part.map(|part| part.map(next)).transpose()
                }))
            }
            Content::Memory(table) => {
                let (source, rows) = (source(Content::Memory(table.clone())), table.rows());
                let whole = FilePart { source, rows, read: 1.0 };
                Box::new(std::iter::once(Ok(whole)).filter(|_| table.rows() > 0))
            }
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => {
                let parts = match file.parts(most_rows) {
                    Ok(parts) => parts,
                    Err(problem) => return Box::new(std::iter::once(Err(self.error(problem)))),
                };
                let all: usize = parts.iter().map(|(_, rows)| rows).sum();
                let mut before = 0;
                let parts = parts.into_iter().filter(|(_, rows)| *rows > 0);
                Box::new(parts.map(move |(part, rows)| {
                    before += rows;
                    let read = before as f64 / all as f64;
                    Ok(FilePart { source: source(Content::Columnar(part)), rows, read })
                }))
            }
        }
    }

    /// About how many bytes the columns take in memory, and to read them; none if they are there.
    pub(crate) fn bytes_in_memory(&self) -> usize {
        match &self.content {
            // Numbers of few digits take more than their text.
            Content::Text(text) => 4 * text.body().len(),
            Content::Memory(_) => 0,
            #[cfg(feature = "columnar")]
            Content::Columnar(file) if file.is_in_memory() => 0,
            #[cfg(feature = "columnar")]
            Content::Columnar(file) => {
                // Parts that cannot be listed will show when they are read.
                let parts = file.parts(usize::MAX).unwrap_or_default();
                let rows: usize = parts.iter().map(|(_, rows)| rows).sum();
                rows.saturating_mul(self.names().len()).saturating_mul(16)
            }
        }
    }

    /// Rows of the largest part that cannot be divided; none if parts cannot be listed, which will show.
    pub(crate) fn largest_batch(&self) -> usize {
        match &self.content {
            Content::Memory(table) => table.rows(),
            #[cfg(feature = "columnar")]
            Content::Columnar(file) if file.has_batches() => {
                let parts = file.parts(usize::MAX).unwrap_or_default();
                parts.iter().map(|(_, rows)| *rows).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The row of the file that is row number `row` here; both count from 1.
    pub fn row_in_file(&self, row: usize) -> usize {
        let rows = self.part.as_ref().and_then(|part| part.rows.as_ref());
        let before = rows.and_then(|rows| rows.get(row.checked_sub(1)?));
        before.map_or(row, |&before| before as usize + 1)
    }

    /// An error from this problem in this file.
    pub(crate) fn error(&self, mut problem: Problem) -> ReadError {
        if let Problem::Value { row, .. } | Problem::Mixed { row, .. } = &mut problem {
            *row = self.row_in_file(*row);
        }
        ReadError::new(&self.file, problem)
    }

    /// Reads all rows like [`Self::collect`], but a table may have none.
    pub(crate) fn collect_any(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, ReadError> {
        match self.collect(collector) {
            Err(error) if *error.problem() == Problem::NoRows => {
                Ok((0..self.names().len()).map(|column| collector(column).into_total()).collect())
            }
            read => read,
        }
    }

    /// Reads all rows, of which there must be one; `collector` returns a fresh collector for a column. The result has
    /// one entry per column.
    pub(crate) fn collect(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, ReadError> {
        let hidden = self.part.as_ref().map(|part| part.column);
        let collector = |column| seen(hidden, column).map_or(Collector::Nothing, collector);
        let totals = match &self.content {
            Content::Text(text) => csv::collect(text, &collector),
            Content::Memory(table) => table.collect(&collector),
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
            Content::Memory(table) => (0..table.names().len()).map(|column| table.is_text(column)).collect(),
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

pub(crate) fn io_problem(error: &std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::NotFound,
        std::io::ErrorKind::IsADirectory => Problem::IsFolder,
        _ => Problem::Io(error.to_string()),
    }
}
