//! Attacks on mechanisms whose epsilon is known.

use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct_paper::store::{ExperimentError, Run};
use rand::RngExt;

use super::*;
use crate::outcome::Outcome;
use crate::sample::{Mechanism, collect};

/// Reveals its side with probability e^epsilon / (1 + e^epsilon), beside numbers that say nothing.
struct RandomisedResponse {
    epsilon: f64,
}

impl Mechanism for RandomisedResponse {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        let mut random = Seed(side as u64).stream(number);
        let honest = random.random_bool(self.epsilon.exp() / (1.0 + self.epsilon.exp()));
        let mut outcome = Outcome::default();
        for name in ["a", "b", "c"] {
            outcome.number(name, random.random_range(0.0..1.0));
        }
        outcome.number("answer", f64::from(u8::from((side == Side::X) == honest)));
        Ok(outcome)
    }
}

/// A count of 0 or 1 with discrete Laplace noise, in two cells that both move.
struct NoisyCounts {
    epsilon: f64,
}

impl Mechanism for NoisyCounts {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        let mut random = Seed(2 + side as u64).stream(number);
        let q = (-self.epsilon / 2.0).exp();
        let mut geometric = || {
            let uniform: f64 = random.random_range(f64::MIN_POSITIVE..1.0);
            (uniform.ln() / q.ln()).floor()
        };
        let mut outcome = Outcome::default();
        for count in if side == Side::X { [0.0, 50.0] } else { [1.0, 49.0] } {
            outcome.number(format!("{}", count > 25.0), count + geometric() - geometric());
        }
        Ok(outcome)
    }
}

fn found(mechanism: &dyn Mechanism, releases: u64, delta: f64) -> f64 {
    let sample = collect(mechanism, &Run::unkept(1, releases, &Silent), "known").unwrap();
    let attacker = Attacker::fitted(&sample);
    let attack = attacker.choose(&[delta], 0.05).remove(0);
    attack.map_or(0.0, |attack| attacker.judge(&attack, delta, 0.05).epsilon)
}

#[test]
fn the_epsilon_of_randomised_response_is_recovered_from_below() {
    for epsilon in [0.5, 1.0, 2.0, 4.0] {
        let found = found(&RandomisedResponse { epsilon }, 8000, 0.0);
        assert!(found < epsilon && found > 0.8 * epsilon, "{epsilon}: {found}");
    }
}

#[test]
fn the_epsilon_of_noisy_counts_is_approached_and_not_exceeded() {
    for epsilon in [1.0, 2.0, 4.0] {
        let found = found(&NoisyCounts { epsilon }, 8000, 0.0);
        assert!(found < epsilon && found > 0.6 * epsilon, "{epsilon}: {found}");
    }
}

#[test]
fn a_delta_lowers_the_bound() {
    let mechanism = RandomisedResponse { epsilon: 2.0 };
    let (pure, approximate) = (found(&mechanism, 8000, 0.0), found(&mechanism, 8000, 0.2));
    // The event itself: (p - delta) / q.
    let p = 2f64.exp() / (1.0 + 2f64.exp());
    let wanted = ((p - 0.2) / (1.0 - p)).ln();
    assert!(
        approximate < pure && approximate < wanted && approximate > wanted - 0.25,
        "{pure} {approximate}"
    );
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    // One test at 95 %: with this seed it finds nothing, and never more than a little.
    assert!(found(&RandomisedResponse { epsilon: 0.0 }, 4000, 0.0) < 0.05);
}

/// Publishes different things: each side sometimes has outcomes of its own.
struct Rare;

impl Mechanism for Rare {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        let mut outcome = Outcome::default();
        outcome.number("always", 1.0);
        if number.is_multiple_of(10) && side == Side::Neighbour {
            outcome.number("now and then", 7.0);
        }
        Ok(outcome)
    }
}

#[test]
fn outcomes_of_one_side_only_are_found() {
    let sample = collect(&Rare, &Run::unkept(1, 4000, &Silent), "rare").unwrap();
    let attacker = Attacker::fitted(&sample);
    let attack = attacker.choose(&[0.0], 0.05).remove(0).unwrap();
    assert_eq!(attack.side, Side::Neighbour);
    assert_eq!(attack.statistic.told(sample.names()), "now and then");
    let judged = attacker.judge(&attack, 0.0, 0.05);
    assert_eq!((judged.expected.hits, judged.other.hits), (200, 0));
    assert!(judged.epsilon > 3.5, "{judged:?}");
}
