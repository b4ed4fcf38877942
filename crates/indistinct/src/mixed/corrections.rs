//! Discriminate, measure, refit: pairs in which model and rows differ most, chosen privately and measured, and weights for
//! the model's rows by which it agrees with all that was measured.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::branches::{distance, fitted};
use super::nodes::{Node, Private};
use super::plan::{Shares, moved_by_noise};
use super::predictors::Predictors;
use crate::interrupt;
use crate::privacy::{Budget, CountsCharge, choose, noisy_counts};
use crate::sampler::SamplerError;

/// Sweeps of proportional fitting after every measurement, and after the last one.
const SWEEPS: usize = 4;
const LAST_SWEEPS: usize = 12;
/// Rows of the population that one thread weighs at a time: fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1 << 14;
/// No row weighs more than so many times the mean.
pub(super) const HEAVIEST: f64 = 10.0;
/// One table changes no weight by more than this factor: rows that the model hardly makes cannot be made up for.
const STRONGEST: f64 = 30.0;

/// Factors of a row's weight by its class in one node, or in two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Correction {
    pub(super) first: Node,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) second: Option<Node>,
    /// Row after row.
    pub(super) factors: Vec<f64>,
}

/// Rows that the model made, by the classes of every node, and their weights.
pub(super) struct Population {
    /// For every node the class of every row; none where the node does not apply.
    classes: Vec<Vec<Option<u16>>>,
    /// Products of factors.
    weights: Vec<f64>,
    /// What no row weighs more than, whatever its factors.
    most: f64,
}

/// One node or a pair, with what its shares should be.
struct View {
    nodes: (usize, Option<usize>),
    /// The cell of every row of the population; that after the last where a node does not apply.
    cells: Vec<u32>,
    target: Vec<f64>,
    factors: Vec<f64>,
}

impl View {
    fn new(nodes: (usize, Option<usize>), target: Vec<f64>, width: usize, population: &Population) -> Self {
        let cells = population.cells(nodes, (target.len(), width));
        Self { nodes, cells, factors: vec![1.0; target.len()], target }
    }
}

impl Population {
    /// Rows by the classes of every node, all of the same weight.
    pub(super) fn new(classes: Vec<Vec<Option<u16>>>) -> Self {
        let rows = classes.first().map_or(0, Vec::len);
        Self { classes, weights: vec![1.0; rows], most: HEAVIEST }
    }

    /// For every node the class of every row.
    pub(super) fn classes(&self) -> &[Vec<Option<u16>>] {
        &self.classes
    }

    /// The weight by which all others are judged: no row has more than [`HEAVIEST`] times this.
    pub(super) fn mean_weight(&self) -> f64 {
        self.most / HEAVIEST
    }

    /// The cell of every row: its class in a node, or its pair of classes in two.
    fn cells(&self, (first, second): (usize, Option<usize>), (count, width): (usize, usize)) -> Vec<u32> {
        let outside = count as u32;
        let alone = |class: &Option<u16>| class.map_or(outside, u32::from);
        let Some(second) = second else { return self.classes[first].iter().map(alone).collect() };
        let both = |(first, second): (&Option<u16>, &Option<u16>)| match (first, second) {
            (Some(first), Some(second)) => u32::from(*first) * width as u32 + u32::from(*second),
            _ => outside,
        };
        self.classes[first].iter().zip(&self.classes[second]).map(both).collect()
    }

    /// The weighted share of rows in every cell.
    fn shares_of(&self, cells: &[u32], count: usize) -> Vec<f64> {
        let sums = |(cells, weights): (&[u32], &[f64])| {
            interrupt::check();
            let mut sums = vec![0.0; count + 1];
            for (cell, weight) in cells.iter().zip(weights) {
                sums[*cell as usize] += weight.min(self.most);
            }
            sums
        };
        let chunks: Vec<Vec<f64>> =
            cells.par_chunks(CHUNK).zip(self.weights.par_chunks(CHUNK)).map(sums).collect();
        let mut shares = vec![0.0; count + 1];
        for chunk in chunks {
            for (share, sum) in shares.iter_mut().zip(chunk) {
                *share += sum;
            }
        }
        let sum: f64 = shares.iter().sum();
        shares.truncate(count);
        for share in &mut shares {
            *share /= sum;
        }
        shares
    }

    /// The weighted share of rows in every pair of classes.
    pub(super) fn shares(&self, (first, second): (usize, usize), nodes: &[Private]) -> Vec<f64> {
        let width = nodes[second].node.count();
        let count = nodes[first].node.count() * width;
        self.shares_of(&self.cells((first, Some(second)), (count, width)), count)
    }

