//! Table 2 and its figure: mean and variance of the pMSE of released tables, for five epsilons and every method.

use indistinct_baselines::noisy_bayes::Repair;
use indistinct_baselines::smooth_histogram::Smoothing;

use crate::intervals::{Estimate, Moments};
use crate::methods::{Method, Ours, Variant};
use crate::paper::{self, Column};
use crate::store::{ExperimentError, Run};

/// Bounds that the paper gave the methods that need them, in standard deviations.
const BOUND: f64 = 4.0;

/// Variants of the paper's chains are simulated so many times less often.
const FEWER: u64 = 50;

/// The methods, with the published column that each reproduces.
pub fn methods() -> Vec<(Method, Option<Column>)> {
    vec![
        (Method::NonDp, Some(paper::NON_DP)),
        (Method::PmseMechanism { depth: 30 }, Some(paper::PMSE_MECHANISM)),
        (Method::NoisyBayes { bound: BOUND, repair: Repair::Floored }, Some(paper::DP_BAYES)),
        (Method::NoisyBayes { bound: BOUND, repair: Repair::Projected }, None),
        (
            Method::SmoothHistogram { bound: BOUND, smoothing: Smoothing::Matching },
            Some(paper::SMOOTH_HISTOGRAM),
        ),
        (Method::SmoothHistogram { bound: BOUND, smoothing: Smoothing::Printed }, None),
        (Method::Ours(Ours::Default), None),
        (Method::Ours(Ours::Pmse), None),
    ]
}

/// One number of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The total budget.
    pub epsilon: f64,
    /// Simulations.
    pub simulations: u64,
    /// Mean pMSE.
    pub mean: Estimate,
    /// Variance of the pMSE.
    pub variance: f64,
    /// The published mean and variance.
    pub paper: Option<(f64, f64)>,
}

/// One method, over all epsilons.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which.
    pub method: Method,
    /// Its numbers, in the order of [`paper::TABLE2_EPSILONS`].
    pub cells: Vec<Cell>,
}

/// Table 2.
#[derive(Debug, Clone, PartialEq)]
pub struct Table2 {
    /// Every method at every epsilon.
    pub lines: Vec<Line>,
    /// The paper's chains with other choices where the paper leaves them open, in few simulations.
    pub variants: Vec<Line>,
}

/// Simulates every method at every epsilon.
///
/// # Errors
/// See [`ExperimentError`].
pub fn run(run: &Run) -> Result<Table2, ExperimentError> {
    let line = |method: Method, published: Option<Column>, run: &Run| {
        let cell = |(place, epsilon): (usize, f64)| {
            let outcomes = method.outcomes(run, epsilon)?;
            let values: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.pmse).collect();
            Ok(Cell {
                epsilon,
                simulations: values.len() as u64,
                mean: Estimate::mean(&values),
                variance: Moments::of(&values).variance,
                paper: published.map(|column| (column.means[place], column.variances[place])),
            })
        };
        let cells = paper::TABLE2_EPSILONS.into_iter().enumerate().map(cell).collect::<Result<_, _>>()?;
        Ok(Line { method, cells })
    };
    let lines = methods()
        .into_iter()
        .map(|(method, published)| line(method, published, run))
        .collect::<Result<_, _>>()?;
    let few = run.with_simulations(few(run.simulations()));
    let variants = Variant::ALL
        .into_iter()
        .map(|variant| line(Method::PmseVariant(variant), Some(paper::PMSE_MECHANISM), &few))
        .collect::<Result<_, _>>()?;
    Ok(Table2 { lines, variants })
}

/// Simulations of the variants.
fn few(simulations: u64) -> u64 {
    (simulations / FEWER).max(5)
}

/// Blocks that the table takes, for whoever shows progress.
pub fn blocks(simulations: u64) -> u64 {
    let epsilons = paper::TABLE2_EPSILONS.len() as u64;
    let variants = Variant::ALL.len() as u64 * Method::blocks(few(simulations));
    epsilons * (methods().len() as u64 * Method::blocks(simulations) + variants)
}
