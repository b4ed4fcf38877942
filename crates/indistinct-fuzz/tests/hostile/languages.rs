//! Conditions, formulas and schemas.

use std::fmt::Write as _;

use indistinct::combine::Formula;
use indistinct::table::{Condition, SchemaError};
use indistinct_io::parse_schema;

use crate::feed;

const DEEP: usize = 200_000;

fn schema(text: &str) -> String {
    feed("schema", text.as_bytes());
    parse_schema(text).map_or_else(|error| error.to_string(), |_| "read".to_owned())
}

#[test]
fn deep_conditions_are_refused_and_long_ones_read() {
    let columns = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n";
    let known = parse_schema(columns).unwrap();
    for text in ["(", "not ", "-", "x + (", "x < -(", "x in (", "not (not "] {
        let text = text.repeat(DEEP);
        feed("condition", text.as_bytes());
        assert!(Condition::parse(&text, &known).is_err());
    }
    for (text, end) in [("x > 1 and ", "x < 2"), ("x == 3 or ", "x < 2"), ("x < 1 and (x < 2 or ", "x < 3")] {
        let text = format!("{}{end}", text.repeat(20_000));
        feed("condition", text.as_bytes());
    }
    let sum = format!("x > {}1", "1 + ".repeat(50_000));
    feed("condition", sum.as_bytes());
    assert!(Condition::parse(&sum, &known).is_ok());
    let list = format!("k in ({}1)", "1, ".repeat(100_000));
    feed("condition", list.as_bytes());
    assert!(Condition::parse(&"x < 1 and ".repeat(DEEP), &known).unwrap_err().to_string().contains("longer"));
}

#[test]
fn deep_and_long_derivations_have_an_end() {
    let derived = |expression: &str| {
        schema(&format!(
            "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"y\"\ntype = \"float\"\n\
             derive = \"{expression}\"\n"
        ))
    };
    for text in ["(", "-", "x ^ ", "round(", "min(x, ", "2 * (if x > 1 then ", "if x > 1 then if x > 2 then "]
    {
        assert!(derived(&text.repeat(10_000)).contains("nested more than 100 deep"), "{text}");
    }
    assert_eq!(derived(&format!("{}x", "if x > 1 then 2 else ".repeat(10_000))), "read");
    assert_eq!(derived(&format!("{}x", "x * x / ".repeat(20_000))), "read");
    assert!(derived(&"x + ".repeat(DEEP * 2)).contains("longer"));
    let many = (0..1100).map(|number| {
        format!("[[column]]\nname = \"d{number}\"\ntype = \"float\"\nderive = \"x + d{}\"\n", number / 2)
    });
    let many: String = many.collect();
    let text = format!("version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n{many}");
    assert!(schema(&text).contains("more than 1000 derived columns"));
}

#[test]
fn long_words_are_not_compared_with_each_other() {
    let name = "n".repeat(60_000);
    let text = format!(
        "version = 1\n[[column]]\nname = \"{name}\"\ntype = \"float\"\n[[constraint]]\nrule = \"{name}m > 1\"\n"
    );
    assert!(schema(&text).contains("there is no column"));
    let predictors =
        format!("version = 1\n[[column]]\nname = \"{name}\"\ntype = \"float\"\npredictors = [\"{name}m\"]\n");
    assert!(schema(&predictors).contains("is not a column"));
    feed("formula", format!("y ~ {name}").as_bytes());
}

#[test]
fn deep_and_long_formulas_have_an_end() {
    for text in ["y ~ (", "y ~ log(", "y ~ C("] {
        let text = format!("{text}{}", "log(".repeat(DEEP));
        feed("formula", text.as_bytes());
        assert!(Formula::parse(&text).is_err());
    }
    feed("formula", format!("y ~ {}x", "x + ".repeat(50_000)).as_bytes());
    feed("formula", format!("y ~ {}x", "x:sex:size:smokes*".repeat(10_000)).as_bytes());
}

#[test]
fn deep_toml_is_refused() {
    for text in [
        format!("version = {}", "[".repeat(DEEP)),
        format!("version = {}", "{a=".repeat(DEEP)),
        format!("version = {}1{}", "[".repeat(DEEP), "]".repeat(DEEP)),
        format!("{}a = 1", "a.".repeat(DEEP)),
        format!("[{}a]", "a.".repeat(DEEP)),
        format!("[[{}a]]", "a.".repeat(DEEP)),
    ] {
        assert_ne!(schema(&text), "read");
    }
}

#[test]
fn long_schemas_are_read_in_proportion() {
    let mut columns = "version = 1\n".to_owned();
    for column in 0..10_000 {
        let predictor = if column > 0 { format!("\"c{}\"", column - 1) } else { String::new() };
        write!(columns, "[[column]]\nname = \"c{column}\"\ntype = \"float\"\npredictors = [{predictor}]\n")
            .unwrap();
    }
    assert_eq!(schema(&columns), "read");
    let turned = columns.replacen("predictors = []", "predictors = [\"c9999\"]", 1);
    assert!(schema(&turned).contains("circle"));

    let mut levels = "version = 1\n[[column]]\nname = \"x\"\ntype = \"nominal\"\nlevels = [".to_owned();
    (0..300_000).for_each(|level| write!(levels, "\"{level}\",").unwrap());
    levels.push_str("]\n");
    assert_eq!(schema(&levels), "read");

    let mut rules = "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n".to_owned();
    (0..999).for_each(|_| rules.push_str("[[constraint]]\nrule = \"x > 1\"\n"));
    assert_eq!(schema(&rules), "read");
    rules.push_str("[[constraint]]\nrule = \"x < 1\"\n");
    assert!(schema(&rules).contains("cannot all be satisfied"));
    rules.push_str("[[constraint]]\nrule = \"x < 1\"\n");
    assert!(schema(&rules).contains(&SchemaError::TooManyConstraints.to_string()));
}

#[test]
fn absurd_numbers_in_a_schema_are_refused() {
    let column = |line: &str| format!("version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n{line}\n");
    for (line, word) in [
        ("decimals = 4294967295", "decimals"),
        ("decimals = 99999999999999999999999", "decimals"),
        ("minimum = 1e999", "finite"),
        ("maximum = nan", "finite"),
        ("atoms = [-inf]", "finite"),
    ] {
        assert!(schema(&column(line)).contains(word), "{line}: {}", schema(&column(line)));
    }
    let many: Vec<String> = (0..200_000).map(|atom| atom.to_string()).collect();
    assert!(schema(&column(&format!("atoms = [{}]", many.join(", ")))).contains("more than 1000"));
    assert!(schema(&column(&format!("missing = [{}]", many.join(", ")))).contains("more than 1000"));
}

#[test]
fn levels_are_matched_once_however_often_columns_are_compared() {
    let levels = |from: usize| (from..from + 20_000).map(|level| format!("\"{level}\",")).collect::<String>();
    let text = format!(
        "version = 1\n[[column]]\nname = \"a\"\ntype = \"nominal\"\nlevels = [{}]\n\
         [[column]]\nname = \"b\"\ntype = \"nominal\"\nlevels = [{}]\n[[constraint]]\nrule = \"{}a != b\"\n",
        levels(0),
        levels(10_000),
        "a == b or ".repeat(2_000)
    );
    assert_eq!(schema(&text), "read");
}
