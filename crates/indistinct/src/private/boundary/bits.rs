//! Columns of any bits: all doubles, and especially those close to where code goes wrong.

use crate::privacy::Neighbours;
use crate::random::{Generator, Seed};
use crate::table::MISSING_CODE;
use rand::{Rng, RngExt};

/// Most rows of a table.
const MOST_ROWS: usize = 14;

/// Numbers at which code goes wrong: zeros of both signs, the ends of subnormal and normal numbers, infinities,
/// and NaN.
const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    f64::from_bits(1),
    -f64::from_bits(1),
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    1e-310,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1.0,
    -1.0,
    9_007_199_254_740_992.0,
    -9_007_199_254_740_993.0,
];

/// A source of columns.
pub(super) struct Bits(pub(super) Generator);

impl Bits {
    pub(super) fn new(seed: u64) -> Self {
        Self(Seed(seed).stream(0))
    }

    /// Any double, or one next to powers of two, whole numbers and special ones.
    pub(super) fn value(&mut self) -> f64 {
        let near = match self.0.random_range(0..6) {
            0 | 1 => return f64::from_bits(self.0.next_u64()),
            2 => return SPECIAL[self.0.random_range(0..SPECIAL.len())],
            3 => libm::scalbn(1.0, self.0.random_range(-1074..1024)),
            4 => f64::from(self.0.random_range(-100..100)),
            _ => libm::scalbn(self.0.random_range(1.0..2.0), self.0.random_range(-1030..1023)),
        };
        let sign = if self.0.random_bool(0.5) { -1.0 } else { 1.0 };
        sign * self.beside(near)
    }

    /// A number, or one of the doubles next to it.
    pub(super) fn beside(&mut self, value: f64) -> f64 {
        match self.0.random_range(0..4) {
            0 => value.next_up(),
            1 => value.next_down(),
            _ => value,
        }
    }

    /// A column of one kind: anything, values of one magnitude, neighbouring doubles, or ties among a few; with
    /// some rows unlike all others.
    pub(super) fn column(&mut self, rows: usize) -> Vec<f64> {
        let kind = self.0.random_range(0..4);
        let base = self.value();
        let few: [f64; 3] = std::array::from_fn(|_| self.value());
        let strange = self.0.random_range(0.0..0.4);
        (0..rows)
            .map(|_| match kind {
                _ if self.0.random_bool(strange) => self.value(),
                0 => self.value(),
                1 => base * self.0.random_range(1.0..9.0),
                2 => f64::from_bits(base.to_bits().wrapping_add(self.0.random_range(0..5))),
                _ => few[self.0.random_range(0..few.len())],
            })
            .collect()
    }

    /// A column as [`column`](Self::column) makes it, with doubles next to these points among its values.
    pub(super) fn column_near(&mut self, rows: usize, points: &[f64]) -> Vec<f64> {
        let mut column = self.column(rows);
        for value in &mut column {
            if !points.is_empty() && self.0.random_bool(0.5) {
                let point = points[self.0.random_range(0..points.len())];
                *value = self.beside(point);
            }
        }
        column
    }

    /// Positions in levels, and missing ones.
    pub(super) fn codes(&mut self, rows: usize, levels: u32) -> Vec<u32> {
        let mut code = || match self.0.random_range(0..=levels) {
            level if level == levels => MISSING_CODE,
            level => level,
        };
        (0..rows).map(|_| code()).collect()
    }
}

/// A column as a table can hold it: readers do not pass on infinite numbers.
pub(super) fn as_read(values: &[f64]) -> Vec<f64> {
    values.iter().map(|&value| if value.is_finite() { value } else { f64::NAN }).collect()
}

/// Calls `check` with many tables of `columns` columns, of 1 to 14 rows, and all their neighbours that have a row
/// of another such table. `points` are values that matter.
pub(super) fn neighbours(
    seed: u64,
    tables: usize,
    columns: usize,
    points: &[f64],
    mut check: impl FnMut(&[Vec<f64>], &[Vec<f64>]),
) {
    let mut bits = Bits::new(seed);
    for table in 0..tables {
        let rows = 1 + table % MOST_ROWS;
        let of = |bits: &mut Bits| -> Vec<Vec<f64>> {
            (0..columns).map(|_| bits.column_near(rows, points)).collect()
        };
        let (before, other) = (of(&mut bits), of(&mut bits));
        for row in 0..rows {
            let mut after = before.clone();
            for (after, other) in after.iter_mut().zip(&other) {
                after[row] = other[row];
            }
            check(&before, &after);
        }
    }
}

/// [`neighbours`], and all tables with one row removed; with the kind of difference.
pub(super) fn all_neighbours(
    seed: u64,
    tables: usize,
    columns: usize,
    points: &[f64],
    mut check: impl FnMut(Neighbours, &[Vec<f64>], &[Vec<f64>]),
) {
    let mut last: Vec<Vec<f64>> = Vec::new();
    neighbours(seed, tables, columns, points, |before, after| {
        check(Neighbours::Substitute, before, after);
        // A table with numbers that are none differs from itself: it is looked at once more often than it need be.
        if last != before {
            last = before.to_vec();
            for row in 0..before[0].len() {
                let mut after = before.to_vec();
                for column in &mut after {
                    column.remove(row);
                }
                check(Neighbours::AddRemove, before, &after);
                check(Neighbours::AddRemove, &after, before);
            }
        }
    });
}
