//! Messages about derivations that cannot be.

use indistinct::table::{ColumnSchema, ColumnType, Derive, Family, LookupValue, SchemaError};

use super::derivations::{boolean, derived, iso, ordered, with};

#[test]
fn mistakes_are_located_and_explained() {
    let float = || ColumnType::Float;
    let groups = || ordered(&["young", "old"]);
    for (kind, expression, position, what, advice) in [
        (float(), "", 1, "the expression is empty", "width * height"),
        (float(), "x *", 4, "the expression ends too early", "go on"),
        (float(), "x y", 3, "the expression ends before this", "+ - * / ^"),
        (float(), "x when y > 1", 3, "`when` stands in rules only", "if B then A else C"),
        (float(), "x + zz", 5, "no column `zz`", "use one of"),
        (float(), "2 * record", 5, "identifier", "other columns"),
        (float(), "z + 1", 1, "", ""),
        (float(), "if x > 1 then 2", 16, "goes on with `else`", "if A then B else C"),
        (float(), "if x > 1 else 2", 10, "goes on with `then`", "if A then B else C"),
        (float(), "1 + if x > 1 then 2 else 3", 5, "`if` cannot stand here", "parentheses"),
        (float(), "if x then 1 else 2", 4, "neither true nor false", "compare"),
        (float(), "if x > 1 then 1 else 'a'", 22, "does not go with a number", "without quotes"),
        (float(), "sqr(x)", 1, "no function `sqr`", "`sqrt`"),
        (float(), "`sqrt`(x)", 7, "nothing is called here", "round(x, 2)"),
        (float(), "round()", 1, "`round` does not take no arguments", "round(x)"),
        (float(), "min(x)", 1, "`min` does not take one argument only", "min(x, y)"),
        (float(), "abs(x, y)", 1, "`abs` does not take 2 arguments", "abs(x)"),
        (float(), "abs(x y)", 7, "comma", "abs(x)"),
        (float(), "round(x, y)", 10, "whole number from 0 to 15", "round(x, 2)"),
        (float(), "round(x, 1.5)", 10, "whole number from 0 to 15", "round(x, 2)"),
        (float(), "log(sex)", 5, "a category", "numbers"),
        (float(), "year(x)", 6, "has no year", "dates"),
        (float(), "x > 1", 3, "does not go with a number", "if ... then 1 else 0"),
        (float(), "sex", 1, "does not go with a number", "type of the column"),
        (float(), "born", 1, "does not go with a number", "type of the column"),
        (float(), "cut(x, 1)", 1, "does not go with a number", "type of the column"),
        (float(), "lookup(grade)", 1, "no lookup", "[column.lookup]"),
        (float(), "x == missing", 3, "", ""),
        (ColumnType::Integer, "age / 2", 1, "not always a whole number", "round(...)"),
        (ColumnType::Integer, "x", 1, "not always a whole number", "round(...)"),
        (ColumnType::Integer, "age + 0.5", 1, "not always a whole number", "decimals"),
        (ColumnType::Integer, "2 ^ age", 1, "not always a whole number", "round(...)"),
        (ColumnType::Integer, "seen - born", 1, "not always a whole number", "round(...)"),
        (iso(), "born + x", 1, "whole number of days", "round"),
        (iso(), "seen", 1, "does not go with a date", "type of the column"),
        (iso(), "born + died", 1, "cannot be added up", "subtract"),
        (boolean(), "x", 1, "does not go with true or false", "type of the column"),
        (boolean(), "'maybe'", 1, "no level `maybe`", "0, 1"),
        (groups(), "cut(age, 18, 65)", 1, "make 3 classes, and there are 2 levels", "one level more"),
        (groups(), "cut(age, 65, 18)", 14, "must increase", "lowest to highest"),
        (groups(), "cut(age, x)", 10, "cut points are numbers or dates", "cut(age, 18, 65)"),
        (groups(), "cut(age, '2001-01-01')", 10, "does not go with a number", "without quotes"),
        (groups(), "cut(sex, 1)", 5, "cannot be cut", "numbers and dates"),
        (groups(), "if age > 60 then 'old' else 'yuong'", 29, "no level `yuong`", "`young`"),
        (groups(), "sex", 1, "`F` can be given, and is not a level", "young, old"),
        (groups(), "age", 1, "does not go with a category", "name levels"),
    ] {
        let found = with(vec![derived("z", kind, expression)]);
        match found.expect_err(expression) {
            SchemaError::Derivation { column, error } => {
                assert_eq!(column, "z");
                if what.is_empty() {
                    continue;
                }
                assert_eq!(error.position(), position, "{expression}: {error}");
                assert!(error.what().contains(what), "{expression}: {error}");
                assert!(error.advice().contains(advice), "{expression}: {}", error.advice());
            }
            SchemaError::DerivedCircle { columns } => {
                assert_eq!((expression, columns), ("z + 1", vec!["z".to_owned()]));
            }
            other => panic!("{expression}: {other}"),
        }
    }
}

