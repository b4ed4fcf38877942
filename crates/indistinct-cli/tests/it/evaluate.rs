//! `indistinct evaluate`.

use super::{Workbench, kept, small, stderr, stdout};

/// Splits a golden table of rpart's into the real and the synthetic half.
fn golden(bench: &Workbench, case: &str) {
    use std::io::Read;
    let path = kept(&format!("crates/indistinct/tests/golden/rpart/{case}.csv.gz"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let header = header.trim_end_matches(",synthetic");
    for (name, label) in [("real.csv", ",0"), ("synthetic.csv", ",1")] {
        let rows: Vec<&str> = rows.lines().filter_map(|row| row.strip_suffix(label)).collect();
        bench.file(name, format!("{header}\n{}\n", rows.join("\n")));
    }
}

#[test]
fn gives_rparts_numbers() {
    let text = std::fs::read_to_string(kept("crates/indistinct/tests/golden/rpart/golden.json")).unwrap();
    let golden_values: serde_json::Value = serde_json::from_str(&text).unwrap();
    for case in ["case03", "case15", "case27", "case37", "case39"] {
        let bench = Workbench::new();
        golden(&bench, case);
        let values = golden_values["cases"].as_array().unwrap();
        let expected = values.iter().find(|value| value["file"] == format!("{case}.csv.gz")).unwrap();
        let option = |name: &str| expected[name].to_string();
        let (depth, cp, minsplit, minbucket) =
            (option("depth"), option("cp"), option("minsplit"), option("minbucket"));
        for (method, leaves, pmse) in
            [("class", "n_leaves", "pmse"), ("anova", "anova_n_leaves", "anova_pmse")]
        {
            let found = bench.json(&[
                "evaluate",
                "real.csv",
                "synthetic.csv",
                "--json",
                "--null",
                "none",
                "--depth",
                &depth,
                "--cp",
                &cp,
                "--minsplit",
                &minsplit,
                "--minbucket",
                &minbucket,
                "--method",
                method,
            ]);
            let table = &found["tables"][0];
            assert_eq!(table["leaves"], expected[leaves], "{case} {method}");
            let difference = table["pmse"].as_f64().unwrap() - expected[pmse].as_f64().unwrap();
            assert!(difference.abs() < 1e-12, "{case} {method}");
            assert_eq!(table["n_real"], expected["n_original"]);
            assert_eq!(table["n_synthetic"], expected["n_synthetic"]);
        }
    }
}

#[test]
fn json_has_the_promised_fields() {
    let bench = Workbench::new();
    bench.file("real.csv", small(200, 0));
    bench.file("a.csv", small(200, 1));
    bench.file("b.csv", small(100, 2));
    for discriminator in ["cart", "optimal", "partition", "logistic"] {
        let arguments =
            ["evaluate", "real.csv", "a.csv", "b.csv", "--json", "--discriminator", discriminator];
        let found = bench.json(&arguments);
        let tables = found["tables"].as_array().unwrap();
        assert_eq!(tables.len(), 2);
        for table in tables {
            for field in ["pmse", "pmae", "s_pmse", "pmse_centred", "n_real", "n_synthetic", "mean_pair_tvd"]
            {
                assert!(table[field].is_number(), "{discriminator}: {field}: {table}");
            }
            assert_eq!(table["leaves"].is_number(), discriminator != "logistic");
            let reference = if discriminator == "logistic" { "fitted-model" } else { "sample" };
            assert_eq!(table["null"]["reference"], reference, "{discriminator}");
            assert_eq!(table["columns"].as_array().unwrap().len(), 3);
            assert!(table["columns"][0]["name"] == "x" && table["columns"][0]["pmse"].is_number());
            assert_eq!(table["pairs"].as_array().unwrap().len(), 3);
            let pair = &table["pairs"][0];
            assert!(
                pair["a"] == "x" && pair["b"] == "k" && pair["pmse"].is_number() && pair["tvd"].is_number()
            );
            assert!(table["independent_control"]["pmse"].is_number());
        }
        assert_eq!(tables[0]["file"], "a.csv");
        for field in ["pmse", "pmae", "s_pmse"] {
            assert!(found["mean"][field].is_number());
        }
    }
}

#[test]
fn text_is_for_people_and_the_same_twice() {
    let bench = Workbench::new();
    let arguments = [
        "evaluate",
        &kept("examples/patients.csv"),
        &kept("examples/patients-synthetic.csv"),
        "--threads",
        "1",
    ];
    let text = bench.done(&arguments);
    for part in ["1000 real rows", "pMSE (cart)", "S_pMSE", "shuffled control", "systolic", "do not publish"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text, bench.done(&arguments[..3]), "the number of threads does not matter");
    let reseeded = bench.done(&["evaluate", arguments[1], arguments[2], "--seed", "7"]);
    assert_ne!(text, reseeded, "the seed does");
}

/// S_pMSE is relative to what `null.reference` says, and the text says it in words; what would be wrong is refused.
#[test]
fn s_pmse_says_what_it_is_relative_to() {
    let bench = Workbench::new();
    bench.file("real.csv", small(200, 0));
    bench.file("fake.csv", small(100, 2));
    let files = ["evaluate", "real.csv", "fake.csv", "--discriminator"];
    let s_pmse = |judge: &str, more: &[&str]| {
        let found = bench.json(&[&files[..], &[judge, "--json"], more].concat());
        found["tables"][0]["s_pmse"].as_f64().unwrap()
    };
    let close = |left: f64, right: f64| assert!((left / right - 1.0).abs() < 1e-12, "{left} {right}");
    close(s_pmse("partition", &["--null-reference", "synthpop"]), 2.0 * s_pmse("partition", &[]));
    close(s_pmse("partition", &["--null-reference", "sample"]), s_pmse("partition", &[]));
    // c = 1/3, in closed form; synthpop's is the same there.
    close(s_pmse("logistic", &["--null-reference", "sample"]), s_pmse("logistic", &[]) * 2.0 / 3.0);
    close(s_pmse("logistic", &["--null-reference", "synthpop"]), s_pmse("logistic", &[]));
    for (judge, more, words) in [
        ("partition", &[][..], "as hard to tell from the real one as another sample of the same population"),
        ("logistic", &[], "drawn from a correct model that was fitted to the real one"),
        ("partition", &["--null-reference", "synthpop"], "synthpop's yardstick"),
    ] {
        let text = bench.done(&[&files[..], &[judge], more].concat());
        assert!(text.contains(words), "{judge}: {text}");
    }
    for (judge, more, what) in [
        ("cart", &["--null", "bootstrap"][..], "copies of a row"),
        ("cart", &["--null", "bootstrap", "--method", "anova"], "copies of a row"),
        ("partition", &["--null", "analytic"], "logistic regression only"),
        ("cart", &["--null-reference", "fitted-model"], "logistic regression only"),
        (
            "cart",
            &["--null", "none", "--null-reference", "sample"],
            "nothing that S_pMSE could be relative to",
        ),
    ] {
        let output = bench.run(&[&files[..], &[judge], more].concat());
        let text = super::stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{judge} {more:?}: {text}");
        assert!(text.contains(what) && text.contains("--null"), "{judge} {more:?}: {text}");
    }
}

#[test]
fn every_format_gives_the_same_answer() {
    let bench = Workbench::new();
    bench.file("real.csv", small(120, 0));
    bench.file("synthetic.csv", small(120, 1));
    let by_csv = bench.json(&["evaluate", "real.csv", "synthetic.csv", "--json"]);
    let tabs = small(120, 0).replace(',', "\t");
    bench.file("real.tsv", &tabs);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, small(120, 0).as_bytes()).unwrap();
    bench.file("real.csv.gz", packed.finish().unwrap());
    for name in ["real.tsv", "real.csv.gz"] {
        assert_eq!(bench.json(&["evaluate", name, "synthetic.csv", "--json"]), by_csv, "{name}");
    }
    let output = bench.run_with(&["evaluate", "-", "synthetic.csv", "--json"], &small(120, 0));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&stdout(&output)).unwrap(), by_csv);
}

