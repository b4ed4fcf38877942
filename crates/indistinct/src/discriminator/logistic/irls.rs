//! Maximum likelihood by iteratively reweighted least squares, step by step as R's `glm.fit`.

use super::design::{Design, total};
use crate::linear::{Cholesky, Symmetric};

/// Relative change of the deviance at which R stops.
const EPSILON: f64 = 1e-8;
/// A score this close to 0 or 1 belongs to a fit on its way to infinity.
const EXTREME: f64 = 1e-8;
/// Log-odds that stand for the labels before the first step: R starts from scores 3/4 and 1/4, whose working
/// responses are +-(ln 3 + (1/4) / (3/16)).
const FIRST_RESPONSE: f64 = 1.098_612_288_668_109_8 + 4.0 / 3.0;
/// Halvings of one step before the fit is given up.
const MAX_HALVINGS: usize = 25;

/// How a run of the iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Converged,
    /// Out of iterations, or no step lowers the deviance.
    NotConverged,
    /// Scores within [`EXTREME`] of 0 or 1.
    Extreme,
    /// The weighted cross-product cannot be factored.
    Singular,
}

/// The state in which the iteration ended.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) ending: Ending,
    pub(super) iterations: usize,
    pub(super) coefficients: Vec<f64>,
    pub(super) point: Point,
}

/// What one pass over the rows finds at given coefficients.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) scores: Vec<f64>,
    pub(super) deviance: f64,
    /// X'(y - p).
    gradient: Vec<f64>,
    /// X'WX with W = p (1 - p).
    information: Symmetric,
    /// The smallest distance of a score from 0 or 1.
    closest: f64,
}

/// Coefficients of the kept columns for these labels. With a `penalty` the log-likelihood is lowered by
/// penalty / 2 times the sum of squares of all coefficients but the intercept, and extreme scores are no
/// reason to stop.
pub(super) fn iterate(design: &Design, labels: &[bool], penalty: Option<f64>, max_iterations: usize) -> Run {
    let ridge = penalty.unwrap_or(0.0);
    let penalised = |point: &Point, coefficients: &[f64]| -> f64 {
        let squares: f64 = coefficients.iter().skip(1).map(|value| value * value).sum();
        point.deviance + ridge * squares
    };
    let mut coefficients = start(design, labels);
    let mut point = pass(design, labels, &coefficients);
    let mut objective = penalised(&point, &coefficients);
    let mut before = -2.0 * 0.75f64.ln() * labels.len() as f64;
    let mut previous: Option<Vec<f64>> = None;
    let mut iterations = 1;
    let ending = loop {
        let change = |now: f64| (now - before) / (now.abs() + 0.1);
        if let Some(previous) = &previous {
            // R lets a step be halved from the second on, until the deviance is below where it was.
            let mut halvings = 0;
            if !objective.is_finite() || change(objective) >= EPSILON {
                while (!objective.is_finite() || change(objective) > -EPSILON) && halvings < MAX_HALVINGS {
                    for (value, old) in coefficients.iter_mut().zip(previous) {
                        *value = 0.5 * (*value + old);
                    }
                    point = pass(design, labels, &coefficients);
                    objective = penalised(&point, &coefficients);
                    halvings += 1;
                }
            }
        }
        if change(objective).abs() < EPSILON {
            let extreme = penalty.is_none() && point.closest < EXTREME;
            break if extreme { Ending::Extreme } else { Ending::Converged };
        }
        if penalty.is_none() && point.closest < EXTREME {
            break Ending::Extreme;
        }
        if iterations == max_iterations || !objective.is_finite() {
            break Ending::NotConverged;
        }
        let mut information = point.information.clone();
        let mut gradient = point.gradient.clone();
        for position in 1..coefficients.len() {
            information.add_to_diagonal(position, ridge);
            gradient[position] -= ridge * coefficients[position];
        }
        let Some(cholesky) = Cholesky::new(&information) else { break Ending::Singular };
        let step = cholesky.solve(&gradient);
        previous = Some(coefficients.clone());
        before = objective;
        for (value, step) in coefficients.iter_mut().zip(step) {
            *value += step;
        }
        point = pass(design, labels, &coefficients);
        objective = penalised(&point, &coefficients);
        iterations += 1;
    };
    Run { ending, iterations, coefficients, point }
}

