//! Spellings of one value that differ between tables: words for missing values, truths, and numbers with marks.

use std::collections::BTreeSet;

use indistinct::table::MISSING_CODE;

use crate::cells::shortest;
use crate::draft::{missing_words, notation_of, numbers_of, truths_of, without};
use crate::plain::{PlainColumn, PlainValues};

/// Makes one of all spellings of a value in the columns that are text in some table. `commas` tells whether commas separate
/// the fields of the file.
pub(super) fn unify(tables: &mut [Vec<PlainColumn>], text: &BTreeSet<String>, commas: bool) {
    for name in text {
        let mut columns: Vec<&mut PlainColumn> =
            tables.iter_mut().flatten().filter(|column| column.name == *name).collect();
        let had_words = drop_missing(&mut columns);
        if !fold_truths(&mut columns) {
            unify_numbers(&mut columns, commas, had_words);
        }
    }
}

/// The levels of a text column.
fn levels(column: &PlainColumn) -> &[String] {
    match &column.values {
        PlainValues::Text { levels, .. } => levels,
        PlainValues::Integers(_) | PlainValues::Floats(_) => &[],
    }
}

/// Makes missing values of words that mean them: `NULL` in one table is an empty cell in the other. Whether numbers or
/// dates had such words among them.
fn drop_missing(columns: &mut [&mut PlainColumn]) -> bool {
    let all: BTreeSet<&String> = columns.iter().flat_map(|column| levels(column)).collect();
    let (words, among_values) = missing_words(&all);
    let words: BTreeSet<String> = words.into_iter().cloned().collect();
    if words.is_empty() {
        return false;
    }
    for column in columns {
        if let PlainValues::Text { levels, codes } = &column.values {
            let missing: Vec<bool> = levels.iter().map(|level| words.contains(level)).collect();
            column.values = without(levels, codes, &missing);
        }
    }
    among_values
}

/// Makes one of all spellings of false and of true, if every table has such a pair and they differ: `TRUE` and `True`, `yes`
/// and 1.
fn fold_truths(columns: &mut [&mut PlainColumn]) -> bool {
    let spelled: BTreeSet<&String> = columns.iter().flat_map(|column| levels(column)).collect();
    if spelled.len() <= 2 {
        return false;
    }
    let folded: Option<Vec<PlainValues>> = columns
        .iter()
        .map(|column| {
            let PlainValues::Text { levels, codes } = &column.values else { return None };
            let places: Vec<u32> = truths_of(levels)?.into_iter().map(u32::from).collect();
            let place = |code: &u32| places.get(*code as usize).copied().unwrap_or(MISSING_CODE);
            let levels = ["false", "true"].map(str::to_owned).to_vec();
            Some(PlainValues::Text { levels, codes: codes.iter().map(place).collect() })
        })
        .collect();
    let Some(folded) = folded else { return false };
    for (column, values) in columns.iter_mut().zip(folded) {
        column.values = values;
    }
    true
}

/// Makes one of all spellings of a number: columns of numbers with marks (`1.234,5`, `12 %`) become numbers, and in columns
/// of text `3.0` is `3`.
fn unify_numbers(columns: &mut [&mut PlainColumn], commas: bool, had_words: bool) {
    let levels: Vec<String> = columns.iter().flat_map(|column| levels(column)).cloned().collect();
    // Digits that a file with types calls text stay text, unless it does so for a word among them.
    let by_type = !had_words && levels.iter().all(|level| shortest(level).is_some());
    let notation = notation_of(levels.iter().map(String::as_str), commas).filter(|_| !by_type);
    for column in columns {
        match (&notation, &column.values) {
            (Some(notation), values) => column.values = numbers_of(values, notation),
            (None, PlainValues::Text { levels, codes }) => column.values = shortened(levels, codes),
            _ => {}
        }
    }
}

/// Text with the shortest spelling of each number.
fn shortened(levels: &[String], codes: &[u32]) -> PlainValues {
    let short: Vec<String> =
        levels.iter().map(|level| shortest(level).unwrap_or_else(|| level.clone())).collect();
    let all: BTreeSet<&String> = short.iter().collect();
    let all: Vec<String> = all.into_iter().cloned().collect();
    let places: Vec<u32> =
        short.iter().map(|level| all.partition_point(|other| other < level) as u32).collect();
    let codes =
        codes.iter().map(|&code| places.get(code as usize).copied().unwrap_or(MISSING_CODE)).collect();
    PlainValues::Text { levels: all, codes }
}
