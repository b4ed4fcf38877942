//! Columns of text that are numbers or dates to whoever reads them: with marks, or words for missing values.

use std::collections::BTreeSet;

use indistinct::table::{MISSING_CODE, MISSING_INTEGER, Notation};

use super::moments;
use super::shape::MOST_DECIMALS;
use super::words::{are_names, is_missing_among_values, is_missing_anywhere, missing_among, notation_of};
use crate::cells::notation::{decimals, parse, unwrapped};
use crate::cells::number::Number;
use crate::plain::{PlainColumn, PlainValues};

/// A column as it is understood.
#[derive(Debug)]
pub(super) struct Understood {
    /// Numbers if the spellings are, or else text; without words for missing values.
    pub(super) column: PlainColumn,
    /// The spellings of numbers, if they were text and are written as usual.
    pub(super) spelled: Option<PlainValues>,
    /// The way in which numbers are written.
    pub(super) notation: Notation,
    /// The most decimals that a number with marks is spelled with: those of money stay, be they zeros or not.
    pub(super) decimals: u32,
    /// Words that stand for missing values, with their rows.
    pub(super) missing: Vec<(String, usize)>,
}

/// Understands a column; `commas` tells whether commas separate the fields of the file, `typed` whether it says which
/// columns are numbers.
pub(super) fn understand(column: PlainColumn, commas: bool, typed: bool) -> Understood {
    let as_it_is = |column| Understood {
        column,
        spelled: None,
        notation: Notation::default(),
        decimals: 0,
        missing: Vec::new(),
    };
    let PlainValues::Text { levels, codes } = &column.values else {
        return as_it_is(with_days(column, typed));
    };
    let rows = rows_of(levels.len(), codes);
    let is_code = levels.iter().any(|level| matches!(level.trim().as_bytes(), [b'0', b'0'..=b'9', ..]));
    let numbers = if is_code { None } else { missing_among(levels, &rows, &is_number) };
    if let Some(missing) = numbers {
        let present =
            levels.iter().zip(&missing).filter(|(_, missing)| !**missing).map(|(level, _)| level.as_str());
        // All numbers, and text all the same: a file format with types says so.
        let by_type = !missing.contains(&true) && present.clone().all(super::looks::is_number);
        let different = present.clone().count();
        let is_taken = |notation: &Notation| !by_type && !are_names(notation, different);
        if let Some(notation) = notation_of(present.clone(), commas).filter(is_taken) {
            let spelled_decimals = present.map(|level| decimals(&notation, level)).max();
            let decimals = spelled_decimals.filter(|_| !notation.is_plain()).unwrap_or(0).min(MOST_DECIMALS);
            let rest = without(levels, codes, &missing);
            let words = words(levels, &rows, &missing);
            let values = numbers_of(&rest, &notation);
            let spelled = notation.is_plain().then_some(rest);
            let column = PlainColumn { values, ..column };
            return Understood { column, spelled, notation, decimals, missing: words };
        }
    }
    let missing = missing_among(levels, &rows, &moments::is_moment)
        .unwrap_or_else(|| levels.iter().map(|level| is_missing_anywhere(level)).collect());
    if !missing.contains(&true) || missing.iter().all(|&missing| missing) {
        return as_it_is(column);
    }
    let words = words(levels, &rows, &missing);
    let values = without(levels, codes, &missing);
    Understood { missing: words, ..as_it_is(PlainColumn { values, ..column }) }
}

/// Whether a spelling is a number, with marks or without.
fn is_number(level: &str) -> bool {
    let inner = unwrapped(level.trim()).unwrap_or(level);
    notation_of(std::iter::once(inner), false).is_some()
}

/// The spellings among these that are known to mean *missing*; and whether all others are numbers or dates, among which
/// more words do.
pub(crate) fn missing_words<'a>(levels: &BTreeSet<&'a String>) -> (Vec<&'a String>, bool) {
    let is_value = |level: &&&String| is_number(level) || moments::is_moment(level);
    let (words, others): (Vec<&String>, Vec<&String>) =
        levels.iter().copied().partition(|level| is_missing_among_values(level));
    if words.is_empty() {
        return (words, false);
    }
    if !others.is_empty() && others.iter().all(|level| is_value(&level)) {
        return (words, true);
    }
    (words.into_iter().filter(|level| is_missing_anywhere(level)).collect(), false)
}

/// The column as text if its numbers are days of eight digits, or months of six.
fn with_days(column: PlainColumn, typed: bool) -> PlainColumn {
    let PlainValues::Integers(values) = &column.values else { return column };
    let present = || values.iter().copied().filter(|&value| value != MISSING_INTEGER);
    let first = present().next().unwrap_or_default();
    let is_like = |value: i64| value.ilog10() == first.ilog10();
    if typed || !matches!(first, 100_000..=99_999_999) || !present().all(|value| value > 0 && is_like(value))
    {
        return column;
    }
    let mut different: Vec<i64> = present().collect();
    different.sort_unstable();
    different.dedup();
    if !moments::are_compact_days(&different) && !moments::are_compact_months(&different) {
        return column;
    }
    let code = |value: &i64| different.binary_search(value).map_or(MISSING_CODE, |place| place as u32);
    let codes = values.iter().map(code).collect();
    let levels = different.iter().map(i64::to_string).collect();
    PlainColumn { values: PlainValues::Text { levels, codes }, ..column }
}

/// Number of rows of each level.
pub(super) fn rows_of(levels: usize, codes: &[u32]) -> Vec<usize> {
    let mut rows = vec![0; levels];
    for &code in codes {
        if let Some(rows) = rows.get_mut(code as usize) {
            *rows += 1;
        }
    }
    rows
}

/// The words that stand for missing values, with their rows.
fn words(levels: &[String], rows: &[usize], missing: &[bool]) -> Vec<(String, usize)> {
    let words = levels.iter().zip(rows).zip(missing).filter(|(_, missing)| **missing);
    words.map(|((level, rows), _)| (level.trim().to_owned(), *rows)).collect()
}

/// The column without the levels that are missing values.
pub(crate) fn without(levels: &[String], codes: &[u32], missing: &[bool]) -> PlainValues {
    let mut places = Vec::with_capacity(levels.len());
    let mut kept = Vec::new();
    for (level, &missing) in levels.iter().zip(missing) {
        places.push(if missing { MISSING_CODE } else { kept.len() as u32 });
        if !missing {
            kept.push(level.clone());
        }
    }
    let codes =
        codes.iter().map(|&code| places.get(code as usize).copied().unwrap_or(MISSING_CODE)).collect();
    PlainValues::Text { levels: kept, codes }
}

/// The numbers that spellings of text are.
pub(crate) fn numbers_of(values: &PlainValues, notation: &Notation) -> PlainValues {
    let PlainValues::Text { levels, codes } = values else { return values.clone() };
    let parsed: Vec<Number> = levels.iter().map(|level| parse(notation, level)).collect();
    let at = |code: &u32| parsed.get(*code as usize).copied().unwrap_or(Number::Nan);
    if parsed.iter().all(|number| matches!(number, Number::Whole(_))) {
        let whole = |code: &u32| if let Number::Whole(value) = at(code) { value } else { MISSING_INTEGER };
        return PlainValues::Integers(codes.iter().map(whole).collect());
    }
    let real = |code: &u32| match at(code) {
        Number::Whole(value) => value as f64,
        Number::Real(value) => value,
        Number::Nan | Number::Infinite | Number::Not => f64::NAN,
    };
    PlainValues::Floats(codes.iter().map(real).collect())
}
