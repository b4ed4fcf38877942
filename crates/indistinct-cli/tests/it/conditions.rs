//! `sample --where`, and constraints of a schema from the file to the rows.

use indistinct::model::SequentialNormal;
use indistinct::synthesis::Model;
use indistinct::synthesis::ReleasedModel;
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::model_json;

use super::{MARK, Workbench, stderr, stdout};

/// A released model of independent columns: x normal with mean 0 and sd 1, y with mean 1 and sd 2, k whole.
fn model(constraints: &[&str]) -> String {
    let columns = vec![
        ColumnSchema::new("x", ColumnType::Float),
        ColumnSchema::new("y", ColumnType::Float).with_decimals(Some(2)).with_limits(Some(-3.0), Some(4.5)),
        ColumnSchema::new("odd name", ColumnType::Integer),
    ];
    let mut schema = Schema::new(vec!["NA".to_owned()], columns).unwrap();
    for rule in constraints {
        schema = schema.with_constraint(rule, None).unwrap();
    }
    let factor = vec![vec![1.0], vec![0.0, 2.0], vec![0.0, 0.0, 3.0]];
    let draws = vec![Model::Normal(SequentialNormal::new(vec![0.0, 1.0, 10.0], factor))];
    model_json(&ReleasedModel { schema, rows: 1000, draws }).unwrap()
}

/// The cells of a file, by row.
fn rows(bench: &Workbench, file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// NaN for a missing value: noise can make some where the private table has none.
fn number(cell: &str) -> f64 {
    if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() }
}

#[test]
fn only_rows_that_pass_are_written_and_as_many_as_asked_for() {
    let bench = Workbench::new();
    bench.file("model.json", model(&[]));
    let condition = "x > 1 and `odd name` in (9, 10, 11) or y + x <= -2";
    let arguments =
        ["sample", "model.json", "--rows", "1234", "--out", "some.csv", "--where", condition, "--json"];
    let found = bench.json(&arguments);
    assert_eq!((&found["rows"], &found["where"]), (&1234.into(), &condition.into()));
    let rows = rows(&bench, "some.csv");
    assert_eq!(rows.len(), 1234);
    for row in &rows {
        let [x, y, k] = [0, 1, 2].map(|place| number(&row[place]));
        assert!((x > 1.0 && (9.0..=11.0).contains(&k)) || y + x <= -2.0, "{row:?}");
    }
    // 0.159 * 0.383 of the first kind, 0.0899 of the second: both are there.
    let first = rows.iter().filter(|row| number(&row[0]) > 1.0).count();
    assert!((350..650).contains(&first), "{first}");
}

#[test]
fn a_seed_repeats_whatever_the_number_of_threads() {
    let bench = Workbench::new();
    bench.file("model.json", model(&["x < y"]));
    let sample = |out: &str, more: &[&str]| {
        let first = ["sample", "model.json", "--rows", "30000", "--out", out, "--seed", "5"];
        bench.done(&[&first, more].concat());
        std::fs::read(bench.path(out)).unwrap()
    };
    let condition = ["--where", "x > 1.5"];
    let one = sample("1.csv", &[&condition[..], &["--threads", "1"]].concat());
    assert_eq!(one, sample("2.csv", &[&condition[..], &["--threads", "2"]].concat()));
    assert_eq!(one, sample("3.csv", &[&condition[..], &["--threads", "5"]].concat()));
    assert_ne!(one, sample("4.csv", &[]));
}

#[test]
fn values_are_on_the_declared_grid_within_the_declared_limits() {
    let bench = Workbench::new();
    bench.file("model.json", model(&["x <= y"]));
    bench.done(&["sample", "model.json", "--rows", "2000", "--out", "all.csv"]);
    let rows = rows(&bench, "all.csv");
    assert_eq!(rows.len(), 2000);
    for row in &rows {
        let (_, decimals) = row[1].split_once('.').unwrap();
        assert_eq!(decimals.len(), 2, "{row:?}");
        assert!((-3.0..=4.5).contains(&number(&row[1])) && number(&row[0]) <= number(&row[1]), "{row:?}");
        assert!(row[2].parse::<i64>().is_ok());
    }
    assert!(rows.iter().any(|row| row[1] == "4.50"), "values beyond a limit are put on it");
}

