use std::collections::BTreeMap;

use rand::RngExt;
use rand::seq::SliceRandom;

use super::*;
use crate::random::Seed;

/// A table of some columns with these numbers of classes.
fn table(columns: &[usize], classes: &[usize]) -> ClassTable {
    let views: Vec<(Vec<usize>, usize)> =
        columns.iter().map(|&column| ((0..classes[column]).collect(), classes[column])).collect();
    ClassTable::new(columns, &views)
}

fn counts(pool: &Pool, table: &ClassTable) -> Vec<i64> {
    let columns = pool.by_column();
    table.counts(|column| &columns[column])
}

/// The sum of squared differences over sd^2.
fn objective(pool: &Pool, targets: &[(ClassTable, Vec<i64>)], sd: f64) -> f64 {
    let of = |(table, noisy): &(ClassTable, Vec<i64>)| -> f64 {
        let cells = counts(pool, table).into_iter().zip(noisy);
        cells.map(|(c, y)| ((c - y) as f64 / sd).powi(2)).sum()
    };
    targets.iter().map(of).sum()
}

fn fitted<'a>(
    pool: &'a mut Pool,
    targets: &[(ClassTable, Vec<i64>)],
    sd: f64,
    copula: &'a Copula,
    rules: &'a ClassRules,
) -> Refit<'a> {
    let rows = pool.rows();
    let none = ProductTargets { scores: vec![Vec::new(); pool.columns()], pairs: Vec::new() };
    let mut refit = Refit::new(pool, rows, &none, copula, rules);
    for (table, noisy) in targets {
        refit.add(Target::new(table.clone(), noisy, rows, sd));
    }
    refit
}

