//! A grown tree.

use super::super::{Predictor, tree};
use crate::quality::Cell;
use crate::table::MISSING_CODE;

/// The question by which a split divides rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Is x below the threshold? (Every present value is below an infinite one.)
    Below {
        /// The threshold.
        threshold: f64,
        /// Whether rows below it go to the left child.
        low_goes_left: bool,
    },
    /// Is the level one of these? Levels that are not in the node are not.
    OneOf {
        /// For each level, whether its rows go to the left child.
        left: Vec<bool>,
    },
}

/// The division of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The column.
    pub predictor: usize,
    /// The question about the column's value.
    pub question: Question,
    /// Whether rows with a missing value go to the left child.
    pub missing_goes_left: bool,
    /// Decrease of impurity (`class`), or share of the node's sum of squares (`anova`).
    pub gain: f64,
    /// Position of the left child in [`Tree::nodes`].
    pub left: usize,
    /// Position of the right child.
    pub right: usize,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// rpart's number: the root is 1, the children of k are 2k and 2k + 1.
    pub id: u64,
    /// Rows in the node.
    pub rows: u32,
    /// Synthetic rows among them.
    pub synthetic: u32,
    /// The smallest cp at which the node is not split, relative to the root's risk.
    pub complexity: f64,
    /// The division of the node; `None` for a leaf.
    pub split: Option<Split>,
}

/// A tree that is grown as rpart grows it: left children before right ones.
pub type Tree = tree::Tree<Node>;

impl tree::Node for Node {
    fn cell(&self) -> Cell {
        Cell { synthetic: f64::from(self.synthetic), real: f64::from(self.rows - self.synthetic) }
    }

    fn child_of(&self, predictors: &[Predictor], row: usize) -> Option<usize> {
        let split = self.split.as_ref()?;
        Some(if split.sends_left(&predictors[split.predictor], row) { split.left } else { split.right })
    }

    fn is_leaf(&self) -> bool {
        self.split.is_none()
    }
}

impl Split {
    /// Whether the row goes to the left child.
    ///
    /// # Panics
    /// When the question does not fit the predictor.
    pub fn sends_left(&self, predictor: &Predictor, row: usize) -> bool {
        match (&self.question, predictor) {
            (Question::Below { threshold, low_goes_left }, Predictor::Ordered(values)) => {
                let value = values[row];
                if value.is_nan() { self.missing_goes_left } else { (value < *threshold) == *low_goes_left }
            }
            (Question::OneOf { left }, Predictor::Nominal { codes, .. }) => match codes[row] {
                MISSING_CODE => self.missing_goes_left,
                code => left[code as usize],
            },
            _ => panic!("the tree was fitted to another kind of column"),
        }
    }
}
