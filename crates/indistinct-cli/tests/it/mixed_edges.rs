//! `indistinct synth --model mixed` on tables at the edge of what it is made for, and on any number of threads.

use serde_json::Value;

use super::{Workbench, kept, stderr};

/// A bench with a table of so many rows, a schema and a ledger.
fn bench(table: &str, schema: &str) -> Workbench {
    let bench = Workbench::new();
    bench.file("private.csv", table);
    bench.file("schema.toml", format!("version = 1\nmissing = [\"NA\"]\n{schema}"));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    bench
}

const SYNTH: [&str; 7] = ["synth", "private.csv", "--schema", "schema.toml", "--model", "mixed", "--epsilon"];

/// Releases with an epsilon; the summary, with what was said of the budget. The table is as long as the private one.
fn released(bench: &Workbench, epsilon: &str) -> String {
    let output = bench.run(&[&SYNTH[..], &[epsilon, "--ledger", "ledger"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap().lines().count();
    assert_eq!(lines("release/synthetic.csv"), lines("private.csv"));
    bench.done(&["verify", "release", "--require", "pure"]);
    stderr(&output) + &super::stdout(&output)
}

fn dry(bench: &Workbench, epsilon: &str) -> (String, Value) {
    let dry = [&SYNTH[..], &[epsilon, "--dry-run"]].concat();
    (bench.done(&dry), bench.json(&[&dry[..], &["--json"]].concat()))
}

fn rows(count: usize, names: &str, row: impl Fn(usize) -> String) -> String {
    (0..count).fold(format!("{names}\n"), |text, place| text + &row(place) + "\n")
}

fn nominal(name: &str, levels: usize) -> String {
    let levels: Vec<String> = (0..levels).map(|level| format!("\"l{level}\"")).collect();
    format!("[[column]]\nname = \"{name}\"\ntype = \"nominal\"\nlevels = [{}]\n", levels.join(", "))
}

fn integer(name: &str) -> String {
    format!("[[column]]\nname = \"{name}\"\ntype = \"integer\"\n")
}

#[test]
fn one_column_has_no_tables() {
    let bench = bench(&rows(500, "x", |row| (row % 90).to_string()), &integer("x"));
    let (text, document) = dry(&bench, "1");
    assert!(
        !text.contains("Up to") && !text.contains("two columns") && text.contains("one column"),
        "{text}"
    );
    assert!(document["predicted"][0]["one_way"].as_f64() > document["predicted"][2]["one_way"].as_f64());
    assert!(document["predicted"][0]["two_way"].is_null());
    let said = released(&bench, "1");
    assert!(said.contains("100 % margins") && !said.contains("no tables"), "{said}");
}

#[test]
fn two_columns_have_one_table() {
    let table = rows(500, "x,a", |row| format!("{},l{}", row % 90, row % 3));
    let bench = bench(&table, &(integer("x") + &nominal("a", 3)));
    let (text, document) = dry(&bench, "2");
    assert!(text.contains("Up to 1 table of at most") && text.contains("among 1 pair;"), "{text}");
    assert!(!text.contains("three columns"), "{text}");
    assert_eq!(document["candidates"]["pairs"], 1);
    released(&bench, "2");
}

#[test]
fn predictions_are_told_for_half_and_twice_the_epsilon() {
    let table = rows(2000, "a,b,c", |row| format!("l{},l{},l{}", row % 2, row % 3, row % 4));
    let bench = bench(&table, &(nominal("a", 2) + &nominal("b", 3) + &nominal("c", 4)));
    let (text, document) = dry(&bench, "1");
    let head: Vec<&str> =
        text.lines().find(|line| line.starts_with("predicted")).unwrap().split_whitespace().collect();
    assert_eq!(head, ["predicted", "distance", "epsilon", "0.5", "epsilon", "1", "epsilon", "2"]);
    for way in ["one column ", "two columns ", "three columns "] {
        assert!(text.lines().any(|line| line.starts_with(way)), "{text}");
    }
    assert!(text.contains("are an assumption"), "{text}");
    let predicted = document["predicted"].as_array().unwrap();
    assert_eq!(
        predicted.iter().map(|one| one["epsilon"].as_f64().unwrap()).collect::<Vec<_>>(),
        [0.5, 1.0, 2.0]
    );
    for way in ["one_way", "two_way", "three_way"] {
        let found: Vec<f64> = predicted.iter().map(|one| one[way].as_f64().unwrap()).collect();
        assert!(found[0] > found[1] && found[1] > found[2], "{way}: {found:?}");
    }
    let said = released(&bench, "1");
    assert!(said.contains("guarantee: pure"), "only nominal columns: {said}");
}

#[test]
fn a_column_of_missing_values_only_is_kept_so() {
    let table = rows(2000, "x,hole", |row| format!("{},NA", row % 90));
    let bench = bench(&table, &(integer("x") + &integer("hole")));
    released(&bench, "4");
    let text = std::fs::read_to_string(bench.path("release/synthetic.csv")).unwrap();
    let missing = text.lines().skip(1).filter(|line| line.ends_with(',')).count();
    assert!(missing > 1900, "{missing} of 2000");
}

#[test]
fn columns_of_a_thousand_levels_are_released() {
    let table = rows(3000, "a,b", |row| format!("l{},l{}", row % 1000, row * 7 % 1000));
    let bench = bench(&table, &(nominal("a", 1000) + &nominal("b", 1000)));
    released(&bench, "1");
}

#[test]
fn fifty_rows_are_released_where_epsilon_is_large() {
    let table = rows(50, "x,a", |row| format!("{},l{}", row, row % 3));
    let bench = bench(&table, &(integer("x") + &nominal("a", 3)));
    released(&bench, "8");
    // And a small one is refused before anything is charged.
    let ledger = std::fs::read_to_string(bench.path("ledger")).unwrap();
    let output = bench.run(&[&SYNTH[..], &["0.1", "--ledger", "ledger", "--out", "other"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("too small for 2 columns"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), ledger);
}

#[test]
fn margins_only_is_said_before_after_and_on_the_page() {
    let table = rows(2000, "x,a", |row| format!("{},l{}", row % 90, row % 3));
    let alone = |column: String| column + "predictors = []\n";
    let bench = bench(&table, &(alone(integer("x")) + &alone(nominal("a", 3))));
    let (text, document) = dry(&bench, "1");
    let none = "No tables of several columns are measured: no column may depend on another";
    assert!(text.contains(none), "{text}");
    assert_eq!(document["candidates"]["rounds"], 0);
    let said = released(&bench, "1");
    assert!(said.contains(none) && said.contains("no tables of several columns were measured"), "{said}");
    let page = std::fs::read_to_string(bench.path("release/report.html")).unwrap();
    assert!(page.contains("No tables of several columns were measured"));
}

/// Numbers, whole numbers, dates, ordered and nominal levels, booleans and missing values; two draws of two tables each.
#[test]
fn a_release_does_not_depend_on_the_number_of_threads() {
    let bench = Workbench::new();
    let (table, schema) = (kept("examples/patients.csv"), kept("examples/patients.toml"));
    let first =
        ["synth", &table, "--schema", &schema, "--model", "mixed", "--epsilon", "8", "--delta", "1e-6"];
    let rest = ["--score-epsilon", "0.1", "--draws", "2", "--tables", "2", "--seed", "3", "--quiet"];
    let read = |name: String| std::fs::read_to_string(bench.path(&name)).unwrap();
    for threads in ["1", "2", "4"] {
        bench.done(&[&first[..], &rest, &["--threads", threads, "--out", threads]].concat());
        for name in
            ["model.json", "synthetic-01.csv", "synthetic-02.csv", "synthetic-03.csv", "synthetic-04.csv"]
        {
            assert!(
                read(format!("1/{name}")) == read(format!("{threads}/{name}")),
                "{name} on {threads} threads"
            );
        }
        // The page says when it was made, and the certificate its hash.
        let certificate = |folder: &str| {
            let mut document: Value =
                serde_json::from_str(&read(format!("{folder}/certificate.json"))).unwrap();
            document["created"] = Value::Null;
            document["files"]["report.html"] = Value::Null;
            document
        };
        assert_eq!(certificate("1"), certificate(threads));
        assert!(
            certificate("1")["spent"]
                .as_array()
                .unwrap()
                .iter()
                .any(|step| step["step"] == "which table differs, round 1")
        );
    }
}
