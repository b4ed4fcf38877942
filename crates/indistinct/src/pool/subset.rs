//! Rows that stand for the whole pool: a part of it whose tables of two columns are nearly those of all of it.
//!
//! Rows taken at random vary about the pool, and that noise protects nobody: privacy was paid for when the pool
//! was fitted. So rows that were taken are exchanged for others wherever this brings the tables of pairs closer
//! to those of the pool. Microsimulation fits survey records to census tables in this way (Williamson, Birkin and
//! Rees 1998).

use rand::seq::SliceRandom;

use super::Pool;
use crate::progress;
use crate::random::Generator;

/// Most classes of a column: the rarest become one.
const CLASSES: usize = 32;
/// Most times that another row is tried in the place of each.
const SWEEPS: usize = 20;
/// Approximate number of comparisons of cells: with many columns there are fewer sweeps.
const EFFORT: usize = 50_000_000;
/// Most columns for which rows are chosen by pairs: with more it would take longer than making the rows.
const MOST_COLUMNS: usize = 100;
/// Rows after which to check whether the work is still wanted.
const CHECKED: usize = 1024;

/// The `rows` of a pool that stand for all of them, in random order.
///
/// # Panics
/// When the pool has fewer rows.
pub(crate) fn subset(pool: &Pool, rows: usize, random: &mut Generator) -> Vec<u32> {
    assert!(rows <= pool.rows(), "the pool has the rows");
    let mut kept: Vec<u32> = (0..pool.rows() as u32).collect();
    kept.shuffle(random);
    let mut others = kept.split_off(rows);
    if others.is_empty() || rows == 0 || pool.columns() > MOST_COLUMNS {
        return kept;
    }
    let mut tables = Tables::new(pool, &kept);
    let sweeps = (EFFORT / (rows * tables.pairs.len()).max(1)).clamp(1, SWEEPS);
    let mut next = 0;
    for _ in 0..sweeps {
        for (number, row) in kept.iter_mut().enumerate() {
            if number.is_multiple_of(CHECKED) {
                progress::check();
            }
            let other = &mut others[next];
            if tables.falls(*row, *other) {
                tables.add(*row, -1.0);
                tables.add(*other, 1.0);
                std::mem::swap(row, other);
            }
            next = (next + 1) % others.len();
        }
    }
    kept
}

/// Tables of all pairs of columns (and of each with itself, for its margin): kept rows, minus their wanted
/// number. The objective is the sum of squares: that of absolute values stops at the first rows that are as good.
struct Tables {
    /// Classes, row after row.
    of_rows: Vec<u8>,
    columns: usize,
    pairs: Vec<PairTable>,
    excess: Vec<f32>,
}

/// Two columns, the start of their table, and the number of classes of the second.
struct PairTable {
    first: usize,
    second: usize,
    start: usize,
    width: usize,
}

impl PairTable {
    fn cell(&self, row: &[u8]) -> usize {
        self.start + usize::from(row[self.first]) * self.width + usize::from(row[self.second])
    }
}

impl Tables {
    fn new(pool: &Pool, kept: &[u32]) -> Self {
        let columns = pool.columns();
        let mut of_rows = vec![0; pool.rows() * columns];
        let mut counts = Vec::with_capacity(columns);
        for column in 0..columns {
            let (joined, count) = joined(pool, column);
            for (row, class) in pool.column(column).enumerate() {
                of_rows[row * columns + column] = joined[usize::from(class)];
            }
            counts.push(count);
        }
        let mut pairs = Vec::with_capacity(columns * (columns + 1) / 2);
        let mut start = 0;
        for first in 0..columns {
            for second in first..columns {
                pairs.push(PairTable { first, second, start, width: counts[second] });
                start += counts[first] * counts[second];
            }
        }
        // Large counts are exact in doubles only; what is left of them is small.
        let mut excess = vec![0.0_f64; start];
        let part = kept.len() as f64 / pool.rows() as f64;
        for row in of_rows.chunks_exact(columns) {
            for pair in &pairs {
                excess[pair.cell(row)] -= part;
            }
        }
        let mut tables =
            Self { of_rows, columns, pairs, excess: excess.into_iter().map(|e| e as f32).collect() };
        for &row in kept {
            tables.add(row, 1.0);
        }
        tables
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.of_rows[row as usize * self.columns..][..self.columns]
    }

    fn add(&mut self, row: u32, count: f32) {
        let row = &self.of_rows[row as usize * self.columns..][..self.columns];
        self.pairs.iter().for_each(|pair| self.excess[pair.cell(row)] += count);
    }

    /// Whether the sum of squares falls if `other` is kept instead of `row`: it falls by twice the sum computed
    /// here.
    fn falls(&self, row: u32, other: u32) -> bool {
        let (row, other) = (self.row(row), self.row(other));
        let of_pair = |pair: &PairTable| {
            let (from, to) = (pair.cell(row), pair.cell(other));
            if from == to { 0.0 } else { self.excess[from] - self.excess[to] - 1.0 }
        };
        self.pairs.iter().map(of_pair).sum::<f32>() > 0.0
    }
}

/// For every class of a column, its place among at most [`CLASSES`], and their number: frequent ones stay by
/// themselves.
fn joined(pool: &Pool, column: usize) -> (Vec<u8>, usize) {
    let mut counts: Vec<usize> = Vec::new();
    for class in pool.column(column) {
        let class = usize::from(class);
        if counts.len() <= class {
            counts.resize(class + 1, 0);
        }
        counts[class] += 1;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&class| (std::cmp::Reverse(counts[class]), class));
    let mut joined = vec![0; counts.len()];
    for (rank, class) in order.into_iter().enumerate() {
        joined[class] = rank.min(CLASSES - 1) as u8;
    }
    (joined, counts.len().min(CLASSES))
}
