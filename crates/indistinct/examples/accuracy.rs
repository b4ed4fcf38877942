//! How close regression on synthetic tables comes to regression on the real one: `accuracy ROWS EPSILON RUNS [SHIFT SCALE SHARE]`.
//!
//! The paper's data, X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3), shifted and scaled; one private draw and one synthetic
//! table for each seed. Prints the mean absolute error of intercept and slope, in units of the unscaled data.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an experiment, not a library")]

use std::num::NonZeroU32;
use std::time::Instant;

use indistinct::model::{SequentialModel, SequentialNormal};
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateRows;
use indistinct::quality::Quality;
use indistinct::random::{Generator, Seed};
use indistinct::sampler::schedule::Plan;
use indistinct::sampler::{draw, zoom::Zoom};
use indistinct::table::{Column, Table};
use rand::RngExt;

fn normal(random: &mut Generator) -> f64 {
    let (u, v): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn rows(model: &SequentialNormal, n: usize, random: &mut Generator) -> Vec<Vec<f64>> {
    let z: Vec<Vec<f64>> = (0..2).map(|_| (0..n).map(|_| normal(random)).collect()).collect();
    model.simulate(&z)
}

fn ols(columns: &[Vec<f64>]) -> (f64, f64) {
    let n = columns[0].len() as f64;
    let mean = |x: &[f64]| x.iter().sum::<f64>() / n;
    let (mx, my) = (mean(&columns[0]), mean(&columns[1]));
    let sxy: f64 = columns[0].iter().zip(&columns[1]).map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = columns[0].iter().map(|x| (x - mx) * (x - mx)).sum();
    (my - sxy / sxx * mx, sxy / sxx)
}

fn main() {
    let arguments: Vec<f64> = std::env::args().skip(1).map(|text| text.parse().unwrap()).collect();
    let (n, epsilon, runs) = (arguments[0] as usize, arguments[1], arguments[2] as u64);
    let (shift, scale) = (arguments.get(3).copied().unwrap_or(0.0), arguments.get(4).copied().unwrap_or(1.0));
    let share = arguments.get(5).copied().unwrap_or(0.6);
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let start = Instant::now();
    let (mut intercepts, mut slopes) = (Vec::new(), Vec::new());
    for seed in 0..runs {
        let real = rows(&truth, n, &mut Seed(seed).stream(1));
        let moved = |column: &Vec<f64>| column.iter().map(|x| x * scale + shift).collect();
        let table =
            Table::new(vec![Column::float("x", moved(&real[0])), Column::float("y", moved(&real[1]))])
                .unwrap();
        let private = PrivateRows::new(&table).unwrap();
        let plan = Plan {
            rows: n,
            columns: 2,
            epsilon: Epsilon::from_f64(epsilon).unwrap(),
            rows_per_person: 1,
            measure_share: share,
            quality: Quality::Pmae,
        };
        let zoom =
            Zoom { quality: Quality::Pmae, paper_sensitivity: false, candidates: 2000, progress: &|| {} };
        let mut budget = Budget::new(plan.epsilon, NonZeroU32::MIN, Randomness::seeded(Seed(1000 + seed)));
        let theta = draw(&private, &plan, &zoom, &mut budget, &mut Seed(seed).stream(2)).unwrap();
        let synthetic = rows(&theta, n, &mut Seed(seed).stream(3));
        let back: Vec<Vec<f64>> =
            synthetic.iter().map(|column| column.iter().map(|x| (x - shift) / scale).collect()).collect();
        let (found, expected) = (ols(&back), ols(&real));
        intercepts.push((found.0 - expected.0).abs());
        slopes.push((found.1 - expected.1).abs());
    }
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let worst = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
    println!(
        "intercept {:.4} (worst {:.3}), slope {:.5} (worst {:.4}), {:.3} s a run",
        mean(&intercepts),
        worst(&intercepts),
        mean(&slopes),
        worst(&slopes),
        start.elapsed().as_secs_f64() / runs as f64
    );
}
