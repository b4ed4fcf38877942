//! Tables of any columns: what is released is like the table, paid for, and the same from a file.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

#[path = "../common/mod.rs"]
mod common;
mod dependence;
mod fixtures;
mod hopeless;
mod ranges;
mod rules;
mod shares;
mod sources;
mod undeclared;

use common::levels;
use fixtures::column_of;
use indistinct::mixed::{MixedError, MixedModel, MixedReleased, release};
use indistinct::privacy::{Budget, Delta, Guarantee, Randomness, Spend};
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::synthesis::{Model, synthetic_table};
use indistinct::table::{
    Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Schema, Table, Values,
};
use indistinct::{Terms, TermsError};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

const REGIONS: [&str; 4] = ["north", "east", "south", "west"];

fn columns() -> Vec<ColumnSchema> {
    vec![
        ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(0.0), Some(110.0)),
        ColumnSchema::new("income", ColumnType::Float)
            .with_decimals(Some(0))
            .with_atoms(vec![0.0])
            .with_limits(Some(1.0), Some(200_000.0)),
        ColumnSchema::new("region", ColumnType::Nominal { levels: levels(&REGIONS) }),
        ColumnSchema::new("school", ColumnType::Ordered { levels: levels(&["low", "middle", "high"]) }),
        ColumnSchema::new("smoker", ColumnType::Boolean { when_false: "no".into(), when_true: "yes".into() }),
        ColumnSchema::new("seen", ColumnType::Date { format: "%Y-%m-%d".into() }),
    ]
}

fn schema() -> Schema {
    Schema::new(vec!["NA".to_owned()], columns()).unwrap()
}

/// Income rises with age and school, is 0 for a tenth and missing for a fifth in the north; smokers live in the west.
fn table(rows: usize, seed: u64) -> Table {
    let mut random = Seed(seed).stream(0);
    let mut values: [Vec<f64>; 6] = Default::default();
    for _ in 0..rows {
        let z: [f64; 3] = std::array::from_fn(|_| StandardNormal.sample(&mut random));
        let u: [f64; 4] = std::array::from_fn(|_| random.random());
        let age = (45.0 + 15.0 * z[0]).round().clamp(0.0, 110.0);
        let school = 0.7 * z[0] + 0.7 * z[1];
        let region = (4.0 * u[0]).floor();
        let income = (20_000.0 * (0.5 * (0.8 * z[0] + 0.6 * z[2])).exp() / 100.0).round() * 100.0;
        let income = if u[1] < 0.1 { 0.0 } else { income.min(200_000.0) };
        let hidden = region == 0.0 && u[2] < 0.8;
        let row = [
            age,
            if hidden { f64::NAN } else { income },
            region,
            if school < -0.5 { 0.0 } else { f64::from(u8::from(school > 0.5)) + 1.0 },
            f64::from(u8::from(u[3] < if region == 3.0 { 0.7 } else { 0.1 })),
            (19_000.0 + 300.0 * u[2]).floor(),
        ];
        values.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let columns = columns().into_iter().zip(values).map(|(schema, values)| column_of(schema, values));
    Table::new(columns.collect()).unwrap()
}

fn options(epsilon: &str, delta: &str) -> Terms {
    Terms::of(epsilon.parse().unwrap()).with(|terms| terms.delta = delta.parse().unwrap())
}

fn released(table: &Table, options: Terms, randomness: Randomness) -> MixedReleased {
    let plan = options.plan_mixed(table.rows(), &schema()).unwrap();
    release(&PrivateTable::new(table.clone()), &plan, randomness, &Silent).unwrap()
}

fn reals(table: &Table, column: usize) -> Vec<f64> {
    table.columns()[column].values().to_reals()
}

fn share(values: &[f64], of: impl Fn(f64) -> bool) -> f64 {
    values.iter().filter(|value| of(**value)).count() as f64 / values.len() as f64
}

fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let rows: Vec<(f64, f64)> =
        x.iter().zip(y).map(|(x, y)| (*x, *y)).filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let n = rows.len() as f64;
    let (mx, my) = (rows.iter().map(|r| r.0).sum::<f64>() / n, rows.iter().map(|r| r.1).sum::<f64>() / n);
    let product = |f: &dyn Fn(&(f64, f64)) -> f64| rows.iter().map(f).sum::<f64>();
    product(&|r| (r.0 - mx) * (r.1 - my))
        / (product(&|r| (r.0 - mx).powi(2)) * product(&|r| (r.1 - my).powi(2))).sqrt()
}

