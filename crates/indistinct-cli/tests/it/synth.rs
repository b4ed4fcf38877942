//! `indistinct synth` and `indistinct sample`.

use super::{MARK, Workbench, stderr, stdout};

/// Two dependent columns of numbers, one of them whole.
pub(crate) fn private(rows: usize) -> String {
    let mut text = "x,k\n".to_owned();
    let mut state = 12345u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    };
    for _ in 0..rows {
        let x = (0..6).map(|_| uniform()).sum::<f64>() * 10.0;
        let k = (x * 2.0 + (0..4).map(|_| uniform()).sum::<f64>() * 5.0).round();
        text += &format!("{x:.4},{k}\n");
    }
    text
}

/// What its columns are, declared.
pub(crate) const SCHEMA: &str = r#"version = 1
[[column]]
name = "x"
type = "float"
[[column]]
name = "k"
type = "integer"
"#;

pub(crate) fn certificate(bench: &Workbench, folder: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(bench.path(folder).join("certificate.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_release_is_certified_and_can_be_verified() {
    let bench = Workbench::new();
    bench.file("private.csv", private(2000));
    bench.done(&["synth", "private.csv", "--epsilon", "2", "--score-epsilon", "0.1", "--quiet"]);
    let found = certificate(&bench, "release");
    for field in [
        "tool",
        "version",
        "created",
        "rows",
        "columns",
        "neighbours",
        "guarantee",
        "epsilon",
        "spent",
        "quality",
        "discriminator",
        "sampler",
        "measure_share",
        "sensitivity",
        "draws",
        "tables",
        "rows_per_person",
        "seeded",
        "schema_source",
        "outside_the_guarantee",
        "score",
        "files",
    ] {
        assert!(found.get(field).is_some(), "{field}");
    }
    let provided = found["guarantee"]["provided"].clone();
    assert_eq!(
        found["guarantee"],
        serde_json::json!({"kind": "conditional", "epsilon": 2.0, "provided": provided})
    );
    assert_eq!(provided[0], "the schema was drafted from these rows");
    assert_eq!((&found["rows"], &found["columns"]), (&2000.into(), &2.into()));
    assert_eq!(found["schema_source"], "drafted from the data");
    assert_eq!(found["seeded"], false);
    assert!(found["score"]["value"].is_number() && found["score"]["scale"].is_number());
    let spent: f64 =
        found["spent"].as_array().unwrap().iter().map(|step| step["epsilon"].as_f64().unwrap()).sum();
    assert!(spent <= 2.0 + 1e-9, "{spent}");
    bench.done(&["verify", "release"]);

    let text = std::fs::read_to_string(bench.path("release").join("synthetic.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2001);
    assert_eq!(rows[0], ["x", "k"]);
    assert!(rows[1..].iter().all(|row| row[1].parse::<i64>().is_ok()), "whole numbers stay whole");
    let found = bench.json(&["evaluate", "private.csv", "release/synthetic.csv", "--json", "--null", "none"]);
    let table = &found["tables"][0];
    assert!(
        table["optimal_depth_2"]["pmse"].as_f64()
            < table["independent_control"]["optimal_depth_2"]["pmse"].as_f64(),
        "it keeps the dependence"
    );
}

#[test]
fn draws_tables_rows_and_formats() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1500));
    let arguments = [
        "synth",
        "private.csv",
        "--epsilon",
        "4",
        "--draws",
        "2",
        "--tables",
        "3",
        "--rows",
        "70",
        "--format",
        "parquet",
        "--out",
        "many",
        "--quiet",
    ];
    bench.done(&arguments);
    for number in 1..=6 {
        assert!(bench.path("many").join(format!("synthetic-{number:02}.parquet")).exists());
    }
    let found = certificate(&bench, "many");
    assert_eq!((&found["draws"], &found["tables"]), (&2.into(), &3.into()));
    bench.done(&["sample", "many/model.json", "--rows", "33", "--draw", "2", "--out", "more.csv"]);
    assert_eq!(std::fs::read_to_string(bench.path("more.csv")).unwrap().lines().count(), 34);
    for (arguments, part) in [
        (&["sample", "many/model.json", "--rows", "3", "--out", "more.csv"][..], "exists"),
        (&["sample", "many/model.json", "--rows", "3", "--draw", "3", "--out", "new.csv"], "2 draws"),
        (&["sample", "many/model.json", "--rows", "0", "--out", "new.csv"], "at least 1"),
        (&["sample", "many/certificate.json", "--rows", "3", "--out", "new.csv"], "model"),
        (&["sample", "nowhere.json", "--rows", "3", "--out", "new.csv"], "nowhere.json"),
    ] {
        let output = bench.run(arguments);
        let code = if part == "at least 1" { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!bench.path("new.csv").exists());
}

#[test]
fn the_certificate_says_what_the_parts_carry() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    bench.file("schema.toml", SCHEMA);
    for (options, kind) in [
        (&["--discriminator", "optimal"][..], "pure"),
        (&["--discriminator", "private-tree"], "pure"),
        (&["--discriminator", "cart", "--depth", "3", "--candidates", "40"], "none"),
        (&["--sampler", "metropolis", "--steps", "600", "--chains", "2"], "at-stationarity"),
        (&["--sensitivity", "paper", "--quality", "pmse"], "pure"),
    ] {
        let first = ["synth", "private.csv", "--epsilon", "4", "--force", "--quiet", "--json"];
        let drafted = bench.json(&[&first, options].concat());
        let conditional = if kind == "pure" { "conditional" } else { kind };
        assert_eq!(drafted["guarantee"]["kind"], conditional, "{options:?}");
        let outside = drafted["outside_the_guarantee"].to_string();
        assert!(outside.contains("the schema was drafted from these rows"), "{outside}");
        let found = bench.json(&[&first, options, &["--schema", "schema.toml"]].concat());
        assert_eq!(found["guarantee"]["kind"], kind, "{options:?}");
        assert_eq!(found, certificate(&bench, "release"), "what is printed is what is written");
        if let ["--discriminator" | "--sampler", name, ..] = options {
            assert!(found["discriminator"] == *name || found["sampler"] == *name, "{found}");
        }
        let code = if kind == "none" { 3 } else { 0 };
        assert_eq!(bench.run(&["verify", "release"]).status.code(), Some(code), "{options:?}");
    }
    let loud = bench.run(&[
        "synth",
        "private.csv",
        "--epsilon",
        "4",
        "--force",
        "--sampler",
        "metropolis",
        "--steps",
        "300",
    ]);
    assert!(stderr(&loud).contains("R-hat") && stderr(&loud).contains("not to be published"));
    let refused = bench.run(&[
        "synth",
        "private.csv",
        "--epsilon",
        "4",
        "--force",
        "--sampler",
        "metropolis",
        "--measure-share",
        "0.5",
    ]);
    assert_eq!(refused.status.code(), Some(2));
    for options in [&["--cp", "0.1"][..], &["--depth", "3"], &["--steps", "9"], &["--fresh-tables"]] {
        let output =
            bench.run(&[&["synth", "private.csv", "--epsilon", "4", "--out", "new"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
}

#[test]
fn a_seed_repeats_and_voids_the_guarantee() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    for out in ["a", "b"] {
        bench.done(&["synth", "private.csv", "--epsilon", "2", "--seed", "7", "--out", out, "--quiet"]);
    }
    let read = |folder: &str| std::fs::read_to_string(bench.path(folder).join("synthetic.csv")).unwrap();
    assert_eq!(read("a"), read("b"));
    let found = certificate(&bench, "a");
    assert_eq!((&found["guarantee"]["kind"], &found["seeded"]), (&"none".into(), &true.into()));
    for out in ["c", "d"] {
        bench.done(&["synth", "private.csv", "--epsilon", "2", "--out", out, "--quiet"]);
    }
    assert_ne!(read("c"), read("d"));
}

#[test]
fn the_ledger_is_charged_first_and_an_exhausted_one_refuses() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    bench.file("schema.toml", SCHEMA);
    bench.done(&["ledger", "init", "ledger", "--epsilon", "3", "--id", "survey"]);
    let synth = |out: &str, more: &[&str]| {
        let first =
            ["synth", "private.csv", "--schema", "schema.toml", "--epsilon", "2", "--ledger", "ledger"];
        bench.run(&[&first[..], &["--out", out, "--quiet"], more].concat())
    };
    assert_eq!(synth("wrong", &["--ledger-id", "census"]).status.code(), Some(3));
    assert_eq!(synth("first", &["--ledger-id", "survey"]).status.code(), Some(0));
    let refused = synth("second", &[]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(!bench.path("second").exists() && !bench.path("wrong").exists());
    // A folder that exists is found out before anything is charged.
    let before = std::fs::read_to_string(bench.path("ledger")).unwrap();
    assert_eq!(synth("first", &[]).status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), before);
}

#[test]
fn bad_input_writes_nothing_charges_nothing_and_repeats_no_value() {
    let bench = Workbench::new();
    bench.file("private.csv", private(400));
    bench.file("text.csv", private(400).replace("x,k", "x,k\n1.5,five").replace("five", &format!("a{MARK}")));
    bench.file("few.csv", private(49));
    bench.file("infinite.csv", format!("{}{MARK},1e999\n", private(400)));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read_to_string(bench.path("ledger")).unwrap();
    let names = bench.names();
    for (table, options, code, part) in [
        ("private.csv", &[][..], 2, "--epsilon is missing"),
        ("private.csv", &["--epsilon", "0"], 2, "greater than zero"),
        ("private.csv", &["--epsilon", "-1"], 2, "negative"),
        ("private.csv", &["--epsilon", "nan"], 2, "decimal"),
        ("private.csv", &["--epsilon", "1e7"], 2, "large"),
        ("private.csv", &["--epsilon", "0.001"], 1, "would do"),
        ("private.csv", &["--epsilon", "5", "--draws", "0"], 2, "at least 1"),
        ("private.csv", &["--epsilon", "5", "--tables", "0"], 2, "at least 1"),
        ("private.csv", &["--epsilon", "5", "--rows", "0"], 2, "at least 1"),
        ("private.csv", &["--epsilon", "5", "--measure-share", "1"], 2, "below 1"),
        ("private.csv", &["--epsilon", "5", "--measure-share", "-0.5"], 2, "at least 0"),
        ("private.csv", &["--epsilon", "5", "--score-epsilon", "5"], 2, "nothing for the table"),
        ("private.csv", &["--epsilon", "5", "--out", "private.csv"], 1, "private.csv"),
        ("private.csv", &["--epsilon", "5", "--out", "no/such/folder"], 1, "no/such"),
        ("text.csv", &["--epsilon", "5"], 1, "row 1, column 2"),
        ("text.csv", &["--epsilon", "5", "--model", "normal"], 1, "column 2"),
        ("few.csv", &["--epsilon", "5"], 1, "49 rows"),
        ("infinite.csv", &["--epsilon", "5"], 1, "row 401"),
    ] {
        let first = ["synth", table, "--ledger", "ledger", "--accept-conditional", "--quiet"];
        let output = bench.run(&[&first, options].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{table} {options:?}: {text}");
        assert!(text.contains(part), "{part:?} is not in: {text}");
        assert!(!text.contains(MARK), "{text}");
        assert_eq!(stdout(&output), "");
        assert_eq!(bench.names(), names, "{table} {options:?}");
    }
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
}

#[test]
fn a_release_has_a_page_that_its_certificate_lists() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    let page = |folder: &str| std::fs::read_to_string(bench.path(folder).join("report.html")).unwrap();
    bench.done(&[
        "synth",
        "private.csv",
        "--epsilon",
        "2",
        "--tables",
        "2",
        "--score-epsilon",
        "0.1",
        "--quiet",
    ]);
    let text = page("release");
    let files = certificate(&bench, "release")["files"].clone();
    let hash = |name: &str| files[name].as_str().unwrap().to_owned();
    for name in ["synthetic-01.csv", "synthetic-02.csv", "model.json"] {
        assert!(text.contains(name) && text.contains(&hash(name)), "{name}");
    }
    assert!(!text.contains(&hash("report.html")));
    for part in [
        "Differential privacy with epsilon 2",
        "quality score",
        "column names, types, levels, decimals, atoms and families, read from the data",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.contains("class=\"warning weak\""), "the schema was drafted");
    bench.done(&["verify", "release"]);
    bench.file("release/report.html", text.replace("epsilon 2", "epsilon 1"));
    assert_eq!(
        bench.run(&["verify", "release"]).status.code(),
        Some(1),
        "a page that was edited is found out"
    );

    bench.done(&["synth", "private.csv", "--epsilon", "2", "--seed", "1", "--out", "seeded", "--quiet"]);
    assert!(
        page("seeded").contains("class=\"warning none\"") && page("seeded").contains("who knows the seed")
    );
    let chain = ["--sampler", "metropolis", "--steps", "300", "--chains", "2", "--out", "chain"];
    bench.done(&[&["synth", "private.csv", "--epsilon", "2", "--quiet"], &chain[..]].concat());
    assert!(
        page("chain").contains("at stationarity only") && page("chain").contains("class=\"warning weak\"")
    );
    bench.done(&["verify", "chain"]);
}

#[test]
fn a_page_tells_nothing_but_what_is_released() {
    let bench = Workbench::new();
    // A private value far from all others is in no figure.
    bench.file("private.csv", format!("{}{MARK}.5,{MARK}\n", private(1000)));
    bench.done(&["synth", "private.csv", "--epsilon", "4", "--quiet"]);
    let text = std::fs::read_to_string(bench.path("release").join("report.html")).unwrap();
    assert!(!text.contains(MARK));
}

#[test]
fn a_delta_is_certified_charged_and_can_be_verified() {
    let bench = Workbench::new();
    bench.file("private.csv", private(2000));
    bench.file("schema.toml", SCHEMA);
    bench.done(&["ledger", "init", "ledger", "--epsilon", "5", "--delta", "1.5e-6"]);
    let synth = |out: &str, further: &[&str]| {
        let (schema, ledger) = (["--schema", "schema.toml"], ["--ledger", "ledger"]);
        let first = ["synth", "private.csv", "--epsilon", "2", "--out", out, "--quiet"];
        let first = [&first[..], &schema, &ledger].concat();
        bench.run(&[first.as_slice(), further].concat())
    };
    let done = synth("first", &["--delta", "1e-6", "--score-epsilon", "0.1", "--rows-per-person", "2"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stdout(&done).contains("(2, 0.000001)-differential privacy"), "{}", stdout(&done));
    assert!(stdout(&done).contains("% of the budget in "), "{}", stdout(&done));
    let found = certificate(&bench, "first");
    assert_eq!(found["guarantee"], serde_json::json!({"kind": "approximate", "epsilon": 2.0, "delta": 1e-6}));
    assert!(found["composition"]["how"].as_str().unwrap().starts_with("zCDP: rho "));
    let told = bench.done(&["verify", "first"]);
    assert!(told.contains("approximate differential privacy, epsilon 2, delta 0.000001"), "{told}");
    assert!(told.contains("zCDP: rho"), "{told}");
    // The noise of its counts is known to whoever combines its tables.
    bench.done(&["combine", "first", "--formula", "k ~ x"]);
    // Two of them are less than (4, 2e-6), as rho is added up, and a third does not fit.
    assert_eq!(synth("second", &["--delta", "1e-6"]).status.code(), Some(0));
    let shown = bench.json(&["ledger", "show", "ledger", "--json"]);
    let spent = shown["spent"].as_f64().unwrap();
    assert!(spent > 2.5 && spent < 3.0, "{spent}");
    assert_eq!(shown["together"]["delta"], 1.5e-6, "{shown}");
    // A pure one is added to that.
    let output = synth("third", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let refused = synth("fourth", &["--delta", "1e-6"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(stderr(&refused).contains("left, and this would cost (2, 0.000001)"), "{}", stderr(&refused));
    assert!(!bench.path("fourth").exists());
    let shown = bench.done(&["ledger", "show", "ledger"]);
    assert!(shown.contains(" of 5 is spent at delta 0.0000015"), "{shown}");
    // Forged: a smaller delta than the steps were drawn for.
    let mut forged = found;
    forged["composition"]["delta"] = 1e-9.into();
    forged["guarantee"]["delta"] = 1e-9.into();
    std::fs::write(bench.path("first").join("certificate.json"), forged.to_string()).unwrap();
    let output = bench.run(&["verify", "first"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("but its epsilon and delta allow"), "{}", stdout(&output));
}

#[test]
fn a_delta_is_refused_where_it_means_nothing() {
    let bench = Workbench::new();
    bench.file("private.csv", private(200));
    for (further, says) in [
        (["--delta", "1e-6", "--sampler", "metropolis"].as_slice(), "not for --sampler metropolis"),
        (
            &["--delta", "1e-6", "--method", "posterior-predictive"],
            "--delta means nothing to posterior-predictive",
        ),
        (&["--delta", "1"], "--delta: delta must be"),
        (&["--delta", "-1e-6"], "--delta: delta must be"),
        (&["--delta", "1e-16"], "--delta is too small"),
    ] {
        let output = bench.run(&[&["synth", "private.csv", "--epsilon", "5", "--quiet"], further].concat());
        assert_eq!(output.status.code(), Some(2), "{further:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{further:?}: {}", stderr(&output));
    }
    assert!(!bench.path("release").exists());
    // Zero, however it is written, is pure; and a delta that promises nothing is warned of.
    bench.file("schema.toml", SCHEMA);
    let declared = ["--schema", "schema.toml"];
    bench.done(
        &[&["synth", "private.csv", "--epsilon", "5", "--delta", "0.0", "--quiet"], &declared[..]].concat(),
    );
    assert_eq!(certificate(&bench, "release")["guarantee"]["kind"], "pure");
    let output = bench.run(&["synth", "private.csv", "--epsilon", "5", "--delta", "0.01", "--out", "loose"]);
    assert!(stderr(&output).contains("one over the number of rows"), "{}", stderr(&output));
}

/// Qualities averaged over several synthetic tables, and the scale of the walk's prior: taken where they mean something, refused
/// where they do not, and told on the certificate.
#[test]
fn sets_and_the_priors_scale_are_for_what_has_them() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1500));
    let usual = ["synth", "private.csv", "--epsilon", "4", "--quiet", "--out"];
    let sets = ["trees", "--discriminator", "optimal", "--sets", "3", "--candidates", "20"];
    bench.done(&[&usual[..], &sets[..]].concat());
    let spent = certificate(&bench, "trees")["spent"].to_string();
    assert!(spent.contains("of the best tree, summed over 3 synthetic tables"), "{spent}");
    let walk =
        ["walk", "--sampler", "metropolis", "--steps", "60", "--chains", "1", "--prior-scale", "log-sd"];
    bench.done(&[&usual[..], &walk[..]].concat());
    for (options, code, part) in [
        (&["--sets", "3"][..], 2, "--sets is for --discriminator optimal or cart"),
        (&["--sets", "3", "--discriminator", "private-tree"], 2, "--sets is for"),
        (&["--sets", "0", "--discriminator", "optimal"], 2, "at least 1"),
        (&["--sets", "1001", "--discriminator", "cart"], 2, "at most 1000 sets"),
        (&["--sets", "2", "--model", "mixed"], 2, "--sets is for"),
        (&["--prior-scale", "sd"], 2, "--prior-scale means nothing to this --sampler"),
        (&["--draws", "20", "--model", "normal"], 1, "use at most --draws 8"),
        (&["--draws", "200", "--sampler", "metropolis"], 1, "use at most --draws"),
        (&["--draws", "200", "--model", "mixed"], 1, "use at most --draws"),
    ] {
        let output = bench.run(&[&usual[..], &["refused"], options].concat());
        assert_eq!(output.status.code(), Some(code), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{options:?}: {}", stderr(&output));
        assert!(!bench.path("refused").exists());
    }
}
