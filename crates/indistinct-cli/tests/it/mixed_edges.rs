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
    assert!(!text.lines().any(|line| line.starts_with("three columns")), "{text}");
    assert_eq!(document["candidates"]["pairs"], 1);
    released(&bench, "2");
}

#[test]
fn predictions_are_told_for_half_and_twice_the_epsilon() {
    let table = rows(2000, "a,b,c", |row| format!("l{},l{},l{}", row % 2, row % 3, row % 4));
    let bench = bench(&table, &(nominal("a", 2) + &nominal("b", 3) + &nominal("c", 4)));
    let (text, document) = dry(&bench, "1");
    let head: Vec<&str> =
        text.lines().find(|line| line.contains("epsilon 0.5")).unwrap().split_whitespace().collect();
    assert_eq!(head, ["epsilon", "0.5", "epsilon", "1", "epsilon", "2", "with", "delta", "1e-6"]);
    let shares = text.lines().find(|line| line.starts_with("a share, in 95 %")).unwrap();
    assert_eq!(shares.matches('±').count(), 4, "{shares}");
    for way in ["one column ", "two columns ", "three columns "] {
        assert!(text.lines().any(|line| line.starts_with(way)), "{text}");
    }
    assert!(text.contains("rest on an assumption"), "{text}");
    let predicted = document["predicted"].as_array().unwrap();
    assert_eq!(
        predicted.iter().map(|one| one["epsilon"].as_f64().unwrap()).collect::<Vec<_>>(),
        [0.5, 1.0, 2.0]
    );
    for way in ["one_way", "two_way", "three_way"] {
        let found: Vec<f64> = predicted.iter().map(|one| one[way].as_f64().unwrap()).collect();
        assert!(found[0] > found[1] && found[1] > found[2], "{way}: {found:?}");
    }
    // Laplace noise of scale 2 over the epsilon of a margin, about.
    let share = predicted[1]["share_within"].as_f64().unwrap();
    let noise = document["columns"][1]["noise_sd"].as_f64().unwrap();
    assert!((share - 1.96 * noise / 2000.0).abs() < 1e-12, "{share} {noise}");
    assert!(document["predicted_with_delta"]["delta"].as_f64() == Some(1e-6), "{document}");
    let said = released(&bench, "1");
    assert!(said.contains("guarantee: pure"), "only nominal columns: {said}");
}

#[test]
fn a_column_of_missing_values_only_is_kept_so() {
    let table = rows(2000, "x,hole", |row| format!("{},NA", row % 90));
    let bench = bench(&table, &(integer("x") + &integer("hole")));
    released(&bench, "4");
    let text = std::fs::read_to_string(bench.path("release/synthetic.csv")).unwrap();
    let missing = text.lines().skip(1).filter(|line| line.ends_with(",NA")).count();
    assert!(missing > 1900, "{missing} of 2000");
}

#[test]
fn columns_of_a_thousand_levels_are_released() {
    let table = rows(3000, "a,b", |row| format!("l{},l{}", row % 1000, row * 7 % 1000));
    let bench = bench(&table, &(nominal("a", 1000) + &nominal("b", 1000)));
    released(&bench, "1");
}

#[test]
fn tables_with_a_column_in_focus_are_preferred() {
    // Eight columns that depend on a hidden one, all in the same way.
    let value = |row: usize, column: usize| {
        let mixed =
            (row * 8 + column).wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b) >> 7;
        if mixed % 10 < 6 { row % 4 } else { mixed / 10 % 4 }
    };
    let names: Vec<String> = (0..8).map(|column| format!("c{column}")).collect();
    let line =
        |row: usize| (0..8).map(|column| format!("l{}", value(row, column))).collect::<Vec<_>>().join(",");
    let table = rows(2000, &names.join(","), line);
    let with_c0 = |focus: &str| {
        let schema: String = names.iter().map(|name| nominal(name, 4)).collect();
        let bench = bench(&table, &schema.replacen("levels", &format!("{focus}levels"), 1));
        bench.done(&[&SYNTH[..], &["1", "--delta", "1e-6", "--seed", "5"]].concat());
        let certificate = std::fs::read_to_string(bench.path("release/certificate.json")).unwrap();
        let certificate: Value = serde_json::from_str(&certificate).unwrap();
        let steps =
            certificate["spent"].as_array().unwrap().iter().map(|spent| spent["step"].as_str().unwrap());
        let tables: Vec<&str> = steps.filter(|step| step.starts_with("table of ")).collect();
        let with = tables.iter().filter(|step| step.contains("c0")).count();
        with as f64 / tables.len() as f64
    };
    let (usual, focused) = (with_c0(""), with_c0("focus = 10\n"));
    assert!(focused > usual + 0.2, "{usual} of the tables have the column, and {focused} if it is in focus");
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

#[test]
fn columns_that_will_be_mostly_noise_are_named_before_after_and_on_the_page() {
    let table = rows(1500, "a,wide", |row| format!("l{},l{}", row % 2, row % 300));
    let bench = bench(&table, &(nominal("a", 2) + &nominal("wide", 300)));
    let (_, document) = dry(&bench, "0.4");
    assert_eq!(document["columns"][0]["column"], "wide", "the worst first");
    assert_eq!(document["columns"][0]["look"], "mostly noise");
    assert_ne!(document["columns"][1]["look"], "mostly noise");
    let said = released(&bench, "0.4");
    assert!(said.contains("`wide` (300 levels) will be mostly noise"), "{said}");
    assert!(said.contains("mostly noise: wide\n"), "{said}");
    let page = std::fs::read_to_string(bench.path("release/report.html")).unwrap();
    assert!(page.contains("Mostly noise: wide."));
}

