//! Derived columns from the schema to the rows: every value is what whoever computes it again from the file finds.

use indistinct::table::{Schema, Table, round_to_decimals};
use indistinct_io::{Format, Invalid, Source, parse_schema, write_to};

use super::{Workbench, stderr};

/// Persons: derived columns stand among those that are measured, and one builds on another.
const SCHEMA: &str = r#"version = 1

[[column]]
name = "bmi"
type = "float"
decimals = 1
derive = "weight / (height / 100) ^ 2"

[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 95

[[column]]
name = "square"
type = "integer"
derive = "age * age"

[[column]]
name = "height"
type = "float"
decimals = 1
minimum = 100
maximum = 210

[[column]]
name = "weight"
type = "float"
decimals = 1
minimum = 20
maximum = 160
focus = 2.5

[[column]]
name = "group"
type = "ordered"
levels = ["child", "adult", "old"]
derive = "cut(age, 18, 65)"

[[column]]
name = "region"
type = "nominal"
levels = ["north", "south", "east"]

[[column]]
name = "density"
type = "float"
derive = "lookup(region)"
[column.lookup]
north = 12.25
south = 1500
east = "NA"

[[column]]
name = "obese adult"
type = "boolean"
derive = "bmi >= 30 and group != 'child'"

[[column]]
name = "place"
type = "nominal"
levels = ["far", "near"]
derive = "if density > 100 then 'near' else if density is missing then missing else 'far'"

[[column]]
name = "born"
type = "date"
minimum = 1920-01-01
maximum = 2020-12-31

[[column]]
name = "decade"
type = "integer"
derive = "floor(year(born) / 10) * 10"
"#;

const RULES: &str = r#"
[[constraint]]
rule = "bmi < 50 and bmi > 8"

[[constraint]]
rule = "group == 'child' when weight < 35"
"#;

/// Rows with what is measured, and more columns behind.
fn private(rows: usize, more: &str, value: impl Fn(usize) -> String) -> String {
    let mut text = format!("age,height,weight,region,born{more}\n");
    let mut state = 7_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    for row in 0..rows {
        let age = (uniform() * 90.0) as i64;
        let height = 150.0 + 40.0 * uniform();
        let weight = height - 100.0 + 30.0 * (uniform() - 0.5);
        let region = ["north", "south", "east"][(uniform() * 3.0) as usize];
        let year = 2020 - age;
        text += &format!("{age},{height:.1},{weight:.1},{region},{year}-06-15{}\n", value(row));
    }
    text
}

fn schema() -> Schema {
    parse_schema(&format!("{SCHEMA}{RULES}")).unwrap()
}

/// A table as a CSV file has it.
fn text(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    write_to(table, Format::CSV, &mut out).unwrap();
    out
}

/// The names of the columns of a CSV file, and its cells by row.
fn columns(bench: &Workbench, file: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    (names, lines.collect())
}

/// Every derived cell against the same computed from the other cells of its row, by hand.
fn check(bench: &Workbench, file: &str, rows: usize) {
    let (names, cells) = columns(bench, file);
    let expected: Vec<String> = schema().columns().iter().map(|column| column.name().to_owned()).collect();
    assert_eq!(names, expected, "in the declared order");
    assert_eq!(cells.len(), rows);
    for row in &cells {
        let cell = |name: &str| row[names.iter().position(|own| own == name).unwrap()].as_str();
        let number = |name: &str| cell(name).parse::<f64>().ok();
        let or_missing = |value: Option<String>| value.unwrap_or_default();
        let (age, height, weight) = (number("age"), number("height"), number("weight"));
        let bmi = weight.zip(height).map(|(weight, height)| {
            let metres = height / 100.0;
            round_to_decimals(weight / (metres * metres), 1)
        });
        assert_eq!(cell("bmi"), or_missing(bmi.map(|bmi| format!("{bmi:.1}"))), "{row:?}");
        assert_eq!(cell("square"), or_missing(age.map(|age| format!("{}", age * age))), "{row:?}");
        let group = age.map(|age| {
            if age < 18.0 {
                "child"
            } else if age < 65.0 {
                "adult"
            } else {
                "old"
            }
        });
        assert_eq!(cell("group"), group.unwrap_or_default(), "{row:?}");
        let density = match cell("region") {
            "north" => "12.25",
            "south" => "1500",
            _ => "",
        };
        assert_eq!(cell("density"), density, "{row:?}");
        let place = match density {
            "12.25" => "far",
            "1500" => "near",
            _ => "",
        };
        assert_eq!(cell("place"), place, "{row:?}");
        let obese = match (bmi.map(|bmi| bmi >= 30.0), group.map(|group| group != "child")) {
            (Some(true), Some(true)) => "true",
            (Some(false), _) | (_, Some(false)) => "false",
            _ => "",
        };
        assert_eq!(cell("obese adult"), obese, "{row:?}");
        let decade = cell("born").get(..3).map(|decade| format!("{decade}0"));
        assert_eq!(cell("decade"), or_missing(decade), "{row:?}");
        // And the rules that use them.
        assert!(bmi.is_none_or(|bmi| bmi < 50.0 && bmi > 8.0), "{row:?}");
        assert!(
            weight.is_none_or(|weight| weight >= 35.0) || group.is_none_or(|group| group == "child"),
            "{row:?}"
        );
    }
}

#[test]
fn derived_values_are_exact_in_all_that_is_released() {
    let bench = Workbench::new();
    bench.file("private.csv", private(1500, "", |_| String::new()));
    bench.file("schema.toml", format!("{SCHEMA}{RULES}"));
    let synth = ["synth", "private.csv", "--epsilon", "8", "--schema", "schema.toml", "--quiet"];
    bench.done(&[&synth[..], &["--tables", "2", "--draws", "2"]].concat());
    for table in 1..=4 {
        check(&bench, &format!("release/synthetic-{table:02}.csv"), 1500);
    }
    let told = bench.done(&["verify", "release"]);
    assert!(told.contains("Derived columns") && told.contains("bmi, square, group"), "{told}");
    let certificate = std::fs::read_to_string(bench.path("release/certificate.json")).unwrap();
    let certificate: serde_json::Value = serde_json::from_str(&certificate).unwrap();
    assert_eq!(certificate["columns"], 5, "those that were measured");
    let derived = ["bmi", "square", "group", "density", "obese adult", "place", "decade"];
    assert_eq!(certificate["derived"], serde_json::json!(derived));
    let spent = certificate["spent"].as_array().unwrap();
    assert!(!spent.iter().any(|step| step["step"].as_str().unwrap().contains("bmi")));
    let page = std::fs::read_to_string(bench.path("release/report.html")).unwrap();
    assert!(page.contains("Derived columns") && page.contains("obese adult"));

    let sample = ["sample", "release/model.json", "--draw", "2", "--rows", "3000", "--out"];
    bench.done(&[&sample[..], &["more.csv"]].concat());
    check(&bench, "more.csv", 3000);
    let condition = "bmi > 24 and `obese adult` == false and group == 'adult' and square > 900";
    bench.done(&[&sample[..], &["some.csv", "--where", condition]].concat());
    check(&bench, "some.csv", 3000);
    let (names, cells) = columns(&bench, "some.csv");
    let bmi = names.iter().position(|name| name == "bmi").unwrap();
    assert!(cells.iter().all(|row| row[bmi].parse::<f64>().unwrap() > 24.0));

    // Other formats have the same.
    for file in ["more.parquet", "more.arrow", "more.tsv"] {
        bench.done(&[&sample[..], &[file]].concat());
        let source = Source::open(&bench.path(file)).unwrap();
        let all = source.read(&schema()).unwrap();
        let measured = source.read_measured(&schema(), Invalid::Refuse).unwrap();
        assert_eq!(measured.columns().len(), 5);
        // Missing numbers are not equal to themselves: as text they are.
        assert!(text(&schema().with_derived(measured)) == text(&all), "{file}");
    }
}

#[test]
fn private_values_of_derived_columns_are_not_read() {
    let bench = Workbench::new();
    bench.file("schema.toml", format!("{SCHEMA}{RULES}"));
    bench.file("without.csv", private(600, "", |_| String::new()));
    bench.file("wrong.csv", private(600, ",bmi,place", |row| format!(",{},elsewhere", row * row)));
    bench.file("text.csv", private(600, ",bmi", |_| ",not a number".to_owned()));
    for name in ["without", "wrong", "text"] {
        let table = format!("{name}.csv");
        let arguments =
            ["synth", &table, "--epsilon", "4", "--schema", "schema.toml", "--seed", "3", "--out", name];
        bench.done(&[&arguments[..], &["--quiet"]].concat());
    }
    let read = |file: &str| std::fs::read_to_string(bench.path(file)).unwrap();
    for name in ["wrong", "text"] {
        for file in ["synthetic.csv", "model.json"] {
            assert_eq!(read(&format!("{name}/{file}")), read(&format!("without/{file}")), "{name} {file}");
        }
    }
    // An evaluation compares them, computed where the real table does not have them.
    let evaluate = |real: &str| {
        bench.json(&["evaluate", real, "without/synthetic.csv", "--schema", "schema.toml", "--json"])
    };
    let found = evaluate("without.csv");
    let columns = found["tables"][0]["columns"].as_array().unwrap();
    assert_eq!(columns.len(), schema().columns().len());
    let text =
        stderr(&bench.run(&["evaluate", "text.csv", "without/synthetic.csv", "--schema", "schema.toml"]));
    assert!(text.contains("column `bmi`"), "{text}");
}

#[test]
fn mistakes_charge_and_write_nothing() {
    let bench = Workbench::new();
    bench.file("private.csv", private(300, "", |_| String::new()));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read(bench.path("ledger")).unwrap();
    let derive = |old: &str, new: &str| SCHEMA.replace(old, new);
    for (schema, parts) in [
        (
            derive("derive = \"age * age\"", "derive = \"age / 2\""),
            &["line 18", "column `square`, derive, at character 1", "whole number", "round(...)"][..],
        ),
        (derive("weight / (h", "wieght / (h"), &["line 7", "no column `wieght`", "did you mean `weight`?"]),
        (
            derive("weight / (height / 100) ^ 2", "if `obese adult` then 1 else 2"),
            &["derived columns go round in a circle", "`bmi` depends on `obese adult` depends on `bmi`"],
        ),
        (derive("cut(age, 18, 65)", "cut(age, 18)"), &["2 classes", "3 levels", "one level more"]),
        (derive("east = \"NA\"", ""), &["nothing for level `east` of `region`"]),
        (derive("east = \"NA\"", "east = 3\nwest = 4"), &["`west`, which is not a level of `region`"]),
        (
            derive("derive = \"age * age\"", "derive = \"age * age\"\nminimum = 0"),
            &["line 19", "`square` is derived, and not measured: `minimum` means nothing to it"],
        ),
        (derive("focus = 2.5", "focus = 0"), &["focus must be a number from 0.1 to 100"]),
        (derive("focus = 2.5", "focus = \"3\""), &["`focus` must be a number", "without quotes"]),
        (derive("derive = \"lookup(region)\"", ""), &["has a lookup, and is not derived"]),
        (
            format!("{SCHEMA}[[constraint]]\nrule = \"weight == height - 100\"\n"),
            &["constraint 1 says what `weight` is", "derive = \"height - 100\" below column `weight`"],
        ),
    ] {
        bench.file("schema.toml", &schema);
        let before = bench.names();
        let arguments =
            ["synth", "private.csv", "--epsilon", "4", "--schema", "schema.toml", "--ledger", "ledger"];
        let output = bench.run(&arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in: {text}");
        }
        assert!(text.starts_with("error: ") && text.lines().count() == 2, "{text}");
        assert_eq!(bench.names(), before);
    }
    bench.file("schema.toml", SCHEMA);
    let person = ["synth", "private.csv", "--epsilon", "4", "--schema", "schema.toml", "--person", "square"];
    let text = stderr(&bench.run(&person));
    assert!(text.contains("the schema derives column `square`, and --person names it"), "{text}");
    assert_eq!(std::fs::read(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
}

#[test]
fn the_normal_model_and_comparison_methods_compute_them_too() {
    let bench = Workbench::new();
    let mut text = "x,y\n".to_owned();
    for row in 0..800_u32 {
        let noise = |shift: u32| f64::from((row * 7919 + shift) % 997) / 997.0;
        text += &format!("{:.3},{:.3}\n", noise(0) + noise(131), noise(77) + noise(5) + noise(400));
    }
    bench.file("private.csv", text);
    let column =
        |name: &str, more: &str| format!("[[column]]\nname = \"{name}\"\ntype = \"float\"\n{more}\n");
    let sum = column("sum", "decimals = 3\nderive = \"x + y\"");
    let (x, y) = (column("x", "decimals = 3"), column("y", "decimals = 3"));
    bench.file("schema.toml", format!("version = 1\n{sum}{x}{y}"));
    let synth = ["synth", "private.csv", "--epsilon", "8", "--schema", "schema.toml", "--quiet"];
    for (out, more) in [
        ("normal", &["--model", "normal"][..]),
        ("bayes", &["--method", "noisy-bayes", "--bounds", "x=0:2,y=0:3"]),
        ("histogram", &["--method", "smooth-histogram", "--bounds", "x=0:2,y=0:3", "--bins", "4"]),
    ] {
        bench.done(&[&synth[..], more, &["--out", out]].concat());
        let (names, cells) = columns(&bench, &format!("{out}/synthetic.csv"));
        assert_eq!(names, ["sum", "x", "y"]);
        for row in &cells {
            let [sum, x, y] = [0, 1, 2].map(|place| row[place].parse::<f64>().unwrap());
            assert_eq!(sum, round_to_decimals(x + y, 3), "{row:?}");
        }
        let verified = bench.run(&["verify", out]);
        assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    }
    // Intervals of columns that are measured stay.
    let fit = |formula: &str| bench.json(&["combine", "normal", "--formula", formula, "--json"]);
    assert_eq!(fit("y ~ x")["no_intervals"], serde_json::Value::Null);
    assert!(fit("sum ~ x")["no_intervals"].is_string());
}
