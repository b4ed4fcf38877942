//! `metropolis`: the paper's random walk on the exponential mechanism's density.
//!
//! ```text
//! density(theta)  proportional to  prior(theta) * exp(-epsilon * u(X, theta) / (2 Delta))
//! ```
//!
//! with independent N(0, `prior_sd`^2) on every intercept, slope and standard deviation, the latter truncated at
//! zero ([`PriorScale`] has another scale). A chain has that law in the limit only: a state after finitely many
//! steps has no proven epsilon, and certificates say so. It is here because it is the published method, and for
//! comparison; [`zoom`](super::zoom) is exact.
//!
//! With a tree as judge the paper seems to draw a new synthetic table at every step. That chain approaches
//! another law, which can leak more than epsilon; here the table's randomness is drawn once, unless
//! [`Metropolis::fresh_tables`] requests the other, which has no guarantee at all.

use crate::progress::{Progress, Silent, Stopped, done};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::diagnostics::Diagnostics;
use super::walk::{Length, Target, Trace, walk};
use crate::discriminator::judge::{Judge, Trial};
use crate::model::{Regression, SequentialNormal};
use crate::privacy::StepError;
use crate::privacy::{Budget, ChainCharge, Epsilon, Exactness};
use crate::private::{PrivateRows, Scratch};
use crate::quality::Quality;
use crate::random::Generator;

/// States of each chain that are kept for diagnostics.
const KEPT: usize = 4096;
/// Largest absolute logarithm of a standard deviation, larger ones count as this: no double is larger or smaller.
const LARGEST_LOG_SD: f64 = 690.0;

/// The start of chains, which never looks at private rows beyond what was paid for.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Start {
    /// Scales of columns from a tenth to a few hundred, locations of that size, slopes about one.
    #[default]
    Dispersed,
    /// Around a theta that was found privately, or is public, within some of its standard deviations.
    Around(SequentialNormal),
}

/// The scale on which the prior of a standard deviation is normal.
///
/// Chains walk on logarithms either way, with the Jacobian in the density: the scale changes the law, not the
/// walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PriorScale {
    /// The standard deviation itself, truncated at zero: the paper's parameters are the standard deviations.
    #[default]
    Sd,
    /// Its logarithm. With the paper's variance of 100,000 that allows standard deviations of e^300 and e^-300,
    /// where chains that leave the data go.
    LogSd,
}

words!(PriorScale {
    "sd" => Sd: "The standard deviation itself, cut off at zero, as in the paper",
    "log-sd" => LogSd: "Its logarithm",
});

impl PriorScale {
    /// The logarithm of the prior density of `log_sd`, up to a constant.
    fn log_density(self, log_sd: f64, precision: f64) -> f64 {
        match self {
            Self::Sd => log_sd - 0.5 * precision * (2.0 * log_sd).exp(),
            Self::LogSd => -0.5 * precision * log_sd * log_sd,
        }
    }
}

/// The settings of the chains.
#[derive(Clone)]
pub struct Metropolis<'a> {
    /// The quality by which states are compared.
    pub quality: Quality,
    /// Whether the sensitivity is twice the proven one, as in the paper, to reproduce its numbers.
    pub paper_sensitivity: bool,
    /// Standard deviation of the prior of every parameter: positive.
    pub prior_sd: f64,
    /// The scale on which the prior of a standard deviation is normal.
    pub prior_scale: PriorScale,
    /// The start of the chains.
    pub start: Start,
    /// Number of chains.
    pub chains: usize,
    /// Steps in which the walk adapts, and which are discarded.
    pub burn_in: usize,
    /// Steps after that.
    pub steps: usize,
    /// Synthetic tables by which a tree judges a state: at least 1.
    pub sets: usize,
    /// Whether both states get new synthetic tables at every step, as the paper seems to do: no guarantee.
    pub fresh_tables: bool,
    /// Told whenever a chain is done.
    pub progress: &'a dyn Progress,
}

impl Default for Metropolis<'_> {
    fn default() -> Self {
        Self {
            quality: Quality::Pmse,
            paper_sensitivity: false,
            // Variance 100,000.
            prior_sd: 316.227_766_016_837_94,
            prior_scale: PriorScale::Sd,
            start: Start::Dispersed,
            chains: 4,
            burn_in: 10_000,
            steps: 20_000,
            sets: 1,
            fresh_tables: false,
            progress: &Silent,
        }
    }
}

