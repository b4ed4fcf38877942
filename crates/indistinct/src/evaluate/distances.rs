//! Total variation distance between the joint distributions of one, two and three columns: a comparison of cell
//! counts without any classifier.
//!
//! # Definition
//! Every column is cut into classes. A column of numbers or dates with more than [`MANY_VALUES`] different values
//! in the real table has at most [`CLASSES`] of them, cut at the k/20 quantiles of its real values (interpolated
//! between neighbours, as R and numpy do by default); a value that equals a cut is above it, and equal cuts are
//! one. In every other column each value, or level, is a class. Missing is a class of its own. The distance
//! between the tables in a set of columns is half the sum, over all combinations of their classes, of the
//! absolute difference between the share of real rows and the share of synthetic rows.

mod chance;
mod classes;
mod triples;

use rayon::prelude::*;
use serde::Serialize;

use super::choice::control_order;
use crate::discriminator::{StackError, Stacked, check_comparable, stack_column};
use crate::progress;
use crate::random::Seed;
use crate::table::{Column, Table};
use chance::Chance;
use classes::Classes;
pub use triples::{MOST_TRIPLES, Triples, choose_triples};

/// A column of numbers with more different real values than this is compared in classes, one with fewer by value.
pub const MANY_VALUES: usize = 45;
/// Classes of such a column, by quantiles of the real values.
pub const CLASSES: usize = 20;

/// Most cells for each row that are counted in an array; with more, rows are sorted.
const DENSE_CELLS_PER_ROW: usize = 4;
/// Size of an array that is cheap for any number of rows.
const SMALL: usize = 1 << 12;

/// Both tables with every column cut into classes, once for all distances.
#[derive(Debug)]
pub struct Distances {
    columns: Vec<Classes>,
    real_rows: usize,
    synthetic_rows: usize,
    chance: Chance,
}

/// Means over all sets of one, two and three columns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanDistances {
    /// Mean over all columns.
    pub one_way: f64,
    /// Mean over all pairs; `None` with one column.
    pub two_way: Option<f64>,
    /// Mean over all triples, or those that were chosen of very many; `None` with fewer than three columns.
    pub three_way: Option<f64>,
    /// The numbers of all triples, and of those in the mean.
    pub triples: Triples,
    /// The part that chance explains.
    pub chance: ChanceDistances,
}

/// The mean distances that two samples of one population would have: the stacked rows dealt anew to tables of the
/// same sizes, in expectation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ChanceDistances {
    /// Mean over all columns.
    pub one_way: f64,
    /// Mean over all pairs; `None` with one column.
    pub two_way: Option<f64>,
}

/// A distance, and the part of it that chance explains.
#[derive(Clone, Copy)]
struct MeasuredDistance {
    distance: f64,
    chance: f64,
}

/// Memory for counting, kept between sets of columns.
#[derive(Debug, Default)]
pub struct Counts {
    /// Real and synthetic rows of each cell.
    cells: Vec<[u32; 2]>,
    keys: Vec<u64>,
}

impl Distances {
    /// Cuts every column of both tables into classes.
    pub fn new(stacked: &Stacked) -> Self {
        let classes = |column: usize| {
            progress::check();
            let has_levels = !stacked.levels(column).is_empty();
            Classes::of(&stacked.predictors()[column], has_levels, stacked.real_rows())
        };
        Self {
            columns: (0..stacked.names().len()).into_par_iter().map(classes).collect(),
            real_rows: stacked.real_rows(),
            synthetic_rows: stacked.synthetic_rows(),
            chance: Chance::new(stacked.real_rows(), stacked.synthetic_rows()),
        }
    }

    /// The same of two tables of any size, stacking one column at a time: there is no second copy of the tables.
    ///
    /// # Errors
    /// When the tables cannot be compared.
    pub fn of_tables(real: &Table, synthetic: &Table) -> Result<Self, StackError> {
        check_comparable(real, synthetic)?;
        let pairs: Vec<(&Column, &Column)> = real
            .columns()
            .iter()
            .filter_map(|column| Some((column, synthetic.column(column.name())?)))
            .collect();
        let classes = |(column, other): (&Column, &Column)| {
            progress::check();
            let (stacked, levels) = stack_column(column, other)?;
            Ok(Classes::of(&stacked, !levels.is_empty(), real.rows()))
        };
        Ok(Self {
            columns: pairs.into_par_iter().map(classes).collect::<Result<_, StackError>>()?,
            real_rows: real.rows(),
            synthetic_rows: synthetic.rows(),
            chance: Chance::new(real.rows(), synthetic.rows()),
        })
    }

