//! Tables that are compared without a schema: one type for every column name, whichever file it comes from.

mod moments;

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, Table, Values};

use crate::cells::{reals, shortest};
use crate::draft::{notation_of, numbers_of};
use crate::error::{Problem, ReadError};
use crate::plain::{PlainColumn, PlainValues, Wanted};
use crate::source::Source;
use moments::ColumnTimes;

/// Reads a real table and the synthetic ones it is compared with. A column that is numeric in every table that
/// has it becomes float; one whose spellings are all dates or times, in ISO form or one other format, becomes a date or date-time; any other
/// becomes nominal, with the spellings in all tables as its levels, in bytewise order. Tables whose columns differ are
/// not an error here.
///
/// # Errors
/// When one of the files cannot be read, or names of the real table look like values.
pub fn read_comparable<S: Borrow<Source>>(
    real: &Source,
    synthetics: &[S],
) -> Result<(Table, Vec<Table>), ReadError> {
    real.refuse_values_as_names()?;
    let sources: Vec<&Source> = std::iter::once(real).chain(synthetics.iter().map(Borrow::borrow)).collect();
    let mut tables = Vec::with_capacity(sources.len());
    for source in &sources {
        let mut columns = source.read_plain(&[])?;
        columns.retain(|column| !source.is_unnamed(&column.name));
        tables.push(columns);
    }
    let text: BTreeSet<String> = tables
        .iter()
        .flatten()
        .filter(|column| !column.values.is_numeric())
        .map(|column| column.name.clone())
        .collect();
    for (source, table) in sources.iter().zip(&mut tables) {
        read_again(source, table, &text)?;
    }
    unify_numbers(&mut tables, &text, real.delimiter().is_none());
    let mut levels: HashMap<String, Arc<[String]>> = HashMap::new();
    let mut spelled: HashMap<&str, BTreeSet<&String>> = HashMap::new();
    for column in tables.iter().flatten().filter(|column| text.contains(&column.name)) {
        if let PlainValues::Text { levels, .. } = &column.values {
            spelled.entry(&column.name).or_default().extend(levels);
        }
    }
    for (name, all) in spelled {
        levels.insert(name.to_owned(), all.into_iter().cloned().collect());
    }
    let times: HashMap<&String, ColumnTimes> = levels
        .iter()
        .filter(|(_, spelled)| !spelled.is_empty())
        .filter_map(|(name, spelled)| Some((name, ColumnTimes::of(spelled)?)))
        .collect();
    let mut done = Vec::with_capacity(tables.len());
    for (source, table) in sources.iter().zip(tables) {
        let columns = table.into_iter().map(|column| as_read(column, &levels, &times)).collect();
        let table = Table::new(columns).map_err(|error| source.error(Problem::Io(error.to_string())))?;
        done.push(table);
    }
    let synthetics = done.split_off(1);
    let real = done.remove(0);
    Ok((real, synthetics))
}

/// Reads as text the columns that are numeric here and text elsewhere.
fn read_again(source: &Source, table: &mut [PlainColumn], text: &BTreeSet<String>) -> Result<(), ReadError> {
    let is_text_elsewhere = |column: &PlainColumn| column.values.is_numeric() && text.contains(&column.name);
    let again: BTreeSet<String> =
        table.iter().filter(|column| is_text_elsewhere(column)).map(|column| column.name.clone()).collect();
    let wanted: Vec<Wanted> = source
        .names()
        .iter()
        .map(|name| if again.contains(name) { Wanted::Text } else { Wanted::Nothing })
        .collect();
    if !wanted.contains(&Wanted::Text) {
        return Ok(());
    }
    // Those that were wanted come in the order of the table.
    let old = table.iter_mut().filter(|column| again.contains(&column.name));
    for (old, column) in old.zip(source.read_plain(&wanted)?) {
        *old = column;
    }
    Ok(())
}

/// Makes one of all spellings of a number: columns of numbers with marks (`1.234,5`, `12 %`) become numbers, and in columns
/// of text `3.0` is `3`.
fn unify_numbers(tables: &mut [Vec<PlainColumn>], text: &BTreeSet<String>, commas: bool) {
    for name in text {
        let columns = || tables.iter().flatten().filter(|column| column.name == *name);
        let levels: Vec<String> = columns()
            .flat_map(|column| match &column.values {
                PlainValues::Text { levels, .. } => levels.clone(),
                PlainValues::Integers(_) | PlainValues::Floats(_) => Vec::new(),
            })
            .collect();
        let by_type = levels.iter().all(|level| shortest(level).is_some());
        let notation = notation_of(levels.iter().map(String::as_str), commas).filter(|_| !by_type);
        for column in tables.iter_mut().flatten().filter(|column| column.name == *name) {
            match (&notation, &column.values) {
                (Some(notation), values) => column.values = numbers_of(values, notation),
                (None, PlainValues::Text { levels, codes }) => column.values = shortened(levels, codes),
                _ => {}
            }
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

/// A column as times if it is one of them; otherwise as numbers or levels.
fn as_read(
    column: PlainColumn,
    levels: &HashMap<String, Arc<[String]>>,
    times: &HashMap<&String, ColumnTimes>,
) -> Column {
    let read = times.get(&column.name).and_then(|times| times.read(&column));
    read.unwrap_or_else(|| as_declared(column, levels))
}

/// A column in the type on which all tables agree.
fn as_declared(column: PlainColumn, levels: &HashMap<String, Arc<[String]>>) -> Column {
    match column.values {
        PlainValues::Floats(values) => Column::float(&column.name, values),
        PlainValues::Integers(values) => Column::float(&column.name, reals(values)),
        PlainValues::Text { levels: own, codes } => {
            let all = levels.get(&column.name).cloned().unwrap_or_default();
            // Both lists are sorted, and every own level is among all.
            let renamed: Vec<u32> =
                own.iter().map(|level| all.partition_point(|other| other < level) as u32).collect();
            let codes = codes.iter().map(|&code| renamed.get(code as usize).copied().unwrap_or(MISSING_CODE));
            let kind = ColumnType::Nominal { levels: all };
            Column::new(ColumnSchema::new(&column.name, kind), Values::Code(codes.collect()))
        }
    }
}
