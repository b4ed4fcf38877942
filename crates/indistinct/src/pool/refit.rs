//! Refitting the pool to measured tables, by exchanges: two rows swap their classes in one column wherever that
//! brings the pool's tables closer to the measured ones. Every column keeps its distribution exactly. Exchanges
//! that would break a rule are refused; columns that rules tie together are also exchanged as a block, or rules
//! would freeze the rows.
//!
//! The objective is the sum over tables and cells of (c - y)^2 / sd^2, where c is the pool's count scaled to the
//! private table's size and y the noisy one. An exchange that raises it by d is made with probability exp(-d /
//! 2T). T = 1 would be the posterior given rows of the copula, a prior that believes in its own dependence far
//! too firmly; T is low instead. (Of temperatures from .001 to .3, those from .01 to .03 did best on
//! national2019, hmeq, sd2011 and artificial characters, before the copula was the prior.)

use std::ops::Range;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::products::Products;
use super::{ClassRules, Copula, Pool, ProductTargets};
use crate::private::ClassTable;
use crate::progress;
use crate::random::Generator;

/// The temperature, if the pool has as many rows as the private table. With more rows, chance pulls towards
/// independence that many times as hard.
const TEMPERATURE: f64 = 0.03;
/// Exchanges tried for every surplus row in a cell.
const SURPLUS_TRIES: usize = 4;
/// Tries after which to check whether the work is still wanted.
const CHECKED: usize = 1 << 16;

/// A measured table.
pub(crate) struct Target {
    table: ClassTable,
    /// Rows of the pool that each cell should hold.
    wanted: Vec<f32>,
    /// The weight of a squared difference, in rows of the pool.
    weight: f32,
}

impl Target {
    /// A measured table: noisy counts of `rows` private rows, with the standard deviation of their noise.
    pub(crate) fn new(table: ClassTable, noisy: &[i64], (rows, noise_sd): (usize, f64)) -> Self {
        // In rows of the private table until the size of the pool is known.
        let wanted = noisy.iter().map(|&count| (count as f64 / rows as f64) as f32).collect();
        Self { table, wanted, weight: (rows as f64 / noise_sd.max(LEAST_SD)).powi(2) as f32 }
    }
}

/// Least noise: whole numbers tell no more.
const LEAST_SD: f64 = 0.1;

/// The unit of an exchange: a column, or a block of columns, with the tables that it changes.
struct Unit {
    columns: Vec<usize>,
    sides: Vec<Side>,
}

/// A table from the side of an exchange: the effect on it of exchanging some of its columns.
struct Side {
    /// The columns that are exchanged. The second adds nothing where there is only one.
    own: [Axis; 2],
    /// The columns that are not exchanged. The second adds nothing where there is only one.
    others: [Axis; 2],
    /// The place of the table's first cell.
    start: u32,
    weight: f32,
}

/// A column of a table, and the place in [`Refit::steps`] of the steps of its classes.
#[derive(Clone, Copy)]
struct Axis {
    column: u32,
    steps: u32,
}

/// The cells of a table from which an exchange takes rows, and those to which it brings them.
#[derive(Clone, Copy, Default)]
struct Touched {
    gaining: [u32; 2],
    losing: [u32; 2],
    weight: f32,
}

impl Unit {
    /// Whether an exchange between two rows would change them.
    fn differs(&self, r: &[u16], s: &[u16]) -> bool {
        self.columns.iter().any(|&column| r[column] != s[column])
    }
}

impl Axis {
    #[inline]
    fn step(self, steps: &[u32], row: &[u16]) -> u32 {
        steps[self.steps as usize + usize::from(row[self.column as usize])]
    }
}

/// A pool while it is fitted.
pub(crate) struct Refit<'a> {
    pool: &'a mut Pool,
    /// Rows of the private table.
    private_rows: usize,
    products: Products,
    copula: &'a Copula,
    rules: &'a ClassRules,
    units: Vec<Unit>,
    /// All tables, with the place of their first cell.
    tables: Vec<(ClassTable, usize)>,
    /// The steps of classes, of all columns of all tables, next to each other in memory; they begin with as many
    /// zeros as a column can have classes.
    steps: Vec<u32>,
    /// Rows of the pool in every cell of all tables, minus the wanted number.
    excess: Vec<f32>,
}

impl<'a> Refit<'a> {
    /// A pool without measured tables.
    pub(crate) fn new(
        pool: &'a mut Pool,
        private_rows: usize,
        (products, copula, rules): (&ProductTargets, &'a Copula, &'a ClassRules),
    ) -> Self {
        let columns = pool.columns();
        let products = Products::new(products, pool);
        let single = (0..columns).map(|column| vec![column]);
        // To exchange all columns changes nothing.
        let blocks = rules.blocks().into_iter().filter(|block| block.len() < columns);
        let units = single.chain(blocks).map(|columns| Unit { columns, sides: Vec::new() }).collect();
        let most_classes = pool.classes.iter().max().map_or(0, |class| usize::from(*class) + 1);
        let (tables, steps, excess) = (Vec::new(), vec![0; most_classes], Vec::new());
        Self { pool, private_rows, products, copula, rules, units, tables, steps, excess }
    }

