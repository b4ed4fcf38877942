//! The null expectation, by simulation.

use indistinct::discriminator::Stacked;
use indistinct::discriminator::logistic::{Design, Options, fit};
use indistinct::quality::null::NullExpectation;
use indistinct::random::Seed;
use indistinct::table::{Column, Table};
use rand::seq::SliceRandom;

use super::normals;

/// Options with all pairwise interactions.
fn options() -> Options {
    Options::default().with(|options| options.interactions = true)
}

/// Simulated mean and standard deviation within Monte Carlo error, and 2 % for terms of order k / N.
fn check(simulated: &[f64], null: NullExpectation) {
    let runs = simulated.len() as f64;
    let found = NullExpectation::of_simulations(simulated).unwrap();
    assert!(
        (found.mean - null.mean).abs() < 3.0 * null.sd / runs.sqrt() + 0.02 * null.mean,
        "{found:?} {null:?}"
    );
    // The sd of a chi-square sample's sd is about sd * sqrt((2 + 12 / degrees) / (4 runs)).
    assert!((found.sd / null.sd - 1.0).abs() < 4.0 * (2.0 / runs).sqrt() + 0.02, "{found:?} {null:?}");
}

/// k = 4: two normal columns and their interaction.
fn table(values: &[f64]) -> Table {
    let (x, y) = values.split_at(values.len() / 2);
    Table::new(vec![Column::float("x", x.to_vec()), Column::float("y", y.to_vec())]).unwrap()
}

#[test]
fn two_independent_samples() {
    for (real_rows, synthetic_rows) in [(200, 200), (300, 100), (100, 300)] {
        let simulated: Vec<f64> = (0..1000)
            .map(|run| {
                let mut generator = Seed(11).stream(run);
                let mut draw = |rows: usize| table(&normals(2 * rows, &mut generator));
                let stacked = Stacked::new(&draw(real_rows), &draw(synthetic_rows)).unwrap();
                fit(&stacked, &options()).unwrap().distinguishability().pmse_centred
            })
            .collect();
        check(&simulated, NullExpectation::independent_samples(4, real_rows, synthetic_rows));
    }
}

#[test]
fn rows_from_a_correct_fitted_model() {
    // The discriminator sees x and x^2 (as an interaction of x with itself under another name), whose means
    // are what a normal model is fitted by.
    for (real_rows, synthetic_rows) in [(300, 300), (400, 200), (200, 400)] {
        let simulated: Vec<f64> = (0..1000)
            .map(|run| {
                let mut generator = Seed(12).stream(run);
                let real = normals(real_rows, &mut generator);
                let mean = real.iter().sum::<f64>() / real.len() as f64;
                let variance = real.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / real.len() as f64;
                let draw = |z: &f64| mean + variance.sqrt() * z;
                let synthetic: Vec<f64> = normals(synthetic_rows, &mut generator).iter().map(draw).collect();
                let twice = |x: &[f64]| table(&[x, x].concat());
                let found =
                    fit(&Stacked::new(&twice(&real), &twice(&synthetic)).unwrap(), &options()).unwrap();
                assert_eq!(found.k(), 3);
                found.distinguishability().pmse_centred
            })
            .collect();
        check(&simulated, NullExpectation::fitted_model(3, real_rows, synthetic_rows));
    }
}

#[test]
fn permuted_labels() {
    let mut generator = Seed(13).stream(0);
    let real = table(&normals(400, &mut generator));
    let mut shifted = normals(800, &mut generator);
    for value in &mut shifted {
        *value += 1.0;
    }
    let stacked = Stacked::new(&real, &table(&shifted)).unwrap();
    let design = Design::new(&stacked, &options()).unwrap();
    let mut labels = stacked.labels();
    let observed = design.fit(&labels).unwrap();
    let simulated: Vec<f64> = (0..500)
        .map(|_| {
            labels.shuffle(&mut generator);
            design.fit(&labels).unwrap().distinguishability().pmse_centred
        })
        .collect();
    let null = NullExpectation::independent_samples(observed.k(), 200, 400);
    check(&simulated, null);
    // Tables that differ by a standard deviation are far from the null.
    assert!(null.ratio(observed.distinguishability().pmse_centred).unwrap() > 10.0);
}
