//! `sample`: more rows from a released model.

use clap::Args;
use indistinct::privacy::Randomness;
use indistinct::random::{Generator, Seed};
use indistinct::release::{TooRare, synthetic_table};
use indistinct::table::condition::contradiction;
use indistinct::table::{Condition, Schema, Table};
use indistinct_io::{ModelFile, ModelFileError};

use crate::Failure;

#[expect(missing_docs, reason = "clap would take a doc comment for that of the whole command")]
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SampleOptions {
    /// How many rows
    #[arg(long, value_name = "N")]
    pub rows: usize,
    /// Which private draw to use, counted from 1
    #[arg(long, value_name = "L", default_value_t = 1)]
    pub draw: usize,
    /// Only rows that pass this condition, as in "age > 60 and sex == 'F'"
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
}

impl SampleOptions {
    /// What can be told without a model.
    ///
    /// # Errors
    /// When no row is asked for.
    pub fn check(&self) -> Result<(), Failure> {
        if self.rows == 0 {
            return Err(Failure::failed("--rows must be at least 1").advise("say how many rows to make"));
        }
        Ok(())
    }
}

/// Reads a model file.
///
/// # Errors
/// When it is none, or damaged.
pub fn read_model(path: &std::path::Path) -> Result<ModelFile, Failure> {
    ModelFile::read(path).map_err(|error| model_failure(&error))
}

/// The random numbers of `sample`: those of a seed, or new ones.
///
/// # Errors
/// When the operating system gives none.
pub fn random(seed: Option<u64>) -> Result<Generator, Failure> {
    Ok(match seed {
        Some(seed) => Seed(seed).stream(0),
        None => Randomness::from_system().map_err(Failure::failed)?.public_stream(0),
    })
}

/// Makes rows that pass the condition and satisfy the constraints of the schema, and computes its derived columns.
///
/// # Guarantee
/// The model knows columns that are measured; derived ones are computed from finished rows, and nothing else is looked at.
///
/// # Errors
/// When there is no such draw, the condition cannot be read, or the model hardly ever makes such rows.
pub fn sample(
    model: &ModelFile,
    options: &SampleOptions,
    random: &mut Generator,
    progress: &dyn Fn(usize),
) -> Result<Table, Failure> {
    let Some(theta) = options.draw.checked_sub(1).and_then(|draw| model.draws.get(draw)) else {
        return Err(no_such_draw(model.draws.len()));
    };
    let filter = options.condition.as_ref().map(|text| filter(text, &model.schema)).transpose()?;
    let filter = filter.map(|condition| model.schema.measured_condition(&condition));
    let measured = model.schema.measured().map_err(Failure::failed)?;
    let table = synthetic_table(theta, &measured, filter.as_ref(), options.rows, random, progress);
    Ok(model.schema.with_derived(table.map_err(|error| rare_failure(&error))?))
}

pub(crate) fn no_such_draw(draws: usize) -> Failure {
    Failure::failed(format!("the model has {draws} draws, counted from 1"))
        .advise("choose one of them with --draw")
}

pub(crate) fn model_failure(error: &ModelFileError) -> Failure {
    Failure::failed(error).advise(error.advice())
}

/// The condition that rows must pass.
fn filter(text: &str, schema: &Schema) -> Result<Condition, Failure> {
    let condition = Condition::parse(text, schema)
        .map_err(|error| Failure::failed(format!("--where, {error}")).advise(error.advice()))?;
    match contradiction(std::slice::from_ref(&condition), schema) {
        None => Ok(condition),
        Some(found) => Err(Failure::failed(format!("--where: no row can pass: {}", found.what))
            .advise("ask for more: wider limits, fewer conditions joined by `and`")),
    }
}

/// A model that hardly ever makes rows as demanded.
fn rare_failure(error: &TooRare) -> Failure {
    Failure::failed(error).advise(match error.broken {
        Some(_) => "the model cannot follow the rule: relax it in the schema, or declare limits and predictors that help",
        None => "ask for more with --where: wider limits, fewer conditions joined by `and`",
    })
}
