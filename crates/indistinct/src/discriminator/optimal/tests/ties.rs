//! Equal trees: fewer leaves, then the first column, then the lowest cut.

use crate::discriminator::Stacked;
use crate::discriminator::optimal::{Cut, OptimalOptions, Thresholds, fit};
use crate::quality::Quality;
use crate::table::{Column, Table};

/// Real and synthetic values of a column.
type Sides<'a> = (&'a [f64], &'a [f64]);

fn stacked(columns: &[Sides]) -> Stacked {
    let table = |side: fn(&Sides) -> Vec<f64>| {
        let named = columns.iter().enumerate();
        Table::new(named.map(|(k, column)| Column::float(&format!("x{k}"), side(column))).collect()).unwrap()
    };
    Stacked::new(&table(|column| column.0.to_vec()), &table(|column| column.1.to_vec())).unwrap()
}

fn options() -> impl Iterator<Item = OptimalOptions> {
    let thresholds = [(2, Thresholds::All), (2, Thresholds::Binned(8)), (3, Thresholds::Binned(8))];
    thresholds.into_iter().flat_map(|(depth, thresholds)| {
        [Quality::Pmse, Quality::Pmae].map(|quality| OptimalOptions {
            depth: Some(depth),
            thresholds: Some(thresholds),
            quality,
            ..OptimalOptions::default()
        })
    })
}

#[test]
fn tables_that_cannot_be_told_apart_are_one_leaf() {
    let same = [0.0, 1.0, 2.0, f64::NAN];
    let constant = [5.0; 4];
    for options in options() {
        let optimum = fit(&stacked(&[(&same, &same), (&constant, &constant)]), &options.check().unwrap());
        assert_eq!((optimum.objective, optimum.tree.nodes().len()), (0.0, 1));
    }
}

#[test]
fn the_first_of_equal_columns_and_no_idle_split() {
    let (low, high) = ([0.0, 1.0, 2.0], [3.0, 4.0, 5.0]);
    let noise = ([1.0, 2.0, 1.0], [1.0, 1.0, 2.0]);
    let stacked = stacked(&[(&noise.0, &noise.1), (&low, &high), (&low, &high)]);
    for options in options() {
        let optimum = fit(&stacked, &options.check().unwrap());
        assert_eq!(optimum.tree.leaves().count(), 2, "{options:?}");
        assert_eq!(optimum.tree.nodes()[0].split.unwrap().predictor, 1, "{options:?}");
    }
}

#[test]
fn the_lowest_of_equal_cuts() {
    // One real row below and one above all synthetic rows: cutting off either gains the same.
    let stacked = stacked(&[(&[0.0, 5.0, 9.0], &[4.0, 5.0, 6.0])]);
    for quality in [Quality::Pmse, Quality::Pmae] {
        let thresholds = Some(Thresholds::All);
        let options = OptimalOptions { depth: Some(1), thresholds, quality, ..OptimalOptions::default() };
        let optimum = fit(&stacked, &options.check().unwrap());
        assert_eq!(optimum.tree.nodes()[0].split.unwrap().cut, Cut::AtMost(2.0));
    }
}

/// Greedy trees see nothing here; depth 2 separates the tables completely, and either column may come first.
#[test]
fn exclusive_or() {
    let stacked = stacked(&[
        (&[0.0, 0.0, 1.0, 1.0], &[0.0, 0.0, 1.0, 1.0]),
        (&[0.0, 0.0, 1.0, 1.0], &[1.0, 1.0, 0.0, 0.0]),
    ]);
    for options in options() {
        let optimum = fit(&stacked, &options.check().unwrap());
        let apart = if options.quality == Quality::Pmse { 0.25 } else { 0.5 };
        assert_eq!((optimum.objective, optimum.tree.cells().len()), (apart, 4));
        assert_eq!(optimum.tree.nodes()[0].split.unwrap().predictor, 0);
    }
}
