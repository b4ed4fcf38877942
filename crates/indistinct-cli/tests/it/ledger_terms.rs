//! `indistinct synth --ledger`: what a ledger takes, and what it is known to refuse beforehand.

use super::synth::{SCHEMA, private};
use super::{Workbench, stderr, stdout};

#[test]
fn a_ledger_takes_only_what_has_a_guarantee() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    bench.file("schema.toml", SCHEMA);
    bench.file("draft.toml", format!("{SCHEMA}# learned from the private data: the type\n"));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "10"]);
    let (before, names) = (std::fs::read_to_string(bench.path("ledger")).unwrap(), bench.names());
    let declared = ["--schema", "schema.toml"];
    let bounds = ["--schema", "schema.toml", "--bounds", "0:140", "--method"];
    let refused = [
        (&[][..], "conditional"),
        (&["--schema", "draft.toml"], "conditional"),
        (&[declared[0], declared[1], "--seed", "3"], "seeded"),
        (&[declared[0], declared[1], "--seed", "3", "--accept-conditional"], "seeded"),
        (&[declared[0], declared[1], "--sampler", "metropolis"], "at-stationarity"),
        (&[declared[0], declared[1], "--discriminator", "cart"], "greedy tree"),
        (
            &[
                declared[0],
                declared[1],
                "--sampler",
                "metropolis",
                "--discriminator",
                "optimal",
                "--fresh-tables",
            ],
            "none",
        ),
        (&[declared[0], declared[1], "--method", "posterior-predictive"], "without noise"),
        (
            &[bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], "smooth-histogram-matching"],
            "not private",
        ),
        (
            &[declared[0], declared[1], "--method", "noisy-bayes", "--bounds", "4sd"],
            "computed from the private rows",
        ),
        // A name that the ledger does not have cannot be compared.
        (&[declared[0], declared[1], "--ledger-id", "survey"], "the ledger has no name"),
    ];
    for (options, part) in refused {
        let first = ["synth", "private.csv", "--epsilon", "2", "--ledger", "ledger", "--quiet"];
        let output = bench.run(&[&first, options].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{options:?}: {text}");
        assert!(text.contains(part) && text.contains("\n help: "), "{part:?} is not in: {text}");
        assert_eq!(stdout(&output), "");
        // Beforehand the same, with how the budget would be divided.
        let dry = bench.run(&[&first, options, &["--dry-run", "--json"]].concat());
        assert_eq!(dry.status.code(), Some(3), "{options:?}: {}", stderr(&dry));
        let dry: serde_json::Value = serde_json::from_slice(&dry.stdout).unwrap();
        assert_eq!(dry["ledger"]["fits"], false, "{dry}");
        assert!(dry["ledger"]["because"].as_str().unwrap().contains(part), "{dry}");
        // What is known from the options is said before anything is read.
        if part != "the ledger has no name" {
            let first = ["synth", "nowhere.csv", "--epsilon", "2", "--ledger", "nowhere", "--quiet"];
            assert_eq!(bench.run(&[&first, options].concat()).status.code(), Some(3), "{options:?}");
        }
        assert_eq!(bench.names(), names, "{options:?}");
        assert_eq!(std::fs::read_to_string(bench.path("ledger")).unwrap(), before, "{options:?}");
    }
    let first = ["synth", "private.csv", "--epsilon", "2", "--ledger", "ledger", "--accept-conditional"];
    let text = bench.done(&first);
    let promise = text.lines().find(|line| line.starts_with("guarantee: ")).unwrap();
    assert!(
        promise.starts_with("guarantee: differential privacy with epsilon 2, provided that "),
        "{promise}"
    );
    assert!(promise.contains("the schema was drafted from these rows"), "{promise}");
    let shown = bench.json(&["ledger", "show", "ledger", "--json"]);
    assert_eq!(shown["charges"][0]["provided"][0], "the schema was drafted from these rows");
    let shown = bench.done(&["ledger", "show", "ledger"]);
    assert!(shown.contains("(conditional)") && shown.contains("drafted from these rows"), "{shown}");
    let page = std::fs::read_to_string(bench.path("release").join("report.html")).unwrap();
    let title = page.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(
        title.contains("epsilon 2, provided that") && title.contains("drafted from these rows"),
        "{title}"
    );
    assert!(page.contains("class=\"warning weak\"") && page.contains("class=\"promise weak\""));

    let usage = bench.run(&["synth", "private.csv", "--epsilon", "2", "--accept-conditional"]);
    assert_eq!(usage.status.code(), Some(2), "there is no ledger to accept it");
}