    /// The same classes, counted over these rows of each table only; `None` means all rows.
    ///
    /// # Panics
    /// When a row is out of range.
    #[must_use]
    pub fn of_rows(&self, real: Option<&[u32]>, synthetic: Option<&[u32]>) -> Self {
        let columns = self.columns.par_iter().map(|Classes { codes, count }| {
            let (first, second) = codes.split_at(self.real_rows);
            let mut codes = take(first, real);
            codes.extend(take(second, synthetic));
            Classes { codes, count: *count }
        });
        let real_rows = real.map_or(self.real_rows, <[u32]>::len);
        let synthetic_rows = synthetic.map_or(self.synthetic_rows, <[u32]>::len);
        let chance = Chance::new(real_rows, synthetic_rows);
        Self { columns: columns.collect(), real_rows, synthetic_rows, chance }
    }

    /// Shuffles every column of the synthetic table independently, as
    /// [`shuffle_columns`](super::shuffle_columns) does: of a table and itself, this makes the distances of the control.
    #[must_use]
    pub fn shuffled(mut self, seed: Seed) -> Self {
        let (real_rows, rows) = (self.real_rows, self.synthetic_rows);
        self.columns.par_iter_mut().enumerate().for_each(|(position, column)| {
            progress::check();
            let second = &mut column.codes[real_rows..];
            let shuffled = take(second, Some(&control_order(rows, position, seed)));
            second.copy_from_slice(&shuffled);
        });
        self
    }

    /// The distance in one column.
    ///
    /// # Panics
    /// When it is out of range.
    pub fn column(&self, column: usize, counts: &mut Counts) -> f64 {
        self.measure_column(column, counts).distance
    }

    fn measure_column(&self, column: usize, counts: &mut Counts) -> MeasuredDistance {
        let Classes { codes, count } = &self.columns[column];
        self.measure(codes.iter().map(|&code| u64::from(code)), *count as u64, counts)
    }

    /// The distance in two columns together.
    ///
    /// # Panics
    /// When one is out of range.
    pub fn pair(&self, first: usize, second: usize, counts: &mut Counts) -> f64 {
        self.measure_pair(first, second, counts).distance
    }

    fn measure_pair(&self, first: usize, second: usize, counts: &mut Counts) -> MeasuredDistance {
        progress::check();
        let (first, second) = (&self.columns[first], &self.columns[second]);
        self.measure(joint(first, second), first.count as u64 * second.count as u64, counts)
    }

    /// The distance in three columns together.
    ///
    /// # Panics
    /// When one is out of range.
    pub fn triple(&self, columns: [usize; 3], counts: &mut Counts) -> f64 {
        self.measure_triple(columns, counts).distance
    }

    fn measure_triple(&self, [first, second, third]: [usize; 3], counts: &mut Counts) -> MeasuredDistance {
        progress::check();
        let [first, second, third] = [first, second, third].map(|column| &self.columns[column]);
        let of_two = first.count as u64 * second.count as u64;
        let third_count = third.count as u64;
        let third_codes = third.codes.iter().map(|&code| u64::from(code));
        if of_two <= 1 << 31 {
            let cells = joint(first, second).zip(third_codes).map(|(two, one)| two * third_count + one);
            return self.measure(cells, of_two * third_count, counts);
        }
        // Cells of three columns with very many levels do not fit a word: those of two that occur are numbered first.
        let mut used: Vec<u64> = joint(first, second).collect();
        used.par_sort_unstable();
        used.dedup();
        let numbered = joint(first, second).map(|two| used.partition_point(|&other| other < two) as u64);
        let cells = numbered.zip(third_codes).map(|(two, one)| two * third_count + one);
        self.measure(cells, used.len() as u64 * third_count, counts)
    }