#[test]
fn what_cannot_be_is_said_and_nothing_is_written() {
    let bench = Workbench::new();
    bench.file("model.json", model(&[]));
    bench.file("rare.json", model(&["y > -2", "x > 6.5"]));
    let before = bench.names();
    for (model, condition, parts) in [
        ("model.json", "xx > 1", &["--where, at character 1", "no column `xx`"][..]),
        (
            "model.json",
            "x > 1 and z == 1",
            &["at character 11", "no column `z`", "use one of x, y, odd name"],
        ),
        ("model.json", "x >", &["at character 4", "ends too early"]),
        ("model.json", "x == 'a'", &["at character 6", "does not go with a number"]),
        ("model.json", "", &["empty"]),
        ("model.json", "x > 1 and x < 1", &["no row can pass", "`x`", "ask for more"]),
        ("model.json", "y > 4.5", &["no row can pass", "`y`"]),
        ("model.json", "x > 6.5", &["only ", " rows that the model made pass the condition", "--where"]),
        ("rare.json", "y > 0", &["only ", "most break constraint 2", "relax"]),
    ] {
        let output = bench.run(&["sample", model, "--rows", "10", "--out", "new.csv", "--where", condition]);
        let text = stderr(&output);
        // A condition that is wrong in itself is wrong usage; rows that are too rare are not.
        let code = if text.contains("only ") { 1 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{condition}: {text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in: {text}");
        }
        assert!(
            text.starts_with("error: ") && text.contains("\n help: ") && text.lines().count() == 2,
            "{text}"
        );
        assert_eq!(stdout(&output), "");
        assert_eq!(bench.names(), before, "{condition}");
    }
    let deep = format!("{}x > 1{}", "(".repeat(10_000), ")".repeat(10_000));
    let output = bench.run(&["sample", "model.json", "--rows", "10", "--out", "new.csv", "--where", &deep]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("nested"), "{}", stderr(&output));
}

/// Blood pressures, the lower one first, and a person's number.
fn private(rows: usize) -> String {
    let mut text = "low,high,person\n".to_owned();
    let mut state = 99_u64;
    let mut noise = || {
        let mut sum = 0.0;
        for _ in 0..6 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            sum += (state >> 33) as f64 / f64::from(1_u32 << 31);
        }
        sum - 3.0
    };
    for row in 0..rows {
        let low = 80.0 + 10.0 * noise();
        let high = low + (15.0 + 14.0 * noise()).abs();
        text += &format!("{low:.1},{high:.1},p{row}\n");
    }
    text
}

const SCHEMA: &str = "version = 1\n[[column]]\nname = \"person\"\ntype = \"identifier\"\n[[column]]\nname = \"low\"\n\
     type = \"float\"\ndecimals = 1\nminimum = 40\n[[column]]\nname = \"high\"\ntype = \"float\"\ndecimals = 1\n\
     predictors = [\"low\"]\n";

#[test]
fn constraints_hold_in_all_that_is_released() {
    let bench = Workbench::new();
    bench.file("private.csv", private(2000));
    let constraint = "[[constraint]]\nrule = \"low < high\"\nbecause = \"by definition\"\n";
    bench.file("schema.toml", format!("{SCHEMA}{constraint}"));
    bench.file("free.toml", SCHEMA);
    let synth = |schema: &str, out: &str| {
        let first = ["synth", "private.csv", "--epsilon", "4", "--quiet", "--schema", schema, "--out", out];
        bench.done(&first);
    };
    synth("schema.toml", "release");
    bench.done(&["verify", "release"]);
    bench.done(&["sample", "release/model.json", "--rows", "3000", "--out", "more.csv"]);
    for (file, count) in [("release/synthetic.csv", 2000), ("more.csv", 3000)] {
        let rows = rows(&bench, file);
        assert_eq!(rows.len(), count);
        assert!(!rows.iter().any(|row| number(&row[0]) >= number(&row[1])), "{file}");
        let mut present = rows.iter().flatten().filter(|cell| !cell.is_empty());
        assert!(present.all(|cell| cell.split_once('.').unwrap().1.len() == 1));
    }
    let model = std::fs::read_to_string(bench.path("release").join("model.json")).unwrap();
    assert!(
        model.contains("low < high") && model.contains("by definition") && model.contains("decimals = 1")
    );
    // The rule makes a difference: without it some rows would break it.
    synth("free.toml", "free");
    let free = rows(&bench, "free/synthetic.csv");
    assert!(free.iter().any(|row| number(&row[0]) >= number(&row[1])));
}