#[test]
fn what_is_released_is_like_the_table() {
    let real = table(20_000, 1);
    for (epsilon, delta) in [("2", "0"), ("1", "0.00001")] {
        let found = released(&real, options(epsilon, delta), Randomness::seeded(Seed(5)));
        let fake = found.models[0].simulate(&schema(), 20_000, &mut Seed(6).stream(0));
        let (a, b): (Vec<_>, Vec<_>) =
            (0..6).map(|column| (reals(&real, column), reals(&fake, column))).unzip();
        let near = |what: &str, a: f64, b: f64, allowed: f64| {
            assert!((a - b).abs() < allowed, "{epsilon} {delta} {what}: {a} {b}");
        };
        for (what, column, level) in
            [("region", 2, 3.0), ("school", 3, 2.0), ("smoker", 4, 1.0), ("no income", 1, 0.0)]
        {
            near(what, share(&a[column], |x| x == level), share(&b[column], |x| x == level), 0.02);
        }
        near("missing", share(&a[1], f64::is_nan), share(&b[1], f64::is_nan), 0.02);
        let hundreds = |values: &[f64]| share(values, |x| x % 100.0 == 0.0);
        near("round incomes", hundreds(&a[1]), hundreds(&b[1]), 0.05);
        near("age and school", correlation(&a[0], &a[3]), correlation(&b[0], &b[3]), 0.1);
        near("age and income", correlation(&a[0], &a[1]), correlation(&b[0], &b[1]), 0.15);
        let within = |x: &[f64], y: &[f64], level: f64, of: &dyn Fn(f64) -> bool| {
            let rows: Vec<f64> = x.iter().zip(y).filter(|(x, _)| **x == level).map(|(_, y)| *y).collect();
            share(&rows, of)
        };
        near(
            "smokers in the west",
            within(&a[2], &a[4], 3.0, &|y| y == 1.0),
            within(&b[2], &b[4], 3.0, &|y| y == 1.0),
            0.1,
        );
        near(
            "missing in the north",
            within(&a[2], &a[1], 0.0, &f64::is_nan),
            within(&b[2], &b[1], 0.0, &f64::is_nan),
            0.1,
        );
        // Limits are not declared: noise may leave some rows beyond the days that there are.
        assert!(share(&b[5], |day| (18_980.0..19_320.0).contains(&day)) > 0.98);
        assert!(b[5].iter().all(|day| day.fract() == 0.0));
        assert!(b[0].iter().all(|age| (0.0..=110.0).contains(age)));
    }
}

/// Half of the sum of absolute differences between the shares of cells, 20 by 20 of equal mass in the first table.
fn two_way_distance(real: [&[f64]; 2], fake: [&[f64]; 2]) -> f64 {
    const BINS: usize = 20;
    let edges = real.map(|values| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        (1..BINS).map(|bin| sorted[bin * sorted.len() / BINS]).collect::<Vec<f64>>()
    });
    let bin = |side: usize, value: f64| edges[side].partition_point(|edge| *edge <= value);
    let mut cells = vec![0.0; BINS * BINS];
    for ([x, y], sign) in [(real, 1.0), (fake, -1.0)] {
        for (&x, &y) in x.iter().zip(y) {
            cells[bin(0, x) * BINS + bin(1, y)] += sign / (2.0 * real[0].len() as f64);
        }
    }
    cells.iter().map(|cell: &f64| cell.abs()).sum()
}

