//! Schemas for scripts, and files that may not replace others.

use std::io;
use std::path::Path;

use indistinct::Release;
use indistinct::privacy::SchemaSource;
use indistinct::table::moment::{ISO_DATE, MomentFormat};
use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, LookupValue, Schema};
use serde_json::{Value, json};

use crate::draft::with_mark;
use crate::{ColumnNotes, Draft, Failure, Source, has_marks, write_atomically, write_schema};

/// A file that is there is replaced only if `force` says so.
///
/// # Errors
/// When it is there.
pub fn check_free(out: &Path, force: bool) -> Result<(), Failure> {
    if out.exists() && !force {
        return Err(Failure::failed(format!("{} exists", out.display()))
            .advise("choose another name for --out, or say --force to replace it"));
    }
    Ok(())
}

/// Writes the text of a schema, completely or not at all.
///
/// # Errors
/// When the system refuses.
pub fn save(text: &str, out: &Path) -> Result<(), Failure> {
    write_atomically::<io::Error>(out, |file| file.write_all(text.as_bytes())).map_err(|error| {
        Failure::failed(format!("{}: cannot be written: {error}", out.display()))
            .advise("check that the folder exists, that you may write there, and that the disk is not full")
    })
}

/// A draft for scripts.
pub fn draft_json(draft: &Draft) -> Value {
    document(&draft.schema, SchemaSource::Drafted, Some(&draft.notes))
}

/// A schema for scripts.
pub fn schema_json(schema: &Schema, source: SchemaSource) -> Value {
    document(schema, source, None)
}

/// The schema of a release, as text and for scripts: with a mark if it was learned from the private rows.
pub fn released_schema(release: &Release) -> (String, Value) {
    let source =
        release.certified().map_or(SchemaSource::User, |certificate| certificate.facts().schema_source);
    let text = write_schema(release.schema());
    let text = if source == SchemaSource::Drafted { with_mark(&text) } else { text };
    (text, schema_json(release.schema(), source))
}

/// The schema of columns in memory by their types alone, for those who declare these: no row is looked at. Any value may be
/// missing, and is then written as nothing, or, where that is a level, by the first usual spelling that is none.
///
/// # Guarantee
/// Nothing follows from the rows: the number of columns, their names, types and levels are all that is looked at.
///
/// # Errors
/// When the levels of a column are nowhere said, or levels or names contradict each other.
pub fn schema_of_types(source: &Source) -> Result<Schema, Failure> {
    let kinds: Vec<Option<ColumnType>> =
        (0..source.names().len()).map(|position| source.known_kind(position)).collect();
    let is_level = |spelling: &&str| {
        let mut levels =
            kinds.iter().flatten().filter_map(ColumnType::levels).flat_map(|levels| levels.iter());
        levels.any(|level| level == spelling)
    };
    let missing = DEFAULT_MISSING.into_iter().find(|spelling| !is_level(spelling)).unwrap_or_default();
    let declared = |(position, name): (usize, &String)| {
        let kind = kinds[position].clone().ok_or_else(|| {
            let place = source.place(position);
            Failure::failed(format!(
                "{}: {place} is text, and its levels are declared nowhere",
                source.file()
            ))
            .advise("make it a factor with the levels of the code book, or give a schema")
        })?;
        Ok(ColumnSchema::new(name, kind).with_missing(vec![missing.to_owned()]))
    };
    let columns = source.names().iter().enumerate().map(declared).collect::<Result<Vec<_>, Failure>>()?;
    Schema::new(vec![missing.to_owned()], columns).map_err(|error| {
        Failure::failed(format!("{}: {error}", source.file()))
            .advise("give a schema that says what the columns mean")
    })
}

/// The source of what the text of a schema file says: a draft is the data's word until somebody has reviewed it and deleted its
/// marks.
pub fn source_of(text: &str) -> SchemaSource {
    if has_marks(text) { SchemaSource::Drafted } else { SchemaSource::User }
}

fn document(schema: &Schema, source: SchemaSource, notes: Option<&[ColumnNotes]>) -> Value {
    let columns = schema.columns().iter().enumerate().map(|(place, column)| {
        let mut object = json!({"name": column.name(), "type": column.kind().word()});
        if let Some(notes) = notes.and_then(|notes| notes.get(place)) {
            let mut learned = notes.learned.clone();
            learned.extend(notes.keys.iter().map(|(key, note)| format!("{key}: {note}")));
            object["learned"] = json!(learned);
            object["check"] = json!(notes.check);
            object["warning"] = json!(notes.warning);
        }
        match column.kind() {
            ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
                object["levels"] = json!(**levels);
            }
            ColumnType::Boolean { when_false, when_true } => {
                object["false"] = json!(when_false);
                object["true"] = json!(when_true);
            }
            ColumnType::Date { format } | ColumnType::DateTime { format } => object["format"] = json!(format),
            ColumnType::Float | ColumnType::Integer | ColumnType::Identifier => {}
        }
        if let Some(decimals) = column.decimals() {
            object["decimals"] = json!(decimals);
        }
        if !column.atoms().is_empty() {
            object["atoms"] =
                json!(column.atoms().iter().map(|&atom| atom_json(column, atom)).collect::<Vec<_>>());
        }
        if let Some(family) = column.family() {
            object["family"] = json!(family.word());
        }
        if let Some(focus) = column.declared_focus() {
            object["focus"] = json!(focus);
        }
        if column.is_weight() {
            object["weight"] = json!(true);
        }
        if let Some(derive) = column.derive() {
            object["derive"] = json!(derive.expression);
            if !derive.lookup.is_empty() {
                object["lookup"] =
                    derive.lookup.iter().map(|(level, value)| (level.clone(), entry(value))).collect();
            }
        }
        object
    });
    json!({
        "version": 1,
        "source": source,
        "missing": schema.missing(),
        "columns": columns.collect::<Vec<Value>>(),
    })
}

/// A value of a lookup.
fn entry(value: &LookupValue) -> Value {
    match value {
        LookupValue::Number(number) => json!(number),
        LookupValue::Text(text) => json!(text),
        LookupValue::Truth(truth) => json!(truth),
    }
}

/// An atom as the schema file has it.
fn atom_json(column: &ColumnSchema, atom: f64) -> Value {
    match column.kind() {
        ColumnType::Integer => json!(atom as i64),
        ColumnType::Date { .. } => {
            let mut day = String::new();
            let written =
                MomentFormat::new(ISO_DATE).is_some_and(|format| format.write_day(atom as i32, &mut day));
            if written { json!(day) } else { Value::Null }
        }
        _ => json!(atom),
    }
}
