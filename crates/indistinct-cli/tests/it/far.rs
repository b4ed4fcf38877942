//! `indistinct synth` on columns of every type far from zero, of which no limits are declared.

use super::{Workbench, stderr};

const ROWS: u64 = 2000;

const SCHEMA: &str = r#"version = 1
missing = [""]
[[column]]
name = "second"
type = "integer"
[[column]]
name = "id"
type = "integer"
[[column]]
name = "real"
type = "float"
[[column]]
name = "price"
type = "float"
decimals = 2
[[column]]
name = "day"
type = "date"
format = "%Y-%m-%d"
[[column]]
name = "moment"
type = "datetime"
format = "%Y-%m-%d %H:%M:%S"
"#;

/// Every column has one value in a thousand rows, and 1000 values in all.
fn private() -> String {
    let mut text = "second,id,real,price,day,moment\n".to_owned();
    for row in 0..ROWS {
        let at = row * 7 % 1000;
        let (day, hour) = (1 + at % 28, at / 42);
        let id = (1_u64 << 60) + 2 * at + 1;
        let second = if row % 20 == 0 { String::new() } else { (1_500_000_000 + 30_000 * at).to_string() };
        let price = format!("-{}.{:02}", 70_000 + at / 100, at % 100);
        text += &format!("{second},{id},{}.{at:03},{price},", 1_000_000_000_000_u64);
        text += &format!("1890-0{}-{day:02},2019-03-{day:02} {hour:02}:30:00\n", 1 + at % 9);
    }
    text
}

/// The part of the cells of a column that are as they may be.
fn part(rows: &[Vec<String>], column: usize, may_be: impl Fn(&str) -> bool) -> f64 {
    let cells: Vec<&String> = rows.iter().map(|row| &row[column]).filter(|cell| !cell.is_empty()).collect();
    cells.iter().filter(|cell| may_be(cell)).count() as f64 / cells.len() as f64
}

#[test]
fn columns_of_every_type_are_found_far_from_zero() {
    let bench = Workbench::new();
    bench.file("private.csv", private());
    bench.file("schema.toml", SCHEMA);
    for delta in ["0", "1e-5"] {
        let first = ["synth", "private.csv", "--schema", "schema.toml", "--model", "mixed", "--epsilon", "4"];
        bench.done(&[&first[..], &["--delta", delta, "--seed", "1", "--force", "--quiet"]].concat());
        let text = std::fs::read_to_string(bench.path("release").join("synthetic.csv")).unwrap();
        let rows: Vec<Vec<String>> =
            text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let between = |low: f64, high: f64| {
            move |cell: &str| cell.parse::<f64>().is_ok_and(|value| (low..=high).contains(&value))
        };
        let whole = |cell: &str| {
            cell.parse::<u64>().is_ok_and(|id| ((1 << 60) - 2000..(1 << 60) + 4000).contains(&id))
        };
        let found = [
            part(&rows, 0, between(1.47e9, 1.56e9)),
            part(&rows, 1, whole),
            part(&rows, 2, between(1e12 - 1.0, 1e12 + 2.0)),
            part(&rows, 3, between(-70_020.0, -69_990.0)),
            part(&rows, 4, |cell| ("1889-06-01".."1891-06-01").contains(&cell)),
            part(&rows, 5, |cell| ("2019-02-01".."2019-05-01").contains(&cell)),
        ];
        assert!(found.iter().all(|part| *part > 0.99), "delta {delta}: {found:?}");
        // To the last digit: a double has even numbers only, up there.
        assert!(part(&rows, 1, |cell| cell.ends_with(['1', '3', '5', '7', '9'])) > 0.2);
    }
}

/// Ten columns of a pure budget: what the search may not find is told before, what it did not find after, by name.
#[test]
fn columns_that_were_not_found_are_told_by_name() {
    let bench = Workbench::new();
    let names: Vec<String> = (0..10).map(|column| format!("c{column}")).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..3000_u64 {
        let cells = (0..10).map(|column| {
            let by = (row * (7 + 2 * column) + row / 13) % 3;
            if column == 9 { (1 << 60) + by } else { 40 + by * 10 }.to_string()
        });
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    bench.file("private.csv", text);
    let column = |name: &String| format!("[[column]]\nname = \"{name}\"\ntype = \"integer\"\n");
    bench.file("schema.toml", format!("version = 1\n{}", names.iter().map(column).collect::<String>()));
    let said = |seed: &str, more: &[&str]| {
        let synth = ["synth", "private.csv", "--schema", "schema.toml", "--model", "mixed", "--epsilon", "1"];
        let output = bench.run(&[&synth[..], &["--seed", seed, "--force"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let pure = ["1", "2", "3", "4", "5", "6", "7", "8"].map(|seed| said(seed, &[])).concat();
    assert!(pure.contains("not both limits are declared for `c0`"), "{pure}");
    let after =
        pure.lines().find(|line| line.contains("the search for limits ran out of budget")).expect(&pure);
    assert!(after.contains("`c9`") && !after.contains("`c0`"), "{after}");
    assert!(after.contains("Next time declare `minimum` and `maximum`"), "{after}");
    assert!(!said("1", &["--delta", "1e-6"]).contains("limits"));
}
