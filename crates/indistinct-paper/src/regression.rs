//! Figure 2 and the appendix figure: how far regression coefficients from private methods are from those of the table.

use crate::baseline::functional::Ridge;
use crate::baseline::noisy_bayes::Repair;
use crate::baseline::smooth_histogram::Smoothing;

use crate::intervals::Estimate;
use crate::methods::{Method, Ours};
use crate::paper;
use crate::simulations::Simulations;
use crate::store::{ExperimentError, Run};

/// All methods with all their settings: depths for the pMSE mechanism, bounds for those that need them.
pub fn methods() -> Vec<Method> {
    let depths = paper::REGRESSION_DEPTHS.map(|depth| Method::PmseMechanism { depth });
    let bounded = |method: fn(f64) -> Method| paper::REGRESSION_BOUNDS.map(method);
    let ours = [Ours::Default, Ours::Pmse].map(Method::Ours);
    [
        vec![Method::NonDp],
        depths.to_vec(),
        bounded(|bound| Method::NoisyBayes { bound, repair: Repair::Floored }).to_vec(),
        bounded(|bound| Method::NoisyBayes { bound, repair: Repair::Projected }).to_vec(),
        bounded(|bound| Method::SmoothHistogram { bound, smoothing: Smoothing::Matching }).to_vec(),
        bounded(|bound| Method::SmoothHistogram { bound, smoothing: Smoothing::Printed }).to_vec(),
        bounded(|bound| Method::Functional { bound, ridge: Ridge::Published }).to_vec(),
        bounded(|bound| Method::Functional { bound, ridge: Ridge::Absent }).to_vec(),
        bounded(|bound| Method::KNorm { bound }).to_vec(),
        ours.to_vec(),
    ]
    .concat()
}

/// One coefficient's errors, of those that were found.
pub type Values = fn(&Errors) -> &[f64];

/// The errors of one method at one epsilon, one for each simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Errors {
    /// The method.
    pub method: Method,
    /// The total budget.
    pub epsilon: f64,
    /// |intercept - that of the private table|.
    pub intercepts: Vec<f64>,
    /// |slope - that of the private table|.
    pub slopes: Vec<f64>,
}

impl Errors {
    /// Mean error of the intercept.
    pub fn intercept(&self) -> Estimate {
        Estimate::mean(&self.intercepts)
    }

    /// Mean error of the slope.
    pub fn slope(&self) -> Estimate {
        Estimate::mean(&self.slopes)
    }

    /// Simulations in which the slope was off by more than 1, twice its size: the release missed the data altogether.
    pub fn astray(&self) -> usize {
        self.slopes.iter().filter(|slope| **slope > 1.0).count()
    }
}

/// Simulates every method at every epsilon.
///
/// # Errors
/// See [`ExperimentError`].
pub fn run(run: &Run, simulations: &Simulations) -> Result<Vec<Errors>, ExperimentError> {
    let settings =
        methods().into_iter().flat_map(|method| paper::REGRESSION_EPSILONS.map(|epsilon| (method, epsilon)));
    let errors = |(method, epsilon): (Method, f64)| {
        let outcomes = method.outcomes(&run.with_simulations(simulations.of(&method)), epsilon)?;
        Ok(Errors {
            method,
            epsilon,
            intercepts: outcomes.iter().map(|outcome| outcome.intercept).collect(),
            slopes: outcomes.iter().map(|outcome| outcome.slope).collect(),
        })
    };
    settings.map(errors).collect()
}

/// Blocks that the study takes, for whoever shows progress.
pub fn blocks(simulations: &Simulations) -> u64 {
    let blocks: u64 = methods().iter().map(|method| Method::blocks(simulations.of(method))).sum();
    paper::REGRESSION_EPSILONS.len() as u64 * blocks
}