/// With rows and epsilon to spare, corrections are finer and more: dependence that is no correlation, and close.
#[test]
fn fine_dependence_shows_where_noise_allows() {
    let rows = 30_000;
    let mut random = Seed(3).stream(0);
    let mut all: [Vec<f64>; 3] = Default::default();
    for _ in 0..rows {
        let x: f64 = random.random();
        let mut near = |value: f64| {
            let noise: f64 = StandardNormal.sample(&mut random);
            ((value + 0.02 * noise).clamp(-1.0, 2.0) * 1000.0).round() / 1000.0
        };
        let row = [near(x), near(2.0 * (x - 0.5).abs()), near(1.0 - x)];
        all.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let columns: Vec<ColumnSchema> = ["x", "bent", "down"]
        .map(|name| {
            let column = ColumnSchema::new(name, ColumnType::Float).with_decimals(Some(3));
            column.with_limits(Some(-1.0), Some(2.0))
        })
        .into();
    let of = |values: Vec<f64>, column: &ColumnSchema| Column::new(column.clone(), Values::Float(values));
    let real = Table::new(
        all.clone().into_iter().zip(&columns).map(|(values, column)| of(values, column)).collect(),
    )
    .unwrap();
    let schema = Schema::new(vec!["NA".to_owned()], columns.clone()).unwrap();
    let distances = ["1", "8"].map(|epsilon| {
        let plan = options(epsilon, "0.00001").plan_mixed(rows, &schema).unwrap();
        let found =
            release(&PrivateTable::new(real.clone()), &plan, Randomness::seeded(Seed(1)), &Silent).unwrap();
        let fake = found.models[0].simulate(&schema, rows, &mut Seed(2).stream(0));
        let fake: Vec<Vec<f64>> = (0..3).map(|column| reals(&fake, column)).collect();
        [(0, 1), (0, 2), (1, 2)].map(|(a, b)| two_way_distance([&all[a], &all[b]], [&fake[a], &fake[b]]))
    });
    let [little, much] = distances;
    assert!(much.iter().all(|distance| *distance < 0.13), "{distances:?}");
    assert!(much.iter().sum::<f64>() < 0.8 * little.iter().sum::<f64>(), "{distances:?}");
}

/// Small tables are made of rows that stand for the pool: what is estimated from them varies less than from independent ones.
#[test]
fn estimates_vary_less_among_tables_of_rows_that_stand_for_the_pool() {
    const TABLES: u64 = 80;
    let model = released(&table(3000, 8), options("4", "0"), Randomness::seeded(Seed(1))).models.remove(0);
    let estimates = |table: &Table| {
        let [age, income, region, school, smoker] = [0, 1, 2, 3, 4].map(|column| reals(table, column));
        let west = |x: &[f64]| {
            x.iter().zip(&region).filter(|(_, r)| **r == 3.0).map(|(x, _)| *x).collect::<Vec<_>>()
        };
        [
            age.iter().sum::<f64>() / age.len() as f64,
            share(&west(&smoker), |x| x == 1.0),
            correlation(&age, &school),
            correlation(&age, &income),
            // Of three columns.
            correlation(&west(&age), &west(&school)),
        ]
    };
    let variances = |made: &dyn Fn(u64) -> Table| {
        let found: Vec<[f64; 5]> = (0..TABLES).map(|number| estimates(&made(number))).collect();
        std::array::from_fn::<f64, 5, _>(|place| {
            let mean = found.iter().map(|each| each[place]).sum::<f64>() / TABLES as f64;
            found.iter().map(|each| (each[place] - mean).powi(2)).sum::<f64>() / TABLES as f64
        })
    };
    let independent = variances(&|number| model.draw(&schema(), 500, &mut Seed(2).stream(number)));
    let mixed = Model::Mixed(model.clone());
    let schema = schema();
    let representative = variances(&|number| {
        synthetic_table(&mixed, &schema, None, 500, &mut Seed(3).stream(number), &Silent).unwrap()
    });
    let ratios: Vec<f64> = representative.iter().zip(independent).map(|(a, b)| a / b).collect();
    assert!(ratios[..3].iter().all(|ratio| *ratio < 0.5), "{ratios:?}");
    // A few large incomes decide this one.
    assert!(ratios[3] < 0.7, "{ratios:?}");
    // The variance of 80 values has a standard deviation of a sixth of it.
    assert!(ratios[4] < 1.5, "{ratios:?}");
}

#[test]
fn missing_values_keep_their_spelling() {
    let mut random = Seed(3).stream(0);
    let mut holes = |value: f64| if random.random::<f64>() < 0.3 { None } else { Some(value) };
    let make = |schema: ColumnSchema, present: &mut dyn FnMut(f64) -> Option<f64>| {
        let values: Vec<Option<f64>> = (0..4000).map(|row| present(f64::from(row % 2))).collect();
        let values = match schema.kind() {
            ColumnType::Float => Values::Float(values.iter().map(|v| v.unwrap_or(f64::NAN)).collect()),
            ColumnType::Integer => {
                Values::Integer(values.iter().map(|v| v.map_or(MISSING_INTEGER, |v| v as i64)).collect())
            }
            ColumnType::Date { .. } => {
                Values::Date(values.iter().map(|v| v.map_or(MISSING_DATE, |v| v as i32)).collect())
            }
            _ => Values::Code(values.iter().map(|v| v.map_or(MISSING_CODE, |v| v as u32)).collect()),
        };
        Column::new(schema, values)
    };
    let table = Table::new(columns().into_iter().map(|schema| make(schema, &mut holes)).collect()).unwrap();
    let found = released(&table, options("8", "0"), Randomness::seeded(Seed(1)));
    let fake = found.models[0].simulate(&schema(), 4000, &mut Seed(2).stream(0));
    for column in fake.columns() {
        let missing = column.values().missing() as f64 / 4000.0;
        assert!((missing - 0.3).abs() < 0.06, "{}: {missing}", column.schema().name());
    }
}

/// What was set aside to count tables and not spent, because a choice was for none of them.
fn set_aside(budget: &Budget) -> f64 {
    let cost = |spend: &Spend| match &spend.concentrated {
        Some(spent) => spent.rho.to_f64(),
        None => spend.epsilon.to_f64(),
    };
    let is_choice = |spend: &&Spend| spend.step.starts_with("which table differs");
    let is_table = |spend: &&Spend| spend.step.starts_with("table of ");
    let tables: Vec<f64> = budget.spends().iter().filter(is_table).map(cost).collect();
    let choices = budget.spends().iter().filter(is_choice).count();
    tables.first().map_or(0.0, |each| each * (choices - tables.len()) as f64)
}

#[test]
fn everything_is_charged_and_certified() {
    let real = table(3000, 2);
    for (epsilon, delta) in [("1", "0"), ("1", "0.000001")] {
        let asked = options(epsilon, delta).with(|terms| {
            terms.draws = 2;
            terms.score_epsilon = "0.1".parse().unwrap();
        });
        let found = released(&real, asked, Randomness::from_system().unwrap());
        assert_eq!(found.models.len(), 2);
        let budget = &found.budget;
        assert!(budget.spends().iter().all(|spend| spend.sensitivity.proof().is_some()));
        match budget.guarantee() {
            Guarantee::Pure { epsilon: promised } => {
                assert_eq!((delta, promised), ("0", epsilon.parse().unwrap()));
                assert!(budget.spent() <= promised);
                let all = budget.spent().to_f64() + set_aside(budget);
                assert!((0.99..=1.0).contains(&all), "{all}");
            }
            Guarantee::Approximate { delta: promised, .. } => {
                assert_eq!(promised, delta.parse::<Delta>().unwrap());
                let (spent, total) =
                    (budget.spent_rho().unwrap().to_f64(), budget.total_rho().unwrap().to_f64());
                // The score of a budget with a delta is charged as a pure one.
                assert!(spent <= total && spent + set_aside(budget) > 0.95 * total, "{spent} {total}");
            }
            other => panic!("{other:?}"),
        }
        let score = found.score.unwrap();
        assert!(score.value.abs() < 0.5 && score.scale > 0.0, "{score:?}");
        let seeded = released(&real, options(epsilon, delta), Randomness::seeded(Seed(1)));
        assert!(matches!(seeded.budget.guarantee(), Guarantee::None { .. }));
    }
}

#[test]
fn seeds_repeat_and_files_keep_a_model() {
    let real = table(2000, 3);
    let run = || released(&real, options("2", "0.00001"), Randomness::seeded(Seed(9))).models.remove(0);
    let model = run();
    assert_eq!(model, run());
    let text = serde_json::to_string(&model).unwrap();
    let read: MixedModel = serde_json::from_str(&text).unwrap();
    assert_eq!(read, model);
    read.check(&columns()).unwrap();
    let rows = |model: &MixedModel| model.simulate(&schema(), 500, &mut Seed(1).stream(0));
    let reversed: Vec<u32> = (0..2000).rev().collect();
    let other = released(&real.take(&reversed), options("2", "0.00001"), Randomness::seeded(Seed(9)));
    assert!(other.models[0] == model, "the order of the rows does not matter");
    // As text, in which missing numbers are equal.
    assert!(format!("{:?}", rows(&read)) == format!("{:?}", rows(&model)));

    assert!(read.check(&columns()[..5]).is_err());
    let mut other = columns();
    other.swap(1, 2);
    assert!(read.check(&other).is_err());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let broken = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = value.clone();
        change(&mut value);
        serde_json::from_value::<MixedModel>(value)
            .map_err(|_| ())
            .and_then(|model| model.check(&columns()).map_err(|_| ()))
    };
    for change in [
        (&|v: &mut serde_json::Value| v["block"][0] = 77.into()) as &dyn Fn(&mut serde_json::Value),
        &|v| v["block"][0] = v["block"][1].clone(),
        &|v| v["factor"][1][0] = 9.5.into(),
        &|v| v["factor"][1] = serde_json::json!([1.0]),
        &|v| v["classes"] = serde_json::json!([]),
        &|v| v["classes"][0][0] = 1.into(),
        &|v| v["classes"][0][1] = 1_000_000.into(),
        &|v| v["classes"][0] = serde_json::json!([0]),
        &|v| v["pool"]["rows"] = 1.into(),
        &|v| v["pool"]["classes"] = "AAAA".into(),
        &|v| v["margins"][0]["missing"] = 1.5.into(),
        &|v| v["unknown"] = 1.into(),
    ] {
        assert!(broken(change).is_err());
    }
}

