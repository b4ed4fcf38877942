//! Compares every judge that states a proven sensitivity with all neighbours of small tables; and the one that
//! does not.

use super::*;
use crate::discriminator::cart::CartOptions;
use crate::discriminator::cart::Workspace;
use crate::discriminator::fixed_tree::Cut;
use crate::discriminator::optimal::{OptimalOptions, Thresholds};
use crate::model::SequentialNormal;
use crate::normal::zoom::{JointStage, Zoom};
use crate::privacy::{Budget, Guarantee, Randomness};
use crate::private::PrivateRows;
use crate::progress::Silent;
use crate::random::Seed;
use crate::testing::private_rows;
use std::num::NonZeroU32;

const N: usize = 3;
const DOMAIN: [(f64, f64); 6] = [(-1.0, -1.0), (-1.0, 0.8), (0.1, 0.0), (0.4, -0.7), (1.2, 0.2), (1.0, 2.0)];

fn tables() -> Vec<PrivateRows> {
    let size = DOMAIN.len();
    let row = |code: usize, k: u32| DOMAIN[code / size.pow(k) % size];
    let columns = |code: usize| {
        [(0..N as u32).map(|k| row(code, k).0).collect(), (0..N as u32).map(|k| row(code, k).1).collect()]
    };
    (0..size.pow(N as u32)).map(|code| private_rows(&columns(code))).collect()
}

fn trees(depth: u32, min_synthetic_mass: u32) -> Judge {
    let options = OptimalOptions {
        depth: Some(depth),
        thresholds: Some(Thresholds::Binned(3)),
        min_synthetic_mass,
        ..OptimalOptions::default()
    };
    Judge::Optimal(BinnedTrees::new(options.check().unwrap()).unwrap())
}

fn fixed_tree() -> Judge {
    let cut = |column, threshold| Some(Cut { column, threshold });
    Judge::PrivateTree(FixedTree::undivided().divided(&[cut(0, 0.2)]).divided(&[cut(1, 0.0), cut(1, 1.0)]))
}

fn candidates() -> Vec<SequentialNormal> {
    let model = |mean: f64, sd: f64, loading: f64| {
        SequentialNormal::new(vec![mean, -mean], vec![vec![sd], vec![loading, sd]])
    };
    vec![model(0.0, 1.0, 0.0), model(0.5, 0.5, 0.5), model(-3.0, 0.1, 1.0), model(0.0, 9.0, -2.0)]
}

#[test]
fn neighbours_stay_within_the_sensitivity() {
    let (tables, candidates, size) = (tables(), candidates(), DOMAIN.len());
    let judges = [Judge::Views, fixed_tree(), trees(1, 0), trees(2, 0), trees(2, 1), trees(3, 0)];
    let asked = judges.iter().flat_map(|judge| [(judge, Quality::Pmse), (judge, Quality::Pmae)]);
    for ((judge, quality), sets) in asked.flat_map(|asked| [(asked, 1), (asked, 3)]) {
        let mut largest = 0;
        for omega in 0..4 {
            let trial = Trial::new(judge, quality, N, 2, sets, &mut Seed(8).stream(omega));
            let utilities: Vec<Vec<i64>> =
                tables.iter().map(|table| table.judged(&candidates, &trial)).collect();
            for code in 0..tables.len() {
                // Order does not matter: substitute the first row.
                for value in 0..size {
                    let neighbour = &utilities[code - code % size + value];
                    for (one, other) in utilities[code].iter().zip(neighbour) {
                        largest = largest.max((one - other).abs());
                    }
                }
            }
        }
        let trial = Trial::new(judge, quality, N, 2, sets, &mut Seed(8).stream(0));
        let sensitivity = trial.sensitivity(false);
        let bound = sensitivity.bound().units().get() as i64;
        assert!(sensitivity.proof().is_some());
        assert!(largest <= bound, "{judge:?} {quality:?} {sets}: {largest} > {bound}");
        // 64 cells for three rows: one row can do less there, as `quality::utility` shows.
        let attained = 3 * largest >= bound || *judge == Judge::Views;
        assert!(attained, "{judge:?} {quality:?} {sets}: {largest} is far below {bound}");
    }
}

