//! Drafts of a schema from a table, for its steward to review.

mod between;
mod counts;
mod dependence;
mod facets;
mod laws;
mod levels;
mod looks;
mod moments;
mod points;
mod present;
mod repeats;
mod rules;
mod shape;
mod toml;
mod understand;
mod words;

pub(crate) use looks::truths_of;
pub(crate) use moments::{MomentKind, found as moments_found};
pub use toml::has_marks;
pub(crate) use toml::with_mark;
pub(crate) use understand::{missing_words, numbers_of, without};
pub(crate) use words::notation_of;

use std::collections::HashMap;

use indistinct::progress;
use indistinct::table::moment::MomentFormat;
use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, MISSING_CODE, MISSING_INTEGER, Schema};

use crate::error::{Problem, ReadError};
use crate::plain::{PlainValues, Wanted};
use crate::source::Source;
use rules::Guess;
use shape::{Numbers, shape};
use understand::{Understood, understand};

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
    /// Whether it seems to say whose rows they are.
    pub persons: bool,
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
    let columns = read(source)?;
    let mut spellings = spellings(source, &columns)?;
    let seen = missing_seen(source, &columns)?;
    let mut guesses = Vec::with_capacity(columns.len());
    for (position, understood) in columns.iter().enumerate() {
        progress::check();
        let name = &understood.column.name;
        if source.is_unnamed(name) {
            // Several without a name are separators at the ends of rows only if nothing is between them.
            if source.unnamed() > 1 && position > 0 && understood.column.values.has_values() {
                return Err(source.error(Problem::EmptyName(source.place_in_file(position))));
            }
            let guess = Guess::new(ColumnType::Identifier, "the type: the header has no name for it")
                .check("row numbers, or what is behind a separator at the ends of rows; name it in the header if it is more");
            guesses.push(guess);
            continue;
        }
        let spelled = understood.spelled.as_ref().or(spellings.get(name));
        let guess = rules::guess(&understood.column, spelled, source);
        let names_rows = guess.as_ref().is_ok_and(|guess| guess.kind == ColumnType::Identifier);
        let known = source.known_kind(position).filter(|_| !names_rows).and_then(rules::known);
        guesses.push(known.map_or(guess, Ok).map_err(|mixed| {
            let column = source.place(position);
            source.error(Problem::Mixed { row: mixed.row + 1, column, expected: mixed.expected })
        })?);
    }
    if let ([only], [guess]) = (columns.as_slice(), guesses.as_mut_slice())
        && let PlainValues::Text { levels, .. } = &only.column.values
        && let Some(marks) = looks::hidden_separator(&only.column.name, levels)
    {
        guess.notes.warning = Some(format!(
            "several columns seem to be in it, separated by {marks}: save the table with commas, semicolons, tabs or bars"
        ));
    }
    let semicolons = source.delimiter() == Some(';');
    let mut declared = Vec::with_capacity(columns.len());
    let mut notes = Vec::with_capacity(columns.len());
    for ((understood, guess), seen) in columns.iter().zip(guesses).zip(seen) {
        let (column, mut learned) = shaped(understood, guess, &seen, semicolons);
        if source.has_header() {
            learned.keys.insert(0, ("name", "as the file has it"));
        }
        declared.push(column);
        notes.push(learned);
    }
    // Levels of numbers are compared as text where they were read so.
    let values = columns.into_iter().map(|understood| match spellings.remove(&understood.column.name) {
        Some(spelled) => (understood.column.values, Some(spelled)),
        None => (understood.column.values, understood.spelled),
    });
    between::columns(source, declared, notes, &values.collect::<Vec<_>>())
}

/// All columns as they are understood; digits with zeros in front stay text.
fn read(source: &Source) -> Result<Vec<Understood>, ReadError> {
    let mut columns = source.read_named(&[])?;
    let codes: Vec<Wanted> = columns
        .iter()
        .map(|column| if column.leading_zeros { Wanted::Text } else { Wanted::Nothing })
        .collect();
    if codes.contains(&Wanted::Text) {
        let codes = source.read_plain(&codes)?;
        for (column, code) in columns.iter_mut().filter(|column| column.leading_zeros).zip(codes) {
            *column = code;
        }
    }
    let commas = source.delimiter().is_none();
    let typed = source.is_columnar();
    let mut columns: Vec<Understood> =
        columns.into_iter().map(|column| understand(column, commas, typed)).collect();
    points::mark_thousands(source, &mut columns)?;
    Ok(columns)
}

