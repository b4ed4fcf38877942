//! `indistinct combine`.

use serde_json::Value;

use super::{MARK, Workbench, stderr};

/// A table of y = 1 + 2 x (+ 3 for level b) and some noise; every tenth x is missing in the first rows if asked for.
fn table(rows: usize, shift: usize, gaps: bool) -> String {
    let mut text = "y,x,level,k,my column\n".to_owned();
    for row in 0..rows {
        let noise = ((row * 7919 + shift * 104_729) % 1000) as f64 / 500.0 - 1.0;
        let x = (row * 31 + shift) % 17;
        let level = ["a", "b"][(row * 13 + shift) % 5 % 2];
        let y = 1.0 + 2.0 * x as f64 + if level == "b" { 3.0 } else { 0.0 } + noise;
        let x = if gaps && row % 10 == 3 { "NA".to_owned() } else { x.to_string() };
        text += &format!("{y:.4},{x},{level},{},{}\n", row % 3, (row * row) % 11);
    }
    text
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    for (name, shift) in [("one.csv", 1), ("two.csv", 2), ("three.csv", 3)] {
        bench.file(name, table(200, shift, false));
    }
    bench
}

fn names(found: &Value) -> Vec<&str> {
    found["coefficients"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn coefficient<'v>(found: &'v Value, name: &str) -> &'v Value {
    found["coefficients"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()
}

#[test]
fn json_has_the_promised_fields() {
    let bench = bench();
    let found =
        bench.json(&["combine", "one.csv", "two.csv", "three.csv", "--formula", "y ~ x + level", "--json"]);
    for (field, value) in [
        ("formula", Value::from("y ~ x + level")),
        ("rule", "raab".into()),
        ("target", "population".into()),
        ("tables", 3.into()),
        ("rows", 200.into()),
        ("n", 200.into()),
        ("level", 0.95.into()),
        ("aliased", Value::Array(vec![])),
    ] {
        assert_eq!(found[field], value, "{field}");
    }
    assert!(found["sigma"].as_f64().unwrap() > 0.3);
    assert!(
        found["notes"][0].as_str().unwrap().contains("200 rows"),
        "n is said to be taken from the tables"
    );
    assert_eq!(names(&found), ["(Intercept)", "x", "levelb"]);
    for field in ["estimate", "std_error", "df", "t", "p", "low", "high", "within", "between"] {
        assert!(coefficient(&found, "x")[field].is_number(), "{field}");
    }
    let slope = coefficient(&found, "x")["estimate"].as_f64().unwrap();
    assert!(
        (slope - 2.0).abs() < 0.05
            && (coefficient(&found, "levelb")["estimate"].as_f64().unwrap() - 3.0).abs() < 0.3
    );
}

#[test]
fn rules_are_what_they_say() {
    let bench = bench();
    let files = ["combine", "one.csv", "two.csv", "three.csv", "--formula", "y ~ x", "--json"];
    let found = |more: &[&str]| bench.json(&[&files, more].concat());
    let number = |found: &Value, field: &str| coefficient(found, "x")[field].as_f64().unwrap();
    let variance = |more: &[&str]| number(&found(more), "std_error").powi(2);
    let plain = found(&["--n", "800"]);
    let (v, b) = (number(&plain, "within"), number(&plain, "between"));
    let close = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-12, "{found} {wanted}");
    close(variance(&["--n", "800"]), v * (0.25 + 1.0 / 3.0));
    close(variance(&["--n", "800", "--target", "original"]), v / 3.0);
    close(variance(&["--n", "800", "--rule", "raab-posterior"]), v * (0.25 + 1.25 / 3.0));
    close(variance(&["--rule", "reiter"]), v + b / 3.0);
    close(variance(&["--n", "800", "--draws", "3"]), v * 0.25 + b / 3.0);
    close(variance(&["--n", "800", "--epsilon", "2", "--efficiency", "0.5"]), v * (0.25 * 10.0 + 1.0 / 3.0));
    let narrow = found(&["--level", "0.5"]);
    assert!(number(&narrow, "low") > number(&found(&[]), "low") && narrow["level"] == 0.5);
}

