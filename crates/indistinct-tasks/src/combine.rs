//! `combine`: tables and what is known about them, a rule, and the regression.

mod choose;
mod release;
mod show;

use std::borrow::Borrow;
use std::path::PathBuf;

use indistinct::combine::{CombineError, Combined, Formula, Target, combine, fit_all};
use indistinct::table::{Schema, Table};
use indistinct_io::{Source, read_comparable};
use serde::Serialize;

use crate::word::words;
use crate::{Failure, one_line, one_standard_input, open, read_failure};
use choose::{Choice, choose};
use release::Release;

/// The usual probability of an interval.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// How a combination is asked for, not yet checked.
#[derive(Debug, Clone)]
pub struct CombineOptions {
    /// How variances are combined [default: what the release was made by, none where that is one draw with noise of unknown
    /// size; raab for other tables, private-draws if --draws is given, private-draw if --epsilon is].
    pub rule: Option<RuleName>,
    /// What the intervals are for.
    pub target: Target,
    /// Rows of the original table [default: the release's; as many as a synthetic table has].
    pub n: Option<usize>,
    /// private-draws: private draws that the tables come from, in order, as many tables from each.
    pub draws: Option<usize>,
    /// private-draw: epsilon of the draw.
    pub epsilon: Option<f64>,
    /// private-draw: information that the mechanism's cells keep, relative to the rows [default: 1].
    pub efficiency: Option<f64>,
    /// Probability that an interval is to have.
    pub level: f64,
}

/// How variances are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleName {
    /// Complete synthesis from fitted parameters (Raab, Nowok and Dibben 2017)
    Raab,
    /// Complete synthesis from parameters drawn from their posterior
    RaabPosterior,
    /// Partial synthesis (Reiter 2003)
    Reiter,
    /// Several private draws
    PrivateDraws,
    /// One private draw of the exponential mechanism with pMSE
    PrivateDraw,
    /// One private draw fitted to noisy counts
    PrivateCounts,
    /// Estimates without standard errors, as where the noise of one draw is not known
    None,
}

words!(RuleName {
    "raab" => Raab: "Complete synthesis from fitted parameters (Raab, Nowok and Dibben 2017)",
    "raab-posterior" => RaabPosterior: "Complete synthesis from parameters drawn from their posterior",
    "reiter" => Reiter: "Partial synthesis (Reiter 2003)",
    "private-draws" => PrivateDraws: "Several private draws",
    "private-draw" => PrivateDraw: "One private draw of the exponential mechanism with pMSE",
    "private-counts" => PrivateCounts: "One private draw fitted to noisy counts",
    "none" => None: "Estimates without standard errors, as where the noise of one draw is not known",
});

impl Default for CombineOptions {
    /// What the command has when nothing is typed.
    fn default() -> Self {
        Self {
            rule: None,
            target: Target::Population,
            n: None,
            draws: None,
            epsilon: None,
            efficiency: None,
            level: DEFAULT_LEVEL,
        }
    }
}

/// A regression over synthetic tables.
#[derive(Debug)]
pub struct Combination {
    formula: Formula,
    files: Vec<String>,
    choice: Choice,
    found: Combined,
}

impl Combination {
    /// As a person reads it, without the notes on its rule if `quiet`.
    pub fn as_text(&self, quiet: bool) -> String {
        show::as_text(&self.formula, &self.choice, &self.found, quiet)
    }

    /// As a script reads it.
    pub fn document(&self) -> impl Serialize {
        show::Document::new(&self.formula, &self.files, &self.choice, &self.found)
    }
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
    let release = Release::of(named)?;
    let files = release.as_ref().map_or(named, |release| &release.tables);
    one_standard_input(files)?;
    let opened = files.iter().map(|path| Ok((path.display().to_string(), open(path)?)));
    let sources = opened.collect::<Result<Vec<_>, Failure>>()?;
    let schema = schema.or_else(|| release.as_ref().and_then(|release| release.schema.clone()));
    work(sources, formula, schema.as_ref(), release.as_ref(), options)
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
    work(sources, parsed(formula)?, schema, None, options)
}

fn parsed(formula: &str) -> Result<Formula, Failure> {
    Formula::parse(formula).map_err(|error| combine_failure(&error.into()))
}

fn work<S: Borrow<Source>>(
    sources: Vec<(String, S)>,
    formula: Formula,
    schema: Option<&Schema>,
    release: Option<&Release>,
    options: &CombineOptions,
) -> Result<Combination, Failure> {
    let (files, sources): (Vec<String>, Vec<S>) = sources.into_iter().unzip();
    let tables = read(&sources, schema)?;
    let tables: Vec<&Table> = tables.iter().collect();
    let fits = fit_all(&tables, &formula).map_err(|error| failure_in(&files, &error))?;
    let choice = choose(options, release, &formula, &tables)?;
    let found = combine(&fits, &choice.rule, options.target, options.level)
        .map_err(|error| failure_in(&files, &error))?;
    Ok(Combination { formula, files, choice, found })
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
    let usage =
        matches!(error, CombineError::Level | CombineError::Efficiency | CombineError::NotPositive { .. });
    if usage { Failure::usage(what) } else { Failure::failed(what) }.advise(one_line(error.advice()))
}
