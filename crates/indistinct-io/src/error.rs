//! Errors of reading files. They contain positions and declared names only: never the content of a cell, nor a
//! name that only the file has, which may be the content of a cell of a file without a header.

use std::fmt;
use std::path::Path;

use indistinct::number::number_of;

use crate::foreign::ForeignFile;
use crate::format::Format;

/// The reason why a file could not be read: the file, and what is wrong with it. Displays as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct ReadError {
    file: String,
    problem: Box<Problem>,
}

impl ReadError {
    /// An error from this problem in this file.
    pub(crate) fn new(file: &str, problem: Problem) -> Self {
        Self { file: file.to_owned(), problem: Box::new(problem) }
    }

    /// The file's name, as given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The error in a part of a file, after this many rows.
    pub(crate) fn after(mut self, rows: usize) -> Self {
        if let Problem::Value { row, .. } | Problem::Mixed { row, .. } | Problem::Ragged { row, .. } =
            &mut *self.problem
        {
            *row += rows;
        }
        self
    }

    /// Advice in one line.
    pub fn advice(&self) -> String {
        match &*self.problem {
            Problem::Foreign(kind) => kind.advice(&self.file),
            Problem::Packed(command) => format!("unpack it: {command} {}", self.file),
            problem => problem.advice(),
        }
    }
}

/// A column: by the name that a schema declares or the user typed, or by its place, if only the file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnPlace {
    /// A name that is known without the file.
    Named(String),
    /// The place in the file, from 1.
    At(usize),
}

impl fmt::Display for ColumnPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(formatter, "column `{name}`"),
            Self::At(place) => write!(formatter, "column {place}"),
        }
    }
}

