//! Guesses at the type of a column.

use std::collections::HashMap;

use indistinct::table::moment::ISO_DATE;
use indistinct::table::{ColumnType, DEFAULT_MISSING, MISSING_CODE, MISSING_INTEGER};

use super::moments::{self, MomentKind};
use super::understand::rows_of;
use super::{ColumnNotes, levels, looks};
use crate::cells::number::{Number, parse};
use crate::plain::{PlainColumn, PlainValues};
use crate::source::Source;

/// Digits of codes that have no order: post codes, counties.
const LONG_CODE: usize = 4;
/// Most distinct whole numbers that may be codes of categories.
const FEW: usize = 10;
/// Fewest rows per code that are then expected.
const ROWS_PER_CODE: usize = 20;
/// Fewest rows from which all-different text names rows.
const NAMES_ROWS: usize = 20;
/// Number of distinct whole numbers that raises a doubt.
const DISTINCT_ROWS: usize = 100;
/// A column in which at least this share of the values differ, in percent, names rows.
const NEARLY_DIFFERENT: usize = 90;
/// A column with more levels than this, more than half of them different, is not a category.
const MANY: usize = 1000;
/// Values of which at least half are dates where dates are to be expected.
const TRIED: usize = 40;
/// The first number of more than 15 digits.
const MOST_COUNTED: f64 = 1e15;
/// Characters of a number with this many digits that are not zeros at its end.
const LONG: usize = 15;
/// Numbers of which most are long where the others are, too.
const SHOWN: usize = 1000;
/// A column with at least this share of numbers (or dates), in percent, is one with errors in it.
const NEARLY_ALL: usize = 90;

/// A guess, with its reasons.
#[derive(Debug)]
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
    pub(super) fn new(kind: ColumnType, learned: impl Into<String>) -> Self {
        Self { kind, notes: ColumnNotes { learned: vec![learned.into()], ..ColumnNotes::default() } }
    }

    pub(super) fn check(mut self, check: impl Into<String>) -> Self {
        self.notes.check.push(check.into());
        self
    }

    pub(super) fn warn(mut self, warning: impl Into<String>) -> Self {
        self.notes.warning = Some(warning.into());
        self
    }
}

