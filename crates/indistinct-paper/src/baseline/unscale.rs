//! From columns scaled to [-1, 1] back to their own units.

use indistinct::model::SequentialNormal;

use crate::baseline::Bounds;

/// The model of the columns in their own units.
pub(crate) fn model(scaled: &SequentialNormal, bounds: &Bounds) -> SequentialNormal {
    let scaling = |column| bounds.scaling(column);
    let location = scaled.location().iter().enumerate().map(|(j, mean)| {
        let (middle, half) = scaling(j);
        middle + half * mean
    });
    let factor = scaled.factor().iter().enumerate().map(|(j, row)| {
        let (_, half) = scaling(j);
        row.iter().map(|loading| loading * half).collect()
    });
    SequentialNormal::new(location.collect(), factor.collect())
}

/// Intercept and slopes in the columns' own units, from those of the scaled ones.
pub(crate) fn coefficients(scaled: &[f64], response: usize, bounds: &Bounds) -> Vec<f64> {
    let (middle, half) = bounds.scaling(response);
    let predictors = (0..bounds.intervals().len()).filter(|&column| column != response);
    let mut intercept = middle + half * scaled[0];
    let mut slopes = Vec::with_capacity(scaled.len() - 1);
    for (slope, column) in scaled[1..].iter().zip(predictors) {
        let (centre, width) = bounds.scaling(column);
        let slope = slope * half / width;
        intercept -= slope * centre;
        slopes.push(slope);
    }
    slopes.insert(0, intercept);
    slopes
}
