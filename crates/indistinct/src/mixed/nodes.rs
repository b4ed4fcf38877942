//! What dependence is between: the value of a column in few classes, or whether it is missing.

use serde::{Deserialize, Serialize};

use crate::margin::{Codes, Margin};
use crate::private::{PrivateClasses, PrivateTable};

/// Classes of a number in tables of pairs.
pub(super) const NUMBER_CLASSES: usize = 12;
/// Classes of a nominal column in tables of pairs.
const LEVEL_CLASSES: usize = 400;

/// One side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Node {
    /// The class of a column's value.
    Value(usize),
    /// Whether a column is missing.
    Missing(usize),
}

/// A node with its classes.
#[derive(Debug, Clone)]
pub(super) struct Classed {
    pub(super) node: Node,
    pub(super) codes: Codes,
    /// Whether missing values are a class of their own here: in nominal columns.
    pub(super) missing: bool,
    /// Probability of each class.
    pub(super) probabilities: Vec<f64>,
}

impl Classed {
    /// The classes of a column with an order: missing values are another node's business.
    pub(super) fn number(column: usize, margin: &Margin) -> Self {
        let codes = margin.codes(NUMBER_CLASSES);
        let values = codes.len() - usize::from(codes.has_missing());
        let probabilities = codes.probabilities()[..values].to_vec();
        Self { node: Node::Value(column), codes, missing: false, probabilities }
    }

    /// The levels of a nominal column, missing values among them.
    pub(super) fn nominal(column: usize, margin: &Margin) -> Self {
        let codes = margin.codes(LEVEL_CLASSES);
        let probabilities = codes.probabilities().to_vec();
        Self { node: Node::Value(column), codes, missing: true, probabilities }
    }

    /// Whether a column is missing.
    pub(super) fn hole(column: usize, margin: &Margin) -> Self {
        let probabilities = vec![1.0 - margin.missing(), margin.missing()];
        Self { node: Node::Missing(column), codes: margin.codes(1), missing: false, probabilities }
    }

    /// The private rows in these classes.
    pub(super) fn of_rows(&self, table: &PrivateTable, margins: &[Margin]) -> PrivateClasses {
        match self.node {
            Node::Value(column) => table.coded(column, margins[column].grid(), &self.codes, self.missing),
            Node::Missing(column) => table.missing(column, margins[column].grid()),
        }
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.probabilities.len()
    }
}