/// The guess for a column whose language says what it is, unless its values name rows. What the language says may have been
/// read off the rows: a factor has the levels that its maker found. `None` for a factor all of whose levels mean missing.
pub(super) fn known(kind: ColumnType) -> Option<Guess> {
    let is_value = |level: &&String| !DEFAULT_MISSING.contains(&level.as_str());
    let values = |levels: &[String]| levels.iter().filter(is_value).cloned().collect::<Vec<String>>();
    let (kind, count) = match kind {
        ColumnType::Nominal { levels } => {
            let levels = values(&levels);
            let count = levels.len();
            (ColumnType::Nominal { levels: levels.into() }, count)
        }
        ColumnType::Ordered { levels } => {
            let levels = values(&levels);
            let count = levels.len();
            (ColumnType::Ordered { levels: levels.into() }, count)
        }
        kind => return Some(Guess::new(kind, "the type: that of the column")),
    };
    let noun = if count == 1 { "level" } else { "levels" };
    let guess = Guess::new(kind, format!("the type and the {count} {noun}: the table says so"))
        .check("add levels that are possible and did not occur, and check their order");
    (count > 0).then_some(guess)
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

/// Whether all numbers are whole, and most too long for measurements and not rounded to a few digits: names of accounts.
fn are_long_numbers(values: &PlainValues) -> bool {
    let whole: Vec<f64> = match values {
        PlainValues::Integers(values) => {
            values.iter().filter(|&&value| value != MISSING_INTEGER).map(|&value| value as f64).collect()
        }
        PlainValues::Floats(values) => values.iter().copied().filter(|value| !value.is_nan()).collect(),
        PlainValues::Text { .. } => return false,
    };
    let is_long = |value: &&f64| {
        value.abs() >= MOST_COUNTED
            && format!("{value:e}").bytes().take_while(|&byte| byte != b'e').count() >= LONG
    };
    let shown = || whole.iter().take(SHOWN);
    whole.iter().all(|value| value.fract() == 0.0) && 2 * shown().filter(is_long).count() > shown().count()
}

/// Whether the guess depends on the spelling of the numbers in the file.
pub(super) fn needs_spelling(values: &PlainValues) -> bool {
    whole_values(values).is_some_and(|(different, _)| (2..=FEW).contains(&different.len()))
        || few_reals(values).is_some()
}

/// The number of different real numbers of a column and of its present values, if the former are few: doses, rates.
fn few_reals(values: &PlainValues) -> Option<(usize, usize)> {
    let PlainValues::Floats(values) = values else { return None };
    let mut different: Vec<f64> = Vec::new();
    let mut present = 0;
    for &value in values.iter().filter(|value| !value.is_nan()) {
        present += 1;
        if !different.contains(&value) {
            different.push(value);
        }
        if different.len() > FEW {
            return None;
        }
    }
    (different.len() >= 2 && present >= ROWS_PER_CODE * different.len()).then_some((different.len(), present))
}

/// The spellings of numbers in their order, the shortest for each.
fn numbers_in_order(spelled: Option<&PlainValues>) -> Vec<String> {
    let Some(PlainValues::Text { levels, .. }) = spelled else { return Vec::new() };
    let mut levels = levels.clone();
    levels.sort_by(|a, b| value(a).total_cmp(&value(b)).then(a.len().cmp(&b.len())));
    levels.dedup_by(|a, b| value(a) == value(b));
    levels
}

/// The likely type of a column; `spelled` has the same column as text, if that was requested.
pub(super) fn guess(
    column: &PlainColumn,
    spelled: Option<&PlainValues>,
    source: &Source,
) -> Result<Guess, Mixed> {
    if let PlainValues::Text { levels, codes } = &column.values {
        return text(levels, codes, source);
    }
    if are_long_numbers(&column.values) {
        return Ok(Guess::new(ColumnType::Identifier, "the type: whole numbers of more than 15 digits")
            .check(
                "identifiers are read past; `float` if these are measurements, which are kept to 15 digits",
            )
            .warn(
                "numbers of more than 15 digits seem to name something, and are left out as an identifier",
            ));
    }
    let Some((different, present)) = whole_values(&column.values) else {
        let levels = numbers_in_order(spelled);
        return Ok(match few_reals(&column.values) {
            Some((count, _)) if levels.len() == count => {
                let noun = if count == 2 { "only two" } else { "few" };
                let learned = format!("the type and the {count} levels: {noun} different numbers");
                Guess::new(ColumnType::Ordered { levels: levels.into() }, learned)
                    .check("`float` (without levels) if other values are possible")
            }
            _ => Guess::new(ColumnType::Float, "the type: all values are numbers"),
        });
    };
    if present == 0 {
        let guess = Guess::new(ColumnType::Float, "that all values are missing");
        return Ok(guess.warn(if source.is_sheet() {
            "all values are missing, so that its type is a guess: if they are formulas, open the file in Excel and save it there, \
             so that it has their values"
        } else {
            "all values are missing, so that its type is a guess"
        }));
    }
    Ok(whole(&different, present, &numbers_in_order(spelled)))
}

/// The guess for a column of whole numbers.
fn whole(different: &[i64], present: usize, levels: &[String]) -> Guess {
    let count = different.len();
    let levels = levels.to_vec();
    if let ([0, 1], [when_false, when_true]) = (different, levels.as_slice()) {
        let kind = ColumnType::Boolean { when_false: when_false.clone(), when_true: when_true.clone() };
        return Guess::new(kind, "the type: the only values are 0 and 1");
    }
    if count == 2 && present >= ROWS_PER_CODE * count && levels.len() >= count {
        let kind = ColumnType::Nominal { levels: levels.into() };
        return Guess::new(kind, "the type and the 2 levels: only two different whole numbers")
            .check("`integer` (without levels) if these are counts");
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
        // Minus zero is zero.
        Number::Real(value) => value + 0.0,
        _ => f64::NAN,
    }
}

/// The guess for a column of text.
fn text(levels: &[String], codes: &[u32], source: &Source) -> Result<Guess, Mixed> {
    if let Some((when_false, when_true)) = looks::truth(levels) {
        let kind = ColumnType::Boolean { when_false, when_true };
        return Ok(Guess::new(kind, "the type and the two spellings"));
    }
    let rows = rows_of(levels.len(), codes);
    let present: usize = rows.iter().sum();
    if let Some(guess) = of_moments(levels, codes, &rows, source.has_typed_moments())? {
        return Ok(guess);
    }
    let numeric: Vec<bool> = levels.iter().map(|level| looks::is_number(level)).collect();
    // All numbers, and text all the same: a file format with types says so.
    if !numeric.iter().all(|&numeric| numeric) {
        nearly_all(&numeric, codes, &rows, present, "a number")?;
    }
    let count = levels.len();
    // Digits with zeros in front are codes, and stay text. Long ones are names of places and the like, and have no order.
    let is_short = |level: &String| level.trim().len() < LONG_CODE;
    if levels.iter().all(is_short)
        && numeric.iter().all(|&numeric| numeric)
        && (3..=FEW).contains(&count)
        && present >= ROWS_PER_CODE * count
        && !source.is_columnar()
    {
        let mut levels = levels.to_vec();
        levels.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let kind = ColumnType::Ordered { levels: levels.into() };
        return Ok(Guess::new(
            kind,
            format!("the type and the {count} levels: digits with zeros in front, as codes have"),
        )
        .check("`nominal` if the codes have no order, `integer` (without levels) if these are counts"));
    }
    if let Some(levels) = levels::periods(levels) {
        let kind = ColumnType::Ordered { levels: levels.into() };
        return Ok(Guess::new(kind, format!("the type and the {count} levels: parts of years"))
            .check("add those that are possible and did not occur; `date` needs a day"));
    }
    let nearly_different = 100 * count >= NEARLY_DIFFERENT * present && present >= NAMES_ROWS;
    if nearly_different && !levels.iter().all(|level| looks::is_duration(level.trim()))
        || (count > MANY && 2 * count > present)
    {
        return Ok(Guess::new(ColumnType::Identifier, "the type: (nearly) all values differ")
            .check("identifiers are read past; `nominal` with levels, or `date` with a format, are the alternatives")
            .warn(format!(
                "(nearly) all values differ: it seems to name rows or persons, and is left out as an identifier; {}",
                levels::resemblance(levels)
            )));
    }
    let numbers: usize =
        numeric.iter().zip(&rows).filter(|(numeric, _)| **numeric).map(|(_, rows)| rows).sum();
    let is_mixed = 2 * numbers >= present
        && !numeric.iter().all(|&numeric| numeric)
        && numeric.iter().filter(|&&numeric| numeric).count() > FEW;
    let doubt = levels::doubt(levels, present);
    let levels: Vec<String> = levels.to_vec();
    let noun = if count == 1 { "level" } else { "levels" };
    let mut guess =
        Guess::new(ColumnType::Nominal { levels: levels.into() }, format!("the type and the {count} {noun}"))
            .check("add levels that are possible and did not occur; `ordered` if they have an order");
    guess.notes.warning = doubt;
    Ok(if is_mixed {
        guess.warn(
            "most values are numbers, and text stands among them, so that all were taken for categories: write a number \
             in place of the text (as for `<0.5` or `90+`), or declare `float` or `integer` and the text as `missing`",
        )
    } else {
        guess
    })
}

/// The guess for a column of dates, moments or times of day.
fn of_moments(levels: &[String], codes: &[u32], rows: &[usize], typed: bool) -> Result<Option<Guess>, Mixed> {
    let spelled: Vec<&str> = levels.iter().map(String::as_str).collect();
    let Some(found) = moments::found(&spelled).or_else(|| moments::days_beside_midnights(&spelled)) else {
        return mixed_moments(levels, codes, rows).map(|()| None);
    };
    let format = found.format;
    let guess = match found.kind {
        MomentKind::Day => Guess::new(ColumnType::Date { format }, "the type: all values are dates"),
        MomentKind::TimeOfDay => {
            let full = if typed { None } else { moments::full_minutes(&format, &spelled) };
            let kind = ColumnType::DateTime { format: full.unwrap_or(format) };
            Guess::new(kind, "the type and the format: all values are times of day")
        }
        MomentKind::Moment => match moments::midnights(&format, &spelled) {
            Some(_) if typed => {
                let kind = ColumnType::Date { format: ISO_DATE.to_owned() };
                Guess::new(kind, "the type: all values are dates at midnight")
            }
            Some(format) => {
                let kind = ColumnType::Date { format };
                Guess::new(kind, "the type and the format: all values are dates at midnight")
            }
            // A code for *no end* among moments would stretch their range over all times.
            None if moments::has_no_end(&format, &spelled) => return Ok(None),
            None => {
                let full = if typed { None } else { moments::full_minutes(&format, &spelled) };
                let kind = ColumnType::DateTime { format: full.unwrap_or(format) };
                Guess::new(kind, "the type and the format: all values are dates with a time")
            }
        },
    };
    Ok(Some(match found.ambiguous {
        None => guess,
        Some(other) => guess
            .check(format!("format = \"{other}\" if days come before months (or the other way round): all values fit both"))
            .warn("days and months cannot be told apart by the values: check the format"),
    }))
}

/// Refuses a column in which nearly all values are dates of one format.
fn mixed_moments(levels: &[String], codes: &[u32], rows: &[usize]) -> Result<(), Mixed> {
    let is_date = |level: &String| moments::is_moment(level);
    if levels.iter().take(TRIED).filter(|level| is_date(level)).count() * 2 < levels.len().min(TRIED) {
        return Ok(());
    }
    let formats: Vec<Option<String>> =
        levels.iter().map(|level| moments::found(&[level.as_str()]).map(|found| found.format)).collect();
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for (format, rows) in formats.iter().zip(rows) {
        if let Some(format) = format {
            *counts.entry(format).or_default() += rows;
        }
    }
    let Some((common, _)) = counts.into_iter().max_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0))) else {
        return Ok(());
    };
    let fits: Vec<bool> = formats.iter().map(|format| format.as_ref() == Some(common)).collect();
    let expected = if common.contains(":%M") { "a date with a time in the common format" } else { "a date" };
    nearly_all(&fits, codes, rows, rows.iter().sum(), expected)
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
