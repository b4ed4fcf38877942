//! The language of statistics: what they give, and what is said about wrong ones.

use indistinct::interval::Statistic;
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, Schema, Table, Values};
use proptest::prelude::*;

fn table() -> Table {
    let boolean = ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() };
    let date = ColumnType::Date { format: "%Y-%m-%d".to_owned() };
    Table::new(vec![
        Column::float("income", vec![10.0, 20.0, 30.0, f64::NAN, 50.0, 90.0]),
        Column::float("odd name", vec![1.0, 2.0, 3.0, 4.0, 5.0, 7.0]),
        Column::nominal("job", &["clerk", "cook", "no where"], vec![0, 1, 0, 1, 0, MISSING_CODE]),
        Column::new(ColumnSchema::new("smoker", boolean), Values::Code(vec![0, 1, 1, 0, MISSING_CODE, 1])),
        Column::float("w", vec![1.0, 1.0, 2.0, 1.0, 0.0, 1.0]),
        Column::new(ColumnSchema::new("day", date), Values::Date(vec![0, 1, 2, 3, 4, 5])),
    ])
    .unwrap()
}

fn schema() -> Schema {
    Schema::new(Vec::new(), table().columns().iter().map(|column| column.schema().clone()).collect()).unwrap()
}

fn value(text: &str) -> f64 {
    let statistic = Statistic::parse(text, &schema()).unwrap_or_else(|error| panic!("{error}"));
    statistic.prepare(&[table()]).unwrap_or_else(|error| panic!("{error}")).released()[0]
}

#[test]
fn statistics_are_what_they_are_called() {
    for (text, expected) in [
        ("mean(income)", 40.0),
        ("  mean( `odd name` )  ", 22.0 / 6.0),
        ("median(income)", 30.0),
        ("quantile(income, 0.25)", 20.0),
        ("quantile(income, 1)", 90.0),
        ("share(smoker)", 3.0 / 5.0),
        ("mean(smoker)", 3.0 / 5.0),
        ("share(job == 'clerk')", 3.0 / 5.0),
        ("share(income > 25 and not smoker)", 0.0),
        ("mean(income) where job == 'clerk'", 30.0),
        ("median(income) where smoker and income < 50", 25.0),
        ("mean(income, weight = w)", (10.0 + 20.0 + 60.0 + 90.0) / 5.0),
        ("share(job == 'cook', weight=w)", 2.0 / 5.0),
        ("median(income, weight = w)", 30.0),
        ("cor(income, income)", 1.0),
        ("mean(income) where job in ('clerk', 'no where')", 30.0),
    ] {
        let found = value(text);
        assert!((found - expected).abs() < 1e-12, "{text}: {found}, not {expected}");
    }
}

#[test]
fn regressions_have_named_coefficients() {
    let statistic = Statistic::parse("income ~ job", &schema()).unwrap();
    let prepared = statistic.prepare(&[table()]).unwrap();
    let names: Vec<&str> = prepared.terms().iter().map(|term| term.as_deref().unwrap()).collect();
    assert_eq!(names, ["(Intercept)", "jobcook"]);
    assert!((prepared.released()[0] - 30.0).abs() < 1e-9 && (prepared.released()[1] + 10.0).abs() < 1e-9);
    // A table without one of the levels has no coefficient for it, and the same names.
    let clerks = table().take(&[0, 2, 4]);
    let found = prepared.of(&clerks);
    assert!((found[0] - 30.0).abs() < 1e-9 && found[1].is_nan());
    // The mean over tables.
    let both = prepared.of_all(&[table(), table()]);
    assert!((both[1] + 10.0).abs() < 1e-9);
}

