//! `indistinct evaluate`: how well a classifier tells synthetic tables from the real one.

use std::path::PathBuf;

use indistinct::evaluate::Tables;
use indistinct_io::{TypedForm, evaluate, one_standard_input, open, open_named, read_schema, schema_failure};
use indistinct_report::text::evaluation_text;
use indistinct_report::{page_path, write_page};

use crate::args::{Common, Evaluate};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json, tell};

pub(crate) fn run(arguments: &Evaluate, common: &Common) -> Result<(), Failure> {
    let params = arguments.options.options()?.plan(common.seed)?;
    let page = page(arguments, common)?;
    let tables = read(arguments, common.quiet)?;
    let bar = Bar::new(common.quiet, "evaluating");
    let evaluation = evaluate::run(&tables, &params, &bar);
    bar.finish();
    let evaluation = evaluation?;
    if let Some(path) = &page {
        write_page(path, &tables, &evaluation, &params)?;
    }
    if common.json {
        print_json(&evaluation)
    } else {
        print(&evaluation_text(&evaluation, arguments.options.discriminator))
    }
}

/// The path of the page, if one is wanted; found out before the work is done.
fn page(arguments: &Evaluate, common: &Common) -> Result<Option<PathBuf>, Failure> {
    let Some(typed) = &arguments.html else { return Ok(None) };
    let path = page_path(typed, arguments.force)?;
    if path != *typed && !common.quiet {
        tell(&format!(
            "note: the page is computed from the private data and is named so: {}",
            path.display()
        ));
    }
    Ok(Some(path))
}

fn read(arguments: &Evaluate, quiet: bool) -> Result<Tables, Failure> {
    one_standard_input(std::iter::once(&arguments.real).chain(&arguments.synthetic))?;
    let schema = arguments.schema.as_deref().map(read_schema).transpose().map_err(schema_failure)?;
    let form = TypedForm { no_header: arguments.no_header, encoding: arguments.encoding.clone() };
    let real = open_named(&arguments.real, &form, schema.as_ref())?;
    if !quiet {
        real.said().iter().for_each(|said| tell(&format!("note: {said}")));
    }
    let named = arguments.synthetic.iter().map(|path| Ok((path.display().to_string(), open(path)?)));
    evaluate::read(&real, named.collect::<Result<_, Failure>>()?, schema.as_ref())
}