#[test]
fn declared_predictors_are_all_that_is_looked_at() {
    let real = table(6000, 4);
    let alone: Vec<ColumnSchema> =
        columns().into_iter().map(|column| column.with_predictors(Some(Vec::new()))).collect();
    let schema = Schema::new(vec!["NA".to_owned()], alone).unwrap();
    let plan = options("4", "0").plan_mixed(real.rows(), &schema).unwrap();
    let found =
        release(&PrivateTable::new(real.clone()), &plan, Randomness::seeded(Seed(2)), &Silent).unwrap();
    let steps: Vec<&str> = found.budget.spends().iter().map(|spend| spend.step.as_str()).collect();
    assert!(!steps.iter().any(|step| step.contains("table") || step.contains("correlations")), "{steps:?}");
    let fake = found.models[0].simulate(&schema, 6000, &mut Seed(3).stream(0));
    assert!(correlation(&reals(&fake, 0), &reals(&fake, 3)).abs() < 0.06);
}

#[test]
fn the_split_is_public_and_whole() {
    for (epsilon, delta, draws) in [("1", "0", 1), ("1", "0.00001", 3)] {
        let plan =
            options(epsilon, delta).with(|terms| terms.draws = draws).plan_mixed(5000, &schema()).unwrap();
        let split = plan.split();
        let sum: f64 = split.iter().map(|part| part.share).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{split:?}");
        assert_eq!(split.iter().filter(|part| part.step.starts_with("margin of ")).count(), 6);
        assert!(plan.measure_share() > 0.8 && plan.measure_share() < 1.0);
    }
}