    /// The pool in its present state.
    pub(crate) fn pool(&self) -> &Pool {
        self.pool
    }

    /// Adds a table to agree with.
    pub(crate) fn add(&mut self, target: Target) {
        let Target { table, wanted, weight } = target;
        let rows = self.pool.rows() as f32;
        let start = self.excess.len();
        let columns = self.pool.by_column();
        let counts = table.counts(|column| &columns[column]);
        self.excess.extend(counts.iter().zip(wanted).map(|(&count, wanted)| count as f32 - rows * wanted));
        let weight = weight / (rows * rows);
        let mut axes = Vec::with_capacity(table.columns().len());
        for (&column, steps) in table.columns().iter().zip(table.steps()) {
            axes.push(Axis { column: column as u32, steps: self.steps.len() as u32 });
            self.steps.extend(steps);
        }
        for unit in &mut self.units {
            let (own, others): (Vec<Axis>, Vec<Axis>) =
                axes.iter().partition(|axis| unit.columns.contains(&(axis.column as usize)));
            // Within a block, and outside it, nothing changes.
            if let (Some(own), Some(others)) = (both(&own), both(&others)) {
                unit.sides.push(Side { own, others, start: start as u32, weight });
            }
        }
        self.tables.push((table, start));
    }

    /// Makes exchanges between surplus rows in cells of `tables`, which are numbered as they were added: rows of
    /// rare cells would seldom meet by chance. Only exchanges that lower the objective are made.
    pub(crate) fn even_out(&mut self, tables: Range<usize>, random: &mut Generator) {
        let mut touched = Vec::new();
        for table in tables {
            progress::check();
            let surplus = self.surplus(table, random);
            let start = self.tables[table].1;
            let is_changed =
                |unit: &usize| self.units[*unit].sides.iter().any(|side| side.start as usize == start);
            let units: Vec<usize> = (0..self.units.len()).filter(is_changed).collect();
            if units.is_empty() {
                continue;
            }
            for &first in surplus.iter().cycle().take(SURPLUS_TRIES * surplus.len()) {
                let second = surplus[random.random_range(0..surplus.len())];
                let number = units[random.random_range(0..units.len())];
                let (unit, r, s) = (&self.units[number], self.pool.row(first), self.pool.row(second));
                let is_better = unit.differs(r, s) && self.change(unit, (r, s), &mut touched) < 0.0;
                if is_better && self.obeys(unit, r, s) {
                    self.make(number, first, second);
                }
            }
        }
    }

    /// The surplus rows in cells of a table: random ones, as many as there are too many.
    fn surplus(&self, table: usize, random: &mut Generator) -> Vec<usize> {
        let (table, start) = &self.tables[table];
        let mut excess = self.excess[*start..][..table.cells()].to_vec();
        let mut rows: Vec<usize> = (0..self.pool.rows()).collect();
        rows.shuffle(random);
        rows.retain(|&row| {
            let of_cell = &mut excess[table.cell(self.pool.row(row))];
            *of_cell -= 1.0;
            *of_cell > -0.5
        });
        rows
    }

    /// Tries this many exchanges for every row and column, on average.
    pub(crate) fn exchange(&mut self, tries: f64, random: &mut Generator) {
        let more_rows = self.pool.rows() as f64 / self.private_rows as f64;
        self.exchange_at(TEMPERATURE / more_rows.max(1.0), tries, random);
    }

    fn exchange_at(&mut self, temperature: f64, tries: f64, random: &mut Generator) {
        let is_known = |unit: &usize| {
            let Unit { columns, sides } = &self.units[*unit];
            !sides.is_empty() || columns.iter().any(|&column| self.products.has(column))
        };
        let units: Vec<usize> = (0..self.units.len()).filter(is_known).collect();
        let rows = self.pool.rows();
        if units.is_empty() || rows < 2 {
            return;
        }
        let temperature = temperature as f32;
        let mut touched = Vec::new();
        let any_row = |bits: u32| ((u64::from(bits) * rows as u64) >> 32) as usize;
        for number in 0..(tries * (rows * units.len()) as f64) as usize {
            if number.is_multiple_of(CHECKED) {
                progress::check();
            }
            let unit = &self.units[units[number % units.len()]];
            let bits = random.next_u64();
            let (first, second) = (any_row(bits as u32), any_row((bits >> 32) as u32));
            let (r, s) = (self.pool.row(first), self.pool.row(second));
            if !unit.differs(r, s) {
                continue;
            }
            // As if rows were drawn from the copula, and tables decided at the temperature.
            let rise = self.copula.rise(&unit.columns, r, s);
            let change = self.change(unit, (r, s), &mut touched) - 2.0 * temperature * rise;
            let is_better = change <= 0.0 || random.random::<f32>() < (-0.5 * change / temperature).exp();
            if is_better && self.obeys(unit, r, s) {
                self.make(units[number % units.len()], first, second);
            }
        }
    }

