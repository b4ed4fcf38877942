//! Bounds on epsilon from counts of hits: Clopper and Pearson's bounds, rounded against the claim.

use indistinct::model::beta_distribution;
use serde::{Deserialize, Serialize};

/// Distance by which the bounds are moved outwards: far more than the error of the arithmetic, far less than
/// anyone reads.
const ROUNDING: f64 = 1e-7;

/// Occurrences of an event on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// Number of releases in which it happened.
    pub hits: u64,
    /// Number of releases in all.
    pub releases: u64,
}

impl Hits {
    /// A probability that is below the true one except with probability `alpha`.
    pub fn lower(self, alpha: f64) -> f64 {
        let Self { hits, releases } = self;
        if hits == 0 {
            return 0.0;
        }
        // P(K >= hits) grows with p: the p at which it is alpha.
        let tail = |p: f64| beta_distribution(p, hits as f64, (releases - hits) as f64 + 1.0);
        (bisect(|p| tail(p) <= alpha).0 - ROUNDING).max(0.0)
    }

    /// A probability that is above the true one except with probability `alpha`.
    pub fn upper(self, alpha: f64) -> f64 {
        let Self { hits, releases } = self;
        if hits >= releases {
            return 1.0;
        }
        // P(K > hits) grows with p: the p at which P(K <= hits) is alpha.
        let tail = |p: f64| beta_distribution(p, hits as f64 + 1.0, (releases - hits) as f64);
        (bisect(|p| 1.0 - tail(p) >= alpha).1 + ROUNDING).min(1.0)
    }

    /// The occurrences of the opposite event.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { hits: self.releases - self.hits, ..self }
    }

    /// The share of releases in which it happened.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.releases.max(1) as f64
    }
}

/// The neighbouring doubles between which a condition that holds from 0 on ends, or nearly so.
fn bisect(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

/// The largest epsilon for which p - delta <= e^epsilon q would be violated: zero if there is none.
///
/// # Guarantee
/// If the event has probability at least `p` on one side and at most `q` on the other, no mechanism that is
/// (epsilon, `delta`)-differentially private for a smaller epsilon gives such releases.
pub fn epsilon_between(p: f64, q: f64, delta: f64) -> f64 {
    let gain = (p - delta) / q;
    if gain > 1.0 { gain.ln() * (1.0 - 1e-12) } else { 0.0 }
}

/// The lower bound on epsilon that an event proves, at a confidence of 1 - `alpha`, if it is more frequent on the
/// first side than on the second.
pub fn epsilon_lower_bound(first: Hits, second: Hits, delta: f64, alpha: f64) -> f64 {
    epsilon_between(first.lower(alpha / 2.0), second.upper(alpha / 2.0), delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values made by `tests/golden/make_clopper_pearson.py`.
    #[test]
    fn agrees_with_scipy_and_is_never_tighter() {
        let golden = include_str!("../tests/golden/clopper_pearson.csv");
        assert!(golden.lines().count() > 100);
        for line in golden.lines() {
            let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
            let &[hits, releases, alpha, low, high] = numbers.as_slice() else { panic!("{line}") };
            let hits = Hits { hits: hits as u64, releases: releases as u64 };
            let (found_low, found_high) = (hits.lower(alpha), hits.upper(alpha));
            assert!(found_low <= low + 1e-12 && low - found_low < 3.0 * ROUNDING, "{line}: {found_low}");
            assert!(found_high >= high - 1e-12 && found_high - high < 3.0 * ROUNDING, "{line}: {found_high}");
        }
    }

    #[test]
    fn bounds_on_epsilon() {
        let all = Hits { hits: 1000, releases: 1000 };
        let none = Hits { hits: 0, releases: 1000 };
        // 0.025^(1/1000) and 1 minus that.
        let p = 0.025f64.powf(1e-3);
        let wanted = (p / (1.0 - p)).ln();
        let found = epsilon_lower_bound(all, none, 0.0, 0.05);
        assert!(found <= wanted && wanted - found < 1e-3, "{found} {wanted}");
        assert_eq!(epsilon_lower_bound(none, all, 0.0, 0.05), 0.0);
        assert_eq!(epsilon_lower_bound(all, all, 0.0, 0.05), 0.0);
        // A delta takes away from what is shown.
        assert!(epsilon_lower_bound(all, none, 0.5, 0.05) < found - 0.69);
        assert_eq!(epsilon_lower_bound(all, none, 1.0, 0.05), 0.0);
        assert_eq!(none.complement(), all);
    }
}
