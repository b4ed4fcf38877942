//! `indistinct combine`: tables and what is known about them, a rule, and the regression.

mod choose;
mod release;
mod show;

use std::path::PathBuf;

use indistinct::combine::{CombineError, Formula, Target, combine, fit_all};
use indistinct::table::{Schema, Table};
use indistinct_io::{Source, read_comparable, read_schema};

use super::{one_standard_input, open, read_failure};
use crate::args::{Combine, Common, TargetName};
use crate::failure::Failure;
use crate::output::{one_line, print, print_json};
use release::Release;

pub(crate) fn run(arguments: &Combine, common: &Common) -> Result<(), Failure> {
    let formula = Formula::parse(&arguments.formula).map_err(|error| combine_failure(&error.into()))?;
    let release = Release::of(&arguments.synthetic)?;
    let files = release.as_ref().map_or(&arguments.synthetic, |release| &release.tables);
    let schema = match &arguments.schema {
        Some(path) => {
            Some(read_schema(path).map_err(|error| Failure::failed(&error).advise(error.advice()))?)
        }
        None => release.as_ref().and_then(|release| release.schema.clone()),
    };
    let tables = read(files, schema.as_ref())?;
    let tables: Vec<&Table> = tables.iter().collect();
    let fits = fit_all(&tables, &formula).map_err(|error| combine_failure(&error))?;
    let choice = choose::choose(arguments, release.as_ref(), &formula, &tables)?;
    let target = match arguments.target {
        TargetName::Population => Target::Population,
        TargetName::Original => Target::Original,
    };
    let found =
        combine(&fits, &choice.rule, target, arguments.level).map_err(|error| combine_failure(&error))?;
    if common.json {
        print_json(&show::Document::new(&formula, files, &choice, &found))
    } else {
        print(&show::as_text(&formula, &choice, &found, common.quiet))
    }
}

fn read(files: &[PathBuf], schema: Option<&Schema>) -> Result<Vec<Table>, Failure> {
    one_standard_input(files)?;
    let mut sources: Vec<Source> = files.iter().map(|path| open(path)).collect::<Result<_, _>>()?;
    if let Some(schema) = schema {
        return sources.iter().map(|source| source.read(schema).map_err(read_failure)).collect();
    }
    let first = sources.remove(0);
    let (first, others) = read_comparable(&first, &sources).map_err(read_failure)?;
    Ok(std::iter::once(first).chain(others).collect())
}

/// Formulas are typed, and columns come from files: neither may move a terminal's cursor.
fn combine_failure(error: &CombineError) -> Failure {
    let what = one_line(&error.to_string());
    let usage = matches!(error, CombineError::Level | CombineError::NotPositive { .. });
    if usage { Failure::usage(what) } else { Failure::failed(what) }.advise(one_line(error.advice()))
}
