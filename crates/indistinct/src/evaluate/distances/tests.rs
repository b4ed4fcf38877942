use std::collections::BTreeMap;
use std::convert::Infallible;

use rand::RngExt;

use super::super::shuffle_columns;
use super::*;
use crate::random::Seed;
use crate::table::{Column, Table};
use crate::testing::stacked;

fn distances(real: Vec<Column>, synthetic: Vec<Column>) -> Distances {
    Distances::new(&stacked(real, synthetic))
}

fn means(distances: &Distances) -> MeanDistances {
    distances.means(distances, || Ok::<(), Infallible>(())).unwrap_or_else(|never| match never {})
}

fn count(to: u32) -> Column {
    Column::float("x", (0..to).map(f64::from).collect())
}

fn one(distances: &Distances, column: usize) -> f64 {
    distances.column(column, &mut Counts::default())
}

#[test]
fn distances_are_zero_for_equal_tables_and_one_for_disjoint_ones() {
    assert_eq!(one(&distances(vec![count(100)], vec![count(100)]), 0), 0.0);
    let below = Column::float("x", vec![-1.0; 50]);
    assert_eq!(one(&distances(vec![count(100)], vec![below]), 0), 0.95, "the lowest of 20 classes");
    let missing = Column::float("x", vec![f64::NAN; 7]);
    assert_eq!(one(&distances(vec![count(100)], vec![missing]), 0), 1.0);
}

#[test]
fn few_values_are_compared_by_value_and_many_in_classes() {
    // Every value moved a little: other values, but the same classes, whose cuts are at 49.95, 99.9 and so on.
    let moved = |to: u32| Column::float("x", (0..to).map(|x| f64::from(x) + 0.01).collect());
    assert_eq!(one(&distances(vec![count(45)], vec![moved(45)]), 0), 1.0);
    assert_eq!(one(&distances(vec![count(1000)], vec![moved(1000)]), 0), 0.0);
    // A value that only the synthetic table has is a class of its own.
    let (real, synthetic) = (vec![0.0, 0.0, 1.0, 1.0], vec![0.0, 0.0, 1.0, 2.0]);
    assert_eq!(one(&distances(vec![Column::float("x", real)], vec![Column::float("x", synthetic)]), 0), 0.25);
}

#[test]
fn distances_do_not_depend_on_the_sizes_of_the_tables() {
    let column = |rows: u32| Column::nominal("x", &["a", "b"], (0..rows).map(|row| row % 2).collect());
    assert_eq!(one(&distances(vec![column(10)], vec![column(1000)]), 0), 0.0);
}

/// c = a xor b: every pair of columns is independent, the three together are not.
#[test]
fn three_columns_show_what_pairs_do_not() {
    let levels = &["no", "yes"];
    let bit = |row: u32, place: u32| row >> place & 1;
    let column =
        |name: &str, code: &dyn Fn(u32) -> u32| Column::nominal(name, levels, (0..80).map(code).collect());
    let (a, b) = (|row| bit(row, 0), |row| bit(row, 1));
    let real = vec![column("a", &a), column("b", &b), column("c", &|row| a(row) ^ b(row))];
    let synthetic = vec![column("a", &a), column("b", &b), column("c", &|row| bit(row, 2))];
    let found = means(&distances(real, synthetic));
    assert_eq!((found.one_way, found.two_way, found.three_way), (0.0, Some(0.0), Some(0.5)));
    assert_eq!(found.triples, Triples { of: 1, measured: 1 });
}

#[test]
fn narrow_tables_have_no_distances_of_more_columns() {
    let found = means(&distances(vec![count(9)], vec![count(9)]));
    assert_eq!((found.one_way, found.two_way, found.three_way), (0.0, None, None));
    assert_eq!(found.triples, Triples { of: 0, measured: 0 });
}

/// Three columns of 3,000 levels have more cells than an array can hold: rows are sorted instead.
#[test]
fn many_levels_are_counted_by_sorting() {
    let levels: Vec<String> = (0..3000).map(|level| format!("{level:04}")).collect();
    let names: Vec<&str> = levels.iter().map(String::as_str).collect();
    let column = |name: &str, shift: u32| {
        Column::nominal(name, &names, (0..3000).map(|code| (code + shift) % 3000).collect())
    };
    let table = |shift: u32| vec![column("x", 0), column("y", 0), column("z", shift)];
    let same = distances(table(0), table(0));
    let moved = distances(table(0), table(1));
    let counts = &mut Counts::default();
    assert_eq!((same.pair(1, 2, counts), same.triple([0, 1, 2], counts)), (0.0, 0.0));
    assert_eq!((moved.column(2, counts), moved.pair(0, 1, counts)), (0.0, 0.0));
    assert_eq!((moved.pair(1, 2, counts), moved.triple([0, 1, 2], counts)), (1.0, 1.0));
}

