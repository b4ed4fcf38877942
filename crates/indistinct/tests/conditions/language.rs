//! Every construct, on a full row and on a row of missing values.

use indistinct::table::Condition;

use super::{schema, table};

#[test]
fn constructs() {
    for (text, full, missing) in [
        ("x > 1", Some(true), None),
        ("x<=1.5", Some(true), None),
        ("1.5e0 == x", Some(true), None),
        ("x != 1.5", Some(false), None),
        (".5 < x", Some(true), None),
        ("x + y == -0.5", Some(true), None),
        ("x - y * 2 == 5.5", Some(true), None),
        ("-(x + 1) * 2 < -4.9", Some(true), None),
        ("-x < - 1", Some(true), None),
        ("age > 60 and sex == 'F'", Some(true), None),
        ("age > 61 or sex == \"F\"", Some(true), None),
        ("not age > 61", Some(true), None),
        ("not (age > 60 and sex == 'M')", Some(true), None),
        ("age in (1, 61, -3)", Some(true), None),
        ("age not in (1, 61)", Some(false), None),
        ("sex in ('M')", Some(false), None),
        ("sex == partner", Some(true), None),
        ("partner != sex", Some(false), None),
        ("grade < 'high'", Some(true), None),
        ("'low' < grade", Some(true), None),
        ("grade >= target", Some(false), None),
        ("visits >= 2", Some(true), None),
        ("visits in (0, '2')", Some(true), None),
        ("smoker", Some(true), None),
        ("not drinker", Some(true), None),
        ("smoker == true", Some(true), None),
        ("smoker == 'no'", Some(false), None),
        ("smoker != drinker", Some(true), None),
        ("smoker in (false)", Some(false), None),
        ("born == '03/02/2001'", Some(true), None),
        ("born == '2001-02-03'", Some(true), None),
        ("born < died", Some(true), None),
        ("born + 30 == died", Some(true), None),
        ("died - born == 30", Some(true), None),
        ("died - 40 < born", Some(true), None),
        ("2 * (died - born) > 59", Some(true), None),
        ("'2001-03-05' - born == 30", Some(true), None),
        ("born in ('2001-02-03', '04/02/2001')", Some(true), None),
        ("seen > '2001-02-03'", Some(true), None),
        ("seen == '2001-02-03 16:00'", Some(true), None),
        ("seen < '2001-02-03T16:00:00.5'", Some(true), None),
        ("seen >= born", Some(true), None),
        ("born < seen - 0.5", Some(true), None),
        ("seen - born < 0.7", Some(true), None),
        ("died > seen + 29", Some(true), None),
        ("`odd name` == 7", Some(true), None),
        ("x is missing", Some(false), Some(true)),
        ("sex is not missing", Some(true), Some(false)),
        ("x > 1 or x is missing", Some(true), Some(true)),
        ("x > 100 and x is not missing", Some(false), Some(false)),
        ("x > 1 when sex == 'F'", Some(true), None),
        ("x < 1 when sex == 'M' and age > 3", Some(true), None),
        ("x < 1 when age > 3", Some(false), None),
        ("true", Some(true), Some(true)),
        ("1 < 2 and not false", Some(true), Some(true)),
        ("((((x)) > ((1))))", Some(true), None),
        ("x > 1 and true or false", Some(true), None),
        ("x / y == -0.75", Some(true), None),
        ("6 / 2 / 3 * 5 == 5", Some(true), Some(true)),
        ("x / 0 > 1", None, None),
        ("-y ^ 2 == -4", Some(true), None),
        ("2 ^ 3 ^ 2 == 512 and 4 ^ -1 == 0.25", Some(true), Some(true)),
        ("max(x, y, 0) == 1.5 and min(born, died) == born", Some(true), None),
        ("year(born) == 2001 and month(seen) == 2", Some(true), None),
        ("round(x * 1.0001, 2) == 1.5 and floor(y) < ceil(x)", Some(true), None),
        ("abs(y) + exp(0) == 3 and log(1) == 0", Some(true), None),
        ("(if age > 60 then 'F' else 'M') == sex", Some(true), None),
        ("if smoker then age > 60 else false", Some(true), None),
        ("if x is missing then true else x > 1", Some(true), Some(true)),
        ("cut(age, 18, 65) == grade", Some(true), None),
    ] {
        let condition = Condition::parse(text, &schema()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.holds(&table()), [full, missing], "{text}");
        assert_eq!(condition.passing(&table()), [full, missing].map(|truth| truth == Some(true)));
        assert_eq!(condition.satisfied(&table()), [full, missing].map(|truth| truth != Some(false)));
    }
}

