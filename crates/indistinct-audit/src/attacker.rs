//! The attacker: fits statistics on a quarter of the releases, chooses the most telling event on a second
//! quarter, and is judged on the half that it has not seen.
//!
//! Candidates are every published number by itself, and scores that weigh many of them: see [`Statistic`]. An
//! event is that a statistic exceeds a threshold, or equals a value, or the opposite; both sides are tried as the
//! one on which it happens more often. The event that would give the best bound is chosen, so that rare events
//! that happen on one side only and frequent ones with a modest ratio compete by what they prove.

mod bayes;
mod event;

pub use bayes::Statistic;
pub use event::{Chosen, Event};

use rayon::prelude::*;

use crate::bound::{Hits, epsilon_lower_bound};
use crate::sample::{Sample, Side};

/// A statistic with an event, fixed before the second half is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Attack {
    /// The statistic of a release.
    pub statistic: Statistic,
    /// The event.
    pub event: Event,
    /// The side on which it is expected more often.
    pub side: Side,
}

/// The result of an attack on releases that it had not seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Occurrences on the side on which the event was expected.
    pub expected: Hits,
    /// Occurrences on the other side.
    pub other: Hits,
    /// The lower bound on epsilon.
    pub epsilon: f64,
}

/// Fitted statistics, with their values on the releases on which events are chosen.
pub struct Attacker<'a> {
    sample: &'a Sample,
    statistics: Vec<Statistic>,
}

impl<'a> Attacker<'a> {
    /// Fits statistics on the first quarter of the releases.
    pub fn fitted(sample: &'a Sample) -> Self {
        let quarter = sample.releases() / 4;
        let fit = [&sample.side(Side::X)[..quarter], &sample.side(Side::Neighbour)[..quarter]];
        Self { sample, statistics: bayes::statistics(fit, sample.names().len()) }
    }

    /// Chooses on the second quarter the event that would prove most, for each of several deltas.
    pub fn choose(&self, deltas: &[f64], alpha: f64) -> Vec<Option<Attack>> {
        let (from, to) = (self.sample.releases() / 4, self.sample.releases() / 2);
        let choose = |statistic: &Statistic| -> Vec<Option<Chosen>> {
            let values = Side::BOTH.map(|side| {
                let mut values: Vec<f64> =
                    self.sample.side(side)[from..to].iter().map(|row| statistic.value(row)).collect();
                values.sort_unstable_by(f64::total_cmp);
                values
            });
            event::best(&values, deltas, alpha)
        };
        let found: Vec<Vec<Option<Chosen>>> = self.statistics.par_iter().map(choose).collect();
        let best = |delta: usize| {
            let each = found.iter().zip(&self.statistics);
            let each =
                each.filter_map(|(chosen, statistic)| chosen[delta].as_ref().map(|one| (one, statistic)));
            let best = each.reduce(|best, next| if next.0.promise > best.0.promise { next } else { best })?;
            let Chosen { event, side, .. } = best.0;
            Some(Attack { statistic: best.1.clone(), event: *event, side: *side })
        };
        (0..deltas.len()).map(best).collect()
    }

    /// Judges an attack on the second half.
    ///
    /// # Guarantee
    /// The second half had no part in choosing the attack, so that one exact test at the confidence 1 - `alpha`
    /// is valid.
    pub fn judge(&self, attack: &Attack, delta: f64, alpha: f64) -> Judged {
        let half = self.sample.releases() / 2;
        let hits = |side: Side| {
            let seen = &self.sample.side(side)[half..];
            let hit = |row: &&Vec<f64>| attack.event.happens(attack.statistic.value(row));
            Hits { hits: seen.iter().filter(hit).count() as u64, releases: seen.len() as u64 }
        };
        let (x, neighbour) = (hits(Side::X), hits(Side::Neighbour));
        let (expected, other) = if attack.side == Side::X { (x, neighbour) } else { (neighbour, x) };
        Judged { expected, other, epsilon: epsilon_lower_bound(expected, other, delta, alpha) }
    }

    /// The shares of both sides that exceed each of many thresholds of a statistic, on the second half: its
    /// trade-off of errors, without confidence.
    pub fn trade_off(&self, statistic: &Statistic) -> Vec<(f64, f64)> {
        let half = self.sample.releases() / 2;
        let values = Side::BOTH.map(|side| {
            let mut values: Vec<f64> =
                self.sample.side(side)[half..].iter().map(|row| statistic.value(row)).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        });
        let share = |side: usize, threshold: f64| {
            let below = values[side].partition_point(|value| *value <= threshold);
            (values[side].len() - below) as f64 / values[side].len().max(1) as f64
        };
        event::thresholds(&values).into_iter().map(|cut| (share(0, cut), share(1, cut))).collect()
    }
}

#[cfg(test)]
mod tests;
