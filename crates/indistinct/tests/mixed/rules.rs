//! Rules between columns as part of the model: never broken, and columns stay distributed as they are.

use indistinct::mixed::{MixedModel, release};
use indistinct::privacy::Randomness;
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::{Generator, Seed};
use indistinct::synthesis::{Model, synthetic_table};
use indistinct::table::{ColumnSchema, ColumnType, Schema, Table};
use rand::RngExt;

use super::fixtures::column_of;
use super::{levels, options, reals};

const RULES: [&str; 9] = [
    "marital is missing when age < 15",
    "marital is not missing when age >= 15",
    "school is missing when age < 3",
    "school is not missing when age >= 3",
    "income == 0 when age < 15",
    "tenure == 'none' when housing != 'house'",
    "tenure != 'none' when housing == 'house'",
    "admitted <= left",
    "left - admitted <= 60",
];

fn columns() -> Vec<ColumnSchema> {
    let date = || ColumnType::Date { format: "%Y-%m-%d".into() };
    vec![
        ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(0.0), Some(99.0)),
        ColumnSchema::new(
            "marital",
            ColumnType::Nominal { levels: levels(&["single", "married", "widowed"]) },
        ),
        ColumnSchema::new(
            "school",
            ColumnType::Ordered { levels: levels(&["none", "low", "middle", "high"]) },
        ),
        ColumnSchema::new("income", ColumnType::Float).with_limits(Some(0.0), Some(90_000.0)),
        ColumnSchema::new("housing", ColumnType::Nominal { levels: levels(&["house", "ward", "prison"]) }),
        ColumnSchema::new("tenure", ColumnType::Nominal { levels: levels(&["none", "owned", "rented"]) }),
        ColumnSchema::new("admitted", date()).with_limits(Some(18_000.0), Some(19_000.0)),
        ColumnSchema::new("left", date()).with_limits(Some(18_000.0), Some(19_000.0)),
    ]
}

fn schema(rules: &[&str]) -> Schema {
    let schema = Schema::new(vec!["NA".to_owned()], columns()).unwrap();
    schema.with_constraints(rules.iter().map(|rule| (*rule, None))).unwrap()
}

/// Rows that follow all rules; income rises with age, the old are widowed, and wards keep people for long.
fn row(random: &mut Generator) -> [f64; 8] {
    let age = (100.0 * random.random::<f64>().powf(1.3)).floor().min(99.0);
    let u: [f64; 6] = std::array::from_fn(|_| random.random());
    let housing = if u[0] < 0.85 { 0.0 } else { (1.0 + 2.0 * u[1]).floor() };
    let marital = if u[2] < age / 150.0 { 2.0 } else { f64::from(u8::from(u[2] < 0.8)) };
    let admitted = 18_000.0 + (900.0 * u[3]).floor();
    [
        age,
        if age < 15.0 { f64::NAN } else { marital },
        if age < 3.0 { f64::NAN } else { (4.0 * u[4]).floor().min((age / 6.0).floor()) },
        if age < 15.0 { 0.0 } else { 300.0 * age * (0.5 + u[5]) },
        housing,
        if housing > 0.0 { 0.0 } else { 1.0 + f64::from(u8::from(u[1] < 0.4)) },
        admitted,
        admitted + ((if housing == 1.0 { 60.0 } else { 20.0 }) * u[4]).floor(),
    ]
}

fn table(rows: usize, seed: u64) -> Table {
    let mut random = Seed(seed).stream(0);
    let rows: Vec<[f64; 8]> = (0..rows).map(|_| row(&mut random)).collect();
    of_rows(&rows)
}

/// The columns of these rows.
fn of_rows(rows: &[[f64; 8]]) -> Table {
    let column =
        |(place, schema): (usize, ColumnSchema)| column_of(schema, rows.iter().map(|row| row[place]));
    Table::new(columns().into_iter().enumerate().map(column).collect()).unwrap()
}

fn fitted(schema: &Schema, real: &Table, (epsilon, seed): (&str, u64)) -> MixedModel {
    let plan = options(epsilon, "0.00001").plan_mixed(real.rows(), schema).unwrap();
    let found =
        release(&PrivateTable::new(real.clone()), &plan, Randomness::seeded(Seed(seed)), &Silent).unwrap();
    found.models.into_iter().next().unwrap()
}