    /// Proportional fitting to all views in turn.
    fn fit(&mut self, views: &mut [View], sweeps: usize) {
        for _ in 0..sweeps {
            let sum: f64 = self.weights.iter().map(|weight| weight.min(self.most)).sum();
            self.most = HEAVIEST * sum / self.weights.len().max(1) as f64;
            for view in views.iter_mut() {
                let shares = self.shares_of(&view.cells, view.target.len());
                let factor = |((target, share), whole): ((&f64, &f64), &f64)| {
                    let wanted = if *share > 0.0 { whole * target / share } else { *whole };
                    wanted.clamp(1.0 / STRONGEST, STRONGEST) / whole
                };
                let cells = view.target.iter().zip(&shares).zip(&view.factors);
                let mut step: Vec<f64> = cells.map(factor).collect();
                for (whole, step) in view.factors.iter_mut().zip(&step) {
                    *whole *= step;
                }
                step.push(1.0);
                let chunks = view.cells.par_chunks(CHUNK).zip(self.weights.par_chunks_mut(CHUNK));
                chunks.for_each(|(cells, weights)| {
                    for (cell, weight) in cells.iter().zip(weights) {
                        *weight *= step[*cell as usize];
                    }
                });
            }
        }
    }
}

/// Pairs of nodes of which a table may be measured.
pub(super) fn correctable(nodes: &[Private], predictors: &Predictors) -> Vec<(usize, usize)> {
    let pairs = (0..nodes.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs
        .filter(|&(first, second)| predictors.allow_nodes(nodes[first].node.node, nodes[second].node.node))
        .collect()
}

/// Rounds of choosing, measuring and fitting; the corrections that result.
///
/// # Guarantee
/// Every round chooses a pair by n * TV between the model's shares, which are public, and the private rows
/// (`proofs/pmae_sensitivity.md`), less a public penalty, and counts that pair (`proofs/counts_sensitivity.md`). The
/// number of rounds is public.
///
/// # Errors
/// When the budget does not allow it.
pub(super) fn correct(
    rows: usize,
    nodes: &[Private],
    population: &mut Population,
    predictors: &Predictors,
    (budget, shares, rounds): (&mut Budget, Shares, usize),
) -> Result<Vec<Correction>, SamplerError> {
    // Margins are known better than any pair: they come last in every sweep.
    let margin = |(place, private): (usize, &Private)| {
        View::new((place, None), private.node.probabilities.clone(), 1, population)
    };
    let mut views: Vec<View> = nodes.iter().enumerate().map(margin).collect();
    let mut measured = 0;
    let mut pairs = correctable(nodes, predictors);
    let mut ready: Option<CountsCharge> = None;
    for round in 0..rounds {
        let charge = shares.counts(ready.take(), &format!("counts of correction {}", round + 1), budget)?;
        let sd = charge.noise_sd();
        let utility = |pair: &(usize, usize)| {
            interrupt::check();
            let whole = |share: f64| (rows as f64 * share).round() as i64;
            let expected: Vec<i64> = population.shares(*pair, nodes).into_iter().map(whole).collect();
            let counts = nodes[pair.0].rows.pair_counts(&nodes[pair.1].rows);
            distance(&expected, &counts) - moved_by_noise(sd, expected.len()) as i64
        };
        let mut utilities: Vec<i64> = pairs.par_iter().map(utility).collect();
        // To correct nothing is a choice too.
        utilities.push(0);
        let choice = shares.choice(&format!("which pair differs, round {}", round + 1), budget)?;
        let chosen = choose(choice, &utilities)?;
        if chosen == pairs.len() {
            ready = Some(charge);
            continue;
        }
        let pair = pairs.remove(chosen);
        let noisy = noisy_counts(charge, &nodes[pair.0].rows.pair_counts(&nodes[pair.1].rows))?;
        let target = fitted(&noisy, rows, &nodes[pair.0].node, &nodes[pair.1].node);
        let width = nodes[pair.1].node.count();
        views.insert(measured, View::new((pair.0, Some(pair.1)), target, width, population));
        measured += 1;
        population.fit(&mut views, SWEEPS);
    }
    if measured == 0 {
        return Ok(Vec::new());
    }
    population.fit(&mut views, LAST_SWEEPS);
    let correction = |view: View| Correction {
        first: nodes[view.nodes.0].node.node,
        second: view.nodes.1.map(|second| nodes[second].node.node),
        factors: view.factors,
    };
    Ok(views.into_iter().map(correction).collect())
}