/// The utility of several synthetic tables is the sum over them, with that many times the bound of one: a mean,
/// in integers.
#[test]
fn several_tables_are_summed_at_as_many_times_the_bound() {
    let (tables, candidates) = (tables(), candidates());
    for (judge, quality) in
        [(trees(2, 0), Quality::Pmae), (trees(2, 0), Quality::Pmse), (fixed_tree(), Quality::Pmse)]
    {
        let together = Trial::new(&judge, quality, N, 2, 3, &mut Seed(8).stream(0));
        let mut sums = vec![0; candidates.len()];
        for omega in &together.omegas {
            let single = Trial { omegas: vec![omega.clone()], ..together.clone() };
            let judged = tables[17].judged(&candidates, &single);
            sums.iter_mut().zip(judged).for_each(|(sum, utility)| *sum += utility);
        }
        assert_eq!(tables[17].judged(&candidates, &together), sums);
        let one = judge.sensitivity(quality, N, 2);
        let all = together.sensitivity(false);
        assert_eq!(all.bound().units().get(), 3 * one.bound().units().get());
        assert_eq!(all.proof(), one.proof());
        assert!(all.bound().to_string().contains("summed over 3 synthetic tables"), "{}", all.bound());
        assert_eq!(together.sensitivity(true).bound().units().get(), 6 * one.bound().units().get());
    }
    // Known masses need no tables, and have nothing to be summed over.
    let views = Trial::new(&Judge::Views, Quality::Pmse, N, 2, 3, &mut Seed(8).stream(0));
    assert_eq!(views.sensitivity(false), Judge::Views.sensitivity(Quality::Pmse, N, 2));
}

/// The purpose of `sets`: one synthetic table has luck of its own, which decides between candidates that are
/// close. Over eight tables the luck in the difference of two utilities, per table, falls to about the root of an
/// eighth.
#[test]
fn the_mean_over_tables_has_less_luck() {
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let near = SequentialNormal::new(vec![2.3, -1.5], vec![vec![10.4], vec![4.8, 3.1]]);
    let rows = private_rows(&crate::model::SequentialModel::simulate(
        &truth,
        &standard_normals(400, 2, &mut Seed(2).stream(0)),
    ));
    let luck = |judge: &Judge, sets: usize| {
        let differences: Vec<f64> = (0..40)
            .map(|stream| {
                let trial = Trial::new(judge, Quality::Pmse, 400, 2, sets, &mut Seed(3).stream(stream));
                let judged = rows.judged(&[truth.clone(), near.clone()], &trial);
                (judged[0] - judged[1]) as f64 / sets as f64
            })
            .collect();
        let mean = differences.iter().sum::<f64>() / 40.0;
        (differences.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 39.0).sqrt()
    };
    for judge in [trees(2, 0), Judge::Cart(CartParams::default())] {
        let ratio = luck(&judge, 8) / luck(&judge, 1);
        assert!((0.2..0.55).contains(&ratio), "{judge:?}: {ratio} where 0.35 is expected");
    }
}

/// Exclusive or: without a first split that gains anything a greedy tree is a stump; with one more row, it sees
/// everything.
#[test]
fn a_greedy_tree_breaks_what_it_would_have_to_keep() {
    let options = CartOptions {
        maxdepth: Some(2),
        cp: Some(0.0),
        minsplit: Some(2),
        minbucket: Some(1),
        ..CartOptions::default()
    };
    let judge = Judge::Cart(options.check().unwrap());
    for quality in [Quality::Pmse, Quality::Pmae] {
        let trial = Trial::new(&judge, quality, 20, 2, 1, &mut Seed(1).stream(0));
        let table = |corners: [(f64, f64); 2], moved: bool| {
            let mut rows: Vec<(f64, f64)> = (0..20).map(|row| corners[row % 2]).collect();
            if moved {
                rows[0] = (0.0, 1.0);
            }
            [rows.iter().map(|row| row.0).collect::<Vec<f64>>(), rows.iter().map(|row| row.1).collect()]
        };
        let synthetic = table([(0.0, 1.0), (1.0, 0.0)], false);
        let of = |moved| {
            let stacked = Stacked::of_numbers(&table([(0.0, 0.0), (1.0, 1.0)], moved), &synthetic);
            trial.of_stacked(&stacked, &mut Workspace::default())
        };
        let sensitivity = judge.sensitivity(quality, 20, 2);
        assert!(sensitivity.proof().is_none());
        assert!((of(false) - of(true)).abs() > 3 * sensitivity.bound().units().get() as i64, "{quality:?}");
    }
}

