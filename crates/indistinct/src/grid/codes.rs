//! Classes of a column's positions, for tables of several columns.

/// A partition of a grid's positions into classes; missing values, if possible, are the last class.
#[derive(Debug, Clone, PartialEq)]
pub struct Codes {
    /// First position of every class, ascending from 0.
    pub(crate) starts: Vec<usize>,
    /// Probability of every class, missing values included.
    pub(crate) probabilities: Vec<f64>,
    pub(crate) has_missing: bool,
}

impl Codes {
    /// Number of classes, including that of missing values.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// Whether the last class is that of missing values.
    pub fn has_missing(&self) -> bool {
        self.has_missing
    }

    /// The class of a position, or of a missing value (the first class if none were found when this was
    /// measured).
    pub fn class(&self, position: Option<usize>) -> usize {
        match position {
            Some(position) => self.starts.partition_point(|start| *start <= position).saturating_sub(1),
            None if self.has_missing => self.len() - 1,
            None => 0,
        }
    }

    /// First position of every class of values, ascending from 0.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The probability of every class.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}
