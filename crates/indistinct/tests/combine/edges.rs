//! Tables and formulas that do not fit, alone or together.

use indistinct::combine::{CombineError, Formula, fit, fit_all, ols};
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_DATE, Table, Values};
use proptest::prelude::*;

fn formula(text: &str) -> Formula {
    Formula::parse(text).unwrap()
}

fn table() -> Table {
    let integers = ColumnSchema::new("k", ColumnType::Integer);
    let dates = ColumnSchema::new("day", ColumnType::Date { format: "%Y".to_owned() });
    let moments = ColumnSchema::new("at", ColumnType::DateTime { format: "%s".to_owned() });
    let seconds = [5, 1, 4, 2, 3, 0, 7, 8].map(|second| second * 1_000_000).to_vec();
    Table::new(vec![
        Column::float("y", vec![1.0, 2.0, 4.0, 3.0, 5.5, 6.0, 7.5, 7.0]),
        Column::float("x", vec![-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 3.5]),
        Column::nominal("f", &["a", "b"], vec![0, 0, 1, 1, 0, 1, 1, 0]),
        Column::nominal("one", &["a", "b"], vec![1; 8]),
        Column::new(integers, Values::Integer(vec![3, 1, 3, 1, 3, 1, 3, 1])),
        Column::new(dates, Values::Date(vec![0, 1, 2, 3, MISSING_DATE, 4, 5, 6])),
        Column::new(moments, Values::DateTime(seconds)),
    ])
    .unwrap()
}

fn refused(text: &str) -> (String, String) {
    let error = fit(&table(), &formula(text)).unwrap_err();
    (error.to_string(), error.advice().to_owned())
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (text, what, advice) in [
        ("y ~ xx", "formula, character 5: no column is named `xx`", "did you mean `x`?"),
        ("f ~ x", "table 1: formula, character 1: the response `f` is nominal", "numeric or boolean"),
        ("y ~ f + log(x)", "character 9: 2 values of `x` are not positive", "as it is"),
        ("y ~ log(f)", "character 5: `f` is nominal", "with numbers"),
        ("y ~ log(day)", "character 5: `day` is a date", "with numbers"),
        ("y ~ C(x)", "character 5: `x` has values that are not whole", "as it is"),
        ("y ~ one", "character 5: `one` has fewer than two levels", "leave it out"),
        ("y ~ 0", "no coefficients", "right of ~"),
        ("y ~ C(day)*f*x", "7 complete rows for", "fewer columns"),
    ] {
        let (found, help) = refused(text);
        assert!(found.contains(what) && help.contains(advice), "{text}: {found} / {help}");
    }
}

#[test]
fn dates_are_days_and_moments_are_seconds() {
    let found = fit(&table(), &formula("y ~ day")).unwrap();
    assert_eq!(
        (found.names(), found.used(), found.rows()),
        (&["(Intercept)".to_owned(), "day".to_owned()][..], 7, 8)
    );
    let by_seconds = fit(&table(), &formula("y ~ at")).unwrap();
    let y = [1.0, 2.0, 4.0, 3.0, 5.5, 6.0, 7.5, 7.0];
    let plain = ols(&y, &[&[5.0, 1.0, 4.0, 2.0, 3.0, 0.0, 7.0, 8.0]]).unwrap();
    assert_eq!(by_seconds.coefficients(), plain.coefficients());
    assert_eq!(fit(&table(), &formula("y ~ C(k)")).unwrap().names()[1], "C(k)3");
}

#[test]
fn levels_are_shared_by_all_tables() {
    let of = |levels: &[&str], codes: &[u32]| {
        let y = (0..codes.len()).map(|row| (row * row % 7) as f64).collect();
        Table::new(vec![Column::float("y", y), Column::nominal("f", levels, codes.to_vec())]).unwrap()
    };
    // c is declared by the first table and occurs in the second only; d is the second's own.
    let one = of(&["a", "c", "b", "unused"], &[0, 0, 2, 2, 0, 2, 1, 1]);
    let two = of(&["b", "a", "d", "c"], &[0, 1, 3, 3, 0, 1, 3, 1]);
    let fits = fit_all(&[&one, &two], &formula("y ~ f")).unwrap();
    for fit in &fits {
        assert_eq!(fit.names(), ["(Intercept)", "fc", "fb"]);
    }
    // The first level is the reference in both: the intercept is its mean.
    let mean =
        |rows: &[usize]| rows.iter().map(|row| (row * row % 7) as f64).sum::<f64>() / rows.len() as f64;
    assert!((fits[0].coefficients()[0] - mean(&[0, 1, 4])).abs() < 1e-12);
    assert!((fits[1].coefficients()[0] - mean(&[1, 5, 7])).abs() < 1e-12);
    let three = of(&["a", "d"], &[0, 1, 0, 1, 0, 1, 0, 1]);
    let fits = fit_all(&[&one, &three], &formula("y ~ f")).unwrap();
    assert_eq!(fits[0].aliased(), ["fd"]);
    assert_eq!(fits[1].aliased(), ["fc", "fb"]);
}

