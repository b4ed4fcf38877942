//! `indistinct synth --invalid`: cells that the schema does not allow end the run, or are read as empty ones.

use super::{Workbench, stderr, stdout};

const SCHEMA: &str = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\nminimum = 0\nmaximum = 9\n[[column]]\nname = \"k\"\n\
                      type = \"integer\"\n[[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"low\", \"high\"]\n";

/// A table with other cells in some rows.
fn table(changed: &[(usize, [&str; 3])]) -> String {
    let row = |row: usize| {
        let noise = row * 7919 % 1000;
        let usual = format!("{}.{:02},{},{}", noise % 9, noise % 100, noise % 5, ["low", "high"][noise % 2]);
        changed.iter().find(|(place, _)| *place == row).map_or(usual, |(_, cells)| cells.join(",")) + "\n"
    };
    (0..600).map(row).fold("x,k,level\n".to_owned(), |text, row| text + &row)
}

#[test]
fn invalid_cells_end_the_run_or_are_empty_cells_and_nothing_tells_which() {
    let bench = Workbench::new();
    bench.file("schema.toml", SCHEMA);
    bench.file(
        "bad.csv",
        table(&[(3, ["many", "1", "low"]), (50, ["1.5", "2.5", "high"]), (51, ["1", "2", "middle"])]),
    );
    bench.file("empty.csv", table(&[(3, ["", "1", "low"]), (50, ["1.5", "", "high"]), (51, ["1", "2", ""])]));
    let synth = |file: &str, out: &str, more: &[&str]| {
        let first = ["synth", file, "--schema", "schema.toml", "--epsilon", "6", "--seed", "3", "--out", out];
        bench.run(&[&first[..], more].concat())
    };
    for more in [&[][..], &["--invalid", "refuse"]] {
        let refused = synth("bad.csv", "refused", more);
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains("row 4, column `x`: not a number"), "{}", stderr(&refused));
        assert!(!bench.path("refused").exists());
    }
    let (bad, empty) = (
        synth("bad.csv", "release", &["--invalid", "missing"]),
        synth("empty.csv", "other", &["--invalid", "missing"]),
    );
    assert_eq!(bad.status.code(), Some(0), "{}", stderr(&bad));
    assert_eq!(stderr(&bad), stderr(&empty));
    assert_eq!(stdout(&bad), stdout(&empty).replace("other", "release"));
    for file in ["synthetic.csv", "model.json"] {
        let content = |folder: &str| std::fs::read(bench.path(folder).join(file)).unwrap();
        assert_eq!(content("release"), content("other"), "{file}");
    }
}

#[test]
fn numbers_beyond_limits_are_the_limit_on_every_route() {
    let bench = Workbench::new();
    let numbers = SCHEMA
        .split("[[column]]\nname = \"level\"")
        .next()
        .unwrap()
        .replace("maximum = 9", "maximum = 9\nfamily = \"normal\"");
    bench.file("numbers.toml", numbers);
    bench.file("schema.toml", SCHEMA);
    let column = |text: String| {
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect::<String>()
    };
    let beyond = [(3, ["1e999", "1", "low"]), (9, ["-inf", "2", "high"]), (12, ["1e30", "2", "high"])];
    let limits = [(3, ["9", "1", "low"]), (9, ["0", "2", "high"]), (12, ["9", "2", "high"])];
    bench.file("beyond.csv", table(&beyond));
    bench.file("limits.csv", table(&limits));
    bench.file("beyond-numbers.csv", column(table(&beyond)));
    bench.file("limits-numbers.csv", column(table(&limits)));
    for (kind, schema, more) in [
        ("", "schema.toml", &["--model", "mixed"][..]),
        ("", "schema.toml", &["--invalid", "missing"]),
        ("-numbers", "numbers.toml", &["--model", "normal"]),
        ("-numbers", "numbers.toml", &["--method", "noisy-bayes", "--bounds", "0:50"]),
    ] {
        let synth = |file: &str| {
            let file = format!("{file}{kind}.csv");
            let first =
                ["synth", &file, "--schema", schema, "--epsilon", "6", "--seed", "3", "--force", "--quiet"];
            bench.done(&[&first[..], more].concat());
            std::fs::read(bench.path("release/synthetic.csv")).unwrap()
        };
        assert_eq!(synth("beyond"), synth("limits"), "{more:?}");
    }
}

#[test]
fn the_normal_model_has_no_missing_values() {
    let bench = Workbench::new();
    bench.file("schema.toml", SCHEMA);
    bench.file("table.csv", table(&[]));
    for more in [&["--model", "normal"][..], &["--quality", "pmse"], &["--method", "posterior-predictive"]] {
        let first =
            ["synth", "table.csv", "--schema", "schema.toml", "--epsilon", "6", "--invalid", "missing"];
        assert_eq!(bench.run(&[&first[..], more].concat()).status.code(), Some(2), "{more:?}");
    }
}
