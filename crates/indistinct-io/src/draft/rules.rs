//! Guesses at the type of a column.

use std::collections::HashMap;

use indistinct::table::{ColumnType, MISSING_CODE, MISSING_INTEGER};

use super::{ColumnNotes, looks};
use crate::cells::number::{Number, parse};
use crate::plain::{PlainColumn, PlainValues};

/// Most distinct whole numbers that may be codes of categories.
const FEW: usize = 10;
/// Fewest rows per code that are then expected.
const ROWS_PER_CODE: usize = 20;
/// Fewest rows from which all-different text names rows.
const NAMES_ROWS: usize = 20;
/// Number of distinct whole numbers that raises a doubt.
const DISTINCT_ROWS: usize = 100;
/// A column with more levels than this, more than half of them different, is not a category.
const MANY: usize = 1000;
/// A column with at least this share of numbers (or dates), in percent, is one with errors in it.
const NEARLY_ALL: usize = 90;

/// A guess, with its reasons.
pub(super) struct Guess {
    pub(super) kind: ColumnType,
    pub(super) notes: ColumnNotes,
}

/// A column of numbers or dates with something else in it.
pub(super) struct Mixed {
    /// The first row that differs, from 0.
    pub(super) row: usize,
    /// The kind of the others.
    pub(super) expected: &'static str,
}

impl Guess {
    fn new(kind: ColumnType, learned: impl Into<String>) -> Self {
        Self { kind, notes: ColumnNotes { learned: vec![learned.into()], ..ColumnNotes::default() } }
    }

    fn check(mut self, check: impl Into<String>) -> Self {
        self.notes.check.push(check.into());
        self
    }

    fn warn(mut self, warning: impl Into<String>) -> Self {
        self.notes.warning = Some(warning.into());
        self
    }
}

/// The distinct whole numbers of a column, sorted, and the number of present values; `None` if some are not
/// whole.
fn whole_values(values: &PlainValues) -> Option<(Vec<i64>, usize)> {
    let mut whole: Vec<i64> = match values {
        PlainValues::Integers(values) => {
            values.iter().copied().filter(|&value| value != MISSING_INTEGER).collect()
        }
        PlainValues::Floats(values) => {
            let present = values.iter().filter(|value| !value.is_nan());
            let as_whole = |&value: &f64| {
                (value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0).then_some(value as i64)
            };
            present.map(as_whole).collect::<Option<_>>()?
        }
        PlainValues::Text { .. } => return None,
    };
    let present = whole.len();
    whole.sort_unstable();
    whole.dedup();
    Some((whole, present))
}

/// Whether the guess depends on the spelling of the numbers in the file.
pub(super) fn needs_spelling(values: &PlainValues) -> bool {
    whole_values(values).is_some_and(|(different, _)| (2..=FEW).contains(&different.len()))
}

/// The likely type of a column; `spelled` has the same column as text, if that was requested.
pub(super) fn guess(column: &PlainColumn, spelled: Option<&PlainValues>) -> Result<Guess, Mixed> {
    if let PlainValues::Text { levels, codes } = &column.values {
        return text(levels, codes);
    }
    let Some((different, present)) = whole_values(&column.values) else {
        return Ok(Guess::new(ColumnType::Float, "the type: all values are numbers"));
    };
    if present == 0 {
        let guess = Guess::new(ColumnType::Float, "that all values are missing");
        return Ok(guess.warn("all values are missing, so that its type is a guess"));
    }
    let levels = match spelled {
        Some(PlainValues::Text { levels, .. }) => levels.as_slice(),
        _ => &[],
    };
    Ok(whole(&different, present, levels))
}

/// The guess for a column of whole numbers.
fn whole(different: &[i64], present: usize, levels: &[String]) -> Guess {
    let count = different.len();
    let mut levels = levels.to_vec();
    levels.sort_by(|a, b| value(a).total_cmp(&value(b)));
    if let ([0, 1], [when_false, when_true]) = (different, levels.as_slice()) {
        let kind = ColumnType::Boolean { when_false: when_false.clone(), when_true: when_true.clone() };
        return Guess::new(kind, "the type: the only values are 0 and 1");
    }
    if (3..=FEW).contains(&count) && present >= ROWS_PER_CODE * count && levels.len() >= count {
        let kind = ColumnType::Ordered { levels: levels.into() };
        return Guess::new(kind, format!("the type and the {count} levels: few different whole numbers"))
            .check("`nominal` if the codes have no order, `integer` (without levels) if these are counts");
    }
    let (first, last) = (different[0], different[count - 1]);
    if count == present && count >= NAMES_ROWS && last.checked_sub(first) == i64::try_from(count - 1).ok() {
        return Guess::new(
            ColumnType::Identifier,
            "the type: all values differ and form one run of whole numbers",
        )
        .check("identifiers are read past; `integer` if these are measurements")
        .warn("numbers the rows, and is left out as an identifier");
    }
    let guess = Guess::new(ColumnType::Integer, "the type: all values are whole numbers");
    if count == present && count >= DISTINCT_ROWS {
        return guess
            .check("`identifier` if the numbers name rows or persons")
            .warn("all values differ: if they name rows or persons, declare the column identifier");
    }
    if count == 2 {
        return guess.check("only two different values: `nominal` with levels if these are codes");
    }
    guess
}

