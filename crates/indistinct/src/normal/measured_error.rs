//! The error that measuring adds to the sampling error of a model's parameters, from public quantities only.
//!
//! The fit to noisy counts is linear in them near the truth, and the law of the counts is known: multinomial,
//! plus discrete Laplace noise of known scale. In the located model's own space the truth is close to independent
//! standard normal columns, whatever the data; so the error of the fit follows from n, the scale of the noise and
//! the cuts.

use super::measure::choose_views;
use crate::discriminator::views::Views;
use crate::model::distribution;

/// Variances in the innovations of the fitted model, minus those of an estimate from the rows themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredError {
    /// Variance of the mean of a column.
    pub mean: f64,
    /// Variance of the logarithm of its standard deviation.
    pub log_sd: f64,
    /// Variance of the correlation of two columns.
    pub correlation: f64,
}

/// Sampling error and noise of an estimated parameter.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    sampling: f64,
    noise: f64,
}

impl MeasuredError {
    /// The errors for a table with this many columns and rows whose counts have discrete Laplace noise of this
    /// scale.
    ///
    /// With more than two columns, means and standard deviations are averages over the pairs that contain a
    /// column: their noise is divided, their sampling error is taken to be common.
    pub fn new(columns: usize, rows: usize, noise_scale: f64) -> Self {
        Self::with_noise(columns, rows, noise_scale, 1.0)
    }

    /// The part that comes from cells and not from noise: that of the same weighted fit to the counts without
    /// their noise.
    pub fn of_cells(columns: usize, rows: usize, noise_scale: f64) -> Self {
        Self::with_noise(columns, rows, noise_scale, 0.0)
    }

    /// The error from cells, plus `times` the error from noise.
    fn with_noise(columns: usize, rows: usize, noise_scale: f64, times: f64) -> Self {
        let views = choose_views(columns, rows, noise_scale);
        let n = rows as f64;
        let pairs = columns.saturating_sub(1).max(1) as f64;
        let excess = |parts: Parts, of_rows: f64, averaged: f64| {
            (parts.sampling - of_rows).max(0.0) + times * parts.noise / averaged
        };
        let [mean, log_sd, correlation] = errors(&views, columns > 1, n, 2.0 * noise_scale * noise_scale);
        Self {
            mean: excess(mean, 1.0 / n, pairs),
            log_sd: excess(log_sd, 0.5 / n, pairs),
            correlation: excess(correlation, 1.0 / n, 1.0),
        }
    }
}

/// Errors of mean, log standard deviation and correlation in one view.
///
/// Weighted least squares with derivatives d and weights w = 1/(n p + noise) has variance w'Vw terms over (sum w
/// d^2)^2. Cuts are symmetric, so that mean and correlation are uncorrelated with everything else; the two
/// standard deviations of a pair are not, but their sum and difference are.
fn errors(views: &Views, pairs: bool, n: f64, noise: f64) -> [Parts; 3] {
    let axis = axis(views.cuts());
    let one = [Interval { p: 1.0, ..Interval::default() }];
    let second: &[Interval] = if pairs { &axis } else { &one };
    let (mut mean, mut sum, mut difference, mut correlation) =
        (Sums::default(), Sums::default(), Sums::default(), Sums::default());
    for first in &axis {
        for second in second {
            let p = first.p * second.p;
            let rows = ExpectedRows { p, n, noise };
            mean.add(rows, first.by_mean * second.p);
            sum.add(rows, first.by_sd * second.p + first.p * second.by_sd);
            difference.add(rows, first.by_sd * second.p - first.p * second.by_sd);
            correlation.add(rows, first.by_mean * second.by_mean);
        }
    }
    let (sum, difference) = (sum.parts(n), difference.parts(n));
    let log_sd = if pairs {
        // Half the sum of the two, plus half their difference: the coordinates that those derivatives belong to.
        Parts { sampling: sum.sampling + difference.sampling, noise: sum.noise + difference.noise }
    } else {
        sum
    };
    [mean.parts(n), log_sd, correlation.parts(n)]
}

/// One interval of an axis: its probability, and the derivatives of that by the mean and the logarithm of the
/// standard deviation.
#[derive(Debug, Clone, Copy, Default)]
struct Interval {
    p: f64,
    by_mean: f64,
    by_sd: f64,
}

fn axis(cuts: &[f64]) -> Vec<Interval> {
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let mut below = Interval::default();
    let ends = cuts
        .iter()
        .map(|&cut| Interval { p: distribution(cut), by_mean: -density(cut), by_sd: -cut * density(cut) })
        .chain(std::iter::once(Interval { p: 1.0, ..Interval::default() }));
    ends.map(|end| {
        let start = std::mem::replace(&mut below, end);
        Interval { p: end.p - start.p, by_mean: end.by_mean - start.by_mean, by_sd: end.by_sd - start.by_sd }
    })
    .collect()
}

/// The rows of one cell: its probability, all rows, and the variance of its noise.
#[derive(Debug, Clone, Copy)]
struct ExpectedRows {
    p: f64,
    n: f64,
    noise: f64,
}

/// Sums over cells for one parameter.
#[derive(Debug, Default)]
struct Sums {
    information: f64,
    sampling: f64,
    together: f64,
    noise: f64,
}

impl Sums {
    /// Adds a cell whose probability changes by `slope` with the parameter.
    fn add(&mut self, ExpectedRows { p, n, noise }: ExpectedRows, slope: f64) {
        let derivative = n * slope;
        let weight = 1.0 / (n * p + noise);
        let weighted = weight * derivative;
        self.information += weighted * derivative;
        self.sampling += weighted * weighted * n * p;
        self.together += weighted * p;
        self.noise += weighted * weighted * noise;
    }

    fn parts(&self, n: f64) -> Parts {
        let square = self.information * self.information;
        Parts {
            sampling: (self.sampling - n * self.together * self.together) / square,
            noise: self.noise / square,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discriminator::views::equal_cuts;

    #[test]
    fn fine_cells_without_noise_lose_nothing() {
        for pairs in [false, true] {
            let views = Views::of_table(if pairs { 2 } else { 1 }, equal_cuts(200));
            let found = errors(&views, pairs, 1000.0, 0.0);
            let wanted = [1.0, 0.5, 1.0].map(|times| times / 1000.0);
            for (found, wanted) in found.iter().zip(wanted).take(if pairs { 3 } else { 2 }) {
                assert!(found.noise == 0.0 && (1.0..1.08).contains(&(found.sampling / wanted)), "{found:?}");
            }
        }
    }

    #[test]
    fn noise_adds_and_averaging_divides_it() {
        let of = |columns, scale| MeasuredError::new(columns, 5000, scale);
        assert!(of(2, 4.0).mean < of(2, 40.0).mean && of(2, 4.0).correlation < of(2, 40.0).correlation);
        assert!(of(6, 40.0).mean < of(2, 40.0).mean && of(6, 40.0).correlation == of(2, 40.0).correlation);
        assert!(of(1, 4.0).log_sd > 0.0);
    }

    #[test]
    fn the_error_of_cells_is_part_of_the_error() {
        for columns in [2, 5] {
            let (whole, cells) =
                (MeasuredError::new(columns, 5000, 8.0), MeasuredError::of_cells(columns, 5000, 8.0));
            for (whole, cells) in [
                (whole.mean, cells.mean),
                (whole.log_sd, cells.log_sd),
                (whole.correlation, cells.correlation),
            ] {
                assert!(cells > 0.0 && cells < whole, "{columns}: {cells} {whole}");
            }
        }
    }
}
