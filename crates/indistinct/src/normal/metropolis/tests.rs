//! Compares chains with numerical integration, and tests what they may depend on.

use super::*;
use crate::discriminator::cart::CartParams;
use crate::discriminator::optimal::{BinnedTrees, OptimalOptions};
use crate::normal::diagnostics::{effective_size, split_rhat};
use crate::privacy::{Guarantee, Randomness};
use crate::random::Seed;
use crate::testing::private_rows;
use std::num::NonZeroU32;

fn normals(mean: f64, sd: f64, n: usize, task: u64) -> Vec<f64> {
    let mut random = Seed(11).stream(task);
    (0..n)
        .map(|_| {
            let z: f64 = StandardNormal.sample(&mut random);
            mean + sd * z
        })
        .collect()
}

fn budget(epsilon: &str) -> Budget {
    Budget::new(epsilon.parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(2)))
}

fn charge(budget: &mut Budget, trial: &Trial) -> ChainCharge {
    budget
        .charge_chain("chains", budget.total(), trial.sensitivity(false), Exactness::AtStationarity)
        .unwrap()
}

/// Chi-square of states against probabilities of intervals, scaled to the effective number of draws: about
/// chi-square distributed with one degree of freedom less than there are intervals.
fn chi_square(chains: &[&[f64]], edges: &[f64], law: &[f64]) -> f64 {
    let mut counts = vec![0.0; law.len()];
    for &value in chains.iter().copied().flatten() {
        counts[edges.partition_point(|&edge| edge <= value)] += 1.0;
    }
    let all: f64 = counts.iter().sum();
    let square: f64 = counts.iter().zip(law).map(|(count, p)| (count / all - p).powi(2) / p).sum();
    square * effective_size(chains).min(all)
}

/// Edges of intervals of about equal probability, and their exact probabilities on a grid.
fn intervals(grid: &[f64], density: &[f64], count: usize) -> (Vec<f64>, Vec<f64>) {
    let sum: f64 = density.iter().sum();
    let (mut edges, mut law, mut part) = (Vec::new(), Vec::new(), 0.0);
    for (window, mass) in grid.windows(2).zip(density) {
        part += mass / sum;
        if part >= 1.0 / count as f64 && edges.len() + 1 < count {
            edges.push(f64::midpoint(window[0], window[1]));
            law.push(std::mem::take(&mut part));
        }
    }
    law.push(1.0 - law.iter().sum::<f64>());
    (edges, law)
}

fn grid(from: f64, to: f64, points: usize) -> Vec<f64> {
    (0..points).map(|k| from + (to - from) * k as f64 / (points - 1) as f64).collect()
}

/// A target with one parameter, the mean: the log sd is fixed.
struct Mean<'a>(Posterior<'a>);

impl Target for Mean<'_> {
    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.0.log_density(&[theta[0], 0.0])
    }
}

fn posterior<'a>(rows: &'a PrivateRows, trial: &Trial<'a>, factor: f64, prior_sd: f64) -> Posterior<'a> {
    Posterior {
        rows,
        trial: trial.clone(),
        fresh_tables: false,
        factor,
        prior_precision: 1.0 / (prior_sd * prior_sd),
        prior_scale: PriorScale::Sd,
        scratch: Scratch::default(),
    }
}

/// Without data a chain has the prior's law: standard deviations are half normal as in the paper, and their
/// logarithms are not normal, unless that is requested.
#[test]
fn the_prior_is_on_the_scale_that_it_says() {
    const PRIOR_SD: f64 = 3.0;
    let rows = private_rows(&[normals(0.0, 1.0, 60, 0)]);
    let trial = Trial::new(&Judge::Views, Quality::Pmse, 60, 1, 1, &mut Seed(1).stream(0));
    // |N(0, 1)| and N(0, 1) at their octiles.
    let half = [0.157_31, 0.318_64, 0.488_78, 0.674_49, 0.887_15, 1.150_35, 1.534_12];
    let whole = [-1.150_35, -0.674_49, -0.318_64, 0.0, 0.318_64, 0.674_49, 1.150_35];
    for (scale, edges) in [(PriorScale::Sd, half), (PriorScale::LogSd, whole)] {
        let mut target = Posterior { prior_scale: scale, ..posterior(&rows, &trial, 0.0, PRIOR_SD) };
        let length = Length { burn_in: 4000, steps: 80_000, kept: 20_000 };
        let chains: Vec<Vec<f64>> = (0..3)
            .map(|chain| {
                let trace = walk(
                    &mut target,
                    vec![0.0, 0.0],
                    &[1.0, 1.0],
                    length,
                    &mut Seed(6).stream(chain),
                    &Silent,
                )
                .unwrap();
                let scaled = |log_sd: &f64| if scale == PriorScale::Sd { log_sd.exp() } else { *log_sd };
                trace.kept[1].iter().map(|log_sd| scaled(log_sd) / PRIOR_SD).collect()
            })
            .collect();
        let chains: Vec<&[f64]> = chains.iter().map(Vec::as_slice).collect();
        let found = chi_square(&chains, &edges, &[0.125; 8]);
        // 7 degrees of freedom: 24 is exceeded once in a thousand times.
        assert!(found < 24.0, "{scale:?}: {found}");
    }
}

