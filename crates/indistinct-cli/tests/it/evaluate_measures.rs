//! `indistinct evaluate`: distances of one, two and three columns, `--predict` and `--sample`.

use super::{Workbench, kept, small, stderr};

/// Files of the invented patients, and a schema that says what their columns are.
fn patients() -> [String; 3] {
    ["patients.csv", "patients-synthetic.csv", "patients.toml"].map(|name| kept(&format!("examples/{name}")))
}

/// By hand: three columns of two levels, where the third is the exclusive or of the others in one table, and not in the other.
#[test]
fn distances_are_those_of_the_definition() {
    let bench = Workbench::new();
    let table = |third: fn(u32) -> u32| {
        let rows = (0..80u32).map(|row| format!("{},{},{}\n", row & 1, row >> 1 & 1, third(row)));
        format!("a,b,c\n{}", rows.collect::<String>())
    };
    bench.file("real.csv", table(|row| (row ^ row >> 1) & 1));
    bench.file("fake.csv", table(|row| row >> 2 & 1));
    let found = bench.json(&["evaluate", "real.csv", "fake.csv", "--null", "none", "--json"]);
    let table = &found["tables"][0];
    let mut distances = table["distances"].clone();
    let chance = distances["chance"].take();
    let expected = serde_json::json!({
        "one_way": 0.0, "two_way": 0.0, "three_way": 0.5, "triples": {"of": 1, "measured": 1}, "chance": null
    });
    assert_eq!(distances, expected);
    // Two cells of 80 rows, dealt to tables of 80 rows: E|a - 40| / 40, a being hypergeometric, is 0.063.
    assert!((chance["one_way"].as_f64().unwrap() - 0.063).abs() < 0.001, "{chance}");
    assert!(chance["two_way"].as_f64() > chance["one_way"].as_f64());
    assert_eq!(table["mean_pair_tvd"], 0.0);
    assert_eq!(table["predict"], serde_json::Value::Null);
    let text = bench.done(&["evaluate", "real.csv", "fake.csv", "--null", "none"]);
    for part in ["mean one-way distance", "mean two-way distance", "mean three-way distance"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("triples"), "all of them are measured: {text}");
}

/// The two-way distance is the mean of what the pairs have, and narrow tables have none of more columns.
#[test]
fn distances_agree_with_columns_and_pairs() {
    let bench = Workbench::new();
    let [real, fake, schema] = patients();
    let found = bench.json(&["evaluate", &real, &fake, "--schema", &schema, "--null", "none", "--json"]);
    let table = &found["tables"][0];
    let mean = |list: &str| {
        let values = table[list].as_array().unwrap();
        values.iter().map(|value| value["tvd"].as_f64().unwrap()).sum::<f64>() / values.len() as f64
    };
    let close = |found: &serde_json::Value, expected: f64| {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-12, "{found} {expected}");
    };
    close(&table["distances"]["one_way"], mean("columns"));
    close(&table["distances"]["two_way"], mean("pairs"));
    assert_eq!(table["distances"]["triples"]["of"], 120);
    let control = &table["independent_control"]["distances"];
    assert_eq!(control["one_way"], 0.0);
    assert!(control["three_way"].as_f64() > control["two_way"].as_f64());
    bench.file("one.csv", "x\n1\n2\n3\n");
    let found = bench.json(&["evaluate", "one.csv", "one.csv", "--null", "none", "--json"]);
    let distances = &found["tables"][0]["distances"];
    assert!(
        distances["one_way"] == 0.0 && distances["two_way"].is_null() && distances["three_way"].is_null()
    );
}

#[test]
fn many_triples_are_sampled_and_said_to_be() {
    let bench = Workbench::new();
    let row = |cell: &dyn Fn(usize) -> String| (0..40).map(cell).collect::<Vec<_>>().join(",") + "\n";
    let mut text = row(&|column| format!("c{column}"));
    for line in 0..30 {
        text += &row(&|column| (line * (column + 3) % 4).to_string());
    }
    bench.file("t.csv", text);
    let arguments = ["evaluate", "t.csv", "t.csv", "--null", "none"];
    let found = bench.json(&[&arguments[..], &["--json"]].concat());
    let expected = serde_json::json!({"of": 9880, "measured": 4500});
    assert_eq!(found["tables"][0]["distances"]["triples"], expected);
    let said = bench.done(&[&arguments[..], &["--html", "look.private.html"]].concat());
    assert!(said.contains("a fixed random choice of 4500 of 9880 triples of columns"), "{said}");
    let page = std::fs::read_to_string(bench.path("look.private.html")).unwrap();
    assert!(
        page.contains("Mean three-way distance") && page.contains("random choice of"),
        "the page says so"
    );
}

#[test]
fn a_column_is_predicted_by_what_it_is() {
    let bench = Workbench::new();
    let [real, fake, schema] = patients();
    let predicted = |column: &str, more: &[&str]| {
        let arguments = [
            &["evaluate", &real, &fake, "--schema", &schema, "--null", "none", "--json", "--predict", column],
            more,
        ];
        bench.json(&arguments.concat())["tables"][0]["predict"].clone()
    };
    for (column, metric) in [
        ("region", "accuracy"),
        ("education", "accuracy"),
        ("smoker", "accuracy"),
        ("systolic", "R2"),
        ("admitted", "R2"),
    ] {
        let found = predicted(column, &["--threads", "1"]);
        assert_eq!((&found["column"], &found["metric"]), (&column.into(), &metric.into()));
        assert!(found["real"].is_number() && found["synthetic"].is_number(), "{found}");
        assert_eq!(found, predicted(column, &["--threads", "3"]), "threads do not matter");
    }
    // Blood pressure rises with age in the real table.
    let found = predicted("systolic", &[]);
    assert!(found["real"].as_f64().unwrap() > 0.1, "{found}");
    assert_ne!(found, predicted("systolic", &["--seed", "2"]), "the seed does");
}