#[test]
fn text_is_for_people() {
    let bench = bench();
    bench.file("gaps.csv", table(200, 1, true));
    let arguments =
        ["combine", "one.csv", "gaps.csv", "--formula", "y ~ x + level + C(k) + `my column` + log(y)"];
    let output = bench.run(&arguments);
    assert!(stderr(&output).contains("cannot explain itself"));
    let text = bench.done(&["combine", "one.csv", "gaps.csv", "--formula", "y ~ x + k + C(k) + `my column`"]);
    for part in [
        "2 tables of 200 rows, 200 original rows; rule raab, for the population",
        "std. error",
        "2.5 %",
        "97.5 %",
        "(Intercept)",
        "C(k)1",
        "`my column`",
        "left out: 20 rows",
        "aliased (depend on those above, and cannot be estimated): C(k)2",
        "note: the original table is taken to have",
        "<2.2e-16",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let quiet = bench.done(&["combine", "one.csv", "--formula", "y ~ x", "--quiet"]);
    assert!(!quiet.contains("note:") && quiet.contains("1 table of"), "{quiet}");
}

#[test]
fn mistakes_are_explained() {
    let bench = bench();
    bench.file("short.csv", "y,x\n1,2\n2,3\n");
    bench.file("words.csv", format!("y,x\n{MARK},-{MARK}\n1,2\n3,1\n4,4\n"));
    bench.file("odd.csv", "y,level\n1,a\n2,a\n3,c\n4,a\n5,c\n2,a\n");
    for (arguments, code, what, advice) in [
        (
            &["one.csv", "--formula", "y ~ xx"][..],
            2,
            "character 5: no column is named `xx`",
            "did you mean `x`?",
        ),
        (&["one.csv", "--formula", "y x"], 2, "character 3: expected ~", "y ~ x + z"),
        (&["one.csv", "--formula", "level ~ x"], 2, "character 1: the response `level`", "numeric"),
        (&["words.csv", "--formula", "y ~ log(x)"], 2, "1 value of `x` is not positive", "as it is"),
        (&["short.csv", "--formula", "y ~ x"], 1, "2 complete rows for 2 coefficients", "larger"),
        (&["one.csv", "short.csv", "--formula", "y ~ ."], 1, "table 2", "one release"),
        (&["one.csv", "odd.csv", "--formula", "y ~ level"], 1, "coefficient `level", "merge rare levels"),
        (&["one.csv", "--formula", "y ~ x", "--rule", "reiter"], 1, "at least two tables", "another rule"),
        (&["one.csv", "--formula", "y ~ x", "--draws", "2"], 1, "1 tables cannot come from 2", "in order"),
        (&["one.csv", "--formula", "y ~ x", "--rule", "private-draws"], 2, "how many draws", "--draws"),
        (&["one.csv", "--formula", "y ~ x", "--rule", "private-draw"], 2, "the epsilon", "--epsilon"),
        (&["one.csv", "--formula", "y ~ x", "--rule", "private-counts"], 2, "a release", "synth"),
        (&["one.csv", "--formula", "y ~ x", "--epsilon", "-1"], 2, "epsilon must be", "positive"),
        (
            &["one.csv", "--formula", "y ~ x", "--efficiency", "0.5"],
            2,
            "--efficiency means nothing",
            "leave it out",
        ),
        (
            &["one.csv", "--formula", "y ~ x", "--epsilon", "1", "--efficiency", "2"],
            2,
            "efficiency must be above 0 and at most 1",
            "leave it out",
        ),
        (&["one.csv", "--formula", "y ~ x", "--level", "95"], 2, "level", "0.95"),
        (
            &["one.csv", "--formula", "y ~ x", "--n", "1"],
            1,
            "an original table of 1 rows",
            "rows of the original",
        ),
        (&["nowhere.csv", "--formula", "y ~ x"], 1, "nowhere.csv", ""),
        (&["-", "-", "--formula", "y ~ x"], 2, "standard input", ""),
    ] {
        let output = bench.run(&[&["combine"], arguments].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(what) && text.contains(advice), "{arguments:?}: {text}");
        assert!(!text.contains(MARK), "{text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(bench.run(&["combine", "one.csv"]).status.code(), Some(2), "a formula is needed");
}

#[test]
fn a_schema_decides_what_columns_mean() {
    let bench = Workbench::new();
    bench.file("t.csv", "y,code\n1,1\n2,2\n3.5,1\n4,3\n2,2\n6,3\n5,-8\n");
    let column = |name: &str, more: &str| format!("[[column]]\nname = \"{name}\"\n{more}\n");
    let code = column("code", "type = \"ordered\"\nlevels = [\"3\", \"2\", \"1\"]\nmissing = [\"-8\"]");
    bench.file("schema.toml", format!("version = 1\n{}{code}", column("y", "type = \"float\"")));
    let arguments = ["combine", "t.csv", "--formula", "y ~ code", "--json"];
    assert_eq!(names(&bench.json(&arguments)), ["(Intercept)", "code"]);
    let found = bench.json(&[&arguments[..], &["--schema", "schema.toml"]].concat());
    assert_eq!(names(&found), ["(Intercept)", "code2", "code1"]);
    assert_eq!((&found["rows"], &found["complete_rows"][0]), (&7.into(), &6.into()));
}

/// Two dependent columns of numbers.
fn private(rows: usize) -> String {
    let mut text = "x,y\n".to_owned();
    for row in 0..rows {
        let uniform = |times: usize| ((row * times) % 1009) as f64 / 1009.0;
        let x = (uniform(7) + uniform(19) + uniform(53) + uniform(211)) * 10.0;
        let y = 3.0 + 0.5 * x + (uniform(401) + uniform(601) + uniform(797) - 1.5) * 4.0;
        text += &format!("{x:.4},{y:.4}\n");
    }
    text
}

#[test]
fn a_release_says_how_it_was_made() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1500));
    let synth = |out: &str, more: &[&str]| {
        let normal = ["synth", "private.csv", "--model", "normal", "--quiet", "--out", out];
        bench.done(&[&normal[..], more].concat());
    };
    let formula = ["--formula", "y ~ x", "--json"];
    let found = |names: &[&str], more: &[&str]| bench.json(&[&["combine"], names, &formula, more].concat());

    synth("one", &["--epsilon", "3", "--tables", "2", "--rows", "700"]);
    let counts = found(&["one"], &[]);
    assert_eq!(
        (&counts["rule"], &counts["n"], &counts["tables"]),
        (&"private-counts".into(), &1500.into(), &2.into())
    );
    assert_eq!(counts["rows"], 700);
    let error = |found: &Value| coefficient(found, "x")["std_error"].as_f64().unwrap();
    let raab = found(&["one"], &["--rule", "raab"]);
    assert!(error(&counts) > error(&raab), "the noise of measuring is in it");
    assert!(raab["notes"][0].as_str().unwrap().contains("do not include the privacy noise"));
    assert_eq!(
        found(&["one/synthetic-01.csv", "one/synthetic-02.csv"], &[])["coefficients"],
        counts["coefficients"]
    );
    let slope = coefficient(&counts, "x");
    let covered = slope["low"].as_f64().unwrap() - 0.1..slope["high"].as_f64().unwrap() + 0.1;
    assert!(covered.contains(&0.5), "{slope}");
    let categories = bench.json(&["combine", "one", "--formula", "y ~ 1 + x", "--json"]);
    assert_eq!(categories["coefficients"], counts["coefficients"]);

    synth("draws", &["--epsilon", "12", "--draws", "3", "--tables", "2"]);
    let draws = found(&["draws"], &[]);
    assert_eq!(
        (&draws["rule"], &draws["draws"], &draws["tables"]),
        (&"private-draws".into(), &3.into(), &6.into())
    );
    let alone = &["draws/synthetic-01.csv", "draws/synthetic-03.csv", "draws/synthetic-05.csv"];
    let (known, unknown) = (found(alone, &[]), {
        for (number, name) in alone.iter().enumerate() {
            let copied = bench.path("draws").join(name.trim_start_matches("draws/"));
            std::fs::copy(copied, bench.path(&format!("copy-{number}.csv"))).unwrap();
        }
        found(&["copy-0.csv", "copy-1.csv", "copy-2.csv"], &["--draws", "3", "--n", "1500"])
    });
    assert_eq!((&known["rule"], &unknown["rule"]), (&"private-draws".into(), &"private-draws".into()));
    assert!(error(&known) > error(&unknown), "what cells lose is added where the release tells it");
    let single = found(&["draws/synthetic-03.csv", "draws/synthetic-04.csv"], &[]);
    assert_eq!(single["rule"], "private-counts", "both are of the second draw");
    let uneven = bench.run(
        &[
            &["combine", "draws/synthetic-01.csv", "draws/synthetic-03.csv", "draws/synthetic-04.csv"],
            &formula[..],
        ]
        .concat(),
    );
    assert!(stderr(&uneven).contains("not as many tables"), "{}", stderr(&uneven));

    synth(
        "walk",
        &[
            "--epsilon",
            "4",
            "--quality",
            "pmse",
            "--sampler",
            "metropolis",
            "--steps",
            "300",
            "--prior-sd",
            "20",
        ],
    );
    let walk = found(&["walk"], &[]);
    assert_eq!(
        (&walk["rule"], &walk["epsilon"], &walk["efficiency"]),
        (&"private-draw".into(), &4.0.into(), &1.0.into())
    );
    synth("zoom", &["--epsilon", "4", "--measure-share", "0", "--candidates", "50"]);
    let zoom = found(&["zoom"], &[]);
    assert_eq!(zoom["rule"], "none", "noise of unknown size");
    assert!(coefficient(&zoom, "x")["std_error"].is_null() && zoom["no_intervals"].is_string());
    let raab = found(&["zoom"], &["--rule", "raab"]);
    assert!(raab["notes"][0].as_str().unwrap().contains("privacy noise") && raab["no_intervals"].is_null());

    std::fs::write(bench.path("one").join("synthetic-02.csv"), "x,y\n1,2\n").unwrap();
    let changed = bench.run(&[&["combine", "one"], &formula[..]].concat());
    assert!(stderr(&changed).contains("synthetic-02.csv is changed") && changed.status.code() == Some(1));
}

