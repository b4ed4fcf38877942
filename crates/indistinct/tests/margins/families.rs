//! Declared families against the laws that columns were drawn from.

use super::exact::consistent;
use super::{budget, private, whole_numbers};
use indistinct::grid::ColumnFacts;
use indistinct::margin::{Margin, measure};
use indistinct::model;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, ColumnSchema, ColumnType, Family, Values};
use rand::RngExt;
use rand_distr::{Distribution, Gamma, LogNormal, Poisson, StandardNormal};

const PARAMETRIC: [Family; 3] = [Family::Normal, Family::Skewed, Family::Count];

/// A law, how columns are drawn from it, and its distribution function.
struct Truth {
    name: &'static str,
    facts: ColumnFacts,
    draw: fn(&mut Generator) -> f64,
    below: fn(f64) -> f64,
}

/// With the size of a gamma rate; Poisson's if that is 0.
fn negative_binomial(mean: f64, size: f64, random: &mut Generator) -> f64 {
    let rate: f64 = if size > 0.0 { Gamma::new(size, mean / size).unwrap().sample(random) } else { mean };
    Poisson::new(rate.max(1e-9)).unwrap().sample(random)
}

/// The sum of probabilities below x, each from the one before.
fn counts_below(x: f64, mean: f64, size: f64) -> f64 {
    let (mut probability, q) = if size > 0.0 {
        ((size / (size + mean)).powf(size), mean / (size + mean))
    } else {
        ((-mean).exp(), 0.0)
    };
    let mut sum = 0.0;
    for k in (0..).map(f64::from).take_while(|k| *k < x) {
        sum += probability;
        probability *= if size > 0.0 { (k + size) * q } else { mean } / (k + 1.0);
    }
    sum
}

fn skewed(z: f64) -> f64 {
    100.0 + 20.0 * ((z.asinh() + 0.8) / 0.8).sinh()
}

fn truths() -> [Truth; 5] {
    let of = |family: Family| ColumnFacts { family, ..ColumnFacts::default() };
    let counts = ColumnFacts { step: Some(1.0), minimum: Some(0.0), ..of(Family::Count) };
    [
        Truth {
            name: "normal",
            facts: of(Family::Normal),
            draw: |random| 50.0 + 10.0 * random.sample::<f64, _>(StandardNormal),
            below: |x| model::distribution((x - 50.0) / 10.0),
        },
        Truth {
            name: "normal, whole numbers with limits",
            facts: ColumnFacts { family: Family::Normal, ..whole_numbers(0.0, 120.0) },
            draw: |random| (45.0 + 14.0 * random.sample::<f64, _>(StandardNormal)).round(),
            below: |x| model::distribution((x - 45.0) / 14.0),
        },
        Truth {
            name: "skewed",
            facts: ColumnFacts { step: Some(0.1), ..of(Family::Skewed) },
            draw: |random| (10.0 * skewed(random.sample(StandardNormal))).round() / 10.0,
            below: |x| model::distribution((0.8 * ((x - 100.0) / 20.0).asinh() - 0.8).sinh()),
        },
        Truth {
            name: "Poisson",
            facts: counts.clone(),
            draw: |random| negative_binomial(3.0, 0.0, random),
            below: |x| counts_below(x, 3.0, 0.0),
        },
        Truth {
            name: "negative binomial",
            facts: ColumnFacts { maximum: Some(300.0), ..counts },
            draw: |random| negative_binomial(8.0, 1.5, random),
            below: |x| counts_below(x, 8.0, 1.5),
        },
    ]
}

impl Truth {
    fn rows(&self, rows: usize, seed: u64) -> Column {
        let mut random = Seed(seed).stream(1);
        Column::float("x", (0..rows).map(|_| (self.draw)(&mut random)).collect())
    }

    fn measured(&self, family: Family, (rows, epsilon, seed): (usize, f64, u64)) -> Margin {
        let facts = ColumnFacts { family, ..self.facts.clone() };
        measure(&private(self.rows(rows, seed)), 0, &facts, &mut budget(epsilon, seed), 1.0).unwrap()
    }

    /// Total variation between the law and a margin, on the margin's grid.
    fn distance(&self, margin: &Margin) -> f64 {
        let grid = margin.grid();
        let mut last = 0.0;
        let mut sum = 0.0;
        for position in 0..grid.len() {
            let end = position + 1 == grid.len();
            let below = if end { 1.0 } else { (self.below)(grid.value(position) + grid.step() / 2.0) };
            sum += (margin.probability(position) - (below - last)).abs();
            last = below;
        }
        sum / 2.0
    }
}

#[test]
fn laws_are_found_from_many_rows() {
    for truth in truths() {
        let margin = truth.measured(truth.facts.family, (20_000, 20.0, 5));
        let distance = truth.distance(&margin);
        assert!(distance < 0.015, "{}: {distance}", truth.name);
    }
}

