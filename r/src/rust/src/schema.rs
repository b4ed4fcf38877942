//! Schemas, as text and as documents.

use std::path::PathBuf;

use extendr_api::prelude::*;
use indistinct::table::Schema;
use indistinct_io::schema::{
    check_free, draft_json, save, schema_json, schema_of_types, source_of as who_says,
};
use indistinct_io::{Failure, read_failure, schema_failure, write_schema};
use serde_json::Value;

use crate::job::{Answer, begin, reply, start};
use crate::table::source_of;
use crate::value::{columns_of, in_words_of_r, to_r};

/// The schema that a text declares, if there is one.
pub(crate) fn declared(text: Option<&str>) -> std::result::Result<Option<Schema>, Failure> {
    text.map(indistinct_io::parse_schema).transpose().map_err(schema_failure)
}

/// The text of a schema that R gives, or NULL.
pub(crate) fn schema_text(schema: &Robj) -> Option<String> {
    schema.as_str().map(str::to_owned)
}

fn told(text: String, document: Value, warnings: Vec<String>) -> Answer {
    Box::new(move || {
        let warnings: Vec<String> = warnings.iter().map(|text| in_words_of_r(text)).collect();
        list!(text = text, document = to_r(&document), warnings = warnings).into()
    })
}

/// Drafts a schema: the text of its file, its document and warnings.
#[extendr]
fn start_draft(table: Robj, options: List) -> Robj {
    begin(&options, source_of(&table), |source, _| {
        let draft = indistinct_io::draft_schema(&source).map_err(read_failure)?;
        Ok(told(draft.to_toml(), draft_json(&draft), draft.warnings()))
    })
}

/// The schema by the types of columns alone.
#[extendr]
fn schema_by_types(table: Robj) -> Robj {
    let made = source_of(&table).and_then(|source| {
        let text = write_schema(&schema_of_types(&source)?);
        let schema = indistinct_io::parse_schema(&text).map_err(schema_failure)?;
        let document = schema_json(&schema, who_says(&text));
        Ok(told(text, document, Vec::new()))
    });
    reply(made)
}

/// Checks the text of a schema.
#[extendr]
fn parse_schema(text: &str) -> Robj {
    let parsed = indistinct_io::parse_schema(text).map_err(schema_failure);
    reply(parsed.map(|schema| told(text.to_owned(), schema_json(&schema, who_says(text)), Vec::new())))
}

/// Reads a schema file.
#[extendr]
fn read_schema(path: &str) -> Robj {
    let read = indistinct_io::read_schema_text(&PathBuf::from(path)).map_err(schema_failure);
    reply(read.map(|(text, schema)| {
        let document = schema_json(&schema, who_says(&text));
        told(text, document, Vec::new())
    }))
}

/// Writes the text of a schema to a file.
#[extendr]
fn save_text(text: &str, path: &str, force: bool) -> Robj {
    let path = PathBuf::from(path);
    let written = check_free(&path, force).and_then(|()| save(text, &path));
    reply(written.map(|()| -> Answer { Box::new(|| true.into()) }))
}

/// A table read as a schema declares it.
#[extendr]
fn start_read(table: Robj, schema: String, options: List) -> Robj {
    let source = source_of(&table);
    begin(&options, source, move |source, _| {
        let schema = indistinct_io::parse_schema(&schema).map_err(schema_failure)?;
        let table = source.read(&schema).map_err(read_failure)?;
        Ok(Box::new(move || columns_of(&table)))
    })
}

/// Checks whether work can be interrupted: does nothing until it is stopped.
#[extendr]
fn start_nothing(options: List) -> Robj {
    start(&options, |_| {
        loop {
            indistinct::progress::check();
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    })
}

extendr_module! {
    mod schema;
    fn start_draft;
    fn schema_by_types;
    fn parse_schema;
    fn read_schema;
    fn save_text;
    fn start_read;
    fn start_nothing;
}
