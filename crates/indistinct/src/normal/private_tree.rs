//! `private-tree`: a tree grown once, privately, against a located model, and fixed from then on.
//!
//! A greedy tree that looks at X has no sensitivity bound. This one is grown greedily too, but every split is
//! chosen privately and paid for: the synthetic rows are the located model's own and public, candidate thresholds
//! are their quantiles in the node, and the private rows are only counted. The finished tree is a fixed partition
//! of data space.

use crate::discriminator::fixed_tree::{Cut, FixedTree, counts_below};
use crate::discriminator::judge::{shares, shares_scale, standard_normals};
use crate::model::{SequentialModel, SequentialNormal};
use crate::privacy::StepError;
use crate::privacy::{Budget, Epsilon, Sensitivity, choose_from_lists};
use crate::private::PrivateRows;
use crate::random::Generator;

/// Least mean number of rows of a leaf.
const ROWS_PER_LEAF: usize = 64;
/// Most levels that the public rule gives.
const MOST_LEVELS: u32 = 6;

/// The growth of a private tree: public, whatever the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// Number of levels of splits.
    pub levels: u32,
    /// Number of thresholds of each column in each node.
    pub thresholds: usize,
    /// Nodes with fewer synthetic rows are not divided.
    pub fewest_synthetic: usize,
}

impl Growth {
    /// Growth by the number of rows: at most 64 leaves, with 64 rows each on average.
    pub fn for_rows(rows: usize) -> Self {
        let levels = (rows / ROWS_PER_LEAF).checked_ilog2().unwrap_or(0).clamp(1, MOST_LEVELS);
        Self { levels, thresholds: 15, fewest_synthetic: 16 }
    }
}

/// Grows a tree that tells the private rows from those of `located`, spending `epsilon` in equal parts on its levels.
///
/// # Guarantee
/// The part of the budget that `epsilon` is worth: all splits of a level are chosen under one charge, as
/// `proofs/tree_growth.md` shows, and levels compose (`proofs/budget_charge.md`, `proofs/zcdp.md`).
/// `normal::private_tree::tests` tries all small neighbours.
///
/// # Errors
/// When the budget does not allow it.
pub fn grow(
    rows: &PrivateRows,
    located: &SequentialNormal,
    growth: Growth,
    budget: &mut Budget,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<FixedTree, StepError> {
    let synthetic = located.simulate(&standard_normals(rows.rows(), rows.columns(), random));
    let each = epsilon.divided_by(u64::from(growth.levels));
    let mut tree = FixedTree::undivided();
    for level in 1..=growth.levels {
        // Charged whether or not anything can be divided, which is public: the sum is what was announced.
        let step = format!("splits of the tree, level {level}");
        let charge =
            budget.charge_choice(step, budget.worth(each), Sensitivity::tree_level(shares_scale()))?;
        let candidates = candidates(&tree, &synthetic, growth);
        let utilities = utilities(rows, &synthetic, &tree, &candidates);
        let divided: Vec<usize> =
            (0..candidates.len()).filter(|&leaf| !candidates[leaf].is_empty()).collect();
        let lists: Vec<Vec<i64>> = divided.iter().map(|&leaf| utilities[leaf].clone()).collect();
        let chosen = choose_from_lists(charge, &lists)?;
        let mut cuts = vec![None; tree.leaves()];
        for (&leaf, &choice) in divided.iter().zip(&chosen) {
            cuts[leaf] = Some(candidates[leaf][choice]);
        }
        tree = tree.divided(&cuts);
    }
    Ok(tree)
}

/// For every leaf, the cuts that may divide it: quantiles of its synthetic rows, column by column.
fn candidates(tree: &FixedTree, synthetic: &[Vec<f64>], growth: Growth) -> Vec<Vec<Cut>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); tree.leaves()];
    for (row, leaf) in tree.leaves_of(synthetic).enumerate() {
        members[leaf].push(row);
    }
    let of_column = |members: &[usize], column: usize| -> Vec<Cut> {
        let mut values: Vec<f64> =
            members.iter().map(|&row| synthetic[column][row]).filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let place = |k: usize| (k * values.len()).div_ceil(growth.thresholds + 1).checked_sub(1);
        let quantiles = (1..=growth.thresholds).filter_map(|k| values.get(place(k)?).copied());
        let mut thresholds: Vec<f64> = quantiles.filter(|value| Some(value) != values.last()).collect();
        thresholds.dedup();
        thresholds.into_iter().map(|threshold| Cut { column, threshold }).collect()
    };
    let of_leaf = |members: &Vec<usize>| -> Vec<Cut> {
        if members.len() < growth.fewest_synthetic.max(2) {
            return Vec::new();
        }
        (0..synthetic.len()).flat_map(|column| of_column(members, column)).collect()
    };
    members.iter().map(of_leaf).collect()
}

/// For every leaf, the integer utilities of its cuts: floor(2^20 a^2 / (a + b)) of the low side and of the high
/// one.
///
/// # Guarantee
/// One substituted row moves them as [`Sensitivity::tree_level`] says.
pub(crate) fn utilities(
    rows: &PrivateRows,
    synthetic: &[Vec<f64>],
    tree: &FixedTree,
    candidates: &[Vec<Cut>],
) -> Vec<Vec<i64>> {
    let public = counts_below(synthetic, tree, candidates);
    let private = rows.counts_below(tree, candidates);
    let of_leaf = |leaf: usize| -> Vec<i64> {
        let (all_a, all_b) = (public[leaf].all, private[leaf].all);
        let sides = public[leaf].below.iter().zip(&private[leaf].below);
        sides.map(|(&a, &b)| shares(a, b) + shares(all_a - a, all_b - b)).collect()
    };
    (0..candidates.len()).map(of_leaf).collect()
}

#[cfg(test)]
mod tests;
