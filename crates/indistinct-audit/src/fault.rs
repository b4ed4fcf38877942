//! **Releases that leak**, to test that the audit catches them: only with the feature `broken`.
//!
//! Most faults are places of the library that are broken on purpose ([`indistinct::privacy::broken`]); two are
//! uses of it that no place in it could prevent, and are implemented here: learned levels, and the chain in
//! [`chain`]. Redrawn noise shows in [`counts`] themselves rather than in a release.

pub mod chain;
pub mod counts;

use std::collections::HashSet;

use indistinct::model::quantile;
use indistinct::privacy::Neighbours;
use indistinct::privacy::broken::{self, Fault};
use indistinct::synthesis::{CandidateDiscriminatorName, Modelling, SynthOptions};
use indistinct::table::{ColumnSchema, ColumnType, Schema, SchemaError};

use crate::world::{NeighbouringTables, World};

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// A fault in a place of the library.
    Library(Fault),
    /// A level list that was learned from the rows is presented as a declared one.
    LearnedLevels,
}

/// A configuration in which a fault shows.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The options of `synth`.
    pub options: SynthOptions,
    /// The pair of tables, as a sound program sees it.
    pub pair: NeighbouringTables,
    /// Number of releases from each side that are enough to catch it.
    pub releases: u64,
}

impl Broken {
    /// All faults that show in releases of `synth`.
    pub const ALL: [Self; 7] = [
        Self::Library(Fault::HalfNoise),
        Self::Library(Fault::QuarterSensitivity),
        Self::Library(Fault::CertifiedCart),
        Self::LearnedLevels,
        Self::Library(Fault::UnchargedStage),
        Self::Library(Fault::FixedSeed),
        Self::Library(Fault::OverflowingCells),
    ];

    /// Its name, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Library(Fault::HalfNoise) => "half-noise",
            Self::Library(Fault::QuarterSensitivity) => "quarter-sensitivity",
            Self::Library(Fault::CertifiedCart) => "certified-cart",
            Self::Library(Fault::RedrawnNoise) => "redrawn-noise",
            Self::Library(Fault::UnchargedStage) => "uncharged-stage",
            Self::Library(Fault::FixedSeed) => "fixed-seed",
            Self::Library(Fault::OverflowingCells) => "overflowing-cells",
            Self::LearnedLevels => "learned-levels",
        }
    }

    /// Runs work while the fault is installed.
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
    pub fn pair(self, mut pair: NeighbouringTables) -> Result<NeighbouringTables, SchemaError> {
        if self == Self::LearnedLevels {
            for (schema, table) in pair.schemas.iter_mut().zip(&pair.tables) {
                *schema = learned(schema, table)?;
            }
        }
        Ok(pair)
    }

    /// The configuration in which the fault shows.
    ///
    /// # Errors
    /// Only those of [`World::pair`].
    pub fn shown(self) -> Result<Shown, SchemaError> {
        let of =
            |epsilon: &str| SynthOptions::default().with(|options| options.epsilon = epsilon.parse().ok());
        // All of the budget in one list of counts, in which one person is alone.
        let counted = |epsilon: &str, releases: u64| -> Result<Shown, SchemaError> {
            let options = of(epsilon).with(|options| options.model = Modelling::Mixed);
            Ok(Shown { options, pair: World::RareLevel.pair(ROWS, 1, 1, Neighbours::Substitute)?, releases })
        };
        match self {
            Self::LearnedLevels | Self::Library(Fault::FixedSeed) => counted("1", 200),
            Self::Library(Fault::QuarterSensitivity) => counted("1", 800),
            Self::Library(Fault::HalfNoise | Fault::UnchargedStage) => counted("4", 2000),
            // Not caught: a release shows shares that add up to one, which hides it.
            Self::Library(Fault::RedrawnNoise) => counted("1.4", 2000),
            Self::Library(Fault::OverflowingCells) => Ok(Shown {
                options: of("1").with(|options| options.model = Modelling::Normal),
                pair: World::Subnormal.pair(USUAL_ROWS, 1, 1, Neighbours::Substitute)?,
                releases: 200,
            }),
            Self::Library(Fault::CertifiedCart) => Ok(Shown {
                options: of("0.5").with(|options| {
                    options.measure_share = Some(0.0);
                    options.discriminator = Some(CandidateDiscriminatorName::Cart);
                    options.depth = Some(1);
                    // A split must get more than 160 of 800 rows right that were wrong before.
                    options.cp = Some(0.2006);
                    options.minbucket = Some(1);
                    options.candidates = Some(60);
                }),
                pair: greedy_pair()?,
                releases: 400,
            }),
        }
    }
}

/// Rows of the tables on which faults show.
const ROWS: usize = 60;
/// Rows that `audit` uses for an epsilon of 1, where the normal model searches for a scale.
const USUAL_ROWS: usize = 150;
/// Rows of the tables made for greedy trees, which must be located first.
const GREEDY_ROWS: usize = 800;
/// Number of these rows that lie far out, and their distance in standard deviations of the others.
const FAR: (usize, f64) = (160, 6.0);

/// A pair made for greedy trees: 160 rows of 800 lie far out, one more in the neighbour. With cp 0.2006 a tree
/// may split these off in the neighbour only: there every model whose table does not reach them is told apart,
/// and in X none is.
fn greedy_pair() -> Result<NeighbouringTables, SchemaError> {
    let schema = Schema::new(Vec::new(), vec![ColumnSchema::new("x", ColumnType::Float)])?;
    let table = |far: usize| {
        let normal = |row: usize| quantile(((row - FAR.0) as f64 + 0.5) / (GREEDY_ROWS - FAR.0) as f64);
        let value = |row: usize| if row < far { FAR.1 } else { normal(row) };
        (0..GREEDY_ROWS)
            .map(|row| format!("{}\n", value(row)))
            .fold("x\n".to_owned(), |text, line| text + &line)
    };
    Ok(NeighbouringTables {
        name: "complexity".to_owned(),
        schemas: [schema.clone(), schema],
        tables: [table(FAR.0), table(FAR.0 + 1)],
    })
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
