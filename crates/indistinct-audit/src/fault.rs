//! **Releases that leak**, to test that the audit catches them: only with the feature `broken`.
//!
//! Most faults are places of the library that are broken on purpose ([`indistinct::broken`]); two are uses of it that no place
//! in it could prevent, and are done here.

use std::collections::HashSet;

use indistinct::broken::{self, Fault};
use indistinct::table::{ColumnSchema, ColumnType, Schema, SchemaError};
use indistinct_tasks::evaluate::Objective;
use indistinct_tasks::synth::{Cells, Modelling, SynthOptions};

use crate::world::{Pair, World};

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// A place of the library.
    Library(Fault),
    /// A level list that was learned from the rows passes for a declared one.
    LearnedLevels,
}

/// A configuration in which a fault shows.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What is asked of `synth`.
    pub options: SynthOptions,
    /// The pair of tables.
    pub world: World,
    /// Rows of each.
    pub rows: usize,
    /// Releases from each side that are enough to catch it.
    pub releases: u64,
}

impl Broken {
    /// All that break `synth`.
    pub const ALL: [Self; 7] = [
        Self::Library(Fault::HalfNoise),
        Self::Library(Fault::QuarterSensitivity),
        Self::Library(Fault::CertifiedCart),
        Self::Library(Fault::RedrawnNoise),
        Self::LearnedLevels,
        Self::Library(Fault::UnchargedStage),
        Self::Library(Fault::FixedSeed),
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Library(Fault::HalfNoise) => "half-noise",
            Self::Library(Fault::QuarterSensitivity) => "quarter-sensitivity",
            Self::Library(Fault::CertifiedCart) => "certified-cart",
            Self::Library(Fault::RedrawnNoise) => "redrawn-noise",
            Self::Library(Fault::UnchargedStage) => "uncharged-stage",
            Self::Library(Fault::FixedSeed) => "fixed-seed",
            Self::LearnedLevels => "learned-levels",
        }
    }

    /// Does work while it is broken.
    pub fn with<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            Self::Library(fault) => broken::with(Some(fault), work),
            Self::LearnedLevels => broken::with(None, work),
        }
    }

    /// The pair as the broken program sees it.
    ///
    /// # Errors
    /// When a column has no levels left.
    pub fn pair(self, mut pair: Pair) -> Result<Pair, SchemaError> {
        if self == Self::LearnedLevels {
            for (schema, table) in pair.schemas.iter_mut().zip(&pair.tables) {
                *schema = learned(schema, table)?;
            }
        }
        Ok(pair)
    }

    /// Where it shows.
    pub fn shown(self) -> Shown {
        let of = |epsilon: &str| SynthOptions { epsilon: Some(epsilon.to_owned()), ..SynthOptions::default() };
        let mixed = |epsilon: &str| SynthOptions { model: Modelling::Mixed, ..of(epsilon) };
        let (options, world, rows, releases) = match self {
            // All of the budget in one list of counts.
            Self::Library(Fault::HalfNoise) => (mixed("1"), World::RareLevel, 60, 4000),
            Self::Library(Fault::RedrawnNoise) => (mixed("1.4"), World::RareLevel, 60, 20_000),
            Self::LearnedLevels => (mixed("1"), World::RareLevel, 60, 200),
            Self::Library(Fault::FixedSeed) => (mixed("1"), World::RareLevel, 60, 200),
            Self::Library(Fault::QuarterSensitivity) => {
                (SynthOptions { measure_share: Some(0.0), ..of("2") }, World::Spike, 60, 2000)
            }
            Self::Library(Fault::UnchargedStage) => {
                (SynthOptions { measure_share: Some(0.3), ..of("2") }, World::Spike, 60, 4000)
            }
            Self::Library(Fault::CertifiedCart) => (
                SynthOptions {
                    measure_share: Some(0.0),
                    discriminator: Some(Cells::Cart),
                    quality: Some(Objective::Pmse),
                    depth: Some(2),
                    minbucket: Some(30),
                    ..of("2")
                },
                World::Spike,
                60,
                4000,
            ),
        };
        Shown { options, world, rows, releases }
    }
}

/// The schema with the levels that occur in a table.
fn learned(schema: &Schema, table: &str) -> Result<Schema, SchemaError> {
    let occurring = |place: usize| -> HashSet<&str> {
        table.lines().skip(1).filter_map(|line| line.split(',').nth(place)).collect()
    };
    let column = |(place, column): (usize, &ColumnSchema)| match column.kind() {
        ColumnType::Nominal { levels } => {
            let there = occurring(place);
            let levels: Vec<String> =
                levels.iter().filter(|level| there.contains(level.as_str())).cloned().collect();
            ColumnSchema::new(column.name(), ColumnType::Nominal { levels: levels.into() })
        }
        _ => column.clone(),
    };
    Schema::new(schema.missing().to_vec(), schema.columns().iter().enumerate().map(column).collect())
}
