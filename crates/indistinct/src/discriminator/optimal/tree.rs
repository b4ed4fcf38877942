//! The tree that attains the optimum: its questions, and the contents of its cells.

use super::super::Predictor;
use crate::quality::{Cell, Distinguishability};
use crate::table::MISSING_CODE;

/// The question by which a split divides rows: a yes goes *inside* the cut, a no outside.
///
/// The answer is a function of the row's own value and of a public cut, so that the cell of a row does not depend
/// on other rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// Is the value missing?
    Missing,
    /// Is the value of an ordered column below this, or missing?
    Below(f64),
    /// Is the value of an ordered column at most this, or missing? (Missing counts as lower than every value.)
    AtMost(f64),
    /// Is it this level of a nominal column?
    Level(u32),
}

impl Cut {
    /// Whether the row lies inside the cut. A question that does not fit the kind of column is answered with no.
    ///
    /// # Panics
    /// When the predictor has no such row.
    pub fn contains(&self, predictor: &Predictor, row: usize) -> bool {
        match (self, predictor) {
            (Self::Missing, Predictor::Ordered(values)) => values[row].is_nan(),
            (Self::Missing, Predictor::Nominal { codes, .. }) => codes[row] == MISSING_CODE,
            (&Self::Below(threshold), Predictor::Ordered(values)) => {
                values[row] < threshold || values[row].is_nan()
            }
            (&Self::AtMost(threshold), Predictor::Ordered(values)) => {
                values[row] <= threshold || values[row].is_nan()
            }
            (&Self::Level(level), Predictor::Nominal { codes, .. }) => codes[row] == level,
            _ => false,
        }
    }
}

/// The division of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// The column.
    pub predictor: usize,
    /// The question about the column's value.
    pub cut: Cut,
    /// Position in [`Tree::nodes`] of the child with the rows inside the cut.
    pub inside: usize,
    /// Position of the child with the other rows.
    pub outside: usize,
}

/// A node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// Synthetic rows in the node (a).
    pub synthetic: u32,
    /// Real rows in the node (b).
    pub real: u32,
    /// Splits between the root and the node.
    pub depth: u32,
    /// The division of the node; `None` for a leaf.
    pub split: Option<Split>,
}

/// A tree as a list of nodes: parents before children, inside before outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        Self { nodes }
    }

    /// All nodes; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The leaves, from the inside of all cuts outwards.
    pub fn leaves(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.split.is_none())
    }

    /// The leaves as cells.
    pub fn cells(&self) -> Vec<Cell> {
        let cell = |node: &Node| Cell { synthetic: f64::from(node.synthetic), real: f64::from(node.real) };
        self.leaves().map(cell).collect()
    }

    /// Most splits between the root and a leaf.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.depth).max().unwrap_or(0)
    }

    /// How well the tree tells real from synthetic rows. With a penalty this is *not* the optimised objective, and
    /// its sensitivity is not bounded: report it, do not spend privacy on it.
    pub fn distinguishability(&self) -> Distinguishability {
        Distinguishability::of_cells(&self.cells())
    }

    /// The leaf that a row falls into, as a position in [`Tree::nodes`].
    ///
    /// # Panics
    /// When the predictors are not those that the tree was fitted to.
    pub fn leaf_of(&self, predictors: &[Predictor], row: usize) -> usize {
        let mut position = 0;
        while let Some(split) = &self.nodes[position].split {
            let inside = split.cut.contains(&predictors[split.predictor], row);
            position = if inside { split.inside } else { split.outside };
        }
        position
    }
}