/// Codes of several classes, without a schema.
#[test]
fn a_table_teaches_itself() {
    let bench = Workbench::new();
    let rows = |shift: usize| (0..300).map(move |row| ((row * 37 + shift) % 100, (row * 61 + shift) % 100));
    let table = |shift: usize| {
        let lines = rows(shift).map(|(x, y)| format!("{x},{y},{}\n", x / 34 * 3 + y / 34 + 1));
        format!("x,y,square\n{}", lines.collect::<String>())
    };
    bench.file("real.csv", table(0));
    bench.file("same.csv", table(1));
    let arguments = ["evaluate", "real.csv", "same.csv", "--null", "none", "--predict", "square"];
    let found = bench.json(&[&arguments[..], &["--json"]].concat());
    let found = &found["tables"][0]["predict"];
    assert_eq!((&found["metric"], &found["test_rows"]), (&"accuracy".into(), &100.into()));
    assert!(found["real"].as_f64().unwrap() > 0.9 && found["synthetic"].as_f64().unwrap() > 0.9, "{found}");
    let text = bench.done(&[&arguments[..], &["--html", "look.private.html"]].concat());
    assert!(text.contains("predicting square, accuracy on 100 real test rows: "), "{text}");
    assert!(text.contains("trained on real rows, ") && text.contains("trained on synthetic rows"), "{text}");
    let page = std::fs::read_to_string(bench.path("look.private.html")).unwrap();
    assert!(page.contains("column square") && page.contains("trained on synthetic rows"), "the page says so");
}

#[test]
fn what_cannot_be_predicted_is_said() {
    let bench = Workbench::new();
    let rows: String =
        (0..60).map(|row| format!("{row},7,NA,{}\n", if row < 25 { "1.5" } else { "" })).collect();
    bench.file("t.csv", format!("x,constant,missing,rare\n{rows}"));
    bench.file("one.csv", "x\n1\n2\n3\n");
    let refused = |table: &str, column: &str, words: &str, advice: &str| {
        let output = bench.run(&["evaluate", table, table, "--predict", column]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains(words) && lines[1].contains(advice), "{text}");
    };
    refused("t.csv", "y", "no column `y` to predict", "name a column of the real table");
    refused("t.csv", "constant", "the same value in all real rows", "predict another column");
    refused("t.csv", "missing", "missing in every row of the real table", "predict another column");
    refused("t.csv", "rare", "has a value in 25 rows of the real table; at least 30", "more known values");
    refused("one.csv", "x", "nothing to predict it from", "leave out --predict");
}

#[test]
fn a_sample_is_drawn_and_said_to_be() {
    let bench = Workbench::new();
    bench.file("real.csv", small(500, 0));
    bench.file("fake.csv", small(90, 1));
    let evaluate = |more: &[&str]| {
        let arguments = [&["evaluate", "real.csv", "fake.csv", "--null", "none", "--json"], more].concat();
        bench.json(&arguments)["tables"][0].clone()
    };
    let found = evaluate(&["--sample", "100"]);
    assert_eq!((&found["n_real"], &found["n_synthetic"]), (&500.into(), &90.into()));
    assert_eq!(found["sampled"], serde_json::json!({"real": 100, "synthetic": 90}));
    assert_eq!(found, evaluate(&["--sample", "100", "--threads", "1"]));
    assert_ne!(found["distances"], evaluate(&["--sample", "100", "--seed", "2"])["distances"]);
    let whole = evaluate(&[]);
    assert_eq!(evaluate(&["--sample", "500"]), whole, "all rows are no sample");
    assert_eq!(evaluate(&["--sample", "all"]), whole);
    assert!(whole["sampled"].is_null());
    for exact in ["one_way", "two_way"] {
        assert_eq!(found["distances"][exact], whole["distances"][exact], "{exact} distances count all rows");
    }
    let arguments = ["evaluate", "real.csv", "fake.csv", "--null", "none", "--sample", "100"];
    let text = bench.done(&[&arguments[..], &["--html", "look.private.html"]].concat());
    let sentence = "All numbers but one-way and two-way distances come from a random sample: 100 real rows and all 90 \
                    synthetic rows.";
    assert!(text.contains(sentence), "{text}");
    let page = std::fs::read_to_string(bench.path("look.private.html")).unwrap();
    assert!(page.contains(sentence));
    for (typed, words) in [
        ("1", "--sample must be at least 2, or `all`"),
        ("0", "--sample must be at least 2, or `all`"),
        ("some", "--sample takes a number of rows, or `all`"),
        ("2.5", "--sample takes a number of rows, or `all`"),
        ("1e6", "--sample takes a number of rows, or `all`"),
        ("", "--sample takes a number of rows, or `all`"),
    ] {
        let output = bench.run(&["evaluate", "real.csv", "fake.csv", "--sample", typed]);
        assert_eq!(output.status.code(), Some(2), "{typed}");
        let text = stderr(&output);
        assert!(text.contains(words) && text.contains("as in --sample 100000"), "{text}");
    }
}
