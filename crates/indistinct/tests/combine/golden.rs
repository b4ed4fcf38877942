//! Fits by R, made by `golden/make_lm.R`.

use indistinct::combine::{Formula, Rule, Target, combine, fit};
use indistinct::table::Table;
use serde_json::Value;

use super::common::golden::{column, numbers, strings};

fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-9 * wanted.abs()
}

#[test]
fn agrees_with_lm() {
    let golden: Value = serde_json::from_str(include_str!("../golden/lm.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() > 40);
    let mut aliased = 0;
    for case in cases {
        let text = case["formula"].as_str().unwrap();
        let columns = golden["tables"][case["table"].as_str().unwrap()].as_array().unwrap();
        let table = Table::new(columns.iter().map(column).collect()).unwrap();
        let found =
            fit(&table, &Formula::parse(text).unwrap()).unwrap_or_else(|error| panic!("{text}: {error}"));

        let estimated = strings(&case["estimated"]);
        assert_eq!(found.names(), estimated, "{text}");
        let all = strings(&case["names"]);
        let rest: Vec<&String> = all.iter().filter(|name| !estimated.contains(name)).collect();
        assert_eq!(found.aliased().iter().collect::<Vec<_>>(), rest, "{text}");
        aliased += rest.len();
        let wanted = numbers(&case["coefficients"]);
        let wanted: Vec<f64> = wanted.into_iter().filter(|value| !value.is_nan()).collect();
        // A coefficient is known to so many digits of its standard error.
        let rows = found.coefficients().iter().zip(&wanted).zip(found.std_errors());
        for ((name, ((found, wanted), error)), std_error) in
            found.names().iter().zip(rows).zip(numbers(&case["std_errors"]))
        {
            let precise = (found - wanted).abs() <= 1e-9 * wanted.abs().max(std_error);
            assert!(precise, "{text}: {name} is {found}, not {wanted}");
            assert!(close(error, std_error), "{text}: {name} has error {error}, not {std_error}");
        }
        assert!(close(found.sigma(), case["sigma"].as_f64().unwrap()), "{text}");
        assert_eq!(found.df() as u64, case["df"].as_u64().unwrap(), "{text}");
        assert_eq!(found.used() as u64, case["used"].as_u64().unwrap(), "{text}");

        // One table as if it were the original itself, many times over: what R's summary says.
        let alone =
            combine(std::slice::from_ref(&found), &Rule::Raab { n: 1000 }, Target::Original, 0.95).unwrap();
        for (coefficient, p) in alone.coefficients.iter().zip(numbers(&case["p"])) {
            let precise = (coefficient.p - p).abs() <= 1e-7 * p + 1e-300;
            assert!(precise, "{text}: {} has p {}, not {p}", coefficient.name, coefficient.p);
        }
    }
    assert!(aliased > 8);
}