/// A random table of every kind of column, with missing values.
fn mixed(rows: usize, seed: u64) -> Vec<Column> {
    let mut random = Seed(seed).stream(0);
    let mut number = |levels: u32| -> Vec<f64> {
        let draw = |random: &mut crate::random::Generator| match random.random_range(0..=levels) {
            0 => f64::NAN,
            value => f64::from(value * value),
        };
        (0..rows).map(|_| draw(&mut random)).collect()
    };
    let (few, many, wide) = (number(7), number(200), number(60));
    let codes = (0..rows).map(|_| random.random_range(0..3)).collect();
    vec![
        Column::float("few", few),
        Column::float("many", many),
        Column::nominal("level", &["a", "b", "c"], codes),
        Column::float("wide", wide),
    ]
}

/// Compares with the definition, with shares of cells in a map.
#[test]
fn agrees_with_a_plain_computation() {
    let stacked = stacked(mixed(400, 1), mixed(300, 2));
    let distances = Distances::new(&stacked);
    let plain = |set: &[usize]| {
        let mut shares: BTreeMap<Vec<u32>, (f64, f64)> = BTreeMap::new();
        for row in 0..700 {
            let cell = set.iter().map(|&column| distances.columns[column].codes[row]).collect();
            let shares = shares.entry(cell).or_default();
            if row < 400 { shares.0 += 1.0 / 400.0 } else { shares.1 += 1.0 / 300.0 }
        }
        shares.values().map(|(real, synthetic)| (real - synthetic).abs()).sum::<f64>() / 2.0
    };
    let counts = &mut Counts::default();
    for a in 0..4 {
        assert!((one(&distances, a) - plain(&[a])).abs() < 1e-12);
        for b in a + 1..4 {
            assert!((distances.pair(a, b, counts) - plain(&[a, b])).abs() < 1e-12);
            for c in b + 1..4 {
                assert!((distances.triple([a, b, c], counts) - plain(&[a, b, c])).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn means_do_not_depend_on_threads() {
    let distances = distances(mixed(500, 3), mixed(500, 4));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| means(&distances))
    };
    let found = with(1);
    assert!(found.one_way > 0.0 && found.two_way > Some(found.one_way) && found.three_way > found.two_way);
    assert_eq!(found, with(4));
}

#[test]
fn work_ends_when_it_is_no_longer_wanted() {
    let distances = distances(mixed(50, 5), mixed(50, 6));
    assert_eq!(distances.means(&distances, || Err::<(), &str>("stopped")), Err("stopped"));
}

#[test]
fn tables_are_cut_as_their_stack_is() {
    let table = |seed: u64, rows: usize| Table::new(mixed(rows, seed)).unwrap();
    let (real, synthetic) = (table(7, 400), table(8, 300));
    let of_tables = |synthetic: &Table| Distances::of_tables(&real, synthetic).unwrap();
    assert_eq!(means(&of_tables(&synthetic)), means(&distances(mixed(400, 7), mixed(300, 8))));
    let control = of_tables(&real).shuffled(Seed(1));
    assert_eq!(means(&control), means(&of_tables(&shuffle_columns(&real, Seed(1)))));
    assert!(Distances::of_tables(&real, &table(9, 1)).is_err());
}

/// The classes of a sample are those of the whole tables, so that its distances estimate theirs.
#[test]
fn samples_are_counted_in_the_classes_of_the_whole_tables() {
    let whole = distances(vec![count(1000)], vec![count(1000)]);
    let low: Vec<u32> = (0..50).collect();
    assert_eq!(one(&whole.of_rows(Some(&low), None), 0), 0.95, "one of 20 classes");
    assert_eq!(one(&whole.of_rows(None, Some(&low)), 0), 0.95);
    assert_eq!(one(&whole.of_rows(Some(&low), Some(&low[..9])), 0), 0.0);
}
