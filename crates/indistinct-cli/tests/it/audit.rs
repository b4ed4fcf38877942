//! `indistinct audit`.

use serde_json::Value;

use std::process::Output;

use super::{Workbench, stderr, stdout};

/// A short audit of the simplest release.
const SHORT: [&str; 9] = ["audit", "--releases", "40", "--seed", "3", "--model", "mixed", "--epsilon", "1"];

fn audit(bench: &Workbench, more: &[&str]) -> Output {
    bench.run(&[&SHORT, more].concat())
}

#[test]
fn a_table_a_document_and_a_figure() {
    let bench = Workbench::new();
    let arguments = ["--world", "rare-level", "--out", "curve.svg"];
    let done = audit(&bench, &arguments);
    assert!(done.status.success(), "{}", stderr(&done));
    let text = stdout(&done);
    assert!(text.contains("certified: pure differential privacy with epsilon 1: 40 releases"), "{text}");
    assert!(text.contains("rare-level") && text.contains("no leak was found"), "{text}");
    assert!(!text.contains("private data"), "{text}");
    let svg = std::fs::read_to_string(bench.path("curve.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("promised"));

    let done = audit(&bench, &[&arguments[..2], &["--json"]].concat());
    let document: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(document["private"], false);
    let one = &document["audits"][0];
    assert_eq!((&one["world"], &one["releases"]), (&Value::from("rare-level"), &Value::from(40)));
    assert_eq!(one["claim"]["epsilon"], 1.0);
    assert_eq!(one["claim"]["guarantee"]["kind"], "pure");
    assert!(one["epsilon_lower_bound"].as_f64().unwrap() <= 1.0);
    assert_eq!((one["confidence"].as_f64(), one["exceeds"].as_bool()), (Some(0.95), Some(false)));
    assert_eq!(one["curve"].as_array().unwrap().len(), 12);
}

/// Without options all worlds are tried, each with the model that `synth` would choose.
#[test]
fn all_worlds_at_once() {
    let bench = Workbench::new();
    let report = bench.json(&["audit", "--epsilon", "1", "--releases", "40", "--seed", "5", "--json"]);
    let audits = report["audits"].as_array().unwrap();
    let worlds: Vec<&str> = audits.iter().filter_map(|audit| audit["world"].as_str()).collect();
    let (numbers, others) = (
        ["outlier", "duplicates", "spike", "subnormal", "magnitudes"],
        ["rare-level", "one-level", "unused-levels", "missing", "all-missing", "parity"],
    );
    assert_eq!(worlds, [&numbers[..], &others].concat());
    // The confidence is that of all together.
    assert!(
        audits.iter().all(|audit| (audit["confidence"].as_f64().unwrap() - (1.0 - 0.05 / 11.0)).abs() < 1e-9)
    );
    assert!(audits.iter().all(|audit| audit["exceeds"] == false));
    let numbers = bench.json(&[
        "audit",
        "--epsilon",
        "2",
        "--measure-share",
        "0",
        "--releases",
        "40",
        "--seed",
        "5",
        "--json",
    ]);
    assert_eq!(numbers["audits"].as_array().unwrap().len(), 5);
}

#[test]
fn an_audit_that_was_killed_ends_as_one_that_was_not() {
    let bench = Workbench::new();
    let asked = ["--world", "rare-level", "--json", "--work"];
    let whole = audit(&bench, &[&asked[..], &["whole"]].concat());
    assert!(whole.status.success(), "{}", stderr(&whole));
    // Blocks that are there are neither overwritten nor mixed with those of other options.
    let again = audit(&bench, &[&asked[..], &["whole"]].concat());
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--resume"), "{}", stderr(&again));
    // Killed in the middle of a line: the rest is made again, and nothing else differs.
    let name = std::fs::read_dir(bench.path("whole")).unwrap().next().unwrap().unwrap().file_name();
    let text = std::fs::read_to_string(bench.path("whole").join(&name)).unwrap();
    std::fs::create_dir(bench.path("cut")).unwrap();
    std::fs::write(bench.path("cut").join(&name), &text[..text.len() - text.len() / 3]).unwrap();
    let resumed = audit(&bench, &[&asked[..], &["cut", "--resume"]].concat());
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert_eq!(resumed.stdout, whole.stdout);
}

#[test]
fn neighbours_of_a_private_table() {
    let bench = Workbench::new();
    let kind = |row: usize| if row == 5 { "rare" } else { "usual" };
    let rows: String = (0..200).map(|row| format!("{},{}\n", row % 7, kind(row))).collect();
    bench.file("private.csv", format!("x,kind\n{rows}"));
    let schema = "version = 1\n[[column]]\nname = \"x\"\ntype = \"integer\"\nminimum = 0\nmaximum = 6\n\
                  [[column]]\nname = \"kind\"\ntype = \"nominal\"\nlevels = [\"rare\", \"usual\"]\n";
    bench.file("schema.toml", schema);
    let done = audit(&bench, &["private.csv", "--schema", "schema.toml"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let text = stdout(&done);
    assert!(text.starts_with("computed from the private data: do not publish this"), "{text}");
    assert!(text.contains("outlier") && text.contains("duplicates") && text.contains("rare-level"), "{text}");
    assert!(!text.contains("spike") && !text.contains("missing "), "{text}");
}

#[test]
fn enumeration_is_exact() {
    let bench = Workbench::new();
    let done = bench.run(&["audit", "--exact", "--epsilon", "0.5", "--json"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let document: Value = serde_json::from_slice(&done.stdout).unwrap();
    let cases = document["exact"].as_array().unwrap();
    assert_eq!(cases.len(), 30);
    assert!(cases.iter().all(|case| case["certified"] == false || case["verdict"] != "exceeds"));
    assert!(cases.iter().any(|case| case["certified"] == false && case["verdict"] == "exceeds"));
    let text = bench.done(&["audit", "--exact", "--epsilon", "0.5"]);
    assert!(text.contains("holds, and is attained") && text.contains("not certified"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let bench = Workbench::new();
    for (arguments, code, said) in [
        (vec!["audit"], 2, "--epsilon is missing"),
        (vec!["audit", "--exact"], 2, "--epsilon is missing"),
        (vec!["audit", "--epsilon", "1", "--confidence", "2"], 2, "between 0.5 and 1"),
        (vec!["audit", "--epsilon", "1", "--releases", "3"], 2, "--releases"),
        (vec!["audit", "--epsilon", "1", "--model", "normal", "--world", "missing"], 2, "no such world"),
        (vec!["audit", "--epsilon", "1", "--world-rows", "20"], 1, "at least 50"),
        (vec!["audit", "--epsilon", "0.1", "--world-rows", "60", "--model", "normal"], 1, "--world-rows"),
    ] {
        let done = bench.run(&arguments);
        assert_eq!(done.status.code(), Some(code), "{arguments:?}: {}", stderr(&done));
        assert!(stderr(&done).contains(said), "{arguments:?}: {}", stderr(&done));
    }
}

/// The program that users have cannot be broken: the flag is there with a feature that nothing turns on.
#[cfg(not(feature = "broken"))]
#[test]
fn there_is_no_way_to_break_it() {
    let bench = Workbench::new();
    let done = audit(&bench, &["--broken", "half-noise"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("--broken"), "{}", stderr(&done));
    assert!(!bench.done(&["audit", "--help"]).contains("--broken"));
}

/// With the feature a leak is found, said, and an exit code of its own.
#[cfg(feature = "broken")]
#[test]
fn a_broken_program_is_caught() {
    let bench = Workbench::new();
    let done = audit(&bench, &["--world", "rare-level", "--broken", "learned-levels"]);
    assert_eq!(done.status.code(), Some(3), "{}", stderr(&done));
    assert!(stderr(&done).contains("leak more than is certified"), "{}", stderr(&done));
}