/// A problem of a file. Rows are data rows counted from 1; lines are lines of the file counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No file with this name.
    #[error("there is no such file")]
    NotFound,
    /// A folder where a file is needed.
    #[error("this is a folder, not a file")]
    IsFolder,
    /// A folder without tables.
    #[error("this is a folder without Parquet files")]
    EmptyFolder,
    /// A file or folder beside the Parquet files of a table.
    #[error("this is not a Parquet file, as all files of a table in several files must be")]
    NotOneTable,
    /// A Parquet file with other columns than the first of the same table.
    #[error("its columns have other names, types or order than those of the first file")]
    OtherColumns,
    /// A file name that does not show the format.
    #[error("the file name does not end in a known format")]
    UnknownFormat,
    /// A file of another program.
    #[error("this is {}, which is not read", .0.what)]
    Foreign(ForeignFile),
    /// A file of another format whose name says that it is text.
    #[error("the file is not text, as its name says")]
    NotText(&'static str),
    /// A file of another kind than its name says.
    #[error("this is {what}, whatever its name says")]
    Misnamed {
        /// The kind of file, as in `an Excel file`.
        what: &'static str,
        /// The ending of names of such files.
        ending: &'static str,
    },
    /// A web page whose name says that it is a spreadsheet.
    #[error("this is a web page (HTML) or XML, whatever its name says")]
    WebPage,
    /// A packed file that is not unpacked here, and the command that does.
    #[error("the file is packed in a way that is not read")]
    Packed(&'static str),
    /// A spreadsheet of several sheets, the first of which is empty.
    #[error("the first sheet is empty, and no other is read")]
    EmptySheet,
    /// A zip archive that does not have exactly one text.
    #[error("the archive has {0} text files in it, and not one")]
    NotOneText(usize),
    /// Bytes that are not text in the declared encoding.
    #[error("the text is not in the encoding {0}")]
    NotInEncoding(&'static str),
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(String),
    /// Nothing in it, not even a header.
    #[error("the file is empty")]
    EmptyFile,
    /// A header and nothing below, or a table of no rows.
    #[error("the table has column names but no rows")]
    NoRows,
    /// A Parquet or Arrow file without columns.
    #[error("the table has no columns")]
    NoColumns,
    /// Columns in memory of different lengths.
    #[error("column {column} has {} where the first column has {expected}", number_of(*.found, "row"))]
    UnequalColumns {
        /// The place of the column, from 1.
        column: usize,
        /// Its rows.
        found: usize,
        /// Rows of the first column.
        expected: usize,
    },
    /// The same name for two columns.
    #[error("columns {first} and {second} have the same name")]
    DuplicateName {
        /// Position of the first column with this name, from 1.
        first: usize,
        /// Position of the second.
        second: usize,
    },
    /// A column without a name.
    #[error("column {0} has an empty name")]
    EmptyName(usize),
    /// A name that looks like a value, so that the file may have no header: then the first record would be
    /// published as names.
    #[error("the name of column {0} looks like a value, not a name")]
    ValueAsName(usize),
    /// A name that is also a value of its column: the same doubt.
    #[error("the name of column {0} is also a value in that column")]
    NameAsValue(usize),
    /// A file declared to have no header, in a format that always names its columns.
    #[error("the columns of {0} files have names, and no header that could be missing")]
    AlwaysNamed(Format),
    /// A file without a header that does not have as many columns as the schema.
    #[error("the file has no header and {}, where the schema declares {declared}", number_of(*.found, "column"))]
    Unnamed {
        /// Columns of the file.
        found: usize,
        /// Columns of the schema.
        declared: usize,
    },
    /// A row with more or fewer fields than the first line.
    #[error("row {row} (line {line}) has {found} {} where the first line has {expected}", if *found == 1 { "field" } else { "fields" })]
    Ragged {
        /// The data row.
        row: usize,
        /// The line it starts on.
        line: usize,
        /// Fields in the first line.
        expected: usize,
        /// Fields in the row.
        found: usize,
    },
    /// A byte of value zero.
    #[error("line {0} contains a NUL byte")]
    NulByte(usize),
    /// Bytes that are not UTF-8.
    #[error("line {0} is not UTF-8 text")]
    NotUtf8(usize),
    /// A quote that is never closed.
    #[error("the quote that opens on line {0} is never closed")]
    UnterminatedQuote(usize),
    /// A quote in a field that does not begin with one.
    #[error("line {0}: a quote inside a field that does not begin with one")]
    StrayQuote(usize),
    /// Something other than a separator after a closing quote.
    #[error("line {0}: text between a closing quote and the next separator")]
    TextAfterQuote(usize),
    /// A cell that does not fit its column.
    #[error("row {row}, {column}: {fault}")]
    Value {
        /// The data row.
        row: usize,
        /// The column.
        column: ColumnPlace,
        /// The problem of the cell.
        fault: Fault,
    },
    /// A column that is almost all numbers or dates, and has something else in it.
    #[error("row {row}, {column}: not {expected} where nearly all other values are")]
    Mixed {
        /// The first data row that differs.
        row: usize,
        /// The column.
        column: ColumnPlace,
        /// The kind of the other values: `a number`, `a date`.
        expected: &'static str,
    },
    /// Compressed text that ends too early.
    #[error("the gzip data are cut short")]
    GzipCutShort,
    /// Compressed text that cannot be unpacked.
    #[error("the gzip data are damaged, or not gzip at all")]
    GzipDamaged,
    /// A Parquet or Arrow file that cannot be decoded.
    #[error("the {0} file is cut short, damaged, or not {article} {0} file at all", article = .0.article())]
    Damaged(Format),
    /// A Parquet or Arrow file that uses a feature we cannot decode.
    #[error("the {0} file uses a feature that is not supported")]
    NotSupported(Format),
    /// A packed file that would take too much memory.
    #[error("the file unpacks to more than {} MiB, which is far more than its size explains", .0 >> 20)]
    Expands(u64),
    /// A column whose type has no place in a table of numbers, categories and dates.
    #[error("column {column} is of type {kind}, which cannot be read")]
    UnsupportedType {
        /// The place of the column, from 1.
        column: usize,
        /// Its Arrow type.
        kind: String,
    },
    /// A declared column whose format strftime does not know.
    #[error("the schema gives column `{0}` a format that is not in strftime's notation")]
    BadFormat(String),
    /// No column with the name given for persons.
    #[error("there is no column `{0}` to tell persons by")]
    NoPersonColumn(String),
    /// Places of columns in the file that the schema does not declare.
    #[error("the schema does not declare {} of the file", numbered(.0))]
    Undeclared(Vec<usize>),
    /// Columns that the schema declares and the file lacks.
    #[error("the schema declares {}, which the file does not have", listed(.0))]
    Absent(Vec<String>),
    /// Both kinds of difference.
    #[error("the schema declares {}, which the file does not have, and does not declare {} of the file", listed(.absent), numbered(.undeclared))]
    Differs {
        /// Columns that are declared and not in the file.
        absent: Vec<String>,
        /// Places of columns that are in the file and not declared.
        undeclared: Vec<usize>,
    },
}

impl Problem {
    /// The problem of a file whose ending is not read.
    pub(crate) fn of_ending(path: &Path) -> Self {
        let packed = crate::foreign::unpacked_by(path).map(Self::Packed);
        let packed = packed.or_else(|| crate::foreign::misnamed_xls(path));
        packed.or_else(|| ForeignFile::of(path).map(Self::Foreign)).unwrap_or(Self::UnknownFormat)
    }

    fn advice(&self) -> String {
        let text = match self {
            Self::Foreign(kind) => return kind.advice("FILE"),
            Self::NotText(ending) => return format!("rename it: such files end in {ending}"),
            Self::Misnamed { ending, .. } => return format!("rename it, so that its name ends in {ending}"),
            Self::WebPage => "open it in Excel or LibreOffice, and save it as CSV or .xlsx",
            Self::Packed(command) => return format!("unpack it: {command} FILE"),
            Self::EmptySheet => "move the sheet that has the table to the front, or save it as CSV",
            Self::NotOneText(_) => "unpack it, and name the file that has the table",
            Self::NotInEncoding(_) => {
                "say --encoding with the one that it was saved in, or save the file as UTF-8"
            }
            Self::NotFound => "check the spelling of the path",
            Self::IsFolder | Self::EmptyFolder => "name one file inside it, or a folder of Parquet files",
            Self::NotOneTable => {
                "name the Parquet files of one table only; one that is partitioned into folders can be read by Python: \
                 fit(pyarrow.dataset.dataset(...))"
            }
            Self::OtherColumns => {
                "write all files of a table with the same columns and types (cast them), or name those that have the same"
            }
            Self::UnknownFormat => {
                return format!(
                    "use one of {}; rename a text whose fields are separated by commas, semicolons, tabs or bars to .csv",
                    crate::format::readable()
                );
            }
            Self::Io(_) => "check that the file exists and that you may read it",
            Self::EmptyFile => "the first line must name the columns, and rows must follow",
            Self::NoRows => "check that the file was written completely; a table needs at least one row",
            Self::NoColumns => "check that the file was written from the right table",
            Self::UnequalColumns { .. } => "give columns of the same length",
            Self::DuplicateName { .. } => "give every column a name of its own",
            Self::EmptyName(_) => {
                "name every column in the header; delete lines before it, such as a title or remarks; or say --no-header if there is none"
            }
            Self::ValueAsName(_) | Self::NameAsValue(_) => {
                "if the first line is a record, add a line with the names of the columns, or say --no-header; if it is a title, delete \
                 the lines above the header; if it is the header, rename the column"
            }
            Self::AlwaysNamed(_) => "leave out --no-header, which is for text and sheets",
            Self::Unnamed { .. } => {
                "declare every column of the file in its order, `identifier` those to be read past"
            }
            // R writes names of rows without a name for them, unless told otherwise.
            Self::Ragged { row: 1, expected, found, .. } if *found == expected + 1 => {
                "if rows begin with a name or number of the row, as R writes them, name the first column in the header, or write with \
                 row.names = FALSE; if they end with a separator, delete it; delete lines above the header, such as a title"
            }
            Self::Ragged { .. } => {
                "put fields that contain separators or line breaks in double quotes, fill short rows up, delete separators at the ends of \
                 rows and blank lines between them, and delete lines above the header or below the table, such as a title, remarks and totals"
            }
            Self::NulByte(_) => {
                "say --encoding utf-16le (or utf-16be) if it is UTF-16, which is full of NUL bytes; remove them otherwise, as in \
                 tr -d '\\000' < FILE > NEW.csv"
            }
            Self::NotUtf8(_) => {
                "say which encoding it has, as in --encoding latin1 (of Windows and Excel: windows-1252), or save the file as UTF-8"
            }
            Self::UnterminatedQuote(_) => "close it, or write a quote inside a quoted field twice",
            Self::StrayQuote(_) => {
                "delete spaces before a quote that opens a field, as in 33, \"m\"; otherwise put the whole field in quotes and write the \
                 quote inside it twice"
            }
            Self::TextAfterQuote(_) => "write a quote inside a quoted field twice",
            Self::Value { fault, .. } => fault.advice(),
            Self::Mixed { row, .. } => mixed_advice(*row),
            Self::GzipCutShort => "copy or compress the file again",
            Self::GzipDamaged => "check that the file was made by gzip, or remove `.gz` from its name",
            Self::Damaged(Format::Xlsx | Format::Ods) => {
                "open it and save it again, without a password; or save the sheet as CSV"
            }
            Self::Damaged(Format::Zip) => {
                "pack it again, without a password; or unpack it, and name the file in it"
            }
            Self::Damaged(_) => "write the file again from its source, and check the copy's size",
            Self::NotSupported(_) => "write it again with common settings, for example with zstd or snappy",
            Self::Expands(_) => {
                return format!(
                    "if you trust it, set the environment variable {} to the gibibytes that it may take",
                    crate::expansion::VARIABLE
                );
            }
            Self::UnsupportedType { .. } => {
                "drop the column, or turn it into numbers, text, dates or booleans"
            }
            Self::BadFormat(_) => "correct the format, as in %Y-%m-%d",
            Self::NoPersonColumn(_) => "check the spelling of the column that says whose rows they are",
            Self::Undeclared(_) => "declare them in the schema (type `identifier` reads past a column)",
            Self::Absent(_) => "remove them from the schema, or use the file it was written for",
            Self::Differs { .. } => {
                "check that schema and file belong together, and the spelling of the names"
            }
        };
        text.to_owned()
    }
}

/// The advice on a column with something else in this row than nearly everywhere.
fn mixed_advice(row: usize) -> &'static str {
    if row == 1 {
        "delete a second header line, such as one of labels or units; or correct the cell, leave it empty if the value is \
         missing, or write a schema in which its spelling is `missing` or the column nominal"
    } else {
        "correct the cell, leave it empty if the value is missing, or write a schema in which its spelling is `missing` or \
         the column nominal; delete lines below the table, such as remarks and totals"
    }
}

/// The problem of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A number beyond the largest double, or an infinity.
    #[error("the number is infinite or too large")]
    Infinite,
    /// Not a number in a numeric column.
    #[error("not a number")]
    NotANumber,
    /// A fraction in a column of whole numbers.
    #[error("not a whole number")]
    Fraction,
    /// A whole number that does not fit 64 bits.
    #[error("the whole number does not fit 64 bits")]
    TooLarge,
    /// No value in the column that identifies persons.
    #[error("the person is missing")]
    NoPerson,
    /// A category that is not among the declared levels.
    #[error("the value is not one of the declared levels")]
    UnknownLevel,
    /// Neither of the two declared spellings.
    #[error("the value is neither of the two declared spellings")]
    NotABoolean,
    /// Text that does not fit the declared format.
    #[error("not a date of the declared format")]
    NotADate,
    /// Text that does not fit the declared format.
    #[error("not a date and time of the declared format")]
    NotADateTime,
}

