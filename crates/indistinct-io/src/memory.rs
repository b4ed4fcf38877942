//! Columns in memory, as a language that has no Arrow hands them over.

use std::sync::Arc;

use indistinct::progress;
use indistinct::table::moment::ISO_DATE;
use indistinct::table::{ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER};
use rayon::prelude::*;

use crate::cells::{Cell, Collector, Total};
use crate::error::{ColumnPlace, Fault, Problem};

/// Rows after which to check whether the work is still wanted.
const CHECKED: usize = 1 << 16;
/// The format of date-times whose type is known, as a draft has it.
const MOMENTS: &str = "%Y-%m-%dT%H:%M:%S%.f";

/// A column in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryColumn {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: MemoryValues,
}

/// Values of a column as the language that has them knows them.
#[derive(Debug, Clone, PartialEq)]
pub enum MemoryValues {
    /// Real numbers; NaN is missing.
    Float(Vec<f64>),
    /// Whole numbers; the core's `MISSING_INTEGER` is missing.
    Integer(Vec<i64>),
    /// Truth values.
    Boolean(Vec<Option<bool>>),
    /// Days since 1970-01-01; the core's `MISSING_DATE` is missing.
    Date(Vec<i32>),
    /// Microseconds since 1970-01-01T00:00:00; the core's `MISSING_INTEGER` is missing.
    DateTime(Vec<i64>),
    /// Text, of which nobody says what it means.
    Text {
        /// The different spellings, in any order.
        levels: Vec<String>,
        /// Positions in `levels`; any other number is missing.
        codes: Vec<u32>,
    },
    /// Categories with levels of their own, whether or not they occur.
    Factor {
        /// The levels, in their order.
        levels: Vec<String>,
        /// Positions in `levels`; any other number is missing.
        codes: Vec<u32>,
        /// Whether the order of levels means something.
        ordered: bool,
    },
}

impl MemoryValues {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Integer(values) | Self::DateTime(values) => values.len(),
            Self::Boolean(values) => values.len(),
            Self::Date(values) => values.len(),
            Self::Text { codes, .. } | Self::Factor { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type that the language says the column has; `None` for text.
    pub fn kind(&self) -> Option<ColumnType> {
        Some(match self {
            Self::Float(_) => ColumnType::Float,
            Self::Integer(_) => ColumnType::Integer,
            // As logical values are spelled in R.
            Self::Boolean(_) => {
                ColumnType::Boolean { when_false: "FALSE".to_owned(), when_true: "TRUE".to_owned() }
            }
            Self::Date(_) => ColumnType::Date { format: ISO_DATE.to_owned() },
            Self::DateTime(_) => ColumnType::DateTime { format: MOMENTS.to_owned() },
            Self::Text { .. } => return None,
            Self::Factor { levels, ordered: false, .. } => {
                ColumnType::Nominal { levels: levels.as_slice().into() }
            }
            Self::Factor { levels, ordered: true, .. } => {
                ColumnType::Ordered { levels: levels.as_slice().into() }
            }
        })
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Float(values) => Cell::Float(values[row]),
            Self::Integer(values) if values[row] == MISSING_INTEGER => Cell::Missing,
            Self::Integer(values) => Cell::Integer(values[row]),
            Self::Boolean(values) => values[row].map_or(Cell::Missing, Cell::Boolean),
            Self::Date(values) if values[row] == MISSING_DATE => Cell::Missing,
            Self::Date(values) => Cell::Day(values[row]),
            Self::DateTime(values) if values[row] == MISSING_INTEGER => Cell::Missing,
            Self::DateTime(values) => Cell::Moment(values[row]),
            Self::Text { levels, codes } | Self::Factor { levels, codes, .. } => match codes[row] {
                MISSING_CODE => Cell::Missing,
                code => levels.get(code as usize).map_or(Cell::Missing, |level| Cell::Text(level)),
            },
        }
    }
}

/// A cell that its column does not allow; position and row count from 0.
#[derive(Debug, Clone, Copy)]
struct Refusal {
    position: usize,
    row: usize,
    fault: Fault,
}

/// A table in memory, or some rows of it.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    names: Arc<[String]>,
    columns: Arc<[MemoryValues]>,
    /// The rows to read, in order; `None` for all.
    rows: Option<Vec<u32>>,
}

impl Memory {
    /// A table of these columns.
    pub(crate) fn new(columns: Vec<MemoryColumn>) -> Result<Self, Problem> {
        let rows = columns.first().ok_or(Problem::NoColumns)?.values.len();
        for (column, place) in columns.iter().zip(1..) {
            let found = column.values.len();
            if found != rows {
                return Err(Problem::UnequalColumns { column: place, found, expected: rows });
            }
        }
        let (names, columns): (Vec<_>, Vec<_>) =
            columns.into_iter().map(|column| (column.name, column.values)).unzip();
        Ok(Self { names: names.into(), columns: columns.into(), rows: None })
    }

    /// The column names.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows.as_ref().map_or(self.columns[0].len(), Vec::len)
    }

    /// The table with these rows only.
    pub(crate) fn rows_of(&self, rows: &[u32]) -> Self {
        Self { rows: Some(rows.to_vec()), ..self.clone() }
    }

    /// The type that a column is known to have.
    pub(crate) fn kind(&self, column: usize) -> Option<ColumnType> {
        self.columns[column].kind()
    }

    /// Whether a column's type says that it is not numeric.
    pub(crate) fn is_text(&self, column: usize) -> bool {
        !matches!(self.columns[column], MemoryValues::Float(_) | MemoryValues::Integer(_))
    }

    /// Reads all rows of the columns that have a collector.
    pub(crate) fn collect(
        &self,
        collector: &(dyn Fn(usize) -> Collector + Sync),
    ) -> Result<Vec<Total>, Problem> {
        if self.rows() == 0 {
            return Err(Problem::NoRows);
        }
        let read = |position: usize| {
            let mut column = collector(position);
            if !matches!(column, Collector::Nothing) {
                self.read_column(position, &mut column)?;
            }
            Ok(column.into_total())
        };
        let done: Vec<Result<Total, Refusal>> = (0..self.names.len()).into_par_iter().map(read).collect();
        // The first row with a wrong value is reported, whichever column was done first.
        let refusals = done.iter().filter_map(|result| result.as_ref().err());
        if let Some(&Refusal { position, row, fault }) = refusals.min_by_key(|refusal| refusal.row) {
            // Only declared columns refuse a value.
            let column = ColumnPlace::Named(self.names[position].clone());
            return Err(Problem::Value { row: row + 1, column, fault });
        }
        Ok(done.into_iter().filter_map(Result::ok).collect())
    }

    /// Reads one column into its collector.
    fn read_column(&self, position: usize, column: &mut Collector) -> Result<(), Refusal> {
        let values = &self.columns[position];
        for place in 0..self.rows() {
            if place.is_multiple_of(CHECKED) {
                progress::check();
            }
            let row = self.rows.as_ref().map_or(place, |rows| rows[place] as usize);
            column.push(values.cell(row)).map_err(|fault| Refusal { position, row: place, fault })?;
        }
        Ok(())
    }
}
