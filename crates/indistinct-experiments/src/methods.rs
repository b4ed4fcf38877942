//! The methods that table 2 and the regression study compare, each as one release from one simulated table.

mod chain;
mod ours;

use indistinct::discriminator::cart::{CartOptions, CartParams};
use indistinct::discriminator::{Stacked, cart};
use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateRows;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, ColumnSchema, ColumnType, Table, Values};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

use crate::paper::DRAWS;
use crate::population::{self, ROWS};
use crate::store::{ExperimentError, Run, run_blocks};
pub use ours::Ours;

/// Simulations of a block.
const BLOCK: u64 = 5;

/// A method with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// The paper's own mechanism as the paper ran it, with trees of this depth.
    PmseMechanism {
        /// Deepest leaf; 30 is unlimited.
        depth: u32,
    },
    /// This program.
    Ours(Ours),
}

/// What a method gave for one simulated table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Mean pMSE of its synthetic tables against the private one, if it makes any.
    pub pmse: Option<f64>,
    /// |intercept - intercept in the private table| of the regression of the second column on the first.
    pub intercept: f64,
    /// The same for the slope.
    pub slope: f64,
}

/// A simulated private table.
struct Private {
    columns: Vec<Vec<f64>>,
    rows: PrivateRows,
}

/// What a method publishes.
enum Published {
    /// Parameters, each of which makes one table.
    Models(Vec<SequentialNormal>),
}

impl Method {
    /// A name for files: letters, digits and hyphens.
    pub fn slug(&self) -> String {
        match self {
            Self::PmseMechanism { depth } => format!("pmse-mechanism-depth-{depth}"),
            Self::Ours(ours) => ours.slug().to_owned(),
        }
    }

    /// What it gave in every simulation.
    ///
    /// # Errors
    /// See [`ExperimentError`].
    pub fn outcomes(&self, run: &Run, epsilon: f64) -> Result<Vec<Outcome>, ExperimentError> {
        let name = format!("{}-epsilon-{epsilon}", self.slug());
        // Every method and epsilon has random numbers of its own, whatever else is run; private tables are shared.
        let own = Seed(run.seed() ^ hash(&name));
        let blocks = run_blocks(run, &name, BLOCK, |simulations| {
            let one = |simulation| {
                self.outcome(epsilon, Seed(run.seed()).stream(simulation), own.stream(simulation))
            };
            simulations
                .map(one)
                .collect::<Result<Vec<Outcome>, String>>()
                .map_err(|why| ExperimentError::Method { method: self.slug(), why })
        })?;
        Ok(blocks.concat())
    }

    fn outcome(&self, epsilon: f64, mut data: Generator, mut random: Generator) -> Result<Outcome, String> {
        let private = Private::draw(&mut data)?;
        let epsilon = Epsilon::from_f64(epsilon).map_err(|error| error.to_string())?;
        let published = match self {
            Self::PmseMechanism { depth } => {
                Published::Models(chain::states(&private, *depth, epsilon, &mut random)?)
            }
            Self::Ours(ours) => Published::Models(ours.models(&private, epsilon, &mut random)?),
        };
        Ok(private.compare(&published, &mut random))
    }
}

impl Private {
    fn draw(random: &mut Generator) -> Result<Self, String> {
        let columns = population::draw(&population::population(), ROWS, random);
        let column = |(name, values): (&str, &Vec<f64>)| {
            Column::new(ColumnSchema::new(name, ColumnType::Float), Values::Float(values.clone()))
        };
        let table = Table::new(["x1", "x2"].into_iter().zip(&columns).map(column).collect());
        let table = table.map_err(|error| error.to_string())?;
        let rows = PrivateRows::new(&table).map_err(|error| error.to_string())?;
        Ok(Self { columns, rows })
    }

    fn compare(&self, published: &Published, random: &mut Generator) -> Outcome {
        let Published::Models(models) = published;
        let tables: Vec<Vec<Vec<f64>>> =
            models.iter().map(|model| population::draw(model, ROWS, random)).collect();
        let mean =
            |of: &dyn Fn(&Vec<Vec<f64>>) -> f64| tables.iter().map(of).sum::<f64>() / tables.len() as f64;
        let (intercept, slope) = line(&self.columns);
        Outcome {
            pmse: Some(mean(&|table| self.pmse(table))),
            intercept: (mean(&|table| line(table).0) - intercept).abs(),
            slope: (mean(&|table| line(table).1) - slope).abs(),
        }
    }

    /// As table 2 has it: rpart's classification tree, cp 0.001, at least five rows in a leaf, unlimited depth.
    fn pmse(&self, synthetic: &[Vec<f64>]) -> f64 {
        cart::fit(&Stacked::of_numbers(&self.columns, synthetic), &tree(0.001, 30)).distinguishability().pmse
    }
}

/// The trees of the paper.
fn tree(cp: f64, depth: u32) -> CartParams {
    let options =
        CartOptions { cp: Some(cp), maxdepth: Some(depth), minbucket: Some(5), ..CartOptions::default() };
    options.check().expect("constants make sense")
}

/// A budget whose noise can be repeated.
fn budget(epsilon: Epsilon, random: &mut Generator) -> Budget {
    Budget::new(epsilon, NonZeroU32::MIN, Randomness::seeded(Seed(random.next_u64())))
}

/// Intercept and slope of the second column regressed on the first.
fn line(columns: &[Vec<f64>]) -> (f64, f64) {
    let n = columns[0].len() as f64;
    let [x_mean, y_mean] = [0, 1].map(|column: usize| columns[column].iter().sum::<f64>() / n);
    let (mut xx, mut xy) = (0.0, 0.0);
    for (x, y) in columns[0].iter().zip(&columns[1]) {
        xx += (x - x_mean) * (x - x_mean);
        xy += (x - x_mean) * (y - y_mean);
    }
    let slope = xy / xx;
    (y_mean - slope * x_mean, slope)
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
