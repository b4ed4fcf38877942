//! The tree that attains the optimum: its questions, and the contents of its cells.

use super::super::{Predictor, tree};
use crate::quality::Cell;
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

/// A tree that attains the optimum: children inside a cut before those outside.
pub type Tree = tree::Tree<Node>;

impl Tree {
    /// Most splits between the root and a leaf.
    pub fn depth(&self) -> u32 {
        self.nodes().iter().map(|node| node.depth).max().unwrap_or(0)
    }
}

impl tree::Node for Node {
    fn cell(&self) -> Cell {
        Cell { synthetic: f64::from(self.synthetic), real: f64::from(self.real) }
    }

    fn child_of(&self, predictors: &[Predictor], row: usize) -> Option<usize> {
        let split = self.split.as_ref()?;
        let inside = split.cut.contains(&predictors[split.predictor], row);
        Some(if inside { split.inside } else { split.outside })
    }

    fn is_leaf(&self) -> bool {
        self.split.is_none()
    }
}