/// The result of the chains.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// The last state of a chain that was chosen beforehand.
    pub theta: SequentialNormal,
    /// Diagnostics of the chains. Not paid for: for the owner of the private table only.
    pub diagnostics: Diagnostics,
}

impl Metropolis<'_> {
    /// The exactness of a chain's law.
    ///
    /// # Guarantee
    /// At stationarity; none if tables are drawn at every step (and the judge looks at tables at all).
    pub fn exactness(&self, judge: &Judge) -> Exactness {
        if self.fresh_tables && judge.needs_tables() {
            let why = "a new synthetic table at every step gives the chain another law than the exponential mechanism's";
            Exactness::NoGuarantee { why: why.into() }
        } else {
            Exactness::AtStationarity
        }
    }

    /// Runs the chains and takes one theta, spending `epsilon`.
    ///
    /// # Guarantee
    /// For the law that the chains approach: `epsilon`-differential privacy (`proofs/exponential_mechanism.md`),
    /// if the judge's sensitivity is proven. For their states after finitely many steps: nothing is proven, and
    /// the budget's guarantee says so. `normal::metropolis::tests` compares chains with numerical integration.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn draw(
        &self,
        judge: &Judge,
        rows: &PrivateRows,
        budget: &mut Budget,
        epsilon: Epsilon,
        random: &mut Generator,
    ) -> Result<Draw, StepError> {
        let trial = Trial::new(judge, self.quality, rows.rows(), rows.columns(), self.sets, random);
        let sensitivity = trial.sensitivity(self.paper_sensitivity);
        let charge =
            budget.charge_chain("random-walk chains", epsilon, sensitivity, self.exactness(judge))?;
        let chosen = random.random_range(0..self.chains.max(1));
        let traces = self.traces(rows, &trial, charge, KEPT)?;
        Ok(Draw {
            theta: model(&traces[chosen].last, rows.columns()),
            diagnostics: Diagnostics::new(names(rows.columns()), &traces),
        })
    }

    /// Runs one chain at `epsilon / draws` and takes that many of its states, evenly spaced after burn-in,
    /// spending `epsilon` in all: one reading of "sample l vectors from the density" in the paper.
    ///
    /// # Guarantee
    /// None. Even at stationarity neighbouring states of a chain are not the independent draws that composition needs.
    /// It is here to reproduce published numbers.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn states(
        &self,
        judge: &Judge,
        rows: &PrivateRows,
        budget: &mut Budget,
        epsilon: Epsilon,
        draws: usize,
        random: &mut Generator,
    ) -> Result<Vec<SequentialNormal>, StepError> {
        let trial = Trial::new(judge, self.quality, rows.rows(), rows.columns(), self.sets, random);
        let sensitivity = trial.sensitivity(self.paper_sensitivity);
        let each = epsilon.divided_by(draws as u64);
        let why = "several states of one chain are not independent draws".to_owned();
        let exactness = Exactness::NoGuarantee { why };
        let charge = budget.charge_chain("states of one random-walk chain", each, sensitivity, exactness)?;
        let single = Metropolis { chains: 1, ..self.clone() };
        let traces = single.traces(rows, &trial, charge, draws)?;
        let state = |draw: usize| -> Vec<f64> { traces[0].kept.iter().map(|kept| kept[draw]).collect() };
        Ok((0..traces[0].kept[0].len()).map(|draw| model(&state(draw), rows.columns())).collect())
    }

    /// Runs all chains in parallel; each has a generator of its own.
    ///
    /// # Errors
    /// When they are no longer wanted.
    fn traces(
        &self,
        rows: &PrivateRows,
        trial: &Trial,
        charge: ChainCharge,
        kept: usize,
    ) -> Result<Vec<Trace>, Stopped> {
        let (factor, generators) = charge.into_chains(self.chains.max(1));
        let length = Length { burn_in: self.burn_in, steps: self.steps.max(1), kept };
        let run = |mut random: Generator| {
            let (start, widths) = self.started(rows.columns(), &mut random);
            let mut posterior = Posterior {
                rows,
                trial: trial.clone(),
                fresh_tables: self.fresh_tables && trial.judge.needs_tables(),
                factor,
                prior_precision: 1.0 / (self.prior_sd * self.prior_sd),
                prior_scale: self.prior_scale,
                scratch: Scratch::default(),
            };
            let trace = walk(&mut posterior, start, &widths, length, &mut random, self.progress)?;
            done(self.progress)?;
            Ok(trace)
        };
        generators.into_par_iter().map(run).collect()
    }

    /// A first state, and the widths of the first steps.
    fn started(&self, columns: usize, random: &mut Generator) -> (Vec<f64>, Vec<f64>) {
        let normal = |random: &mut Generator| -> f64 { StandardNormal.sample(random) };
        let (mut start, mut widths) = (Vec::new(), Vec::new());
        match &self.start {
            Start::Dispersed => {
                for column in 0..columns {
                    let scale = 10_f64.powf(random.random_range(-1.0..2.5)).min(self.prior_sd);
                    start.push(scale * normal(random));
                    start.extend((0..column).map(|_| self.prior_sd.min(1.0) * normal(random)));
                    start.push(scale.ln());
                    widths.push(scale);
                    widths.extend(std::iter::repeat_n(0.5, column + 1));
                }
            }
            Start::Around(located) => {
                for (regression, place) in located.regressions().iter().zip(located.factor()) {
                    // The intercept is measured at zero, the spread of the column around its mean.
                    let spread = place.iter().map(|loading| loading * loading).sum::<f64>().sqrt();
                    start.push(regression.intercept + 0.3 * spread * normal(random));
                    widths.push(0.1 * spread);
                    for (slope, earlier) in regression.slopes.iter().zip(located.factor()) {
                        let unit =
                            spread / earlier.iter().map(|loading| loading * loading).sum::<f64>().sqrt();
                        start.push(slope + 0.1 * unit * normal(random));
                        widths.push(0.05 * unit);
                    }
                    start.push(regression.sd.ln() + 0.3 * normal(random));
                    widths.push(0.1);
                }
            }
        }
        (start, widths)
    }
}

