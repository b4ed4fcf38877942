//! Columns of which a release would say nothing are refused by name, with what would do; others are not.

use super::{levels, options};
use indistinct::Terms;
use indistinct::grid::ColumnFacts;
use indistinct::margin::{RangeOutlook, measure};
use indistinct::mixed::{HopelessBecause, HopelessColumn, Look, MixedError, MixedPlan, Remedy};
use indistinct::privacy::{Budget, Epsilon, Neighbours, Randomness};
use indistinct::private::PrivateTable;
use indistinct::random::Seed;
use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table};
use std::num::NonZeroU32;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|level| format!("l{level}")).collect()
}

fn nominal(name: &str, count: usize) -> ColumnSchema {
    ColumnSchema::new(name, ColumnType::Nominal { levels: names(count).into() })
}

fn schema(columns: Vec<ColumnSchema>) -> Schema {
    Schema::new(Vec::new(), columns).unwrap()
}

/// Columns of which one has far too many levels, and one no limits.
fn mixed_schema() -> Schema {
    schema(vec![
        ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(0.0), Some(110.0)),
        nominal("job", 800),
        ColumnSchema::new("sex", ColumnType::Nominal { levels: levels(&["f", "m"]) }),
        ColumnSchema::new("since", ColumnType::Integer),
    ])
}

fn refused(options: Terms, rows: usize, schema: &Schema) -> (Vec<HopelessColumn>, Remedy) {
    match options.plan_mixed(rows, schema) {
        Err(MixedError::HopelessColumns { columns, remedy }) => (columns, remedy),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hopeless_columns_are_named_with_what_is_wrong_and_what_would_do() {
    let (columns, remedy) = refused(options("0.5", "0"), 1000, &mixed_schema());
    assert_eq!(columns.iter().map(|column| &column.column).collect::<Vec<_>>(), ["job"]);
    let HopelessBecause::Levels { levels: 800, moved, most } = columns[0].because else {
        panic!("{columns:?}")
    };
    assert!(moved > 3.5 && (30..800).contains(&most), "{columns:?}");
    // What is told to do, does.
    let joined = |count: usize| {
        let mut columns = mixed_schema().columns().to_vec();
        columns[1] = nominal("job", count);
        options("0.5", "0").plan_mixed(1000, &schema(columns))
    };
    assert!(joined(most).is_ok() && joined(most * 5 / 4).is_err(), "{most}");
    let with = |epsilon: f64| options(&format!("{epsilon:.6}"), "0").plan_mixed(1000, &mixed_schema());
    assert!(with(1.001 * remedy.epsilon).is_ok() && with(0.95 * remedy.epsilon).is_err(), "{remedy:?}");
    assert_eq!(remedy.delta, None, "a delta makes a table of four columns noisier");

    let (columns, _) = refused(options("0.2", "0"), 1000, &mixed_schema());
    let limits = HopelessColumn { column: "since".to_owned(), because: HopelessBecause::Limits };
    assert!(columns.len() == 2 && columns.contains(&limits), "{columns:?}");
    let text = MixedError::HopelessColumns { columns, remedy }.to_string();
    assert!(text.starts_with("the release would say nothing about `job` (800 levels, "), "{text}");
    assert!(text.contains("`since` (not both limits are declared"), "{text}");
}

#[test]
fn a_delta_is_advised_where_it_would_do() {
    // Many columns, for which steps add up to less with a delta.
    let columns = (0..40).map(|place| nominal(&format!("x{place}"), 400)).collect();
    let (refused, remedy) = refused(options("2", "0"), 4000, &schema(columns));
    assert_eq!(refused.len(), 40);
    let delta = remedy.delta.unwrap();
    let columns = (0..40).map(|place| nominal(&format!("x{place}"), 400)).collect();
    assert!(options("2", "0").with(|terms| terms.delta = delta).plan_mixed(4000, &schema(columns)).is_ok());
}

/// Where the number of rows is private a plan follows a count that was paid for.
#[test]
fn what_was_paid_for_is_not_refused() {
    let options = options("0.2", "0").with(|terms| terms.neighbours = Neighbours::AddRemove);
    let plan = options.plan_mixed(1000, &mixed_schema()).unwrap();
    let hopeless: Vec<String> = plan.hopeless().into_iter().map(|column| column.column).collect();
    assert_eq!(hopeless, ["job", "since"]);
    assert_eq!(plan.outlooks()[0].look, Look::NothingButNoise);
}

#[test]
fn few_values_are_hopeless_where_noise_is_all_rows() {
    let columns = vec![nominal("wide", 30), nominal("wider", 30), nominal("widest", 30), nominal("flag", 2)];
    let plan = |epsilon: &str| options(epsilon, "0").plan_mixed(2000, &schema(columns.clone()));
    let look = |plan: MixedPlan| {
        let outlooks = plan.outlooks();
        outlooks.into_iter().find(|outlook| outlook.column == "flag").unwrap()
    };
    let flag = look(plan("1").unwrap());
    assert!(flag.hopeless().is_none() && flag.share < 0.2, "{flag:?}");
    // Nothing that passes as a whole has a share that may be off by everything.
    for epsilon in ["0.03", "0.04", "0.05", "0.07"] {
        if let Ok(plan) = plan(epsilon) {
            assert!(plan.outlooks().iter().all(|outlook| outlook.share < 1.0), "{epsilon}");
        }
    }
}

#[test]
fn limits_are_told_to_be_known_searched_for_or_out_of_reach() {
    let range = |rows: usize, column: ColumnSchema, epsilon: &str| {
        let options = options(epsilon, "0").with(|terms| terms.neighbours = Neighbours::AddRemove);
        options.plan_mixed(rows, &schema(vec![column])).unwrap().outlooks()[0].range
    };
    let number = || ColumnSchema::new("x", ColumnType::Float);
    assert_eq!(range(1000, number().with_limits(Some(0.0), Some(1.0)), "0.1"), RangeOutlook::Known);
    assert_eq!(range(1000, nominal("x", 3), "0.1"), RangeOutlook::Known);
    assert!(matches!(range(3000, number(), "1"), RangeOutlook::Searched(found) if found > 60));
    assert!(matches!(
        range(3000, number().with_limits(Some(0.0), None), "0.1"),
        RangeOutlook::Searched(10..50)
    ));
    assert_eq!(range(1000, number(), "0.1"), RangeOutlook::AroundZero);
    assert_eq!(range(1000, number(), "0.03"), RangeOutlook::Lost);
}

/// The threshold: from it on a column of levels whose frequencies fall like 1, 1/2, 1/3, ... comes out farther from the truth than if
/// all levels were taken to be equally frequent; what is only mostly noise comes closer, if there are many levels.
#[test]
fn what_is_refused_would_be_worse_than_not_having_looked() {
    const ROWS: f64 = 10_000.0;
    for count in [10, 100, 1000] {
        let harmonic: f64 = (1..=count).map(|rank| 1.0 / f64::from(rank)).sum();
        let of_level = |rank: u32| (ROWS / harmonic / f64::from(rank)).round() as usize;
        let codes: Vec<u32> =
            (1..=count).flat_map(|rank| std::iter::repeat_n(rank - 1, of_level(rank))).collect();
        let rows = codes.len() as f64;
        let shares: Vec<f64> = (1..=count).map(|rank| of_level(rank) as f64 / rows).collect();
        let even: f64 = shares.iter().map(|share| (share - 1.0 / f64::from(count)).abs() / 2.0).sum();
        let names = names(count as usize);
        let texts: Vec<&str> = names.iter().map(String::as_str).collect();
        let table = Table::new(vec![Column::nominal("x", &texts, codes)]).unwrap();
        let private = PrivateTable::new(table.clone());
        // The distance where noise of standard deviation 2 sqrt(2) / epsilon moves so many times all rows.
        let distance = |moved: f64| {
            let epsilon = 0.4 * 8f64.sqrt() * f64::from(count) / (moved * rows);
            let runs = 10;
            let one = |seed: u64| {
                let total = Epsilon::from_f64(epsilon).unwrap();
                let mut budget = Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(seed)));
                let margin = measure(&private, 0, &ColumnFacts::default(), &mut budget, 1.0).unwrap();
                let off = |(level, share): (usize, &f64)| (margin.probability(level) - share).abs() / 2.0;
                shares.iter().enumerate().map(off).sum::<f64>()
            };
            (1..=runs).map(one).sum::<f64>() / runs as f64
        };
        assert!(distance(3.5) > even, "{count} levels: {} and {even}", distance(3.5));
        assert!(count < 100 || distance(0.5) < even, "{count} levels: {} and {even}", distance(0.5));
    }
}

