//! The logistic discriminator: against R's `glm`, at the edges of what can be fitted, and under the null.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../common/mod.rs"]
mod common;
mod edges;
mod golden;
mod null;
mod parallel;

use indistinct::discriminator::Stacked;
use indistinct::random::Generator;
use indistinct::table::{Column, Table};
use rand::RngExt;

/// Both tables from stacked columns.
fn stack(columns: Vec<Column>, real_rows: usize) -> Stacked {
    let rows = columns[0].values().len() as u32;
    let table = Table::new(columns).unwrap();
    let take = |from, to| table.take(&(from..to).collect::<Vec<u32>>());
    Stacked::new(&take(0, real_rows as u32), &take(real_rows as u32, rows)).unwrap()
}

/// Standard normal draws, by Box and Muller.
fn normals(count: usize, generator: &mut Generator) -> Vec<f64> {
    let mut one = || {
        let (u, v): (f64, f64) = (generator.random(), generator.random());
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    (0..count).map(|_| one()).collect()
}
