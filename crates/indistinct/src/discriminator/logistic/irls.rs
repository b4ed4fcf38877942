//! Maximum likelihood by iteratively reweighted least squares, step by step as R's `glm.fit`.

use super::design::{Block, Design, total};
use crate::linear::{Cholesky, Symmetric};

/// Relative change of the deviance at which R stops.
const EPSILON: f64 = 1e-8;
/// Change of a row's log-odds in one more step that reveals a fit on its way to infinity. There every step adds
/// about 1 to the log-odds of the separated rows, however small the deviance has become; at a maximum the next
/// step is the square of a small one. With a penalty the iteration goes on until this stops.
const STILL_MOVING: f64 = 0.1;
/// Log-odds that stand for the labels before the first step: R starts from scores 3/4 and 1/4, whose working
/// responses are +-(ln 3 + (1/4) / (3/16)).
const FIRST_RESPONSE: f64 = 1.098_612_288_668_109_8 + 4.0 / 3.0;
/// Halvings of one step before the fit is abandoned.
const MAX_HALVINGS: usize = 25;

/// The end of a run of the iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Converged,
    /// The iterations are used up, or no step lowers the deviance.
    NotConverged,
    /// The deviance has settled and the coefficients have not: the likelihood has no maximum.
    Separable,
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

/// The results of one pass over the rows at given coefficients.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) scores: Vec<f64>,
    pub(super) deviance: f64,
    /// X'(y - p).
    gradient: Vec<f64>,
    /// X'WX with W = p (1 - p).
    information: Symmetric,
}

/// Coefficients of the kept columns for these labels. With a `penalty` the log-likelihood is lowered by penalty /
/// 2 times the sum of squares of all coefficients but the intercept, and always has a maximum.
///
/// The iteration starts where R's does, or from given coefficients.
pub(super) fn iterate(
    design: &Design,
    labels: &[bool],
    penalty: Option<f64>,
    from: Option<&[f64]>,
    max_iterations: usize,
) -> Run {
    let ridge = penalty.unwrap_or(0.0);
    let penalised = |point: &Point, coefficients: &[f64]| -> f64 {
        let squares: f64 = coefficients.iter().skip(1).map(|value| value * value).sum();
        point.deviance + ridge * squares
    };
    let mut coefficients = from.map_or_else(|| start(design, labels), <[f64]>::to_vec);
    let mut point = pass(design, labels, &coefficients);
    let mut objective = penalised(&point, &coefficients);
    let mut before = if from.is_some() { f64::INFINITY } else { -2.0 * 0.75f64.ln() * labels.len() as f64 };
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
        let settled = change(objective).abs() < EPSILON;
        let Some(step) = step(&point, &coefficients, ridge) else { break Ending::Singular };
        if settled {
            let moving = largest_change(design, &step) > STILL_MOVING;
            if !moving {
                break Ending::Converged;
            } else if penalty.is_none() {
                break Ending::Separable;
            }
        }
        if iterations == max_iterations || !objective.is_finite() {
            break Ending::NotConverged;
        }
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

/// The Newton step from `point`; `None` when the information cannot be factored.
fn step(point: &Point, coefficients: &[f64], ridge: f64) -> Option<Vec<f64>> {
    let (mut information, mut gradient) = (point.information.clone(), point.gradient.clone());
    for position in 1..coefficients.len() {
        information.add_to_diagonal(position, ridge);
        gradient[position] -= ridge * coefficients[position];
    }
    Some(Cholesky::new(&information)?.solve(&gradient))
}

/// The largest change of a row's log-odds when the coefficients change by `step`.
fn largest_change(design: &Design, step: &[f64]) -> f64 {
    let partial = design.sweep(
        &design.independent.kept,
        || 0.0f64,
        |largest, block| {
            *largest =
                log_odds(block, step).iter().fold(*largest, |largest, change| largest.max(change.abs()));
        },
    );
    partial.into_iter().fold(0.0, f64::max)
}

fn log_odds(block: &Block, coefficients: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; block.rows];
    for &column in block.active {
        for (sum, value) in sums.iter_mut().zip(&block.columns[column * block.rows..][..block.rows]) {
            *sum += coefficients[column] * value;
        }
    }
    sums
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
    };
    let partial = design.sweep(kept, empty, |point, block| {
        let rows = block.rows;
        let (mut weights, mut residuals) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for (&log_odds, &label) in
            log_odds(block, coefficients).iter().zip(&labels[block.first_row..][..rows])
        {
            let row = Row::new(log_odds, label);
            point.scores.push(row.score);
            point.deviance += row.deviance;
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
    let mut deviance = 0.0;
    for part in &partial {
        scores.extend_from_slice(&part.scores);
        deviance += part.deviance;
    }
    let gradients: Vec<&Vec<f64>> = partial.iter().map(|part| &part.gradient).collect();
    let gradient = sum(&gradients, kept.len());
    let information = total(partial.into_iter().map(|part| part.information), kept.len());
    Point { scores, deviance, gradient, information }
}

/// The contributions of one row, without cancellation for log-odds of any size.
struct Row {
    score: f64,
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
