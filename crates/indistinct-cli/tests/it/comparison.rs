//! `indistinct baseline`: the methods that the mechanism is compared with.

use super::synth::{SCHEMA, certificate, private};
use super::{MARK, Workbench, stderr, stdout};

const METHODS: [&str; 5] = [
    "posterior-predictive",
    "noisy-bayes",
    "noisy-bayes-floored",
    "smooth-histogram",
    "smooth-histogram-matching",
];

/// The arguments of a method with bounds that fit the table, where it needs some.
fn arguments<'a>(method: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let bounds: &[&str] =
        if method == "posterior-predictive" { &[] } else { &["--bounds", "x=0:60,k=0:140"] };
    let first = ["baseline", method, "private.csv", "--schema", "schema.toml", "--epsilon", "2"];
    [&first[..], &["--force", "--quiet"], bounds, more].concat()
}

#[test]
fn every_method_makes_a_release_that_says_what_it_is() {
    let bench = Workbench::new();
    bench.file("private.csv", private(2000));
    bench.file("schema.toml", SCHEMA);
    for method in METHODS {
        let found = bench.json(&arguments(method, &["--json"]));
        assert_eq!(found, certificate(&bench, "release"), "what is printed is what is written");
        let promises_nothing = ["posterior-predictive", "smooth-histogram-matching"].contains(&method);
        let kind = if promises_nothing { "none" } else { "pure" };
        assert_eq!(found["guarantee"]["kind"], kind, "{method}");
        let comparison = &found["comparison"];
        assert_eq!(comparison["method"], method);
        if method == "posterior-predictive" {
            assert_eq!(
                (&comparison["bounds"], &comparison["bounds_source"]),
                (&serde_json::json!([]), &serde_json::Value::Null)
            );
            assert!(found["guarantee"]["because"][0].as_str().unwrap().contains("without noise"));
        } else {
            assert_eq!(comparison["bounds_source"], "user");
            assert_eq!(
                comparison["bounds"][1],
                serde_json::json!({"column": "k", "low": 0.0, "high": 140.0})
            );
            let outside = found["outside_the_guarantee"].to_string();
            assert!(outside.contains("k in [0, 140]") && outside.contains("given"), "{outside}");
        }
        assert_eq!(comparison["bins"].is_number(), method.starts_with("smooth"));
        for field in ["quality", "discriminator", "sampler"] {
            assert!(found[field].is_string(), "{field}");
        }
        let output = bench.run(&["verify", "release"]);
        assert_eq!(output.status.code(), Some(if promises_nothing { 3 } else { 0 }), "{}", stderr(&output));
        assert!(stdout(&output).contains(method), "{}", stdout(&output));
        let output = bench.run(&["verify", "release", "--json"]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&told["comparison"], &told["valid"]), (comparison, &true.into()));

        let text = std::fs::read_to_string(bench.path("release").join("synthetic.csv")).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!((rows.len(), &rows[0]), (2001, &vec!["x", "k"]));
        assert!(rows[1..].iter().all(|row| row[0].parse::<f64>().unwrap().is_finite()));
        assert!(rows[1..].iter().all(|row| row[1].parse::<i64>().is_ok()), "whole numbers stay whole");
        let has_model = bench.path("release").join("model.json").exists();
        assert_eq!(has_model, !method.starts_with("smooth"), "{method}");
        if has_model {
            bench.done(&["sample", "release/model.json", "--rows", "5", "--out", "more.csv", "--force"]);
        }
    }
    // The mechanism itself is not a comparison method.
    let found = bench.json(&["synth", "private.csv", "--epsilon", "2", "--force", "--quiet", "--json"]);
    assert!(found.get("comparison").is_none());
}

