//! The published competitors, as [`crate::baseline`] has them, on the paper's tables.

use crate::baseline::functional::Ridge;
use crate::baseline::noisy_bayes::Repair;
use crate::baseline::smooth_histogram::Smoothing;
use crate::baseline::{
    Bounds, functional as functional_mechanism, k_norm as k_norm_mechanism,
    noisy_bayes as noisy_bayes_method, posterior_predictive as posterior, smooth_histogram as histogram,
};
use indistinct::model::SequentialNormal;
use indistinct::privacy::Epsilon;
use indistinct::random::Generator;

use super::outcome::{Private, Published, budget};
use crate::paper::DRAWS;
use crate::population::{ROWS, STANDARD_DEVIATIONS};

/// Cells of the smooth histogram on each axis.
const BINS: usize = 50;

fn bounds(multiple: f64) -> Result<Bounds, String> {
    Bounds::symmetric(&STANDARD_DEVIATIONS.map(|sd| multiple * sd)).map_err(|error| error.to_string())
}

pub(super) fn posterior_predictive(
    private: &Private,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<SequentialNormal>, String> {
    let draw = |_| {
        let mut budget = budget(epsilon, random);
        posterior::draw(&private.rows, &mut budget, random).map_err(|error| error.to_string())
    };
    (0..DRAWS).map(draw).collect()
}

pub(super) fn noisy_bayes(
    private: &Private,
    bound: f64,
    repair: Repair,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<SequentialNormal>, String> {
    let bounds = bounds(bound)?;
    let mut budget = budget(epsilon, random);
    let each = epsilon.divided_by(u64::from(DRAWS));
    let draw = |_| {
        noisy_bayes_method::draw(&private.rows, &bounds, repair, &mut budget, each, random)
            .map_err(|error| error.to_string())
    };
    (0..DRAWS).map(draw).collect()
}

pub(super) fn smooth_histogram(
    private: &Private,
    bound: f64,
    smoothing: Smoothing,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Vec<Vec<f64>>, String> {
    let options = histogram::Options { bins: BINS, smoothing, rows: ROWS };
    let mut budget = budget(epsilon, random);
    histogram::simulate(&private.rows, &bounds(bound)?, &options, &mut budget, epsilon, random)
        .map_err(|error| error.to_string())
}

pub(super) fn functional(
    private: &Private,
    bound: f64,
    ridge: Ridge,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Published, String> {
    let mut budget = budget(epsilon, random);
    let bounds = bounds(bound)?;
    let found = functional_mechanism::regression_with(ridge, &private.rows, 1, &bounds, &mut budget, epsilon);
    coefficients(&found.map_err(|error| error.to_string())?)
}

pub(super) fn k_norm(
    private: &Private,
    bound: f64,
    epsilon: Epsilon,
    random: &mut Generator,
) -> Result<Published, String> {
    let mut budget = budget(epsilon, random);
    let found = k_norm_mechanism::regression(&private.rows, 1, &bounds(bound)?, &mut budget, epsilon);
    coefficients(&found.map_err(|error| error.to_string())?)
}

fn coefficients(found: &[f64]) -> Result<Published, String> {
    match found {
        [intercept, slope] => Ok(Published::Coefficients(*intercept, *slope)),
        _ => Err("not two coefficients".to_owned()),
    }
}