fn made(model: &MixedModel, schema: &Schema, rows: usize) -> Table {
    let model = Model::Mixed(model.clone());
    synthetic_table(&model, schema, None, rows, &mut Seed(9).stream(0), &Silent).unwrap()
}

fn broken(table: &Table, schema: &Schema) -> Vec<usize> {
    let count = |kept: Vec<bool>| kept.into_iter().filter(|kept| !kept).count();
    schema.constraints().iter().map(|rule| count(rule.condition().satisfied(table))).collect()
}

/// The largest distance between two columns' distribution functions, missing values last.
fn distance(a: &Table, b: &Table, column: usize) -> f64 {
    let sorted = |table: &Table| {
        let last = |value: &f64| if value.is_nan() { f64::INFINITY } else { *value };
        let mut values: Vec<f64> = reals(table, column).iter().map(last).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let (a, b) = (sorted(a), sorted(b));
    let share = |of: &[f64], value: f64| of.partition_point(|other| *other <= value) as f64 / of.len() as f64;
    a.iter().chain(&b).map(|&value| (share(&a, value) - share(&b, value)).abs()).fold(0.0, f64::max)
}

#[test]
fn rules_hold_in_every_row_and_columns_stay_as_measured() {
    let (rules, none) = (schema(&RULES), schema(&[]));
    let real = table(8000, 1);
    assert_eq!(broken(&real, &rules), [0; RULES.len()]);
    let model = fitted(&rules, &real, ("2", 1));
    let many = made(&model, &rules, 1_000_000);
    assert_eq!((many.rows(), broken(&many, &rules)), (1_000_000, vec![0; RULES.len()]));
    let with = made(&model, &rules, 100_000);
    // The same steps without rules: what privacy costs anyhow.
    let without = made(&fitted(&none, &real, ("2", 1)), &none, 100_000);
    assert!(broken(&without, &rules).iter().sum::<usize>() > 1000);
    for column in 0..columns().len() {
        let (with, without) = (distance(&with, &real, column), distance(&without, &real, column));
        assert!(with < without + 0.015, "column {column}: {with} with rules, {without} without");
    }
}

#[test]
fn rules_that_margins_contradict_win() {
    // Nobody is missing, and incomes are never 0: the rules ask for both.
    let contrary = schema(&["marital is missing when age < 50", "income == 0 when age >= 50"]);
    let mut random = Seed(2).stream(0);
    let adults: Vec<[f64; 8]> =
        std::iter::repeat_with(|| row(&mut random)).filter(|row| row[0] >= 15.0).take(3000).collect();
    let real = of_rows(&adults);
    let fake = made(&fitted(&contrary, &real, ("4", 4)), &contrary, 5000);
    assert_eq!((fake.rows(), broken(&fake, &contrary)), (5000, vec![0, 0]));
}

#[test]
fn dependence_survives_beside_rules() {
    let rules = schema(&RULES);
    let real = table(20_000, 5);
    let fake = made(&fitted(&rules, &real, ("4", 6)), &rules, 20_000);
    let widowed = |table: &Table, old: bool| {
        let (age, marital) = (reals(table, 0), reals(table, 1));
        let of: Vec<f64> = age
            .iter()
            .zip(marital)
            .filter(|(age, marital)| !marital.is_nan() && (**age >= 70.0) == old)
            .map(|(_, marital)| f64::from(u8::from(marital == 2.0)))
            .collect();
        of.iter().sum::<f64>() / of.len() as f64
    };
    for old in [false, true] {
        let (real, fake) = (widowed(&real, old), widowed(&fake, old));
        assert!((real - fake).abs() < 0.05, "{old}: {real} {fake}");
    }
    let stays = |table: &Table| {
        let days = reals(table, 7).into_iter().zip(reals(table, 6));
        let days: Vec<f64> = days.map(|(left, admitted)| left - admitted).collect();
        days.iter().sum::<f64>() / days.len() as f64
    };
    assert!((stays(&real) - stays(&fake)).abs() < 8.0, "{} {}", stays(&real), stays(&fake));
}
