//! Correlation of two columns' normal scores, from the mean product of the whole numbers that represent them.
//!
//! A column is mapped through its margin to a standard normal score z, which is told apart in a few classes; a
//! whole number represents each class. With g and h these increasing step functions of z, and (z, z') normal with
//! correlation rho, the mean of g(z) h(z') is sum_k g_k h_k rho^k, where g_k and h_k are their Hermite
//! coefficients (Mehler's formula). It grows with rho, so that rho is found from the mean product by bisection.
//! Classes follow the values of the column: an atom that many rows share is in one class, and its coefficients
//! reflect that.

use crate::grid::Codes;
use crate::margin::Margin;
use crate::model::quantile;

/// Terms of the series: the remainder is below 0.001 at the largest correlation.
const TERMS: usize = 400;
/// Largest correlation: larger ones cannot be told apart from classes.
const LARGEST: f64 = 0.998;

/// The whole numbers that represent the scores of one column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepScores {
    pub(super) codes: Codes,
    /// A whole number for each class, ascending.
    pub(super) scores: Vec<i64>,
    /// Hermite coefficients of the step function, from the constant on.
    coefficients: Vec<f64>,
}

/// phi, the density of the standard normal law.
fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

impl StepScores {
    /// At most `classes` classes of a margin's values, with scores up to `largest`: two classes have -largest and
    /// largest, more have their mean normal scores, to scale.
    pub(super) fn new(margin: &Margin, classes: usize, largest: i64) -> Self {
        let missing = usize::from(margin.missing() > 0.0);
        let codes = margin.even_codes(classes + missing);
        let starts = codes.starts();
        let cuts: Vec<f64> = starts[1..].iter().map(|&start| quantile(margin.interval(start).0)).collect();
        let edges: Vec<f64> = cuts.iter().map(|&cut| density(cut)).collect();
        let scores = if starts.len() <= 2 {
            [-largest, largest][2 - starts.len()..].to_vec()
        } else {
            whole(&means(margin, starts, &edges), largest)
        };
        let coefficients = coefficients(margin, starts, &scores, &cuts, &edges);
        Self { codes, scores, coefficients }
    }

    /// The mean score of each of a margin's classes; 0 for that of missing values.
    pub(super) fn of_classes(&self, margin: &Margin, codes: &Codes) -> Vec<f32> {
        let below =
            |starts: &[usize], class: usize| starts.get(class).map_or(1.0, |&start| margin.interval(start).0);
        let own = self.codes.starts();
        let mean = |class: usize| {
            let (low, high) = (below(codes.starts(), class), below(codes.starts(), class + 1));
            let part = |(place, &score): (usize, &i64)| {
                let from = below(own, place).max(low);
                let to = below(own, place + 1).min(high);
                (to - from).max(0.0) * score as f64
            };
            let sum: f64 = self.scores.iter().enumerate().map(part).sum();
            if high > low { (sum / (high - low)) as f32 } else { 0.0 }
        };
        let values = codes.starts().len();
        (0..codes.len()).map(|class| if class < values { mean(class) } else { 0.0 }).collect()
    }

    /// The mean product of two columns' scores at a correlation.
    fn product(&self, other: &Self, correlation: f64) -> f64 {
        let squares = self.coefficients.iter().zip(&other.coefficients).rev();
        squares.fold(0.0, |sum, (a, b)| sum * correlation + a * b)
    }

