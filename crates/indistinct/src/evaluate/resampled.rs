//! Trees grown on random halves of the rows and tried on the others: a measure that one lucky split cannot move.
//!
//! The pMSE of one greedy tree jumps. Whether a split passes `cp` decides over all splits below it, so that two tables
//! of the same quality can have a tree of two leaves and one of twenty. Here [`TREES`] trees are grown, each on as many
//! real as synthetic rows, and *other* rows are dropped down each of them. What a tree learned by heart is of no use
//! there, so that it may grow without a `cp` that jumps, and chance has a closed form: the cells do not depend on the
//! rows that are counted in them, so that k cells of alike tables have (k - 1) c (1 - c) / N in expectation, with c = 1/2.

use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;

use super::choice::choose;
use crate::discriminator::Stacked;
use crate::discriminator::cart::{self, CartMethod, CartOptions, CartParams};
use crate::quality::null::NullExpectation;
use crate::quality::{Cell, Distinguishability};
use crate::random::{Generator, Seed};

/// Trees whose medians are told.
pub const TREES: usize = 15;
/// Most rows of each table on which a tree is grown, and as many on which it is tried: more would cost time, and
/// change little in cells that have a hundredth of the rows each.
pub const ROWS: usize = 10_000;
/// A leaf has at least one in so many rows.
const LEAVES: usize = 100;
/// The fewest rows of a leaf in small tables, which is rpart's default.
const FEWEST: usize = 7;
/// Streams of random numbers past all others of an evaluation.
const STREAM: u64 = 1 << 44;

/// Power of trees to tell rows apart that they have not seen: medians over [`TREES`] random halves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResampledTrees {
    /// Number of trees.
    pub trees: usize,
    /// Rows of each table on which each tree was grown, and as many others on which it was tried.
    pub rows: usize,
    /// pMSE in the rows on which trees were tried, less what chance adds to it; never below 0.
    pub pmse: f64,
    /// pMSE in these rows over what chance would make it: 1 for another sample of the same population.
    pub s_pmse: f64,
    /// The share of these rows whose table the trees guess right; 1/2 is guessing.
    pub told_apart: f64,
}

/// Findings of one tree.
struct Tried {
    beyond_chance: f64,
    ratio: f64,
    told_apart: f64,
}

impl ResampledTrees {
    /// Grows and tries the trees. `each` is called after every tree, and may end the work.
    ///
    /// # Errors
    /// What `each` returns.
    pub fn of<E: Send>(
        stacked: &Stacked,
        seed: Seed,
        each: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        let rows = (stacked.real_rows().min(stacked.synthetic_rows()) / 2).min(ROWS);
        let params = params(rows);
        let tried = (0..TREES)
            .into_par_iter()
            .with_max_len(1)
            .map(|tree| {
                let found = try_tree(stacked, rows, &params, &mut seed.stream(STREAM + tree as u64));
                each()?;
                Ok(found)
            })
            .collect::<Result<Vec<Tried>, E>>()?;
        Ok(Self {
            trees: TREES,
            rows,
            pmse: median(&tried, |tried| tried.beyond_chance).max(0.0),
            s_pmse: median(&tried, |tried| tried.ratio),
            told_apart: median(&tried, |tried| tried.told_apart),
        })
    }
}

/// Leaves of at least a hundredth of the rows, whatever a split gains: rows that the tree has not seen decide.
fn params(rows: usize) -> CartParams {
    let minbucket = (2 * rows / LEAVES).max(FEWEST) as u32;
    let options = CartOptions {
        method: CartMethod::Anova,
        maxdepth: None,
        cp: Some(0.0),
        minsplit: Some(2 * minbucket),
        minbucket: Some(minbucket),
    };
    options.check().unwrap_or_default()
}

fn try_tree(stacked: &Stacked, rows: usize, params: &CartParams, random: &mut Generator) -> Tried {
    let (real, synthetic) = (stacked.real_rows(), stacked.synthetic_rows());
    let (real_grown, real_tried) = halves(0, real, rows, random);
    let (synthetic_grown, synthetic_tried) = halves(real, synthetic, rows, random);
    let tree = cart::fit(&stacked.take(&real_grown, &synthetic_grown), params);

    let mut cells = vec![Cell { synthetic: 0.0, real: 0.0 }; tree.nodes().len()];
    let leaf = |row: u32| tree.leaf_of(stacked.predictors(), row as usize);
    for row in real_tried {
        cells[leaf(row)].real += 1.0;
    }
    for row in synthetic_tried {
        cells[leaf(row)].synthetic += 1.0;
    }
    let leaves = tree.leaves().count();
    let right =
        tree.nodes().iter().zip(&cells).map(|(node, cell)| match (2 * node.synthetic).cmp(&node.rows) {
            std::cmp::Ordering::Greater => cell.synthetic,
            std::cmp::Ordering::Less => cell.real,
            std::cmp::Ordering::Equal => f64::midpoint(cell.real, cell.synthetic),
        });
    let told_apart = right.sum::<f64>() / (2 * rows.max(1)) as f64;
    let chance = NullExpectation::independent_samples(leaves, rows.max(1), rows.max(1)).mean;
    let pmse = if rows == 0 { 0.0 } else { Distinguishability::of_cells(&cells).pmse };
    // A tree of one leaf has found what chance finds: nothing.
    let ratio = if chance > 0.0 { pmse / chance } else { 1.0 };
    Tried { beyond_chance: pmse - chance, ratio, told_apart }
}

/// Two random sets of `count` rows without a common one, among the `of` rows that start at `first`.
fn halves(first: usize, of: usize, count: usize, random: &mut Generator) -> (Vec<u32>, Vec<u32>) {
    let mut chosen: Vec<u32> = choose(of as u64, 2 * count as u64, random)
        .into_iter()
        .map(|row| first as u32 + row as u32)
        .collect();
    chosen.shuffle(random);
    let second = chosen.split_off(count);
    (chosen, second)
}

/// The median of an odd number of trees.
fn median(tried: &[Tried], value: fn(&Tried) -> f64) -> f64 {
    let mut values: Vec<f64> = tried.iter().map(value).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
