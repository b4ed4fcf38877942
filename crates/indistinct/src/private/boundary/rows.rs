//! Rows of numbers: cells of views, leaves of trees, sums and histograms.

use std::num::NonZeroU64;

use super::bits::{Bits, as_read, neighbours};
use super::{Lists, excess};
use crate::discriminator::fixed_tree::{Cut, FixedTree};
use crate::discriminator::judge::{Judge, Trial};
use crate::discriminator::optimal::{BinnedTrees, OptimalOptions, Thresholds};
use crate::discriminator::views::{Views, equal_cuts};
use crate::grid::Bounds;
use crate::model::SequentialNormal;
use crate::normal::private_tree;
use crate::privacy::Sensitivity;
use crate::privacy::clipped_sums::{GRID, Sums};
use crate::private::{PrivateRows, Scratch};
use crate::quality::{Quality, Utility};
use crate::random::Seed;
use crate::table::{Column, Table};
use rand::RngExt;

const QUALITIES: [Quality; 2] = [Quality::Pmae, Quality::Pmse];
/// The public values that replace missing ones.
const FOUND: [f64; 3] = [0.5, -1e300, 1e-310];

fn private(columns: &[Vec<f64>]) -> PrivateRows {
    let column = |(place, values): (usize, &Vec<f64>)| Column::float(&format!("x{place}"), as_read(values));
    PrivateRows::new(&Table::new(columns.iter().enumerate().map(column).collect()).unwrap()).unwrap()
}

/// The rows as they are judged: values that are not finite are replaced by [`FOUND`].
fn completed(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let complete = |(values, found): (&Vec<f64>, &f64)| {
        values.iter().map(|value| if value.is_finite() { *value } else { *found }).collect()
    };
    columns.iter().zip(&FOUND).map(complete).collect()
}

/// Models of three columns at any location and scale.
fn models(count: usize) -> Vec<SequentialNormal> {
    let mut random = Seed(5).stream(0);
    let mut power = |most: i32| libm::scalbn(1.5, random.random_range(-most..most));
    let mut model = |most| {
        let mut scale = || power(most);
        let location = vec![scale(), -scale(), scale()];
        let factor = vec![vec![scale()], vec![scale(), scale()], vec![-scale(), scale(), scale()]];
        SequentialNormal::new(location, factor)
    };
    (0..count).map(|place| model([2, 60, 1000][place % 3])).collect()
}

/// The cell of a row in a view of one or two columns: by the innovations of the row alone.
fn cell(model: &SequentialNormal, row: &[f64], first: usize, second: Option<usize>, cuts: &[f64]) -> usize {
    let mut z: Vec<f64> = Vec::new();
    for (j, &x) in row.iter().enumerate() {
        let mut value = x - model.location()[j];
        for (k, &earlier) in z.iter().enumerate() {
            let loading = model.factor()[j][k];
            if loading != 0.0 {
                value -= loading * earlier;
            }
        }
        z.push(value / model.factor()[j][j]);
    }
    let interval = |column: usize| cuts.iter().filter(|&&cut| z[column] > cut).count();
    match second {
        None => interval(first),
        Some(second) => interval(first) * (cuts.len() + 1) + interval(second),
    }
}

fn row(columns: &[Vec<f64>], place: usize) -> Vec<f64> {
    columns.iter().map(|column| column[place]).collect()
}

#[test]
fn cells_of_views_hold_their_rows_and_utilities_move_as_claimed() {
    let models = models(20);
    let every = [0, 1, 2];
    let views = Views::of_table(3, equal_cuts(4));
    let partitions = NonZeroU64::new(views.views().len() as u64).unwrap();
    neighbours(11, 80, 3, &[], |before, after| {
        let [rows, others] = [before, after].map(private);
        let [rows, others] = [rows.completed(&FOUND), others.completed(&FOUND)];
        let plain = completed(before);
        let model = &models[before[0].len() % models.len()];
        let mut expected = vec![0; views.cells()];
        for place in 0..plain[0].len() {
            let mut offset = 0;
            for (number, &(first, second)) in views.views().iter().enumerate() {
                expected[offset + cell(model, &row(&plain, place), first, second, views.cuts())] += 1;
                offset += views.cells_of(number);
            }
        }
        let counts = rows.cell_counts(model, &views);
        assert_eq!(counts, expected, "{before:?}");
        let moved = vec![others.cell_counts(model, &views)];
        assert_eq!(excess(&Sensitivity::counts(partitions), &vec![counts], &moved), None);
        for quality in QUALITIES {
            let utility = Utility::new(quality, rows.rows(), views.cells_of(0), views.views().len());
            let of =
                |rows: &PrivateRows| vec![rows.utilities(&every, &models, &views, |c| utility.of_counts(c))];
            let excess = excess(&utility.sensitivity(), &of(&rows), &of(&others));
            assert_eq!(excess, None, "{before:?} {after:?}");
        }
    });
}

fn judges() -> Vec<Judge> {
    let cut = |column, threshold| Some(Cut { column, threshold });
    let tree = FixedTree::undivided().divided(&[cut(0, 0.2)]).divided(&[cut(1, 1e-310), cut(2, 1e300)]);
    let optimal = |depth| {
        let options = OptimalOptions {
            depth: Some(depth),
            thresholds: Some(Thresholds::Binned(3)),
            ..OptimalOptions::default()
        };
        Judge::Optimal(BinnedTrees::new(options.check().unwrap()).unwrap())
    };
    vec![Judge::Views, Judge::PrivateTree(tree), optimal(1), optimal(2)]
}

