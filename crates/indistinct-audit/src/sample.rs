//! Many releases from both sides of a pair, in blocks that are kept as they are made.

use std::collections::HashMap;
use std::ops::Range;

use indistinct_paper::store::{ExperimentError, Run, run_blocks};
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// Releases from each side in a block.
pub const BLOCK: u64 = 20;

/// One of two neighbouring tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first table.
    X,
    /// Its neighbour.
    Neighbour,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::X, Self::Neighbour];
}

/// An audited mechanism.
pub trait Mechanism: Sync {
    /// Release number `number` from one side, with everything that is published.
    ///
    /// # Errors
    /// When it fails, which it must not do on one side only.
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError>;
}

/// Releases by number, and the names of their numbers. A number that a release does not have is minus infinity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample {
    names: Vec<String>,
    sides: [Vec<Vec<f64>>; 2],
}

/// A block as written: names once, numbers by release; null for what is missing or not finite.
#[derive(Debug, Serialize, Deserialize)]
struct Block {
    names: Vec<String>,
    sides: [Vec<Vec<Option<f64>>>; 2],
}

/// Makes as many releases from each side as the run says, or reads those that exist.
///
/// `name` must differ for mechanisms whose releases differ.
///
/// # Errors
/// When releases fail, or blocks cannot be kept or do not fit.
pub fn collect(mechanism: &dyn Mechanism, run: &Run<'_>, name: &str) -> Result<Sample, ExperimentError> {
    let blocks = run_blocks(run, name, BLOCK, |numbers| block(mechanism, numbers))?;
    Ok(Sample::of(&blocks))
}

fn block(mechanism: &dyn Mechanism, numbers: Range<u64>) -> Result<Block, ExperimentError> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut sides = [Vec::new(), Vec::new()];
    for (side, releases) in Side::BOTH.into_iter().zip(&mut sides) {
        for number in numbers.clone() {
            let mut row: Vec<Option<f64>> = vec![None; names.len()];
            for (name, value) in mechanism.release(side, number)?.numbers() {
                let place = *places.entry(name.clone()).or_insert_with(|| {
                    names.push(name.clone());
                    names.len() - 1
                });
                row.resize(row.len().max(place + 1), None);
                row[place] = value.is_finite().then_some(*value);
            }
            releases.push(row);
        }
    }
    Ok(Block { names, sides })
}

impl Sample {
    fn of(blocks: &[Block]) -> Self {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut sample = Self::default();
        for block in blocks {
            let columns: Vec<usize> = block
                .names
                .iter()
                .map(|name| {
                    *places.entry(name).or_insert_with(|| {
                        sample.names.push(name.clone());
                        sample.names.len() - 1
                    })
                })
                .collect();
            for (releases, kept) in sample.sides.iter_mut().zip(&block.sides) {
                for row in kept {
                    let mut numbers = vec![f64::NEG_INFINITY; sample.names.len()];
                    for (place, value) in row.iter().enumerate() {
                        numbers[columns[place]] = value.unwrap_or(f64::NEG_INFINITY);
                    }
                    releases.push(numbers);
                }
            }
        }
        let width = sample.names.len();
        sample.sides.iter_mut().flatten().for_each(|row| row.resize(width, f64::NEG_INFINITY));
        sample
    }

    /// The names of the numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of releases from each side.
    pub fn releases(&self) -> usize {
        self.sides[0].len()
    }

    /// The numbers of releases from one side.
    pub fn side(&self, side: Side) -> &[Vec<f64>] {
        &self.sides[side as usize]
    }

    /// The first `releases` from each side.
    #[must_use]
    pub fn first(&self, releases: usize) -> Self {
        let first = |side: &Vec<Vec<f64>>| side.iter().take(releases).cloned().collect();
        Self { names: self.names.clone(), sides: [first(&self.sides[0]), first(&self.sides[1])] }
    }
}
