//! Populations of known truth, to take private tables from.

use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table, Values};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

/// Rows of a population. The truth is what a statistic is on them, exactly.
const ROWS: usize = 500_000;

/// A population, and statistics of it.
pub(crate) struct Population {
    pub(crate) schema: Schema,
    pub(crate) rows: Table,
    pub(crate) statistics: Vec<&'static str>,
}

impl Population {
    /// Independent rows of it.
    pub(crate) fn sample(&self, rows: usize, random: &mut Generator) -> Table {
        let all = self.rows.rows() as u32;
        let chosen: Vec<u32> = (0..rows).map(|_| random.random_range(0..all)).collect();
        self.rows.take(&chosen)
    }
}

pub(crate) fn population(name: &str) -> Population {
    let mut random = Seed(2024).stream(0);
    match name {
        "people" => people(&mut random),
        "normal" => normal(&mut random),
        "rules" => rules(&mut random),
        "parity" => parity(&mut random),
        other => panic!("no population is named {other}"),
    }
}

fn normal_draw(random: &mut Generator) -> f64 {
    StandardNormal.sample(random)
}

fn chance(probability: f64, random: &mut Generator) -> bool {
    random.random::<f64>() < probability
}

fn logistic(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}

fn nominal(name: &str, levels: &[&str]) -> ColumnSchema {
    ColumnSchema::new(
        name,
        ColumnType::Nominal { levels: levels.iter().map(|&level| level.into()).collect() },
    )
}

fn boolean(name: &str) -> ColumnSchema {
    ColumnSchema::new(name, ColumnType::Boolean { when_false: "no".to_owned(), when_true: "yes".to_owned() })
}

fn made(columns: Vec<(ColumnSchema, Values)>, statistics: &[&'static str]) -> Population {
    let schema = Schema::new(Vec::new(), columns.iter().map(|(schema, _)| schema.clone()).collect()).unwrap();
    let columns = columns.into_iter().map(|(schema, values)| Column::new(schema, values));
    Population { schema, rows: Table::new(columns.collect()).unwrap(), statistics: statistics.to_vec() }
}

/// Age, sex, region, income and smoking, all dependent.
fn people(random: &mut Generator) -> Population {
    let (mut age, mut sex, mut region, mut income, mut smoker) = (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..ROWS {
        let years = (18.0 + 72.0 * f64::midpoint(random.random::<f64>(), random.random::<f64>())).round();
        let male = chance(0.47, random);
        let place = random.random_range(0..10_u32);
        let place = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3][place as usize];
        let bend = (years - 50.0) / 15.0;
        let log = 10.0 + 0.25 * f64::from(u8::from(male)) + 0.2 * bend - 0.1 * bend * bend
            + 0.08 * f64::from(place)
            + 0.45 * normal_draw(random);
        let earned = log.exp().min(199_999.0).round();
        let smokes = logistic(-0.6 - 0.4 * bend + 0.35 * f64::from(u8::from(male)) - earned / 60_000.0);
        age.push(years as i64);
        sex.push(u32::from(male));
        region.push(place);
        income.push(earned as i64);
        smoker.push(u32::from(chance(smokes, random)));
    }
    let columns = vec![
        (
            ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(18.0), Some(90.0)),
            Values::Integer(age),
        ),
        (nominal("sex", &["F", "M"]), Values::Code(sex)),
        (nominal("region", &["north", "south", "east", "west"]), Values::Code(region)),
        (
            ColumnSchema::new("income", ColumnType::Integer).with_limits(Some(0.0), Some(200_000.0)),
            Values::Integer(income),
        ),
        (boolean("smoker"), Values::Code(smoker)),
    ];
    made(
        columns,
        &[
            "share(smoker)",
            "share(region == 'west')",
            "share(smoker) where sex == 'M'",
            "mean(income)",
            "mean(age) where smoker",
            "median(income)",
            "median(age)",
            "quantile(income, 0.9)",
            "income ~ sex",
            "smoker ~ sex",
            "cor(age, income)",
            "income ~ age + sex",
            "logit(smoker ~ age + sex)",
        ],
    )
}

