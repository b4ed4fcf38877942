//! A list of the functions that look at private rows, so that none is left untested.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Functions that state a guarantee, by file, and the file of this folder that tests them.
const TRIED: [(&str, &str, &[&str]); 8] = [
    (
        "private.rs",
        "rows",
        &[
            "numbers",
            "completed",
            "complete",
            "utilities",
            "cell_counts",
            "judged",
            "judged_one",
            "counts_below",
            "totals_on_grid",
            "cells_within",
        ],
    ),
    ("private/numbers.rs", "search", &["taking_part", "fullest_cells", "interval_counts"]),
    ("private/table.rs", "table", &["count", "counts", "roundness", "table_counts", "score_products"]),
    ("private/passes.rs", "table", &["counted", "public_rows", "pass", "ask"]),
    ("private/class_table.rs", "table", &["counts"]),
    ("private/location.rs", "search", &["magnitudes", "line_counts", "beyond"]),
    // By enumeration, in its own tests.
    ("private/persons.rs", "persons", &["person", "alike", "contents", "rows_of_persons"]),
    ("private/persons/unordered.rs", "persons", &["choose", "keeps", "is_complete"]),
];

/// Functions that state that they have no guarantee.
const WITHOUT: [&str; 1] = ["unprotected_moments"];

/// Functions that return only public facts: sizes, facts of the schema, and the cell of a pool's row.
const PUBLIC: [&str; 17] = [
    "new",
    "fmt",
    "rows",
    "columns",
    "shapes",
    "name",
    "levels",
    "steps",
    "cells",
    "cell",
    "is_whole",
    "of_table",
    "together",
    "add",
    "draw",
    "from_bytes",
    "to_bytes",
];

/// The file of count queries: plain data, and sums of private counts that others give it.
const QUERIES: &str = "private/query.rs";

fn sources() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![src.join("private.rs")];
    let inside = ["private", "private/persons"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(src.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    files.extend(inside.filter(|path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs")
    }));
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
        (name, std::fs::read_to_string(&path).unwrap())
    };
    files.into_iter().map(named).collect()
}

/// Every function that others can call, and whether its documentation states a guarantee.
fn functions(source: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut documented = false;
    for line in source.lines().map(str::trim_start) {
        if line.starts_with("///") {
            documented |= line.contains("# Guarantee");
        } else if !line.starts_with("#[") {
            let is_function = line.starts_with("pub") && line.contains("fn ");
            if let Some((_, rest)) = line.split_once("fn ").filter(|_| is_function) {
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                found.push((name.to_owned(), documented));
            }
            documented = false;
        }
    }
    found
}

#[test]
fn every_function_that_sees_rows_states_a_guarantee_and_is_tried() {
    let mut seen = BTreeSet::new();
    for (file, source) in sources().into_iter().filter(|(file, _)| file != QUERIES) {
        let tried = TRIED.iter().find(|(name, ..)| *name == file).map_or(&[][..], |(.., tried)| tried);
        for (name, states) in functions(&source) {
            if PUBLIC.contains(&name.as_str()) {
                continue;
            }
            assert!(states, "{file}: `{name}` must say under `# Guarantee` what it promises");
            let known = tried.contains(&name.as_str()) || WITHOUT.contains(&name.as_str());
            assert!(known, "{file}: `{name}` is tried nowhere in `private::boundary`");
            seen.insert((file.clone(), name));
        }
    }
    for (file, place, names) in TRIED {
        for name in names {
            assert!(seen.contains(&(file.to_owned(), (*name).to_owned())), "{file} has no `{name}`");
            // What tries it calls it.
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/private");
            let tests = ["boundary/rows.rs", "boundary/search.rs", "boundary/table.rs", "persons/tests.rs"]
                .map(|path| std::fs::read_to_string(folder.join(path)).unwrap());
            let called = tests.iter().any(|tests| tests.contains(&format!("{name}(")));
            assert!(called || place == "rows" && *name == "complete", "`{name}` is called by no test");
        }
    }
}
