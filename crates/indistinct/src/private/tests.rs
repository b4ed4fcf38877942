//! Results that leave the boundary agree with counting, and nothing else leaves.

use super::*;
use crate::random::Seed;
use rand::RngExt;

fn private(values: Vec<f64>) -> PrivateRows {
    PrivateRows::new(&Table::new(vec![Column::float("x", values)]).unwrap()).unwrap()
}

#[test]
fn fullest_cells_agree_with_counting() {
    let mut random = Seed(1).stream(0);
    for round in 0..200 {
        let scale = 10f64.powi(round % 9 - 4);
        let shift = [0.0, 0.0, 1e3, -1e5][round as usize % 4] * scale;
        let whole = round % 3 == 0;
        let values: Vec<f64> = (0..40)
            .map(|_| {
                let value: f64 = random.random_range(-1.0..1.0);
                shift + scale * if whole { (value * 5.0).round() } else { value }
            })
            .collect();
        let found = private(values.clone()).numbers(0).fullest_cells(-30..40);
        for (exponent, found) in (-30..40).zip(found) {
            let cells: Vec<f64> = values.iter().map(|value| (value / 2f64.powi(exponent)).floor()).collect();
            let pair =
                |first: &f64| cells.iter().filter(|cell| **cell == *first || **cell == first + 1.0).count();
            let fullest = cells.iter().flat_map(|cell| [pair(cell), pair(&(cell - 1.0))]).max().unwrap();
            assert_eq!(found, fullest as i64, "{exponent}: {values:?}");
        }
    }
}

#[test]
fn extreme_numbers_do_no_harm() {
    let values = vec![f64::MAX, f64::MIN, f64::from_bits(1), -f64::from_bits(1), 0.0, -0.0, 1e-300, 1e300];
    let found = private(values).numbers(0).fullest_cells(-1074..1025);
    assert!(found.is_sorted() && *found.last().unwrap() == 8);
}

#[test]
fn intervals_are_counted_and_debug_shows_nothing() {
    let rows = private(vec![1.0, 2.0, 2.0, 3.5, 9.0]);
    assert_eq!(rows.numbers(0).interval_counts(&[1.0, 2.0, 3.0, 4.0]), [1, 2, 1]);
    assert_eq!(format!("{rows:?}"), "PrivateRows(5 rows, 1 columns)");
}

#[test]
fn only_the_schema_can_be_a_reason_to_refuse() {
    let table = |column| Table::new(vec![column]).unwrap();
    let error = PrivateRows::new(&table(Column::nominal("c", &["a"], vec![0]))).unwrap_err();
    assert_eq!(error.to_string(), "column `c` is nominal, not a number");
    for values in [vec![], vec![f64::NAN; 3], vec![1.0, f64::NAN], vec![-0.0]] {
        assert!(PrivateRows::new(&table(Column::float("x", values))).is_ok());
    }
}

#[test]
fn missing_values_take_no_part_until_they_are_completed() {
    let rows = private(vec![1.0, f64::NAN, 4.0, f64::NAN]);
    assert_eq!((rows.rows(), rows.numbers(0).taking_part()), (4, 2));
    let completed = rows.completed(&[4.0]);
    assert_eq!(completed.numbers(0).interval_counts(&[0.0, 2.0, 5.0]), [1, 3]);
    assert!(matches!(private(vec![1.0]).completed(&[4.0]), Cow::Borrowed(_)));
}

#[test]
fn values_beyond_declared_limits_are_taken_as_the_limit() {
    let limited = Column::float("x", vec![]).schema().clone().with_limits(Some(0.0), Some(2.0));
    let column = |values| Column::new(limited.clone().with_atoms(vec![-8.0]), Values::Float(values));
    let counts = |values| {
        let rows = PrivateRows::new(&Table::new(vec![column(values)]).unwrap()).unwrap();
        rows.numbers(0).fullest_cells(-20..20)
    };
    assert_eq!(counts(vec![-7.0, 0.5, 1e9, -8.0]), counts(vec![0.0, 0.5, 2.0, -8.0]));
    assert_ne!(counts(vec![-8.0, 0.5, 2.0, -8.0]), counts(vec![0.0, 0.5, 2.0, -8.0]));
}
