//! `indistinct ledger`, and ledgers that something was done to.

use std::fs::File;
use std::path::Path;

use indistinct::privacy::{Guarantee, Neighbours, Rho};
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::{LedgerCharge, LedgerFile, SchemaFingerprint};
use serde_json::json;

use super::{Workbench, failure, stderr, stdout};

const FILE: &str = "patients.ledger";

/// A ledger of epsilon 3 with two charges.
fn charged() -> Workbench {
    let bench = Workbench::new();
    bench.done(&["ledger", "init", FILE, "--epsilon", "3", "--id", "patients"]);
    charge(&bench.path(FILE), "0.5", "synth, to\nrelease-1");
    charge(&bench.path(FILE), "0.25", "synth, to release-2");
    bench
}

fn charge(ledger: &Path, epsilon: &str, what: &str) {
    charge_with(ledger, epsilon, "0", Neighbours::Substitute, what).unwrap();
}

/// Charges (epsilon, delta); pure if delta is zero.
fn charge_with(
    ledger: &Path,
    epsilon: &str,
    delta: &str,
    neighbours: Neighbours,
    what: &str,
) -> Result<(), String> {
    let schema = Schema::new(Vec::new(), vec![ColumnSchema::new("age", ColumnType::Integer)]).unwrap();
    let (epsilon, delta) = (epsilon.parse().unwrap(), delta.parse().unwrap());
    let rho = Rho::largest(epsilon, delta);
    let guarantee =
        if rho.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } };
    let charge = LedgerCharge {
        guarantee: &guarantee,
        rho: (!rho.is_zero()).then_some(rho),
        neighbours,
        accept_conditional: false,
        what,
        schema: &SchemaFingerprint::of(&schema),
        id: None,
    };
    LedgerFile::charge(ledger, &charge).map(|_| ()).map_err(|error| error.to_string())
}

