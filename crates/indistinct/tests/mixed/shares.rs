//! Shares of levels, missing values and atoms.

use super::{options, reals, share};
use indistinct::mixed::release;
use indistinct::privacy::Randomness;
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::synthesis::{Model, synthetic_table};
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_INTEGER, Schema, Table, Values,
};
use rand::RngExt;

/// Columns of levels (geometric shares), of few whole numbers, with an atom, and with holes.
fn survey(rows: usize) -> (Schema, Table) {
    let mut random = Seed(11).stream(0);
    let mut column = |count: usize, ratio: f64, holes: f64, shift: f64| -> Vec<f64> {
        let share = |level: usize| ratio.powi(level as i32);
        let all: f64 = (0..count).map(share).sum();
        let mut draw = || {
            let mut left = all * random.random::<f64>();
            let level = (0..count).find(|level| {
                left -= share(*level);
                left < 0.0
            });
            let level = level.unwrap_or(0) as f64;
            if random.random::<f64>() < holes { f64::NAN } else { level + shift }
        };
        (0..rows).map(|_| draw()).collect()
    };
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for (place, (count, ratio, holes)) in
        [(2, 0.5, 0.0), (2, 0.3, 0.0), (5, 0.5, 0.02), (7, 0.6, 0.0), (9, 0.6, 0.05), (16, 0.8, 0.0)]
            .into_iter()
            .enumerate()
    {
        let names: Vec<String> = (0..count).map(|level| format!("level {level}")).collect();
        let kind = ColumnType::Nominal { levels: names.into() };
        columns.push(ColumnSchema::new(&format!("nominal {place}"), kind));
        let code = |value: f64| if value.is_nan() { MISSING_CODE } else { value as u32 };
        values.push(Values::Code(column(count, ratio, holes, 0.0).into_iter().map(code).collect()));
    }
    let whole = |values: Vec<f64>| {
        let code = |value: f64| if value.is_nan() { MISSING_INTEGER } else { value as i64 };
        Values::Integer(values.into_iter().map(code).collect())
    };
    columns.push(ColumnSchema::new("years", ColumnType::Integer).with_limits(Some(1.0), Some(16.0)));
    values.push(whole(column(16, 0.85, 0.01, 1.0)));
    let gain = ColumnSchema::new("gain", ColumnType::Integer).with_atoms(vec![0.0]);
    columns.push(gain.with_limits(Some(0.0), Some(9999.0)));
    let gains = column(100, 0.97, 0.0, 0.0).into_iter().zip(column(2, 0.1, 0.0, 0.0));
    values.push(whole(gains.map(|(gain, any)| any * (100.0 + 37.0 * gain)).collect()));
    let schema = Schema::new(vec!["NA".to_owned()], columns.clone()).unwrap();
    let columns = columns.into_iter().zip(values).map(|(schema, values)| Column::new(schema, values));
    (schema, Table::new(columns.collect()).unwrap())
}

#[test]
fn shares_are_as_near_as_those_of_another_sample() {
    let rows = 30_000;
    let (schema, real) = survey(rows);
    let plan = options("1", "0.00001").plan_mixed(rows, &schema).unwrap();
    let mut errors: Vec<f64> = Vec::new();
    for seed in 0..4 {
        let found = release(&PrivateTable::new(real.clone()), &plan, Randomness::seeded(Seed(seed)), &Silent)
            .unwrap();
        let model = Model::Mixed(found.models[0].clone());
        let fake = synthetic_table(&model, &schema, None, rows, &mut Seed(seed).stream(1), &Silent).unwrap();
        for column in 0..real.columns().len() {
            let (a, b) = (reals(&real, column), reals(&fake, column));
            let levels = if column == 7 { 1 } else { 20 };
            let mut error = |is: &dyn Fn(f64) -> bool| {
                let (p, q) = (share(&a, is), share(&b, is));
                if p >= 0.01 {
                    errors.push((q - p) / (p * (1.0 - p) / rows as f64).sqrt());
                }
            };
            error(&f64::is_nan);
            (0..levels).for_each(|level| error(&|value| value == f64::from(level)));
        }
    }
    // In standard errors of a sample: one is what another sample of the population would have.
    let root_mean_square =
        (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
    let most = errors.iter().fold(0.0, |most: f64, error| most.max(error.abs()));
    assert!(errors.len() > 150 && root_mean_square < 1.0 && most < 4.0, "{root_mean_square} {most}");
}
