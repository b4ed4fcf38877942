//! The integer optimum is the largest sum over all trees, and no neighbour moves it by more than is stated.

use super::sensitivity::{Row, multisets, neighbours, table};
use crate::discriminator::Stacked;
use crate::discriminator::optimal::{Binned, OptimalParams};
use crate::discriminator::optimal::{
    BinnedTrees, OptimalOptions, Thresholds, Tree, fit_binned, share_digits,
};
use crate::quality::Quality;
use crate::table::MISSING_CODE;

fn options(depth: u32, quality: Quality, leaf_penalty: f64, min_synthetic_mass: u32) -> OptimalOptions {
    let thresholds = Some(Thresholds::Binned(2));
    OptimalOptions { depth: Some(depth), thresholds, quality, leaf_penalty, min_synthetic_mass }
}

fn stated(quality: Quality, n: usize) -> i64 {
    match quality {
        Quality::Pmae => 2,
        Quality::Pmse => 1 << share_digits(n).unwrap(),
    }
}

/// The largest move over all pairs of tables of n rows, all substitutions.
fn largest_move(domain: &[Row], n: usize, params: OptimalParams) -> i64 {
    let trees = BinnedTrees::new(params).unwrap();
    let sets = multisets(domain.len(), n);
    let tables: Vec<_> =
        sets.iter().map(|set| table(&set.iter().map(|&row| domain[row]).collect::<Vec<_>>())).collect();
    let mut largest = 0;
    for synthetic in &tables {
        let stack = |real| Stacked::new(real, synthetic).unwrap();
        let objectives: Vec<i64> =
            tables.iter().map(|real| trees.objective(&stack(real), params.quality())).collect();
        for (left, u) in sets.iter().zip(&objectives) {
            for (right, v) in sets.iter().zip(&objectives) {
                if u > v && neighbours(left, right) {
                    largest = largest.max(u - v);
                }
            }
        }
    }
    largest
}

fn check(domain: &[Row], n: usize) {
    for quality in [Quality::Pmse, Quality::Pmae] {
        let mut attained = 0;
        for depth in 0..=3 {
            for (penalty, mass) in [(0.0, 0), (0.03, 0), (0.0, 1), (0.01, 2)] {
                let params = options(depth, quality, penalty, mass).check().unwrap();
                let found = largest_move(domain, n, params);
                assert!(found <= stated(quality, n), "{params:?}, n {n}: {found}");
                attained = attained.max(found);
            }
        }
        // pMSE: n/(n+1) of the scale, with all synthetic rows and one real one in a leaf.
        let most = stated(quality, n);
        let expected = if quality == Quality::Pmae { most } else { most * n as i64 / (n as i64 + 1) };
        assert!(attained >= expected, "{quality:?}, n {n}: only {attained} of {expected}");
    }
}

#[test]
fn one_ordered_column() {
    let domain = [(f64::NAN, 0), (0.0, 0), (1.0, 0), (2.0, 0)];
    for n in 2..=4 {
        check(&domain, n);
    }
}

#[test]
fn an_ordered_and_a_nominal_column() {
    let domain = [(0.0, 0), (0.0, 1), (1.0, 0), (1.0, 1), (1.0, MISSING_CODE)];
    check(&domain, 2);
    check(&domain, 3);
}

/// The integer of the leaves of one tree.
fn of_tree(tree: &Tree, quality: Quality, digits: u32) -> i64 {
    let leaf = |a: i64, b: i64| match quality {
        Quality::Pmae => (a - b).abs(),
        Quality::Pmse => ((a * a) << digits).checked_div(a + b).unwrap_or(0),
    };
    tree.leaves().map(|node| leaf(i64::from(node.synthetic), i64::from(node.real))).sum()
}

/// Compares with the search over reals: the tree that is best there has the same value in integers, except for
/// floors.
#[test]
fn the_objective_is_the_largest_sum() {
    let domain: Vec<Row> = (0..12).map(|k| (f64::from(k % 5), k % 3)).collect();
    for (round, n) in [7_usize, 40, 200].into_iter().enumerate() {
        let rows =
            |step: usize| -> Vec<Row> { (0..n).map(|k| domain[(k * step + k * k / 7) % 12]).collect() };
        let stacked = Stacked::new(&table(&rows(5 + round)), &table(&rows(1))).unwrap();
        for depth in 0..=3 {
            for quality in [Quality::Pmse, Quality::Pmae] {
                let params = options(depth, quality, 0.0, 0).check().unwrap();
                let binned = Binned::new(&stacked, 2).unwrap();
                let tree = fit_binned(&binned, &params).tree;
                let digits = share_digits(n).unwrap();
                let found = BinnedTrees::new(params).unwrap().objective(&stacked, quality);
                let expected = of_tree(&tree, quality, digits);
                assert!(found >= expected && found <= expected + 8, "{found} {expected} {params:?}");
            }
        }
    }
}

#[test]
fn all_thresholds_are_refused() {
    let options = OptimalOptions { thresholds: Some(Thresholds::All), ..OptimalOptions::default() };
    let error = BinnedTrees::new(options.check().unwrap()).unwrap_err();
    assert!(error.to_string().contains("binned"));
    assert_eq!(
        (share_digits(5000), share_digits((1 << 25) - 1), share_digits(1 << 25)),
        (Some(20), Some(1), None)
    );
}
