//! Refitting the pool to measured tables, by exchanges: two rows swap their classes in one column wherever that brings the
//! pool's tables closer to what was measured. Every column keeps its distribution exactly.
//!
//! The objective is the sum over tables and cells of (c - y)^2 / sd^2, c being the pool's count scaled to the private table's
//! size and y the noisy one. An exchange that raises it by d is made with probability exp(-d / 2T). T = 1 would be the
//! posterior given independent rows, a prior that believes in independence far too firmly; T is low instead. (On six tables .02
//! to .03 did best; .1 and .003 were worse on all of them, whatever the noise.)

use rand::{Rng, RngExt};

use super::Pool;
use crate::interrupt;
use crate::private::ClassTable;
use crate::random::Generator;

/// The temperature, if the pool has as many rows as the private table. With more rows chance alone pulls harder towards
/// independence, by as many times.
const TEMPERATURE: f64 = 0.03;
/// Tries after which to ask whether they are still wanted.
const CHECKED: usize = 1 << 16;

/// A measured table.
pub(crate) struct Target {
    table: ClassTable,
    /// Rows of the pool that each cell should hold.
    wanted: Vec<f32>,
    /// Of a squared difference, in rows of the pool.
    weight: f32,
}

impl Target {
    /// Noisy counts of a table of so many private rows, with the standard deviation of their noise.
    pub(crate) fn new(table: ClassTable, noisy: &[i64], (rows, noise_sd): (usize, f64)) -> Self {
        // In rows of the private table until the size of the pool is known.
        let wanted = noisy.iter().map(|&count| (count as f64 / rows as f64) as f32).collect();
        Self { table, wanted, weight: (rows as f64 / noise_sd.max(LEAST_SD)).powi(2) as f32 }
    }
}

/// Noise that is less than this is none: whole numbers tell no more.
const LEAST_SD: f64 = 0.1;

/// One side of a table: what an exchange in this side's column does to the table.
struct Side {
    /// For every class of the column, what it adds to the cell.
    own: Vec<u32>,
    /// The other columns, with what their classes add; a table of two columns has nothing to add for the second.
    others: [(usize, Vec<u32>); 2],
    /// Where the table's cells begin, and its weight.
    start: usize,
    weight: f32,
}

/// A pool while it is fitted.
pub(crate) struct Refit<'a> {
    pool: &'a mut Pool,
    /// Rows of the private table.
    private_rows: usize,
    /// For every column the tables that it is in.
    sides: Vec<Vec<Side>>,
    /// Rows of the pool in every cell of all tables, less what there should be.
    excess: Vec<f32>,
}

impl<'a> Refit<'a> {
    /// A pool that nothing is known of yet.
    pub(crate) fn new(pool: &'a mut Pool, private_rows: usize) -> Self {
        let columns = pool.columns();
        Self { pool, private_rows, sides: (0..columns).map(|_| Vec::new()).collect(), excess: Vec::new() }
    }

    /// The pool as it is.
    pub(crate) fn pool(&self) -> &Pool {
        self.pool
    }

    /// One more table to agree with.
    pub(crate) fn add(&mut self, target: Target) {
        let Target { table, wanted, weight } = target;
        let rows = self.pool.rows() as f32;
        let start = self.excess.len();
        let counts = self.pool.counts(&table);
        self.excess.extend(counts.iter().zip(wanted).map(|(&count, wanted)| count as f32 - rows * wanted));
        let weight = weight / (rows * rows);
        for (place, &column) in table.columns().iter().enumerate() {
            let mut others = table.columns().iter().zip(table.steps()).enumerate();
            let mut other = || match others.find(|(other, _)| *other != place) {
                Some((_, (column, steps))) => (*column, steps.clone()),
                None => (column, vec![0; table.steps()[place].len()]),
            };
            let others = [other(), other()];
            self.sides[column].push(Side { own: table.steps()[place].clone(), others, start, weight });
        }
    }

    /// Tries so many exchanges for every row and column, on average.
    pub(crate) fn exchange(&mut self, tries: f64, random: &mut Generator) {
        let columns: Vec<usize> =
            (0..self.sides.len()).filter(|&column| !self.sides[column].is_empty()).collect();
        let rows = self.pool.rows();
        if columns.is_empty() || rows < 2 {
            return;
        }
        let temperature = (TEMPERATURE * (self.private_rows as f64 / rows as f64).min(1.0)) as f32;
        let any_row = |bits: u32| ((u64::from(bits) * rows as u64) >> 32) as usize;
        for number in 0..(tries * (rows * columns.len()) as f64) as usize {
            if number.is_multiple_of(CHECKED) {
                interrupt::check();
            }
            let column = columns[number % columns.len()];
            let bits = random.next_u64();
            let (first, second) = (any_row(bits as u32), any_row((bits >> 32) as u32));
            let change = self.change(column, first, second);
            if change <= 0.0 || random.random::<f32>() < (-0.5 * change / temperature).exp() {
                self.make(column, first, second);
            }
        }
    }

    /// By how much the objective would rise; more than anything where nothing would change.
    fn change(&self, column: usize, first: usize, second: usize) -> f32 {
        let (r, s) = (self.pool.row(first), self.pool.row(second));
        let (a, b) = (usize::from(r[column]), usize::from(s[column]));
        if a == b {
            return f32::INFINITY;
        }
        let mut change = 0.0;
        for side in &self.sides[column] {
            let (of_r, of_s) = (side.base(r), side.base(s));
            let (of_a, of_b) = (side.own[a] as usize, side.own[b] as usize);
            if of_r == of_s || of_a == of_b {
                continue;
            }
            let excess = |cell: usize| self.excess[cell];
            let slope = excess(of_r + of_b) - excess(of_r + of_a) + excess(of_s + of_a) - excess(of_s + of_b);
            change += side.weight * (2.0 * slope + 4.0);
        }
        change
    }

    fn make(&mut self, column: usize, first: usize, second: usize) {
        let columns = self.pool.columns;
        for side in &self.sides[column] {
            let (r, s) = (self.pool.row(first), self.pool.row(second));
            let (of_r, of_s) = (side.base(r), side.base(s));
            let (of_a, of_b) =
                (side.own[usize::from(r[column])] as usize, side.own[usize::from(s[column])] as usize);
            self.excess[of_r + of_a] -= 1.0;
            self.excess[of_r + of_b] += 1.0;
            self.excess[of_s + of_b] -= 1.0;
            self.excess[of_s + of_a] += 1.0;
        }
        self.pool.classes.swap(first * columns + column, second * columns + column);
    }
}

impl Side {
    /// The cell of a row, without what the own column adds.
    fn base(&self, row: &[u16]) -> usize {
        let [(first, of_first), (second, of_second)] = &self.others;
        let step = of_first[usize::from(row[*first])] + of_second[usize::from(row[*second])];
        self.start + step as usize
    }
}
