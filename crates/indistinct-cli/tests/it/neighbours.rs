//! `indistinct synth --neighbours add-remove`: tables of which one has a row more, whose number of rows is private.

use super::synth::certificate;
use super::{Workbench, stderr, stdout};

const SCHEMA: &str = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\nminimum = 0\nmaximum = 40\n\
    [[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"low\", \"high\"]\n";

fn table(rows: usize) -> String {
    let row = |row: usize| {
        let noise = (row * 7919) % 1000;
        format!("{:.2},{}\n", noise as f64 / 30.0, ["low", "high"][usize::from(noise > 400)])
    };
    format!("x,level\n{}", (0..rows).map(row).collect::<String>())
}

fn bench(rows: usize) -> Workbench {
    let bench = Workbench::new();
    bench.file("private.csv", table(rows));
    bench.file("schema.toml", SCHEMA);
    bench
}

/// `synth` with an epsilon and more options.
fn synth<'a>(epsilon: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let first =
        ["synth", "private.csv", "--schema", "schema.toml", "--neighbours", "add-remove", "--epsilon"];
    [&first[..], &[epsilon], more].concat()
}

#[test]
fn the_number_of_rows_is_noisy_wherever_it_is_told() {
    let bench = bench(3000);
    let output = bench.run(&synth("2", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = certificate(&bench, "release");
    assert_eq!(found["neighbours"], "add or remove one row");
    assert_eq!(found["guarantee"]["kind"], "pure");
    assert_eq!(found["spent"][0]["step"], "number of rows");
    for step in found["spent"].as_array().unwrap() {
        let proof = step["proof"].as_str().unwrap();
        if proof == "counts_sensitivity" {
            assert_eq!(step["sensitivity"], "1 (counts of rows, summed)");
        }
    }
    let rows = found["rows"].as_u64().unwrap();
    // Noise of standard deviation 35.
    assert!((2500..3500).contains(&rows), "{rows}");
    let synthetic = std::fs::read_to_string(bench.path("release/synthetic.csv")).unwrap();
    assert_eq!(synthetic.lines().count() as u64, rows + 1);
    let model: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(bench.path("release/model.json")).unwrap()).unwrap();
    assert_eq!(model["rows"], rows);
    assert!(stdout(&output).contains("tables of which one has a row more"), "{}", stdout(&output));
    let outside = found["outside_the_guarantee"].as_array().unwrap();
    assert!(outside.is_empty(), "{outside:?}");
    let verified = bench.done(&["verify", "release", "--require", "pure"]);
    assert!(verified.contains("if one person's row had not been there"), "{verified}");
    assert!(verified.contains(&format!("from about {rows} rows")), "{verified}");
    let page = std::fs::read_to_string(bench.path("release/report.html")).unwrap();
    assert!(page.contains("tables of which one has a row more"));
}

#[test]
fn a_claim_about_other_neighbours_is_found() {
    let bench = bench(3000);
    bench.done(&synth("2", &[]));
    let path = bench.path("release/certificate.json");
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in [
        // The noise of a row more is too little for a substituted one.
        ("add or remove one row", "substitute one row"),
        ("1 (counts of rows, summed)", "2 (counts of rows, summed)"),
        ("\"number of rows\"", "\"number of something\""),
    ] {
        assert!(text.contains(from));
        std::fs::write(&path, text.replace(from, to)).unwrap();
        assert_ne!(bench.run(&["verify", "release"]).status.code(), Some(0), "{to}");
    }
}

#[test]
fn a_dry_run_does_not_count() {
    let (few, many) = (bench(500), bench(3000));
    let dry = |bench: &Workbench, more: &[&str]| bench.done(&synth("2", &[&["--dry-run"], more].concat()));
    assert_eq!(dry(&few, &[]), dry(&many, &[]), "it would tell how many rows there are");
    assert!(dry(&few, &[]).contains("--rows N"));
    assert_eq!(dry(&few, &["--rows", "2000"]), dry(&many, &["--rows", "2000"]));
    assert!(dry(&few, &["--rows", "2000"]).contains("margin of x"));
}

#[test]
fn too_few_rows_are_told_by_the_noisy_count_and_after_the_charge() {
    let bench = bench(6);
    bench.done(&["ledger", "init", "ledger", "--epsilon", "200", "--neighbours", "add-remove"]);
    // Hardly any noise: six rows are counted as about six.
    let output = bench.run(&synth("100", &["--ledger", "ledger"]));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let shown = bench.json(&["ledger", "show", "ledger", "--json"]);
    assert_eq!(
        shown["charges"].as_array().map_or(0, Vec::len),
        1,
        "whether it failed may depend on rows: {shown}"
    );
}

#[test]
fn what_has_no_such_guarantee_is_refused_with_what_to_change() {
    let bench = bench(300);
    for (options, advice) in [
        (&["--model", "normal"][..], "leave out --model normal"),
        (&["--quality", "pmse"], "leave out --quality"),
        (&["--method", "noisy-bayes", "--bounds", "-40:40"], "--neighbours add-remove"),
    ] {
        let output = bench.run(&synth("2", options));
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(advice), "{}", stderr(&output));
        assert!(!bench.path("release").exists());
    }
}

#[test]
fn plain_numbers_take_the_model_of_any_columns() {
    let bench = Workbench::new();
    let rows: String = (0..2000).map(|row| format!("{}\n", (row * 7919) % 1000)).collect();
    bench.file("private.csv", format!("x\n{rows}"));
    bench.file("schema.toml", "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n");
    bench.done(&synth("2", &[]));
    assert_eq!(certificate(&bench, "release")["model"], "mixed");
}
