//! One audit: a claim, releases from both sides of a pair, and the bound they prove.

use indistinct::privacy::{Epsilon, Guarantee};
use serde::Serialize;

use crate::attacker::{Attack, Attacker, Judged};
use crate::bound::Hits;
use crate::sample::{Sample, Side};

/// Deltas of the privacy curve.
const DELTAS: [f64; 11] = [1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5];
/// Fewest releases from each side.
pub const FEWEST_RELEASES: u64 = 40;

/// The claim of a certificate, with which an audit compares.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The certificate's own words.
    pub guarantee: Guarantee,
    /// The promised epsilon; `None` if nothing is promised.
    pub epsilon: Option<f64>,
    /// The delta that goes with it.
    pub delta: f64,
}

impl From<Guarantee> for Claim {
    fn from(guarantee: Guarantee) -> Self {
        Self {
            epsilon: guarantee.epsilon().map(Epsilon::to_f64),
            delta: guarantee.delta().to_f64(),
            guarantee,
        }
    }
}

/// The result of an audit of one pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audited {
    /// The pair of neighbouring tables.
    pub world: String,
    /// The certificate's claim.
    pub claim: Claim,
    /// Releases from each side: the first half to fit and choose, the second to judge.
    pub releases: u64,
    /// The probability with which `epsilon_lower_bound` is below the true epsilon.
    pub confidence: f64,
    /// The lower bound on epsilon, at the claim's delta.
    pub epsilon_lower_bound: f64,
    /// Whether that is more than promised.
    pub exceeds: bool,
    /// The attack that gave the release away; `None` if none did.
    pub attack: Option<Told>,
    /// The bounds for other deltas.
    pub curve: Vec<CurvePoint>,
    /// For thresholds of the best statistic, the shares of releases of each side that exceed them.
    pub trade_off: Vec<(f64, f64)>,
}

/// An attack in words and numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// The statistic of a release.
    pub statistic: String,
    /// The event.
    pub event: String,
    /// The side on which it was expected more often.
    pub side: Side,
    /// Occurrences on that side, in the releases that judged.
    pub expected: Hits,
    /// Occurrences on the other side.
    pub other: Hits,
}

/// A point of the privacy curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The delta.
    pub delta: f64,
    /// The lower bound on epsilon with this delta, at the stated confidence for each point by itself.
    pub epsilon_lower_bound: f64,
}

/// Judges a sample of releases against a claim, at a confidence of 1 - `alpha`.
pub fn judge(world: &str, sample: &Sample, claim: Claim, alpha: f64) -> Audited {
    let attacker = Attacker::fitted(sample);
    let deltas: Vec<f64> = [claim.delta, 0.0].into_iter().chain(DELTAS).collect();
    let attacks = attacker.choose(&deltas, alpha);
    let judged = |attack: &Option<Attack>, delta: f64| -> Option<Judged> {
        attack.as_ref().map(|attack| attacker.judge(attack, delta, alpha))
    };
    let curve = attacks.iter().zip(&deltas).skip(1).map(|(attack, &delta)| CurvePoint {
        delta,
        epsilon_lower_bound: judged(attack, delta).map_or(0.0, |judged| judged.epsilon),
    });
    let found = judged(&attacks[0], claim.delta);
    let epsilon = found.as_ref().map_or(0.0, |judged| judged.epsilon);
    let told = |(attack, Judged { expected, other, .. }): (&Attack, Judged)| Told {
        statistic: attack.statistic.told(sample.names()),
        event: attack.event.told(),
        side: attack.side,
        expected,
        other,
    };
    Audited {
        world: world.to_owned(),
        releases: sample.releases() as u64,
        confidence: 1.0 - alpha,
        epsilon_lower_bound: epsilon,
        exceeds: claim.epsilon.is_some_and(|promised| epsilon > promised),
        curve: curve.collect(),
        trade_off: attacks[0]
            .as_ref()
            .map(|attack| attacker.trade_off(&attack.statistic))
            .unwrap_or_default(),
        attack: attacks[0].as_ref().zip(found).map(told),
        claim,
    }
}

/// The least number among 100, 200, 400, ... releases from each side at which, and at all larger available ones,
/// a claim is found to be exceeded; `None` if there is none.
pub fn releases_needed(sample: &Sample, claim: &Claim, alpha: f64) -> Option<u64> {
    let sizes = std::iter::successors(Some(100usize), |size| Some(size * 2));
    let mut sizes: Vec<usize> = sizes.take_while(|size| *size < sample.releases()).collect();
    sizes.push(sample.releases());
    let caught = |size: &&usize| judge("", &sample.first(**size), claim.clone(), alpha).exceeds;
    sizes.iter().rev().take_while(caught).last().map(|size| *size as u64)
}
