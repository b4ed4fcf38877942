//! The sinh-arcsinh normal distribution of Jones and Pewsey (2009): a normal one with skewness and tails of its own.

use super::law::{Law, Tails};
use crate::model;

/// The upper quartile of the standard normal distribution.
const QUARTILE: f64 = 0.674_489_750_196_081_7;

/// X = xi + eta sinh((asinh(Z) + epsilon) / delta) with a standard normal Z. Epsilon is the direction of the
/// longer tail, and tails are heavier than the normal's where delta is below 1; with 0 and 1 it is the normal
/// distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SinhArcsinh {
    xi: f64,
    eta: f64,
    epsilon: f64,
    delta: f64,
}

impl SinhArcsinh {
    /// The distribution with this median and this distance of quartiles, given as the standard deviation of the
    /// normal distribution with the same quartiles: cells tell these apart best, whatever the shape.
    pub(super) fn of_quartiles(median: f64, scale: f64, epsilon: f64, delta: f64) -> Self {
        let standard = Self { xi: 0.0, eta: 1.0, epsilon, delta };
        let eta = scale * 2.0 * QUARTILE / (standard.x(QUARTILE) - standard.x(-QUARTILE));
        Self { xi: median - eta * standard.x(0.0), eta, epsilon, delta }
    }

    /// The value of X where Z is z.
    fn x(&self, z: f64) -> f64 {
        self.xi + self.eta * ((z.asinh() + self.epsilon) / self.delta).sinh()
    }

    /// The value of Z where X is x.
    fn z(&self, x: f64) -> f64 {
        (self.delta * ((x - self.xi) / self.eta).asinh() - self.epsilon).sinh()
    }
}

impl Law for SinhArcsinh {
    fn tails(&self, edge: f64) -> Tails {
        let z = self.z(edge);
        Tails { below: model::distribution(z), above: model::distribution(-z) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values made by `tests/golden/make_families.py`.
    #[test]
    fn agrees_with_scipy() {
        let golden = include_str!("../../tests/golden/sinh_arcsinh.csv");
        assert!(golden.lines().count() > 100);
        for line in golden.lines() {
            let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
            let &[xi, eta, epsilon, delta, x, below, above] = numbers.as_slice() else { panic!("{line}") };
            let found = SinhArcsinh { xi, eta, epsilon, delta }.tails(x);
            assert!(
                (found.below - below).abs() <= 1e-9 * below && (found.above - above).abs() <= 1e-9 * above,
                "{line}"
            );
        }
    }

    #[test]
    fn both_ways_and_by_quartiles() {
        for (epsilon, delta) in [(0.0, 1.0), (1.5, 0.6), (-0.7, 2.0), (3.0, 0.4)] {
            let law = SinhArcsinh::of_quartiles(20.0, 3.0, epsilon, delta);
            for z in [-3.0, -0.5, 0.0, 1.0, 4.0] {
                assert!((law.z(law.x(z)) - z).abs() < 1e-9);
            }
            assert!((law.tails(20.0).below - 0.5).abs() < 1e-12);
            let quartiles = law.x(QUARTILE) - law.x(-QUARTILE);
            assert!((quartiles / QUARTILE - 6.0).abs() < 1e-9, "{quartiles}");
            assert_eq!(
                [f64::NEG_INFINITY, f64::INFINITY].map(|edge| law.tails(edge)),
                [Tails::FIRST, Tails::LAST]
            );
        }
        let normal = SinhArcsinh::of_quartiles(20.0, 3.0, 0.0, 1.0);
        assert!((normal.tails(23.0).below - model::distribution(1.0)).abs() < 1e-12);
    }
}
