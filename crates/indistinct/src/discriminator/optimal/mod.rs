//! `optimal`: the tree of bounded depth that tells real from synthetic rows best, found globally.
//!
//! Among all trees of at most the given depth, [`fit`] finds one with the largest
//!
//! ```text
//! objective = pMSE or pMAE of the leaves (centre 1/2, over the N stacked rows) - leaf_penalty * leaves
//! ```
//!
//! A node may be cut, or left a leaf at any depth. The cuts of an ordered column are `x <= t` against `x > t`, where
//! missing counts as lower than every value (so that the lowest cut is missing against present); those of a nominal
//! column are one level, or missing, against the rest. Among trees with the same objective the one with fewer leaves
//! wins, then the first column, then the lowest cut.
//!
//! # Guarantee
//! Substituting one real row changes the objective by at most 1/N: 1/(2n), if there are n rows of either kind.
//!
//! *Why.* A fixed partition has that bound for either quality (for pMSE even 1/(2(n+1)), which is attained), and the
//! penalty does not change with the rows. The maximum over a family of partitions inherits it, **if the family does
//! not depend on the real rows**. It does not:
//!
//! - with [`Thresholds::All`] every real number is a threshold. The search looks only at midpoints of adjacent values,
//!   real rows included, because any other threshold puts the same rows on the same side as one of those: an economy
//!   that cannot change the maximum;
//! - with [`Thresholds::Binned`] thresholds are quantiles of the synthetic rows and both ends of their range, and
//!   levels are the declared ones, or the most frequent ones among the synthetic rows. The real rows are only
//!   counted;
//! - a minimum mass per leaf is one of *synthetic* rows;
//! - the depth and the penalty are parameters.
//!
//! Levels are public only if the schema declares them: levels learned from the real rows are outside the guarantee.
//! Only the **optimised objective itself** is bounded. The pMSE of the tree that maximises a *penalised*
//! objective is not (one row can exchange the tree for quite another with nearly the same penalised value), nor
//! are the tree, its cuts or its cells: show them only to those who may see the real table.

mod cross;
mod cuts;
mod histogram;
mod integer;
mod joint;
mod params;
mod score;
mod sweep;
mod tree;

#[cfg(test)]
mod tests;

pub use integer::{BinnedTrees, share_digits};
pub use params::{MAX_DEPTH, MAX_THRESHOLDS, OptimalOptions, OptimalParams, OptimalParamsError, Thresholds};
pub use tree::{Cut, Node, Split, Tree};

use super::Stacked;
use cuts::{Axis, Coded, Rows};
use score::{Score, with_score};

/// A tree with the largest objective.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// The largest objective: the quality of the leaves, minus the penalty for each.
    pub objective: f64,
    /// A tree that attains it.
    pub tree: Tree,
}

/// Two stacked tables with the cuts that a binned search considers, and the place of every row among them.
///
/// Made once, it serves any number of searches: over depths, qualities, penalties and masses.
#[derive(Debug, Clone, PartialEq)]
pub struct Binned(Coded);

impl Binned {
    /// Cuts every ordered column at `thresholds` quantiles of its synthetic values (fewer where values repeat) and at
    /// both ends of their range; a nominal one at its levels, or at the `thresholds` most frequent ones among the
    /// synthetic rows (ties: the lower number); and all of them at missing | present.
    ///
    /// The cuts depend on the synthetic rows alone, on which the guarantee rests.
    ///
    /// # Errors
    /// When the number of thresholds is not from 2 to [`MAX_THRESHOLDS`].
    pub fn new(stacked: &Stacked, thresholds: usize) -> Result<Self, OptimalParamsError> {
        params::check_count(thresholds)?;
        Ok(Self::of_count(stacked, thresholds))
    }

    /// The cuts for a number of thresholds that was checked before.
    fn of_count(stacked: &Stacked, thresholds: usize) -> Self {
        Self(Coded::binned(stacked, thresholds))
    }

    /// The cuts of each column, lowest first.
    pub fn cuts(&self) -> impl ExactSizeIterator<Item = &[Cut]> {
        self.0.axes.iter().map(|axis| axis.cuts.as_slice())
    }
}

/// Finds the best tree for two stacked tables.
pub fn fit(stacked: &Stacked, params: &OptimalParams) -> Optimum {
    match params.thresholds() {
        Thresholds::All => optimum(&Coded::all(stacked), true, params),
        Thresholds::Binned(count) => optimum(&Coded::binned(stacked, count), false, params),
    }
}

/// Finds the best tree over cuts made before. The thresholds are those of `binned`, whatever the parameters say.
pub fn fit_binned(binned: &Binned, params: &OptimalParams) -> Optimum {
    optimum(&binned.0, false, params)
}

fn optimum(coded: &Coded, all_thresholds: bool, params: &OptimalParams) -> Optimum {
    let mut nodes = Vec::new();
    with_score!(params, coded.rows.all, |score| {
        let mut grower = Grower { score: &score, axes: &coded.axes, all_thresholds, nodes: &mut nodes };
        grower.grow(&coded.rows, params.depth(), 0);
    });
    let tree = Tree::new(nodes);
    let quality = tree.distinguishability().value(params.quality());
    Optimum { objective: quality - params.leaf_penalty() * tree.leaves().count() as f64, tree }
}

/// Builds a tree from the root: finds the best first cut, then repeats that with the rows of either side.
struct Grower<'a, const T: u8, const M: bool> {
    score: &'a Score<T, M>,
    axes: &'a [Axis],
    all_thresholds: bool,
    nodes: &'a mut Vec<Node>,
}

impl<const T: u8, const M: bool> Grower<'_, T, M> {
    /// Adds the best tree with at most this many levels for these rows, and returns the position of its root.
    fn grow(&mut self, rows: &Rows, levels: u32, depth: u32) -> usize {
        let position = self.nodes.len();
        let &Rows { real, all, .. } = rows;
        self.nodes.push(Node { synthetic: (all - real) as u32, real: real as u32, depth, split: None });
        let root = match levels {
            0 => None,
            1 => joint::stump(self.score, self.axes, rows).root,
            2 if self.all_thresholds => sweep::sweep(self.score, self.axes, rows).0.root,
            2 => joint::pairs(self.score, self.axes, rows).root,
            _ => joint::triples(self.score, self.axes, rows).root,
        };
        if let Some(joint::Root { column: predictor, cut }) = root {
            let axis = &self.axes[predictor];
            let (inside, outside) = rows.split(axis, predictor, cut);
            let cut = axis.cuts[cut];
            let inside = self.grow(&inside, levels - 1, depth + 1);
            let outside = self.grow(&outside, levels - 1, depth + 1);
            self.nodes[position].split = Some(Split { predictor, cut, inside, outside });
        }
        position
    }
}
