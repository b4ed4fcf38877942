//! `indistinct synth` on tables of any columns.

use super::synth::certificate;
use super::{MARK, Workbench, stderr, stdout};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn patients() -> (String, String) {
    (format!("{EXAMPLES}/patients.csv"), format!("{EXAMPLES}/patients.toml"))
}

#[test]
fn a_table_of_any_columns_is_released() {
    let bench = Workbench::new();
    let (table, schema) = patients();
    for (delta, kind) in [("0", "pure"), ("1e-6", "approximate")] {
        let first = ["synth", &table, "--schema", &schema, "--epsilon", "4", "--delta", delta];
        let rest = ["--score-epsilon", "0.2", "--quiet", "--json", "--force"];
        let printed = bench.json(&[&first[..], &rest[..]].concat());
        let found = certificate(&bench, "release");
        assert_eq!(printed, found);
        assert_eq!(found["guarantee"]["kind"], kind);
        assert_eq!((&found["model"], &found["schema_source"]), (&"mixed".into(), &"user".into()));
        assert!(found["score"]["value"].is_number());
        for step in found["spent"].as_array().unwrap() {
            assert!(step["proof"].is_string() && step["exactness"] == "exact", "{step}");
        }
        bench.done(&["verify", "release"]);
    }
    let text = std::fs::read_to_string(bench.path("release").join("synthetic.csv")).unwrap();
    let real = std::fs::read_to_string(&table).unwrap();
    assert_eq!(text.lines().next(), real.lines().next(), "same columns in the same order");
    assert_eq!(text.lines().count(), real.lines().count());
    // Reading it with the schema sees to types, levels, spellings and date formats.
    let found = bench.json(&[
        "evaluate",
        &table,
        "release/synthetic.csv",
        "--schema",
        &schema,
        "--json",
        "--null",
        "none",
    ]);
    assert!(found["tables"][0]["pmse"].as_f64().unwrap() < 0.2);
    let page = std::fs::read_to_string(bench.path("release").join("report.html")).unwrap();
    assert!(page.contains("region") && page.contains("<svg"));
    assert!(page.contains("Where rho "), "with a delta the budget is counted in rho");

    bench.done(&[
        "sample",
        "release/model.json",
        "--rows",
        "40",
        "--out",
        "old.csv",
        "--where",
        "age > 60 and sex == 'F' and income is not missing",
    ]);
    let old = std::fs::read_to_string(bench.path("old.csv")).unwrap();
    for line in old.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert!(cells[0].parse::<i64>().unwrap() > 60 && cells[1] == "F" && !cells[8].is_empty(), "{line}");
    }
    bench.file(
        "damaged.json",
        std::fs::read_to_string(bench.path("release/model.json"))
            .unwrap()
            .replace("\"pool\":{\"rows\":", "\"pool\":{\"rows\":1"),
    );
    let output = bench.run(&["sample", "damaged.json", "--rows", "3", "--out", "new.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
}

#[test]
fn a_seed_repeats_and_draws_differ() {
    let bench = Workbench::new();
    let (table, schema) = patients();
    let read = |folder: &str, name: &str| std::fs::read_to_string(bench.path(folder).join(name)).unwrap();
    for folder in ["one", "two"] {
        bench.done(&[
            "synth",
            &table,
            "--schema",
            &schema,
            "--epsilon",
            "8",
            "--draws",
            "2",
            "--rows",
            "100",
            "--seed",
            "3",
            "--out",
            folder,
            "--quiet",
        ]);
    }
    assert_eq!(read("one", "synthetic-01.csv"), read("two", "synthetic-01.csv"));
    assert_ne!(read("one", "synthetic-01.csv"), read("one", "synthetic-02.csv"));
    assert_eq!(read("one", "model.json"), read("two", "model.json"));
    assert_eq!(certificate(&bench, "one")["guarantee"]["kind"], "none", "seeded");
}

#[test]
fn a_dry_run_says_how_the_budget_is_divided_and_does_nothing() {
    let bench = Workbench::new();
    let (table, schema) = patients();
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read_to_string(bench.path("ledger")).unwrap();
    let names = bench.names();
    let first = ["synth", &table, "--schema", &schema, "--epsilon", "4", "--ledger", "ledger", "--dry-run"];
    let text = bench.done(&first);
    for part in ["model: mixed", "margin of income", "correlations of ordered columns", "Nothing was charged"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let found = bench.json(&[&first[..], &["--json"]].concat());
    let shares = found["split"].as_array().unwrap().iter().map(|part| part["share"].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-6);
    bench.file("plain.csv", super::synth::private(1000));
    let text = bench.done(&[
        "synth",
        "plain.csv",
        "--model",
        "normal",
        "--epsilon",
        "2",
        "--score-epsilon",
        "0.2",
        "--dry-run",
        "--quiet",
    ]);
    assert!(text.contains("model: normal") && text.contains("quality score"), "{text}");
    std::fs::remove_file(bench.path("plain.csv")).unwrap();
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), ledger);
    assert_eq!(bench.names(), names);
}

