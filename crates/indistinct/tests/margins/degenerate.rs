//! Columns and budgets with which nothing can be done do no harm, and what is spent does not depend on rows.

use super::{budget, private, whole_numbers};
use indistinct::grid::ColumnFacts;
use indistinct::margin::measure;
use indistinct::privacy::{Budget, BudgetError, Delta, Epsilon, Neighbours, Randomness, StepError};
use indistinct::random::Seed;
use indistinct::table::{Column, Family};
use std::num::NonZeroU32;

fn columns() -> Vec<Vec<f64>> {
    vec![
        vec![],
        vec![f64::NAN],
        vec![3.0],
        vec![f64::NAN; 50],
        vec![7.25; 400],
        vec![0.0; 400],
        vec![1e300, -1e300, 1e-300, 0.0, f64::MAX, f64::MIN],
        (0..400).map(|row| if row % 2 == 0 { 1e12 } else { -3.0 }).collect(),
        (0..400).map(f64::from).collect(),
    ]
}

fn facts() -> Vec<ColumnFacts> {
    vec![
        ColumnFacts::default(),
        ColumnFacts { step: Some(1.0), ..ColumnFacts::default() },
        ColumnFacts { step: Some(0.01), atoms: vec![0.0, 7.25, -8.0], ..ColumnFacts::default() },
        ColumnFacts { minimum: Some(0.0), ..ColumnFacts::default() },
        ColumnFacts { maximum: Some(-5.0), step: Some(100.0), ..ColumnFacts::default() },
        whole_numbers(3.0, 3.0),
        whole_numbers(0.0, 1e15),
        ColumnFacts { minimum: Some(-1e300), maximum: Some(1e300), ..ColumnFacts::default() },
        ColumnFacts { minimum: Some(7.25), maximum: Some(7.25), ..ColumnFacts::default() },
    ]
}

#[test]
fn nothing_panics_and_every_margin_is_one() {
    for values in columns() {
        let table = private(Column::float("x", values));
        for (facts, family) in
            facts().into_iter().flat_map(|facts| Family::ALL.map(|family| (facts.clone(), family)))
        {
            let facts = ColumnFacts { family, ..facts };
            for epsilon in [1e-6, 0.5, 1e6] {
                let margin = measure(&table, 0, &facts, &mut budget(epsilon, 3), 1.0).unwrap();
                let sum: f64 = margin.cells().iter().map(|run| run.mass).sum();
                assert!((sum - 1.0).abs() < 1e-9 && (0.0..=1.0).contains(&margin.missing()), "{facts:?}");
                assert!(margin.to_value(margin.quantile(0.5)).is_finite());
                assert!(margin.codes(8).len() <= 8);
            }
        }
    }
}

#[test]
fn a_constant_column_is_found() {
    let table = private(Column::float("x", vec![41.0; 2000]));
    let facts = ColumnFacts { step: Some(1.0), ..ColumnFacts::default() };
    let margin = measure(&table, 0, &facts, &mut budget(1.0, 1), 1.0).unwrap();
    let position = margin.grid().position(41.0).unwrap();
    assert!(margin.probability(position) > 0.98 && margin.missing() == 0.0);
}

#[test]
fn missing_values_are_all_there_is() {
    let table = private(Column::float("x", vec![f64::NAN; 2000]));
    let margin = measure(&table, 0, &whole_numbers(0.0, 99.0), &mut budget(1.0, 1), 1.0).unwrap();
    assert!(margin.missing() > 0.98);
}

/// Steps and what they cost, for columns that have nothing in common but their number of rows.
#[test]
fn what_is_spent_does_not_depend_on_rows() {
    for facts in [whole_numbers(0.0, 1e5), ColumnFacts { atoms: vec![0.0], ..whole_numbers(-50.0, 50.0) }] {
        let steps: Vec<Vec<(String, Epsilon)>> = [vec![3.0; 400], (0..400).map(f64::from).collect()]
            .into_iter()
            .map(|values: Vec<f64>| {
                let mut budget = budget(0.5, 1);
                measure(&private(Column::float("x", values)), 0, &facts, &mut budget, 0.6).unwrap();
                budget.spends().iter().map(|spend| (spend.step.clone(), spend.epsilon)).collect()
            })
            .collect();
        assert_eq!(steps[0], steps[1]);
        assert!(steps[0].iter().all(|(step, _)| !step.contains("range")), "declared limits cost nothing");
        let spent: Epsilon = steps[0].iter().map(|(_, epsilon)| *epsilon).sum();
        assert!(spent <= "0.3".parse().unwrap() && spent > "0.299".parse().unwrap(), "{spent}");
    }
}

#[test]
fn shares_of_one_budget_last() {
    let table = private(Column::float("x", (0..3000).map(|row| f64::from(row % 71)).collect()));
    for delta in [Delta::ZERO, "0.00001".parse().unwrap()] {
        let total = "1".parse().unwrap();
        let mut budget = Budget::with_delta(total, delta, NonZeroU32::MIN, Randomness::seeded(Seed(1)));
        for _ in 0..3 {
            let facts = ColumnFacts { step: Some(1.0), ..ColumnFacts::default() };
            let margin = measure(&table, 0, &facts, &mut budget, 1.0 / 3.0).unwrap();
            assert!((20.0..50.0).contains(&margin.to_value(margin.quantile(0.5))));
        }
        assert!(measure(&table, 0, &ColumnFacts::default(), &mut budget, 0.1).is_err());
    }
}

#[test]
fn a_private_number_of_rows_is_refused() {
    let table = private(Column::float("x", vec![1.0; 100]));
    let budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::seeded(Seed(1)));
    let mut budget = budget.between(Neighbours::AddRemove);
    let refused = measure(&table, 0, &ColumnFacts::default(), &mut budget, 1.0).unwrap_err();
    assert!(matches!(refused, StepError::Budget(BudgetError::OtherNeighbours { .. })), "{refused}");
    assert!(budget.spends().is_empty());
}
