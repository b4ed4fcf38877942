//! Every input that was kept, and mutations of them: none makes a panic, a hang, or more memory than its size explains.
//!
//! `INDISTINCT_FUZZ_RUNS=100000 cargo nextest run -p indistinct-fuzz` tries more. An input that ends the process (by its
//! stack, or by memory that is not there) is the one in `target/tmp/fuzz`, named after its target.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod watch;

use std::fs;
use std::path::Path;

use indistinct::random::Seed;
use indistinct_fuzz::mutate::mutated;
use indistinct_fuzz::target;
use rand::RngExt;

/// Mutations of each target, unless the environment says otherwise.
const RUNS: u64 = 1000;

/// The files of a target in a folder of this crate, by name.
fn kept(folder: &str, name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

fn try_target(name: &str) {
    let target = target(name).unwrap();
    let corpus = [kept("corpus", name), kept("regressions", name)].concat();
    assert!(!corpus.is_empty(), "there are inputs to begin with");
    let run = watch::Watch::new(target);
    for (path, bytes) in &corpus {
        run.feed(bytes, path);
    }
    let runs = std::env::var("INDISTINCT_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok());
    for number in 0..runs.unwrap_or(RUNS) {
        let mut random = Seed(2018).stream(number);
        let mut pick = || &corpus[random.random_range(0..corpus.len())];
        let (input, other) = (pick(), pick());
        let bytes = mutated(&input.1, &other.1, &mut random);
        run.feed(&bytes, &format!("mutation {number} of {}", input.0));
    }
}

macro_rules! targets {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                try_target(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_tried() {
            let names: Vec<&str> = indistinct_fuzz::TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            let binary = |name: &&str| format!("fuzz/fuzz_targets/{name}.rs");
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
            for name in &names {
                assert!(fs::read_to_string(root.join(binary(name))).unwrap().contains(&format!("target(\"{name}\")")));
                assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
            }
        }
    };
}

targets!(csv, gzip, zip, xlsx, ods, parquet, arrow, schema, formula, condition, model, certificate, ledger);
