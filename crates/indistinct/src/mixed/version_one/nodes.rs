//! The nodes of dependence: the value of a column in few classes, or whether it is missing.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::grid::Codes;
use crate::margin::Margin;
use crate::random::Generator;

/// Fewest classes of an ordered column in tables of pairs.
pub(super) const FEWEST_CLASSES: usize = 6;
/// Fewest classes of an ordered column where noise allows more.
pub(super) const USUAL_CLASSES: usize = 12;
/// Most classes of an ordered column.
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

/// The classes of a column's values.
#[derive(Debug, Clone)]
pub(super) struct Classed {
    pub(super) codes: Codes,
    /// Probability of each class.
    probabilities: Vec<f64>,
}

impl Classed {
    /// The values of an ordered column, in at most this many classes.
    pub(super) fn ordered(margin: &Margin, classes: usize) -> Self {
        let codes = margin.codes(classes);
        let values = codes.len() - usize::from(codes.has_missing());
        let probabilities = codes.probabilities()[..values].to_vec();
        Self { codes, probabilities }
    }

    /// The values of a nominal column.
    pub(super) fn nominal(margin: &Margin) -> Self {
        let codes = margin.codes(LEVEL_CLASSES);
        let probabilities = codes.probabilities().to_vec();
        Self { codes, probabilities }
    }

    /// Number of classes.
    pub(super) fn count(&self) -> usize {
        self.probabilities.len()
    }

    /// A random position of a class, by the margin; `None` for the class of missing values.
    pub(super) fn within(&self, margin: &Margin, class: usize, random: &mut Generator) -> Option<usize> {
        let starts = self.codes.starts();
        let low = margin.interval(*starts.get(class)?).0;
        let high = starts.get(class + 1).map_or(1.0, |&next| margin.interval(next).0);
        Some(margin.quantile(low + (high - low) * random.random::<f64>()))
    }
}