#[test]
fn one_dimension_agrees_with_integration() {
    let rows = private_rows(&[normals(0.7, 1.0, 80, 0)]);
    for (quality, epsilon) in [(Quality::Pmse, "1"), (Quality::Pmae, "0.5")] {
        let trial = Trial::new(&Judge::Views, quality, 80, 1, 1, &mut Seed(1).stream(0));
        let (factor, generators) = charge(&mut budget(epsilon), &trial).into_chains(3);
        let mut target = Mean(posterior(&rows, &trial, factor, 2.0));
        let points = grid(-9.0, 9.0, 9001);
        let density: Vec<f64> = points.iter().map(|&x| target.log_density(&[x]).exp()).collect();
        let (edges, law) = intervals(&points, &density, 12);
        let length = Length { burn_in: 2000, steps: 40_000, kept: 10_000 };
        let traces: Vec<Trace> = generators
            .into_iter()
            .map(|mut random| walk(&mut target, vec![-3.0], &[1.0], length, &mut random, &Silent).unwrap())
            .collect();
        let chains: Vec<&[f64]> = traces.iter().map(|trace| trace.kept[0].as_slice()).collect();
        let found = chi_square(&chains, &edges, &law);
        // 11 degrees of freedom: 31 is exceeded once in a thousand times.
        assert!(found < 31.0, "{quality:?}: {found}");
        assert!(split_rhat(&chains) < 1.01);
    }
}

#[test]
fn two_dimensions_agree_with_integration() {
    let rows = private_rows(&[normals(-0.5, 1.3, 120, 1)]);
    for (quality, epsilon) in [(Quality::Pmse, "1.5"), (Quality::Pmae, "0.5")] {
        let trial = Trial::new(&Judge::Views, quality, 120, 1, 1, &mut Seed(1).stream(0));
        let metropolis =
            Metropolis { quality, prior_sd: 1.5, burn_in: 4000, steps: 60_000, ..Metropolis::default() };
        let traces = metropolis.traces(&rows, &trial, charge(&mut budget(epsilon), &trial), KEPT).unwrap();
        let (factor, _) = charge(&mut budget(epsilon), &trial).into_chains(1);
        let mut target = posterior(&rows, &trial, factor, 1.5);
        let points = grid(-7.0, 7.0, 501);
        let (mut means, mut log_sds) = (vec![0.0; 501], vec![0.0; 501]);
        for (i, &mean) in points.iter().enumerate() {
            for (j, &log_sd) in points.iter().enumerate() {
                let density = target.log_density(&[mean, log_sd]).exp();
                means[i] += density;
                log_sds[j] += density;
            }
        }
        for (parameter, density) in [means, log_sds].iter().enumerate() {
            let (edges, law) = intervals(&points, density, 8);
            let chains: Vec<&[f64]> = traces.iter().map(|trace| trace.kept[parameter].as_slice()).collect();
            let found = chi_square(&chains, &edges, &law);
            assert!(split_rhat(&chains) < 1.02, "{}", split_rhat(&chains));
            // 7 degrees of freedom: 24 is exceeded once in a thousand times.
            assert!(
                found < 24.0,
                "{quality:?}, parameter {parameter}: {found}, worth {}",
                effective_size(&chains)
            );
        }
    }
}

fn paper(n: usize) -> Vec<Vec<f64>> {
    let x = normals(2.0, 10.0, n, 4);
    let y = x.iter().zip(normals(-2.5, 3.0, n, 5)).map(|(x, noise)| 0.5 * x + noise).collect();
    vec![x, y]
}

fn judges() -> Vec<Judge> {
    let options = OptimalOptions { depth: Some(2), ..OptimalOptions::default() };
    let trees = BinnedTrees::new(options.check().unwrap()).unwrap();
    vec![Judge::Views, Judge::Optimal(trees), Judge::Cart(CartParams::default())]
}

fn drawn(columns: &[Vec<f64>], judge: &Judge, metropolis: &Metropolis) -> (Draw, Guarantee) {
    let mut budget = budget("1");
    let epsilon = budget.total();
    let rows = private_rows(columns);
    let draw = metropolis.draw(judge, &rows, &mut budget, epsilon, &mut Seed(3).stream(0)).unwrap();
    assert_eq!(budget.remaining(), Epsilon::ZERO);
    (draw, budget.guarantee())
}

