//! Times the optimal trees and prints medians in milliseconds as JSON.
//!
//! `cargo run --release --example time_optimal`; RAYON_NUM_THREADS=1 for one core.
//!
//! Data: N = 10,000 stacked rows; real rows are Gaussian, each column correlated with the one before it, synthetic rows
//! the same with a small shift of location, scale and slope.
#![expect(clippy::print_stdout, reason = "an example that prints its result")]

use std::time::Instant;

use indistinct::discriminator::Stacked;
use indistinct::discriminator::optimal::{
    Binned, OptimalOptions, OptimalParamsError, Thresholds, fit, fit_binned,
};
use indistinct::quality::Quality;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, Table};
use rand::Rng;
use serde_json::{Value, json};

const ROWS: usize = 5000;

/// A standard normal number (Box and Muller).
fn normal(generator: &mut Generator) -> f64 {
    let mut uniform = || ((generator.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let radius = (-2.0 * uniform().ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform()).cos()
}

/// A chain of Gaussian columns.
fn table(columns: usize, shift: f64, generator: &mut Generator) -> Result<Table, Box<dyn std::error::Error>> {
    let mut values = vec![Vec::with_capacity(ROWS); columns];
    for _ in 0..ROWS {
        let mut previous = 0.0;
        for (position, column) in values.iter_mut().enumerate() {
            let mean = if position == 0 { shift } else { (0.5 + shift) * previous };
            previous = mean + (1.0 + shift) * normal(generator);
            column.push(previous);
        }
    }
    let columns = values.into_iter().enumerate().map(|(k, values)| Column::float(&format!("x{k}"), values));
    Ok(Table::new(columns.collect())?)
}

/// The median time of some runs in milliseconds, and the last result.
fn time<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut once = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64() * 1e3, result)
    };
    let (first, mut result) = once();
    let mut times = vec![first];
    for _ in 1..runs {
        let (time, next) = once();
        times.push(time);
        result = next;
    }
    times.sort_unstable_by(f64::total_cmp);
    (times[times.len() / 2], result)
}

fn binned(
    stacked: &Stacked,
    depth: u32,
    thresholds: usize,
    quality: Quality,
) -> Result<Value, OptimalParamsError> {
    let options = OptimalOptions::default().with(|options| {
        options.depth = Some(depth);
        options.quality = quality;
    });
    let params = options.check()?;
    let runs = if depth == 3 { 11 } else { 51 };
    let (binning_ms, binned) = time(runs, || Binned::new(stacked, thresholds));
    let binned = binned?;
    let (search_ms, optimum) = time(runs, || fit_binned(&binned, &params));
    Ok(json!({
        "columns": stacked.names().len(), "depth": depth, "thresholds": thresholds, "quality": format!("{quality:?}"),
        "binning_ms": binning_ms, "search_ms": search_ms, "objective": optimum.objective,
    }))
}

fn all(stacked: &Stacked, quality: Quality) -> Result<Value, OptimalParamsError> {
    let thresholds = Some(Thresholds::All);
    let params = OptimalOptions::default()
        .with(|options| {
            options.depth = Some(2);
            options.thresholds = thresholds;
            options.quality = quality;
        })
        .check()?;
    let (fit_ms, optimum) = time(3, || fit(stacked, &params));
    Ok(json!({
        "columns": stacked.names().len(), "depth": 2, "thresholds": "all", "quality": format!("{quality:?}"),
        "fit_ms": fit_ms, "objective": optimum.objective,
    }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut results = Vec::new();
    for columns in [2, 5, 10] {
        let mut generator = Seed(1).stream(columns as u64);
        let real = table(columns, 0.0, &mut generator)?;
        let synthetic = table(columns, 0.05, &mut generator)?;
        let stacked = Stacked::new(&real, &synthetic)?;
        for quality in [Quality::Pmse, Quality::Pmae] {
            results.push(binned(&stacked, 2, 32, quality)?);
            results.push(binned(&stacked, 3, 16, quality)?);
            if columns < 10 {
                results.push(all(&stacked, quality)?);
            }
        }
    }
    println!("{}", serde_json::to_string_pretty(&json!({ "rows": 2 * ROWS, "results": results }))?);
    Ok(())
}
