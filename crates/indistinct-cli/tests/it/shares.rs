//! Shares of levels, missing values and atoms in releases of a real table (adult), in a folder that `INDISTINCT_DATA` names;
//! skipped without it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Workbench;

/// Columns whose every value counts as a level, and those of which only zero does.
const LEVELS: [&str; 10] = [
    "workclass",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
    "income",
];
const ATOMS: [&str; 2] = ["capital-gain", "capital-loss"];
const RELEASES: usize = 5;

/// The share of every value that is a level, an atom or missing, by column and value.
fn shares(text: &str) -> BTreeMap<(&str, &str), f64> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut rows = 0.0;
    for line in lines {
        rows += 1.0;
        for (name, value) in names.iter().zip(line.split(',')) {
            let value = if value == "?" { "" } else { value };
            let counted = LEVELS.contains(name) || value.is_empty() || (ATOMS.contains(name) && value == "0");
            if counted {
                *counts.entry((name, value)).or_default() += 1.0;
            }
        }
    }
    counts.into_iter().map(|(value, count)| (value, count / rows)).collect()
}

#[test]
fn shares_of_a_real_table_are_within_sampling_error() {
    let Some(folder) = std::env::var_os("INDISTINCT_DATA").map(PathBuf::from) else {
        eprintln!("skipped: INDISTINCT_DATA names no folder with real tables");
        return;
    };
    let mut private = String::new();
    let packed = std::fs::File::open(folder.join("adult.csv.gz")).unwrap();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut private).unwrap();
    let rows = private.lines().count() as f64 - 1.0;
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../comparison/schemas/adult.toml");
    let bench = Workbench::new();
    bench.file("adult.csv", &private);
    let mut errors: Vec<f64> = Vec::new();
    for seed in 1..=RELEASES {
        let seed = seed.to_string();
        let schema = schema.to_str().unwrap();
        let budget = ["--epsilon", "1", "--delta", "1e-5", "--seed", &seed, "--force", "--quiet"];
        let done = bench.run(&[&["synth", "adult.csv", "--schema", schema], &budget[..]].concat());
        assert!(done.status.success());
        let synthetic = std::fs::read_to_string(bench.path("release/synthetic.csv")).unwrap();
        let found = shares(&synthetic);
        for (value, p) in shares(&private).into_iter().filter(|(_, p)| *p >= 0.01) {
            let q = found.get(&value).copied().unwrap_or(0.0);
            errors.push((q - p) / (p * (1.0 - p) / rows).sqrt());
        }
    }
    // In standard errors of a sample of as many rows: another sample would have a root mean square of 1, 4.6 % beyond 2 and
    // 0.3 % beyond 3.
    let count = errors.len() as f64;
    let root_mean_square = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
    let beyond = |limit: f64| errors.iter().filter(|error| error.abs() > limit).count() as f64 / count;
    let most = errors.iter().fold(0.0, |most: f64, error| most.max(error.abs()));
    let [two, three] = [2.0, 3.0].map(beyond);
    eprintln!(
        "{count} shares: {root_mean_square:.2}, beyond 2 {two:.3}, beyond 3 {three:.4}, largest {most:.2}"
    );
    assert!(root_mean_square < 1.0 && two < 0.05 && three < 0.01 && most < 4.5);
}