impl Fault {
    fn advice(self) -> &'static str {
        match self {
            Self::Infinite => "correct the cell, or leave it empty if the value is missing",
            Self::NotANumber => {
                "correct the cell, declare its spelling as `missing`, or declare the column nominal"
            }
            Self::Fraction => "correct the cell, or declare the column float",
            Self::TooLarge => "declare the column float, or identifier if it names rows",
            Self::NoPerson => "every row must say whose it is: fill the cell in, or remove the row",
            Self::UnknownLevel => "add the level to the schema, or its spelling to `missing`",
            Self::NotABoolean => "correct `false` and `true` in the schema, or declare the column nominal",
            Self::NotADate | Self::NotADateTime => {
                "correct the cell, or the column's `format` in the schema (strftime notation, as in %d/%m/%Y)"
            }
        }
    }
}

/// Places, as a list in words.
fn numbered(places: &[usize]) -> String {
    let places: Vec<String> = places.iter().map(usize::to_string).collect();
    let noun = if places.len() == 1 { "column" } else { "columns" };
    format!("{noun} {}", places.join(", "))
}

/// Names between backticks, as a list in words.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let noun = if names.len() == 1 { "column" } else { "columns" };
    format!("{noun} {}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_where_and_what() {
        let column = ColumnPlace::Named("age".to_owned());
        let problem = Problem::Value { row: 17, column, fault: Fault::NotANumber };
        let error = ReadError::new("people.csv", problem);
        assert_eq!(error.to_string(), "people.csv: row 17, column `age`: not a number");
        assert!(error.advice().contains("missing"));
        let error = ReadError::new("p.csv", Problem::Undeclared(vec![2, 5]));
        assert_eq!(error.to_string(), "p.csv: the schema does not declare columns 2, 5 of the file");
    }
}