#[test]
fn coefficients_mean_the_same_in_every_table_or_are_undefined() {
    let group = |codes: Vec<u32>| Column::nominal("g", &["a", "b", "c"], codes);
    let table = |y: Vec<f64>, x: Vec<f64>, codes: Vec<u32>| {
        let z = x.iter().map(|x| 2.0 * x).collect();
        Table::new(vec![Column::float("y", y), Column::float("x", x), Column::float("z", z), group(codes)])
            .unwrap()
    };
    let released =
        table(vec![1.0, 3.0, 4.0, 6.0, 9.0, 7.0], vec![1.0, 2.0, 3.0, 4.0, 5.0, 7.0], vec![0, 0, 1, 1, 2, 2]);
    let columns = released.columns().iter().map(|column| column.schema().clone()).collect();
    let schema = Schema::new(Vec::new(), columns).unwrap();
    let prepared = |text: &str| {
        Statistic::parse(text, &schema).unwrap().prepare(std::slice::from_ref(&released)).unwrap()
    };
    // Without the level that others are compared with, nothing is left to compare.
    let without_a = table(vec![4.0, 6.0, 9.0, 7.0], vec![3.0, 4.0, 5.0, 7.0], vec![1, 1, 2, 2]);
    let of_groups = prepared("y ~ g");
    assert!(of_groups.released().iter().all(|value| value.is_finite()));
    assert!(of_groups.of(&without_a).iter().all(|value| value.is_nan()), "{:?}", of_groups.of(&without_a));
    // Without another one only that is undefined.
    let without_b = table(vec![1.0, 3.0, 9.0, 7.0], vec![1.0, 2.0, 5.0, 7.0], vec![0, 0, 2, 2]);
    let found = of_groups.of(&without_b);
    assert!((found[0] - 2.0).abs() < 1e-9 && found[1].is_nan() && (found[2] - 6.0).abs() < 1e-9, "{found:?}");
    // A level of which all rows have no weight is absent as well.
    let weighted = prepared("y ~ g, weight = x").of(&table(
        vec![1.0, 3.0, 4.0, 9.0, 7.0],
        vec![0.0, 0.0, 3.0, 5.0, 7.0],
        vec![0, 0, 1, 2, 2],
    ));
    assert!(weighted.iter().all(|value| value.is_nan()), "{weighted:?}");
    // A column that depends on others in the release has no coefficient where it does not depend on them either.
    let doubled = prepared("y ~ x + z");
    assert!(doubled.released()[2].is_nan());
    let mut columns = released.columns().to_vec();
    columns[2] = Column::float("z", vec![5.0, 1.0, 4.0, 2.0, 3.0, 6.0]);
    let free = doubled.of(&Table::new(columns).unwrap());
    assert!(free[2].is_nan() && (free[1] - doubled.released()[1]).abs() < 1e-9, "{free:?}");
    // One that is independent in the release, and depends on others in a rehearsal: x is the same in all rows.
    let constant = table(vec![1.0, 2.0, 3.0], vec![4.0; 3], vec![0, 1, 2]);
    assert!(doubled.of(&constant).iter().all(|value| value.is_nan()));
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (text, position, what, advice) in [
        ("", 1, "expected a statistic", "mean(income)"),
        ("income", 1, "expected a function", "mean(income)"),
        ("mean(incme)", 6, "no column is named `incme`", "did you mean `income`"),
        ("mean(job)", 6, "is a category", "share(job == 'clerk')"),
        ("mean(day)", 6, "is a date", "numbers"),
        ("day ~ income", 1, "is a date, and numbers are needed", "share(day"),
        ("odd name ~ income", 5, "expected ~", "back quotes around names with other signs: `odd name`"),
        ("income ~ odd name", 14, "", "`odd name`"),
        ("where ~ income", 1, "before `where`", "back quotes"),
        ("income ~ w weight = w", 12, "a comma before `weight`", "income ~ age, weight = w"),
        ("mean(income weight = w)", 13, "a comma before `weight`", "mean(income, weight = w)"),
        ("mean(`odd name`weight = w)", 16, "a comma before `weight`", ""),
        ("mean()", 6, "expected a column", "mean(income)"),
        ("mean(income", 12, "expected )", "close"),
        ("mean(income) + 1", 14, "expected `where`", "after `where`"),
        ("mean(income, smoker)", 14, "too many", ""),
        ("men(income)", 1, "not known", "did you mean `mean`"),
        ("quantile(income)", 16, "a column and a level", "0.9"),
        ("quantile(income, 2)", 18, "from 0 to 1", "0.9"),
        ("share(job)", 7, "a share of what", "share(job =="),
        ("share(income)", 7, "a share of what", "share(income > 0)"),
        ("share(job == 'clrk')", 14, "", "clerk"),
        ("mean(income) where agee > 3", 20, "", ""),
        ("mean(income) where", 19, "expected a condition", "age > 60"),
        ("income ~ agee", 10, "no column is named", ""),
        ("income ~ ", 9, "", ""),
        ("logit(smoker)", 7, "expected a formula", "logit(smoker ~"),
        ("logit(smoker ~ agee)", 16, "no column", ""),
        ("mean(income, weight = job)", 23, "weights are numbers", ""),
        ("mean(income, wait = w)", 14, "only `weight`", "weight = column"),
        ("cor(income)", 11, "two columns", ""),
    ] {
        let error = Statistic::parse(text, &schema()).expect_err(text);
        assert_eq!(error.position(), position, "{text}: {error}");
        assert!(error.what().contains(what), "{text}: {error}");
        assert!(error.advice().contains(advice) && !error.advice().is_empty(), "{text}: {}", error.advice());
    }
}

