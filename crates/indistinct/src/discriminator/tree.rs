//! Binary trees that tell real from synthetic rows, whatever their nodes ask.

use super::Predictor;
use crate::quality::{Cell, Distinguishability};

/// A node of a [`Tree`].
pub trait Node {
    /// The rows in the node.
    fn cell(&self) -> Cell;

    /// The position in [`Tree::nodes`] of the child that a row goes to; none in a leaf.
    ///
    /// # Panics
    /// When the predictors are not of the kinds that the tree was fitted to, or have no such row.
    fn child_of(&self, predictors: &[Predictor], row: usize) -> Option<usize>;

    /// Whether the node is not divided.
    fn is_leaf(&self) -> bool;
}

/// A tree, as its nodes: parents before children, and of two children the first with all below it before the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree<N> {
    nodes: Vec<N>,
}

impl<N: Node> Tree<N> {
    pub(super) fn new(nodes: Vec<N>) -> Self {
        Self { nodes }
    }

    /// All nodes; the root is the first.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// The leaves, in the order of the nodes.
    pub fn leaves(&self) -> impl Iterator<Item = &N> {
        self.nodes.iter().filter(|node| node.is_leaf())
    }

    /// The leaves as cells.
    pub fn cells(&self) -> Vec<Cell> {
        self.leaves().map(Node::cell).collect()
    }

    /// The power of the tree to tell real from synthetic rows. Of a tree that was optimised with a penalty this is *not* the
    /// objective, and its sensitivity is not bounded: report it, do not spend privacy on it.
    pub fn distinguishability(&self) -> Distinguishability {
        Distinguishability::of_cells(&self.cells())
    }

    /// The leaf that a row falls into, as a position in [`Tree::nodes`].
    ///
    /// # Panics
    /// When the predictors are not those that the tree was fitted to.
    pub fn leaf_of(&self, predictors: &[Predictor], row: usize) -> usize {
        let mut position = 0;
        while let Some(child) = self.nodes[position].child_of(predictors, row) {
            position = child;
        }
        position
    }
}
