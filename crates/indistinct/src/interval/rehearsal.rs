//! Rehearsals: the whole program run again on rows of the released model.

use rand::{Rng, RngExt};

use super::recipe::Recipe;
use crate::privacy::Randomness;
use crate::progress::{Progress, Silent};
use crate::random::{Generator, Seed};
use crate::synthesis::{
    Model, Release, ReleasedModel, RowSource, Sample, SampleError, Synthesis, SynthesisError,
};
use crate::table::{Schema, Table};

/// Rows that stand for the population, for each private row: rows drawn from them are then nearly all different.
const POPULATION: usize = 10;
/// Fewest rows that stand for the population.
const FEWEST: usize = 50_000;
/// Most rows that stand for the population, unless the private table has more.
const MOST: usize = 500_000;
/// The stream of the population; rehearsals have those from zero on.
const POPULATION_STREAM: u64 = u64::MAX;
/// Most tables that the population is given in.
const PARTS: usize = 50;

/// The reason why a release cannot be rehearsed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RehearsalError {
    /// Nothing but tables.
    #[error("the release has no model that rows could be drawn from")]
    NoModel,
    /// No certificate.
    #[error("there is no certificate, which has the settings of the release")]
    NoCertificate,
    /// A model of another version.
    #[error("the model was made by version 0.1, which is another program")]
    OtherVersion,
    /// A method whose settings are not published.
    #[error("releases by {0} are not rehearsed: not all of their settings are on the certificate")]
    Method(String),
    /// No rows from the model.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The program failed on rows of the model.
    #[error(transparent)]
    Synthesis(#[from] SynthesisError),
    /// A rehearsal that was kept elsewhere cannot be had.
    #[error(transparent)]
    Kept(Box<dyn std::error::Error + Send + Sync>),
}

impl RehearsalError {
    /// Advice in one line.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NoModel => "ask for the whole release, with its model.json; a smooth histogram has none",
            Self::NoCertificate => "ask for the whole release, with its certificate.json",
            Self::OtherVersion => {
                "ask for a release by this version; `combine` gives what is known without rehearsals"
            }
            Self::Method(_) => {
                "rehearsals are for tables of any columns, and for the normal model with its defaults (zoom, partition)"
            }
            Self::Sample(_) | Self::Synthesis(_) => "check the release with `indistinct verify`",
            Self::Kept(_) => "make it again with `indistinct rehearse --resume`",
        }
    }
}

/// A release that can be rehearsed any number of times.
#[derive(Debug)]
pub struct Rehearsal {
    synthesis: Synthesis,
    schema: Schema,
    population: Table,
    /// Private rows, or the noisy count of them.
    rows: usize,
    seed: Seed,
}

/// One rehearsal. **Not a release**: nothing about it is private, certified or charged.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsed {
    /// The rows in the place of the private ones, drawn one by one from the model.
    pub drawn: Table,
    /// The tables that the program made of them, as many as the release has.
    pub tables: Vec<Table>,
}

impl Rehearsal {
    /// Prepares to rehearse a release: makes the rows that stand for the population. The same seed gives the same
    /// rehearsals.
    ///
    /// # Errors
    /// When the release has no model or certificate, or was made by something that is not rehearsed.
    pub fn of(release: &Release, seed: u64) -> Result<Self, RehearsalError> {
        let RowSource::Model(model) = release.source() else { return Err(RehearsalError::NoModel) };
        let certificate = release.certified().ok_or(RehearsalError::NoCertificate)?;
        if model.draws.iter().any(|draw| matches!(draw, Model::VersionOne(_))) {
            return Err(RehearsalError::OtherVersion);
        }
        let Recipe { terms, normal } = Recipe::of(certificate)?;
        let mut synthesis = Synthesis::of(model.schema.clone()).terms(terms).rows(release.rows());
        if let Some(options) = normal {
            synthesis = synthesis.normal(options);
        }
        let seed = Seed(seed);
        let population = population(model, &mut seed.stream(POPULATION_STREAM))?;
        Ok(Self { synthesis, schema: model.schema.clone(), population, rows: model.rows, seed })
    }

    /// The rows that stand for the population: what a statistic is on them, it is in the model.
    pub fn population(&self) -> &Table {
        &self.population
    }

    /// The population in tables of so many rows each, for functions that depend on the number of rows, such as counts and
    /// sums: their mean over these tables is what they are in the model.
    pub fn population_in_tables_of(&self, rows: usize) -> Vec<Table> {
        let (all, rows) = (self.population.rows(), rows.max(1));
        let parts = (all / rows).clamp(1, PARTS);
        // Every so many rows, so that all draws of the model are in each table.
        let part = |part: usize| {
            let chosen: Vec<u32> = (0..rows).map(|row| ((part + row * parts) % all) as u32).collect();
            self.population.take(&chosen)
        };
        (0..parts).map(part).collect()
    }

    /// Rows that are drawn for each rehearsal, in the place of the private ones.
    pub fn drawn_rows(&self) -> usize {
        self.rows
    }

    /// The schema of all tables.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Makes rehearsal number `number`: the same whatever thread runs it, and in whatever order.
    ///
    /// # Errors
    /// When the program fails on rows of the model.
    pub fn rehearse(&self, number: u64) -> Result<Rehearsed, RehearsalError> {
        self.rehearse_with(number, &Silent)
    }

    fn rehearse_with(&self, number: u64, progress: &dyn Progress) -> Result<Rehearsed, RehearsalError> {
        let mut random = self.seed.stream(number);
        let all = self.population.rows() as u32;
        let chosen: Vec<u32> = (0..self.rows).map(|_| random.random_range(0..all)).collect();
        let drawn = self.population.take(&chosen);
        // A seeded budget promises nothing, and its certificate goes no further than here.
        let randomness = Randomness::seeded(Seed(random.next_u64()));
        let release = self.synthesis.clone().plan_of(drawn.clone(), randomness)?.release(progress)?.release;
        let streams = release.streams()?;
        let tables = (0..release.count()).map(|table| release.table(table, &streams, progress));
        Ok(Rehearsed { drawn, tables: tables.collect::<Result<_, _>>()? })
    }
}

/// Rows that stand for the population of a model: as many from every draw.
fn population(model: &ReleasedModel, random: &mut Generator) -> Result<Table, RehearsalError> {
    let rows = model.rows.saturating_mul(POPULATION).clamp(FEWEST, MOST).max(model.rows);
    let draws = model.draws.len();
    let part = |draw: usize| {
        let sample = Sample { rows: rows.div_ceil(draws), draw, filter: None };
        model.sample(sample, random, &Silent)
    };
    let parts = (1..=draws).map(part).collect::<Result<Vec<Table>, SampleError>>()?;
    Table::stacked(parts).ok_or(RehearsalError::NoModel)
}