#[test]
fn row_order_and_threads_change_nothing() {
    let short = Metropolis { burn_in: 30, steps: 30, chains: 3, ..Metropolis::default() };
    let columns = paper(200);
    let reversed: Vec<Vec<f64>> =
        columns.iter().map(|column| column.iter().rev().copied().collect()).collect();
    for judge in judges() {
        for fresh_tables in [false, true] {
            let metropolis = Metropolis { fresh_tables, ..short.clone() };
            let with_threads = |threads: usize, columns: &[Vec<f64>]| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| drawn(columns, &judge, &metropolis))
            };
            let once = with_threads(1, &columns);
            assert_eq!(once, with_threads(3, &columns), "{judge:?}");
            assert_eq!(once, with_threads(2, &reversed), "{judge:?}");
        }
    }
}

#[test]
fn chains_find_the_papers_model() {
    // Far off, but on the way.
    let rough = SequentialNormal::new(vec![0.0, 0.0], vec![vec![15.0], vec![3.0, 6.0]]);
    let metropolis = Metropolis { start: Start::Around(rough), ..Metropolis::default() };
    let (draw, _) = drawn(&paper(2000), &Judge::Views, &metropolis);
    let found = draw.theta.regressions();
    assert!((found[0].intercept - 2.0).abs() < 2.0 && (found[0].sd - 10.0).abs() < 2.0, "{found:?}");
    assert!((found[1].slopes[0] - 0.5).abs() < 0.1 && (found[1].sd - 3.0).abs() < 0.9, "{found:?}");
    assert_eq!(draw.diagnostics.parameters.len(), 5);
    assert!(draw.diagnostics.worst_rhat() < 1.03, "{:?}", draw.diagnostics);
    assert!(draw.diagnostics.least_effective_size() > 300.0, "{:?}", draw.diagnostics);
}

#[test]
fn dispersed_chains_find_the_model_or_fail_diagnostics() {
    let metropolis = Metropolis { quality: Quality::Pmae, chains: 6, ..Metropolis::default() };
    let rows = private_rows(&paper(2000));
    let trial = Trial::new(&Judge::Views, Quality::Pmae, 2000, 2, 1, &mut Seed(1).stream(0));
    let traces = metropolis.traces(&rows, &trial, charge(&mut budget("1"), &trial), KEPT).unwrap();
    let near = traces.iter().filter(|trace| {
        let slope = trace.last[3];
        (trace.last[0] - 2.0).abs() < 1.5 && (slope - 0.5).abs() < 0.1
    });
    let near = near.count();
    assert!(near >= 4, "{near} of 6");
    let said = Diagnostics::new(names(2), &traces).worst_rhat() > 1.2;
    assert_eq!(said, near < 6, "a chain on a plateau of the prior shows");
}

#[test]
fn certificates_say_what_a_chain_is() {
    let columns = paper(100);
    let short = Metropolis { burn_in: 5, steps: 5, chains: 2, ..Metropolis::default() };
    for judge in judges() {
        for fresh_tables in [false, true] {
            let metropolis = Metropolis { fresh_tables, ..short.clone() };
            let mut budget =
                Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
            let epsilon = budget.total();
            metropolis
                .draw(&judge, &private_rows(&columns), &mut budget, epsilon, &mut Seed(3).stream(0))
                .unwrap();
            let promised = !(matches!(judge, Judge::Cart(_)) || fresh_tables && judge.needs_tables());
            match budget.guarantee() {
                Guarantee::AtStationarity { .. } => assert!(promised, "{judge:?} {fresh_tables}"),
                Guarantee::None { .. } => assert!(!promised, "{judge:?} {fresh_tables}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn starts_and_parameters_fit_together() {
    let theta = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let around = Metropolis { start: Start::Around(theta), ..Metropolis::default() };
    for metropolis in [around, Metropolis::default()] {
        let (start, widths) = metropolis.started(2, &mut Seed(1).stream(0));
        assert_eq!((start.len(), widths.len()), (5, 5));
        assert!(widths.iter().all(|&width| width > 0.0));
    }
    let found = model(&[2.0, 10_f64.ln(), -2.5, 0.5, 3_f64.ln()], 2).regressions();
    assert!((found[1].slopes[0] - 0.5).abs() < 1e-12 && (found[1].intercept + 2.5).abs() < 1e-12);
    assert_eq!(names(2)[3], "slope of column 2 on column 1");
    // Nothing overflows into a panic.
    let rows = private_rows(&paper(50));
    let trial = Trial::new(&Judge::Views, Quality::Pmae, 50, 2, 1, &mut Seed(1).stream(0));
    let mut target = posterior(&rows, &trial, 1.0, 316.0);
    for wild in [1e300, -1e300, f64::MAX] {
        assert!(!target.log_density(&[wild; 5]).is_nan());
    }
}
