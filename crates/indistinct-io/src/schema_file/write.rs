//! From a schema to the text of a schema file.

use std::fmt::Write as _;

use indistinct::table::{ColumnSchema, ColumnType, LookupValue, Schema};

use super::VERSION;
use crate::cells::{Cell, spell, spell_float};
use indistinct::table::moment::{ISO_DATE, ISO_DATETIME};

/// The text of a schema file that [`parse_schema`](crate::parse_schema) reads as the same schema.
pub fn write_schema(schema: &Schema) -> String {
    let mut out = format!("version = {VERSION}\nmissing = {}\n", list(schema.missing()));
    out.push_str(&delimiter_line(schema));
    for column in schema.columns() {
        out.push('\n');
        out.push_str("[[column]]\n");
        for line in column_lines(column) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    for constraint in schema.constraints() {
        out.push_str("\n[[constraint]]\n");
        // Writing to a string cannot fail.
        _ = writeln!(out, "rule = {}", string(constraint.rule()));
        if let Some(because) = constraint.because() {
            _ = writeln!(out, "because = {}", string(because));
        }
    }
    out
}

/// The line that declares the delimiter, if one is declared.
pub(crate) fn delimiter_line(schema: &Schema) -> String {
    let line = |mark: char| format!("delimiter = {}\n", string(&mark.to_string()));
    schema.delimiter().map(line).unwrap_or_default()
}

/// The lines of a column, `key = value` each.
pub(crate) fn column_lines(column: &ColumnSchema) -> Vec<String> {
    let mut lines =
        vec![format!("name = {}", string(column.name())), format!("type = {}", string(column.kind().word()))];
    match column.kind() {
        ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
            lines.push(format!("levels = {}", list(levels)));
        }
        ColumnType::Boolean { when_false, when_true } => {
            lines.push(format!("false = {}", string(when_false)));
            lines.push(format!("true = {}", string(when_true)));
        }
        ColumnType::Date { format } if format != ISO_DATE => {
            lines.push(format!("format = {}", string(format)));
        }
        ColumnType::DateTime { format } if format != ISO_DATETIME => {
            lines.push(format!("format = {}", string(format)));
        }
        _ => {}
    }
    if !column.missing().is_empty() {
        lines.push(format!("missing = {}", list(column.missing())));
    }
    let notation = column.notation();
    if notation.decimal_mark != '.' {
        lines.push(format!("decimal_mark = {}", string(&notation.decimal_mark.to_string())));
    }
    if let Some(mark) = notation.thousands {
        lines.push(format!("thousands = {}", string(&mark.to_string())));
    }
    for (key, text) in [("prefix", &notation.prefix), ("suffix", &notation.suffix)] {
        if !text.is_empty() {
            lines.push(format!("{key} = {}", string(text)));
        }
    }
    if notation.parentheses {
        lines.push("parentheses = true".to_owned());
    }
    if let Some(decimals) = column.decimals() {
        lines.push(format!("decimals = {decimals}"));
    }
    if !column.atoms().is_empty() {
        let atoms: Vec<String> = column.atoms().iter().map(|&atom| number(column.kind(), atom)).collect();
        lines.push(format!("atoms = [{}]", atoms.join(", ")));
    }
    for (key, value) in [("minimum", column.minimum()), ("maximum", column.maximum())] {
        if let Some(value) = value {
            lines.push(format!("{key} = {}", number(column.kind(), value)));
        }
    }
    if let Some(predictors) = column.predictors() {
        lines.push(format!("predictors = {}", list(predictors)));
    }
    if let Some(family) = column.family() {
        lines.push(format!("family = {}", string(family.word())));
    }
    if let Some(focus) = column.declared_focus() {
        lines.push(format!("focus = {}", real(focus)));
    }
    if column.is_weight() {
        lines.push("weight = true".to_owned());
    }
    if let Some(derive) = column.derive() {
        lines.push(format!("derive = {}", string(&derive.expression)));
        // A table of its own ends the column: it comes last.
        if !derive.lookup.is_empty() {
            lines.push("[column.lookup]".to_owned());
            let entry =
                |(level, value): (&String, &LookupValue)| format!("{} = {}", string(level), entry(value));
            lines.extend(derive.lookup.iter().map(entry));
        }
    }
    lines
}

/// A value of a lookup.
fn entry(value: &LookupValue) -> String {
    match value {
        LookupValue::Number(value) => real(*value),
        LookupValue::Text(text) => string(text),
        LookupValue::Truth(truth) => truth.to_string(),
    }
}

/// A number.
fn real(value: f64) -> String {
    let mut out = String::new();
    spell_float(value, &mut out);
    out
}

/// A value of a column: a number, or a date in TOML's form, which does not depend on the column's format.
fn number(kind: &ColumnType, value: f64) -> String {
    let mut out = String::new();
    match kind {
        ColumnType::Date { .. } => spell(Cell::Day(value as i32), &mut out),
        ColumnType::DateTime { .. } => spell(Cell::Moment(value as i64), &mut out),
        _ => spell_float(value, &mut out),
    }
    out
}

/// A list of strings.
pub(crate) fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| string(item)).collect();
    format!("[{}]", items.join(", "))
}

/// A string in double quotes.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a string cannot fail.
            other if other.is_control() => _ = write!(out, "\\u{:04X}", u32::from(other)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