fn permutations(classes: &[u16]) -> Vec<Vec<u16>> {
    if classes.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for place in 0..classes.len() {
        let mut rest = classes.to_vec();
        let first = rest.remove(place);
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

/// All pools of five rows whose columns have these classes; the first column stays as it is.
fn pools(columns: &[[u16; 5]; 3]) -> Vec<Pool> {
    let (second, third) = (permutations(&columns[1]), permutations(&columns[2]));
    let rows = |second: &[u16], third: &[u16]| {
        Pool::new((0..5).flat_map(|row| [columns[0][row], second[row], third[row]]).collect(), 3)
    };
    second.iter().flat_map(|second| third.iter().map(move |third| rows(second, third))).collect()
}

const COLUMNS: [[u16; 5]; 3] = [[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 1, 1, 1, 1]];
const CLASSES: [usize; 3] = [3, 2, 2];

fn targets() -> Vec<(ClassTable, Vec<i64>)> {
    let of = |columns: &[usize], noisy: &[i64]| {
        let table = table(columns, &CLASSES);
        assert_eq!(table.cells(), noisy.len());
        (table, noisy.to_vec())
    };
    vec![
        of(&[0, 1], &[0, 3, 1, 1, 0, -1]),
        of(&[1, 2], &[2, -1, 0, 3]),
        of(&[0, 1, 2], &[1, 0, 0, 0, 1, 0, -2, 2, 1, 1, 0, 1]),
    ]
}

#[test]
fn the_least_objective_of_all_pools_is_found() {
    let targets = targets();
    let least =
        pools(&COLUMNS).iter().map(|pool| objective(pool, &targets, 2.0)).fold(f64::INFINITY, f64::min);
    let mut pool = pools(&COLUMNS).swap_remove(17);
    fitted(&mut pool, &targets, 2.0, &Copula::none(3), &ClassRules::none(3))
        .exchange(200.0, &mut Seed(1).stream(0));
    assert!((objective(&pool, &targets, 2.0) - least).abs() < 1e-9);
}

#[test]
fn at_temperature_one_pools_have_the_law_of_the_objective() {
    let targets = targets();
    // Rows have no order: a pool is the same whatever the order of its rows.
    let mut exact: BTreeMap<Vec<u16>, f64> = BTreeMap::new();
    for pool in pools(&COLUMNS) {
        let weight = (-0.5 * objective(&pool, &targets, 2.0)).exp();
        *exact.entry(pool.sorted().classes).or_default() += weight;
    }
    let all: f64 = exact.values().sum();
    let mut pool = pools(&COLUMNS).swap_remove(0);
    let mut random = Seed(2).stream(0);
    let (none, no_rules) = (Copula::none(3), ClassRules::none(3));
    let mut refit = fitted(&mut pool, &targets, 2.0, &none, &no_rules);
    let mut seen: BTreeMap<Vec<u16>, f64> = BTreeMap::new();
    let draws = 20_000;
    for _ in 0..draws {
        refit.exchange_at(1.0, 2.0, &mut random);
        *seen.entry(refit.pool().sorted().classes).or_default() += 1.0 / f64::from(draws);
    }
    let distance: f64 = exact
        .iter()
        .map(|(pool, weight)| (weight / all - seen.get(pool).copied().unwrap_or(0.0)).abs() / 2.0)
        .sum();
    assert!(distance < 0.03, "{distance}");
    assert!(seen.keys().all(|pool| exact.contains_key(pool)));
}

#[test]
fn every_column_keeps_its_distribution_and_counts_stay_right() {
    let mut random = Seed(3).stream(0);
    let classes = [4, 7, 3, 2];
    let rows = 500;
    let cells: Vec<u16> =
        (0..rows * 4).map(|place| random.random_range(0..classes[place % 4]) as u16).collect();
    let mut pool = Pool::new(cells, 4);
    let before = pool.clone();
    let targets: Vec<(ClassTable, Vec<i64>)> = [vec![0, 1], vec![1, 2, 3], vec![0, 2]]
        .into_iter()
        .map(|columns| {
            let table = table(&columns, &classes);
            let noisy = (0..table.cells()).map(|_| random.random_range(-20..60)).collect();
            (table, noisy)
        })
        .collect();
    let (none, no_rules) = (Copula::none(4), ClassRules::none(4));
    let mut refit = fitted(&mut pool, &targets, 5.0, &none, &no_rules);
    refit.exchange(3.0, &mut random);
    let excess = refit.excess.clone();
    let counted = targets.iter().flat_map(|(table, noisy)| {
        counts(refit.pool(), table).into_iter().zip(noisy).map(|(c, y)| c as f32 - *y as f32)
    });
    assert!(counted.zip(&excess).all(|(counted, kept)| (counted - kept).abs() < 1e-3));
    for column in 0..4 {
        let sorted = |pool: &Pool| {
            let mut classes: Vec<u16> = pool.column(column).collect();
            classes.sort_unstable();
            classes
        };
        assert_eq!(sorted(&pool), sorted(&before));
    }
    assert!(objective(&pool, &targets, 5.0) < objective(&before, &targets, 5.0));
}

#[test]
fn rows_of_rare_cells_find_each_other() {
    let mut random = Seed(4).stream(0);
    // The second column is a function of the first; rows are shuffled.
    let first: Vec<u16> = (0..4000).map(|row| u16::from(row % 50 == 0) + u16::from(row % 100 == 0)).collect();
    let mut second = first.clone();
    second.shuffle(&mut random);
    let cells: Vec<u16> = first.iter().zip(&second).flat_map(|(&a, &b)| [a, b]).collect();
    let mut pool = Pool::new(cells, 2);
    let table = table(&[0, 1], &[3, 3]);
    let wanted = vec![3920, 0, 0, 0, 40, 0, 0, 0, 40];
    let astray = |pool: &Pool| {
        let counts = counts(pool, &table);
        counts.iter().zip(&wanted).filter(|(_, wanted)| **wanted == 0).map(|(count, _)| count).sum::<i64>()
    };
    assert!(astray(&pool) > 100);
    let (none, no_rules) = (Copula::none(2), ClassRules::none(2));
    let targets = [(table.clone(), wanted.clone())];
    let mut refit = fitted(&mut pool, &targets, 1.0, &none, &no_rules);
    for _ in 0..4 {
        refit.even_out(0..1, &mut random);
    }
    assert_eq!(astray(refit.pool()), 0);
    let sorted = |column: usize| {
        let mut classes: Vec<u16> = refit.pool().column(column).collect();
        classes.sort_unstable();
        classes
    };
    assert_eq!(sorted(0), sorted(1), "columns keep their distribution");
}