#[test]
fn statistics_have_the_range_of_what_they_are_made_of() {
    let mut columns = schema().columns().to_vec();
    columns.push(ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(18.0), Some(90.0)));
    columns.push(
        ColumnSchema::new("debt", ColumnType::Float)
            .with_limits(Some(10.0), None)
            .with_atoms(vec![-1.0, 0.0, 20.0]),
    );
    columns.push(ColumnSchema::new("free", ColumnType::Float).with_atoms(vec![0.0]));
    let schema = Schema::new(Vec::new(), columns).unwrap();
    let range = |text| Statistic::parse(text, &schema).unwrap().range();
    for text in ["mean(age)", "median(age) where smoker", "quantile(`age`, 0.9, weight = w)"] {
        assert_eq!(range(text), Some([18.0, 90.0]), "{text}");
    }
    assert_eq!(range("mean(debt)"), Some([-1.0, f64::INFINITY]));
    assert_eq!(range("median(smoker)"), Some([0.0, 1.0]));
    assert!(range("mean(free)").is_none() && range("age ~ w").is_none());
    assert_eq!(range("share(income > 3) where smoker"), Some([0.0, 1.0]));
    assert_eq!(range("mean(smoker)"), Some([0.0, 1.0]));
    assert_eq!(range("cor(income, w)"), Some([-1.0, 1.0]));
    assert!(range("mean(income)").is_none() && range("income ~ w").is_none());
}

#[test]
fn undefined_statistics_are_refused_with_the_reason() {
    for (text, what) in [
        ("mean(income) where income > 1000", "no row"),
        ("cor(w, income) where job == 'cook'", "undefined"),
        ("logit(job ~ income)", "two levels"),
        ("logit(income ~ w)", "other values than 0 and 1"),
        ("income ~ job where job == 'clerk'", "fewer than two levels"),
        ("job ~ income", "not a number"),
    ] {
        let statistic = Statistic::parse(text, &schema()).unwrap();
        let error = statistic.prepare(&[table()]).expect_err(text);
        assert!(error.what().contains(what), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_statistic_or_an_error_with_a_place(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "mean", "share", "cor", "logit", "quantile", "(", ")", ",", "income", "job", "smoker", "~", "where", "==",
                "'clerk'", "0.5", "weight", "=", "w", "`", "'", " ", "+", ":", "é", "and",
            ]),
            0..14,
        )
    ) {
        let text = words.concat();
        match Statistic::parse(&text, &schema()) {
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.position()), "{}", error),
            Ok(statistic) => drop(statistic.prepare(&[table()])),
        }
    }
}
