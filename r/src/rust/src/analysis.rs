//! Evaluations, and regressions over synthetic tables.

use std::path::PathBuf;

use extendr_api::prelude::*;
use indistinct_io::Failure;
use indistinct_io::arguments::{Arguments, combine_options, evaluate_options, rehearsed_options};
use indistinct_io::combine::{Combination, of_files, of_rehearsals, of_sources};
use indistinct_io::evaluate::{read, run};
use indistinct_report::text::{combination_document, combination_text, evaluation_text};
use indistinct_report::{page_path, write_page};
use serde_json::Value;

use crate::given::Given;
use crate::job::{Answer, Outcome, begin};
use crate::schema::{declared, schema_text};
use crate::table::{source_of, sources_of};
use crate::value::{in_words_of_r, to_r};

/// Evaluates synthetic tables: the document and the command's text. The page, if one is asked for, is written here, so
/// that no table is kept for it.
#[extendr]
fn start_evaluate(real: Robj, synthetic: List, schema: Robj, options: List) -> Robj {
    let asked = || {
        let given = Given(&options);
        let typed = evaluate_options(&given)?;
        let judge = typed.discriminator;
        let planned = typed.plan(given.whole("seed")?)?;
        let page = given.text("html")?.map(PathBuf::from);
        let force = given.truth("force")?.unwrap_or(false);
        let page = page.map(|path| page_path(&path, force)).transpose()?;
        Ok((source_of(&real)?, sources_of(&synthetic)?, planned, judge, page))
    };
    let schema = schema_text(&schema);
    begin(&options, asked(), move |(real, synthetic, planned, judge, page), monitor| {
        let tables = read(&real, synthetic, declared(schema.as_deref())?.as_ref())?;
        let evaluation = run(&tables, &planned, monitor)?;
        if let Some(path) = &page {
            write_page(path, &tables, &evaluation, &planned)?;
        }
        let document = serde_json::to_value(&evaluation).map_err(Failure::failed)?;
        let text = evaluation_text(&evaluation, judge);
        let page = page.map(|path| path.display().to_string());
        Ok(Box::new(move || {
            list!(document = to_r(&document), text = in_words_of_r(&text), page = page).into()
        }))
    })
}

/// Combines a release folder or table files.
#[extendr]
fn start_combine_files(paths: Vec<String>, formula: String, schema: Robj, options: List) -> Robj {
    let schema = schema_text(&schema);
    let asked = || Ok((combine_options(&Given(&options))?, rehearsed_options(&Given(&options))?));
    begin(&options, asked(), move |(options, rehearsed), monitor| {
        let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
        if let Some(rehearsed) = rehearsed {
            return combined(&of_rehearsals(&paths, &formula, &options, rehearsed, monitor)?);
        }
        combined(&of_files(&paths, &formula, declared(schema.as_deref())?, &options)?)
    })
}

/// Combines tables, given with their names.
#[extendr]
fn start_combine_tables(tables: List, formula: String, schema: Robj, options: List) -> Robj {
    let asked = combine_options(&Given(&options)).and_then(|options| Ok((options, sources_of(&tables)?)));
    let schema = schema_text(&schema);
    begin(&options, asked, move |(options, sources), _| {
        combined(&of_sources(sources, &formula, declared(schema.as_deref())?.as_ref(), &options)?)
    })
}

fn combined(found: &Combination) -> Outcome {
    let document = serde_json::to_value(combination_document(found)).map_err(Failure::failed)?;
    Ok(told(document, combination_text(found, false)))
}

fn told(document: Value, text: String) -> Answer {
    Box::new(move || list!(document = to_r(&document), text = in_words_of_r(&text)).into())
}

extendr_module! {
    mod analysis;
    fn start_evaluate;
    fn start_combine_files;
    fn start_combine_tables;
}
