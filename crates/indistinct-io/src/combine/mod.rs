//! Regressions over synthetic tables in files, and what is known about how those were made.

mod rehearsed;
mod release;

use std::borrow::Borrow;
use std::path::PathBuf;

use indistinct::combine::{
    ChoiceError, CombineError, CombineOptions, Combined, Formula, Origin, Rule, choose, combine, fit_all,
};
use indistinct::table::{Schema, Table};

use crate::open::{one_standard_input, open};
use crate::{Failure, Source, in_flags, one_line, read_comparable, read_failure};
use rehearsed::is_logit;
pub use rehearsed::{RehearsedOptions, of_rehearsals};
use release::ReleasedTables;

/// A regression over synthetic tables.
#[derive(Debug)]
pub struct Combination {
    /// The formula as typed.
    pub formula: String,
    /// The names of the tables.
    pub files: Vec<String>,
    /// The rule.
    pub rule: Rule,
    /// Notes on the rule.
    pub notes: Vec<String>,
    /// The reason why there are no standard errors, where there are none.
    pub no_intervals: Option<String>,
    /// The coefficients.
    pub found: Combined,
}

/// Combines the tables of a release folder, or table files. A release's own schema is used where none is given.
///
/// # Errors
/// When the tables cannot be read, or the formula or the rule does not fit them.
pub fn of_files(
    named: &[PathBuf],
    formula: &str,
    schema: Option<Schema>,
    options: &CombineOptions,
) -> Result<Combination, Failure> {
    let formula = parsed(formula)?;
    let release = ReleasedTables::of(named)?;
    let files = release.as_ref().map_or(named, |release| &release.tables);
    one_standard_input(files)?;
    let opened = files.iter().map(|path| Ok((path.display().to_string(), open(path)?)));
    let sources = opened.collect::<Result<Vec<_>, Failure>>()?;
    let schema = schema.or_else(|| release.as_ref().and_then(|release| release.schema.clone()));
    combined(sources, formula, schema.as_ref(), release.as_ref().map(|release| &release.origin), options)
}

/// Combines tables of which nothing else is known, given with the names to call them by.
///
/// # Errors
/// When there are none, or the formula or the rule does not fit them.
pub fn of_sources<S: Borrow<Source>>(
    sources: Vec<(String, S)>,
    formula: &str,
    schema: Option<&Schema>,
    options: &CombineOptions,
) -> Result<Combination, Failure> {
    combined(sources, parsed(formula)?, schema, None, options)
}

fn parsed(formula: &str) -> Result<Formula, Failure> {
    if is_logit(formula) {
        return Err(Failure::usage("logistic regression has standard errors by rehearsals only")
            .advise("name the folder of a release, and say --rehearse"));
    }
    Formula::parse(formula).map_err(|error| combine_failure(&error.into()))
}

fn combined<S: Borrow<Source>>(
    sources: Vec<(String, S)>,
    formula: Formula,
    schema: Option<&Schema>,
    origin: Option<&Origin>,
    options: &CombineOptions,
) -> Result<Combination, Failure> {
    let (files, sources): (Vec<String>, Vec<S>) = sources.into_iter().unzip();
    let tables = read(&sources, schema)?;
    let tables: Vec<&Table> = tables.iter().collect();
    let fits = fit_all(&tables, &formula).map_err(|error| failure_in(&files, &error))?;
    let choice = choose(options, origin, &formula, &tables).map_err(|error| match error {
        ChoiceError::Options(error) => error.into(),
        ChoiceError::Combine(error) => combine_failure(&error),
    })?;
    let found = combine(&fits, &choice.rule, options.target, options.level)
        .map_err(|error| failure_in(&files, &error))?;
    Ok(Combination {
        formula: formula.text().to_owned(),
        files,
        notes: choice.notes.iter().map(in_flags).collect(),
        no_intervals: choice.no_intervals.as_ref().map(in_flags),
        rule: choice.rule,
        found,
    })
}

fn read<S: Borrow<Source>>(sources: &[S], schema: Option<&Schema>) -> Result<Vec<Table>, Failure> {
    let Some((first, others)) = sources.split_first() else {
        return Err(Failure::usage("there is no table to combine").advise("give one synthetic table or more"));
    };
    if let Some(schema) = schema {
        return sources.iter().map(|source| source.borrow().read(schema).map_err(read_failure)).collect();
    }
    let (first, others) = read_comparable(first.borrow(), others).map_err(read_failure)?;
    Ok(std::iter::once(first).chain(others).collect())
}

/// The same where a table is to blame, which is told by its name as well: the number of a release's table is no help to find it.
fn failure_in(files: &[String], error: &CombineError) -> Failure {
    let table = match error {
        CombineError::InTable { table, .. }
        | CombineError::OtherColumns { table, .. }
        | CombineError::OtherType { table, .. }
        | CombineError::TooFewRows { table, .. }
        | CombineError::NotFinite { table }
        | CombineError::AliasedInSome { table, .. } => *table,
        _ => return combine_failure(error),
    };
    let file = table.checked_sub(1).and_then(|place| files.get(place));
    let named = file.map_or_else(String::new, |file| format!(" (table {table} is {file})"));
    described(error, &format!("{error}{named}"))
}

fn combine_failure(error: &CombineError) -> Failure {
    described(error, &error.to_string())
}

/// Formulas are typed, and columns come from files: neither may move a terminal's cursor.
fn described(error: &CombineError, what: &str) -> Failure {
    let what = one_line(what);
    // Wrong in what was typed, not in the tables.
    let usage = matches!(
        error,
        CombineError::Formula(_)
            | CombineError::InTable { .. }
            | CombineError::NoCoefficients
            | CombineError::Level
            | CombineError::Efficiency
            | CombineError::NotPositive { .. }
    );
    if usage { Failure::usage(what) } else { Failure::failed(what) }.advise(one_line(error.advice()))
}
