//! Tables that are compared without a schema: one type for every column name, whichever file it comes from.

mod moments;
mod spellings;

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, Table, Values};

use crate::cells::reals;
use crate::error::{Problem, ReadError};
use crate::plain::{PlainColumn, PlainValues, Wanted};
use crate::source::Source;
use moments::ColumnTimes;

/// Reads a real table and the synthetic ones it is compared with. A column that is numeric in every table that
/// has it becomes float; one whose spellings are all dates or times, in ISO form or one other format in each table, becomes a date or date-time;
/// any other becomes nominal, with the spellings in all tables as its levels, in bytewise order. Words for missing values
/// and for false and true are the same in all spellings. Tables whose columns differ are
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
    spellings::unify(&mut tables, &text, real.delimiter().is_none());
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
    let times: HashMap<&String, Vec<ColumnTimes>> = levels
        .iter()
        .filter(|(_, spelled)| !spelled.is_empty())
        .filter_map(|(name, all)| Some((name, times_of(&tables, name, all)?)))
        .collect();
    let mut done = Vec::with_capacity(tables.len());
    for (place, (source, table)) in sources.iter().zip(tables).enumerate() {
        let of_column = |name: &String| times.get(name).map(|tables| &tables[place]);
        let columns = table
            .into_iter()
            .map(|column| {
                let read = of_column(&column.name).and_then(|times| times.read(&column));
                read.unwrap_or_else(|| as_declared(column, &levels))
            })
            .collect();
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

/// The times that the spellings of a column are: `all` in one form, or each table's in its own.
fn times_of(tables: &[Vec<PlainColumn>], name: &str, all: &[String]) -> Option<Vec<ColumnTimes>> {
    if let Some(times) = ColumnTimes::of(all) {
        return Some(vec![times; tables.len()]);
    }
    let own: Vec<Option<&[String]>> = tables
        .iter()
        .map(|table| {
            let column = table.iter().find(|column| column.name == name)?;
            match &column.values {
                PlainValues::Text { levels, .. } if !levels.is_empty() => Some(levels.as_slice()),
                _ => None,
            }
        })
        .collect();
    ColumnTimes::of_each(&own)
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
