//! Nominal columns and missing values: each hangs below one other node, chosen privately, by a table of the pair.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::nodes::{Classed, Node, Private};
use super::plan::{Shares, moved_by_noise};
use super::predictors::Predictors;
use crate::interrupt;
use crate::margin::{fit_proportionally, project, ratio};
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
            interrupt::check();
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
    let p: Vec<f64> = parent.probabilities.iter().map(|p| ratio(p * both, of_parent)).collect();
    let q: Vec<f64> = child.probabilities.iter().map(|q| ratio(q * both, of_child)).collect();
    for (row, p) in table.chunks_mut(width).zip(&p) {
        for (cell, q) in row.iter_mut().zip(&q) {
            *cell = (1.0 - INDEPENDENCE) * *cell / rows + INDEPENDENCE * ratio(p * q, both);
        }
    }
    fit_proportionally(&mut table, &p, &q, SWEEPS);
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

#[cfg(test)]
mod tests {
    use super::super::nodes::USUAL_CLASSES;
    use super::*;
    use crate::margin::Margin;

    fn node(column: usize, masses: &[f64], missing: f64, ordered: bool) -> Classed {
        let runs: Vec<String> =
            masses.iter().enumerate().map(|(place, mass)| format!("[{place},1,{mass},0.0]")).collect();
        let spacing = if ordered { "lattice" } else { "levels" };
        let grid = format!(r#"{{"spacing":"{spacing}","count":{}}}"#, masses.len());
        let text = format!(r#"{{"grid":{grid},"missing":{missing},"runs":[{}]}}"#, runs.join(","));
        let margin: Margin = serde_json::from_str(&text).unwrap();
        if ordered {
            Classed::ordered(column, &margin, USUAL_CLASSES)
        } else {
            Classed::nominal(column, &margin)
        }
    }

    #[test]
    fn fitted_tables_have_the_margins_that_were_measured() {
        let parent = node(0, &[0.2, 0.3, 0.5], 0.0, true);
        let child = node(1, &[0.6, 0.4], 0.0, false);
        let table = fitted(&[150, -20, 120, 200, 330, 170], 1000, &parent, &child);
        for (row, p) in table.chunks(2).zip([0.2, 0.3, 0.5]) {
            assert!((row.iter().sum::<f64>() - p).abs() < 1e-6, "{table:?}");
        }
        assert!((table.iter().step_by(2).sum::<f64>() - 0.6).abs() < 1e-6);
        assert!(table.iter().all(|cell| *cell >= 0.0) && table[1] > 0.0, "nothing is impossible: {table:?}");
        let given = conditional(&table, &child);
        assert!(given[0][0] > 0.9 && given.iter().all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12));
    }

    #[test]
    fn how_often_both_are_there_is_measured_where_both_can_be_missing() {
        let first = node(0, &[0.5, 0.5], 0.4, true);
        let second = node(1, &[0.5, 0.5], 0.4, true);
        // Missing together: in 600 of 1000 rows both are there, and not in 360.
        let table = fitted(&[300, 0, 0, 300], 1000, &first, &second);
        assert!((table.iter().sum::<f64>() - 0.6).abs() < 1e-6, "{table:?}");
        // Noise cannot make it more than each of them, nor less than what must overlap.
        for (noisy, sum) in [([900, 0, 0, 900], 0.6), ([-50, -50, -50, -50], 0.2)] {
            let table = fitted(&noisy, 1000, &first, &second);
            assert!((table.iter().sum::<f64>() - sum).abs() < 1e-6, "{table:?}");
        }
    }

    #[test]
    fn distances_count_rows_to_be_moved() {
        assert_eq!(distance(&[10, 0, 5], &[5, 5, 5]), 5);
        assert_eq!(distance(&[0, 0], &[3, 4]), 0);
    }
}