    /// Half the sum of |p - q| over cells numbered below `count`, where rows of the real table come first, beside what
    /// chance makes of it.
    ///
    /// Scaled by the sizes of both tables, the difference of two shares is a whole number: exact in any order.
    /// Both have at most 2^31 rows.
    fn measure(&self, cells: impl Iterator<Item = u64>, count: u64, counts: &mut Counts) -> MeasuredDistance {
        let rows = self.real_rows + self.synthetic_rows;
        let (n, m) = (self.real_rows as i64, self.synthetic_rows as i64);
        let (mut sum, mut deviations) = (0i64, 0.0);
        let mut add = |real: usize, synthetic: usize| {
            sum += (real as i64 * m - synthetic as i64 * n).abs();
            deviations += self.chance.deviation(real + synthetic);
        };
        if count <= (DENSE_CELLS_PER_ROW * rows).max(SMALL) as u64 {
            let table = &mut counts.cells;
            table.clear();
            table.resize(count as usize, [0, 0]);
            let of_table = std::iter::repeat_n(0, self.real_rows).chain(std::iter::repeat(1));
            cells.zip(of_table).for_each(|(cell, of_table)| table[cell as usize][of_table] += 1);
            let used = table.iter().filter(|cell| **cell != [0, 0]);
            used.for_each(|&[real, synthetic]| add(real as usize, synthetic as usize));
        } else {
            let keys = &mut counts.keys;
            keys.clear();
            // The last bit says which table the row is of: cells are below 2^62.
            keys.extend(cells.zip(0..).map(|(cell, row)| cell << 1 | u64::from(row >= self.real_rows)));
            keys.sort_unstable();
            for cell in keys.chunk_by(|a, b| a >> 1 == b >> 1) {
                let real = cell.partition_point(|key| key & 1 == 0);
                add(real, cell.len() - real);
            }
        }
        let (n, m) = (n as f64, m as f64);
        MeasuredDistance {
            distance: sum as f64 / (2.0 * n * m),
            chance: deviations * (1.0 / n + 1.0 / m) / 2.0,
        }
    }

    /// Mean distances, those of three columns over the rows of `of_three`: the same tables, or a sample of them
    /// ([`Self::of_rows`]). `each` is called after every set of columns, and may end the work.
    ///
    /// # Errors
    /// What `each` returns.
    pub fn means<E: Send>(
        &self,
        of_three: &Self,
        each: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<MeanDistances, E> {
        let q = self.columns.len();
        let (triples, chosen) = choose_triples(q);
        let mut sets: Vec<Vec<usize>> = (0..q).map(|a| vec![a]).collect();
        sets.extend((0..q).flat_map(|a| (a + 1..q).map(move |b| vec![a, b])));
        sets.extend(chosen.iter().map(|triple| triple.to_vec()));
        let found: Vec<MeasuredDistance> = sets
            .par_iter()
            .map_init(Counts::default, |counts, set| {
                let found = match set[..] {
                    [a] => self.measure_column(a, counts),
                    [a, b] => self.measure_pair(a, b, counts),
                    [a, b, c] => of_three.measure_triple([a, b, c], counts),
                    _ => unreachable!("sets have one to three columns"),
                };
                each()?;
                Ok(found)
            })
            .collect::<Result<_, E>>()?;
        let pairs = q * q.saturating_sub(1) / 2;
        let (one, more) = found.split_at(q);
        let (two, three) = more.split_at(pairs);
        let distance = |measured: &MeasuredDistance| measured.distance;
        let chance = |measured: &MeasuredDistance| measured.chance;
        Ok(MeanDistances {
            one_way: mean(one, distance).unwrap_or(0.0),
            two_way: mean(two, distance),
            three_way: mean(three, distance),
            triples,
            chance: ChanceDistances { one_way: mean(one, chance).unwrap_or(0.0), two_way: mean(two, chance) },
        })
    }

    /// The number of sets of columns that [`Self::means`] counts.
    pub fn sets(columns: usize) -> u64 {
        let q = columns as u64;
        q + q * q.saturating_sub(1) / 2 + Triples::of_columns(columns).measured
    }
}

/// The codes of these rows, or of all.
fn take(codes: &[u32], rows: Option<&[u32]>) -> Vec<u32> {
    rows.map_or_else(|| codes.to_vec(), |rows| rows.iter().map(|&row| codes[row as usize]).collect())
}

/// The cells of two columns, row by row.
fn joint<'a>(first: &'a Classes, second: &'a Classes) -> impl Iterator<Item = u64> + 'a {
    let width = second.count as u64;
    first.codes.iter().zip(&second.codes).map(move |(&a, &b)| u64::from(a) * width + u64::from(b))
}

/// The mean, in a fixed order, so that it does not depend on threads.
fn mean(measured: &[MeasuredDistance], value: impl Fn(&MeasuredDistance) -> f64) -> Option<f64> {
    (!measured.is_empty()).then(|| measured.iter().map(value).sum::<f64>() / measured.len() as f64)
}

#[cfg(test)]
mod tests;
