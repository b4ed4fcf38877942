//! Releases that a seed has always made, byte for byte: a change of the code's shape must not change them.
//!
//! A change that is meant to make other rows runs this with `RECORD=1` and says in its commit why they differ.

use sha2::{Digest, Sha256};

use super::{Workbench, kept, stdout};

/// What is recorded, one release a line: its name, then the hashes of its files.
const RECORDED: &str = "crates/indistinct-cli/tests/it/recorded.txt";
/// The version that recorded them. A model names the one that made it, which may differ.
const RECORDED_BY: &str = "\"0.1.1\"";
const THIS_VERSION: &str = concat!("\"", env!("CARGO_PKG_VERSION"), "\"");

/// A table with persons who have several rows, a number without limits, a column that follows from another and rules.
const VISITS_SCHEMA: &str = r#"
version = 1

[[column]]
name = "patient"
type = "identifier"

[[column]]
name = "ward"
type = "nominal"
levels = ["a", "b", "c"]

[[column]]
name = "pain"
type = "boolean"
false = "no"
true = "yes"

[[column]]
name = "dose"
type = "integer"
minimum = 0
maximum = 40

[[column]]
name = "seen"
type = "datetime"

[[column]]
name = "double"
type = "integer"
derive = "dose * 2"

[[constraint]]
rule = "not pain or dose > 0"
"#;

fn visits() -> String {
    let mut text = "patient,ward,pain,dose,seen,double\n".to_owned();
    for row in 0..900_usize {
        let noise = row * 7919 % 1009;
        let pain = noise % 3 == 0;
        let dose = if pain { 1 + noise % 30 } else { noise % 4 };
        let (day, hour) = (1 + noise % 28, noise % 24);
        text += &format!(
            "{},{},{},{dose},2024-03-{day:02}T{hour:02}:15:00,{}\n",
            row / 2,
            ["a", "b", "c"][noise % 5 % 3],
            if pain { "yes" } else { "no" },
            dose * 2
        );
    }
    text
}

/// The options of a release after its name; the table is the first of them.
fn releases() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let patients = kept("examples/patients.csv");
    let measurements = kept("examples/measurements.csv");
    let with = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    vec![
        ("drafted", patients.clone(), with("--epsilon 2")),
        ("declared", patients.clone(), with("--epsilon 1 --schema PATIENTS")),
        ("approximate", patients.clone(), with("--epsilon 1 --delta 1e-6 --schema PATIENTS")),
        (
            "add-remove",
            patients.clone(),
            with("--epsilon 1 --delta 1e-6 --neighbours add-remove --schema PATIENTS"),
        ),
        ("score", patients, with("--epsilon 4 --score-epsilon 0.5 --rows 300 --schema PATIENTS")),
        ("draws", measurements.clone(), with("--epsilon 8 --draws 2 --tables 2 --schema MEASUREMENTS")),
        (
            "persons",
            "visits.csv".to_owned(),
            with("--epsilon 3 --delta 1e-5 --person patient --schema visits.toml"),
        ),
        (
            "rows-of-persons",
            "visits.csv".to_owned(),
            with(
                "--epsilon 3 --delta 1e-5 --person patient --rows-per-person 2 --neighbours add-remove --schema visits.toml",
            ),
        ),
        ("normal", measurements.clone(), with("--epsilon 2 --model normal --tables 2")),
        (
            "optimal",
            measurements.clone(),
            with("--epsilon 20 --discriminator optimal --sets 2 --candidates 50"),
        ),
        ("private-tree", measurements.clone(), with("--epsilon 20 --discriminator private-tree")),
        ("exponential", measurements.clone(), with("--epsilon 2 --measure-share 0")),
        ("metropolis", measurements, with("--epsilon 2 --sampler metropolis --steps 300")),
    ]
}

fn hash_of(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let hash = Sha256::digest(text.replacen(THIS_VERSION, RECORDED_BY, 1));
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_seed_makes_the_release_it_always_made() {
    let bench = Workbench::new();
    bench.file("visits.csv", visits());
    bench.file("visits.toml", VISITS_SCHEMA);
    let schemas =
        [("PATIENTS", kept("examples/patients.toml")), ("MEASUREMENTS", kept("examples/measurements.toml"))];
    let mut found = String::new();
    for (name, table, options) in releases() {
        let mut arguments = vec!["synth", table.as_str(), "--seed", "11", "--out", name];
        for option in &options {
            let schema = schemas.iter().find(|(word, _)| word == option);
            arguments.push(schema.map_or(*option, |(_, path)| path.as_str()));
        }
        let output = bench.run(&arguments);
        assert!(output.status.success(), "{name}: {}{}", stdout(&output), super::stderr(&output));
        found += name;
        let mut files: Vec<_> =
            std::fs::read_dir(bench.path(name)).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files {
            let word = file.file_name().unwrap().to_str().unwrap();
            if word.starts_with("synthetic") || word.starts_with("model") {
                found += &format!(" {word} {}", hash_of(&file));
            }
        }
        found += "\n";
    }
    let recorded = kept(RECORDED);
    if std::env::var_os("RECORD").is_some() {
        std::fs::write(&recorded, &found).unwrap();
    }
    let before = std::fs::read_to_string(&recorded).unwrap();
    for (was, is) in before.lines().zip(found.lines()) {
        assert_eq!(was, is, "RECORD=1 records what is made now, if that is meant");
    }
    assert_eq!(before.lines().count(), found.lines().count());
}
