//! Table 1 and figure 1: how often one row moves the pMSE of a greedy tree by more than the bound of the theorem.

pub mod simulation;

use indistinct::quality::Quality;
use indistinct::random::Seed;
use serde::{Deserialize, Serialize};

use crate::intervals::Estimate;
use crate::paper;
use crate::population::ROWS;
use crate::store::{ExperimentError, Run, run_blocks};
use simulation::{CELLS, CERTIFIED, COMPLEXITIES, DEPTHS, Simulator};

/// Simulations of a block.
const BLOCK: u64 = 500;
/// Simulations whose differences are kept for the figure.
const SHOWN: u64 = 2500;
/// The paper's bound.
pub const PAPER_BOUND: f64 = 1.0 / ROWS as f64;
/// The proven bound.
pub const TIGHT_BOUND: f64 = PAPER_BOUND / 2.0;
/// The bound can be attained: what exceeds it by no more than rounding is no violation.
const ROUNDING: f64 = 1e-12;

/// Results of one discriminator in some simulations.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Differences beyond 1/n.
    pub over_paper: u64,
    /// Differences beyond 1/(2n).
    pub over_tight: u64,
    /// The largest difference.
    pub largest: f64,
}

impl Tally {
    fn add(&mut self, difference: f64) {
        let difference = difference.abs();
        self.over_paper += u64::from(difference > PAPER_BOUND + ROUNDING);
        self.over_tight += u64::from(difference > TIGHT_BOUND + ROUNDING);
        self.largest = self.largest.max(difference);
    }

    fn join(self, other: Self) -> Self {
        Self {
            over_paper: self.over_paper + other.over_paper,
            over_tight: self.over_tight + other.over_tight,
            largest: self.largest.max(other.largest),
        }
    }
}

/// The results that are kept of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Block {
    simulations: u64,
    greedy: [Tally; CELLS],
    certified: [Tally; CERTIFIED.len()],
    /// The differences themselves, of the first simulations only.
    shown: Vec<[f64; CELLS]>,
}

/// The table, and the points of the figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Table1 {
    /// Simulations.
    pub simulations: u64,
    /// Greedy trees, complexities outside and depths inside.
    pub greedy: [Tally; CELLS],
    /// Discriminators with a proof, as in [`CERTIFIED`].
    pub certified: [Tally; CERTIFIED.len()],
    /// Differences of the first simulations.
    pub shown: Vec<[f64; CELLS]>,
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The discriminator.
    pub discriminator: String,
    /// The quality function.
    pub quality: &'static str,
    /// Complexity parameter of greedy trees.
    pub cp: Option<f64>,
    /// Depth of greedy trees.
    pub depth: Option<u32>,
    /// Simulations.
    pub simulations: u64,
    /// Simulations with a difference beyond 1/n.
    pub over_paper: u64,
    /// Simulations with a difference beyond 1/(2n).
    pub over_tight: u64,
    /// The largest difference.
    pub largest: f64,
    /// The published per cent beyond 1/n, which has one decimal.
    pub paper_percent: Option<f64>,
}

impl Row {
    /// The per cent of simulations beyond 1/n.
    pub fn percent(&self) -> Estimate {
        percent(self.over_paper, self.simulations)
    }

    /// The per cent of simulations beyond 1/(2n).
    pub fn tight_percent(&self) -> Estimate {
        percent(self.over_tight, self.simulations)
    }

    /// Whether the published figure agrees, within its rounding and chance.
    pub fn agrees(&self) -> Option<bool> {
        let (found, paper) = (self.percent(), self.paper_percent?);
        Some(found.low <= paper + 0.05 && paper - 0.05 <= found.high)
    }
}

fn percent(count: u64, simulations: u64) -> Estimate {
    let Estimate { value, low, high } = Estimate::share(count, simulations);
    Estimate { value: 100.0 * value, low: 100.0 * low, high: 100.0 * high }
}

/// Simulates.
///
/// # Errors
/// See [`ExperimentError`].
pub fn run(run: &Run) -> Result<Table1, ExperimentError> {
    let seed = Seed(run.seed());
    let blocks = run_blocks(run, "table1", BLOCK, |simulations| {
        let mut simulator = Simulator::new();
        let mut block = Block {
            simulations: simulations.end - simulations.start,
            greedy: [Tally::default(); CELLS],
            certified: [Tally::default(); CERTIFIED.len()],
            shown: Vec::new(),
        };
        for simulation in simulations {
            let found = simulator.simulate(&mut seed.stream(simulation));
            block.greedy.iter_mut().zip(found.greedy).for_each(|(tally, found)| tally.add(found));
            block.certified.iter_mut().zip(found.certified).for_each(|(tally, found)| tally.add(found));
            if simulation < SHOWN {
                block.shown.push(found.greedy);
            }
        }
        Ok(block)
    })?;
    let empty = Table1 {
        simulations: 0,
        greedy: [Tally::default(); CELLS],
        certified: [Tally::default(); CERTIFIED.len()],
        shown: Vec::new(),
    };
    Ok(blocks.into_iter().fold(empty, |mut all, block| {
        all.simulations += block.simulations;
        all.greedy = std::array::from_fn(|cell| all.greedy[cell].join(block.greedy[cell]));
        all.certified = std::array::from_fn(|place| all.certified[place].join(block.certified[place]));
        all.shown.extend(block.shown);
        all
    }))
}

impl Table1 {
    /// Line by line: greedy trees as in the paper, then the certified discriminators.
    pub fn rows(&self) -> Vec<Row> {
        let row = |discriminator: String, quality: &'static str, tally: &Tally| Row {
            discriminator,
            quality,
            cp: None,
            depth: None,
            simulations: self.simulations,
            over_paper: tally.over_paper,
            over_tight: tally.over_tight,
            largest: tally.largest,
            paper_percent: None,
        };
        let settings = COMPLEXITIES.iter().flat_map(|&cp| DEPTHS.map(|depth| (cp, depth)));
        let greedy = settings.zip(&self.greedy).map(|((cp, depth), tally)| {
            let published = paper::TABLE1.iter().find(|line| line.0 == cp && line.1 == depth);
            let paper_percent = published.map(|line| line.2);
            Row { cp: Some(cp), depth: Some(depth), paper_percent, ..row("greedy".into(), "pmse", tally) }
        });
        let certified = CERTIFIED.iter().zip(&self.certified).map(|((name, quality), tally)| {
            row((*name).to_owned(), if *quality == Quality::Pmse { "pmse" } else { "pmae" }, tally)
        });
        greedy.chain(certified).collect()
    }
}

/// Blocks that the table takes, for whoever shows progress.
pub fn blocks(simulations: u64) -> u64 {
    crate::store::blocks(simulations, BLOCK)
}
