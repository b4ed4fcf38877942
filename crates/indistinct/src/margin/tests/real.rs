//! Real tables, where they are: skipped, with a message, where they are not.

use std::io::Read;
use std::path::PathBuf;

use super::super::*;
use super::{distances, private};
use crate::privacy::{Budget, Epsilon, Randomness};
use crate::random::Seed;
use std::num::NonZeroU32;

/// A column of a CSV file without quoted commas; what is no number is missing.
fn column(file: &str, name: &str) -> Option<Vec<f64>> {
    let folder = std::env::var_os("INDISTINCT_DATA")?;
    let path = PathBuf::from(folder).join(file);
    let bytes = std::fs::read(path).ok()?;
    let mut text = String::new();
    if file.ends_with(".gz") {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).ok()?;
    } else {
        text = String::from_utf8(bytes).ok()?;
    }
    let mut lines = text.lines();
    let place = lines.next()?.split(',').position(|field| field.trim_matches('"') == name)?;
    Some(lines.map(|line| line.split(',').nth(place)?.trim().parse().ok()).map(|x| x.unwrap_or(f64::NAN)).collect())
}

const COLUMNS: [(&str, &str, Option<f64>, Option<(f64, f64)>); 16] = [
    ("adult.csv.gz", "age", Some(1.0), Some((0.0, 120.0))),
    ("adult.csv.gz", "age", Some(1.0), None),
    ("adult.csv.gz", "hours-per-week", Some(1.0), Some((0.0, 100.0))),
    ("adult.csv.gz", "capital-gain", Some(1.0), Some((0.0, 100_000.0))),
    ("adult.csv.gz", "capital-gain", Some(1.0), None),
    ("adult.csv.gz", "fnlwgt", Some(1.0), None),
    ("diamonds.csv.gz", "carat", Some(0.01), None),
    ("diamonds.csv.gz", "price", Some(1.0), None),
    ("diamonds.csv.gz", "price", Some(1.0), Some((0.0, 20_000.0))),
    ("diamonds.csv.gz", "depth", Some(0.1), None),
    ("hmeq.csv", "LOAN", Some(100.0), None),
    ("hmeq.csv", "VALUE", Some(1.0), None),
    ("hmeq.csv", "VALUE", None, Some((0.0, 1_000_000.0))),
    ("hmeq.csv", "CLAGE", None, None),
    ("hmeq.csv", "DEBTINC", None, None),
    ("hmeq.csv", "DELINQ", Some(1.0), None),
];

#[test]
fn real_columns() {
    if std::env::var_os("INDISTINCT_DATA").is_none() {
        eprintln!("skipped: set INDISTINCT_DATA to a folder with adult, diamonds and hmeq");
        return;
    }
    for (file, name, step, limits) in COLUMNS {
        let Some(values) = column(file, name) else {
            eprintln!("skipped: no {name} of {file}");
            continue;
        };
        let facts = Facts {
            step,
            minimum: limits.map(|limits| limits.0),
            maximum: limits.map(|limits| limits.1),
            ..Facts::default()
        };
        let table = private(values.clone());
        let mut line = format!("{name:15} {limits:?}");
        for epsilon in [0.01, 0.05, 1.0] {
            let runs = 4;
            let mut sums = [0.0; 3];
            let mut cells = 0;
            for seed in 0..runs {
                let total = Epsilon::from_f64(epsilon).unwrap();
                let mut budget = Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
                let margin = measure(&table, 0, &facts, &mut budget, 1.0).unwrap();
                for (sum, distance) in sums.iter_mut().zip(distances(&values, &margin, step.is_some())) {
                    *sum += distance / runs as f64;
                }
                cells += margin.cells().len();
            }
            line += &format!(" | {epsilon}: {:.3} {:.3} {:.3} ({})", sums[0], sums[1], sums[2], cells / runs as usize);
        }
        eprintln!("{line}");
    }
}
