//! Short forms of the experiments: what they must show can be seen in a few simulations.

use indistinct_baselines::functional::Ridge;
use indistinct_baselines::noisy_bayes::Repair;
use indistinct_baselines::smooth_histogram::Smoothing;
use indistinct_experiments::intervals::{Estimate, Moments};
use indistinct_experiments::methods::{Method, Ours};
use indistinct_experiments::page::{Made, page};
use indistinct_experiments::reproduction::Results;
use indistinct_experiments::store::Run;
use indistinct_experiments::table1::simulation::{COMPLEXITIES, DEPTHS};
use indistinct_experiments::table2::{Cell, Line, Table2};
use indistinct_experiments::{csv, figures, paper, regression, table1};
use indistinct_report::Silent;

#[test]
fn table1_in_short() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::new(folder.path(), false, 3, 700, &Silent).unwrap();
    let table = table1::run(&run).unwrap();
    assert_eq!((table.simulations, table.shown.len()), (700, 700));
    let rows = table.rows();
    for row in &rows {
        // Depth 1 is optimal, and optimal trees and fixed partitions are proven.
        if row.depth.is_none_or(|depth| depth == 1) {
            assert_eq!(row.over_tight, 0, "{row:?}");
            assert!(row.largest > 0.5 * table1::TIGHT_BOUND, "the bound is nearly attained: {row:?}");
        }
        assert_ne!(row.agrees(), Some(false), "{row:?}");
    }
    // Deep greedy trees violate even the paper's bound, about one time in forty.
    let deepest = rows.iter().find(|row| row.cp == Some(0.001) && row.depth == Some(30)).unwrap();
    assert!(deepest.over_paper >= 5, "{deepest:?}");
    assert_eq!(rows.len(), COMPLEXITIES.len() * DEPTHS.len() + 5);
    let chart = figures::figure1(&table);
    assert_eq!(chart.panels.len(), 8);
    assert!(chart.to_svg().len() < 300_000);
    assert_eq!(csv::table1(&table).lines().count(), rows.len() + 1);
}

/// Means of the fast methods, against those that R and the theory gave.
#[test]
fn methods_in_short() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::new(folder.path(), false, 5, 10, &Silent).unwrap();
    let bound = 4.0;
    let near = |method: Method, epsilon: f64, low: f64, high: f64| {
        let outcomes = method.outcomes(&run, epsilon).unwrap();
        assert_eq!(outcomes.len(), 10);
        let pmse: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.pmse).collect();
        let mean = Moments::of(&pmse).mean;
        assert!((low..high).contains(&mean), "{}: {mean}", method.name());
        assert!(outcomes.iter().all(|outcome| outcome.slope.is_finite() && outcome.intercept.is_finite()));
    };
    near(Method::NonDp, 1.0, 0.0055, 0.0078);
    near(Method::SmoothHistogram { bound, smoothing: Smoothing::Matching }, 1.0, 0.028, 0.038);
    near(Method::SmoothHistogram { bound, smoothing: Smoothing::Printed }, 1.0, 0.13, 0.20);
    near(Method::NoisyBayes { bound, repair: Repair::Floored }, 1.0, 0.08, 0.24);
    near(Method::Ours(Ours::Default), 1.0, 0.0055, 0.0078);
    for method in [Method::Functional { bound, ridge: Ridge::Published }, Method::KNorm { bound }] {
        let outcomes = method.outcomes(&run, 1.0).unwrap();
        assert!(outcomes.iter().all(|outcome| outcome.pmse.is_none() && outcome.slope < 0.6));
    }
}

/// The paper's chain, for as long as a test can wait: it stays near where it starts.
#[test]
fn the_papers_chain_in_short() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::new(folder.path(), false, 5, 1, &Silent).unwrap();
    let outcome = Method::PmseMechanism { depth: 1 }.outcomes(&run, 1.0).unwrap()[0];
    assert!(outcome.pmse.unwrap() < 0.25 && outcome.slope.is_finite());
}

#[test]
fn every_method_has_names_of_its_own() {
    let mut names: Vec<String> = regression::methods().iter().map(Method::name).collect();
    let mut slugs: Vec<String> = regression::methods().iter().map(Method::slug).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    slugs.sort();
    slugs.dedup();
    assert_eq!((names.len(), slugs.len()), (all, all));
    assert!(slugs.iter().all(|slug| slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')));
}

/// A table 2 in which the default is as good as it should be, or is not.
fn invented(default: f64) -> Table2 {
    let line = |method: Method, mean: f64, published: Option<paper::Column>| Line {
        method,
        cells: paper::TABLE2_EPSILONS
            .into_iter()
            .enumerate()
            .map(|(place, epsilon)| Cell {
                epsilon,
                simulations: 500,
                mean: Estimate { value: mean, low: 0.99 * mean, high: 1.01 * mean },
                variance: 1e-6,
                paper: published.map(|column| (column.means[place], column.variances[place])),
            })
            .collect(),
    };
    Table2 {
        lines: vec![
            line(Method::NonDp, 0.0066, Some(paper::NON_DP)),
            line(Method::PmseMechanism { depth: 30 }, 0.02, Some(paper::PMSE_MECHANISM)),
            line(Method::Ours(Ours::Default), default, None),
        ],
        longer: line(Method::LongPmseMechanism, 0.2, Some(paper::PMSE_MECHANISM)),
    }
}

#[test]
fn the_page_says_so_when_a_claim_fails() {
    let made = Made { seed: 1, version: "0".to_owned(), figures: "figures/".to_owned() };
    let text = |default| page(&Results { table2: Some(invented(default)), ..Results::default() }, &made);
    let good = text(0.0067);
    assert!(
        !good.contains("**no**") && good.contains("0.09281") && good.contains("figures/table2.svg"),
        "{good}"
    );
    assert_eq!(text(0.0090).matches("**no**").count(), 1, "not within 10 %");
    assert_eq!(text(0.0150).matches("**no**").count(), 3, "nor below the others");
}