    /// The correlation at which the mean product has this value.
    pub(super) fn correlation(&self, other: &Self, product: f64) -> f64 {
        let (mut low, mut high) = (-LARGEST, LARGEST);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.product(other, middle) < product { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }

    /// The slope of the mean product by the correlation, near zero.
    pub(super) fn slope(&self, other: &Self) -> f64 {
        self.coefficients.get(1).zip(other.coefficients.get(1)).map_or(0.0, |(a, b)| a * b)
    }
}

/// The slope of the mean product of two columns by their correlation, near zero, in units of the largest score
/// squared, if both have this many classes of equal probability.
pub(super) fn usual_slope(classes: usize) -> f64 {
    let edge = |class: usize| density(quantile(class as f64 / classes as f64));
    if classes <= 2 {
        return (2.0 * density(0.0)).powi(2);
    }
    let at = |class: usize| if class == 0 || class == classes { 0.0 } else { edge(class) };
    let means: Vec<f64> = (0..classes).map(|class| classes as f64 * (at(class) - at(class + 1))).collect();
    let square = means.iter().map(|mean| mean * mean).sum::<f64>() / classes as f64;
    (square / means[classes - 1]).powi(2)
}

/// The mean normal score of every class.
fn means(margin: &Margin, starts: &[usize], edges: &[f64]) -> Vec<f64> {
    let below = |class: usize| starts.get(class).map_or(1.0, |&start| margin.interval(start).0);
    let edge = |class: usize| {
        if class == 0 { 0.0 } else { edges.get(class - 1).copied().unwrap_or(0.0) }
    };
    (0..starts.len()).map(|k| (edge(k) - edge(k + 1)) / (below(k + 1) - below(k)).max(1e-12)).collect()
}

/// Ascending numbers as whole numbers, scaled so that the largest absolute value is `largest`.
fn whole(means: &[f64], largest: i64) -> Vec<i64> {
    let most = means.iter().fold(f64::MIN_POSITIVE, |most, mean| most.max(mean.abs()));
    means
        .iter()
        .map(|mean| ((mean / most * largest as f64).round() as i64).clamp(-largest, largest))
        .collect()
}

/// The Hermite coefficients. The constant is the mean; the k-th is the sum over cuts of the jump there times
/// h_{k-1}(cut) phi(cut) / sqrt(k), with the normalised Hermite polynomials sqrt(k) h_k = z h_{k-1} - sqrt(k-1)
/// h_{k-2}.
fn coefficients(margin: &Margin, starts: &[usize], scores: &[i64], cuts: &[f64], edges: &[f64]) -> Vec<f64> {
    let below = |class: usize| starts.get(class).map_or(1.0, |&start| margin.interval(start).0);
    let mean: f64 = scores.iter().enumerate().map(|(k, &s)| s as f64 * (below(k + 1) - below(k))).sum();
    let jumps: Vec<f64> = scores.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    let (mut before, mut here) = (vec![0.0; cuts.len()], vec![1.0; cuts.len()]);
    let mut coefficients = Vec::with_capacity(TERMS + 1);
    coefficients.push(mean);
    for k in 1..=TERMS {
        let order = k as f64;
        let terms = jumps.iter().zip(edges).zip(&here);
        let sum: f64 =
            terms.filter(|((_, edge), _)| **edge > 0.0).map(|((jump, edge), h)| jump * edge * h).sum();
        coefficients.push(sum / order.sqrt());
        for ((before, here), &z) in before.iter_mut().zip(&mut here).zip(cuts) {
            let z = z.clamp(-38.0, 38.0);
            let next = (z * *here - (order - 1.0).sqrt() * *before) / order.sqrt();
            *before = std::mem::replace(here, next);
        }
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand_distr::{Distribution, StandardNormal};

    /// A margin with these probabilities on whole numbers from 0.
    fn margin(masses: &[f64]) -> Margin {
        let runs: Vec<String> =
            masses.iter().enumerate().map(|(place, mass)| format!("[{place},1,{mass},0.0]")).collect();
        let grid = format!(r#"{{"spacing":"lattice","count":{}}}"#, masses.len());
        let text = format!(r#"{{"grid":{grid},"missing":0.0,"runs":[{}]}}"#, runs.join(","));
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn correlations_come_back_whatever_the_margins_and_classes() {
        let even = margin(&[0.01; 100]);
        let spike = margin(&[0.9, 0.05, 0.02, 0.02, 0.01]);
        let few = margin(&[0.3, 0.7]);
        let mut random = Seed(4).stream(0);
        for (first, second) in [(&even, &even), (&even, &spike), (&spike, &few), (&few, &even)] {
            for (classes, largest) in [(2, 1), (4, 32), (8, 32)] {
                let (a, b) =
                    (StepScores::new(first, classes, largest), StepScores::new(second, classes, largest));
                for correlation in [-0.9, -0.4, 0.0, 0.2, 0.7, 0.95_f64] {
                    let score = |scores: &StepScores, margin: &Margin, z: f64| {
                        let position = margin.quantile(crate::model::distribution(z));
                        scores.scores[scores.codes.class(Some(position))] as f64
                    };
                    let rows = 40_000;
                    let mut sum = 0.0;
                    for _ in 0..rows {
                        let x: f64 = StandardNormal.sample(&mut random);
                        let e: f64 = StandardNormal.sample(&mut random);
                        let y = correlation * x + (1.0 - correlation * correlation).sqrt() * e;
                        sum += score(&a, first, x) * score(&b, second, y);
                    }
                    let mean = sum / f64::from(rows);
                    let square = (largest * largest) as f64;
                    let expected = a.product(&b, correlation);
                    let allowed = square * (0.002 + 4.0 / f64::from(rows).sqrt());
                    assert!((mean - expected).abs() < allowed, "{classes} {correlation}: {mean} {expected}");
                    assert!((a.correlation(&b, expected) - correlation).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn two_classes_have_the_arcsine_law() {
        let even = margin(&[0.5, 0.5]);
        let scores = StepScores::new(&even, 2, 1);
        assert_eq!(scores.scores, [-1, 1]);
        for correlation in [-0.8, -0.3, 0.0, 0.5, 0.9_f64] {
            let product = 2.0 / std::f64::consts::PI * correlation.asin();
            assert!((scores.correlation(&scores, product) - correlation).abs() < 1e-3, "{correlation}");
        }
        assert!((scores.slope(&scores) - usual_slope(2)).abs() < 1e-12);
    }

    #[test]
    fn a_constant_column_shows_nothing() {
        let constant = StepScores::new(&margin(&[1.0]), 4, 32);
        let even = StepScores::new(&margin(&[0.25; 4]), 4, 32);
        assert_eq!(constant.slope(&even), 0.0);
        for product in [f64::NEG_INFINITY, -5.0, 0.0, 5.0, f64::INFINITY] {
            assert!(even.correlation(&even, product).abs() <= LARGEST);
        }
        // Finer classes have larger slopes for their largest score where they are even, and never more than one.
        assert!(usual_slope(2) > usual_slope(4) && usual_slope(4) > usual_slope(8) && usual_slope(8) > 0.2);
    }
}
