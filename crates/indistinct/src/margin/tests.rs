//! Margins of simulated and real columns against the truth.

mod real;
mod simulated;

use super::Margin;
use crate::private::PrivateTable;
use crate::table::{Column, Table};
use std::collections::BTreeMap;

fn private(values: Vec<f64>) -> PrivateTable {
    PrivateTable::new(&Table::new(vec![Column::float("x", values)]).unwrap())
}

/// Total variation distance between a column and its margin: on the grid, on 20 quantile bins, and of missing values.
fn distances(values: &[f64], margin: &Margin, lattice: bool) -> [f64; 3] {
    let present: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let n = present.len() as f64;
    let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
    for value in &present {
        *counts.entry(margin.grid().position(*value).unwrap()).or_default() += 1.0 / n;
    }
    // What is on positions that rows have; the rest of the margin lies where there are none.
    let mut common = 0.0;
    for (&position, &p) in &counts {
        common += p.min(margin.probability(position));
    }
    let mut sorted = present.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut edges: Vec<f64> = (1..20).map(|part| sorted[(sorted.len() * part / 20).min(sorted.len() - 1)]).collect();
    edges.dedup();
    let mut bins = vec![(0.0, 0.0); edges.len() + 1];
    let bin = |value: f64| edges.partition_point(|edge| *edge <= value);
    for value in &present {
        bins[bin(*value)].0 += 1.0 / n;
    }
    // By the margin's own order of positions: the mass below the first position that is not below the edge.
    let mut below = 0.0;
    for (place, edge) in edges.iter().enumerate() {
        let position = margin.grid().position(*edge).unwrap();
        let (low, high) = margin.interval(position);
        let value = margin.to_value(position);
        // An interval of reals is cut where the edge is; a multiple of a step belongs above it.
        let part = if lattice { 0.0 } else { ((edge - value) / margin.grid().step() + 0.5).clamp(0.0, 1.0) };
        let next = low + part * (high - low);
        bins[place].1 = next - below;
        below = next;
    }
    bins[edges.len()].1 = 1.0 - below;
    let distance: f64 = bins.iter().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
    let missing = 1.0 - n / values.len() as f64;
    [1.0 - common, distance, (margin.missing() - missing).abs()]
}