/// R's first step: least squares on the labels as log-odds, all weights equal.
fn start(design: &Design, labels: &[bool]) -> Vec<f64> {
    let kept = &design.independent.kept;
    let partial = design.sweep(
        kept,
        || vec![0.0; kept.len()],
        |sums, block| {
            let labels = &labels[block.first_row..][..block.rows];
            for &column in block.active {
                let values = &block.columns[column * block.rows..][..block.rows];
                let signed =
                    values.iter().zip(labels).map(|(value, &label)| if label { *value } else { -value });
                sums[column] += signed.sum::<f64>();
            }
        },
    );
    let right: Vec<f64> = sum(&partial, kept.len()).iter().map(|sum| FIRST_RESPONSE * sum).collect();
    design.independent.cholesky.solve(&right)
}

fn sum<V: AsRef<[f64]>>(partial: &[V], length: usize) -> Vec<f64> {
    let mut sums = vec![0.0; length];
    for part in partial {
        for (sum, value) in sums.iter_mut().zip(part.as_ref()) {
            *sum += value;
        }
    }
    sums
}

fn pass(design: &Design, labels: &[bool], coefficients: &[f64]) -> Point {
    let kept = &design.independent.kept;
    let empty = || Point {
        scores: Vec::new(),
        deviance: 0.0,
        gradient: vec![0.0; kept.len()],
        information: Symmetric::zeros(kept.len()),
        closest: 0.5,
    };
    let partial = design.sweep(kept, empty, |point, block| {
        let rows = block.rows;
        let mut log_odds = vec![0.0; rows];
        for &column in block.active {
            for (sum, value) in log_odds.iter_mut().zip(&block.columns[column * rows..][..rows]) {
                *sum += coefficients[column] * value;
            }
        }
        let (mut weights, mut residuals) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for (&log_odds, &label) in log_odds.iter().zip(&labels[block.first_row..][..rows]) {
            let row = Row::new(log_odds, label);
            point.scores.push(row.score);
            point.deviance += row.deviance;
            point.closest = point.closest.min(row.distance);
            weights.push(row.weight);
            residuals.push(row.residual);
        }
        for &column in block.active {
            let values = &block.columns[column * rows..][..rows];
            point.gradient[column] += values.iter().zip(&residuals).map(|(x, r)| x * r).sum::<f64>();
        }
        point.information.add_cross_product(block.columns, &weights, block.active);
    });
    let mut scores = Vec::with_capacity(labels.len());
    let (mut deviance, mut closest) = (0.0, 0.5f64);
    for part in &partial {
        scores.extend_from_slice(&part.scores);
        deviance += part.deviance;
        closest = closest.min(part.closest);
    }
    let gradients: Vec<&Vec<f64>> = partial.iter().map(|part| &part.gradient).collect();
    let gradient = sum(&gradients, kept.len());
    let information = total(partial.into_iter().map(|part| part.information), kept.len());
    Point { scores, deviance, gradient, information, closest }
}

/// The contributions of one row, without cancellation for log-odds of any size.
struct Row {
    score: f64,
    /// Distance of the score from 0 or 1, whichever is closer.
    distance: f64,
    weight: f64,
    residual: f64,
    deviance: f64,
}

impl Row {
    fn new(log_odds: f64, label: bool) -> Self {
        let odds = (-log_odds.abs()).exp();
        let (far, near) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
        let (score, complement) = if log_odds > 0.0 { (far, near) } else { (near, far) };
        let right = (log_odds > 0.0) == label;
        Self {
            score,
            distance: near,
            weight: far * near,
            residual: if label { complement } else { -score },
            deviance: 2.0 * (odds.ln_1p() + if right { 0.0 } else { log_odds.abs() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_exact_far_out() {
        let row = Row::new(50.0, true);
        assert_eq!(row.score, 1.0);
        assert!((row.residual / (-50f64).exp() - 1.0).abs() < 1e-12);
        assert!((row.deviance / (2.0 * (-50f64).exp()) - 1.0).abs() < 1e-12);
        let wrong = Row::new(-800.0, true);
        assert_eq!((wrong.score, wrong.residual, wrong.deviance), (0.0, 1.0, 1600.0));
        let even = Row::new(0.0, false);
        assert_eq!((even.score, even.residual, even.weight), (0.5, -0.5, 0.25));
        assert!((even.deviance - 2.0 * 2f64.ln()).abs() < 1e-15);
    }
}
