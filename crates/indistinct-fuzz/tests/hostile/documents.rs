//! Models, certificates and ledgers.

use std::path::Path;

use indistinct::privacy::Certificate;
use indistinct::privacy::ledger::{Ledger, LedgerError};
use indistinct_io::parse_model;
use serde_json::{Value, json};

use crate::feed;

fn kept(target: &str, name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target).join(name))
        .unwrap()
}

/// What becomes of a model with one value replaced.
fn model(name: &str, place: &str, value: &Value) -> String {
    let mut document: Value = serde_json::from_str(&kept("model", name)).unwrap();
    *document.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
    let text = document.to_string();
    feed("model", text.as_bytes());
    parse_model("m", &text).map_or_else(|error| error.to_string(), |_| "read".to_owned())
}

#[test]
fn models_with_absurd_numbers_are_refused_or_sampled() {
    let margin = "/draws/0/margins/0";
    for (place, value) in [
        ("/grid/count", json!(1_u64 << 60)),
        ("/grid/count", json!(-1)),
        ("/grid/step", json!(1e308)),
        ("/grid/step", json!("NaN")),
        ("/grid/atoms", json!(vec![0.5; 2000])),
        ("/missing", json!(2)),
        ("/runs", json!([])),
        ("/runs", json!([[0, u64::MAX, 1.0, 0.0]])),
        ("/runs", json!([[u64::MAX, 1, 1.0, 0.0]])),
        ("/runs/0/2", json!(-0.1)),
        ("/heaps", json!([[0, u64::MAX, 0, 1.0]])),
    ] {
        let mut grid: Value = serde_json::from_str(&kept("model", "mixed")).unwrap();
        grid["draws"][0]["margins"][0]["heaps"] = json!([]);
        grid["draws"][0]["margins"][0]["grid"]["atoms"] = json!([]);
        *grid.pointer_mut(&format!("{margin}{place}")).unwrap_or_else(|| panic!("{place}")) = value;
        let text = grid.to_string();
        feed("model", text.as_bytes());
        let found = parse_model("m", &text).map_or_else(|error| error.to_string(), |_| "read".to_owned());
        assert!(found.contains("damaged"), "{place}: {found}");
    }
    for (place, value) in [
        ("/draws/0/mean_weight", json!(1e300)),
        ("/draws/0/mean_weight", json!(0)),
        ("/draws/0/block", json!([0, 0])),
        ("/draws/0/block", json!([u64::MAX])),
        ("/draws/0/branches", json!([])),
        ("/draws", json!([])),
        ("/rows", json!(-5)),
    ] {
        let found = model("mixed", place, &value);
        // Without corrections nothing is weighed.
        let unweighed = place.ends_with("mean_weight") && value == json!(1e300) && found == "read";
        assert!(found.contains("damaged") || unweighed, "{place}: {found}");
    }
    // The kept model is from before models said how many classes they have, and so it is read.
    for (classes, expected) in [(json!(12), "read"), (json!(0), "damaged"), (json!(1_u64 << 60), "damaged")] {
        let mut mixed: Value = serde_json::from_str(&kept("model", "mixed")).unwrap();
        mixed["draws"][0]["classes"] = classes.clone();
        let found = parse_model("m", &mixed.to_string())
            .map_or_else(|error| error.to_string(), |_| "read".to_owned());
        assert!(found.contains(expected), "{classes}: {found}");
    }
    for value in [json!(1e308), json!(-1e308), json!(5e-324)] {
        assert_eq!(model("normal", "/draws/0/location/0", &value), "read");
        assert_eq!(model("normal", "/draws/0/factor/1/0", &value), "read");
    }
    assert!(model("normal", "/draws/0/factor/1", &json!([1.0])).contains("damaged"));
}

#[test]
fn a_model_of_numbers_has_columns_of_numbers() {
    let text = kept("model", "normal").replacen("\\\"float\\\"", "\\\"date\\\"", 1);
    feed("model", text.as_bytes());
    assert!(parse_model("m", &text).unwrap_err().to_string().contains("do not fit its columns"));
    let text = kept("model", "mixed").replacen(
        "type = \\\"integer\\\"\\nminimum = 0\\nmaximum = 120",
        "type = \\\"identifier\\\"",
        1,
    );
    feed("model", text.as_bytes());
    assert!(parse_model("m", &text).is_err());
}

#[test]
fn weights_that_leave_no_rows_are_refused() {
    let mut document: Value = serde_json::from_str(&kept("model", "mixed")).unwrap();
    let draw = &mut document["draws"][0];
    draw["corrections"] = json!([{"first": {"value": 1}, "factors": [1e-9, 1e-9]}]);
    draw["mean_weight"] = json!(1.0);
    let text = document.to_string();
    feed("model", text.as_bytes());
    let error = parse_model("m", &text).unwrap_err().to_string();
    assert!(error.contains("hardly any rows"), "{error}");
}

#[test]
fn deep_json_is_refused() {
    for text in
        ["[".repeat(200_000), "{\"a\":".repeat(200_000), format!("{{\"tool\":{}", "[".repeat(200_000))]
    {
        feed("model", text.as_bytes());
        feed("certificate", text.as_bytes());
        assert!(parse_model("m", &text).is_err());
    }
}

#[test]
fn certificates_with_huge_numbers_are_refused_or_checked() {
    for (place, value) in [
        ("/epsilon", json!(1e308)),
        ("/epsilon", json!(-1)),
        ("/spent/0/epsilon", json!(1_000_000)),
        ("/rows", json!(u64::MAX)),
        ("/columns", json!(0)),
        ("/draws", json!(u64::MAX)),
        ("/measure_share", json!(1e308)),
        ("/rows_per_person", json!(u32::MAX)),
        ("/composition/rho", json!(1e-300)),
        ("/composition/delta", json!(0.999_999_999_999_999)),
        ("/spent", json!([])),
    ] {
        let mut document: Value = serde_json::from_str(&kept("certificate", "delta")).unwrap();
        *document.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value;
        let text = document.to_string();
        feed("certificate", text.as_bytes());
        if let Ok(certificate) = serde_json::from_str::<Certificate>(&text) {
            // Public numbers, from which nothing follows that could be checked.
            let harmless = ["/rows", "/draws", "/rows_per_person"].contains(&place);
            assert!(harmless || !certificate.check().is_empty(), "{place}");
        }
    }
}

#[test]
fn ledgers_with_absurd_counts_are_refused() {
    let text = kept("ledger", "charged");
    for count in ["000000", "999999", "99999999999999999999", "-00001", "000001 "] {
        let forged = text.replacen("entries 000002", &format!("entries {count}"), 1);
        feed("ledger", forged.as_bytes());
        assert!(Ledger::parse(&forged).is_err(), "{count}");
    }
    let doubled = text.replacen("\"epsilon\":20.0", "\"epsilon\":1e308", 1);
    feed("ledger", doubled.as_bytes());
}

#[test]
fn a_ledger_of_many_lines_is_read_in_proportion() {
    let text = kept("ledger", "charged");
    let last = text.lines().last().unwrap();
    let many = format!("{text}{}", format!("{last}\n").repeat(20_000));
    feed("ledger", many.as_bytes());
    assert_eq!(Ledger::parse(&many), Err(LedgerError::Tampered { entry: 3 }));
}
