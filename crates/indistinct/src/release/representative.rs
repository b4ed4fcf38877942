//! Rows that stand for many: a part of a large sample whose tables of two columns are nearly those of all of it.
//!
//! Rows that are drawn one by one vary about their model, and that noise protects nobody: privacy was paid for when the
//! model was found, and what is made from a model is post-processing. So several times as many rows are drawn as are
//! wanted, and rows that were to be kept are exchanged for others wherever this brings the tables of pairs closer to those
//! of the large sample. Microsimulation fits survey records to census tables in this way (Williamson, Birkin and Rees 1998).

use rayon::prelude::*;

use crate::table::{Column, ColumnType, Table};

/// Intervals of a number, of equal mass.
const INTERVALS: usize = 20;
/// Classes of levels: the most frequent ones, and one for all others.
const MOST_LEVELS: usize = 32;
/// How often another row is tried in the place of each, at most.
const SWEEPS: usize = 20;
/// Comparisons of cells, about, at most: fewer sweeps are made where there are many columns.
const EFFORT: usize = 50_000_000;
/// Which rows to keep: one of `copies`, in ascending order.
///
/// # Panics
/// When the rows cannot be divided by `copies`.
pub(super) fn representative(pool: &Table, copies: usize) -> Vec<u32> {
    assert_eq!(pool.rows() % copies, 0, "the pool is a multiple of the rows");
    let rows = pool.rows() / copies;
    let classes: Vec<Classes> = pool.columns().par_iter().map(Classes::of_column).collect();
    let mut tables = Tables::new(&classes, pool.rows());
    let mut kept: Vec<u32> = (0..rows as u32).collect();
    let mut others: Vec<u32> = (rows as u32..pool.rows() as u32).collect();
    tables.aim(&kept, copies as i32);

    let sweeps = (EFFORT / (rows * tables.pairs.len()).max(1)).clamp(1, SWEEPS);
    let mut next = 0;
    for _ in 0..sweeps {
        for row in &mut kept {
            let Some(other) = others.get_mut(next) else { break };
            if tables.falls(*row, *other) {
                tables.exchange(*row, *other);
                std::mem::swap(row, other);
            }
            next = (next + 1) % (rows * (copies - 1));
        }
    }
    kept.sort_unstable();
    kept
}

/// The classes of a column: levels or intervals, the last one for missing values.
struct Classes {
    of_rows: Vec<u8>,
    count: usize,
}

impl Classes {
    fn of_column(column: &Column) -> Self {
        let values = column.values().to_reals();
        let mut present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        present.sort_unstable_by(f64::total_cmp);
        let (starts, order) = match column.schema().kind() {
            ColumnType::Nominal { .. } => by_frequency(&present),
            _ => intervals(&present),
        };
        let missing = order.iter().max().map_or(0, |last| last + 1);
        let class = |value: &f64| {
            if value.is_nan() {
                return missing;
            }
            order[starts.partition_point(|start| start <= value).saturating_sub(1)]
        };
        Self { of_rows: values.iter().map(class).collect(), count: usize::from(missing) + 1 }
    }
}

/// Where intervals of about equal mass start, and their classes.
fn intervals(sorted: &[f64]) -> (Vec<f64>, Vec<u8>) {
    let mut starts: Vec<f64> =
        (0..INTERVALS).filter_map(|part| sorted.get(part * sorted.len() / INTERVALS).copied()).collect();
    starts.dedup();
    let order = (0..starts.len() as u8).collect();
    (starts, order)
}

/// Levels and their classes.
fn by_frequency(sorted: &[f64]) -> (Vec<f64>, Vec<u8>) {
    let levels: Vec<&[f64]> = sorted.chunk_by(|a, b| a == b).collect();
    let mut ranked: Vec<usize> = (0..levels.len()).collect();
    ranked.sort_by_key(|&level| std::cmp::Reverse(levels[level].len()));
    let mut order = vec![0; levels.len()];
    for (rank, &level) in ranked.iter().enumerate() {
        order[level] = rank.min(MOST_LEVELS - 1) as u8;
    }
    (levels.iter().map(|level| level[0]).collect(), order)
}

/// Tables of all pairs of columns (and of each with itself, for its margin): `copies` times the rows that are kept, less
/// all rows. What is to be made small is the sum of squares: that of absolute values stops at the first rows that are as good.
struct Tables {
    /// Classes, row after row.
    of_rows: Vec<u8>,
    columns: usize,
    /// Columns of each table, and where it starts.
    pairs: Vec<Pair>,
    excess: Vec<i32>,
    copies: i32,
}

struct Pair {
    first: usize,
    second: usize,
    start: usize,
    width: usize,
}

impl Pair {
    fn cell(&self, row: &[u8]) -> usize {
        self.start + usize::from(row[self.first]) * self.width + usize::from(row[self.second])
    }
}