/// Rows of an identifier, a category of many levels, a hole, a date and a number.
fn bad(rows: usize) -> String {
    let mut text = "id,level,hole,day,x\n".to_owned();
    for row in 0..rows {
        text += &format!("{MARK}{row}q,v{},,2024-01-{:02},{}.5\n", row % 1200, row % 28 + 1, row % 17);
    }
    text
}

fn declared(columns: &str) -> String {
    let rest = |name: &str| format!("[[column]]\nname = \"{name}\"\ntype = \"identifier\"\n");
    let others: Vec<String> = ["id", "level", "hole", "day", "x"]
        .iter()
        .filter(|name| !columns.contains(&format!("\"{name}\"\ntype")))
        .map(|name| rest(name))
        .collect();
    format!("version = 1\n{columns}{}", others.concat())
}

#[test]
fn bad_tables_and_schemas_write_nothing_and_charge_nothing() {
    let bench = Workbench::new();
    bench.file("bad.csv", bad(2500));
    bench.file(
        "names.csv",
        bad(600).lines().map(|line| format!("{}\n", line.split(',').next().unwrap())).collect::<String>(),
    );
    let column = |name: &str, kind: &str| format!("[[column]]\nname = \"{name}\"\ntype = \"{kind}\"\n");
    let levels: Vec<String> = (0..1200).map(|level| format!("\"v{level}\"")).collect();
    for (name, text) in [
        ("many.toml", column("level", "nominal") + &format!("levels = [{}]\n", levels.join(", "))),
        ("few.toml", column("level", "nominal") + "levels = [\"v1\", \"v2\"]\n"),
        // What the output could not hold, known before anything is spent.
        (
            "nul.toml",
            column("level", "nominal") + &format!("levels = [\"\\u0000\", {}]\n", levels[..900].join(", ")),
        ),
        ("date.toml", column("day", "date") + "format = \"%d/%m/%Y\"\n"),
        ("atom.toml", column("x", "integer") + "atoms = [0.5]\n"),
        ("other.toml", column("y", "float")),
        (
            "circle.toml",
            column("x", "float")
                + "predictors = [\"day\"]\n"
                + &column("day", "date")
                + "predictors = [\"x\"]\n",
        ),
        (
            "rules.toml",
            column("x", "float") + "[[constraint]]\nrule = \"x < 3\"\n[[constraint]]\nrule = \"x > 4\"\n",
        ),
    ] {
        bench.file(name, declared(&text));
    }
    bench.file("some.csv", bad(900));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read_to_string(bench.path("ledger")).unwrap();
    let names = bench.names();
    for (table, schema, part) in [
        ("some.csv", Some("nul.toml"), "column `level` has a NUL byte"),
        ("bad.csv", None, "column 1 is different"),
        ("names.csv", None, "column 1 is different"),
        ("bad.csv", Some("many.toml"), "column `level` has 1200 levels"),
        ("bad.csv", Some("few.toml"), "`level`"),
        ("bad.csv", Some("date.toml"), "row 1, column `day`"),
        ("bad.csv", Some("atom.toml"), "atom"),
        ("bad.csv", Some("other.toml"), "`y`"),
        ("bad.csv", Some("circle.toml"), "circle"),
        ("bad.csv", Some("rules.toml"), "rule"),
    ] {
        let first =
            ["synth", table, "--epsilon", "5", "--ledger", "ledger", "--accept-conditional", "--quiet"];
        let schema: Vec<&str> = schema.into_iter().flat_map(|schema| ["--schema", schema]).collect();
        let output = bench.run(&[&first[..], &schema[..]].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{table} {schema:?}: {text}");
        assert!(text.contains(part), "{part:?} is not in: {text}");
        assert!(text.contains("help:") && !text.contains(MARK), "{text}");
        assert_eq!(stdout(&output), "");
        assert_eq!(bench.names(), names, "{table} {schema:?}");
    }
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
}

#[test]
fn options_of_the_normal_model_are_not_for_the_mixed_one() {
    let bench = Workbench::new();
    let (table, schema) = patients();
    let first = ["synth", &table, "--schema", &schema, "--epsilon", "4", "--quiet"];
    let output = bench.run(&[&first[..], &["--model", "mixed", "--quality", "pmse"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--quality means nothing to --model mixed"));
    let output = bench.run(&[&first[..], &["--quality", "pmse"]].concat());
    assert_eq!(output.status.code(), Some(1), "the normal model was meant, and there are levels");
    assert!(stderr(&output).contains("--model mixed"), "{}", stderr(&output));
    assert!(!bench.path("release").exists());
}
