//! Table 2 and its figure: mean and variance of the pMSE of released tables, for five epsilons and every method.

use crate::baseline::noisy_bayes::Repair;
use crate::baseline::smooth_histogram::Smoothing;

use crate::intervals::{Estimate, Moments};
use crate::methods::{Method, Ours, Variant};
use crate::paper::{self, Column};
use crate::simulations::Simulations;
use crate::store::{ExperimentError, Run};

/// Bounds that the paper gave the methods that need them, in standard deviations.
const BOUND: f64 = 4.0;

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
    /// The method.
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
pub fn run(run: &Run, simulations: &Simulations) -> Result<Table2, ExperimentError> {
    let line = |method: Method, published: Option<Column>| {
        let run = run.with_simulations(simulations.of(&method));
        let cell = |(place, epsilon): (usize, f64)| {
            let outcomes = method.outcomes(&run, epsilon)?;
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
    let lines =
        methods().into_iter().map(|(method, published)| line(method, published)).collect::<Result<_, _>>()?;
    let variants = Variant::ALL
        .into_iter()
        .map(|variant| line(Method::PmseVariant(variant), Some(paper::PMSE_MECHANISM)))
        .collect::<Result<_, _>>()?;
    Ok(Table2 { lines, variants })
}

/// Blocks that the table takes, for whoever shows progress.
pub fn blocks(simulations: &Simulations) -> u64 {
    let variants = Variant::ALL.into_iter().map(Method::PmseVariant);
    let all = methods().into_iter().map(|(method, _)| method).chain(variants);
    let blocks: u64 = all.map(|method| Method::blocks(simulations.of(&method))).sum();
    paper::TABLE2_EPSILONS.len() as u64 * blocks
}