    /// The rise of the objective if two rows exchanged classes that differ. `touched` is working memory.
    ///
    /// Cells are far apart in memory: they are all located first, and then read together. No branch depends on
    /// whether a cell changes, because it could not be predicted.
    fn change(&self, unit: &Unit, (r, s): (&[u16], &[u16]), touched: &mut Vec<Touched>) -> f32 {
        touched.resize(touched.len().max(unit.sides.len()), Touched::default());
        let mut changed = 0;
        for side in &unit.sides {
            let [of_r, of_s, of_a, of_b] = self.cells(side, r, s);
            let (gaining, losing) = ([of_r + of_b, of_s + of_a], [of_r + of_a, of_s + of_b]);
            touched[changed] = Touched { gaining, losing, weight: side.weight };
            changed += usize::from(of_r != of_s && of_a != of_b);
        }
        let excess = |cell: u32| self.excess[cell as usize];
        let mut change = self.products.change(&unit.columns, r, s);
        for Touched { gaining, losing, weight } in &touched[..changed] {
            let slope = excess(gaining[0]) - excess(losing[0]) + excess(gaining[1]) - excess(losing[1]);
            change += weight * (2.0 * slope + 4.0);
        }
        change
    }

    /// Whether the exchange breaks no more rules than before. Blocks take along all columns that their rules use.
    fn obeys(&self, unit: &Unit, r: &[u16], s: &[u16]) -> bool {
        let [column] = unit.columns[..] else { return true };
        self.rules.broken_more(r, column, s[column]) + self.rules.broken_more(s, column, r[column]) <= 0
    }

    /// The parts of two rows' classes in the numbers of their cells: of the columns that are not exchanged, with
    /// the place of the first cell, and of those that are.
    #[inline]
    fn cells(&self, side: &Side, r: &[u16], s: &[u16]) -> [u32; 4] {
        let sum =
            |[first, second]: [Axis; 2], row| first.step(&self.steps, row) + second.step(&self.steps, row);
        [
            side.start + sum(side.others, r),
            side.start + sum(side.others, s),
            sum(side.own, r),
            sum(side.own, s),
        ]
    }

    fn make(&mut self, unit: usize, first: usize, second: usize) {
        let Unit { columns, sides } = &self.units[unit];
        let (r, s) = (self.pool.row(first), self.pool.row(second));
        self.products.make(columns, r, s);
        for side in sides {
            let [of_r, of_s, of_a, of_b] = self.cells(side, r, s);
            self.excess[(of_r + of_a) as usize] -= 1.0;
            self.excess[(of_r + of_b) as usize] += 1.0;
            self.excess[(of_s + of_b) as usize] -= 1.0;
            self.excess[(of_s + of_a) as usize] += 1.0;
        }
        self.pool.exchange(columns, first, second);
    }
}

/// One or two columns as two, where the second may add nothing; `None` if there are none, or more.
fn both(axes: &[Axis]) -> Option<[Axis; 2]> {
    match *axes {
        [axis] => Some([axis, Axis { column: axis.column, steps: 0 }]),
        [first, second] => Some([first, second]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
        (sd, copula, rules): (f64, &'a Copula, &'a ClassRules),
    ) -> Refit<'a> {
        let rows = pool.rows();
        let none = ProductTargets { scores: vec![Vec::new(); pool.columns()], pairs: Vec::new() };
        let mut refit = Refit::new(pool, rows, (&none, copula, rules));
        for (table, noisy) in targets {
            refit.add(Target::new(table.clone(), noisy, (rows, sd)));
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
        fitted(&mut pool, &targets, (2.0, &Copula::none(3), &ClassRules::none(3)))
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
        let mut refit = fitted(&mut pool, &targets, (2.0, &none, &no_rules));
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
        let mut refit = fitted(&mut pool, &targets, (5.0, &none, &no_rules));
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
        let first: Vec<u16> =
            (0..4000).map(|row| u16::from(row % 50 == 0) + u16::from(row % 100 == 0)).collect();
        let mut second = first.clone();
        second.shuffle(&mut random);
        let cells: Vec<u16> = first.iter().zip(&second).flat_map(|(&a, &b)| [a, b]).collect();
        let mut pool = Pool::new(cells, 2);
        let table = table(&[0, 1], &[3, 3]);
        let wanted = vec![3920, 0, 0, 0, 40, 0, 0, 0, 40];
        let astray = |pool: &Pool| {
            let counts = counts(pool, &table);
            counts
                .iter()
                .zip(&wanted)
                .filter(|(_, wanted)| **wanted == 0)
                .map(|(count, _)| count)
                .sum::<i64>()
        };
        assert!(astray(&pool) > 100);
        let (none, no_rules) = (Copula::none(2), ClassRules::none(2));
        let targets = [(table.clone(), wanted.clone())];
        let mut refit = fitted(&mut pool, &targets, (1.0, &none, &no_rules));
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
}
