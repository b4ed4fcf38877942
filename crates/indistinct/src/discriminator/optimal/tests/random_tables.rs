//! Thousands of random small tables, and larger ones for the search that skips.

use rand::Rng;

use super::naive;
use crate::discriminator::Stacked;
use crate::discriminator::optimal::cuts::Coded;
use crate::discriminator::optimal::score::with_score;
use crate::discriminator::optimal::{
    Binned, OptimalOptions, OptimalParams, Optimum, Thresholds, fit, fit_binned, joint, sweep,
};
use crate::quality::{Cell, Distinguishability, Quality};
use crate::random::{Generator, Seed};
use crate::table::{Column, MISSING_CODE, Table};
use crate::testing::stacked;

fn below(generator: &mut Generator, bound: usize) -> usize {
    (generator.next_u64() % bound as u64) as usize
}

/// A column of a random kind: few or many values, missing ones, constant, nominal with few or many levels.
fn columns(generator: &mut Generator, name: &str, real: usize, synthetic: usize) -> [Column; 2] {
    let distinct = [1, 2, 3, 5, 1000][below(generator, 5)];
    let missing = [0, 0, 1, 4][below(generator, 4)];
    let nominal = below(generator, 3) == 0;
    let shift = below(generator, 2);
    let levels: Vec<String> = (0..=distinct.min(6)).map(|level| format!("l{level}")).collect();
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    [(real, 0), (synthetic, shift)].map(|(rows, shift)| {
        let mut value = || {
            let value = below(generator, distinct) + shift;
            if below(generator, 10) < missing { None } else { Some(value) }
        };
        if nominal {
            let code = |value: usize| (value % levels.len()) as u32;
            let codes = (0..rows).map(|_| value().map_or(MISSING_CODE, code)).collect();
            Column::nominal(name, &levels, codes)
        } else {
            Column::float(name, (0..rows).map(|_| value().map_or(f64::NAN, |x| x as f64 / 4.0)).collect())
        }
    })
}

fn random_stacked(generator: &mut Generator, most_rows: usize, most_columns: usize) -> Stacked {
    let real = 2 + below(generator, most_rows - 1);
    let synthetic = if below(generator, 2) == 0 { real } else { 2 + below(generator, most_rows - 1) };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for position in 0..=below(generator, most_columns) {
        let [real, synthetic] = columns(generator, &format!("x{position}"), real, synthetic);
        left.push(real);
        right.push(synthetic);
    }
    stacked(left, right)
}

fn random_params(generator: &mut Generator, depth: u32, thresholds: Thresholds) -> OptimalParams {
    OptimalOptions {
        depth: Some(depth),
        thresholds: Some(thresholds),
        quality: [Quality::Pmse, Quality::Pmae][below(generator, 2)],
        leaf_penalty: [0.0, 0.0, 0.003, 0.02, 0.06, 1e6][below(generator, 6)],
        min_synthetic_mass: [0, 0, 0, 1, 2, 3, 100][below(generator, 7)],
    }
    .check()
    .unwrap()
}

/// Checks that the tree has the right objective, counts, depth and masses.
fn check_tree(stacked: &Stacked, params: &OptimalParams, optimum: &Optimum) {
    let tree = &optimum.tree;
    let cells = tree.cells();
    let quality = Distinguishability::of_cells(&cells).value(params.quality());
    assert_eq!(optimum.objective, quality - params.leaf_penalty() * cells.len() as f64);
    assert!(tree.depth() <= params.depth());
    let mut routed = vec![Cell { synthetic: 0.0, real: 0.0 }; tree.nodes().len()];
    for (row, synthetic) in stacked.labels().into_iter().enumerate() {
        let cell = &mut routed[tree.leaf_of(stacked.predictors(), row)];
        *(if synthetic { &mut cell.synthetic } else { &mut cell.real }) += 1.0;
    }
    let leaves = routed.iter().zip(tree.nodes()).filter(|(_, node)| node.split.is_none());
    assert_eq!(leaves.map(|(cell, _)| *cell).collect::<Vec<_>>(), cells);
    let needed = f64::from(params.min_synthetic_mass());
    assert!(cells.len() == 1 || cells.iter().all(|cell| cell.synthetic >= needed));
    assert!(cells.len() == 1 || cells.iter().all(|cell| cell.synthetic + cell.real > 0.0));
}