#[test]
fn correlations_have_more_of_the_budget_where_rows_are_few() {
    let share = |rows: usize| {
        let split = options("1", "0.00001").plan_mixed(rows, &schema()).unwrap().split();
        split.iter().find(|part| part.step.starts_with("correlations")).unwrap().share
    };
    let shares = [1_000, 5_000, 200_000].map(share);
    assert!(shares.is_sorted_by(|few, many| few >= many) && shares[0] > shares[2] + 0.03, "{shares:?}");
    assert!(shares.iter().all(|share| (0.049..0.31).contains(share)), "{shares:?}");
}

#[test]
fn the_noise_that_is_told_before_is_the_noise_of_the_counts() {
    let real = table(5000, 6);
    let plan = options("2", "0").plan_mixed(5000, &schema()).unwrap();
    let spent = released(&real, options("2", "0"), Randomness::seeded(Seed(1))).budget;
    for (column, part) in schema().columns().iter().zip(plan.split()).take(6) {
        let step = format!("counts of {}", column.name());
        let counts = spent.spends().iter().find(|spend| spend.step == step).unwrap();
        // Laplace noise of counts of which one row moves two.
        let sd = 2.0 * 2f64.sqrt() / counts.epsilon.to_f64();
        // Where a column without limits is, costs what it costs.
        assert!((part.noise_sd.unwrap() / sd - 1.0).abs() < 0.03, "{step}: {part:?} {sd}");
    }
}

