//! Discriminate, measure, refit: pairs in which model and rows differ most, chosen privately and measured, and weights for
//! the model's rows by which it agrees with all that was measured.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::branches::{distance, fitted};
use super::nodes::{Node, Private};
use super::plan::Shares;
use super::predictors::Predictors;
use crate::privacy::{Budget, CountsCharge, choose, noisy_counts};
use crate::sampler::SamplerError;

/// Sweeps of proportional fitting after every measurement.
const SWEEPS: usize = 12;
/// The mean absolute value of noise, in its standard deviations, halved.
const ADDED: f64 = 0.4;
/// No row weighs more than so many times the mean.
pub(super) const HEAVIEST: f64 = 8.0;
/// One table changes no weight by more than this factor.
const STRONGEST: f64 = 20.0;

/// Factors of a row's weight by its classes in two nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Correction {
    pub(super) first: Node,
    pub(super) second: Node,
    /// Row after row.
    pub(super) factors: Vec<f64>,
}

/// Rows that the model made, by the classes of every node, and their weights.
pub(super) struct Population {
    /// For every node the class of every row; none where the node does not apply.
    pub(super) classes: Vec<Vec<Option<u16>>>,
    pub(super) weights: Vec<f64>,
}

/// A pair with what it should be.
struct Measured {
    pair: (usize, usize),
    target: Vec<f64>,
    factors: Vec<f64>,
}

impl Population {
    /// The weighted share of rows in every pair of classes.
    pub(super) fn shares(&self, pair: (usize, usize), nodes: &[Private]) -> Vec<f64> {
        let width = nodes[pair.1].node.count();
        let mut shares = vec![0.0; nodes[pair.0].node.count() * width];
        let mut sum = 0.0;
        let rows = self.classes[pair.0].iter().zip(&self.classes[pair.1]).zip(&self.weights);
        for ((first, second), weight) in rows {
            sum += weight;
            if let (Some(first), Some(second)) = (first, second) {
                shares[usize::from(*first) * width + usize::from(*second)] += weight;
            }
        }
        for share in &mut shares {
            *share /= sum;
        }
        shares
    }

    /// Multiplies weights by factors of a pair's cells.
    fn scale(&mut self, pair: (usize, usize), width: usize, factors: &[f64]) {
        let rows = self.classes[pair.0].iter().zip(&self.classes[pair.1]).zip(&mut self.weights);
        for ((first, second), weight) in rows {
            if let (Some(first), Some(second)) = (first, second) {
                *weight *= factors[usize::from(*first) * width + usize::from(*second)];
            }
        }
    }

    /// Proportional fitting to all measured pairs in turn.
    fn fit(&mut self, measured: &mut [Measured], nodes: &[Private]) {
        for _ in 0..SWEEPS {
            for view in measured.iter_mut() {
                let width = nodes[view.pair.1].node.count();
                let shares = self.shares(view.pair, nodes);
                let factor = |(target, share): (&f64, &f64)| {
                    if *share > 0.0 { (target / share).clamp(1.0 / STRONGEST, STRONGEST) } else { 1.0 }
                };
                let step: Vec<f64> = view.target.iter().zip(&shares).map(factor).collect();
                self.scale(view.pair, width, &step);
                for (whole, step) in view.factors.iter_mut().zip(step) {
                    *whole = (*whole * step).clamp(1e-6, 1e6);
                }
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
    let mut measured: Vec<Measured> = Vec::new();
    let mut pairs = correctable(nodes, predictors);
    let mut ready: Option<CountsCharge> = None;
    for round in 0..rounds {
        let charge = shares.counts(ready.take(), &format!("counts of correction {}", round + 1), budget)?;
        let sd = charge.noise_sd();
        let utility = |pair: &(usize, usize)| {
            let whole = |share: f64| (rows as f64 * share).round() as i64;
            let expected: Vec<i64> = population.shares(*pair, nodes).into_iter().map(whole).collect();
            let counts = nodes[pair.0].rows.pair_counts(&nodes[pair.1].rows);
            distance(&expected, &counts) - (ADDED * sd * expected.len() as f64) as i64
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
        let factors = vec![1.0; target.len()];
        measured.push(Measured { pair, target, factors });
        population.fit(&mut measured, nodes);
    }
    let correction = |view: Measured| Correction {
        first: nodes[view.pair.0].node.node,
        second: nodes[view.pair.1].node.node,
        factors: view.factors,
    };
    Ok(measured.into_iter().map(correction).collect())
}
