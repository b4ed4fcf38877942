//! The fit of a bivariate normal to noisy counts of the cells of one view: post-processing, on released numbers
//! only.

use crate::linear::{Cholesky, Symmetric};
use crate::model::distribution;

/// Parameters of one axis or of a pair: means, logarithms of standard deviations, and atanh of the correlation.
type Parameters<const D: usize> = [f64; D];

/// The moments of the innovations of a view's columns under the located model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    pub(super) first: Axis,
    /// The second axis and the correlation, for pairs.
    pub(super) second: Option<(Axis, f64)>,
}

/// Mean and standard deviation of one column's innovations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// Most iterations of the fit; it settles in far fewer.
const ITERATIONS: usize = 60;
/// Innovations beyond this have no weight.
const FAR: f64 = 9.0;
/// Nodes and weights of Gauss-Legendre quadrature on [-1, 1].
const NODES: [(f64, f64); 8] = [
    (-0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    (-0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (-0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (-0.183_434_642_495_649_8, 0.362_683_783_378_361_96),
    (0.183_434_642_495_649_8, 0.362_683_783_378_361_96),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Fits the moments of a single column to its noisy counts.
pub(super) fn single(counts: &[i64], cuts: &[f64], noise_variance: f64) -> Moments {
    let rows: f64 = counts.iter().map(|&count| count.max(0) as f64).sum();
    let probabilities = |p: &Parameters<2>| axis_probabilities(p[0], p[1].exp(), cuts);
    let [mean, log_sd] = fit(counts, rows, noise_variance, [0.0; 2], &[4.0, 2.5], probabilities);
    Moments { first: Axis { mean, sd: log_sd.exp() }, second: None }
}

/// Fits the moments of a pair of columns to the noisy counts of `rows` rows.
pub(super) fn pair(counts: &[i64], rows: f64, cuts: &[f64], noise_variance: f64) -> Moments {
    let probabilities =
        |p: &Parameters<5>| pair_probabilities([p[0], p[1]], [p[2].exp(), p[3].exp()], p[4].tanh(), cuts);
    let limits = [4.0, 4.0, 2.5, 2.5, 3.5];
    let found = fit(counts, rows, noise_variance, [0.0; 5], &limits, probabilities);
    let axis = |mean: f64, log_sd: f64| Axis { mean, sd: log_sd.exp() };
    Moments { first: axis(found[0], found[2]), second: Some((axis(found[1], found[3]), found[4].tanh())) }
}

/// Weighted least squares by damped Gauss-Newton: the variance of a count is its sampling variance plus the noise's.
fn fit<const D: usize>(
    counts: &[i64],
    rows: f64,
    noise_variance: f64,
    start: Parameters<D>,
    limits: &Parameters<D>,
    probabilities: impl Fn(&Parameters<D>) -> Vec<f64>,
) -> Parameters<D> {
    const STEP: f64 = 1e-5;
    let weights =
        |p: &[f64]| -> Vec<f64> { p.iter().map(|p| 1.0 / (rows * p.max(1e-6) + noise_variance)).collect() };
    let objective = |p: &[f64], weights: &[f64]| -> f64 {
        let cells = counts.iter().zip(p).zip(weights);
        cells.map(|((&count, p), weight)| weight * (count as f64 - rows * p).powi(2)).sum()
    };
    let (mut at, mut damping) = (start, 1e-3);
    let mut p = probabilities(&at);
    for _ in 0..ITERATIONS {
        let weight = weights(&p);
        let columns: Vec<Vec<f64>> = (0..D)
            .map(|parameter| {
                let mut moved = at;
                moved[parameter] += STEP;
                probabilities(&moved).iter().zip(&p).map(|(new, old)| rows * (new - old) / STEP).collect()
            })
            .collect();
        let residual: Vec<f64> = counts.iter().zip(&p).map(|(&count, p)| count as f64 - rows * p).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(&weight).map(|((a, b), weight)| a * b * weight).sum()
        };
        let gradient: Vec<f64> = columns.iter().map(|column| dot(column, &residual)).collect();
        let now = objective(&p, &weight);
        let mut improved = false;
        while damping < 1e8 {
            let mut normal = Symmetric::zeros(D);
            for a in 0..D {
                for b in 0..=a {
                    normal.set(a, b, dot(&columns[a], &columns[b]));
                }
                let diagonal = normal.get(a, a);
                normal.add_to_diagonal(a, damping * diagonal + 1e-9);
            }
            let Some(step) = Cholesky::new(&normal).map(|factor| factor.solve(&gradient)) else {
                damping *= 10.0;
                continue;
            };
            let mut next = at;
            for ((next, step), limit) in next.iter_mut().zip(&step).zip(limits) {
                *next = (*next + step).clamp(-limit, *limit);
            }
            let next_p = probabilities(&next);
            if objective(&next_p, &weight) < now {
                (at, p, improved) = (next, next_p, true);
                damping = (damping / 10.0).max(1e-9);
                break;
            }
            damping *= 10.0;
        }
        if !improved {
            break;
        }
    }
    at
}

/// Probabilities of the intervals between cuts for a normal variable.
fn axis_probabilities(mean: f64, sd: f64, cuts: &[f64]) -> Vec<f64> {
    let mut below = 0.0;
    let ends = cuts.iter().map(|cut| distribution((cut - mean) / sd)).chain(std::iter::once(1.0));
    ends.map(|end| end - std::mem::replace(&mut below, end)).collect()
}

/// Probabilities of the cells between cuts for a bivariate normal pair: quadrature over the first variable.
fn pair_probabilities(means: [f64; 2], sds: [f64; 2], correlation: f64, cuts: &[f64]) -> Vec<f64> {
    let intervals = cuts.len() + 1;
    let mut cells = vec![0.0; intervals * intervals];
    let standard: Vec<f64> = cuts.iter().map(|cut| ((cut - means[0]) / sds[0]).clamp(-FAR, FAR)).collect();
    let residual = (1.0 - correlation * correlation).sqrt().max(1e-6);
    for (first, cells) in cells.chunks_mut(intervals).enumerate() {
        let low = if first == 0 { -FAR } else { standard[first - 1] };
        let high = if first + 1 == intervals { FAR } else { standard[first] };
        // The outer intervals are long: more pieces where the density changes fast.
        let pieces = ((high - low).ceil() as usize).clamp(1, 18);
        let half = (high - low) / (2 * pieces) as f64;
        for piece in 0..pieces {
            let middle = low + half * (2 * piece + 1) as f64;
            for (node, weight) in NODES {
                let z = middle + half * node;
                let density = (-0.5 * z * z).exp() * 0.398_942_280_401_432_7;
                let mean = means[1] + sds[1] * correlation * z;
                let conditional = axis_probabilities(mean, sds[1] * residual, cuts);
                for (cell, p) in cells.iter_mut().zip(conditional) {
                    *cell += weight * half * density * p;
                }
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUTS: [f64; 5] = [-1.87, -0.983, 0.0, 0.983, 1.87];

    #[test]
    fn pair_probabilities_are_right() {
        let cells = pair_probabilities([0.0; 2], [1.0; 2], 0.0, &CUTS);
        let axis = axis_probabilities(0.0, 1.0, &CUTS);
        for (place, cell) in cells.iter().enumerate() {
            assert!((cell - axis[place / 6] * axis[place % 6]).abs() < 1e-9);
        }
        // P(both positive) = 1/4 + asin(rho) / (2 pi).
        let quadrant: f64 = pair_probabilities([0.0; 2], [1.0; 2], 0.6, &[0.0])[3];
        assert!((quadrant - (0.25 + 0.6f64.asin() / std::f64::consts::TAU)).abs() < 1e-9);
    }

    #[test]
    fn exact_counts_give_the_moments_back() {
        let (means, sds, correlation) = ([0.3, -0.7], [1.4, 0.6], 0.55);
        let scaled = |p: Vec<f64>| -> Vec<i64> { p.iter().map(|p| (p * 1e7).round() as i64).collect() };
        let counts = scaled(pair_probabilities(means, sds, correlation, &CUTS));
        let found = pair(&counts, 1e7, &CUTS, 1.0);
        let (second, rho) = found.second.unwrap();
        assert!((found.first.mean - 0.3).abs() < 1e-3 && (found.first.sd - 1.4).abs() < 1e-3, "{found:?}");
        assert!(
            (second.mean + 0.7).abs() < 1e-3 && (second.sd - 0.6).abs() < 1e-3 && (rho - 0.55).abs() < 1e-3
        );
        let found = single(&scaled(axis_probabilities(-1.1, 0.8, &CUTS)), &CUTS, 1.0).first;
        assert!((found.mean + 1.1).abs() < 1e-3 && (found.sd - 0.8).abs() < 1e-3);
    }

    #[test]
    fn impossible_counts_give_finite_moments() {
        for counts in [vec![0i64; 36], vec![-5; 36], (0..36).map(|k| k * k - 300).collect()] {
            let found = pair(&counts, 100.0, &CUTS, 50.0);
            let (second, rho) = found.second.unwrap();
            assert!(
                [found.first.mean, found.first.sd, second.mean, second.sd, rho].iter().all(|x| x.is_finite())
            );
        }
    }
}
