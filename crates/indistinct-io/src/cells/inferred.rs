//! A column of undeclared type: whole numbers as long as all are whole, then real numbers, then text.

use std::sync::Arc;

use fearless_simd::Simd;
use indistinct::table::MISSING_INTEGER;

use super::number::{self, Number, parse};
use super::total::make_room;
use super::{Cell, Missing};

/// The type that the values so far allow.
#[derive(Debug)]
enum State {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    NotNumbers,
}

impl State {
    /// Number of kept rows.
    fn rows(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Floats(values) => values.len(),
            Self::NotNumbers => 0,
        }
    }
}

/// A column, or a part of one, while it is read.
#[derive(Debug)]
pub(crate) struct Inferred {
    missing: Arc<Missing>,
    state: State,
    /// The first row with an infinite number: an error, unless the column turns out to be text.
    infinite: Option<usize>,
    /// Whether a whole number has zeros in front, as codes do.
    zeros: bool,
}

/// The type that a column turned out to have.
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
        Self { missing, state: State::Integers(Vec::new()), infinite: None, zeros: false }
    }

    /// Whether a value so far is not a number.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.state, State::NotNumbers)
    }

    /// Adds rows, given the text that contains them and the positions of their cells: all at once if all are
    /// numbers of the present kind, otherwise one by one.
    #[inline(always)]
    pub(crate) fn extend<S: Simd>(
        &mut self,
        simd: S,
        text: &str,
        cells: impl ExactSizeIterator<Item = (usize, usize)> + Clone,
    ) {
        let missing = &*self.missing;
        let mut floats = match &mut self.state {
            State::Integers(values) => {
                let bytes = text.as_bytes();
                self.zeros |= cells.clone().any(|(start, end)| has_leading_zero(&bytes[start..end]));
                if extend_by(values, cells.clone(), &Wholes { text, missing }) {
                    return;
                }
                Vec::new()
            }
            State::Floats(values) => std::mem::take(values),
            State::NotNumbers => return,
        };
        let all = extend_by(&mut floats, cells.clone(), &Reals { simd, text, missing });
        match &mut self.state {
            State::Floats(values) => *values = floats,
            // They were not all whole.
            State::Integers(values) if all => {
                let mut before = reals(std::mem::take(values));
                before.append(&mut floats);
                self.state = State::Floats(before);
            }
            State::Integers(_) | State::NotNumbers => {}
        }
        if !all {
            cells.for_each(|(start, end)| self.push(Cell::Text(&text[start..end])));
        }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        if self.is_text() {
            return;
        }
        match cell {
            Cell::Missing => self.push_missing(),
            Cell::Text(text) => {
                self.zeros |= has_leading_zero(text.as_bytes());
                match parse(text) {
                    Number::Not if self.missing.is(text) => self.push_missing(),
                    number => self.push_number(number),
                }
            }
            Cell::Integer(MISSING_INTEGER) => self.push_float(MISSING_INTEGER as f64),
            Cell::Integer(value) => self.push_integer(value),
            Cell::Float(value) if value.is_infinite() => self.push_infinite(),
            Cell::Float(value) => self.push_float(value),
            Cell::Boolean(_) | Cell::Day(_) | Cell::Moment(_) => self.state = State::NotNumbers,
        }
    }

    /// Adds a row whose cell was read as a number.
    #[inline(always)]
    pub(crate) fn push_number(&mut self, number: Number) {
        match (number, &mut self.state) {
            (Number::Whole(value), State::Integers(values)) => values.push(value),
            (Number::Real(value), State::Floats(values)) => values.push(value),
            (Number::Whole(value), State::Floats(values)) => values.push(value as f64),
            (Number::Real(value), State::Integers(_)) => self.push_float(value),
            (Number::Nan, _) => self.push_missing(),
            (Number::Infinite, _) => self.push_infinite(),
            (Number::Not, _) => self.state = State::NotNumbers,
            (Number::Whole(_) | Number::Real(_), State::NotNumbers) => {}
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
                let mut values = reals(std::mem::take(values));
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
        self.infinite.get_or_insert(self.state.rows());
        self.push_missing();
    }
}

/// Whether digits begin with a zero that is not the number itself.
#[inline(always)]
fn has_leading_zero(cell: &[u8]) -> bool {
    matches!(cell, [b'0', b'0'..=b'9', ..])
}

/// A way to read the cells of a text. (Not a closure: only functions can be inlined into their caller, which is
/// compiled for one kind of processor.)
trait Reading {
    type Value: Clone + Default;

    /// The value of the cell at these positions.
    fn value(&self, start: usize, end: usize) -> Option<Self::Value>;
}

/// Reads whole numbers.
struct Wholes<'a> {
    text: &'a str,
    missing: &'a Missing,
}

impl Reading for Wholes<'_> {
    type Value = i64;

    #[inline(always)]
    fn value(&self, start: usize, end: usize) -> Option<i64> {
        match number::whole(self.text, start, end) {
            None => late_whole(&self.text[start..end], self.missing),
            found => found,
        }
    }
}

/// Reads real numbers.
struct Reals<'a, S> {
    simd: S,
    text: &'a str,
    missing: &'a Missing,
}

impl<S: Simd> Reading for Reals<'_, S> {
    type Value = f64;

    #[inline(always)]
    fn value(&self, start: usize, end: usize) -> Option<f64> {
        match number::real(self.simd, self.text, start, end) {
            None => late_real(&self.text[start..end], self.missing),
            found => found,
        }
    }
}