/// Both commands that read a ledger say the same about it, and leave it as it is.
fn damaged(content: &[u8], expected: &str) {
    let bench = Workbench::new();
    bench.file(FILE, content);
    for command in ["show", "verify"] {
        let text = failure(&bench, &["ledger", command, FILE]);
        assert!(text.contains(expected) && text.contains(FILE), "{expected:?} is not in: {text}");
    }
    let output = bench.run(&["ledger", "verify", FILE, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["valid"], false);
    assert!(found["problem"].as_str().unwrap().contains(expected), "{found}");
    assert_eq!(std::fs::read(bench.path(FILE)).unwrap(), content);
}

#[test]
fn a_new_ledger_is_one_file() {
    let bench = Workbench::new();
    bench.done(&["ledger", "init", FILE, "--epsilon", "3", "--delta", "1e-6", "--id", "patients"]);
    assert_eq!(bench.names(), [FILE]);
}

#[test]
fn show_lists_charges_and_what_is_left() {
    let bench = charged();
    let text = bench.done(&["ledger", "show", FILE]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["entry", "time", "what", "schema", "epsilon", "delta", "rho", "neighbours"]);
    let row = |entry: &str| rows.iter().find(|row| row.first() == Some(&entry)).unwrap().clone();
    assert_eq!(row("2")[2..5], ["synth,", "to", "release-1"]);
    assert_eq!(row("2")[6..], ["0.5", "0", "substitute"]);
    assert_eq!(row("3")[6..], ["0.25", "0", "substitute"]);
    for part in [
        "together: 0.75-differential privacy\n",
        "epsilon 0.75 of 3 is spent\n",
        "left: epsilon 2.25\n",
        "9 more releases like the last one fit\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }

    let found = bench.json(&["ledger", "show", FILE, "--json"]);
    assert_eq!(found["id"], "patients");
    assert_eq!(found["epsilon"], 3.0);
    assert_eq!(found["delta"], 0.0);
    assert_eq!(found["spent"], 0.75);
    assert_eq!(found["remaining"], 2.25);
    assert_eq!(found["entries"], 3);
    assert_eq!(found["charges"][0]["what"], "synth, to\nrelease-1");
    assert_eq!(found["charges"][1]["spent"], 0.75);
    assert_eq!(found["together"], json!({"epsilon": 0.75, "delta": 0.0, "rho": 0.15625}));
    assert_eq!((&found["neighbours"], &found["more_like_last"]), (&json!("substitute"), &json!(9)));
    assert!(found["charges"][0]["schema"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn a_ledger_in_order_verifies_and_knows_its_heads() {
    let bench = Workbench::new();
    let first = bench.json(&["ledger", "init", FILE, "--epsilon", "3", "--json"]);
    charge(&bench.path(FILE), "0.5", "synth");
    let found = bench.json(&["ledger", "verify", FILE, "--json"]);
    assert_eq!(found["valid"], true);
    assert_eq!(found["spent"], 0.5);
    assert_ne!(found["head"], first["head"]);
    for head in [&first["head"], &found["head"]] {
        let text = bench.done(&["ledger", "verify", FILE, "--head", head.as_str().unwrap()]);
        assert!(text.contains("2 entries") && text.contains("noted head"), "{text}");
    }
    // Written anew with a larger budget: the chain holds, and the noted head is not in it.
    std::fs::remove_file(bench.path(FILE)).unwrap();
    bench.done(&["ledger", "init", FILE, "--epsilon", "9"]);
    bench.done(&["ledger", "verify", FILE]);
    let text = failure(&bench, &["ledger", "verify", FILE, "--head", first["head"].as_str().unwrap()]);
    assert!(text.contains("rewritten"), "{text}");
    assert_eq!(bench.done(&["ledger", "verify", FILE, "--quiet"]), "");
}

#[test]
fn three_releases_with_a_delta_are_less_than_their_sum() {
    let bench = Workbench::new();
    bench.done(&["ledger", "init", FILE, "--epsilon", "1.1", "--delta", "3e-6", "--id", "patients"]);
    for release in 1..=3 {
        let what = format!("release {release}");
        charge_with(&bench.path(FILE), "0.6", "1e-6", Neighbours::Substitute, &what).unwrap();
    }
    let text = bench.done(&["ledger", "show", FILE]);
    for part in [
        "together: (1.022, 0.000003)-differential privacy, rho 0.02",
        "epsilon 1.022 of 1.1 is spent at delta 0.000003",
        "no release like the last one fits",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
    let found = bench.json(&["ledger", "verify", FILE, "--json"]);
    let spent = found["spent"].as_f64().unwrap();
    assert!((spent - 1.021_430_4).abs() < 1e-6 && found["valid"] == true, "{found}");
    assert_eq!((&found["together"]["epsilon"], &found["together"]["delta"]), (&json!(spent), &json!(3e-6)));
    // What is said to be left is left, and no more.
    let left = &found["remaining_with_delta"];
    assert_eq!(left["delta"], 3e-6);
    let more = format!("{:.6}", left["epsilon"].as_f64().unwrap() + 1e-5);
    let refused = charge_with(&bench.path(FILE), &more, "3e-6", Neighbours::Substitute, "");
    assert!(refused.unwrap_err().contains("left, and this would cost"));
    let fits = left["epsilon"].to_string();
    charge_with(&bench.path(FILE), &fits, "3e-6", Neighbours::Substitute, "").unwrap();
}

#[test]
fn a_plan_fits_and_leaves_next_to_nothing() {
    let bench = Workbench::new();
    for (total, delta, releases, typed) in [
        ("3", "0", "4", &[][..]),
        ("1.03", "3e-6", "3", &[]),
        ("4", "1e-5", "12", &["--delta", "1e-7"]),
        ("2", "1e-6", "5", &["--delta", "0"]),
        ("1", "1e-6", "1", &[]),
    ] {
        bench.done(&["ledger", "init", FILE, "--epsilon", total, "--delta", delta]);
        charge_with(&bench.path(FILE), "0.1", delta, Neighbours::Substitute, "").unwrap();
        let asked = [&["ledger", "plan", FILE, "--releases", releases], typed].concat();
        let plan = bench.json(&[&asked[..], &["--json"]].concat());
        let options: Vec<String> = plan["options"].as_str().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!(options[0], "--epsilon");
        let each = options.get(3).map_or("0", String::as_str);
        assert!(bench.done(&asked).contains(plan["options"].as_str().unwrap()));
        for _ in 0..releases.parse::<usize>().unwrap() {
            charge_with(&bench.path(FILE), &options[1], each, Neighbours::Substitute, "").unwrap();
        }
        let shown = bench.json(&["ledger", "show", FILE, "--json"]);
        assert_eq!(shown["spent"], plan["spent"], "{total}, {delta}");
        let total: f64 = total.parse().unwrap();
        assert!(shown["spent"].as_f64().unwrap() > 0.998 * total, "{shown}");
        assert!(shown["spent"].as_f64().unwrap() <= total, "{shown}");
        std::fs::remove_file(bench.path(FILE)).unwrap();
    }
    bench.done(&["ledger", "init", FILE, "--epsilon", "1"]);
    for (asked, code, part) in [
        (&["--releases", "0"][..], 2, "--releases"),
        (&["--releases", "1000000"], 2, "--releases"),
        (&["--releases", "2", "--delta", "2"], 2, "--delta"),
        (&["--releases", "2", "--delta", "1e-6"], 3, "no delta left"),
        (&[], 2, "--releases"),
    ] {
        let output = bench.run(&[&["ledger", "plan", FILE], asked].concat());
        assert_eq!(output.status.code(), Some(code), "{asked:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty() && stderr(&output).contains(part), "{}", stderr(&output));
    }
    charge(&bench.path(FILE), "1", "all");
    let output = bench.run(&["ledger", "plan", FILE, "--releases", "1"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("nothing is left for 1 more release\n"), "{}", stderr(&output));
}

#[test]
fn a_ledger_has_one_relation() {
    let bench = Workbench::new();
    bench.done(&["ledger", "init", FILE, "--epsilon", "1", "--delta", "1e-6"]);
    charge_with(&bench.path(FILE), "0.2", "0", Neighbours::AddRemove, "rows added").unwrap();
    let found = bench.json(&["ledger", "show", FILE, "--json"]);
    assert_eq!((&found["spent"], &found["charges"][0]["neighbours"]), (&json!(0.4), &json!("add-remove")));
    assert!(bench.done(&["ledger", "show", FILE]).contains("add-remove"));

    let other = "other.ledger";
    let text = bench.done(&["ledger", "init", other, "--epsilon", "5", "--neighbours", "add-remove"]);
    assert!(text.contains("for rows that are added or removed"), "{text}");
    assert!(charge_with(&bench.path(other), "0.2", "0", Neighbours::AddRemove, "").is_ok());
    let plan = bench.json(&["ledger", "plan", other, "--releases", "2", "--json"]);
    assert_eq!(plan["options"], "--epsilon 2.4 --neighbours add-remove");
    // A release of today is for substituted rows.
    bench.file("private.csv", super::synth::private(500));
    bench.file("schema.toml", super::synth::SCHEMA);
    let names = bench.names();
    let synth = ["synth", "private.csv", "--schema", "schema.toml", "--epsilon", "2", "--ledger", other];
    for dry in [&[][..], &["--dry-run"]] {
        let output = bench.run(&[&synth[..], dry].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains("no bound follows"), "{}", stderr(&output));
    }
    assert_eq!(bench.names(), names);
}

#[test]
fn tampering_is_seen() {
    let bench = charged();
    let text = std::fs::read_to_string(bench.path(FILE)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| (lines.join("\n") + "\n").into_bytes();
    damaged(text.replacen("\"epsilon\":0.5", "\"epsilon\":0.1", 1).as_bytes(), "entry 2 does not match");
    damaged(text.replacen("\"epsilon\":3.0", "\"epsilon\":9.0", 1).as_bytes(), "entry 1 does not match");
    damaged(&joined(&[lines[0], lines[1], lines[2], lines[4]]), "entry 2 does not match");
    // Cut at the end of a line, and in the middle of one that was counted.
    damaged(&joined(&lines[..4]), "it counts 3 entries and holds 2");
    damaged(&text.as_bytes()[..text.len() - 20], "it counts 3 entries and holds 2");
    let header = lines[1].replacen("000003", "000002", 1);
    damaged(&joined(&[lines[0], &header, lines[2], lines[3]]), "second line does not match");
}

#[test]
fn a_line_that_a_killed_run_tore_is_no_damage() {
    let bench = charged();
    let text = std::fs::read_to_string(bench.path(FILE)).unwrap();
    bench.file(FILE, format!("{text}{{\"time\":\"2026-11-15T12:00:00Z\",\"eps"));
    assert_eq!(bench.json(&["ledger", "verify", FILE, "--json"])["spent"], 0.75);
    charge(&bench.path(FILE), "1", "synth");
    let found = bench.json(&["ledger", "verify", FILE, "--json"]);
    assert_eq!((&found["spent"], &found["entries"]), (&json!(1.75), &json!(4)));
}

#[test]
fn what_is_no_ledger_is_said_so() {
    damaged(b"", "not a privacy ledger");
    damaged(b"age,sex\n31,F\n", "not a privacy ledger");
    damaged(b"PAR1\xff\xfe\xfd\n", "not a privacy ledger");
    let bench = Workbench::new();
    assert!(failure(&bench, &["ledger", "show", "no.ledger"]).contains("no such ledger"));
    assert!(failure(&bench, &["ledger", "show", "."]).contains("folder"));
}

#[test]
fn an_existing_file_is_kept() {
    let bench = Workbench::new();
    bench.file(FILE, "precious");
    assert!(failure(&bench, &["ledger", "init", FILE, "--epsilon", "3"]).contains("exists"));
    assert_eq!(std::fs::read_to_string(bench.path(FILE)).unwrap(), "precious");
}

#[test]
fn folders_that_take_no_file() {
    let bench = Workbench::new();
    assert!(
        failure(&bench, &["ledger", "init", "no/x.ledger", "--epsilon", "3"]).contains("cannot be written")
    );
    #[cfg(target_os = "linux")]
    assert!(
        failure(&bench, &["ledger", "init", "/proc/x.ledger", "--epsilon", "3"])
            .contains("cannot be written")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = bench.path("closed");
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
        // Nothing is closed to the superuser.
        if File::create(folder.join("probe")).is_err() {
            let text = failure(&bench, &["ledger", "init", "closed/x.ledger", "--epsilon", "3"]);
            assert!(text.contains("cannot be written"), "{text}");
        }
    }
}

#[test]
fn a_locked_ledger_is_said_to_be_locked() {
    let bench = charged();
    let file = File::open(bench.path(FILE)).unwrap();
    file.lock().unwrap();
    assert!(failure(&bench, &["ledger", "show", FILE]).contains("locked by another run"));
    file.unlock().unwrap();
    // Readers do not lock each other out.
    file.lock_shared().unwrap();
    bench.done(&["ledger", "show", FILE]);
}

#[test]
fn budgets_that_are_none_are_wrong_usage() {
    let bench = Workbench::new();
    for arguments in [
        &["--epsilon", "0"][..],
        &["--epsilon", "-1"],
        &["--epsilon", "NaN"],
        &["--epsilon", "inf"],
        &["--epsilon", "1e9"],
        &["--epsilon", "much"],
        &["--epsilon", "1", "--delta", "1"],
        &["--epsilon", "1", "--delta", "-0.1"],
        &["--epsilon", "1", "--id", " "],
        &["--epsilon", "1", "--neighbours", "few"],
        &[],
    ] {
        let output = bench.run(&[&["ledger", "init", FILE], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty() && stderr(&output).starts_with("error: "));
        assert!(bench.names().is_empty());
    }
    let output = bench.run(&["ledger", "init", FILE, "--epsilon", "10.5"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).starts_with("warning: "), "{}", stderr(&output));
}
