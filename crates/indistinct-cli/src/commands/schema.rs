//! `indistinct schema`: drafting a schema.

use std::io;
use std::path::Path;

use indistinct::table::moment::{ISO_DATE, MomentFormat};
use indistinct::table::{ColumnSchema, ColumnType};
use indistinct_io::{Draft, draft_schema, write_atomically};
use serde_json::{Value, json};

use super::{open, read_failure};
use crate::args::{self, Common};
use crate::failure::Failure;
use crate::output::{print, print_json, tell};

pub(crate) fn run(arguments: &args::Schema, common: &Common) -> Result<(), Failure> {
    if let Some(out) = &arguments.out
        && out.exists()
        && !arguments.force
    {
        return Err(Failure::failed(format!("{} exists", out.display()))
            .advise("choose another name for --out, or say --force to replace it"));
    }
    let draft = draft_schema(&open(&arguments.table)?).map_err(read_failure)?;
    if !common.quiet {
        for warning in draft.warnings() {
            tell(&format!("warning: {warning}"));
        }
    }
    if let Some(out) = &arguments.out {
        save(&draft, out)?;
    }
    match (common.json, &arguments.out) {
        (true, _) => print_json(&as_json(&draft)),
        (false, None) => print(&draft.to_toml()),
        (false, Some(out)) => print(&format!(
            "{}: a draft of {} columns. Check every line marked as learned from the private data.\n",
            out.display(),
            draft.schema.columns().len()
        )),
    }
}

fn save(draft: &Draft, out: &Path) -> Result<(), Failure> {
    write_atomically::<io::Error>(out, |file| file.write_all(draft.to_toml().as_bytes())).map_err(|error| {
        Failure::failed(format!("{}: cannot be written: {error}", out.display()))
            .advise("check that the folder exists, that you may write there, and that the disk is not full")
    })
}

/// The draft for scripts.
fn as_json(draft: &Draft) -> Value {
    let columns = draft.schema.columns().iter().zip(&draft.notes).map(|(column, notes)| {
        let mut learned = notes.learned.clone();
        learned.extend(notes.keys.iter().map(|(key, note)| format!("{key}: {note}")));
        let mut object = json!({
            "name": column.name(),
            "type": column.kind().word(),
            "learned": learned,
            "check": notes.check,
            "warning": notes.warning,
        });
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
        object
    });
    json!({
        "version": 1,
        "source": "drafted from the data",
        "missing": draft.schema.missing(),
        "columns": columns.collect::<Vec<Value>>(),
    })
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
