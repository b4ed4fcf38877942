//! With next to no noise a margin is the column's own distribution.

use super::{budget, distances, private, whole_numbers};
use indistinct::grid::ColumnFacts;
use indistinct::margin::{Margin, measure};
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, Values};

/// So much that noise is never drawn but zero.
const MUCH: f64 = 1e5;

fn measured(column: Column, facts: &ColumnFacts) -> Margin {
    measure(&private(column), 0, facts, &mut budget(MUCH, 1), 1.0).unwrap()
}

/// Whatever the margin: pieces of [0, 1] join up, quantiles find them again, and JSON gives the margin back.
pub(super) fn consistent(margin: &Margin) {
    let positions = margin.grid().len();
    let mut below = 0.0;
    for position in 0..positions {
        let (low, high) = margin.interval(position);
        assert!((low - below).abs() < 1e-12 && high >= low, "{position}");
        assert!((high - low - margin.probability(position)).abs() < 1e-12, "{position}");
        if high > low + 1e-12 {
            assert_eq!(margin.quantile(f64::midpoint(low, high)), position);
        }
        below = high;
    }
    assert!((below - 1.0).abs() < 1e-12);
    assert!(margin.probability(margin.quantile(0.0)) > 0.0 && margin.probability(margin.quantile(1.0)) > 0.0);
    let text = serde_json::to_string(margin).unwrap();
    assert_eq!(&serde_json::from_str::<Margin>(&text).unwrap(), margin);
    for max in [1, 2, 3, 8, 30] {
        let codes = margin.codes(max);
        let least = 1 + usize::from(codes.has_missing());
        assert!(codes.len() <= max.max(least), "{max}: {codes:?}");
        assert!((codes.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let mut sums = vec![0.0; codes.len()];
        for position in 0..positions {
            sums[codes.class(Some(position))] += margin.probability(position) * (1.0 - margin.missing());
        }
        sums[codes.class(None)] += margin.missing();
        for (sum, probability) in sums.iter().zip(codes.probabilities()) {
            assert!((sum - probability).abs() < 1e-9, "{max}: {sums:?} {codes:?}");
        }
    }
}

#[test]
fn numbers_of_every_kind() {
    let mixed: Vec<f64> = (0..3000)
        .map(|row| match row % 10 {
            0..5 => 0.0,
            5 => f64::NAN,
            6 => -8.0,
            7 => f64::from(row % 97) * 11.0,
            _ => f64::from(row / 3),
        })
        .collect();
    for facts in [
        whole_numbers(0.0, 1100.0),
        ColumnFacts { step: Some(1.0), ..ColumnFacts::default() },
        ColumnFacts { atoms: vec![0.0, -8.0], ..whole_numbers(0.0, 1100.0) },
        ColumnFacts { step: Some(1.0), atoms: vec![-8.0], minimum: Some(0.0), ..ColumnFacts::default() },
    ] {
        let margin = measured(Column::float("x", mixed.clone()), &facts);
        let [on_grid, binned, missing] = distances(&mixed, &margin, true);
        assert!(on_grid < 1e-6 && missing < 1e-6, "{facts:?}: {on_grid} {missing}");
        // Codes below the minimum count as the minimum, where they are no atoms.
        assert!(binned < 1e-6 || !facts.atoms.contains(&-8.0), "{facts:?}: {binned}");
        consistent(&margin);
    }
}

#[test]
fn decimals_and_reals() {
    let values: Vec<f64> = (0..2000).map(|row| f64::from(row * row % 481 + 20) / 100.0).collect();
    let facts = ColumnFacts { step: Some(0.01), ..ColumnFacts::default() };
    let margin = measured(Column::float("carat", values.clone()), &facts);
    assert!(distances(&values, &margin, true)[0] < 1e-6);
    let likeliest = margin.cells().iter().max_by(|a, b| a.mass.total_cmp(&b.mass)).unwrap();
    assert!(values.contains(&margin.to_value(likeliest.first)), "values come back with their decimals");
    consistent(&margin);
    let reals: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let margin = measured(Column::float("x", reals.clone()), &ColumnFacts::default());
    assert!(distances(&reals, &margin, false)[0] < 1e-6, "on the grid that was chosen");
    consistent(&margin);
}

#[test]
fn dates_levels_and_booleans() {
    let format = "%Y-%m-%d".to_owned();
    let kind = ColumnType::Date { format };
    let days: Vec<i32> =
        (0..900).map(|row| if row % 9 == 0 { MISSING_DATE } else { 18_000 + row % 700 }).collect();
    let column = Column::new(ColumnSchema::new("day", kind.clone()), Values::Date(days.clone()));
    let margin = measured(column, &ColumnFacts::of(&kind));
    assert!((margin.missing() - 1.0 / 9.0).abs() < 1e-9);
    let position = margin.grid().position(18_001.0).unwrap();
    let share = days.iter().filter(|day| **day == 18_001).count() as f64 / 800.0;
    assert!((margin.probability(position) - share).abs() < 1e-6);
    consistent(&margin);

    let codes: Vec<u32> = (0..100).map(|row| if row % 10 == 9 { MISSING_CODE } else { row % 3 }).collect();
    let margin = measured(
        Column::nominal(
            "c",
            &["a", "b", "never", "c"],
            codes.iter().map(|&code| if code == 2 { 3 } else { code }).collect(),
        ),
        &ColumnFacts::default(),
    );
    assert!((margin.missing() - 0.1).abs() < 1e-9 && margin.probability(2) == 0.0);
    let share = codes.iter().filter(|code| **code == 2).count() as f64 / 90.0;
    assert!((margin.probability(3) - share).abs() < 1e-6 && margin.to_value(3) == 3.0);
    consistent(&margin);
}

#[test]
fn codes_keep_spikes_apart_and_balance_the_rest() {
    let values: Vec<f64> =
        (0..4000).map(|row| if row % 2 == 0 { 0.0 } else { f64::from(row % 1000) }).collect();
    let margin = measured(Column::float("x", values), &whole_numbers(0.0, 1000.0));
    let codes = margin.codes(9);
    assert_eq!(codes.len(), 9);
    assert!((codes.probabilities()[codes.class(Some(0))] - 0.5).abs() < 1e-9);
    assert_ne!(codes.class(Some(0)), codes.class(Some(1)));
    assert!(codes.probabilities()[1..].iter().all(|p| (p - 0.0625).abs() < 0.002), "{codes:?}");
}

#[test]
fn files_that_are_no_margins_are_refused() {
    let good =
        r#"{"grid":{"spacing":"lattice","count":5},"missing":0.1,"runs":[[0,2,0.5,0.0],[3,1,0.5,0.0]]}"#;
    assert!(serde_json::from_str::<Margin>(good).is_ok());
    for (old, new) in [
        ("0.1", "1.5"),
        ("[3,1,", "[1,1,"),
        ("[3,1,", "[3,9,"),
        ("[3,1,0.5", "[3,1,0.4"),
        ("[3,1,0.5", "[3,1,-0.5"),
        ("[0,2,0.5,0.0]", "[0,2,0.5,1.5]"),
        ("[0,2,", "[0,0,"),
        ("[3,1,", "[18446744073709551615,1,"),
    ] {
        let bad = good.replacen(old, new, 1);
        assert!(bad != good && serde_json::from_str::<Margin>(&bad).is_err(), "{bad}");
    }
    assert!(serde_json::from_str::<Margin>(&good.replace("[[0,2,0.5,0.0],[3,1,0.5,0.0]]", "[]")).is_err());
}