impl Tables {
    fn new(classes: &[Classes], rows: usize) -> Self {
        let columns = classes.len();
        let mut pairs = Vec::with_capacity(columns * (columns + 1) / 2);
        let mut start = 0;
        for first in 0..columns {
            for second in first..columns {
                let width = classes[second].count;
                pairs.push(Pair { first, second, start, width });
                start += classes[first].count * width;
            }
        }
        let mut of_rows = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            of_rows.extend(classes.iter().map(|classes| classes.of_rows[row]));
        }
        Self { of_rows, columns, pairs, excess: vec![0; start], copies: 0 }
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.of_rows[row as usize * self.columns..][..self.columns]
    }

    /// Counts all rows, and those that are kept.
    fn aim(&mut self, kept: &[u32], copies: i32) {
        self.copies = copies;
        for row in self.of_rows.chunks_exact(self.columns) {
            self.pairs.iter().for_each(|pair| self.excess[pair.cell(row)] -= 1);
        }
        for &row in kept {
            self.add(row, copies);
        }
    }

    fn add(&mut self, row: u32, count: i32) {
        let row = &self.of_rows[row as usize * self.columns..][..self.columns];
        self.pairs.iter().for_each(|pair| self.excess[pair.cell(row)] += count);
    }

    /// Whether the sum of squares falls if `other` is kept instead of `row`: it does by 2 `copies` times what is summed here.
    fn falls(&self, row: u32, other: u32) -> bool {
        let (row, other) = (self.row(row), self.row(other));
        let of_pair = |pair: &Pair| {
            let (from, to) = (pair.cell(row), pair.cell(other));
            if from == to { 0 } else { self.excess[from] - self.excess[to] - self.copies }
        };
        self.pairs.iter().map(of_pair).sum::<i32>() > 0
    }

    fn exchange(&mut self, row: u32, other: u32) {
        self.add(row, -self.copies);
        self.add(other, self.copies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::table::{ColumnSchema, Values};
    use rand::RngExt;

    /// A number, two levels that depend on it, and a third column that is neither's alone: the parity of both.
    fn pool(rows: usize, levels: u32) -> Table {
        let mut random = Seed(4).stream(0);
        let mut columns: [Vec<f64>; 2] = Default::default();
        let mut codes: [Vec<u32>; 2] = Default::default();
        for _ in 0..rows {
            let x: f64 = random.random();
            let one = u32::from(random.random::<f64>() < x) + levels - 2;
            let two = random.random_range(0..2u32);
            columns[0].push(if random.random::<f64>() < 0.1 { f64::NAN } else { x });
            columns[1].push(f64::from((one + two) % 2) + 0.01 * random.random::<f64>());
            codes[0].push(if two == 1 && x > 0.9 { random.random_range(0..levels) } else { one });
            codes[1].push(two);
        }
        let [x, parity] = columns;
        let [one, two] = codes;
        let names = |count: u32| (0..count).map(|level| level.to_string()).collect();
        let nominal = |name: &str, count: u32, codes: Vec<u32>| {
            Column::new(
                ColumnSchema::new(name, ColumnType::Nominal { levels: names(count) }),
                Values::Code(codes),
            )
        };
        let columns = vec![
            Column::float("x", x),
            nominal("one", levels, one),
            nominal("two", 2, two),
            Column::float("parity", parity),
        ];
        Table::new(columns).unwrap()
    }

    /// Mean distance between the tables of pairs of some rows and of all of them.
    fn distance(pool: &Table, kept: &[u32]) -> f64 {
        let classes: Vec<Classes> = pool.columns().iter().map(Classes::of_column).collect();
        let copies = pool.rows() / kept.len();
        let mut tables = Tables::new(&classes, pool.rows());
        tables.aim(kept, copies as i32);
        let moved: i32 = tables.excess.iter().map(|excess| excess.abs()).sum();
        f64::from(moved) / (2 * pool.rows() * tables.pairs.len()) as f64
    }

    #[test]
    fn tables_of_pairs_are_nearer_to_the_large_sample() {
        for levels in [2, 100] {
            let pool = pool(16_000, levels);
            let kept = representative(&pool, 16);
            assert_eq!(kept.len(), 1000);
            assert!(kept.windows(2).all(|pair| pair[0] < pair[1]), "every row at most once");
            let first: Vec<u32> = (0..1000).collect();
            let (plain, chosen) = (distance(&pool, &first), distance(&pool, &kept));
            assert!(chosen < 0.4 * plain, "{levels}: {chosen} {plain}");
            assert_eq!(kept, representative(&pool, 16), "nothing is drawn");
        }
    }

    #[test]
    fn what_three_columns_do_together_stays() {
        let pool = pool(16_000, 2);
        let kept = pool.take(&representative(&pool, 16));
        let agree = |table: &Table| {
            let [_, one, two, parity] =
                [0, 1, 2, 3].map(|column| table.columns()[column].values().to_reals());
            let rows = one.iter().zip(&two).zip(&parity);
            let agree = rows.filter(|((one, two), parity)| (*one + *two) % 2.0 == parity.floor()).count();
            agree as f64 / table.rows() as f64
        };
        assert!((agree(&pool) - agree(&kept)).abs() < 0.02, "{} {}", agree(&pool), agree(&kept));
    }

    #[test]
    fn odd_tables_have_representative_rows_too() {
        let constant = Table::new(vec![Column::float("x", vec![1.0; 64])]).unwrap();
        assert_eq!(representative(&constant, 16).len(), 4);
        let missing = Table::new(vec![Column::float("x", vec![f64::NAN; 64])]).unwrap();
        assert_eq!(representative(&missing, 2).len(), 32);
        let numbers: Vec<f64> = (0..64).map(f64::from).collect();
        let one = Table::new(vec![Column::float("x", numbers)]).unwrap();
        assert_eq!(representative(&one, 64).len(), 1);
        assert_eq!(representative(&one, 1), (0..64).collect::<Vec<u32>>());
        assert!(representative(&one.take(&[]), 16).is_empty());
    }
}
