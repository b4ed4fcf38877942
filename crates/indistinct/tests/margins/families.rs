//! Declared families against the laws that columns were drawn from.

use super::{budget, private};
use indistinct::margin::{Facts, Margin, measure};
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, Family};
use rand_distr::{Distribution, Gamma, LogNormal, Normal, Poisson};

/// A law and how columns are drawn from it.
struct Truth {
    name: &'static str,
    family: Family,
    facts: Facts,
    draw: fn(&mut Generator) -> f64,
}

fn truths() -> Vec<Truth> {
    let none = Facts::default();
    let whole = Facts { step: Some(1.0), ..none.clone() };
    vec![
        Truth { name: "normal", family: Family::Normal, facts: none.clone(), draw: |random| Normal::new(50.0, 10.0).unwrap().sample(random) },
        Truth {
            name: "normal, whole numbers with limits",
            family: Family::Normal,
            facts: Facts { minimum: Some(0.0), maximum: Some(120.0), ..whole.clone() },
            draw: |random| Normal::<f64>::new(45.0, 14.0).unwrap().sample(random).round().clamp(0.0, 120.0),
        },
        Truth {
            name: "skewed, by its own law",
            family: Family::Skewed,
            facts: none.clone(),
            draw: |random| {
                let z: f64 = Normal::new(0.0, 1.0).unwrap().sample(random);
                100.0 + 20.0 * ((z.asinh() + 0.8) / 0.8).sinh()
            },
        },
        Truth { name: "skewed, lognormal", family: Family::Skewed, facts: Facts { minimum: Some(0.0), ..whole.clone() }, draw: |random| LogNormal::<f64>::new(10.0, 0.6).unwrap().sample(random).round() },
        Truth {
            name: "skewed, limits",
            family: Family::Skewed,
            facts: Facts { minimum: Some(0.0), maximum: Some(200_000.0), ..whole.clone() }, draw: |random| LogNormal::<f64>::new(10.0, 0.6).unwrap().sample(random).round() },
        Truth { name: "count, Poisson", family: Family::Count, facts: whole.clone(), draw: |random| Poisson::new(3.0).unwrap().sample(random) },
        Truth {
            name: "count, negative binomial",
            family: Family::Count,
            facts: Facts { maximum: Some(300.0), ..whole.clone() },
            draw: |random| {
                let rate: f64 = Gamma::new(1.5, 8.0 / 1.5).unwrap().sample(random);
                Poisson::new(rate.max(1e-9)).unwrap().sample(random)
            },
        },
    ]
}

impl Truth {
    fn rows(&self, rows: usize, seed: u64) -> Vec<f64> {
        let mut random = Seed(seed).stream(1);
        (0..rows).map(|_| (self.draw)(&mut random)).collect()
    }
}

#[test]
fn explore() {
    for truth in truths() {
        let reference = truth.rows(40_000, 99);
        for (rows, epsilon, runs) in [(500, 0.2, 20), (500, 1.0, 10), (2000, 0.2, 10), (20000, 10.0, 2)] {
            let mut out = vec![];
            for family in [Family::Histogram, truth.family] {
                let facts = Facts { family, ..truth.facts.clone() };
                let start = std::time::Instant::now();
                let mut mean = 0.0;
                for seed in 0..runs {
                    let table = private(Column::float("x", truth.rows(rows, seed)));
                    let margin = measure(&table, 0, &facts, &mut budget(epsilon, seed), 1.0).unwrap();
                    mean += super::distances(&reference, &margin, facts.step.is_some())[1] / runs as f64;
                }
                out.push((mean, start.elapsed().as_millis() / runs as u128));
            }
            eprintln!("{:40} {rows:6} {epsilon:5}  {:.3} {:.3}   {} {} ms", truth.name, out[0].0, out[1].0, out[0].1, out[1].1);
        }
    }
}