#[test]
fn private_rows_that_break_a_constraint_are_not_told_of() {
    let bench = Workbench::new();
    bench.file("private.csv", private(500) + "150.0,60.0,p1\n");
    bench.file("schema.toml", format!("{SCHEMA}[[constraint]]\nrule = \"low < high\"\n"));
    let output = bench.run(&["synth", "private.csv", "--epsilon", "20", "--schema", "schema.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stderr(&output).contains("constraint"), "{}", stderr(&output));
}

#[test]
fn schemas_that_contradict_themselves_charge_and_write_nothing() {
    let bench = Workbench::new();
    bench.file("private.csv", private(500).replace("p1\n", &format!("{MARK}\n")));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read(bench.path("ledger")).unwrap();
    let rule = |rule: &str| format!("{SCHEMA}[[constraint]]\nrule = \"{rule}\"\n");
    for (schema, parts) in [
        (
            SCHEMA.replace("minimum = 40", "predictors = [\"high\"]"),
            &["line 9", "`low` depends on `high` depends on `low`"][..],
        ),
        (SCHEMA.replace("minimum = 40", "atoms = [0.25]"), &["line 9", "0.25", "more than 1 decimals"]),
        (SCHEMA.replace("minimum = 40", "minimum = 40\nmaximum = 30"), &["line 9", "not below the maximum"]),
        (SCHEMA.replace("decimals = 1", "decimal = 1"), &["line 8", "`decimals`"]),
        (rule("low < high and high < low"), &["line 16", "constraint 1 cannot be satisfied"]),
        (rule("low < 30"), &["line 16", "constraint 1 cannot be satisfied", "`low`"]),
        (rule("person == 'p1'"), &["line 16", "constraint 1", "`person` is an identifier"]),
        (rule("lo < high"), &["line 16", "constraint 1, at character 1", "did you mean `low`?"]),
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
        assert!(text.starts_with("error: schema.toml, line ") && text.lines().count() == 2, "{text}");
        assert!(!text.contains(MARK));
        assert_eq!(bench.names(), before);
    }
    assert_eq!(std::fs::read(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
}

const LEVELS: &str = "version = 1\n[[column]]\nname = \"a\"\ntype = \"nominal\"\nlevels = [\"0\", \"1\"]\n[[column]]\n\
     name = \"b\"\ntype = \"nominal\"\nlevels = [\"0\", \"1\"]\n[[column]]\nname = \"c\"\ntype = \"nominal\"\n\
     levels = [\"0\", \"1\"]\n";

#[test]
fn rules_that_no_row_can_obey_together_are_refused_before_anything_is_charged() {
    let bench = Workbench::new();
    bench.file("private.csv", "a,b,c\n".to_owned() + &"0,1,1\n1,0,0\n".repeat(300));
    bench.done(&["ledger", "init", "ledger", "--epsilon", "100"]);
    let ledger = std::fs::read(bench.path("ledger")).unwrap();
    // Each pair can be, all three cannot: of three bits two are equal. The fourth is not to blame.
    let rules = ["a != b", "a == '0' or b == '0' or c == '0'", "b != c", "a != c"];
    let rules: String = rules.iter().map(|rule| format!("[[constraint]]\nrule = \"{rule}\"\n")).collect();
    bench.file("schema.toml", format!("{LEVELS}{rules}"));
    let arguments =
        ["synth", "private.csv", "--epsilon", "4", "--schema", "schema.toml", "--ledger", "ledger"];
    for more in [&[][..], &["--dry-run"]] {
        let output = bench.run(&[&arguments[..], more].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("obeys constraints 1, 3, 4 together"), "{text}");
    }
    assert_eq!(std::fs::read(bench.path("ledger")).unwrap(), ledger, "nothing was charged");
    assert!(!bench.path("release").exists());
}

#[test]
fn a_model_that_was_paid_for_is_kept_where_its_rows_cannot_obey() {
    let bench = Workbench::new();
    bench.file("private.csv", private(500));
    // Without limits nobody can know beforehand that no row comes near.
    let schema = SCHEMA.replace("minimum = 40\n", "");
    bench.file("schema.toml", format!("{schema}[[constraint]]\nrule = \"low is not missing and high is not missing and low * high > 1e9\"\n"));
    let output =
        bench.run(&["synth", "private.csv", "--epsilon", "20", "--schema", "schema.toml", "--quiet"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("constraint 1") && text.contains("the model is kept in"), "{text}");
    assert!(!bench.path("release").exists());
    let model = std::fs::read_to_string(bench.path("release.model.json")).unwrap();
    let certificate = std::fs::read_to_string(bench.path("release.certificate.json")).unwrap();
    // Another run does not take its place.
    let again = ["synth", "private.csv", "--epsilon", "20", "--schema", "schema.toml", "--quiet"];
    assert_eq!(bench.run(&again).status.code(), Some(1));
    assert!(bench.path("release-2.model.json").exists() && bench.path("release-2.certificate.json").exists());
    assert_eq!(std::fs::read_to_string(bench.path("release.model.json")).unwrap(), model);
    assert!(certificate.contains("\"spent\""));
    bench.file("mended.json", model.replace("low * high > 1e9", "low * high > 1"));
    bench.done(&["sample", "mended.json", "--rows", "50", "--out", "rows.csv"]);
    assert_eq!(rows(&bench, "rows.csv").len(), 50);
}
