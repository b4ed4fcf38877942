//! Nominal columns and missing values: each hangs below one other node, chosen privately, by a table of the pair.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::nodes::{Classed, Node, Private};
use super::plan::{Shares, moved_by_noise};
use super::predictors::Predictors;
use crate::margin::project;
use crate::privacy::{Budget, CountsCharge, choose, noisy_counts};
use crate::sampler::SamplerError;

/// What independence has of a fitted table, so that nothing is impossible that both margins allow.
const INDEPENDENCE: f64 = 1e-4;
/// Probabilities that differ by less are the same.
const ROUNDING: f64 = 1e-9;
/// Sweeps of proportional fitting.
const SWEEPS: usize = 30;

/// A node that hangs below another, or below none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Branch {
    pub(super) child: Node,
    pub(super) parent: Option<Node>,
    /// For each class of the parent (or for all) the probabilities of the child's classes.
    pub(super) given: Vec<Vec<f64>>,
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
    trunk: &[Private],
    children: &[Private],
    predictors: &Predictors,
    (budget, shares): (&mut Budget, Shares),
) -> Result<Vec<Branch>, SamplerError> {
    let mut branches: Vec<Branch> = Vec::new();
    let mut placed: Vec<&Private> = trunk.iter().collect();
    let mut left: Vec<&Private> = children.iter().collect();
    let mut ready: Option<CountsCharge> = None;
    while !left.is_empty() {
        let mut candidates: Vec<(usize, Option<usize>)> = Vec::new();
        for (place, child) in left.iter().enumerate() {
            candidates.push((place, None));
            let allowed = |above: &usize| predictors.allow_nodes(child.node.node, placed[*above].node.node);
            candidates.extend((0..placed.len()).filter(allowed).map(|above| (place, Some(above))));
        }
        if candidates.iter().all(|(_, above)| above.is_none()) {
            branches.extend(left.iter().map(|child| Branch::alone(&child.node)));
            break;
        }
        let charge =
            shares.counts(ready.take(), &format!("counts of pair {}", branches.len() + 1), budget)?;
        let sd = charge.noise_sd();
        let utility = |&(place, above): &(usize, Option<usize>)| {
            let Some(above) = above else { return 0 };
            let (parent, child) = (placed[above], left[place]);
            let expected = independent(rows, &parent.node, &child.node);
            let penalty = moved_by_noise(sd, expected.len()) as i64;
            distance(&expected, &parent.rows.pair_counts(&child.rows)) - penalty
        };
        let utilities: Vec<i64> = candidates.par_iter().map(utility).collect();
        let choice = shares.choice(&format!("which pair depends, choice {}", branches.len() + 1), budget)?;
        let (place, above) = candidates[choose(choice, &utilities)?];
        let child = left.remove(place);
        branches.push(match above {
            None => {
                ready = Some(charge);
                Branch::alone(&child.node)
            }
            Some(above) => {
                let parent = placed[above];
                let noisy = noisy_counts(charge, &parent.rows.pair_counts(&child.rows))?;
                let given = conditional(&fitted(&noisy, rows, &parent.node, &child.node), &child.node);
                Branch { child: child.node.node, parent: Some(parent.node.node), given }
            }
        });
        placed.push(child);
    }
    Ok(branches)
}

impl Branch {
    /// A node that depends on nothing.
    fn alone(child: &Classed) -> Self {
        Self { child: child.node, parent: None, given: vec![child.probabilities.clone()] }
    }
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

/// Noisy counts as probabilities, with margins in proportion to those that were measured before.
pub(super) fn fitted(noisy: &[i64], rows: usize, parent: &Classed, child: &Classed) -> Vec<f64> {
    let rows = rows as f64;
    let counts: Vec<f64> = noisy.iter().map(|&count| count as f64).collect();
    let (of_parent, of_child): (f64, f64) =
        (parent.probabilities.iter().sum(), child.probabilities.iter().sum());
    // Where both can be missing, how often neither is has to be measured too.
    let both = if of_parent < 1.0 - ROUNDING && of_child < 1.0 - ROUNDING {
        let least = (of_parent + of_child - 1.0).max(0.0);
        (counts.iter().sum::<f64>() / rows).clamp(least, of_parent.min(of_child)).max(ROUNDING)
    } else {
        of_parent * of_child
    };
    let mut table = project(&counts, &vec![1.0; counts.len()], rows * both);
    let width = child.count();
    let p: Vec<f64> = parent.probabilities.iter().map(|p| scale(p * both, of_parent)).collect();
    let q: Vec<f64> = child.probabilities.iter().map(|q| scale(q * both, of_child)).collect();
    for (row, p) in table.chunks_mut(width).zip(&p) {
        for (cell, q) in row.iter_mut().zip(&q) {
            *cell = (1.0 - INDEPENDENCE) * *cell / rows + INDEPENDENCE * scale(p * q, both);
        }
    }
    for _ in 0..SWEEPS {
        for (row, p) in table.chunks_mut(width).zip(&p) {
            let factor = scale(*p, row.iter().sum());
            for cell in row {
                *cell *= factor;
            }
        }
        for (column, q) in q.iter().enumerate() {
            let sum: f64 = table.iter().skip(column).step_by(width).sum();
            let factor = scale(*q, sum);
            table.iter_mut().skip(column).step_by(width).for_each(|cell| *cell *= factor);
        }
    }
    table
}

/// A part of a whole; nothing of nothing.
fn scale(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The child's probabilities for each class of its parent.
fn conditional(table: &[f64], child: &Classed) -> Vec<Vec<f64>> {
    let row = |row: &[f64]| {
        let sum: f64 = row.iter().sum();
        if sum > 0.0 { row.iter().map(|cell| cell / sum).collect() } else { child.probabilities.clone() }
    };
    table.chunks(child.count()).map(row).collect()
}