#[test]
fn tables_must_have_the_same_columns() {
    let table = table();
    let of = |columns: Vec<Column>| Table::new(columns).unwrap();
    let float = |name: &str| Column::float(name, vec![1.0, 2.0, 4.0, 8.0]);
    let nominal = Column::nominal("x", &["a", "b"], vec![0, 1, 0, 1]);
    let other = fit_all(&[&table, &of(vec![float("y")])], &formula("y ~ x")).unwrap_err();
    assert_eq!(other, CombineError::OtherColumns { table: 2, column: "x".to_owned() });
    let (small, large) = (of(vec![float("y"), float("x")]), of(vec![float("y"), float("x"), float("z")]));
    let other = fit_all(&[&small, &large], &formula("y ~ .")).unwrap_err();
    assert_eq!(other, CombineError::OtherColumns { table: 2, column: "z".to_owned() });
    assert!(fit_all(&[&small, &large], &formula("y ~ x")).is_ok(), "columns that are not used may differ");
    let other = fit_all(&[&small, &of(vec![float("y"), nominal])], &formula("y ~ x")).unwrap_err();
    assert!(matches!(other, CombineError::OtherType { table: 2, .. }), "{other}");
    assert_eq!(fit_all(&[], &formula("y ~ x")).unwrap_err(), CombineError::NoTables);
}

#[test]
fn large_designs_and_numbers_are_refused() {
    let many = Column::float("many", (0..3000).map(f64::from).collect());
    let large = Column::float("large", (0..3000).map(|row| f64::from(row) * 1e304).collect());
    let y = Column::float("y", (0..3000).map(|row| f64::from(row % 17)).collect());
    let table = Table::new(vec![y, many, large]).unwrap();
    let error = |text: &str| fit(&table, &formula(text)).unwrap_err();
    assert!(matches!(error("y ~ C(many)"), CombineError::TooManyColumns { columns: 3000, .. }));
    assert!(matches!(error("y ~ many:large"), CombineError::NotFinite { table: 1 }));
    assert!(
        matches!(error("y ~ large"), CombineError::NotFinite { table: 1 }),
        "its variance is below any double"
    );
    assert!(fit(&table, &formula("y ~ log(large)")).is_err(), "0 is among them");
    assert!(fit(&table, &formula("large ~ many")).is_err(), "and so is this one above");
    let moderate = table.columns().iter().map(|column| match column.values() {
        Values::Float(values) => {
            Column::float(column.name(), values.iter().map(|value| value * 1e-204).collect())
        }
        _ => column.clone(),
    });
    assert!(fit(&Table::new(moderate.collect()).unwrap(), &formula("y ~ large")).is_ok());
    assert!(matches!(ols(&[1.0, 2.0], &[&[1.0]]), Err(CombineError::Ragged { predictor: 1 })));
    assert!(matches!(ols(&[1.0, f64::NAN, 3.0], &[]), Err(CombineError::NotFinite { .. })));
    assert!(matches!(ols(&[1.0, 2.0], &[&[1.0, 5.0]]), Err(CombineError::TooFewRows { .. })));
    assert!(matches!(ols(&[], &[]), Err(CombineError::TooFewRows { .. })));
}

proptest! {
    /// Whatever is written, fitting gives an answer or an error.
    #[test]
    fn no_formula_makes_a_panic(
        words in proptest::collection::vec(
            proptest::sample::select(vec!["y", "x", "f", "one", "k", "day", "+", "-", "*", ":", ".", "0", "1", "log(x)", "C(k)", "`x`"]),
            1..14,
        )
    ) {
        let text = format!("y ~ {}", words.join(" "));
        if let Ok(formula) = Formula::parse(&text)
            && let Ok(found) = fit(&table(), &formula)
        {
            prop_assert_eq!(found.coefficients().len(), found.names().len());
            prop_assert!(found.std_errors().iter().all(|error| error.is_finite()));
        }
    }
}