#[test]
fn a_dry_run_says_whether_the_charge_fits() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    bench.file("schema.toml", SCHEMA);
    bench.done(&["ledger", "init", "ledger", "--epsilon", "3"]);
    let (before, names) = (std::fs::read_to_string(bench.path("ledger")).unwrap(), bench.names());
    let dry = |epsilon: &str, more: &[&str]| {
        let first = ["synth", "private.csv", "--schema", "schema.toml", "--ledger", "ledger", "--dry-run"];
        bench.run(&[&first[..], &["--epsilon", epsilon], more].concat())
    };
    let fits = dry("2", &[]);
    assert_eq!(fits.status.code(), Some(0), "{}", stderr(&fits));
    assert!(stdout(&fits).contains("the charge fits ledger, and would leave epsilon 1"), "{}", stdout(&fits));
    let fits: serde_json::Value = serde_json::from_slice(&dry("2", &["--json"]).stdout).unwrap();
    assert_eq!((&fits["ledger"]["fits"], &fits["ledger"]["remaining"]), (&true.into(), &1.0.into()));
    let exhausted = dry("4", &[]);
    assert_eq!(exhausted.status.code(), Some(3));
    assert!(stdout(&exhausted).contains("would be refused") && stderr(&exhausted).contains("epsilon 3 left"));
    assert_eq!((std::fs::read_to_string(bench.path("ledger")).unwrap(), bench.names()), (before, names));
}

#[test]
fn one_ledger_is_charged_for_all_columns_of_a_data_set() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1000));
    bench.file("schema.toml", SCHEMA);
    bench.file("one.csv", "k\n".to_owned() + &"1\n2\n".repeat(500));
    bench.file("one.toml", "version = 1\n[[column]]\nname = \"k\"\ntype = \"integer\"\n");
    bench.done(&["ledger", "init", "ledger", "--epsilon", "3", "--delta", "1e-6", "--id", "survey"]);
    for (table, schema, out) in [("private.csv", "schema.toml", "both"), ("one.csv", "one.toml", "one")] {
        let first = ["synth", table, "--schema", schema, "--epsilon", "2", "--delta", "1e-7", "--out", out];
        bench.done(&[&first[..], &["--ledger", "ledger", "--ledger-id", "survey", "--quiet"]].concat());
        bench.done(&["verify", out, "--quiet"]);
    }
    let shown = bench.json(&["ledger", "show", "ledger", "--json"]);
    assert_ne!(shown["charges"][0]["schema"], shown["charges"][1]["schema"]);
    // The rho that was charged is the one that the certificate composes by, and twice it is less than epsilon 4.
    let text = std::fs::read_to_string(bench.path("one").join("certificate.json")).unwrap();
    let certificate: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rho = shown["charges"][1]["rho"].as_f64().unwrap();
    let how = certificate["composition"]["how"].as_str().unwrap();
    assert!(how.contains(&format!("{rho}")), "{rho} is not in {how}");
    let together = &shown["together"];
    assert!((together["rho"].as_f64().unwrap() - 2.0 * rho).abs() < 1e-14, "{together}");
    assert!(together["epsilon"].as_f64().unwrap() < 3.0, "{together}");
    // Another would not fit; a dry run says so, with what would be left of a smaller one.
    let dry = |epsilon: &str| {
        let first = ["synth", "one.csv", "--schema", "one.toml", "--delta", "1e-7", "--ledger", "ledger"];
        bench.run(&[&first[..], &["--dry-run", "--json", "--epsilon", epsilon]].concat())
    };
    assert_eq!(dry("2").status.code(), Some(3));
    let fits = dry("0.5");
    assert_eq!(fits.status.code(), Some(0), "{}", stderr(&fits));
    let fits: serde_json::Value = serde_json::from_slice(&fits.stdout).unwrap();
    assert_eq!(fits["ledger"]["remaining_with_delta"]["delta"], 1e-6);
    assert!(fits["ledger"]["remaining_with_delta"]["epsilon"].as_f64().unwrap() > 1.0, "{fits}");
}