/// The epsilon that a message tells, as it is told, is enough for no message at all, also where it is tiny.
#[test]
fn the_epsilon_of_a_message_would_do() {
    let told = |text: &str| text.split("about ").nth(1).unwrap().split([' ', ',']).next().unwrap().to_owned();
    let columns = || schema(vec![nominal("a", 3), nominal("b", 5)]);
    let plan = |epsilon: &str, rows: usize| options(epsilon, "0").plan_mixed(rows, &columns());
    for (epsilon, rows) in [("0.05", 1000), ("0.00002", 300_000), ("0.0000001", 100_000_000)] {
        let refusal = plan(epsilon, rows).unwrap_err().to_string();
        assert!(refusal.starts_with("epsilon times rows is too small for 2 columns: "), "{refusal}");
        let enough = told(&refusal);
        assert!(plan(&enough, rows).unwrap().warning().is_none(), "{rows} rows: {refusal}");
        let less = format!("{:.12}", enough.parse::<f64>().unwrap() * 0.9);
        let warning = plan(&less, rows).unwrap().warning().unwrap().to_string();
        assert!(plan(&told(&warning), rows).unwrap().warning().is_none(), "{rows} rows: {warning}");
    }
    let one = schema(vec![nominal("a", 3)]);
    let refusal = options("0.01", "0").plan_mixed(1000, &one).unwrap_err().to_string();
    assert!(refusal.contains("for 1 column: "), "{refusal}");
}