#[test]
fn a_column_is_numeric_only_if_it_is_in_both_tables() {
    let bench = Workbench::new();
    let table = |level: &str| format!("x\n{}", format!("1\n2\n{level}\n").repeat(40));
    bench.file("real.csv", table("3"));
    bench.file("same.csv", table("3"));
    bench.file("other.csv", table("three"));
    let pmse = |name: &str| {
        bench.json(&["evaluate", "real.csv", name, "--json", "--null", "none", "--method", "anova"])["tables"]
            [0]["pmse"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(pmse("same.csv"), 0.0);
    // A third of the rows are told for certain, and no others: levels are compared by spelling.
    assert!((pmse("other.csv") - 0.25 / 3.0).abs() < 1e-12);
}

#[test]
fn constant_and_missing_columns_are_fine() {
    let bench = Workbench::new();
    let rows: String = (0..60).map(|row| format!("{},7,NA\n", row % 9)).collect();
    bench.file("t.csv", format!("x,constant,missing\n{rows}"));
    let found = bench.json(&["evaluate", "t.csv", "t.csv", "--json"]);
    assert_eq!(found["tables"][0]["pmse"], 0.0);
    assert_eq!(found["tables"][0]["leaves"], 1);
}

#[test]
fn a_schema_decides_what_columns_mean() {
    let bench = Workbench::new();
    // -8 stands for missing in the synthetic table only; by schema both are the same.
    let table = |missing: &str| format!("x\n{}", format!("1\n2\n3\n{missing}\n").repeat(30));
    bench.file("real.csv", table("NA"));
    bench.file("synthetic.csv", table("-8"));
    bench.file(
        "schema.toml",
        "version = 1\n[[column]]\nname = \"x\"\ntype = \"integer\"\nmissing = [\"-8\"]\n",
    );
    let pmse = |more: &[&str]| {
        let arguments = [
            &["evaluate", "real.csv", "synthetic.csv", "--json", "--null", "none", "--method", "anova"],
            more,
        ]
        .concat();
        bench.json(&arguments)["tables"][0]["pmse"].as_f64().unwrap()
    };
    assert!(pmse(&[]) > 0.05);
    assert_eq!(pmse(&["--schema", "schema.toml"]), 0.0);
}

#[test]
fn standard_error_is_silent_without_a_terminal() {
    let bench = Workbench::new();
    bench.file("t.csv", small(100, 0));
    let output = bench.run(&["evaluate", "t.csv", "t.csv", "--json"]);
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_page_is_named_private_and_says_so() {
    let bench = Workbench::new();
    bench.file("real.csv", small(200, 0));
    bench.file("fake.csv", small(200, 1));
    let evaluate = |more: &[&str]| bench.run(&[&["evaluate", "real.csv", "fake.csv"], more].concat());
    let plain = evaluate(&["--json"]);
    let output = evaluate(&["--json", "--html", "look.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), stdout(&plain), "the JSON does not change");
    assert!(stderr(&output).contains("look.private.html"), "{}", stderr(&output));
    assert_eq!(bench.names(), ["fake.csv", "look.private.html", "real.csv"]);
    let page = std::fs::read_to_string(bench.path("look.private.html")).unwrap();
    for part in ["Computed from the private data: do not publish", "fake.csv", "S_pMSE", "Shuffled control"] {
        assert!(page.contains(part), "{part}");
    }
    let refused = evaluate(&["--html", "look.html"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("look.private.html exists") && stderr(&refused).contains("--force"));
    assert_eq!(evaluate(&["--html", "look.html", "--force", "--quiet"]).status.code(), Some(0));
    let named = evaluate(&["--html", "my-private-look.html"]);
    assert_eq!((named.status.code(), stderr(&named).as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(bench.path("my-private-look.html")).unwrap(), page, "the same bytes");
    assert_eq!(evaluate(&["--html", "no/such/look.html"]).status.code(), Some(1));
    assert_eq!(evaluate(&["--force"]).status.code(), Some(2));
}