#[test]
fn few_rows_tell_more_about_a_law_than_about_a_shape() {
    for truth in truths() {
        let mean = |family: Family| {
            let runs = (0..20).map(|seed| truth.distance(&truth.measured(family, (500, 0.2, seed))));
            runs.sum::<f64>() / 20.0
        };
        let (law, shape) = (mean(truth.facts.family), mean(Family::Histogram));
        eprintln!("{}: {law:.3} by its law, {shape:.3} as a histogram", truth.name);
        assert!(law < 0.8 * shape, "{}: {law} {shape}", truth.name);
    }
}

#[test]
fn tails_are_not_cut_where_no_limit_is_declared() {
    for truth in truths() {
        for seed in 0..5 {
            let margin = truth.measured(truth.facts.family, (1000, 1.0, seed));
            let half = margin.grid().step() / 2.0;
            let (low, high) = (margin.to_value(0) - half, margin.to_value(usize::MAX) + half);
            let beyond = (truth.below)(low) + 1.0 - (truth.below)(high);
            assert!(beyond < 1e-3, "{}: {low} to {high}, {beyond}", truth.name);
        }
    }
}

/// What is no atom has a law, and atoms and holes what was counted.
#[test]
fn atoms_and_missing_values_keep_their_masses() {
    let mut random = Seed(3).stream(0);
    let income = LogNormal::<f64>::new(10.0, 0.6).unwrap();
    let values: Vec<f64> = (0..20_000)
        .map(|row| match row % 10 {
            0..4 => 0.0,
            4 => -8.0,
            5 => f64::NAN,
            _ => income.sample(&mut random).round(),
        })
        .collect();
    for family in PARAMETRIC {
        let atoms = vec![0.0, -8.0];
        let facts =
            ColumnFacts { step: Some(1.0), atoms, minimum: Some(1.0), family, ..ColumnFacts::default() };
        let table = private(Column::float("income", values.clone()));
        let margin = measure(&table, 0, &facts, &mut budget(20.0, 1), 1.0).unwrap();
        let probability = |value: f64| margin.probability(margin.grid().position(value).unwrap());
        assert!((margin.missing() - 0.1).abs() < 1e-3, "{family:?}");
        assert!((probability(0.0) - 4.0 / 9.0).abs() < 1e-3 && (probability(-8.0) - 1.0 / 9.0).abs() < 1e-3);
        let median = margin.to_value(margin.quantile(5.0 / 9.0 + 2.0 / 9.0));
        assert!((median.ln() - 10.0).abs() < 0.25, "{family:?}: {median}");
        assert_eq!(margin.to_value(margin.quantile(0.0)), -8.0);
    }
    // An atom among the counts: the law is that of the others.
    let visits: Vec<f64> = (0..20_000)
        .map(|row| if row % 2 == 0 { 0.0 } else { negative_binomial(4.0, 0.0, &mut random) })
        .collect();
    let facts = ColumnFacts { atoms: vec![0.0], family: Family::Count, ..ColumnFacts::default() };
    let table = private(Column::float("visits", visits));
    let margin = measure(&table, 0, &facts, &mut budget(20.0, 1), 1.0).unwrap();
    let none = 0.5 + 0.5 * (-4.0_f64).exp();
    assert!((margin.probability(0) - none).abs() < 2e-3);
    assert!(
        (margin.probability(4) - 0.5 * counts_below(5.0, 4.0, 0.0) + 0.5 * counts_below(4.0, 4.0, 0.0)).abs()
            < 3e-3
    );
}

#[test]
fn whatever_is_measured_makes_a_proper_margin() {
    let outlier = |row: i32| if row == 7 { 1e300 } else { f64::from(row % 40) };
    let columns: [Vec<f64>; 7] = [
        vec![41.0; 2000],
        vec![f64::NAN; 2000],
        vec![0.0; 2000],
        (0..2000).map(outlier).collect(),
        (0..2000).map(|row| f64::from(row % 40) - 60.0).collect(),
        (0..50).map(f64::from).collect(),
        (0..2000).map(|row| f64::from(row % 2) * 200.0).collect(),
    ];
    for values in columns {
        let table = private(Column::float("x", values));
        for family in PARAMETRIC {
            for facts in [
                whole_numbers(-100.0, 200.0),
                ColumnFacts { atoms: vec![0.0, 41.0, 0.5], ..whole_numbers(0.0, 100.0) },
                ColumnFacts { step: Some(1.0), ..ColumnFacts::default() },
            ] {
                for epsilon in [1e-4, 0.3, 1e4] {
                    let facts = ColumnFacts { family, ..facts.clone() };
                    let margin = measure(&table, 0, &facts, &mut budget(epsilon, 2), 1.0).unwrap();
                    if margin.grid().len() < 5000 {
                        consistent(&margin);
                    }
                }
            }
        }
    }
}

