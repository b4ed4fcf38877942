//! More rows from a released model.

use indistinct::privacy::Randomness;
use indistinct::progress::Progress;
use indistinct::random::{Generator, Seed};
use indistinct::synthesis::{Release, ReleasedModel, Sample, SampleError};
use indistinct::table::condition::contradiction;
use indistinct::table::{Condition, Schema, Table};

use crate::machine::require_memory;
pub use crate::synth::sample_failure;
use crate::{Failure, ModelFileError};

/// Rows as they are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleOptions {
    /// Number of rows.
    pub rows: usize,
    /// The private draw to use, counted from 1.
    pub draw: usize,
    /// Only rows that pass this condition, as in "age > 60 and sex == 'F'".
    pub condition: Option<String>,
}

impl SampleOptions {
    /// Checks the options, as far as that needs no model.
    ///
    /// # Errors
    /// When no row is asked for.
    pub fn check(&self) -> Result<(), Failure> {
        if self.rows == 0 {
            return Err(sample_failure(&SampleError::NoRows));
        }
        Ok(())
    }

    /// The condition that rows must pass, if there is one.
    fn filter(&self, schema: &Schema) -> Result<Option<Condition>, Failure> {
        self.condition.as_ref().map(|text| filter(text, schema)).transpose()
    }
}

/// Reads a model file.
///
/// # Errors
/// When it is none, or damaged.
pub fn read_model(path: &std::path::Path) -> Result<ReleasedModel, Failure> {
    crate::read_model(path).map_err(|error| model_failure(&error))
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

/// A new seed for rows that are to be the same whenever they are made. It has nothing to do with privacy: rows are drawn from
/// what was released.
///
/// # Errors
/// When the operating system gives no random numbers.
pub fn fresh_seed() -> Result<u64, Failure> {
    Ok(Seed::drawn(&mut random(None)?).0)
}

/// Makes rows that pass the condition and satisfy the constraints of the schema, and computes its derived columns.
///
/// # Errors
/// When there is no such draw, no memory for so many rows, the condition cannot be read, or the model hardly ever makes such
/// rows.
pub fn sample(
    model: &ReleasedModel,
    options: &SampleOptions,
    random: &mut Generator,
    progress: &dyn Progress,
) -> Result<Table, Failure> {
    let SampleOptions { rows, draw, .. } = *options;
    let filter = options.filter(&model.schema)?;
    require_memory(rows, model.schema.columns().len())?;
    let sample = Sample { rows, draw, filter: filter.as_ref() };
    model.sample(sample, random, progress).map_err(|error| sample_failure(&error))
}

/// More rows of a release, at no cost: see [`Release::sample_as`].
///
/// # Errors
/// As [`sample`].
pub fn sample_release(
    release: &Release,
    options: &SampleOptions,
    seed: Option<u64>,
    progress: &dyn Progress,
) -> Result<Table, Failure> {
    let SampleOptions { rows, draw, .. } = *options;
    let filter = options.filter(release.schema())?;
    require_memory(rows, release.schema().columns().len())?;
    let sample = Sample { rows, draw, filter: filter.as_ref() };
    release.sample_as(sample, seed, progress).map_err(|error| sample_failure(&error))
}

pub(crate) fn model_failure(error: &ModelFileError) -> Failure {
    Failure::failed(error).advise(error.advice())
}

/// The condition that rows must pass.
fn filter(text: &str, schema: &Schema) -> Result<Condition, Failure> {
    let condition = Condition::parse(text, schema)
        .map_err(|error| Failure::usage(format!("--where, {error}")).advise(error.advice()))?;
    match contradiction(std::slice::from_ref(&condition), schema) {
        None => Ok(condition),
        Some(found) => Err(Failure::usage(format!("--where: no row can pass: {}", found.what))
            .advise("ask for more: wider limits, fewer conditions joined by `and`")),
    }
}