/// One draw of a table of any columns has noise that no rule knows: estimates, and why there is no more.
#[test]
fn one_draw_of_any_columns_has_estimates_without_intervals() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1500));
    let synth = |out: &str, more: &[&str]| {
        let arguments = ["synth", "private.csv", "--quiet", "--model", "mixed", "--out", out];
        bench.done(&[&arguments[..], more].concat());
    };
    synth("one", &["--epsilon", "3", "--tables", "2"]);
    let found = bench.json(&["combine", "one", "--formula", "y ~ x", "--json"]);
    assert_eq!(
        (&found["rule"], &found["n"], &found["notes"]),
        (&"none".into(), &1500.into(), &Value::Array(vec![]))
    );
    let slope = coefficient(&found, "x");
    assert!(slope["estimate"].is_number() && slope["within"].is_number());
    for field in ["std_error", "df", "t", "p", "low", "high"] {
        assert!(slope[field].is_null(), "{field}: {slope}");
    }
    let why = found["no_intervals"].as_str().unwrap();
    assert!(why.contains("one draw") && why.contains("--draws 5"), "{why}");
    let text = bench.done(&["combine", "one", "--formula", "y ~ x"]);
    assert!(
        text.contains("no intervals: all tables come from one draw") && text.contains("estimate"),
        "{text}"
    );
    assert!(!text.contains("std. error") && !text.contains("NaN"), "{text}");
    assert!(bench.done(&["combine", "one", "--formula", "y ~ x", "--quiet"]).contains("no intervals:"));
    let asked = bench.json(&["combine", "one", "--formula", "y ~ x", "--rule", "raab", "--json"]);
    assert!(coefficient(&asked, "x")["std_error"].is_number() && asked["no_intervals"].is_null());
    assert!(asked["notes"][0].as_str().unwrap().contains("do not include the privacy noise"));
    bench.file("t.csv", table(50, 1, false));
    let none =
        bench.json(&["combine", "t.csv", "--formula", "y ~ x", "--rule", "none", "--n", "50", "--json"]);
    assert!(coefficient(&none, "x")["low"].is_null() && none["no_intervals"].is_string());

    synth("draws", &["--epsilon", "12", "--draws", "3"]);
    let found = bench.json(&["combine", "draws", "--formula", "y ~ x", "--json"]);
    assert_eq!(found["rule"], "private-draws");
    assert!(coefficient(&found, "x")["std_error"].is_number() && found["no_intervals"].is_null());
    let note = found["notes"][0].as_str().unwrap();
    assert!(
        note.contains("too narrow") && note.contains("68 %") && note.contains("--model normal"),
        "{note}"
    );
    let text = bench.done(&["combine", "draws", "--formula", "y ~ x"]);
    assert!(text.contains(&format!("note: {note}")), "{text}");
}