#[test]
fn degenerate_columns_are_found() {
    for family in PARAMETRIC {
        let facts = ColumnFacts { step: Some(1.0), family, ..ColumnFacts::default() };
        let found = |values: Vec<f64>, facts: &ColumnFacts| {
            measure(&private(Column::float("x", values)), 0, facts, &mut budget(2.0, 1), 1.0).unwrap()
        };
        let margin = found(vec![41.0; 2000], &facts);
        let median = margin.to_value(margin.quantile(0.5));
        // No count has a variance below its mean.
        assert!(
            (median - 41.0).abs() <= if family == Family::Count { 2.0 } else { 0.0 },
            "{family:?}: {median}"
        );
        let missing = found(vec![f64::NAN; 2000], &facts);
        assert!(missing.missing() == 1.0 && missing.cells().len() == 1, "even over the grid");
        let atoms = found(vec![7.0; 2000], &ColumnFacts { atoms: vec![7.0], ..facts.clone() });
        assert!(atoms.probability(atoms.grid().position(7.0).unwrap()) > 0.98);
        let mut random = Seed(1).stream(0);
        let mut outlier: Vec<f64> = (0..2000).map(|_| negative_binomial(20.0, 0.0, &mut random)).collect();
        outlier[9] = 1e300;
        let margin = found(outlier, &facts);
        let quartiles = [0.25, 0.75].map(|part| margin.to_value(margin.quantile(part)));
        assert!((quartiles[0] - 17.0).abs() < 2.0 && (quartiles[1] - 23.0).abs() < 2.0, "{quartiles:?}");
    }
    let below = (0..2000).map(|row| -f64::from(row % 40)).collect();
    let table = private(Column::float("x", below));
    let facts = ColumnFacts { family: Family::Count, ..ColumnFacts::default() };
    let margin = measure(&table, 0, &facts, &mut budget(2.0, 1), 1.0).unwrap();
    assert!(margin.to_value(0) == 0.0 && margin.probability(0) > 0.95, "what is below counts as the minimum");
}

#[test]
fn days_and_seconds_stay_whole() {
    let date = ColumnType::Date { format: "%Y-%m-%d".to_owned() };
    let moment = ColumnType::DateTime { format: "%Y-%m-%dT%H:%M:%S".to_owned() };
    let mut random = Seed(2).stream(0);
    let days: Vec<i32> =
        (0..3000).map(|_| (18_000.0 + 300.0 * random.sample::<f64, _>(StandardNormal)) as i32).collect();
    // Every third moment between two seconds.
    let micros: Vec<i64> =
        days.iter().zip(0..).map(|(day, row)| i64::from(*day) * 86_400_000_000 + row % 3 * 400_000).collect();
    let day = Column::new(ColumnSchema::new("day", date), Values::Date(days));
    let at = Column::new(ColumnSchema::new("at", moment), Values::DateTime(micros));
    for (column, step, day) in [(day, 1.0, 1.0), (at, 1e6, 86_400e6)] {
        for family in Family::ALL {
            let minimum = (family == Family::Count).then_some(17_000.0 * day);
            let schema = column.schema().clone().with_family(Some(family)).with_limits(minimum, None);
            let facts = ColumnFacts::of_column(&schema);
            let margin = measure(&private(column.clone()), 0, &facts, &mut budget(1.0, 4), 1.0).unwrap();
            let values = (0..=100).map(|part| margin.to_value(margin.quantile(f64::from(part) / 100.0)));
            assert!(values.into_iter().all(|value| value % step == 0.0), "{family:?}");
            let median = margin.to_value(margin.quantile(0.5)) / day;
            assert!((median - 18_000.0).abs() < 60.0, "{family:?}: {median}");
        }
    }
}

#[test]
fn facts_of_a_column_are_what_its_schema_says() {
    let income = ColumnSchema::new("income", ColumnType::Float)
        .with_decimals(Some(2))
        .with_atoms(vec![0.0, -8.0])
        .with_limits(Some(0.01), None)
        .with_family(Some(Family::Skewed));
    let facts = ColumnFacts {
        step: Some(0.01),
        atoms: vec![0.0, -8.0],
        minimum: Some(0.01),
        maximum: None,
        family: Family::Skewed,
    };
    assert_eq!(ColumnFacts::of_column(&income), facts);
    assert_eq!(ColumnFacts::of_column(&ColumnSchema::new("x", ColumnType::Float)), ColumnFacts::default());
    let whole = ColumnSchema::new("k", ColumnType::Integer);
    assert_eq!(ColumnFacts::of_column(&whole), ColumnFacts::of(&ColumnType::Integer));
}

#[test]
fn a_grid_stays_within_the_declared_end() {
    let table = private(Column::float("x", (0..30).map(|row| f64::from(100 + row)).collect()));
    for family in Family::ALL {
        for seed in 0..20 {
            let limited = |minimum: Option<f64>, maximum: Option<f64>| {
                let facts =
                    ColumnFacts { step: Some(1.0), minimum, maximum, family, ..ColumnFacts::default() };
                measure(&table, 0, &facts, &mut budget(0.01, seed), 1.0).unwrap()
            };
            assert!(limited(Some(100.0), None).to_value(0) == 100.0, "{family:?} {seed}");
            let margin = limited(None, Some(-50.0));
            assert!(family == Family::Count || margin.to_value(usize::MAX) == -50.0, "{family:?} {seed}");
        }
    }
}