/// The density that chains walk on.
struct Posterior<'a> {
    rows: &'a PrivateRows,
    trial: Trial<'a>,
    fresh_tables: bool,
    /// The factor of the integer utility.
    factor: f64,
    prior_precision: f64,
    prior_scale: PriorScale,
    scratch: Scratch,
}

impl Target for Posterior<'_> {
    fn log_density(&mut self, theta: &[f64]) -> f64 {
        let model = model(theta, self.rows.columns());
        let utility = self.rows.judged_one(&model, &self.trial, &mut self.scratch);
        self.factor * utility as f64 + self.log_prior(theta)
    }

    fn changes(&mut self, random: &mut Generator) -> bool {
        if self.fresh_tables {
            self.trial.redraw(random);
        }
        self.fresh_tables
    }
}

impl Posterior<'_> {
    fn log_prior(&self, theta: &[f64]) -> f64 {
        let mut rest = theta;
        let of_column = |column: usize| {
            let (parameters, later) = rest.split_at(column + 2);
            rest = later;
            let squares: f64 = parameters[..=column].iter().map(|value| value * value).sum();
            let scale = self.prior_scale.log_density(parameters[column + 1], self.prior_precision);
            scale - 0.5 * self.prior_precision * squares
        };
        (0..self.rows.columns()).map(of_column).sum()
    }
}

/// The model of a vector of parameters: for every column intercept, slopes, logarithm of the standard deviation.
fn model(theta: &[f64], columns: usize) -> SequentialNormal {
    let mut rest = theta;
    let regressions: Vec<Regression> = (0..columns)
        .map(|column| {
            let (parameters, later) = rest.split_at(column + 2);
            rest = later;
            Regression {
                intercept: parameters[0],
                slopes: parameters[1..=column].to_vec(),
                sd: parameters[column + 1].clamp(-LARGEST_LOG_SD, LARGEST_LOG_SD).exp(),
            }
        })
        .collect();
    SequentialNormal::from_regressions(&regressions)
}

/// The names of the parameters, in the order of [`model`].
fn names(columns: usize) -> Vec<String> {
    let of_column = |column: usize| {
        let slopes =
            (1..=column).map(move |earlier| format!("slope of column {} on column {earlier}", column + 1));
        std::iter::once(format!("intercept of column {}", column + 1))
            .chain(slopes)
            .chain(std::iter::once(format!("log sd of column {}", column + 1)))
    };
    (0..columns).flat_map(of_column).collect()
}

#[cfg(test)]
mod tests;
