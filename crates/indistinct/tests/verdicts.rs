//! Verdicts hold: the same for tables of the same quality, whatever the luck of the rows.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its data has failed")]

mod common;

use std::collections::HashMap;

use common::nearly_normal;
use indistinct::evaluate::{EvaluateParams, Level, Null, TableEvaluation, evaluate, shuffle_columns};
use indistinct::progress::Silent;
use indistinct::random::{Generator, Seed};
use indistinct::table::{Column, Table};
use rand::RngExt;

const ROWS: usize = 1500;
const SEEDS: u64 = 20;

/// A person: a skewed amount, an age, a count that depends on the age, and a class that depends on the amount.
fn person(random: &mut Generator) -> (f64, f64, f64, u32) {
    let age = (45.0 + 15.0 * nearly_normal(random)).clamp(18.0, 90.0).round();
    let amount = (8.0 + age / 40.0 + 0.7 * nearly_normal(random)).exp().round();
    let count = ((age - 18.0) / 12.0 + nearly_normal(random)).max(0.0).floor();
    let class = u32::from(amount > 9000.0) + u32::from(amount > 14_000.0 && random.random_bool(0.8));
    (amount, age, count, class)
}

fn as_table(rows: &[(f64, f64, f64, u32)]) -> Table {
    Table::new(vec![
        Column::float("amount", rows.iter().map(|row| row.0).collect()),
        Column::float("age", rows.iter().map(|row| row.1).collect()),
        Column::float("count", rows.iter().map(|row| row.2).collect()),
        Column::nominal("class", &["low", "middle", "high"], rows.iter().map(|row| row.3).collect()),
    ])
    .unwrap()
}

fn population(seed: u64) -> Table {
    let mut random = Seed(seed).stream(0);
    as_table(&(0..ROWS).map(|_| person(&mut random)).collect::<Vec<_>>())
}

/// Another sample, of whose ages and counts a share is drawn at random: an error of known size.
fn disturbed(seed: u64, share: f64) -> Table {
    let mut random = Seed(seed).stream(1);
    let rows = (0..ROWS).map(|_| {
        let row = person(&mut random);
        if random.random_bool(share) {
            let (age, count) = (random.random_range(18..90), random.random_range(0..7));
            (row.0, f64::from(age), f64::from(count), row.3)
        } else {
            row
        }
    });
    as_table(&rows.collect::<Vec<_>>())
}

/// Normal columns with the real means and deviations, and classes that are equally likely.
fn independent_normals(real: &Table, seed: u64) -> Table {
    let mut random = Seed(seed).stream(2);
    let columns = real.columns().iter().map(|column| {
        let values = column.values().to_reals();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
        if column.name() == "class" {
            let codes = (0..ROWS).map(|_| random.random_range(0..3)).collect();
            return Column::nominal("class", &["low", "middle", "high"], codes);
        }
        Column::float(column.name(), (0..ROWS).map(|_| mean + sd * nearly_normal(&mut random)).collect())
    });
    Table::new(columns.collect()).unwrap()
}

fn evaluated(real: &Table, synthetic: Table) -> TableEvaluation {
    let params = EvaluateParams::default().with(|params| params.null = Null::None);
    let tables = [("synthetic".to_owned(), synthetic)];
    evaluate(real, &tables, &params, &Silent).unwrap().tables.remove(0)
}

/// How often each level was found over the seeds.
fn levels(make: impl Fn(u64, &Table) -> Table) -> HashMap<Level, usize> {
    let mut found = HashMap::new();
    for seed in 0..SEEDS {
        let real = population(2 * seed);
        let table = evaluated(&real, make(2 * seed + 1, &real));
        assert!(!table.verdict.because.is_empty());
        *found.entry(table.verdict.level).or_default() += 1;
    }
    found
}

fn always(level: Level) -> HashMap<Level, usize> {
    HashMap::from([(level, SEEDS as usize)])
}

#[test]
fn another_sample_of_the_population_is_close() {
    assert_eq!(levels(|seed, _| population(seed)), always(Level::Close));
}

#[test]
fn right_columns_without_dependence_are_not_close() {
    let found = levels(|seed, _| shuffle_columns(&population(seed), Seed(seed)));
    assert_eq!(found, always(Level::Poor));
}

#[test]
fn independent_normals_are_broken() {
    assert_eq!(levels(|seed, real| independent_normals(real, seed)), always(Level::Broken));
}

/// What one tree finds differs several times over between tables of one quality; the verdict hardly ever does.
#[test]
fn tables_of_one_quality_have_one_level() {
    for (share, level) in [(0.05, Level::Close), (0.5, Level::Usable), (1.0, Level::Poor)] {
        let found = levels(|seed, _| disturbed(seed, share));
        let same = found.get(&level).copied().unwrap_or(0);
        assert!(same >= SEEDS as usize - 1, "{share}: {found:?}");
    }
}

#[test]
fn verdicts_depend_on_the_seed_and_neither_on_threads_nor_on_the_discriminator() {
    use indistinct::discriminator::partition::PartitionParams;
    use indistinct::evaluate::Discriminator;

    let (real, synthetic) = (population(1), disturbed(2, 0.3));
    let run = |params: &EvaluateParams, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let tables = [("synthetic".to_owned(), synthetic.clone())];
        let table = pool.install(|| evaluate(&real, &tables, params, &Silent)).unwrap().tables.remove(0);
        (table.verdict, table.resampled)
    };
    let usual = EvaluateParams::default().with(|params| params.null = Null::None);
    let partition = Discriminator::Partition(PartitionParams::default());
    let other = usual.clone().with(|params| params.discriminator = partition);
    let seeded = usual.clone().with(|params| params.seed = Seed(7));
    assert_eq!(run(&usual, 1), run(&usual, 3));
    assert_eq!(run(&usual, 1), run(&other, 1));
    assert_ne!(run(&usual, 1).1, run(&seeded, 1).1);
}

/// Two rows, one column, a constant: there is always a verdict, and it says when there is little to go by.
#[test]
fn the_smallest_tables_have_a_verdict() {
    for rows in [2, 3, 10] {
        let one = Table::new(vec![Column::float("x", (0..rows).map(f64::from).collect())]).unwrap();
        let constant = Table::new(vec![Column::float("x", vec![1.0; rows as usize])]).unwrap();
        for (real, synthetic) in [(&one, &one), (&one, &constant), (&constant, &constant)] {
            let found = evaluated(real, synthetic.clone());
            assert!(found.verdict.because.iter().any(|reason| reason.contains("see little")));
            assert!((0.0..=1.0).contains(&found.resampled.told_apart) && found.resampled.s_pmse.is_finite());
        }
    }
}

#[test]
fn several_tables_have_the_verdict_of_the_worst() {
    let real = population(1);
    let tables = [
        ("good".to_owned(), population(2)),
        ("bad".to_owned(), independent_normals(&real, 3)),
        ("good too".to_owned(), population(4)),
    ];
    let params = EvaluateParams::default().with(|params| params.null = Null::None);
    let found = evaluate(&real, &tables, &params, &Silent).unwrap();
    assert_eq!(found.verdict, Some(found.tables[1].verdict.clone()));
    assert_eq!(found.verdict.unwrap().level, Level::Broken);
}