/// The number that a level spells.
fn value(level: &str) -> f64 {
    match parse(level) {
        Number::Whole(value) => value as f64,
        Number::Real(value) => value,
        _ => f64::NAN,
    }
}

/// The guess for a column of text.
fn text(levels: &[String], codes: &[u32]) -> Result<Guess, Mixed> {
    if let Some((when_false, when_true)) = looks::truth(levels) {
        let kind = ColumnType::Boolean { when_false, when_true };
        return Ok(Guess::new(kind, "the type and the two spellings"));
    }
    let mut rows = vec![0_usize; levels.len()];
    for &code in codes {
        if let Some(rows) = rows.get_mut(code as usize) {
            *rows += 1;
        }
    }
    let present: usize = rows.iter().sum();
    if let Some(guess) = moments(levels, codes, &rows, present)? {
        return Ok(guess);
    }
    let numeric: Vec<bool> = levels.iter().map(|level| looks::is_number(level)).collect();
    // All numbers, and text all the same: a file format with types says so.
    if !numeric.iter().all(|&numeric| numeric) {
        nearly_all(&numeric, codes, &rows, present, "a number")?;
    }
    let count = levels.len();
    if (count == present && present >= NAMES_ROWS) || (count > MANY && 2 * count > present) {
        return Ok(Guess::new(ColumnType::Identifier, "the type: (nearly) all values differ")
            .check("identifiers are read past; `nominal` with levels, or `date` with a format, are the alternatives")
            .warn("(nearly) all values differ: it seems to name rows or persons, and is left out as an identifier"));
    }
    let levels: Vec<String> = levels.to_vec();
    let noun = if count == 1 { "level" } else { "levels" };
    Ok(Guess::new(ColumnType::Nominal { levels: levels.into() }, format!("the type and the {count} {noun}"))
        .check("add levels that are possible and did not occur; `ordered` if they have an order"))
}

/// The guess for a column of dates or moments in ISO form.
fn moments(levels: &[String], codes: &[u32], rows: &[usize], present: usize) -> Result<Option<Guess>, Mixed> {
    let formats: Vec<Option<(String, bool)>> =
        levels.iter().map(|level| looks::moment_format(level)).collect();
    let mut counts: HashMap<&(String, bool), usize> = HashMap::new();
    for (format, rows) in formats.iter().zip(rows) {
        if let Some(format) = format {
            *counts.entry(format).or_default() += rows;
        }
    }
    let Some((common, _)) = counts.into_iter().max_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0))) else {
        return Ok(None);
    };
    let fits: Vec<bool> = formats.iter().map(|format| format.as_ref() == Some(common)).collect();
    let (format, timed) = common.clone();
    if fits.iter().all(|&fits| fits) {
        let (kind, learned) = if timed {
            (ColumnType::DateTime { format }, "the type and the format: all values are dates with a time")
        } else {
            (ColumnType::Date { format }, "the type: all values are dates")
        };
        return Ok(Some(Guess::new(kind, learned)));
    }
    let expected = if timed { "a date with a time in the common format" } else { "a date" };
    nearly_all(&fits, codes, rows, present, expected)?;
    Ok(None)
}

/// Refuses a column in which nearly all, but not all, values fit.
fn nearly_all(
    fits: &[bool],
    codes: &[u32],
    rows: &[usize],
    present: usize,
    expected: &'static str,
) -> Result<(), Mixed> {
    let fitting: usize = fits.iter().zip(rows).filter(|(fits, _)| **fits).map(|(_, rows)| rows).sum();
    if fitting * 100 < present * NEARLY_ALL {
        return Ok(());
    }
    let other = |code: &u32| *code != MISSING_CODE && !fits[*code as usize];
    match codes.iter().position(other) {
        Some(row) => Err(Mixed { row, expected }),
        None => Ok(()),
    }
}