fn compare(tables: u64, depth: u32, thresholds: &[Thresholds], most_rows: usize, most_columns: usize) {
    let mut split = 0;
    for task in 0..tables {
        let mut generator = Seed(20 + u64::from(depth)).stream(task);
        let stacked = random_stacked(&mut generator, most_rows, most_columns);
        let thresholds = thresholds[below(&mut generator, thresholds.len())];
        let params = random_params(&mut generator, depth, thresholds);
        let optimum = fit(&stacked, &params);
        check_tree(&stacked, &params, &optimum);
        let naive = naive::best(&stacked, &params);
        let gap = (optimum.objective - naive).abs();
        assert!(
            gap < 1e-12 * naive.abs().max(1.0),
            "task {task}: {optimum:?} {naive} {params:?} {stacked:?}"
        );
        split += usize::from(optimum.tree.depth() == depth);
    }
    assert!(split as u64 > tables / 16, "the tables should be worth splitting: {split} of {tables}");
}

const BINNED: [Thresholds; 3] = [Thresholds::Binned(2), Thresholds::Binned(4), Thresholds::Binned(16)];

#[test]
fn depth_0_and_1_are_optimal() {
    let [few, some, many] = BINNED;
    compare(200, 0, &[Thresholds::All, some], 20, 3);
    compare(4000, 1, &[Thresholds::All, few, some, many], 20, 3);
}

#[test]
fn depth_2_is_optimal_over_all_thresholds() {
    compare(4000, 2, &[Thresholds::All], 12, 3);
}

#[test]
fn depth_2_is_optimal_over_binned_thresholds() {
    compare(4000, 2, &BINNED, 14, 3);
    compare(300, 2, &BINNED, 60, 4);
}

#[test]
fn depth_3_is_optimal_over_binned_thresholds() {
    compare(3000, 3, &BINNED, 9, 2);
    compare(200, 3, &BINNED[..2], 40, 3);
}

/// On tables of hundreds of rows, where many roots are skipped, the root is that of the search that skips none.
#[test]
fn skipping_roots_changes_nothing() {
    let mut skipped = 0;
    for task in 0..400 {
        let mut generator = Seed(9).stream(task);
        let stacked = random_stacked(&mut generator, 300, 3);
        let params = random_params(&mut generator, 2, Thresholds::All);
        let coded = Coded::all(&stacked);
        with_score!(&params, stacked.rows(), |score| {
            let (swept, evaluations) = sweep::sweep(&score, &coded.axes, &coded.rows);
            assert_eq!(swept, joint::pairs(&score, &coded.axes, &coded.rows), "task {task}: {params:?}");
            let cuts: usize = coded.axes.iter().map(|axis| axis.cuts.len()).sum();
            assert!(evaluations <= cuts);
            skipped += usize::from(evaluations * 2 < cuts);
        });
    }
    assert!(skipped > 20, "{skipped}");
}

#[test]
fn binning_once_serves_all_searches_and_any_number_of_threads() {
    for task in 0..20 {
        let mut generator = Seed(3).stream(task);
        let stacked = random_stacked(&mut generator, 60, 4);
        let binned = Binned::new(&stacked, 6).unwrap();
        for depth in 0..=3 {
            let params = random_params(&mut generator, depth, Thresholds::Binned(6));
            let expected = fit(&stacked, &params);
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| fit_binned(&binned, &params)), expected);
            }
        }
    }
}

/// The family of cuts is a function of the synthetic rows and the declared levels.
#[test]
fn cuts_do_not_look_at_real_rows() {
    for task in 0..200 {
        let mut generator = Seed(4).stream(task);
        let [real, synthetic] = columns(&mut generator, "x", 30, 30);
        let other: Vec<u32> = (0..30).map(|row| row / 7).collect();
        let table = |column: Column| Table::new(vec![column]).unwrap();
        let (real, synthetic) = (table(real), table(synthetic));
        let before = Stacked::new(&real, &synthetic).unwrap();
        let after = Stacked::new(&real.take(&other), &synthetic).unwrap();
        let cuts = |stacked: &Stacked| -> Vec<_> {
            Binned::new(stacked, 4).unwrap().cuts().map(<[_]>::to_vec).collect()
        };
        assert_eq!(cuts(&before), cuts(&after));
    }
}