#[test]
fn columns_are_told_by_position_and_found_by_name() {
    let condition = Condition::parse("`odd name` > x and x < 3 or smoker", &schema()).unwrap();
    assert_eq!(condition.columns(), [13, 0, 8]);
    let columns = table().columns().iter().rev().cloned().collect();
    let turned = indistinct::table::Table::new(columns).unwrap();
    assert_eq!(condition.holds(&turned), condition.holds(&table()));
}

#[test]
fn quotes_within_quotes() {
    let levels = super::levels(&["it's", "say \"so\""]);
    let kind = indistinct::table::ColumnType::Nominal { levels };
    let columns = vec![indistinct::table::ColumnSchema::new("a`b", kind)];
    let schema = indistinct::table::Schema::new(Vec::new(), columns).unwrap();
    for text in ["`a``b` == 'it''s'", "`a``b` == \"it's\"", "`a``b` == \"say \"\"so\"\"\""] {
        Condition::parse(text, &schema).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn mistakes_are_located_and_explained() {
    for (text, position, what, advice) in [
        ("", 1, "empty", "write one"),
        ("  ", 1, "empty", "write one"),
        ("agee > 3", 1, "no column `agee`", "`age`"),
        ("x > 1 and agee > 3", 11, "no column `agee`", "`age`"),
        ("zzzzzz > 3", 1, "no column", "use one of x, y, age"),
        ("record == 'a'", 1, "identifier", "other columns"),
        ("record is missing", 1, "identifier", "other columns"),
        ("sex == 'male'", 8, "no level `male`", "use one of F, M"),
        ("grade == 'hihg'", 10, "no level `hihg`", "`high`"),
        ("sex in ('F', 'X')", 14, "no level `X`", "F, M"),
        ("visits == 7", 11, "no level `7`", "0, 1, 2"),
        ("smoker == 'maybe'", 11, "no level `maybe`", "no, yes"),
        ("sex < 'M'", 5, "no order", "ordered"),
        ("sex < partner", 5, "no order", "ordered"),
        ("smoker > drinker", 8, "no order", "=="),
        ("grade < visits", 7, "same levels", "=="),
        ("grade == visits", 10, "no level in common", "same levels"),
        ("sex == 3 or x > 1", 8, "no level `3`", "F, M"),
        ("x == 'three'", 6, "does not go with a number", "without quotes"),
        ("x == sex", 6, "does not go with a number", "without quotes"),
        ("x == true", 6, "does not go with a number", "without quotes"),
        ("sex == x", 8, "does not go with a category", "F, M"),
        ("born > 2001", 8, "does not go with a date", "'2001-02-03'"),
        ("born > x", 8, "does not go with a date", "'2001-02-03'"),
        ("born > '31/31/2001'", 8, "not a date", "format"),
        ("seen > 'soon'", 8, "not a date with a time", "format"),
        ("born + died > 3", 1, "cannot be added", "subtract"),
        ("born * 2 > died", 1, "multiplied", "numeric"),
        ("x + sex > 3", 5, "does not go with a number", "without quotes"),
        ("'a' == 'b'", 5, "nothing that tells", "name a column"),
        ("x", 1, "neither true nor false", "compare"),
        ("x + 1", 1, "neither true nor false", "compare"),
        ("x > 1 and 3", 11, "neither true nor false", "compare"),
        ("(x > 1) == true", 2 + 2, "a condition cannot be compared", "and"),
        ("x = 1", 3, "`=`", "=="),
        ("x <> 1", 3, "`<>`", "!="),
        ("!smoker", 1, "`!`", "not"),
        ("x > 1 & y > 1", 7, "`&`", "`and`"),
        ("x // 2 > 1", 4, "a value is missing", "column"),
        ("sqroot(x) > 1", 1, "no function `sqroot`", "`sqrt`"),
        ("x > 1 if y", 7, "`if` cannot stand here", "parentheses"),
        ("x > 1 then y", 7, "`then` belongs to no `if`", "if A then B else C"),
        ("lookup(sex) == 'F'", 1, "no lookup", "[column.lookup]"),
        ("cut(x, 1) == 'low'", 11, "a class between cut points is compared", "name a column"),
        ("x > 1 AND y > 1", 7, "ends before", "small letters"),
        ("x > 1 y > 1", 7, "ends before", "`and`"),
        ("0 < x < 1", 7, "do not chain", "a < b and b < c"),
        ("(x > 1", 1, "never closed", ")"),
        ("x > 1)", 6, "closes nothing", "remove"),
        ("x >", 4, "ends too early", "column"),
        ("x > and", 5, "a value is missing", "back-quotes"),
        ("x > *", 5, "a value is missing", "column"),
        ("sex == 'F", 8, "never ends", "close"),
        ("`odd name == 7", 1, "never ends", "close"),
        ("x > 1e999", 5, "too large", "1e308"),
        ("3rd > 1", 1, "neither a number nor a name", "back-quotes"),
        ("x in 3", 6, "a list in parentheses", "('a', 'b', 3)"),
        ("x in ()", 7, "a list holds", "('a', 'b', 3)"),
        ("x in (1 2)", 9, "comma", "('a', 'b', 3)"),
        ("x in (y)", 7, "a list holds", "('a', 'b', 3)"),
        ("3 in (3)", 1, "values of a column", "name a column"),
        ("x is 3", 6, "missing values only", "=="),
        ("x + 1 is missing", 1, "only a column", "name one"),
        ("x not > 3", 7, "stands before a condition", "not (...)"),
        ("(x > 1 when y > 1) and x > 1", 8, "outside parentheses", "A when B"),
        ("x > 1 when y > 1 when x > 2", 18, "once", "A when B"),
        ("x > 1; y", 6, "`;`", "back-quotes"),
        ("sex == 'a\n\u{1b}b'", 8, "no level `a  b`", "F, M"),
        ("éé > 1 and agee > 2", 1, "no column `éé`", "use one of"),
    ] {
        let error = Condition::parse(text, &schema()).expect_err(text);
        assert_eq!(error.position(), position, "{text}: {error}");
        assert!(error.what().contains(what), "{text}: {error}");
        assert!(error.advice().contains(advice), "{text}: {}", error.advice());
        assert!(error.to_string().starts_with(&format!("at character {position}: ")));
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn deep_nesting_is_an_error_and_long_conditions_are_not() {
    let nested = |open: &str, close: &str, times: usize| {
        Condition::parse(&format!("{}x > 1{}", open.repeat(times), close.repeat(times)), &schema())
    };
    for (open, close) in [("(", ")"), ("not ", ""), ("not (", ")"), ("-", ""), ("-(", ")")] {
        let error = nested(open, close, 10_000).unwrap_err();
        assert!(error.what().contains("nested more than 100 deep"), "{error}");
    }
    assert!(nested("(", ")", 100).is_ok());
    for (part, join) in [("x > 1", " and "), ("x > 1", " or "), ("x", " + "), ("x", " * ")] {
        let long = vec![part; 50_000].join(join);
        let text = if part == "x" { format!("{long} > 1") } else { long };
        let condition = Condition::parse(&text, &schema()).unwrap();
        assert_eq!(condition.holds(&table()), [Some(true), None]);
    }
    let list = vec!["1"; 50_000].join(", ");
    assert!(Condition::parse(&format!("x in ({list})"), &schema()).is_ok());
}