/// A table with a column of far too many levels, and one without limits.
fn hopeless_bench() -> Workbench {
    let table =
        rows(1000, "a,job,since", |row| format!("l{},l{},{}", row % 2, row % 800, 1_700_000_000 + row));
    bench(&table, &(nominal("a", 2) + &nominal("job", 800) + &integer("since")))
}

#[test]
fn hopeless_columns_are_refused_by_name_before_anything_is_charged() {
    let bench = hopeless_bench();
    for extra in [&["--dry-run"][..], &["--dry-run", "--json"], &["--ledger", "ledger"]] {
        let output = bench.run(&[&SYNTH[..], &["0.12"], extra].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        let (what, help) = said.trim_end().split_once('\n').unwrap();
        assert!(what.starts_with("error: the release would say nothing about `job` (800 levels, "), "{said}");
        assert!(what.contains("`since` (not both limits are declared") && !what.contains("`a`"), "{said}");
        assert!(help.starts_with(" help: join levels of `job` until about "), "{said}");
        for way in [
            ", and declare `minimum` and `maximum` of `since`; or ",
            "declare them `type = \"identifier\"` to leave them out; or raise --epsilon to about ",
        ] {
            assert!(help.contains(way), "{said}");
        }
        assert!(super::stdout(&output).is_empty() && !bench.path("release").exists());
    }
    let ledger = bench.json(&["ledger", "show", "ledger", "--json"]);
    assert_eq!(ledger["charges"].as_array().unwrap().len(), 0);
    // What is advised does.
    let said = stderr(&bench.run(&[&SYNTH[..], &["0.12"]].concat()));
    let epsilon = said.split("--epsilon to about ").nth(1).unwrap().split([',', '\n']).next().unwrap();
    dry(&bench, epsilon);
    let schema = nominal("a", 2)
        + "[[column]]\nname = \"job\"\ntype = \"identifier\"\n"
        + &integer("since")
        + "minimum = 1600000000\nmaximum = 1800000000\n";
    bench.file("schema.toml", format!("version = 1\n{schema}"));
    released(&bench, "0.12");
}

/// Where rows are counted first, the count was paid for: what is hopeless is told, and made.
#[test]
fn hopeless_columns_are_told_where_rows_are_counted_first() {
    let bench = hopeless_bench();
    // With a seed, as the noise of the count decides what is planned.
    let counted = [&SYNTH[..], &["0.25", "--neighbours", "add-remove", "--seed", "1"]].concat();
    let supposed = bench.run(&[&counted[..], &["--rows", "1000", "--dry-run"]].concat());
    let output = bench.run(&counted);
    for output in [&supposed, &output] {
        let said = stderr(output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(said.matches("nothing but noise will be `job` (800 levels, ").count(), 1, "{said}");
    }
    assert!(super::stdout(&output).contains("mostly noise: job"), "{}", super::stdout(&output));
    let columns = bench.json(&[&counted[..], &["--rows", "1000", "--dry-run", "--json"]].concat());
    assert_eq!(columns["columns"][0]["look"], "nothing but noise");
    assert!(columns["columns"][0]["hopeless"].as_str().unwrap().starts_with("800 levels"), "{columns}");
    assert!(columns["columns"][2]["hopeless"].is_null(), "{columns}");
}

#[test]
fn limits_that_the_budget_may_not_find_are_told_by_name() {
    let schema = integer("x") + &integer("y") + "minimum = 0\nmaximum = 9\n" + &nominal("a", 2);
    let table = rows(1000, "x,y,a", |row| format!("{},{},l{}", 40 + row % 20, row % 10, row % 2));
    let bench = bench(&table, &schema);
    let said = |epsilon: &str| stderr(&bench.run(&[&SYNTH[..], &[epsilon, "--dry-run"]].concat()));
    let small = said("0.3");
    assert!(small.contains("not both limits are declared for `x`, and the budget is too small"), "{small}");
    assert!(small.contains("Declare `minimum` and `maximum`"), "{small}");
    let middle = said("0.4");
    assert!(middle.contains("for `x`: the budget is so small that the search for them may fail"), "{middle}");
    let more = said("0.6");
    assert!(more.contains("for `x`: the budget finds them in 9 of 10 releases as long"), "{more}");
    assert!(!said("4").contains("limits"), "{}", said("4"));
    let (_, document) = dry(&bench, "0.3");
    let of = |name: &str| {
        let columns = document["columns"].as_array().unwrap();
        columns.iter().find(|column| column["column"] == name).unwrap()["limits"].clone()
    };
    assert_eq!((of("x"), of("y"), of("a")), ("around zero".into(), "known".into(), "known".into()));
}

#[test]
fn only_the_ten_noisiest_of_many_columns_are_listed() {
    let names: Vec<String> = (0..14).map(|column| format!("c{column}")).collect();
    let table = rows(3000, &names.join(","), |row| {
        (0..14).map(|column| format!("l{}", (row + column) % 3)).collect::<Vec<_>>().join(",")
    });
    let schema: String = names.iter().map(|name| nominal(name, 3)).collect();
    let (text, document) = dry(&bench(&table, &schema), "4");
    assert_eq!(text.matches("margin of ").count(), 10, "{text}");
    assert!(text.contains("and 4 more columns"), "{text}");
    assert_eq!(document["columns"].as_array().unwrap().len(), 14);
}
