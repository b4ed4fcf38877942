//! Columns as ranks and levels, which trees compare.

use rayon::prelude::*;

use crate::discriminator::Predictor;
use crate::discriminator::cart::Presorted;

/// The columns from which a forest predicts. Training and test rows are rows of the same features.
#[derive(Debug)]
pub struct Features {
    columns: Vec<Feature>,
}

#[derive(Debug)]
pub(super) struct Feature {
    /// The key of each row. The key of a missing value is 0 for ordered values, and the number of levels for
    /// nominal ones.
    pub(super) keys: Vec<u32>,
    pub(super) scale: FeatureScale,
}

#[derive(Debug)]
pub(super) enum FeatureScale {
    /// Keys are ranks of values, from 1 on, in this list.
    Ordered(Vec<f64>),
    /// Keys are levels, of which this is the number; the next key is missing.
    Nominal(usize),
}

impl Features {
    /// Ranks the values of each column.
    pub fn new(predictors: &[&Predictor]) -> Self {
        let feature = |predictor: &&Predictor| match predictor {
            Predictor::Ordered(_) => {
                let (keys, values) = Presorted::new(predictor).into_ranks();
                Feature { keys, scale: FeatureScale::Ordered(values) }
            }
            Predictor::Nominal { codes, levels } => Feature {
                // The code of missing is beyond every level.
                keys: codes.iter().map(|&code| code.min(*levels as u32)).collect(),
                scale: FeatureScale::Nominal(*levels),
            },
        };
        Self { columns: predictors.par_iter().map(feature).collect() }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn column(&self, column: usize) -> &Feature {
        &self.columns[column]
    }

    pub(super) fn key(&self, column: u32, row: u32) -> u32 {
        self.columns[column as usize].keys[row as usize]
    }
}

impl FeatureScale {
    /// The limit between two neighbouring keys of a node: rows with a smaller key are below. It lies halfway
    /// between their values, so that values of other rows go to the nearer side.
    pub(super) fn limit(&self, low: u32, high: u32) -> u32 {
        match self {
            Self::Ordered(values) if low > 0 => {
                let value = |key: u32| values[key as usize - 1];
                let middle = value(low) + (value(high) - value(low)) / 2.0;
                let limit = 1 + values.partition_point(|&value| value < middle) as u32;
                limit.clamp(low + 1, high)
            }
            _ => low + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_lie_halfway_and_missing_is_below_all() {
        let predictor = Predictor::Ordered(vec![5.0, f64::NAN, 1.0, 2.0, 5.0, 9.0]);
        let features = Features::new(&[&predictor]);
        let Feature { keys, scale } = features.column(0);
        assert_eq!(keys, &[3, 0, 1, 2, 3, 4]);
        assert_eq!(scale.limit(0, 1), 1, "missing against all");
        assert_eq!(scale.limit(1, 2), 2);
        assert_eq!(scale.limit(1, 4), 3, "5 is halfway between 1 and 9, and goes up");
        assert_eq!(scale.limit(2, 3), 3);
        let nominal = Predictor::Nominal { codes: vec![1, u32::MAX, 0], levels: 2 };
        assert_eq!(Features::new(&[&nominal]).column(0).keys, [1, 2, 0]);
    }

    /// The midpoint of two neighbouring doubles is one of them.
    #[test]
    fn neighbouring_doubles_are_separated() {
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        let features = Features::new(&[&Predictor::Ordered(vec![1.0, next])]);
        assert_eq!(features.column(0).scale.limit(1, 2), 2);
    }
}
