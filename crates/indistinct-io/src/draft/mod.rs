//! Drafts of a schema from a table, for its steward to review.

mod looks;
mod rules;
mod shape;
mod toml;

pub use toml::has_marks;

use std::collections::HashMap;

use indistinct::progress;
use indistinct::table::moment::{ISO_DATE, declared_day};
use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, MISSING_INTEGER, Schema};

use crate::cells::number::trim_spaces;
use crate::error::{Problem, ReadError};
use crate::plain::{PlainColumn, PlainValues, Wanted};
use crate::source::Source;
use rules::Guess;
use shape::{Numbers, shape};

/// A schema that was learned from private rows, with notes on what was learned where.
///
/// Reading a draft is outside every privacy guarantee: its steward checks it and replaces what was learned by
/// what is publicly known before others see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The name of the file it was learned from.
    pub file: String,
    /// The schema.
    pub schema: Schema,
    /// Notes on each column, in the order of the schema.
    pub notes: Vec<ColumnNotes>,
}

/// Notes on what was learned about a column, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnNotes {
    /// Facts learned from the private rows.
    pub learned: Vec<String>,
    /// Things to check, and alternatives.
    pub check: Vec<String>,
    /// A likely mistake.
    pub warning: Option<String>,
    /// For keys of the column that were learned too: how, and what to check.
    pub keys: Vec<(&'static str, &'static str)>,
}

impl Draft {
    /// The warnings, each with its column's name.
    pub fn warnings(&self) -> Vec<String> {
        let columns = self.schema.columns().iter().zip(&self.notes);
        columns
            .filter_map(|(column, notes)| {
                notes.warning.as_ref().map(|warning| format!("column `{}`: {warning}", column.name()))
            })
            .collect()
    }

    /// The draft as a schema file, with comments that mark all that was learned from the private data.
    pub fn to_toml(&self) -> String {
        toml::to_toml(self)
    }
}

/// Drafts a schema for a table.
///
/// # Errors
/// When the file cannot be read, its names look like values, or a column is nearly all numbers or dates and has
/// something else in it.
pub fn draft_schema(source: &Source) -> Result<Draft, ReadError> {
    let columns = source.read_named(&[])?;
    let spellings = spellings(source, &columns)?;
    let spelled: HashMap<&str, &PlainValues> =
        spellings.iter().map(|spelled| (spelled.name.as_str(), &spelled.values)).collect();
    let mut declared = Vec::with_capacity(columns.len());
    let mut notes = Vec::with_capacity(columns.len());
    for (position, column) in columns.iter().enumerate() {
        progress::check();
        let guess = rules::guess(column, spelled.get(column.name.as_str()).copied());
        let guess = guess.map_err(|mixed| {
            let column = source.place(position);
            source.error(Problem::Mixed { row: mixed.row + 1, column, expected: mixed.expected })
        })?;
        let (column, mut learned) = shaped(column, guess);
        if source.has_header() {
            learned.keys.insert(0, ("name", "as the file has it"));
        }
        declared.push(column);
        notes.push(learned);
    }
    let missing = DEFAULT_MISSING.map(str::to_owned).to_vec();
    // Names differ, levels are those of a dictionary without the missing codes, atoms have no more decimals than the
    // most of any value: there is nothing to contradict.
    let schema =
        Schema::new(missing, declared).map_err(|error| source.error(Problem::Io(error.to_string())))?;
    Ok(Draft { file: source.file().to_owned(), schema, notes })
}

/// A guess refined by the shape of the values.
fn shaped(column: &PlainColumn, guess: Guess) -> (ColumnSchema, ColumnNotes) {
    let Guess { kind, mut notes } = guess;
    let numbers = match kind {
        ColumnType::Float => Some(Numbers::Real),
        ColumnType::Integer => Some(Numbers::Whole),
        ColumnType::Date { .. } => Some(Numbers::Days),
        _ => None,
    };
    let there = numbers.map(|_| present(&column.values)).unwrap_or_default();
    // Declared, so that the model that is taken for a table of numbers does not depend on its rows.
    let missing = numbers.is_some() && there.len() < column.values.len();
    let shape = numbers.map(|numbers| shape(there, numbers)).unwrap_or_default();
    for (key, learned, note) in [
        ("missing", missing, "some values are missing; delete the line if none can be"),
        ("decimals", shape.decimals.is_some(), "the most of any value; check how values are recorded"),
        (
            "atoms",
            !shape.atoms.is_empty(),
            "5 % of the rows or more each; keep those that mean something, such as 0",
        ),
        ("family", shape.family.is_some(), "by the look of the values; normal, skewed, count or histogram"),
    ] {
        if learned {
            notes.keys.push((key, note));
        }
    }
    let declared = ColumnSchema::new(&column.name, kind)
        .with_decimals(shape.decimals)
        .with_atoms(shape.atoms)
        .with_family(shape.family);
    let declared = if missing { declared.with_missing(vec![String::new()]) } else { declared };
    (declared, notes)
}

/// The values that are not missing: numbers, or the days that ISO dates spell.
fn present(values: &PlainValues) -> Vec<f64> {
    match values {
        PlainValues::Integers(values) => {
            values.iter().filter(|&&value| value != MISSING_INTEGER).map(|&value| value as f64).collect()
        }
        PlainValues::Floats(values) => values.iter().copied().filter(|value| !value.is_nan()).collect(),
        PlainValues::Text { levels, codes } => {
            let days: Vec<Option<i32>> =
                levels.iter().map(|level| declared_day(ISO_DATE, trim_spaces(level))).collect();
            codes.iter().filter_map(|&code| days.get(code as usize).copied()?).map(f64::from).collect()
        }
    }
}

/// The numeric columns that may be codes, as spelled in the file.
fn spellings(source: &Source, columns: &[PlainColumn]) -> Result<Vec<PlainColumn>, ReadError> {
    let wanted: Vec<Wanted> = columns
        .iter()
        .map(|column| if rules::needs_spelling(&column.values) { Wanted::Text } else { Wanted::Nothing })
        .collect();
    if wanted.contains(&Wanted::Text) { source.read_plain(&wanted) } else { Ok(Vec::new()) }
}
