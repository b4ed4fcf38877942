//! With a declared schema every table of the declared domain is released: what is refused never depends on the rows.

use super::{Workbench, stderr};

const SCHEMA: &str = r#"version = 1
[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 99
[[column]]
name = "income"
type = "float"
atoms = [0]
[[column]]
name = "job"
type = "nominal"
levels = ["clerk", "cook", "none"]
[[column]]
name = "since"
type = "date"
[[column]]
name = "smoker"
type = "boolean"
"#;

const NUMBERS: &str =
    "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"k\"\ntype = \"integer\"\n";

/// Tables of one row, 120 times: all missing, all equal, all atoms, at and beyond limits, extreme numbers.
const ROWS: [&str; 7] = [
    ",,,,",
    "40,1250.5,cook,2020-02-29,true",
    "0,0,clerk,0001-01-01,false",
    "99,0,none,9999-12-31,false",
    "-1000000,1e300,none,,",
    "NA,5e-324,cook,1970-01-01,NA",
    "1000000,-1.7976931348623157e308,?,1970-01-01,true",
];
const ROWS_OF_NUMBERS: [&str; 5] = [",", "1.5,3", "0,0", "1e300,-9007199254740993", "5e-324,"];

fn released(schema: &str, header: &str, row: &str, options: &[&str]) -> Option<String> {
    let bench = Workbench::new();
    bench.file("schema.toml", schema);
    // A last row that is like the others or not: neither may matter.
    for last in [row, "7"] {
        let last = if last == row { row.to_owned() } else { vec![""; header.split(',').count()].join(",") };
        bench.file("private.csv", format!("{header}\n{}{last}\n", format!("{row}\n").repeat(119)));
        let first =
            ["synth", "private.csv", "--schema", "schema.toml", "--epsilon", "20", "--force", "--quiet"];
        let output = bench.run(&[&first[..], options].concat());
        if output.status.code() != Some(0) {
            return Some(format!("{row:?} then {last:?}, {options:?}: {}", stderr(&output)));
        }
        if bench.run(&["verify", "release"]).status.code() != Some(0) {
            return Some(format!("{row:?} then {last:?}, {options:?}: is not verified"));
        }
    }
    None
}

#[test]
fn tables_of_any_columns_are_released_whatever_their_rows() {
    for row in ROWS {
        for options in [&[][..], &["--delta", "0.00001", "--score-epsilon", "1"]] {
            assert_eq!(released(SCHEMA, "age,income,job,since,smoker", row, options), None);
        }
    }
}

#[test]
fn tables_of_numbers_are_released_whatever_their_rows() {
    for row in ROWS_OF_NUMBERS {
        for options in [
            &[][..],
            &["--delta", "0.00001", "--score-epsilon", "1"],
            &["--model", "normal"],
            &["--discriminator", "optimal", "--candidates", "50"],
            &["--discriminator", "private-tree", "--candidates", "50"],
            &["--method", "noisy-bayes", "--bounds", "-40:40"],
            &["--method", "smooth-histogram", "--bounds", "-40:40", "--bins", "5"],
        ] {
            assert_eq!(released(NUMBERS, "x,k", row, options), None);
        }
    }
}