#[test]
fn all_judges_agree_that_the_truth_is_better() {
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let wrong = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![-5.0, 3.0]]);
    let rows = private_rows(&crate::model::SequentialModel::simulate(
        &truth,
        &standard_normals(1000, 2, &mut Seed(2).stream(0)),
    ));
    let cut = |column, threshold| Some(Cut { column, threshold });
    let tree = FixedTree::undivided().divided(&[cut(0, 2.0)]).divided(&[cut(1, -1.5), cut(1, -1.5)]);
    for judge in [Judge::Views, trees(2, 0), Judge::Cart(CartParams::default()), Judge::PrivateTree(tree)] {
        for quality in [Quality::Pmse, Quality::Pmae] {
            let trial = Trial::new(&judge, quality, 1000, 2, 1, &mut Seed(3).stream(0));
            let found = rows.judged(&[truth.clone(), wrong.clone()], &trial);
            assert!(found[0] > found[1], "{judge:?} {quality:?}: {found:?}");
        }
    }
}

/// Zoom with each judge ends nearer to the truth than it started, and is the same for any order of rows and
/// threads.
#[test]
fn zoom_works_with_every_judge() {
    let truth = SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]]);
    let columns =
        crate::model::SequentialModel::simulate(&truth, &standard_normals(1500, 2, &mut Seed(2).stream(0)));
    let reversed: Vec<Vec<f64>> =
        columns.iter().map(|column| column.iter().rev().copied().collect()).collect();
    let start = SequentialNormal::new(vec![4.0, -1.5], vec![vec![12.0], vec![3.0, 4.0]]);
    let cut = |column, threshold| Some(Cut { column, threshold });
    let tree = FixedTree::undivided()
        .divided(&[cut(0, 2.0)])
        .divided(&[cut(1, -5.0), cut(1, 2.0)])
        .divided(&[cut(0, -8.0), cut(0, -5.0), cut(0, 9.0), cut(0, 12.0)]);
    let zoom = Zoom {
        quality: Quality::Pmae,
        paper_sensitivity: false,
        candidates: 150,
        sets: 1,
        progress: &Silent,
    };
    for judge in [Judge::Views, trees(2, 0), Judge::Cart(CartParams::default()), Judge::PrivateTree(tree)] {
        let run = |columns: &[Vec<f64>], threads: usize, randomness: Randomness| {
            let rows = private_rows(columns);
            let mut budget = Budget::new("4".parse().unwrap(), NonZeroU32::MIN, randomness);
            let epsilon = "2".parse().unwrap();
            let stages = [0.3, 0.1].map(|width| JointStage { epsilon, width });
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut random = Seed(9).stream(0);
            let theta = pool
                .install(|| zoom.joint(&judge, &rows, start.clone(), &stages, &mut budget, &mut random))
                .unwrap();
            (theta, budget.guarantee())
        };
        let seeded = || Randomness::seeded(Seed(10));
        let (theta, _) = run(&columns, 1, seeded());
        assert_eq!(theta, run(&reversed, 2, seeded()).0, "{judge:?}");
        let slope = theta.regressions()[1].slopes[0];
        // It started at 0.25.
        assert!((slope - 0.5).abs() < 0.12, "{judge:?}: {slope}");
        let (_, guarantee) = run(&columns, 2, Randomness::from_system().unwrap());
        assert_eq!(
            matches!(guarantee, Guarantee::Pure { .. }),
            !matches!(judge, Judge::Cart(_)),
            "{judge:?}"
        );
    }
}