/// Three correlated normal columns.
fn normal(random: &mut Generator) -> Population {
    let (mut x, mut y, mut z) = (vec![], vec![], vec![]);
    let cents = |value: f64| (value * 100.0).round() / 100.0;
    for _ in 0..ROWS {
        let a = normal_draw(random);
        let b = 0.6 * a + 0.8 * normal_draw(random);
        let c = 0.3 * a - 0.4 * b + 0.9 * normal_draw(random);
        x.push(cents((50.0 + 10.0 * a).clamp(-50.0, 150.0)));
        y.push(cents((5.0 * b).clamp(-50.0, 50.0)));
        z.push(cents((100.0 + 20.0 * c).clamp(-100.0, 300.0)));
    }
    let number = |name: &str, low: f64, high: f64| {
        ColumnSchema::new(name, ColumnType::Float).with_decimals(Some(2)).with_limits(Some(low), Some(high))
    };
    let columns = vec![
        (number("x", -50.0, 150.0), Values::Float(x)),
        (number("y", -50.0, 50.0), Values::Float(y)),
        (number("z", -100.0, 300.0), Values::Float(z)),
    ];
    made(
        columns,
        &[
            "share(x > 60)",
            "share(z > 100) where y > 0",
            "mean(y)",
            "mean(z)",
            "median(x)",
            "quantile(z, 0.9)",
            "cor(x, y)",
            "cor(x, z)",
            "y ~ x",
            "z ~ x + y",
        ],
    )
}

/// Work and pensions with rules between columns, zeros and missing values.
fn rules(random: &mut Generator) -> Population {
    let (mut age, mut status, mut pension, mut hours) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROWS {
        let years = random.random_range(16..=85_i64);
        let retired = years >= 60 && chance(logistic((years - 65) as f64 / 2.0), random);
        let works = !retired && chance(0.75, random);
        age.push(years);
        status.push(if retired { 2 } else { u32::from(!works) });
        let paid = (14_000.0 + 4_000.0 * normal_draw(random)).clamp(2_000.0, 40_000.0);
        pension.push(if retired { (paid / 100.0).round() as i64 * 100 } else { 0 });
        let week = (38.0 + 8.0 * normal_draw(random)).round().clamp(1.0, 80.0);
        hours.push(if works { week as i64 } else { 0 });
    }
    let columns = vec![
        (
            ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(16.0), Some(85.0)),
            Values::Integer(age),
        ),
        (nominal("status", &["works", "does not", "retired"]), Values::Code(status)),
        (
            ColumnSchema::new("pension", ColumnType::Integer)
                .with_limits(Some(0.0), Some(40_000.0))
                .with_atoms(vec![0.0]),
            Values::Integer(pension),
        ),
        (
            ColumnSchema::new("hours", ColumnType::Integer)
                .with_limits(Some(0.0), Some(80.0))
                .with_atoms(vec![0.0]),
            Values::Integer(hours),
        ),
    ];
    let statistics = [
        "share(status == 'retired')",
        "share(status == 'works') where age < 60",
        "mean(pension) where status == 'retired'",
        "mean(hours)",
        "median(hours) where status == 'works'",
        "median(age)",
        "age ~ status",
        "cor(age, pension)",
        "hours ~ age",
    ];
    let mut population = made(columns, &statistics);
    let obeyed = [
        ("pension == 0 when status != 'retired'", None),
        ("hours == 0 when status != 'works'", None),
        ("age >= 60 when status == 'retired'", None),
    ];
    population.schema = population.schema.with_constraints(obeyed).unwrap();
    population
}

/// Four booleans, the last of which is the parity of the others: no table of two or three columns shows it.
fn parity(random: &mut Generator) -> Population {
    let mut columns = [vec![], vec![], vec![], vec![]];
    for _ in 0..ROWS {
        let three: [bool; 3] = [0; 3].map(|_: u8| chance(0.5, random));
        let odd = three.iter().filter(|is| **is).count() % 2 == 1;
        let last = if chance(0.9, random) { odd } else { !odd };
        for (column, value) in columns.iter_mut().zip(three.into_iter().chain([last])) {
            column.push(u32::from(value));
        }
    }
    let named = ["a", "b", "c", "d"].into_iter().zip(columns);
    made(
        named.map(|(name, values)| (boolean(name), Values::Code(values))).collect(),
        &["share(d)", "share(d) where a and b and c", "d ~ a"],
    )
}
