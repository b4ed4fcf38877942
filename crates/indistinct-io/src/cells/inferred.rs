//! A column of undeclared type: whole numbers as long as all are whole, then real ones, then not numbers at all.

use std::sync::Arc;

use indistinct::table::MISSING_INTEGER;

use super::number::{Number, parse};
use super::{Cell, Missing};

/// What the values met so far allow.
#[derive(Debug)]
enum State {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    NotNumbers,
}

/// A column while it is read.
#[derive(Debug)]
pub(crate) struct Inferred {
    missing: Arc<Missing>,
    state: State,
    /// The first row with an infinite number: an error, unless the column turns out to be text.
    infinite: Option<usize>,
}

/// What a column turned out to be.
#[derive(Debug, PartialEq)]
pub(crate) enum InferredColumn {
    /// All whole numbers, with at least one of them.
    Integers(Vec<i64>),
    /// All numbers, or all missing.
    Floats(Vec<f64>),
    /// Some value is not a number.
    NotNumbers,
    /// All numbers, but infinite in this row (counted from 0).
    Infinite(usize),
}

impl Inferred {
    /// An empty column in which these spellings are missing.
    pub(crate) fn new(missing: Arc<Missing>) -> Self {
        Self { missing, state: State::Integers(Vec::new()), infinite: None }
    }

    /// Whether a value has been met that is not a number.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.state, State::NotNumbers)
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        if self.is_text() {
            return;
        }
        match cell {
            Cell::Missing => self.push_missing(),
            Cell::Text(text) => match parse(text) {
                Number::Whole(value) => self.push_integer(value),
                Number::Real(value) => self.push_float(value),
                Number::Nan => self.push_missing(),
                Number::Infinite => self.push_infinite(),
                Number::Not if self.missing.is(text) => self.push_missing(),
                Number::Not => self.state = State::NotNumbers,
            },
            Cell::Integer(MISSING_INTEGER) => self.push_float(MISSING_INTEGER as f64),
            Cell::Integer(value) => self.push_integer(value),
            Cell::Float(value) if value.is_infinite() => self.push_infinite(),
            Cell::Float(value) => self.push_float(value),
            Cell::Boolean(_) | Cell::Day(_) | Cell::Moment(_) => self.state = State::NotNumbers,
        }
    }

    fn push_integer(&mut self, value: i64) {
        match &mut self.state {
            State::Integers(values) => values.push(value),
            State::Floats(values) => values.push(value as f64),
            State::NotNumbers => {}
        }
    }

    fn push_float(&mut self, value: f64) {
        match &mut self.state {
            State::Integers(values) => {
                let mut values = reals(values);
                values.push(value);
                self.state = State::Floats(values);
            }
            State::Floats(values) => values.push(value),
            State::NotNumbers => {}
        }
    }

    fn push_missing(&mut self) {
        match &mut self.state {
            State::Integers(values) => values.push(MISSING_INTEGER),
            State::Floats(values) => values.push(f64::NAN),
            State::NotNumbers => {}
        }
    }

    fn push_infinite(&mut self) {
        let rows = match &self.state {
            State::Integers(values) => values.len(),
            State::Floats(values) => values.len(),
            State::NotNumbers => 0,
        };
        self.infinite.get_or_insert(rows);
        self.push_missing();
    }
}

/// Whole numbers as real ones.
pub(crate) fn reals(values: &[i64]) -> Vec<f64> {
    let mut reals = Vec::with_capacity(values.len() + values.len() / 4 + 4);
    reals.extend(values.iter().map(|&value| if value == MISSING_INTEGER { f64::NAN } else { value as f64 }));
    reals
}

/// The consecutive parts of one column as one.
pub(crate) fn merge_inferred(parts: Vec<Inferred>) -> InferredColumn {
    if parts.iter().any(Inferred::is_text) {
        return InferredColumn::NotNumbers;
    }
    let length = |state: &State| match state {
        State::Integers(values) => values.len(),
        State::Floats(values) => values.len(),
        State::NotNumbers => 0,
    };
    let mut rows = 0;
    let mut some_float = false;
    let mut some_integer = false;
    for part in &parts {
        if let Some(row) = part.infinite {
            return InferredColumn::Infinite(rows + row);
        }
        rows += length(&part.state);
        match &part.state {
            State::Integers(values) => {
                some_integer = some_integer || values.iter().any(|&value| value != MISSING_INTEGER);
            }
            _ => some_float = true,
        }
    }
    if some_integer && !some_float {
        let mut all = Vec::with_capacity(rows);
        for part in parts {
            if let State::Integers(values) = part.state {
                all.extend_from_slice(&values);
            }
        }
        return InferredColumn::Integers(all);
    }
    let mut all = Vec::with_capacity(rows);
    for part in parts {
        match part.state {
            State::Integers(values) => all.extend_from_slice(&reals(&values)),
            State::Floats(values) => all.extend_from_slice(&values),
            State::NotNumbers => {}
        }
    }
    InferredColumn::Floats(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&[&str]]) -> InferredColumn {
        let missing = Arc::new(Missing::usual());
        let part = |cells: &&[&str]| {
            let mut part = Inferred::new(Arc::clone(&missing));
            cells.iter().for_each(|cell| part.push(Cell::Text(cell)));
            part
        };
        merge_inferred(parts.iter().map(part).collect())
    }

    #[test]
    fn types_follow_the_values() {
        assert_eq!(read(&[&["1", "?"], &["2"]]), InferredColumn::Integers(vec![1, MISSING_INTEGER, 2]));
        assert_eq!(read(&[&["1"], &["2.5"], &["3"]]), InferredColumn::Floats(vec![1.0, 2.5, 3.0]));
        assert_eq!(read(&[&["1"], &["a"]]), InferredColumn::NotNumbers);
        assert!(matches!(read(&[&["NA"], &[""]]), InferredColumn::Floats(values) if values.len() == 2));
    }

    #[test]
    fn infinities_matter_in_numeric_columns_only() {
        assert_eq!(read(&[&["1", "2"], &["3", "1e999", "inf"]]), InferredColumn::Infinite(3));
        assert_eq!(read(&[&["inf"], &["a"]]), InferredColumn::NotNumbers);
    }
}
