//! Least squares and logistic regression with weights, by the same factorisation.

use crate::linear::LeastSquares;
use crate::progress;

/// Most steps: well-behaved fits take six or seven.
const MOST_STEPS: usize = 40;
/// Relative change of the deviance at which the fit has converged: that of R's `glm`.
const CONVERGED: f64 = 1e-8;
/// Largest linear predictor: beyond it probabilities are 0 or 1, and the outcomes are separated.
const SEPARATED: f64 = 30.0;

/// Least squares with a weight for every row; NaN for coefficients whose columns depend on those before them, and
/// for all of them where there are too few rows.
pub(crate) fn weighted(columns: Vec<Vec<f64>>, response: Vec<f64>, weights: Option<&[f64]>) -> Vec<f64> {
    let count = columns.len();
    let (columns, response) = match weights {
        None => (columns, response),
        Some(weights) => {
            let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
            let scaled = |column: Vec<f64>| column.iter().zip(&roots).map(|(x, root)| x * root).collect();
            (columns.into_iter().map(scaled).collect(), scaled(response))
        }
    };
    if response.is_empty() || columns.iter().flatten().chain(&response).any(|number| !number.is_finite()) {
        return vec![f64::NAN; count];
    }
    let solved = LeastSquares::solve(columns, response);
    let mut coefficients = vec![f64::NAN; count];
    for (place, value) in solved.kept.into_iter().zip(solved.coefficients) {
        coefficients[place] = value;
    }
    coefficients
}

/// Logistic regression of outcomes 0 and 1 by iteratively reweighted least squares. All coefficients are NaN where
/// the outcomes are all the same or separated by the columns, as no finite coefficient is best then.
pub(crate) fn logit(columns: &[Vec<f64>], outcomes: &[f64], weights: Option<&[f64]>) -> Vec<f64> {
    let undefined = || vec![f64::NAN; columns.len()];
    // The deviance of such outcomes comes close to zero, and looks converged, long before probabilities are 0 or 1.
    if outcomes.iter().all(|y| *y == outcomes[0]) {
        return undefined();
    }
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let mut predictor: Vec<f64> = outcomes.iter().map(|y| (0.5 + y).ln() - (1.5 - y).ln()).collect();
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        progress::check();
        let mut response = Vec::with_capacity(outcomes.len());
        let mut working = Vec::with_capacity(outcomes.len());
        for (row, (y, eta)) in outcomes.iter().zip(&predictor).enumerate() {
            let p = probability(*eta);
            let variance = p * (1.0 - p);
            response.push(eta + (y - p) / variance);
            working.push(weight(row) * variance);
        }
        let coefficients = weighted(columns.to_vec(), response, Some(&working));
        if coefficients.iter().all(|coefficient| coefficient.is_nan()) {
            return undefined();
        }
        predictor = vec![0.0; outcomes.len()];
        for (column, coefficient) in columns.iter().zip(&coefficients).filter(|(_, c)| !c.is_nan()) {
            predictor.iter_mut().zip(column).for_each(|(eta, x)| *eta += x * coefficient);
        }
        if predictor.iter().any(|eta| eta.abs() > SEPARATED) {
            return undefined();
        }
        let of_row = |(row, (y, eta)): (usize, (&f64, &f64))| {
            // The logarithm of the probability of what was seen.
            -2.0 * weight(row) * -(if *y > 0.5 { -eta } else { *eta }).exp().ln_1p()
        };
        let deviance: f64 = outcomes.iter().zip(&predictor).enumerate().map(of_row).sum();
        if (before - deviance).abs() <= CONVERGED * (deviance.abs() + 0.1) {
            return coefficients;
        }
        before = deviance;
    }
    undefined()
}

fn probability(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saturated_logit_has_the_logarithms_of_odds() {
        // Two groups: 3 of 10 and 8 of 12.
        let group: Vec<f64> = (0..22).map(|row| f64::from(u8::from(row >= 10))).collect();
        let outcome: Vec<f64> =
            (0..22).map(|row| f64::from(u8::from(if row < 10 { row < 3 } else { row < 18 }))).collect();
        let columns = vec![vec![1.0; 22], group];
        let found = logit(&columns, &outcome, None);
        let odds = |yes: f64, no: f64| (yes / no).ln();
        assert!((found[0] - odds(3.0, 7.0)).abs() < 1e-6);
        assert!((found[1] - (odds(8.0, 4.0) - odds(3.0, 7.0))).abs() < 1e-6);
        // A weight of two counts a row twice.
        let twice = |column: &[f64]| [column, column].concat();
        let doubled = logit(&[twice(&columns[0]), twice(&columns[1])], &twice(&outcome), None);
        let weighted = logit(&columns, &outcome, Some(&[2.0; 22]));
        for (one, other) in doubled.iter().zip(&weighted) {
            assert!((one - other).abs() < 1e-6);
        }
    }

    #[test]
    fn separated_and_constant_outcomes_have_no_coefficients() {
        let x: Vec<f64> = (0..20).map(f64::from).collect();
        let columns = vec![vec![1.0; 20], x];
        let separated: Vec<f64> = (0..20).map(|row| f64::from(u8::from(row >= 10))).collect();
        assert!(logit(&columns, &separated, None).iter().all(|value| value.is_nan()));
        assert!(logit(&columns, &[1.0; 20], None).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn weights_are_those_of_repeated_rows() {
        let (x, y) = (vec![1.0, 2.0, 3.0, 4.0], vec![1.0, 3.0, 2.0, 5.0]);
        let ones = vec![1.0; 4];
        let repeated =
            weighted(vec![vec![1.0; 5], vec![1.0, 2.0, 3.0, 4.0, 4.0]], vec![1.0, 3.0, 2.0, 5.0, 5.0], None);
        let found = weighted(vec![ones, x], y, Some(&[1.0, 1.0, 1.0, 2.0]));
        assert!(repeated.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
