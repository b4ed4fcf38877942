//! Margins of columns of every kind, measured privately, against the columns themselves.
//!
//! - `columns`: simulated columns at several budgets, and how far their margins may be off;
//! - `exact`: with next to no noise a margin is the column's own distribution, forwards and backwards;
//! - `degenerate`: columns and budgets with which nothing can be done do no harm;
//! - `far`: columns without limits at any offset and scale;
//! - `families`: laws of declared families, from many rows and from few;
//! - `real`: real tables, where there are any.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod columns;
mod degenerate;
mod exact;
mod families;
mod far;
mod real;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use indistinct::grid::ColumnFacts;
use indistinct::margin::{Margin, measure};
use indistinct::privacy::{Budget, Epsilon, Randomness};
use indistinct::private::PrivateTable;
use indistinct::random::Seed;
use indistinct::table::{Column, Table};

fn private(column: Column) -> PrivateTable {
    PrivateTable::new(Table::new(vec![column]).unwrap())
}

fn budget(epsilon: f64, seed: u64) -> Budget {
    let total = Epsilon::from_f64(epsilon).unwrap();
    Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)))
}

fn whole_numbers(low: f64, high: f64) -> ColumnFacts {
    ColumnFacts { step: Some(1.0), minimum: Some(low), maximum: Some(high), ..ColumnFacts::default() }
}

/// Mean distances, as [`distances`], over runs with seeds 0, 1, 2, ...
fn mean_distances(values: &[f64], facts: &ColumnFacts, epsilon: f64, runs: u32) -> [f64; 3] {
    let table = private(Column::float("x", values.to_vec()));
    let mut means = [0.0; 3];
    for seed in 0..runs {
        let margin = measure(&table, 0, facts, &mut budget(epsilon, u64::from(seed)), 1.0).unwrap();
        for (mean, distance) in means.iter_mut().zip(distances(values, &margin, facts.step.is_some())) {
            *mean += distance / f64::from(runs);
        }
    }
    means
}

/// Total variation distance between a column and its margin, on the grid and on 20 bins of equal numbers of rows; and how
/// far the share of missing values is off.
fn distances(values: &[f64], margin: &Margin, lattice: bool) -> [f64; 3] {
    let present: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let n = present.len() as f64;
    let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
    for value in &present {
        *counts.entry(margin.grid().position(*value).unwrap()).or_default() += 1.0 / n;
    }
    let common: f64 = counts.iter().map(|(&position, p)| p.min(margin.probability(position))).sum();
    let mut sorted = present.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut edges: Vec<f64> = (1..20).map(|part| sorted[sorted.len() * part / 20]).collect();
    edges.dedup();
    let mut bins = vec![(0.0, 0.0); edges.len() + 1];
    for value in &present {
        bins[edges.partition_point(|edge| edge <= value)].0 += 1.0 / n;
    }
    let mut below = 0.0;
    for (place, edge) in edges.iter().enumerate() {
        let position = margin.grid().position(*edge).unwrap();
        let (low, high) = margin.interval(position);
        // An interval of reals is cut where the edge is; a multiple of a step belongs above it.
        let into = (edge - margin.to_value(position)) / margin.grid().step() + 0.5;
        let next = low + if lattice { 0.0 } else { into.clamp(0.0, 1.0) } * (high - low);
        bins[place].1 = next - below;
        below = next;
    }
    bins[edges.len()].1 = 1.0 - below;
    let binned: f64 = bins.iter().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
    let missing = 1.0 - n / values.len() as f64;
    [1.0 - common, binned, (margin.missing() - missing).abs()]
}
