//! Simulated columns of 5000 rows: how far their margins may be off at several budgets.

use super::{mean_distances, whole_numbers};
use indistinct::grid::ColumnFacts;
use indistinct::random::{Generator, Seed};
use rand::RngExt;
use rand_distr::{Distribution, LogNormal, Normal};

const ROWS: usize = 5000;
const RUNS: u32 = 6;

fn simulated(mut value: impl FnMut(&mut Generator) -> f64) -> Vec<f64> {
    let mut random = Seed(7).stream(0);
    (0..ROWS).map(|_| value(&mut random)).collect()
}

fn normal(random: &mut Generator) -> f64 {
    Normal::new(50.0, 10.0).unwrap().sample(random)
}

fn money(random: &mut Generator) -> f64 {
    LogNormal::<f64>::new(10.0, 0.8).unwrap().sample(random).round()
}

fn steps_of_one() -> ColumnFacts {
    ColumnFacts { step: Some(1.0), ..ColumnFacts::default() }
}

/// Distances on 20 bins at epsilon 0.1, 0.5 and 2, on average over runs, stay below these.
fn binned(name: &str, values: &[f64], facts: &ColumnFacts, most: [f64; 3]) {
    for (epsilon, most) in [0.1, 0.5, 2.0].into_iter().zip(most) {
        let [_, found, missing] = mean_distances(values, facts, epsilon, RUNS);
        assert!(found < most && missing < 0.01, "{name}, epsilon {epsilon}: {found}");
    }
}

/// The same for distances on the grid.
fn on_grid(name: &str, values: &[f64], facts: &ColumnFacts, most: [f64; 3]) {
    for (epsilon, most) in [0.1, 0.5, 2.0].into_iter().zip(most) {
        let [found, ..] = mean_distances(values, facts, epsilon, RUNS);
        assert!(found < most, "{name}, epsilon {epsilon}: {found}");
    }
}

#[test]
fn smooth_columns() {
    binned("normal", &simulated(normal), &ColumnFacts::default(), [0.3, 0.04, 0.016]);
    let decimals = simulated(|random| (normal(random) * 100.0).round() / 100.0);
    binned(
        "two decimals",
        &decimals,
        &ColumnFacts { step: Some(0.01), ..ColumnFacts::default() },
        [0.25, 0.04, 0.016],
    );
    binned("money", &simulated(money), &steps_of_one(), [0.11, 0.04, 0.016]);
    let waits = simulated(|random| -random.random::<f64>().ln() * 30.0);
    binned(
        "exponential",
        &waits,
        &ColumnFacts { minimum: Some(0.0), ..ColumnFacts::default() },
        [0.11, 0.04, 0.018],
    );
    let days = simulated(|random| f64::from(random.random_range(18_000..19_500)));
    binned("days", &days, &steps_of_one(), [0.16, 0.045, 0.018]);
    let uniform = simulated(|random| f64::from(random.random_range(0..1000)));
    binned("uniform", &uniform, &whole_numbers(0.0, 999.0), [0.1, 0.04, 0.018]);
}

#[test]
fn heaps_and_spikes() {
    let ages = simulated(|random| normal(random).round());
    on_grid("whole numbers", &ages, &whole_numbers(0.0, 100.0), [0.14, 0.045, 0.018]);
    let heaped = simulated(|random| {
        let value = normal(random);
        if random.random::<f64>() < 0.5 { (value / 5.0).round() * 5.0 } else { value.round() }
    });
    on_grid("heaped at fives", &heaped, &whole_numbers(0.0, 100.0), [0.2, 0.065, 0.035]);
    let spikes = simulated(|random| if random.random::<f64>() < 0.3 { 12.0 } else { 90_000.0 });
    on_grid("two far spikes", &spikes, &steps_of_one(), [0.5, 0.01, 0.005]);
    let zeros = simulated(|random| if random.random::<f64>() < 0.6 { 0.0 } else { money(random) });
    binned("many zeros", &zeros, &steps_of_one(), [0.08, 0.03, 0.02]);
    binned(
        "declared zeros",
        &zeros,
        &ColumnFacts { atoms: vec![0.0], ..steps_of_one() },
        [0.065, 0.03, 0.02],
    );
    let holes =
        simulated(|random| if random.random::<f64>() < 0.2 { f64::NAN } else { normal(random).round() });
    on_grid("holes", &holes, &whole_numbers(0.0, 100.0), [0.15, 0.055, 0.03]);
}
