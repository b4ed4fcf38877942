//! From the text of a schema file to a schema.

use std::ops::Range;
use std::path::Path;

use indistinct::table::{ColumnSchema, DEFAULT_MISSING, Schema, SchemaError};
use toml::de::DeTable;

use super::error::SchemaFileError;
use super::reader::{Reader, Result, Table};

const ROOT_KEYS: [&str; 5] = ["version", "missing", "delimiter", "column", "constraint"];
const CONSTRAINT_KEYS: [&str; 2] = ["rule", "because"];

/// Reads a schema file.
///
/// # Errors
/// When the file cannot be read or is not a schema; the message has the line.
pub fn read_schema(path: &Path) -> Result<Schema> {
    read_schema_text(path).map(|(_, schema)| schema)
}

/// Reads a schema file, and returns its text too, whose comments may matter.
///
/// # Errors
/// Those of [`read_schema`].
pub fn read_schema_text(path: &Path) -> Result<(String, Schema)> {
    let named = |error| SchemaFileError { file: Some(path.display().to_string()), ..error };
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::InvalidData => "the file is not UTF-8 text".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        named(SchemaFileError::new(None, what, "check the path; `indistinct schema` drafts a schema file"))
    })?;
    let schema = parse_schema(&text).map_err(named)?;
    Ok((text, schema))
}

/// Reads the text of a schema file.
///
/// # Errors
/// When it is not TOML, has unknown or misplaced keys, or contradicts itself.
pub fn parse_schema(text: &str) -> Result<Schema> {
    let reader = Reader::new(text);
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| reader.line(&span));
        let what = format!("not valid TOML: {}", error.message().replace('\n', " "));
        SchemaFileError::new(line, what, "strings stand in double quotes, lists in square brackets")
    })?;
    let root = root.get_ref();
    reader.check_keys(root, &ROOT_KEYS, "a schema")?;
    reader.check_version(root)?;
    let missing = match root.get("missing") {
        Some(value) => reader.strings(value, "missing")?,
        None => DEFAULT_MISSING.map(str::to_owned).to_vec(),
    };
    let (mut columns, mut lines) = (Vec::new(), Vec::new());
    for (table, span) in reader.tables(root, "column")? {
        columns.push(reader.column(table, &span)?);
        lines.push(Lines::of(&reader, table, &span));
    }
    let names: Vec<String> = columns.iter().map(|column: &ColumnSchema| column.name().to_owned()).collect();
    let schema = Schema::new(missing, columns).map_err(|error| located(&error, &names, &lines))?;
    let schema = match root.get("delimiter") {
        None => schema,
        Some(value) => {
            let mark = reader.mark(value, "delimiter")?;
            schema
                .with_delimiter(Some(mark))
                .map_err(|error| reader.error(&value.span(), error.to_string(), advice_for(&error)))?
        }
    };
    let (mut rules, mut spans) = (Vec::new(), Vec::new());
    for (table, span) in reader.tables(root, "constraint")? {
        reader.check_keys(table, &CONSTRAINT_KEYS, "a constraint")?;
        let advice = "add rule = \"...\", as in rule = \"start <= end\"";
        let rule = table.get("rule");
        let rule = rule.ok_or_else(|| reader.error(&span, "a constraint without `rule`", advice))?;
        let because = table.get("because").map(|value| reader.string(value, "because")).transpose()?;
        rules.push((reader.string(rule, "rule")?, because));
        spans.push(rule.span());
    }
    let given = rules.iter().map(|(rule, because)| (rule.as_str(), because.as_deref()));
    schema.with_constraints(given).map_err(|error| {
        // The last one that it concerns.
        let number = match &error {
            SchemaError::Constraint { number, .. } => Some(*number),
            SchemaError::Contradiction { numbers, .. } => numbers.last().copied(),
            _ => Some(spans.len()),
        };
        let span = number.and_then(|number| spans.get(number.checked_sub(1)?));
        let line = span.map(|span| reader.line(span));
        SchemaFileError::new(line, error.to_string(), advice_for(&error))
    })
}

/// The lines of a column and its keys.
struct Lines {
    name: usize,
    keys: Vec<(String, usize)>,
}

impl Lines {
    fn of(reader: &Reader, table: &Table<'_>, span: &Range<usize>) -> Self {
        let line = |key: &str| table.get(key).map(|value| reader.line(&value.span()));
        let keys = table.iter().filter_map(|(key, _)| {
            let key = key.get_ref().to_string();
            line(&key).map(|line| (key, line))
        });
        Self { name: line("name").unwrap_or_else(|| reader.line(span)), keys: keys.collect() }
    }

