//! Tables that are compared without a schema: one type for every column name, whichever file it comes from.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use indistinct::table::{Column, ColumnSchema, ColumnType, Table, Values};

use crate::cells::reals;
use crate::error::{Problem, ReadError};
use crate::plain::{PlainColumn, PlainValues, Wanted};
use crate::source::Source;

/// The spelling of midnight after a date.
const MIDNIGHT: &str = "T00:00:00";

/// Reads a real table and the synthetic ones it is compared with. A column that is numeric in every table that
/// has it becomes float; any other becomes nominal, with the spellings in all tables as its levels, in bytewise
/// order. Moments that are all at midnight are spelled as dates: not every library has a type for those. Tables
/// whose columns differ are not an error here.
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
        tables.push(source.read_plain(&[])?);
    }
    let text: BTreeSet<String> = tables
        .iter()
        .flatten()
        .filter(|column| !column.values.is_numeric())
        .map(|column| column.name.clone())
        .collect();
    for (source, table) in sources.iter().zip(&mut tables) {
        read_again(source, table, &text)?;
        table.iter_mut().for_each(spell_midnights_as_dates);
    }
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
    let mut done = Vec::with_capacity(tables.len());
    for (source, table) in sources.iter().zip(tables) {
        let columns = table.into_iter().map(|column| as_declared(column, &levels)).collect();
        let table = Table::new(columns).map_err(|error| source.error(Problem::Io(error.to_string())))?;
        done.push(table);
    }
    let synthetics = done.split_off(1);
    let real = done.remove(0);
    Ok((real, synthetics))
}

/// Reads as text the columns that are numeric here and text elsewhere.
fn read_again(source: &Source, table: &mut [PlainColumn], text: &BTreeSet<String>) -> Result<(), ReadError> {
    let wanted: Vec<Wanted> = table
        .iter()
        .map(|column| {
            let again = column.values.is_numeric() && text.contains(&column.name);
            if again { Wanted::Text } else { Wanted::Nothing }
        })
        .collect();
    if !wanted.contains(&Wanted::Text) {
        return Ok(());
    }
    // Those that were wanted come in the order of the table.
    let old = table.iter_mut().zip(&wanted).filter(|(_, wanted)| **wanted == Wanted::Text);
    for ((old, _), column) in old.zip(source.read_plain(&wanted)?) {
        *old = column;
    }
    Ok(())
}

/// Omits the time where it is midnight in all values of a column.
fn spell_midnights_as_dates(column: &mut PlainColumn) {
    const MOMENT: usize = "2024-02-29T00:00:00".len();
    let PlainValues::Text { levels, .. } = &mut column.values else { return };
    // Of one length, levels stay different and in their order.
    let midnight = |level: &String| level.len() == MOMENT && level.ends_with(MIDNIGHT);
    if levels.iter().all(midnight) {
        for level in levels {
            level.truncate(MOMENT - MIDNIGHT.len());
        }
    }
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
            let missing = indistinct::table::MISSING_CODE;
            let codes = codes.iter().map(|&code| renamed.get(code as usize).copied().unwrap_or(missing));
            let kind = ColumnType::Nominal { levels: all };
            Column::new(ColumnSchema::new(&column.name, kind), Values::Code(codes.collect()))
        }
    }
}