#[test]
fn every_judge_keeps_its_bound_and_does_not_see_the_order_of_rows() {
    let models = models(6);
    let judges = judges();
    let asked = judges.iter().flat_map(|judge| QUALITIES.map(|quality| (judge, quality)));
    for ((judge, quality), sets) in asked.flat_map(|asked| [(asked, 1), (asked, 2)]) {
        neighbours(12, 28, 3, &[0.2, 1e-310, 1e300], |before, after| {
            let trial = Trial::new(judge, quality, before[0].len(), 3, sets, &mut Seed(8).stream(0));
            let of = |columns: &[Vec<f64>]| -> Lists {
                vec![private(columns).completed(&FOUND).judged(&models, &trial)]
            };
            let judged = of(before);
            let reversed: Vec<Vec<f64>> =
                before.iter().map(|column| column.iter().rev().copied().collect()).collect();
            assert_eq!(judged, of(&reversed), "{judge:?}");
            let rows = private(before);
            let rows = rows.completed(&FOUND);
            let one = rows.judged_one(&models[1], &trial, &mut Scratch::default());
            assert_eq!(one, judged[0][1], "{judge:?}");
            let excess = excess(&trial.sensitivity(false), &judged, &of(after));
            assert_eq!(excess, None, "{judge:?} {quality:?} {before:?} {after:?}");
        });
    }
}

#[test]
fn splits_of_a_level_move_as_claimed_together() {
    let cut = |column, threshold| Cut { column, threshold };
    let thresholds = [-1e300, -1.0, 0.0, f64::from_bits(1), 1e-310, 2.0, 1e300];
    let tree = FixedTree::undivided().divided(&[Some(cut(0, 0.0))]);
    let candidates: Vec<Vec<Cut>> = (0..tree.leaves())
        .map(|_| thresholds.iter().flat_map(|&at| [cut(0, at), cut(1, at)]).collect())
        .collect();
    neighbours(13, 250, 2, &thresholds, |before, after| {
        let plain = completed(before);
        let synthetic: Vec<Vec<f64>> = vec![thresholds.to_vec(), thresholds.iter().rev().copied().collect()];
        let [rows, others] = [before, after].map(private);
        let [rows, others] = [rows.completed(&FOUND[..2]), others.completed(&FOUND[..2])];
        for (leaf, below) in rows.counts_below(&tree, &candidates).iter().enumerate() {
            let inside: Vec<usize> = (0..plain[0].len())
                .filter(|&row| tree.leaf_of(|column| plain[column][row]) == leaf)
                .collect();
            assert_eq!(below.all, inside.len() as u64);
            for (count, cut) in below.below.iter().zip(&candidates[leaf]) {
                let low = inside.iter().filter(|&&row| plain[cut.column][row] <= cut.threshold).count();
                assert_eq!(*count, low as u64);
            }
        }
        let utilities = |rows: &PrivateRows| private_tree::utilities(rows, &synthetic, &tree, &candidates);
        let sensitivity = Sensitivity::tree_level(NonZeroU64::new(1 << 20).unwrap());
        let excess = excess(&sensitivity, &utilities(&rows), &utilities(&others));
        assert_eq!(excess, None, "{before:?} {after:?}");
    });
}

#[test]
fn clipped_sums_and_histograms_move_as_claimed() {
    let intervals = vec![(-2.0, 6.0), (-1e100, 1e100), (1e-60, 1.0)];
    let points: Vec<f64> = intervals.iter().flat_map(|&(low, high)| [low, high, low + 0.5 * high]).collect();
    let bounds = Bounds::new(intervals).unwrap();
    let asked = [
        Sums::Moments,
        Sums::Covariances,
        Sums::Regression { response: 1 },
        Sums::SquaredError { response: 2 },
    ];
    neighbours(14, 400, 3, &points, |before, after| {
        let [rows, others] = [before, after].map(private);
        for sums in asked {
            let of = |rows: &PrivateRows| vec![sums.of_totals(&rows.totals_on_grid(&bounds, GRID), GRID)];
            let sensitivity = Sensitivity::clipped_sums(sums.bound(3, GRID as u64));
            assert_eq!(excess(&sensitivity, &of(&rows), &of(&others)), None, "{before:?} {after:?}");
        }
        let first = rows.totals_on_grid(&bounds, GRID);
        let linear = Sums::Moments.of_totals(&first, GRID);
        for (column, sum) in linear.iter().take(3).enumerate() {
            let grid = |value: f64| {
                let value = if value.is_finite() { value } else { f64::NAN };
                bounds.on_grid(column, value, GRID)
            };
            assert_eq!(*sum, before[column].iter().map(|&value| grid(value)).sum::<i64>());
        }

        let cells = |rows: &PrivateRows| -> Lists {
            vec![rows.cells_within(&bounds, 3).into_iter().map(|count| count as i64).collect()]
        };
        let counted = cells(&rows);
        assert_eq!(counted[0].iter().sum::<i64>(), rows.rows() as i64, "a partition");
        for sensitivity in [Sensitivity::cell_count(), Sensitivity::counts(NonZeroU64::MIN)] {
            assert_eq!(excess(&sensitivity, &counted, &cells(&others)), None, "{before:?} {after:?}");
        }
    });
}

#[test]
fn results_do_not_depend_on_blocks_of_rows() {
    let mut bits = Bits::new(15);
    let columns: Vec<Vec<f64>> = (0..3).map(|_| bits.column(2500)).collect();
    let model = &models(2)[1];
    let views = Views::of_table(3, equal_cuts(4));
    let rows = private(&columns);
    let whole = rows.completed(&FOUND).cell_counts(model, &views);
    let mut parts = vec![0; whole.len()];
    for start in (0..2500).step_by(7) {
        let part: Vec<Vec<f64>> =
            columns.iter().map(|column| column[start..2500.min(start + 7)].to_vec()).collect();
        let counts = private(&part).completed(&FOUND).cell_counts(model, &views);
        parts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(whole, parts);
}
