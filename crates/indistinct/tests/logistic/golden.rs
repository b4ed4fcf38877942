//! Fits by R, made by `golden/make_logistic.R`.

use indistinct::discriminator::logistic::{Options, fit};
use serde_json::Value;

use super::common::golden::{column, numbers};
use super::stack;

fn close(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-8 * wanted.abs().max(1.0)
}

#[test]
fn agrees_with_glm() {
    let cases: Value = serde_json::from_str(include_str!("../golden/logistic.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let columns = case["columns"].as_array().unwrap().iter().map(column).collect();
        let stacked = stack(columns, case["real_rows"].as_u64().unwrap() as usize);
        let interactions = case["interactions"].as_bool().unwrap();
        let options = Options::default().with(|options| options.interactions = interactions);
        let found = fit(&stacked, &options).unwrap();

        assert!(found.converged && found.ridge.is_none(), "{name}");
        assert_eq!(found.k() as u64, case["rank"].as_u64().unwrap(), "{name}: k");
        assert_eq!(found.iterations as u64, case["iterations"].as_u64().unwrap(), "{name}: iterations");
        // R lists aliased coefficients as missing, in column order.
        let wanted = numbers(&case["coefficients"]);
        assert_eq!(found.aliased.len(), wanted.iter().filter(|value| value.is_nan()).count(), "{name}");
        let kept = wanted.iter().filter(|value| !value.is_nan());
        for (found, wanted) in found.coefficients.iter().zip(kept) {
            assert!(close(found.value, *wanted), "{name}: {} is {}, not {wanted}", found.name, found.value);
        }
        assert!(close(found.deviance, case["deviance"].as_f64().unwrap()), "{name}: deviance");
        let scores = numbers(&case["scores"]);
        assert_eq!(found.scores.len(), scores.len());
        for (row, (found, wanted)) in found.scores.iter().zip(&scores).enumerate() {
            assert!((found - wanted).abs() <= 1e-8, "{name}: row {row}: {found}, not {wanted}");
        }
        let quality = found.distinguishability();
        assert!((quality.pmse - case["pmse"].as_f64().unwrap()).abs() <= 1e-10, "{name}: pMSE");
        let centred = case["pmse_centred"].as_f64().unwrap();
        assert!((quality.pmse_centred - centred).abs() <= 1e-10, "{name}: centred pMSE");
    }
}
