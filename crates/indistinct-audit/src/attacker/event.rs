//! Events of one statistic, and the choice of the one that would prove most.

use crate::bound::{Hits, epsilon_between};
use crate::sample::Side;
use indistinct::model::quantile;
use serde::Serialize;

/// Thresholds tried in the middle of the values.
const MIDDLE: usize = 60;
/// Most frequent values tried by equality.
const ATOMS: usize = 8;
/// Fewest occurrences of a value to be tried by equality.
const FREQUENT: usize = 4;

/// An event of a statistic of a release.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The statistic exceeds a threshold.
    Above(f64),
    /// The statistic does not exceed a threshold.
    AtMost(f64),
    /// The statistic equals a value.
    Equals(f64),
    /// The statistic does not equal a value.
    Differs(f64),
}

impl Event {
    /// Whether it happened.
    pub fn happens(self, value: f64) -> bool {
        match self {
            Self::Above(threshold) => value > threshold,
            Self::AtMost(threshold) => value <= threshold,
            Self::Equals(atom) => value == atom,
            Self::Differs(atom) => value != atom,
        }
    }

    /// The event in words.
    pub fn told(self) -> String {
        let number = |value: f64| match value {
            f64::NEG_INFINITY => "absent".to_owned(),
            value if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) => format!("{value:.4e}"),
            value => format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        };
        match self {
            Self::Above(f64::NEG_INFINITY) => "is there".to_owned(),
            Self::AtMost(f64::NEG_INFINITY) => "is not there".to_owned(),
            Self::Above(threshold) => format!("> {}", number(threshold)),
            Self::AtMost(threshold) => format!("<= {}", number(threshold)),
            Self::Equals(atom) => format!("= {}", number(atom)),
            Self::Differs(atom) => format!("differs from {}", number(atom)),
        }
    }
}

/// An event and the bound that it promises.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The event.
    pub event: Event,
    /// The side on which it is expected more often.
    pub side: Side,
    /// The epsilon that it would approximately prove.
    pub promise: f64,
}

/// The best event for each delta; `values` of both sides ascend.
pub(super) fn best(values: &[Vec<f64>; 2], deltas: &[f64], alpha: f64) -> Vec<Option<Chosen>> {
    // The chance of each of the two bounds; Wilson's are close enough to choose by.
    let z = -quantile(alpha / 2.0);
    let above = thresholds(values).into_iter().map(|cut| (Event::Above(cut), Event::AtMost(cut)));
    let equal = atoms(values).into_iter().map(|atom| (Event::Equals(atom), Event::Differs(atom)));
    let mut found: Vec<Option<Chosen>> = vec![None; deltas.len()];
    for (event, opposite) in above.chain(equal) {
        let hits = [count(&values[0], event), count(&values[1], event)];
        for (event, hits) in [(event, hits), (opposite, hits.map(Hits::complement))] {
            for (side, more, less) in [(Side::X, hits[0], hits[1]), (Side::Neighbour, hits[1], hits[0])] {
                let (p, q) = (wilson(more, -z), wilson(less, z));
                for (delta, best) in deltas.iter().zip(&mut found) {
                    let promise = epsilon_between(p, q, *delta);
                    if promise > best.as_ref().map_or(0.0, |best| best.promise) {
                        *best = Some(Chosen { event, side, promise });
                    }
                }
            }
        }
    }
    found
}

fn count(values: &[f64], event: Event) -> Hits {
    let below = |bound: f64| values.partition_point(|value| *value <= bound);
    let hits = match event {
        Event::Above(threshold) => values.len() - below(threshold),
        Event::AtMost(threshold) => below(threshold),
        Event::Equals(atom) => below(atom) - values.partition_point(|value| *value < atom),
        Event::Differs(atom) => values.len() - (below(atom) - values.partition_point(|value| *value < atom)),
    };
    Hits { hits: hits as u64, releases: values.len() as u64 }
}

/// Wilson's bound at z standard deviations.
fn wilson(hits: Hits, z: f64) -> f64 {
    let (n, p) = (hits.releases.max(1) as f64, hits.share());
    let centre = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    ((centre + half) / (1.0 + z * z / n)).clamp(0.0, 1.0)
}

/// Thresholds worth trying: evenly among all values, and ever closer to both ends.
pub(super) fn thresholds(values: &[Vec<f64>; 2]) -> Vec<f64> {
    let mut pooled: Vec<f64> = values.iter().flatten().copied().collect();
    pooled.sort_unstable_by(f64::total_cmp);
    let n = pooled.len();
    let middle = (1..MIDDLE).map(|part| n * part / MIDDLE);
    let steps =
        std::iter::successors(Some(1.0f64), |step| Some(step * 1.25)).take_while(|step| *step < n as f64);
    let steps: Vec<usize> = steps.map(|step| step as usize).collect();
    let low = steps.iter().map(|&step| step - 1);
    let high = steps.iter().map(|&step| n - 1 - step);
    let mut cuts: Vec<f64> =
        middle.chain(low).chain(high).filter_map(|place| pooled.get(place).copied()).collect();
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// The values that occur most often.
fn atoms(values: &[Vec<f64>; 2]) -> Vec<f64> {
    let mut pooled: Vec<f64> = values.iter().flatten().copied().collect();
    pooled.sort_unstable_by(f64::total_cmp);
    let runs = pooled.chunk_by(|a, b| a == b).filter(|run| run.len() >= FREQUENT);
    let mut runs: Vec<(usize, f64)> = runs.map(|run| (run.len(), run[0])).collect();
    runs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    runs.into_iter().take(ATOMS).map(|(_, atom)| atom).collect()
}