#[test]
fn good_methods_come_closer_than_bad_ones() {
    let bench = Workbench::new();
    bench.file("private.csv", private(2000));
    bench.file("schema.toml", SCHEMA);
    let pmse = |method: &str| {
        bench.done(&arguments(method, &["--seed", "5"]));
        let found =
            bench.json(&["evaluate", "private.csv", "release/synthetic.csv", "--json", "--null", "none"]);
        found["tables"][0]["pmse"].as_f64().unwrap()
    };
    let [posterior, bayes, _, printed, matching] = METHODS.map(pmse);
    assert!(posterior < 0.03 && bayes < 0.06, "{posterior} {bayes}");
    assert!(matching < printed && printed > 0.1, "{matching} {printed}");
}

#[test]
fn bounds_from_the_data_void_the_guarantee() {
    let bench = Workbench::new();
    bench.file("private.csv", private(500));
    for method in ["noisy-bayes", "smooth-histogram"] {
        let output = bench.run(&[
            "synth",
            "private.csv",
            "--epsilon",
            "2",
            "--method",
            method,
            "--bounds",
            "4sd",
            "--force",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("computed from the private rows"), "{}", stderr(&output));
        let found = certificate(&bench, "release");
        assert_eq!(found["guarantee"]["kind"], "none");
        assert!(found["guarantee"]["because"][0].as_str().unwrap().contains("bounds of the columns"));
        assert_eq!(found["comparison"]["bounds_source"], "computed from the data");
        let interval = &found["comparison"]["bounds"][0];
        assert_eq!(interval["low"].as_f64().unwrap(), -interval["high"].as_f64().unwrap());
        assert_eq!(bench.run(&["verify", "release"]).status.code(), Some(3), "it promises nothing");
    }
    // A certificate that hides it is found out.
    let path = bench.path("release").join("certificate.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut forged: serde_json::Value = serde_json::from_str(&text).unwrap();
    forged["spent"].as_array_mut().unwrap().remove(0);
    forged["guarantee"] = serde_json::json!({"kind": "pure", "epsilon": 2.0});
    std::fs::write(&path, forged.to_string()).unwrap();
    assert_eq!(bench.run(&["verify", "release"]).status.code(), Some(3));
}

#[test]
fn draws_tables_rows_formats_seeds_and_ledgers_work_as_for_the_mechanism() {
    let bench = Workbench::new();
    bench.file("private.csv", private(300));
    bench.file("schema.toml", SCHEMA);
    bench.done(&["ledger", "init", "ledger", "--epsilon", "1000"]);
    let mut charged = 0.0;
    for method in METHODS {
        let more = ["--draws", "2", "--tables", "3", "--rows", "70", "--format", "parquet", "--seed", "9"];
        bench.done(&arguments(method, &more));
        for number in 1..=6 {
            assert!(
                bench.path("release").join(format!("synthetic-{number:02}.parquet")).exists(),
                "{method}"
            );
        }
        let found = certificate(&bench, "release");
        assert_eq!(
            (&found["draws"], &found["tables"], &found["seeded"]),
            (&2.into(), &3.into(), &true.into())
        );
        let spent: f64 =
            found["spent"].as_array().unwrap().iter().map(|step| step["epsilon"].as_f64().unwrap()).sum();
        assert!(spent <= 2.0 + 1e-9);
        // A ledger takes those that promise something.
        let promises = !["posterior-predictive", "smooth-histogram-matching"].contains(&method);
        let output = bench.run(&arguments(method, &["--ledger", "ledger", "--out", "charged"]));
        assert_eq!(output.status.code(), Some(if promises { 0 } else { 3 }), "{}", stderr(&output));
        charged += if promises { 2.0 } else { 0.0 };
        let shown = bench.json(&["ledger", "show", "ledger", "--json"]);
        assert!((shown["spent"].as_f64().unwrap() - charged).abs() < 1e-9, "{shown}");
        // The page names the second at which it was made.
        let files = |found: &serde_json::Value| {
            let mut files = found["files"].clone();
            files.as_object_mut().unwrap().remove("report.html");
            files
        };
        bench.done(&arguments(method, &more));
        assert_eq!(files(&certificate(&bench, "release")), files(&found), "a seed repeats");
        bench.done(&arguments(method, &["--rows-per-person", "4"]));
        assert_eq!(certificate(&bench, "release")["rows_per_person"], 4);
    }
}

#[test]
fn wrong_use_is_refused_with_advice() {
    let bench = Workbench::new();
    bench.file("private.csv", private(400));
    let names = bench.names();
    for (options, part) in [
        (&["--method", "noisy-bayes"][..], "needs --bounds"),
        (&["--method", "smooth-histogram"], "needs --bounds"),
        (&["--bounds", "-1:1"], "--bounds means nothing"),
        (&["--bins", "5"], "--bins means nothing"),
        (&["--method", "posterior-predictive", "--bounds", "-1:1"], "--bounds means nothing"),
        (&["--method", "noisy-bayes", "--bounds", "-1:1", "--bins", "5"], "--bins means nothing"),
        (&["--method", "noisy-bayes", "--bounds", "-1:1", "--quality", "pmae"], "--quality means nothing"),
        (
            &["--method", "noisy-bayes", "--bounds", "-1:1", "--score-epsilon", "0.1"],
            "--score-epsilon means nothing",
        ),
        (&["--method", "posterior-predictive", "--sampler", "zoom"], "--sampler means nothing"),
        (&["--method", "functional", "--bounds", "-1:1"], "regression coefficients only"),
        (&["--method", "k-norm"], "regression coefficients only"),
        (&["--method", "magic"], "invalid value"),
    ] {
        let output = bench.run(&[&["synth", "private.csv", "--epsilon", "2", "--quiet"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{part:?} is not in: {}", stderr(&output));
        assert_eq!(bench.names(), names);
    }
    let help = stdout(&bench.run(&["baseline", "--help"]));
    assert!(help.contains("noisy-bayes") && help.contains("--bounds") && !help.contains("k-norm"), "{help}");
    assert!(!stdout(&bench.run(&["synth", "--help"])).contains("noisy-bayes"));
    for arguments in [
        &["baseline", "pmse", "private.csv", "--epsilon", "2"][..],
        &["baseline", "noisy-bayes", "private.csv", "--epsilon", "2", "--method", "noisy-bayes-floored"],
    ] {
        let output = bench.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("baseline --help"), "{}", stderr(&output));
    }
    // The option of earlier versions says where it went.
    let output =
        bench.run(&["synth", "private.csv", "--epsilon", "2", "--method=noisy-bayes", "--bounds", "0:140"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("indistinct baseline METHOD"), "{}", stderr(&output));
}

#[test]
fn bad_input_writes_nothing_charges_nothing_and_repeats_no_value() {
    let bench = Workbench::new();
    bench.file("private.csv", private(400));
    bench.file("few.csv", private(49));
    let constant: String = (0..100).map(|row| format!("{row},{MARK}\n")).collect();
    bench.file("constant.csv", format!("x,k\n{constant}"));
    let column = |name: &str| format!("[[column]]\nname = \"{name}\"\ntype = \"float\"\n");
    bench.file("constant.toml", format!("version = 1\n{}{}", column("x"), column("k")));
    let wide: String = (0..100)
        .map(|row| format!("{}\n", ["1", "2", "3", "4", "5", "6"].map(|k| format!("{k}{row}")).join(",")))
        .collect();
    bench.file("wide.csv", format!("a,b,c,d,e,f\n{wide}"));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read_to_string(bench.path("ledger")).unwrap();
    let names = bench.names();
    for (table, method, options, part) in [
        ("private.csv", "noisy-bayes", &["--bounds", "1:-1"][..], "below the high one"),
        ("private.csv", "noisy-bayes", &["--bounds", "1:1"], "below the high one"),
        ("private.csv", "noisy-bayes", &["--bounds", "x=0:1"], "column 2 has no interval"),
        ("private.csv", "noisy-bayes", &["--bounds", "x=0:1,k=0:1,x=0:2"], "two intervals"),
        ("private.csv", "noisy-bayes", &["--bounds", "x=0:1,k=0:1,z=0:1"], "no column `z`"),
        ("private.csv", "noisy-bayes", &["--bounds", "-inf:inf"], "finite"),
        ("private.csv", "noisy-bayes", &["--bounds", "0:1e-320"], "below the high one"),
        ("private.csv", "noisy-bayes", &["--bounds", "nan:1"], "below the high one"),
        ("private.csv", "noisy-bayes", &["--bounds", "few"], "cannot be read"),
        ("private.csv", "noisy-bayes", &["--bounds", "-1sd"], "cannot be read"),
        ("private.csv", "noisy-bayes", &["--bounds", "0:1", "--epsilon", "1e-13"], "too small"),
        (
            "private.csv",
            "noisy-bayes",
            &["--bounds", "0:1", "--epsilon", "1e-12", "--draws", "2"],
            "too small",
        ),
        ("private.csv", "noisy-bayes", &["--bounds", "4sd", "--epsilon", "1e-12"], "too small"),
        ("private.csv", "noisy-bayes", &["--bounds", "0:1", "--draws", "0"], "at least 1"),
        ("private.csv", "smooth-histogram", &["--bounds", "0:1", "--rows", "0"], "at least 1"),
        ("private.csv", "smooth-histogram", &["--bounds", "0:1", "--bins", "0"], "at least one bin"),
        ("private.csv", "smooth-histogram", &["--bounds", "0:1", "--bins", "5000"], "at most 4096 --bins"),
        ("wide.csv", "smooth-histogram", &["--bounds", "0:1"], "at most 16 --bins"),
        ("few.csv", "noisy-bayes", &["--bounds", "0:1"], "49 rows"),
        ("few.csv", "posterior-predictive", &[], "49 rows"),
        ("constant.csv", "posterior-predictive", &[], "column 2 is constant"),
        ("constant.csv", "posterior-predictive", &["--schema", "constant.toml"], "column `k` is constant"),
        ("constant.csv", "noisy-bayes", &["--bounds", "4sd"], "constant"),
        ("wide.csv", "posterior-predictive", &[], "determined by the columns before"),
    ] {
        let epsilon: &[&str] = if options.contains(&"--epsilon") { &[] } else { &["--epsilon", "5"] };
        let first = ["synth", table, "--quiet", "--method", method];
        // A ledger refuses what promises nothing before anything else is looked at.
        let promises = method != "posterior-predictive" && !options.contains(&"4sd");
        let ledger: &[&str] = if promises { &["--ledger", "ledger", "--accept-conditional"] } else { &[] };
        let output = bench.run(&[&first, ledger, epsilon, options].concat());
        let text = stderr(&output);
        let in_itself =
            ["below the high one", "finite", "cannot be read", "too small", "at least 1", "at least one bin"];
        let code = if in_itself.contains(&part) { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{table} {method} {options:?}: {text}");
        assert!(text.contains(part), "{part:?} is not in: {text}");
        assert!(text.contains("help:") && !text.contains(MARK), "{text}");
        assert_eq!(stdout(&output), "");
        assert_eq!(bench.names(), names, "{table} {options:?}");
    }
    assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
    // Constant columns and hopeless budgets are no reason to fail where bounds are given: noise hides them.
    for method in &METHODS[1..] {
        for epsilon in ["0.000000000001", "0.001", "10"] {
            let first =
                ["synth", "constant.csv", "--epsilon", epsilon, "--method", method, "--force", "--quiet"];
            bench.done(&[&first[..], &["--bounds", "x=0:100,k=-1:1"]].concat());
            let text = std::fs::read_to_string(bench.path("release").join("synthetic.csv")).unwrap();
            assert!(!text.to_lowercase().contains("nan") && !text.contains("inf"), "{method} {epsilon}");
        }
    }
}