#[test]
fn what_cannot_work_is_refused() {
    let refused = |options: Terms, rows: usize| options.plan_mixed(rows, &schema()).unwrap_err();
    assert!(matches!(refused(options("1", "0"), 20), MixedError::Terms(TermsError::TooFewRows(20))));
    assert!(matches!(refused(options("0.01", "0"), 500), MixedError::Hopeless { columns: 6, .. }));
    let zero = options("1", "0").with(|terms| terms.draws = 0);
    assert!(matches!(refused(zero, 5000), MixedError::Terms(TermsError::Zero(_))));
    let all = options("1", "0").with(|terms| terms.score_epsilon = "1".parse().unwrap());
    assert!(matches!(refused(all, 5000), MixedError::Terms(TermsError::ScoreTakesAll { .. })));
    let many: Vec<String> = (0..1001).map(|level| format!("v{level}")).collect();
    let columns = vec![ColumnSchema::new("id", ColumnType::Nominal { levels: many.into() })];
    let schema = Schema::new(Vec::new(), columns).unwrap();
    assert!(matches!(
        options("1", "0").plan_mixed(5000, &schema),
        Err(MixedError::Levels { levels: 1001, .. })
    ));
    let columns = vec![ColumnSchema::new("id", ColumnType::Identifier)];
    let schema = Schema::new(Vec::new(), columns).unwrap();
    assert!(matches!(options("1", "0").plan_mixed(5000, &schema), Err(MixedError::NoColumns)));
}

/// More draws than the budget can tell from noise are refused, with the number and the epsilon that would do.
#[test]
fn draws_that_would_be_noise_are_refused() {
    let several = |draws: u32, epsilon: &str, delta: &str| {
        options(epsilon, delta).with(|terms| terms.draws = draws).plan_mixed(5000, &schema())
    };
    for (many, delta) in [(100, "0"), (2000, "0.00001")] {
        let several = |draws: u32, epsilon: &str| several(draws, epsilon, delta);
        let Err(MixedError::StarvedDraws { draws, columns: 6, most, epsilon }) = several(many, "2") else {
            panic!("{:?}", several(many, "2"))
        };
        assert!(draws == many && (2..many).contains(&most), "{most}");
        assert!(several(most, "2").unwrap().warning().is_none() && several(most + 1, "2").is_err(), "{most}");
        let enough = |factor: f64| several(many, &format!("{:.6}", epsilon * factor)).is_ok();
        assert!(enough(1.001) && !enough(0.9), "{epsilon}");
        assert!(several(u32::MAX, "2").is_err());
    }
    // A single draw that starves is warned of, and made.
    assert!(several(1, "0.1", "0").unwrap().warning().is_some());
    assert!(matches!(several(2, "0.1", "0"), Err(MixedError::StarvedDraws { most: 1, .. })));
    // Where not even one would do there is no number of draws to advise.
    assert!(matches!(several(2, "0.001", "0"), Err(MixedError::Hopeless { .. })));
}

#[test]
fn one_column_and_absurd_tables_do_no_harm() {
    let one = vec![ColumnSchema::new("x", ColumnType::Float)];
    let schema = Schema::new(Vec::new(), one.clone()).unwrap();
    for values in [
        vec![1.0; 400],
        (0..400).map(|row| if row % 2 == 0 { f64::NAN } else { 3.5 }).collect(),
        (0..400).map(|row| if row == 7 { 1e300 } else { f64::from(row) }).collect(),
        vec![f64::NAN; 400],
    ] {
        let table = Table::new(vec![Column::new(one[0].clone(), Values::Float(values))]).unwrap();
        for delta in ["0", "0.00001"] {
            let plan = options("2", delta).plan_mixed(400, &schema).unwrap();
            let found =
                release(&PrivateTable::new(table.clone()), &plan, Randomness::seeded(Seed(4)), &Silent)
                    .unwrap();
            let fake = found.models[0].simulate(&schema, 300, &mut Seed(1).stream(0));
            assert_eq!(fake.rows(), 300);
            found.models[0].check(&one).unwrap();
        }
    }
}
