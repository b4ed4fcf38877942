use std::convert::Infallible;

use super::*;
use crate::discriminator::Predictor;

const ROWS: u32 = 600;

fn grow(features: &Features, response: &Response, rows: &[u32], trees: Range<u64>) -> Forest {
    let params = ForestParams::usual(response, features.columns());
    let grown = Forest::grow(features, response, rows, params, Seed(1), trees, || Ok::<(), Infallible>(()));
    grown.unwrap_or_else(|never| match never {})
}

fn accuracy(features: &Features, codes: &[u32], classes: usize, train: &[u32], test: &[u32]) -> f64 {
    let response = Response::Class { codes: codes.to_vec(), classes };
    let forest = grow(features, &response, train, 0..30);
    let right = test.iter().filter(|&&row| {
        let mut votes = vec![0.0; classes];
        forest.add_votes(features, row, &mut votes);
        let most = votes.iter().copied().fold(0.0, f64::max);
        votes[codes[row as usize] as usize] == most
    });
    right.count() as f64 / test.len() as f64
}

fn numbers(value: impl Fn(u32) -> f64) -> Predictor {
    Predictor::Ordered((0..ROWS).map(value).collect())
}

/// Numbers spread evenly over 0 to 1, in an order unrelated to those of other factors.
fn spread(row: u32, factor: f64) -> f64 {
    (f64::from(row) * factor).fract()
}

fn halves() -> (Vec<u32>, Vec<u32>) {
    (0..ROWS).partition(|row| row % 3 != 0)
}

#[test]
fn learns_classes_that_depend_on_two_columns_at_once() {
    // A chessboard of 3 by 3 squares and three classes: neither column says anything alone.
    let (x, y) = (|row| spread(row, 0.618_033_988), |row| spread(row, 0.754_877_666));
    let noise = numbers(|row| spread(row, 0.569_840_29));
    let features = Features::new(&[&numbers(x), &numbers(y), &noise]);
    let square = |value: f64| (value * 3.0) as u32;
    let codes: Vec<u32> = (0..ROWS).map(|row| (square(x(row)) + square(y(row))) % 3).collect();
    let (train, test) = halves();
    let found = accuracy(&features, &codes, 3, &train, &test);
    assert!(found > 0.85, "{found}");
}

#[test]
fn learns_sets_of_levels_and_that_a_value_is_missing() {
    let (train, test) = halves();
    // Levels 0 to 19 in no order; three classes by level.
    let level = |row: u32| row * 7 % 20;
    let nominal = Predictor::Nominal { codes: (0..ROWS).map(level).collect(), levels: 20 };
    let codes: Vec<u32> = (0..ROWS).map(|row| [0, 2, 1, 2, 0, 1, 1][level(row) as usize % 7]).collect();
    assert_eq!(accuracy(&Features::new(&[&nominal]), &codes, 3, &train, &test), 1.0);
    let known = |row: u32| spread(row, 0.618_033_988) > 0.3;
    let holes = numbers(|row| if known(row) { spread(row, 0.754_877_666) } else { f64::NAN });
    let codes: Vec<u32> = (0..ROWS).map(|row| u32::from(known(row))).collect();
    assert_eq!(accuracy(&Features::new(&[&holes]), &codes, 2, &train, &test), 1.0);
}

#[test]
fn predicts_numbers_between_those_it_has_seen() {
    let x = |row| spread(row, 0.618_033_988);
    let features = Features::new(&[&numbers(x)]);
    let response = Response::Number((0..ROWS).map(|row| 10.0 * x(row) - 3.0).collect());
    let (train, test) = halves();
    let forest = grow(&features, &response, &train, 0..50);
    for &row in &test {
        let predicted = forest.sum_of_means(&features, row) / 50.0;
        assert!((predicted - (10.0 * x(row) - 3.0)).abs() < 0.5, "{predicted} for {}", x(row));
    }
}

#[test]
fn a_forest_is_the_same_for_any_number_of_threads_and_in_parts() {
    let columns: Vec<Predictor> = [0.618_033_988, 0.754_877_666, 0.569_840_29]
        .iter()
        .map(|&factor| numbers(move |row| spread(row, factor)))
        .collect();
    let features = Features::new(&columns.iter().collect::<Vec<_>>());
    let response =
        Response::Number((0..ROWS).map(|row| spread(row, 0.3) + spread(row, 0.618_033_988)).collect());
    let (train, test) = halves();
    let sums = |threads: usize, parts: &[Range<u64>]| -> Vec<f64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let forests: Vec<Forest> = pool
            .install(|| parts.iter().map(|part| grow(&features, &response, &train, part.clone())).collect());
        let sum = |&row| forests.iter().fold(0.0, |sum, forest| sum + forest.sum_of_means(&features, row));
        test.iter().map(sum).collect()
    };
    let found = sums(1, &[0..4, 4..8]);
    assert_eq!(found, sums(3, &[0..4, 4..8]));
    let whole = sums(2, &[0..8; 1]);
    assert!(found.iter().zip(&whole).all(|(a, b)| (a - b).abs() < 1e-12), "the same trees");
}

#[test]
fn rows_with_the_same_columns_share_a_leaf() {
    let features = Features::new(&[&Predictor::Ordered(vec![1.0; 40])]);
    let response = Response::Class { codes: (0..40).map(|row| u32::from(row < 30)).collect(), classes: 2 };
    let rows: Vec<u32> = (0..40).collect();
    let forest = grow(&features, &response, &rows, 0..200);
    let mut votes = [0.0; 2];
    forest.add_votes(&features, 0, &mut votes);
    assert!((votes[0] + votes[1] - 200.0).abs() < 1e-9);
    // Each tree votes with the share in its bootstrap sample: 0.75 on average, with standard error 0.005. Seeded.
    assert!((votes[1] / 200.0 - 0.75).abs() < 0.03, "{votes:?}");
}
