//! The rooms of the core in order: each uses only those before it.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// From what knows nothing to what knows everything. ARCHITECTURE.md draws it.
const ORDER: [&str; 24] = [
    "word",
    "field",
    "number",
    "random",
    "progress",
    "linear",
    "model",
    "table",
    "privacy",
    "quality",
    "discriminator",
    "grid",
    "private",
    "bounded",
    "margin",
    "terms",
    "normal",
    "pool",
    "dependence",
    "mixed",
    "synthesis",
    "evaluate",
    "combine",
    "interval",
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The text of a file without its tests, which may use anything.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| {
        ["tests.rs", "testing.rs", "boundary", "tests"].iter().any(|name| part.as_os_str() == *name)
    })
}

/// Modules of the crate that a text names: `crate::x` and `crate::{x, y}`.
fn named(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, after) in text.match_indices("crate::").map(|(place, word)| (place, &text[place + word.len()..]))
    {
        let list = match after.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap(),
            None => after.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap(),
        };
        let names = list.split(',').map(|name| name.trim().split("::").next().unwrap().to_owned());
        found.extend(names.filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase())));
    }
    found
}

#[test]
fn every_module_uses_only_those_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| !is_test(file) && !file.ends_with("lib.rs")) {
        let inner = file.strip_prefix(&root).unwrap();
        let module = inner.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = module.trim_end_matches(".rs");
        let Some(own) = ORDER.iter().position(|name| *name == module) else {
            wrong.push(format!("{module} is not in the order"));
            continue;
        };
        for name in named(without_tests(&fs::read_to_string(file).unwrap())) {
            match ORDER.iter().position(|known| *known == name) {
                Some(place) if place <= own => {}
                Some(_) => wrong.push(format!("{} uses {name}, which comes after it", inner.display())),
                None => wrong.push(format!("{} uses {name}, which is not in the order", inner.display())),
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_forms_of_use_are_seen() {
    assert_eq!(named("use crate::table::Column;"), ["table"]);
    assert_eq!(named("use crate::{linear, random::Seed, Terms};"), ["linear", "random"]);
    assert_eq!(named("let x = crate::model::quantile(0.5);"), ["model"]);
}
