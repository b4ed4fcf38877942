//! Simulated columns.
use super::super::*;
use super::{distances, private};
use crate::privacy::{Budget, Epsilon, Randomness};
use crate::random::Seed;
use rand::RngExt;
use rand_distr::{Distribution, LogNormal, Normal};
use std::num::NonZeroU32;

fn simulated() -> Vec<(&'static str, Facts, Vec<f64>)> {
    let mut random = Seed(7).stream(0);
    let n = 5000;
    let step = |step: f64| Facts { step: Some(step), ..Facts::default() };
    let within = |low: f64, high: f64, step: Option<f64>| Facts { step, minimum: Some(low), maximum: Some(high), ..Facts::default() };
    let normal = Normal::<f64>::new(50.0, 10.0).unwrap();
    let money = LogNormal::<f64>::new(10.0, 0.8).unwrap();
    let mut make = |f: &mut dyn FnMut(&mut crate::random::Generator) -> f64| -> Vec<f64> { (0..n).map(|_| f(&mut random)).collect() };
    vec![
        ("normal int", within(0.0, 100.0, Some(1.0)), make(&mut |r| normal.sample(r).round().clamp(0.0, 100.0))),
        ("normal .01", step(0.01), make(&mut |r| (normal.sample(r) * 100.0).round() / 100.0)),
        ("normal float", Facts::default(), make(&mut |r| normal.sample(r))),
        ("lognormal", step(1.0), make(&mut |r| money.sample(r).round())),
        ("zero-infl", step(1.0), make(&mut |r| if r.random::<f64>() < 0.6 { 0.0 } else { money.sample(r).round() })),
        ("heaped 5", within(0.0, 100.0, Some(1.0)), make(&mut |r| { let x = normal.sample(r); if r.random::<f64>() < 0.5 { (x / 5.0).round() * 5.0 } else { x.round() } })),
        ("uniform int", within(0.0, 999.0, Some(1.0)), make(&mut |r| f64::from(r.random_range(0..1000)))),
        ("two spikes", step(1.0), make(&mut |r| if r.random::<f64>() < 0.3 { 12.0 } else { 90_000.0 })),
        ("exponential", Facts { minimum: Some(0.0), ..Facts::default() }, make(&mut |r| -r.random::<f64>().ln() * 30.0)),
        ("date", step(1.0), make(&mut |r| f64::from(r.random_range(18000..19500)))),
    ]
}

#[test]
fn simulated_columns() {
    for (name, facts, values) in simulated() {
        let table = private(values.clone());
        let mut line = format!("{name:15}");
        for epsilon in [0.05, 0.2, 1.0] {
            let runs = 8;
            let mut sums = [0.0; 3];
            let mut cells = 0;
            for seed in 0..runs {
                let total = Epsilon::from_f64(epsilon).unwrap();
                let mut budget = Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
                let margin = measure(&table, 0, &facts, &mut budget, 1.0).unwrap();
                for (sum, distance) in sums.iter_mut().zip(distances(&values, &margin, facts.step.is_some())) {
                    *sum += distance / runs as f64;
                }
                cells += margin.cells().len();
            }
            line += &format!(" | {epsilon}: {:.3} {:.3} ({})", sums[0], sums[1], cells / runs as usize);
        }
        eprintln!("{line}");
    }
}
