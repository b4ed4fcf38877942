//! Columns of real tables (adult, diamonds, hmeq), in a folder that `INDISTINCT_DATA` names; skipped without it.

use super::mean_distances;
use indistinct::grid::ColumnFacts;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A column of a CSV file without quoted commas; what is no number is missing.
fn column(folder: &Path, file: &str, name: &str) -> Option<Vec<f64>> {
    let mut text = String::new();
    let mut opened = std::fs::File::open(folder.join(file)).ok()?;
    if Path::new(file).extension().is_some_and(|ending| ending == "gz") {
        flate2::read::GzDecoder::new(opened).read_to_string(&mut text).ok()?;
    } else {
        opened.read_to_string(&mut text).ok()?;
    }
    let mut lines = text.lines();
    let place = lines.next()?.split(',').position(|field| field.trim_matches('"') == name)?;
    let value = |line: &str| line.split(',').nth(place)?.trim().parse().ok();
    Some(lines.map(|line| value(line).unwrap_or(f64::NAN)).collect())
}

struct Real {
    file: &'static str,
    name: &'static str,
    step: Option<f64>,
    limits: Option<(f64, f64)>,
    /// The most that distances on 20 bins may be at epsilon 0.05.
    most: f64,
}

const fn real(
    file: &'static str,
    name: &'static str,
    step: Option<f64>,
    limits: Option<(f64, f64)>,
    most: f64,
) -> Real {
    Real { file, name, step, limits, most }
}

const ADULT: &str = "adult.csv.gz";
const DIAMONDS: &str = "diamonds.csv.gz";
const HMEQ: &str = "hmeq.csv";

const COLUMNS: [Real; 17] = [
    real(ADULT, "age", Some(1.0), Some((0.0, 120.0)), 0.06),
    real(ADULT, "age", Some(1.0), None, 0.08),
    real(ADULT, "hours-per-week", Some(1.0), Some((0.0, 100.0)), 0.06),
    real(ADULT, "hours-per-week", Some(1.0), None, 0.1),
    real(ADULT, "capital-gain", Some(1.0), Some((0.0, 100_000.0)), 0.03),
    real(ADULT, "capital-gain", Some(1.0), None, 0.06),
    real(DIAMONDS, "carat", Some(0.01), Some((0.0, 6.0)), 0.1),
    real(DIAMONDS, "carat", Some(0.01), None, 0.12),
    real(DIAMONDS, "price", Some(1.0), Some((0.0, 20_000.0)), 0.06),
    real(DIAMONDS, "price", Some(1.0), None, 0.08),
    real(DIAMONDS, "depth", Some(0.1), Some((40.0, 80.0)), 0.06),
    real(DIAMONDS, "depth", Some(0.1), None, 0.06),
    real(HMEQ, "LOAN", Some(100.0), None, 0.3),
    real(HMEQ, "VALUE", Some(1.0), None, 0.3),
    real(HMEQ, "CLAGE", None, None, 0.3),
    real(HMEQ, "DEBTINC", None, None, 0.3),
    real(HMEQ, "DEBTINC", None, Some((0.0, 250.0)), 0.3),
];

#[test]
fn real_columns() {
    let Some(folder) = std::env::var_os("INDISTINCT_DATA").map(PathBuf::from) else {
        eprintln!("skipped: INDISTINCT_DATA names no folder with real tables");
        return;
    };
    for Real { file, name, step, limits, most } in COLUMNS {
        let Some(values) = column(&folder, file, name) else {
            eprintln!("skipped: there is no {name} of {file}");
            continue;
        };
        let (minimum, maximum) = (limits.map(|limits| limits.0), limits.map(|limits| limits.1));
        let facts = ColumnFacts { step, minimum, maximum, ..ColumnFacts::default() };
        for epsilon in [0.01, 0.05, 1.0] {
            let [on_grid, binned, missing] = mean_distances(&values, &facts, epsilon, 8);
            let range = if limits.is_some() { "declared" } else { "found" };
            eprintln!(
                "{name}, range {range}, epsilon {epsilon}: {on_grid:.3} on the grid, {binned:.3} on bins, missing {missing:.3}"
            );
            assert!(epsilon < 0.05 || binned < most, "{name}, epsilon {epsilon}: {binned}");
        }
    }
}
