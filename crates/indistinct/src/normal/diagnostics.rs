//! Convergence of chains: split R-hat, effective sample size, acceptance (Gelman and others, BDA3, chapter 11).
//!
//! These are computed from the chains' states, hence from private rows, and nothing pays for them: see
//! [`Diagnostics`].

use serde::Serialize;

use super::walk::Trace;

/// Diagnostics of chains.
///
/// # Guarantee
/// **None.** They depend on all states of all chains, of which the charge covers one. They are for people who may
/// see the private table, to judge the run; they are no part of a release, and no step may depend on them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnostics {
    /// For each chain, the share of accepted steps after burn-in.
    pub acceptance: Vec<f64>,
    /// For each parameter, how well the chains agree.
    pub parameters: Vec<Convergence>,
}

/// The agreement of the chains on one parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Convergence {
    /// The parameter's name.
    pub parameter: String,
    /// Split R-hat: 1 when all halves of all chains look alike; above 1.01 they should run longer.
    pub split_rhat: f64,
    /// The number of independent draws that the kept states of all chains are worth.
    pub effective_size: f64,
}

impl Diagnostics {
    pub(super) fn new(names: Vec<String>, traces: &[Trace]) -> Self {
        let of_parameter = |(place, parameter): (usize, String)| {
            let chains: Vec<&[f64]> = traces.iter().map(|trace| trace.kept[place].as_slice()).collect();
            Convergence {
                parameter,
                split_rhat: split_rhat(&chains),
                effective_size: effective_size(&chains),
            }
        };
        Self {
            acceptance: traces.iter().map(|trace| trace.acceptance).collect(),
            parameters: names.into_iter().enumerate().map(of_parameter).collect(),
        }
    }

    /// The largest split R-hat.
    pub fn worst_rhat(&self) -> f64 {
        self.parameters.iter().map(|parameter| parameter.split_rhat).fold(1.0, f64::max)
    }

    /// The smallest effective size.
    pub fn least_effective_size(&self) -> f64 {
        self.parameters.iter().map(|parameter| parameter.effective_size).fold(f64::INFINITY, f64::min)
    }
}

/// Split R-hat: the factor by which the spread of all states exceeds that within halves of chains.
///
/// Infinite for chains that stand still in different places, 1 for chains that stand still in the same place.
pub fn split_rhat(chains: &[&[f64]]) -> f64 {
    let Spread { length, within, total, .. } = Spread::new(&halves(chains));
    if length < 2.0 || total <= 0.0 {
        return 1.0;
    }
    (total / within).sqrt()
}

/// The number of independent draws that the states are worth: their number over the integrated autocorrelation,
/// which is summed by Geyer's initial monotone sequence over halves of chains.
pub fn effective_size(chains: &[&[f64]]) -> f64 {
    let halves = halves(chains);
    let spread = Spread::new(&halves);
    let all = spread.length * halves.len() as f64;
    if spread.length < 4.0 || spread.total <= 0.0 {
        return all;
    }
    let correlation = |lag: usize| {
        let covariances =
            halves.iter().zip(&spread.means).map(|(half, mean)| autocovariance(half, *mean, lag));
        let mean = covariances.sum::<f64>() / halves.len() as f64;
        1.0 - (spread.within - mean) / spread.total
    };
    // Sums of neighbouring lags are positive and fall; where they do not any more there is only noise.
    let (mut sum, mut pair_before, mut lag) = (0.0, f64::INFINITY, 0);
    while lag + 1 < spread.length as usize {
        let even = if lag == 0 { 1.0 } else { correlation(lag) };
        let pair = (even + correlation(lag + 1)).min(pair_before);
        if pair <= 0.0 {
            break;
        }
        sum += pair;
        pair_before = pair;
        lag += 2;
    }
    // At least an independent draw, and never more than states times their logarithm.
    let time = (2.0 * sum - 1.0).max(1.0 / all.log10().max(1.0));
    all / time
}

fn halves<'a>(chains: &[&'a [f64]]) -> Vec<&'a [f64]> {
    let length = chains.iter().map(|chain| chain.len() / 2).min().unwrap_or(0);
    chains.iter().flat_map(|chain| [&chain[..length], &chain[chain.len() - length..]]).collect()
}

fn autocovariance(values: &[f64], mean: f64, lag: usize) -> f64 {
    let pairs = values.iter().zip(&values[lag..]);
    pairs.map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>() / values.len() as f64
}

/// Variances within parts and over all of them.
struct Spread {
    length: f64,
    means: Vec<f64>,
    /// Mean variance of a part.
    within: f64,
    /// Variance over all parts, estimated from both.
    total: f64,
}

impl Spread {
    fn new(parts: &[&[f64]]) -> Self {
        let length = parts.first().map_or(0, |part| part.len()) as f64;
        let number = parts.len() as f64;
        let means: Vec<f64> = parts.iter().map(|part| part.iter().sum::<f64>() / length).collect();
        let squares = |part: &[f64], mean: f64| part.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let variances = parts.iter().zip(&means).map(|(part, mean)| squares(part, *mean) / (length - 1.0));
        let within = variances.sum::<f64>() / number;
        let grand = means.iter().sum::<f64>() / number;
        let between = squares(&means, grand) / (number - 1.0).max(1.0);
        Self { length, within, total: within * (length - 1.0) / length + between, means }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand_distr::{Distribution, StandardNormal};

    /// x_t = rho x_{t-1} + noise, stationary with variance 1.
    fn autoregression(rho: f64, length: usize, task: u64) -> Vec<f64> {
        let mut random = Seed(7).stream(task);
        let mut x: f64 = StandardNormal.sample(&mut random);
        (0..length)
            .map(|_| {
                let noise: f64 = StandardNormal.sample(&mut random);
                x = rho * x + (1.0 - rho * rho).sqrt() * noise;
                x
            })
            .collect()
    }

    #[test]
    fn effective_sizes_of_autoregressions_are_known() {
        for rho in [0.0, 0.5, 0.9] {
            let chains: Vec<Vec<f64>> = (0..4).map(|task| autoregression(rho, 5000, task)).collect();
            let chains: Vec<&[f64]> = chains.iter().map(Vec::as_slice).collect();
            let expected = 20_000.0 * (1.0 - rho) / (1.0 + rho);
            let found = effective_size(&chains);
            assert!((found / expected - 1.0).abs() < 0.15, "{rho}: {found} {expected}");
            assert!((split_rhat(&chains) - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn chains_that_disagree_are_seen() {
        let one = autoregression(0.5, 1000, 1);
        let other: Vec<f64> = autoregression(0.5, 1000, 2).iter().map(|x| x + 3.0).collect();
        assert!(split_rhat(&[&one, &other]) > 1.5);
        assert!(effective_size(&[&one, &other]) < 20.0);
        let drift: Vec<f64> = one.iter().enumerate().map(|(t, x)| x + t as f64 / 300.0).collect();
        assert!(split_rhat(&[&drift]) > 1.2, "halves of one chain differ");
        assert_eq!(split_rhat(&[&[1.0; 10], &[1.0; 10]]), 1.0);
        assert_eq!(split_rhat(&[&[1.0; 10], &[2.0; 10]]), f64::INFINITY);
    }
}