#[test]
fn circles_are_shown() {
    let columns = vec![
        derived("a", ColumnType::Float, "x + b"),
        derived("b", ColumnType::Float, "c * 2"),
        derived("c", ColumnType::Float, "if age > 3 then a else 0"),
    ];
    let error = with(columns).unwrap_err();
    let shown = "derived columns go round in a circle: `a` depends on `b` depends on `c` depends on `a`";
    assert_eq!(error.to_string(), shown);
}

#[test]
fn what_is_not_measured_has_no_say_in_measuring() {
    let column = || derived("z", ColumnType::Float, "x * 2");
    for (column, key) in [
        (column().with_atoms(vec![0.0]), "atoms"),
        (column().with_limits(Some(0.0), None), "minimum"),
        (column().with_limits(None, Some(1.0)), "maximum"),
        (column().with_family(Some(Family::Normal)), "family"),
        (column().with_predictors(Some(vec!["x".to_owned()])), "predictors"),
        (column().with_focus(Some(2.0)), "focus"),
    ] {
        let error = with(vec![column]).unwrap_err();
        assert_eq!(error, SchemaError::NotMeasured { column: "z".to_owned(), key });
    }
    let name = derived("z", ColumnType::Identifier, "x");
    assert!(matches!(with(vec![name]), Err(SchemaError::Misplaced { key: "derive", .. })));
    let predicted = ColumnSchema::new("w", ColumnType::Float).with_predictors(Some(vec!["z".to_owned()]));
    let error = with(vec![column(), predicted]).unwrap_err();
    assert!(error.to_string().contains("predictor `z` is derived"), "{error}");
    let alone = vec![derived("z", ColumnType::Float, "1")];
    assert_eq!(indistinct::table::Schema::new(vec![], alone), Err(SchemaError::NothingMeasured));
}

#[test]
fn lookups_have_every_level_and_no_other() {
    let of = |expression: &str, entries: &[(&str, LookupValue)]| {
        let lookup = entries.iter().map(|(level, value)| ((*level).to_owned(), value.clone())).collect();
        let derive = Derive { expression: expression.to_owned(), lookup };
        let column = ColumnSchema::new("z", ordered(&["a", "b"])).with_derive(Some(derive));
        match with(vec![column]).unwrap_err() {
            SchemaError::Derivation { error, .. } => format!("{error}; {}", error.advice()),
            other => panic!("{other}"),
        }
    };
    let text = |text: &str| LookupValue::Text(text.to_owned());
    let all = [("low", text("a")), ("middle", text("b")), ("high", text("a"))];
    for (expression, entries, parts) in [
        ("lookup(grade)", &all[..2], &["nothing for level `high` of `grade`", "\"NA\""][..]),
        ("lookup(sex)", &all, &["which is not a level of `sex`", "F, M"]),
        ("lookup(x)", &all, &["character 8", "`x` is a number", "nominal"]),
        ("lookup('low')", &all, &["only the levels of a column"]),
        ("if x > 1 then 'a' else 'b'", &all, &["a lookup that the expression does not use"]),
        (
            "lookup(grade)",
            &[("low", text("c")), ("middle", text("b")), ("high", text("a"))],
            &["the lookup: the column has no level `c`", "a, b"],
        ),
        (
            "lookup(grade)",
            &[("low", LookupValue::Truth(true)), ("middle", text("b")), ("high", text("a"))],
            &["true of the lookup, true or false, does not go with a category"],
        ),
    ] {
        let error = of(expression, entries);
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in: {error}");
        }
    }
}

#[test]
fn focus_is_a_sensible_number() {
    let column = |focus: f64| ColumnSchema::new("w", ColumnType::Float).with_focus(Some(focus));
    assert_eq!((column(3.0).focus(), ColumnSchema::new("w", ColumnType::Float).focus()), (3.0, 1.0));
    for focus in [0.1, 1.0, 2.5, 100.0] {
        assert!(with(vec![column(focus)]).is_ok());
    }
    for focus in [0.0, -1.0, 0.09, 101.0, f64::NAN, f64::INFINITY] {
        assert_eq!(with(vec![column(focus)]), Err(SchemaError::Focus { column: "w".to_owned() }));
    }
    let name = ColumnSchema::new("w", ColumnType::Identifier).with_focus(Some(2.0));
    assert!(matches!(with(vec![name]), Err(SchemaError::Misplaced { key: "focus", .. })));
}
