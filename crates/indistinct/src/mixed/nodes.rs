//! What dependence is between: the value of a column in few classes, or whether it is missing.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::margin::{Codes, Margin};
use crate::private::{PrivateClasses, PrivateTable};
use crate::random::Generator;

/// Classes of an ordered column in tables of pairs: the fewest, the fewest where noise leaves more, and the most.
pub(super) const FEWEST_CLASSES: usize = 6;
pub(super) const USUAL_CLASSES: usize = 12;
pub(super) const MOST_CLASSES: usize = 24;
/// Classes of a nominal column in tables of pairs.
const LEVEL_CLASSES: usize = 400;

/// One side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Node {
    /// The class of a column's value.
    Value(usize),
    /// Whether a column is missing.
    Missing(usize),
}

impl Node {
    /// The column that it is about.
    pub(super) fn column(self) -> usize {
        match self {
            Self::Value(column) | Self::Missing(column) => column,
        }
    }
}

/// A node with its classes.
#[derive(Debug, Clone)]
pub(super) struct Classed {
    pub(super) node: Node,
    pub(super) codes: Codes,
    /// Whether missing values are a class of their own here: in nominal columns. In others they are another node's business.
    missing: bool,
    /// Probability of each class.
    pub(super) probabilities: Vec<f64>,
}

/// A node with the private rows in its classes.
pub(super) struct Private {
    pub(super) node: Classed,
    pub(super) rows: PrivateClasses,
}

impl Classed {
    /// The values of an ordered column, in at most so many classes.
    pub(super) fn ordered(column: usize, margin: &Margin, classes: usize) -> Self {
        let codes = margin.codes(classes);
        let values = codes.len() - usize::from(codes.has_missing());
        let probabilities = codes.probabilities()[..values].to_vec();
        Self { node: Node::Value(column), codes, missing: false, probabilities }
    }

    /// The values of a nominal column.
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

    /// With the private rows in these classes.
    pub(super) fn of_rows(self, table: &PrivateTable, margins: &[Margin]) -> Private {
        let rows = match self.node {
            Node::Value(column) => table.coded(column, margins[column].grid(), &self.codes, self.missing),
            Node::Missing(column) => table.missing(column, margins[column].grid()),
        };
        Private { node: self, rows }
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.probabilities.len()
    }

    /// A position of a class, as the margin has them; none if that is the class of missing values.
    pub(super) fn within(&self, margin: &Margin, class: usize, random: &mut Generator) -> Option<usize> {
        let starts = self.codes.starts();
        let low = margin.interval(*starts.get(class)?).0;
        let high = starts.get(class + 1).map_or(1.0, |&next| margin.interval(next).0);
        Some(margin.quantile(low + (high - low) * random.random::<f64>()))
    }
}