/// A draw that went astray is never left out: `combine` stops where it cannot be fitted and names it, and counts it where it can.
#[test]
fn a_stray_draw_stops_combine_and_is_named() {
    let bench = Workbench::new();
    for (name, shift) in [("one.csv", 1), ("two.csv", 2), ("three.csv", 3)] {
        let whole = table(200, shift, false);
        let two_columns = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(",");
        bench.file(name, whole.lines().map(|line| two_columns(line) + "\n").collect::<String>());
    }
    let several = |stray: &str| {
        let named = ["combine", "one.csv", stray, "three.csv", "--formula", "y ~ x"];
        bench.run(&[&named[..], &["--draws", "3", "--n", "200", "--json"]].concat())
    };
    let stray = |name: &str, x: fn(usize) -> f64| {
        let row = |row: usize| format!("{}.5,{:?}\n", row % 7, x(row));
        bench.file(name, format!("y,x\n{}", (0..200).map(row).collect::<String>()));
    };
    stray("constant.csv", |_| 5.0);
    stray("huge.csv", |row| row as f64 * 1e300);
    for (name, what) in [("constant.csv", "coefficient `x`"), ("huge.csv", "too large or too small")] {
        let output = several(name);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(output.stdout.is_empty(), "no result of the other draws");
        for part in [what, &format!("table 2 is {name}"), "no draw is left out for you"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    // One that can be fitted counts like the others, and the interval is as wide as it makes it.
    stray("far.csv", |row| (row * 1000 % 17) as f64 * 1e6);
    let read = |output: std::process::Output| serde_json::from_slice::<Value>(&output.stdout).unwrap();
    let error = |found: &Value| coefficient(found, "x")["std_error"].as_f64().unwrap();
    let (near, far) = (read(several("two.csv")), read(several("far.csv")));
    assert_eq!((&far["tables"], &far["draws"]), (&3.into(), &3.into()));
    assert!(error(&far) > 10.0 * error(&near), "{far}");
}
