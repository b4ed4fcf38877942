//! Reading without a schema: numbers where all values are numbers, text elsewhere.

use std::sync::Arc;

use indistinct::table::{MISSING_CODE, MISSING_INTEGER};
use rayon::prelude::*;

use crate::cells::{Collector, Dictionary, Inferred, InferredColumn, Missing, MissingSeen, Total};
use crate::error::{Fault, Problem, ReadError};
use crate::source::Source;

/// The requested form of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Numbers if all its values are, else text.
    Inferred,
    /// Text, spelled as in the file.
    Text,
    /// Not at all.
    Nothing,
}

/// A column as in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainColumn {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: PlainValues,
    /// Whether they are whole numbers of which some have zeros in front, as codes do.
    pub leading_zeros: bool,
}

/// The values of a column of undeclared type.
#[derive(Debug, Clone, PartialEq)]
pub enum PlainValues {
    /// All present values are whole numbers, spelled as such; the core's `MISSING_INTEGER` is missing.
    Integers(Vec<i64>),
    /// All present values are numbers, or none is present; NaN is missing.
    Floats(Vec<f64>),
    /// Text.
    Text {
        /// The different spellings, in bytewise order.
        levels: Vec<String>,
        /// Positions in `levels`; the core's `MISSING_CODE` is missing.
        codes: Vec<u32>,
    },
}

impl PlainValues {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Floats(values) => values.len(),
            Self::Text { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether some value is not missing.
    pub(crate) fn has_values(&self) -> bool {
        match self {
            Self::Integers(values) => values.iter().any(|&value| value != MISSING_INTEGER),
            Self::Floats(values) => values.iter().any(|value| !value.is_nan()),
            Self::Text { codes, .. } => codes.iter().any(|&code| code != MISSING_CODE),
        }
    }

    /// Whether the values are numbers.
    pub fn is_numeric(&self) -> bool {
        !matches!(self, Self::Text { .. })
    }
}

impl Source {
    /// For every column the usual spellings of missing values that it has in a text, the most frequent first; none in
    /// other formats, which have a way of their own to say that a value is missing.
    pub(crate) fn missing_spellings(&self) -> Result<Vec<Vec<(String, usize)>>, ReadError> {
        if self.is_columnar() {
            return Ok(vec![Vec::new(); self.names().len()]);
        }
        let missing = Arc::new(Missing::usual());
        let totals = self.collect(&|_| Collector::Seen(MissingSeen::new(Arc::clone(&missing))))?;
        let seen = |total| if let Total::Seen(seen) = total { seen.finish() } else { Vec::new() };
        Ok(totals.into_iter().map(seen).collect())
    }

    /// Reads columns without a schema; `wanted` has one entry per column (absent ones count as inferred). The
    /// result has the wanted columns in the order of the file.
    ///
    /// # Errors
    /// When the file is malformed, or a numeric column contains an infinite number.
    pub fn read_plain(&self, wanted: &[Wanted]) -> Result<Vec<PlainColumn>, ReadError> {
        let missing = Arc::new(Missing::usual());
        let wanted = |column: usize| wanted.get(column).copied().unwrap_or(Wanted::Inferred);
        let inferred = || Collector::Inferred(Inferred::new(Arc::clone(&missing)));
        let text = || Collector::Text(Dictionary::new(Arc::clone(&missing)));
        let surely_text = self.surely_text(&|column| match wanted(column) {
            Wanted::Inferred => inferred(),
            Wanted::Text | Wanted::Nothing => Collector::Nothing,
        });
        let first = self.collect(&|column| match wanted(column) {
            Wanted::Inferred if surely_text[column] => text(),
            Wanted::Inferred => inferred(),
            Wanted::Text => text(),
            Wanted::Nothing => Collector::Nothing,
        })?;
        let first: Vec<Outcome> = first.into_par_iter().map(finish).collect();
        let again: Vec<bool> = first.iter().map(|outcome| matches!(outcome, Outcome::ReadAsText)).collect();
        let second = if again.contains(&true) {
            let parts = self.collect(&|column| if again[column] { text() } else { Collector::Nothing })?;
            parts.into_par_iter().map(finish).collect()
        } else {
            Vec::new()
        };
        let mut second: Vec<Option<Outcome>> = second.into_iter().map(Some).collect();
        let mut columns = Vec::new();
        for (position, outcome) in first.into_iter().enumerate() {
            let name = self.names()[position].clone();
            let outcome = match outcome {
                Outcome::ReadAsText => second.get_mut(position).and_then(Option::take),
                other => Some(other),
            };
            let (values, leading_zeros) = match outcome {
                Some(Outcome::Values(values)) => (values, false),
                Some(Outcome::Codes(values)) => (values, true),
                Some(Outcome::Infinite(row)) => {
                    return Err(self.error(Problem::Value {
                        row: row + 1,
                        column: self.place(position),
                        fault: Fault::Infinite,
                    }));
                }
                _ => continue,
            };
            let values = match values {
                PlainValues::Text { levels, codes }
                    if levels.is_empty() && wanted(position) == Wanted::Inferred =>
                {
                    PlainValues::Floats(vec![f64::NAN; codes.len()])
                }
                values => values,
            };
            columns.push(PlainColumn { name, values, leading_zeros });
        }
        Ok(columns)
    }
}

/// The outcome of reading a column.
enum Outcome {
    Values(PlainValues),
    /// Whole numbers of which some have zeros in front.
    Codes(PlainValues),
    Infinite(usize),
    ReadAsText,
    Nothing,
}

/// The outcome of a total.
fn finish(total: Total) -> Outcome {
    match total {
        Total::Text(total) => {
            let (levels, codes) = total.finish();
            Outcome::Values(PlainValues::Text { levels, codes })
        }
        Total::Inferred(total) if total.has_leading_zeros() => match total.finish() {
            InferredColumn::Integers(values) => Outcome::Codes(PlainValues::Integers(values)),
            _ => Outcome::ReadAsText,
        },
        Total::Inferred(total) => match total.finish() {
            InferredColumn::Integers(values) => Outcome::Values(PlainValues::Integers(values)),
            InferredColumn::Floats(values) => Outcome::Values(PlainValues::Floats(values)),
            InferredColumn::NotNumbers => Outcome::ReadAsText,
            InferredColumn::Infinite(row) => Outcome::Infinite(row),
        },
        Total::Typed(_) | Total::Seen(_) | Total::Nothing => Outcome::Nothing,
    }
}