/// For every column the spellings of missing values in it, the most frequent first.
fn missing_seen(source: &Source, columns: &[Understood]) -> Result<Vec<Vec<(String, usize)>>, ReadError> {
    let is_missing = |values: &PlainValues| match values {
        PlainValues::Integers(values) => values.contains(&MISSING_INTEGER),
        PlainValues::Floats(values) => values.iter().any(|value| value.is_nan()),
        PlainValues::Text { codes, .. } => codes.contains(&MISSING_CODE),
    };
    let mut seen = if columns.iter().any(|understood| is_missing(&understood.column.values)) {
        source.missing_spellings()?
    } else {
        vec![Vec::new(); columns.len()]
    };
    for (seen, understood) in seen.iter_mut().zip(columns) {
        seen.extend(understood.missing.iter().cloned());
        seen.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        if seen.is_empty() && is_missing(&understood.column.values) {
            seen.push((String::new(), 1));
        }
    }
    Ok(seen)
}

/// A guess refined by the shape of the values; `semicolons` tells whether these separate the fields of the file.
fn shaped(
    understood: &Understood,
    guess: Guess,
    seen: &[(String, usize)],
    semicolons: bool,
) -> (ColumnSchema, ColumnNotes) {
    let Guess { kind, mut notes } = guess;
    let (numbers, format) = match &kind {
        ColumnType::Float => (Some(Numbers::Real), None),
        ColumnType::Integer => (Some(Numbers::Whole), None),
        ColumnType::Date { format } => (Some(Numbers::Days), MomentFormat::new(format)),
        _ => (None, None),
    };
    let column = &understood.column;
    let there = numbers.map(|_| present::numbers(&column.values, format.as_ref())).unwrap_or_default();
    let is_small = there.iter().all(|value| value.is_nan() || (1.0..1000.0).contains(&value.abs()));
    let shape =
        numbers.map(|numbers| shape(there.into_iter().filter(|value| !value.is_nan()).collect(), numbers));
    let mut shape = shape.unwrap_or_default();
    shape.decimals = shape.decimals.map(|own| own.max(understood.decimals));
    let spellings: Vec<String> = seen.iter().map(|(spelling, _)| spelling.clone()).collect();
    // Declared for numbers, so that the model that is taken for a table of numbers does not depend on its rows; for others
    // where a release would spell missing values otherwise.
    let usual =
        spellings.first().is_none_or(|first| Some(first.as_str()) == DEFAULT_MISSING.first().copied());
    let known = spellings.iter().all(|spelling| DEFAULT_MISSING.contains(&spelling.as_str()));
    let identifier = kind == ColumnType::Identifier;
    let missing = !identifier && !spellings.is_empty() && (numbers.is_some() || !usual || !known);
    if !understood.missing.is_empty() && !identifier {
        let words: Vec<String> = understood.missing.iter().map(|(word, _)| format!("`{word}`")).collect();
        notes.check.push(match words.as_slice() {
            [word] => format!(
                "{word} was taken for a missing value; declare the column nominal if it is a value of its own"
            ),
            _ => format!(
                "{} were taken for missing values, of which a release writes the first spelling only",
                words.join(", ")
            ),
        });
    }
    if semicolons && numbers == Some(Numbers::Real) && shape.decimals == Some(3) && is_small {
        notes.check.push(
            "all values have three digits after the mark: if it marks thousands, declare `thousands`, and the other mark for decimals"
                .to_owned(),
        );
    }
    let marked = !understood.notation.is_plain() && numbers.is_some() && numbers != Some(Numbers::Days);
    let notation = &understood.notation;
    for (key, learned, note) in [
        ("missing", missing, "some values are missing, and spelled so; delete the line if none can be"),
        ("decimal_mark", marked && notation.decimal_mark != '.', "how the file writes numbers"),
        (
            "thousands",
            marked && notation.thousands.is_some(),
            "how the file writes numbers; check that they are no decimals",
        ),
        ("prefix", marked && !notation.prefix.is_empty(), "how the file writes numbers"),
        ("suffix", marked && !notation.suffix.is_empty(), "how the file writes numbers"),
        ("parentheses", marked && notation.parentheses, "how the file writes negative numbers"),
        ("decimals", shape.decimals.is_some(), "the most of any value; check how values are recorded"),
        (
            "atoms",
            !shape.atoms.is_empty(),
            "5 % of the rows or more each, or a code for all beyond; keep those that mean something, such as 0",
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
    let declared = if marked { declared.with_notation(notation.clone()) } else { declared };
    let declared = if missing { declared.with_missing(spellings) } else { declared };
    (declared, notes)
}

/// The numeric columns that may be codes, as spelled in the file.
fn spellings(source: &Source, columns: &[Understood]) -> Result<HashMap<String, PlainValues>, ReadError> {
    let needs = |understood: &Understood| {
        understood.spelled.is_none()
            && understood.notation.is_plain()
            && rules::needs_spelling(&understood.column.values)
    };
    let wanted: Vec<Wanted> = columns
        .iter()
        .map(|understood| if needs(understood) { Wanted::Text } else { Wanted::Nothing })
        .collect();
    if !wanted.contains(&Wanted::Text) {
        return Ok(HashMap::new());
    }
    Ok(source.read_plain(&wanted)?.into_iter().map(|column| (column.name, column.values)).collect())
}
