//! Dependence that is hard to keep: beside atoms, among three columns at once, and of many columns.

use indistinct::mixed::release;
use indistinct::privacy::Randomness;
use indistinct::private::PrivateTable;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::{ColumnSchema, ColumnType, Schema, Table};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::fixtures::column_of;
use super::{correlation, options, reals};

fn table(columns: Vec<(ColumnSchema, Vec<f64>)>) -> (Schema, Table) {
    let schemas = columns.iter().map(|(column, _)| column.clone()).collect();
    let table =
        Table::new(columns.into_iter().map(|(schema, values)| column_of(schema, values)).collect()).unwrap();
    (Schema::new(vec!["NA".to_owned()], schemas).unwrap(), table)
}

fn made((schema, real): &(Schema, Table), epsilon: &str, seed: u64) -> Table {
    let plan = options(epsilon, "0.00001").plan_mixed(real.rows(), schema).unwrap();
    let found =
        release(&PrivateTable::new(real.clone()), &plan, Randomness::seeded(Seed(seed)), &Silent).unwrap();
    found.models[0].simulate(schema, real.rows(), &mut Seed(seed).stream(1))
}

#[test]
fn atoms_do_not_spoil_correlations() {
    let mut random = Seed(1).stream(0);
    let rows = 5000;
    let scores: Vec<[f64; 2]> = (0..rows)
        .map(|_| {
            let [x, e]: [f64; 2] = std::array::from_fn(|_| StandardNormal.sample(&mut random));
            [x, 0.5 * x + 0.75_f64.sqrt() * e]
        })
        .collect();
    let heights: Vec<f64> =
        scores.iter().map(|z| (170.0 + 10.0 * z[1]).round().clamp(120.0, 220.0)).collect();
    // A code at the top, one at the bottom, a heap inside, and none.
    for atoms in [vec![80.0], vec![20.0], vec![50.0], vec![20.0, 50.0, 80.0], Vec::new()] {
        let ages: Vec<f64> = scores
            .iter()
            .map(|z| {
                let age = (50.0 + 18.0 * z[0]).round().clamp(20.0, 80.0);
                if atoms.contains(&50.0) && (age - 50.0).abs() < 4.0 { 50.0 } else { age }
            })
            .collect();
        let real = table(vec![
            (
                ColumnSchema::new("age", ColumnType::Integer)
                    .with_limits(Some(20.0), Some(80.0))
                    .with_atoms(atoms.clone()),
                ages.clone(),
            ),
            (
                ColumnSchema::new("height", ColumnType::Integer).with_limits(Some(120.0), Some(220.0)),
                heights.clone(),
            ),
        ]);
        let fake = made(&real, "1", 4);
        let (there, here) = (correlation(&ages, &heights), correlation(&reals(&fake, 0), &reals(&fake, 1)));
        assert!((there - here).abs() < 0.1, "{atoms:?}: {there} {here}");
    }
}

/// Each pair is independent; the three together are not.
#[test]
fn what_only_three_columns_show_is_kept() {
    let mut random = Seed(2).stream(0);
    let rows = 8000;
    let mut columns: [Vec<f64>; 3] = Default::default();
    for _ in 0..rows {
        let (a, b) = (random.random_range(0..3), random.random_range(0..3));
        let c = if random.random::<f64>() < 0.9 { (a + b) % 3 } else { random.random_range(0..3) };
        columns.iter_mut().zip([a, b, c]).for_each(|(column, value)| column.push(f64::from(value)));
    }
    let levels = || ColumnType::Nominal { levels: super::levels(&["x", "y", "z"]) };
    let named = ["a", "b", "c"].into_iter().zip(columns);
    let real = table(named.map(|(name, values)| (ColumnSchema::new(name, levels()), values)).collect());
    let agree = |table: &Table| {
        let [a, b, c] = [0, 1, 2].map(|column| reals(table, column));
        (0..rows).filter(|&row| (a[row] + b[row]) % 3.0 == c[row]).count() as f64 / rows as f64
    };
    let fake = made(&real, "1", 5);
    assert!((agree(&real.1) - agree(&fake)).abs() < 0.04, "{} {}", agree(&real.1), agree(&fake));
}

/// More than thirty columns: sets of three come after pairs, around them.
#[test]
fn wide_tables_keep_their_strongest_dependence() {
    let mut random = Seed(3).stream(0);
    let rows = 4000_usize;
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); 36];
    for _ in 0..rows {
        let first = random.random_range(0..4);
        for (place, column) in columns.iter_mut().enumerate() {
            let copies = place < 4 && random.random::<f64>() < 0.9;
            column.push(f64::from(if copies { first } else { random.random_range(0..4) }));
        }
    }
    let levels = || ColumnType::Nominal { levels: super::levels(&["p", "q", "r", "s"]) };
    let schema = |place: usize| ColumnSchema::new(&format!("c{place}"), levels());
    let real =
        table(columns.into_iter().enumerate().map(|(place, values)| (schema(place), values)).collect());
    let fake = made(&real, "4", 6);
    let same = |table: &Table, a: usize, b: usize| {
        let (a, b) = (reals(table, a), reals(table, b));
        a.iter().zip(&b).filter(|(a, b)| a == b).count() as f64 / rows as f64
    };
    for (a, b) in [(0, 1), (1, 2), (2, 3), (0, 3), (5, 20)] {
        let (there, here) = (same(&real.1, a, b), same(&fake, a, b));
        assert!((there - here).abs() < 0.1, "{a} {b}: {there} {here}");
    }
}