    fn of_key(&self, key: &str) -> usize {
        self.keys.iter().find(|(own, _)| own == key).map_or(self.name, |(_, line)| *line)
    }
}

/// A mistake in the columns, with the line of the last column that it concerns, or of its key.
fn located(error: &SchemaError, names: &[String], lines: &[Lines]) -> SchemaFileError {
    let last = |name: &String| names.iter().rposition(|own| own == name).and_then(|place| lines.get(place));
    let line = match error {
        SchemaError::Empty
        | SchemaError::Delimiter
        | SchemaError::NothingMeasured
        | SchemaError::TooManyDerived
        | SchemaError::TooManyConstraints
        | SchemaError::Constraint { .. }
        | SchemaError::Contradiction { .. } => None,
        SchemaError::EmptyName(position) => {
            position.checked_sub(1).and_then(|place| lines.get(place)).map(|lines| lines.name)
        }
        SchemaError::DuplicateName(column)
        | SchemaError::NoLevels(column)
        | SchemaError::SameTruth(column)
        | SchemaError::DuplicateLevel { column, .. }
        | SchemaError::ValueIsMissing { column, .. } => last(column).map(|lines| lines.name),
        SchemaError::TooMany { column, key } => last(column).map(|lines| lines.of_key(key)),
        SchemaError::Misplaced { column, key, .. }
        | SchemaError::Unfit { column, key, .. }
        | SchemaError::Notation { column, key, .. }
        | SchemaError::NotMeasured { column, key } => last(column).map(|lines| lines.of_key(key)),
        SchemaError::Focus { column } => last(column).map(|lines| lines.of_key("focus")),
        SchemaError::Derivation { column, .. } => last(column).map(|lines| lines.of_key("derive")),
        SchemaError::DerivedCircle { columns } => {
            columns.first().and_then(last).map(|lines| lines.of_key("derive"))
        }
        SchemaError::Decimals { column } => last(column).map(|lines| lines.of_key("decimals")),
        SchemaError::Limits { column } => last(column).map(|lines| lines.of_key("minimum")),
        SchemaError::Predictor { column, .. } => last(column).map(|lines| lines.of_key("predictors")),
        SchemaError::Circle { columns } => {
            columns.first().and_then(last).map(|lines| lines.of_key("predictors"))
        }
    };
    SchemaFileError::new(line, error.to_string(), advice_for(error))
}

/// Advice about a schema that contradicts itself.
fn advice_for(error: &SchemaError) -> String {
    match error {
        SchemaError::Empty => "begin every column with a line `[[column]]`",
        SchemaError::EmptyName(_) => "give the column the name it has in the file",
        SchemaError::DuplicateName(_) | SchemaError::DuplicateLevel { .. } => "remove one of the two",
        SchemaError::NoLevels(_) => "list the levels, or declare the column identifier",
        SchemaError::SameTruth(_) => "give `false` and `true` different spellings",
        SchemaError::ValueIsMissing { .. } => "remove it from the values or from `missing`",
        SchemaError::Misplaced { .. } => "remove the key, or correct the type",
        SchemaError::Decimals { .. } | SchemaError::TooMany { .. } => "declare fewer, or leave them out",
        SchemaError::TooManyConstraints => "join rules by `and`, or leave some out",
        SchemaError::Unfit { .. } => "declare a value that the column can hold, or correct the type",
        SchemaError::Notation { .. } => "correct it, or leave it out where numbers are written as 1234.5",
        SchemaError::Delimiter => "correct it, or leave it out: it is then taken from the header of the file",
        SchemaError::Limits { .. } => "exchange them, or leave one out",
        SchemaError::Predictor { advice, .. } => advice,
        SchemaError::Circle { .. } => "remove one of them, so that columns can be made one after the other",
        SchemaError::Constraint { error, .. } | SchemaError::Derivation { error, .. } => error.advice(),
        SchemaError::Focus { .. } => "write 1 for a column that matters as much as others, or leave it out",
        SchemaError::NotMeasured { .. } => {
            "remove the key, or say it of the columns that it is computed from"
        }
        SchemaError::DerivedCircle { .. } => "remove `derive` from one of them: that one is then measured",
        SchemaError::TooManyDerived => "compute some of them from the released tables",
        SchemaError::NothingMeasured => "declare the columns that the derived ones are computed from",
        SchemaError::Contradiction { .. } => "correct one of the rules, or the limits of the column",
    }
    .to_owned()
}