/// Adds a value for every cell; adds nothing if one of them has no value.
#[inline(always)]
fn extend_by<R: Reading>(
    values: &mut Vec<R::Value>,
    cells: impl ExactSizeIterator<Item = (usize, usize)>,
    reading: &R,
) -> bool {
    let before = values.len();
    values.resize(before + cells.len(), R::Value::default());
    for (room, (start, end)) in values[before..].iter_mut().zip(cells) {
        let Some(value) = reading.value(start, end) else {
            values.truncate(before);
            return false;
        };
        *room = value;
    }
    true
}

/// The whole number or missing value of a cell with an unusual spelling.
#[cold]
fn late_whole(cell: &str, missing: &Missing) -> Option<i64> {
    match parse(cell) {
        Number::Whole(value) => Some(value),
        Number::Nan => Some(MISSING_INTEGER),
        Number::Not if missing.is(cell) => Some(MISSING_INTEGER),
        Number::Real(_) | Number::Infinite | Number::Not => None,
    }
}

/// The number or missing value of a cell with an unusual spelling.
#[cold]
fn late_real(cell: &str, missing: &Missing) -> Option<f64> {
    match parse(cell) {
        Number::Whole(value) => Some(value as f64),
        Number::Real(value) => Some(value),
        Number::Nan => Some(f64::NAN),
        Number::Not if missing.is(cell) => Some(f64::NAN),
        Number::Infinite | Number::Not => None,
    }
}

/// Whole numbers as real ones.
pub(crate) fn reals(values: Vec<i64>) -> Vec<f64> {
    // In place: the standard library sees that both kinds have the same size.
    values.into_iter().map(real).collect()
}

fn real(value: i64) -> f64 {
    if value == MISSING_INTEGER { f64::NAN } else { value as f64 }
}

/// All parts of a column so far.
#[derive(Debug)]
pub(crate) struct InferredTotal {
    state: State,
    rows: usize,
    present: bool,
    infinite: Option<usize>,
    zeros: bool,
}

impl InferredTotal {
    /// No parts.
    pub(crate) fn new() -> Self {
        Self { state: State::Integers(Vec::new()), rows: 0, present: false, infinite: None, zeros: false }
    }

    /// Reserves room for this many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        match &mut self.state {
            State::Integers(values) => make_room(values, rows),
            State::Floats(values) => make_room(values, rows),
            State::NotNumbers => {}
        }
    }

    /// Moves the rows of the next part here.
    pub(crate) fn append(&mut self, part: &mut Inferred) {
        self.zeros |= part.zeros;
        if let Some(row) = part.infinite.take() {
            self.infinite.get_or_insert(self.rows + row);
        }
        match (&mut self.state, &mut part.state) {
            (State::NotNumbers, State::Integers(part)) => part.clear(),
            (State::NotNumbers, State::Floats(part)) => part.clear(),
            (_, State::NotNumbers) => self.state = State::NotNumbers,
            (State::Integers(all), State::Integers(part)) => {
                self.present = self.present || part.iter().any(|&value| value != MISSING_INTEGER);
                all.append(part);
            }
            (State::Integers(all), State::Floats(part)) => {
                let mut all = reals(std::mem::take(all));
                all.append(part);
                self.state = State::Floats(all);
            }
            (State::Floats(all), State::Integers(part)) => all.extend(part.drain(..).map(real)),
            (State::Floats(all), State::Floats(part)) => all.append(part),
        }
        self.rows = self.state.rows();
    }

    /// Whether a whole number has zeros in front, as codes do.
    pub(crate) fn has_leading_zeros(&self) -> bool {
        self.zeros && matches!(self.state, State::Integers(_))
    }

    /// The type that the column turned out to have.
    pub(crate) fn finish(self) -> InferredColumn {
        match (self.infinite, self.state) {
            (_, State::NotNumbers) => InferredColumn::NotNumbers,
            (Some(row), _) => InferredColumn::Infinite(row),
            (None, State::Integers(values)) if self.present => InferredColumn::Integers(values),
            (None, State::Integers(values)) => InferredColumn::Floats(reals(values)),
            (None, State::Floats(values)) => InferredColumn::Floats(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Reading many cells at once agrees with reading them one by one, whatever came before them.
        #[test]
        fn stretches_are_read_as_single_cells(
            stretches in prop::collection::vec(
                prop::collection::vec("(-?[0-9]{1,3}|[0-9]{8,20}|-?[0-9]\\.[0-9]{1,19}|NA|)|1e999|x|-0| 7", 1..6), 1..5),
        ) {
            let missing = Arc::new(Missing::usual());
            let (mut together, mut single) = (Inferred::new(Arc::clone(&missing)), Inferred::new(missing));
            for cells in &stretches {
                let mut text = " ".repeat(24);
                let mut places = Vec::new();
                for cell in cells {
                    places.push((text.len(), text.len() + cell.len()));
                    text.push_str(cell);
                    text.push(',');
                    single.push(Cell::Text(cell));
                }
                let level = fearless_simd::Level::new();
                fearless_simd::dispatch!(level, simd => together.extend(simd, &text, places.into_iter()));
            }
            let [together, single] = [together, single].map(|mut part| {
                let mut total = InferredTotal::new();
                total.append(&mut part);
                // A missing number is not equal to itself.
                format!("{:?}", total.finish())
            });
            prop_assert_eq!(together, single);
        }
    }

    fn read(parts: &[&[&str]]) -> InferredColumn {
        let missing = Arc::new(Missing::usual());
        let mut total = InferredTotal::new();
        let mut part = Inferred::new(missing);
        for cells in parts {
            cells.iter().for_each(|cell| part.push(Cell::Text(cell)));
            total.append(&mut part);
        }
        total.finish()
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
