//! Nominal columns and missing values: each hangs below one other node, chosen privately, by a table of the pair.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::nodes::{Classed, Node};
use crate::margin::project;
use crate::privacy::{Budget, CountsCharge, Sensitivity, choose, noisy_counts};
use crate::private::PrivateClasses;
use crate::sampler::SamplerError;

/// What independence has of a fitted table, so that nothing is impossible that both margins allow.
const INDEPENDENCE: f64 = 1e-4;
/// Sweeps of proportional fitting.
const SWEEPS: usize = 30;
/// The mean absolute value of noise, in its standard deviations, halved: what measuring a cell adds to the distance.
const ADDED: f64 = 0.4;

/// A node that hangs below another, or below none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Branch {
    pub(super) child: Node,
    pub(super) parent: Option<Node>,
    /// For each class of the parent (or for all) the probabilities of the child's classes.
    pub(super) given: Vec<Vec<f64>>,
}

/// What choosing and measuring one branch may cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    pub(super) choice: f64,
    pub(super) counts: f64,
}

/// Hangs every child somewhere: below a node of `trunk`, below a child that hangs already, or below nothing.
///
/// # Guarantee
/// A choice among pairs by n * TV from independence of the released margins, whose sensitivity is 1
/// (`proofs/pmae_sensitivity.md`), less a public penalty; then the counts of the pair. All of it is charged.
///
/// # Errors
/// When the budget does not allow it.
pub(super) fn hang(
    rows: usize,
    trunk: &[(Classed, PrivateClasses)],
    children: &[(Classed, PrivateClasses)],
    budget: &mut Budget,
    shares: Shares,
) -> Result<Vec<Branch>, SamplerError> {
    let mut branches: Vec<Branch> = Vec::new();
    let mut placed: Vec<&(Classed, PrivateClasses)> = trunk.iter().collect();
    let mut left: Vec<&(Classed, PrivateClasses)> = children.iter().collect();
    let mut ready: Option<CountsCharge> = None;
    while !left.is_empty() {
        // Charged before the choice, so that its noise is known to it; kept for the next if it is not needed.
        let charge = match ready.take() {
            Some(charge) => charge,
            None => {
                let step = format!("counts of pair {}", branches.len() + 1);
                let cost = budget.portion(shares.counts);
                budget.charge_counts(step, cost, Sensitivity::counts(NonZeroU64::MIN))?
            }
        };
        let sd = charge.noise_sd();
        let mut candidates: Vec<(usize, Option<usize>)> = Vec::new();
        let mut utilities: Vec<i64> = Vec::new();
        for (place, (child, child_rows)) in left.iter().enumerate() {
            candidates.push((place, None));
            utilities.push(0);
            for (above, (parent, parent_rows)) in placed.iter().enumerate() {
                let expected = independent(rows, parent, child);
                let penalty = (ADDED * sd * expected.len() as f64) as i64;
                candidates.push((place, Some(above)));
                utilities.push(distance(&expected, &parent_rows.pair_counts(child_rows)) - penalty);
            }
        }
        let step = format!("which pair depends, choice {}", branches.len() + 1);
        let cost = budget.portion(shares.choice);
        let choice = budget.charge_choice(step, cost, Sensitivity::pmae(NonZeroU64::MIN))?;
        let (place, above) = candidates[choose(choice, &utilities)?];
        let chosen = left.remove(place);
        let (child, child_rows) = chosen;
        let given = match above {
            None => {
                ready = Some(charge);
                vec![child.probabilities.clone()]
            }
            Some(above) => {
                let (parent, parent_rows) = placed[above];
                let noisy = noisy_counts(charge, &parent_rows.pair_counts(child_rows))?;
                conditional(&fitted(&noisy, rows, parent, child), child)
            }
        };
        let parent = above.map(|above| placed[above].0.node);
        branches.push(Branch { child: child.node, parent, given });
        placed.push(chosen);
    }
    Ok(branches)
}

/// Rows that independence would put into every cell of a pair, as whole numbers.
fn independent(rows: usize, parent: &Classed, child: &Classed) -> Vec<i64> {
    let cell = |p: &f64, q: &f64| (rows as f64 * p * q).round() as i64;
    parent.probabilities.iter().flat_map(|p| child.probabilities.iter().map(move |q| cell(p, q))).collect()
}

/// n * TV: sum max(a - b, 0).
pub(super) fn distance(expected: &[i64], counts: &[i64]) -> i64 {
    expected.iter().zip(counts).map(|(a, b)| (a - b).max(0)).sum()
}

/// Noisy counts as probabilities with the margins that were measured before.
pub(super) fn fitted(noisy: &[i64], rows: usize, parent: &Classed, child: &Classed) -> Vec<f64> {
    let counts: Vec<f64> = noisy.iter().map(|&count| count as f64).collect();
    let mass: f64 = parent.probabilities.iter().sum::<f64>() * child.probabilities.iter().sum::<f64>();
    let mut table = project(&counts, &vec![1.0; counts.len()], rows as f64 * mass);
    let width = child.count();
    for (row, p) in table.chunks_mut(width).zip(&parent.probabilities) {
        for (cell, q) in row.iter_mut().zip(&child.probabilities) {
            *cell = (1.0 - INDEPENDENCE) * *cell / rows as f64 + INDEPENDENCE * p * q;
        }
    }
    let scale = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    for _ in 0..SWEEPS {
        for (row, p) in table.chunks_mut(width).zip(&parent.probabilities) {
            let factor = scale(*p, row.iter().sum());
            row.iter_mut().for_each(|cell| *cell *= factor);
        }
        for (column, q) in child.probabilities.iter().enumerate() {
            let sum: f64 = table.iter().skip(column).step_by(width).sum();
            let factor = scale(*q, sum);
            table.iter_mut().skip(column).step_by(width).for_each(|cell| *cell *= factor);
        }
    }
    table
}

/// The child's probabilities for each class of its parent.
fn conditional(table: &[f64], child: &Classed) -> Vec<Vec<f64>> {
    let row = |row: &[f64]| {
        let sum: f64 = row.iter().sum();
        if sum > 0.0 { row.iter().map(|cell| cell / sum).collect() } else { child.probabilities.clone() }
    };
    table.chunks(child.count()).map(row).collect()
}
