//! Quality as integers, by which candidates are compared: no float stands between counts and choice.

use std::num::NonZeroU64;

use super::Quality;
use crate::privacy::Sensitivity;

/// Binary digits of pMSE terms.
const PMSE_DIGITS: u32 = 20;

/// An integer utility over partitions of the same number of equally probable cells; larger is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utility {
    quality: Quality,
    rows: u64,
    cells: u64,
    partitions: u64,
}

impl Utility {
    /// The utility for tables of `rows` rows and `partitions` partitions into `cells` cells each.
    pub fn new(quality: Quality, rows: usize, cells: usize, partitions: usize) -> Self {
        Self { quality, rows: rows as u64, cells: cells as u64, partitions: partitions as u64 }
    }

    /// The utility of counts of private rows, cell after cell and partition after partition.
    ///
    /// With a = n / L in each of the L cells, pMAE is L * n * TV = sum max(n - L b, 0) and pMSE is
    /// sum floor(2^20 a^2 / (a + b)) = sum floor(2^20 n^2 / (L (n + L b))), both negated.
    pub fn of_counts(&self, counts: &[u64]) -> i64 {
        let (n, cells) = (self.rows, self.cells);
        let term = |&b: &u64| -> u64 {
            match self.quality {
                Quality::Pmae => n.saturating_sub(cells * b),
                Quality::Pmse => {
                    let square = (u128::from(n) * u128::from(n)) << PMSE_DIGITS;
                    (square / (u128::from(cells) * u128::from(n + cells * b)).max(1)) as u64
                }
            }
        };
        -(counts.iter().map(term).sum::<u64>() as i64)
    }

    /// The mean quality over the partitions that a utility stands for.
    pub fn to_quality(&self, utility: i64) -> f64 {
        let (n, cells, partitions) = (self.rows as f64, self.cells as f64, self.partitions as f64);
        let mean = -(utility as f64) / partitions;
        match self.quality {
            Quality::Pmae => mean / (2.0 * n * cells),
            Quality::Pmse => (mean / f64::from(1 << PMSE_DIGITS) - n / 2.0) / (2.0 * n),
        }
    }

    /// The change of quality by one unit of the utility.
    pub fn quality_of_unit(&self) -> f64 {
        let (n, partitions) = (self.rows as f64, self.partitions as f64);
        match self.quality {
            Quality::Pmae => 1.0 / (partitions * 2.0 * n * self.cells as f64),
            Quality::Pmse => 1.0 / (partitions * 2.0 * n * f64::from(1 << PMSE_DIGITS)),
        }
    }

    /// The sensitivity of the utility to one substituted row. Masses are shares of the private rows, so that nothing is
    /// proven of a row that is added or removed.
    ///
    /// # Guarantee
    /// See [`Sensitivity::pmae`] and [`Sensitivity::pmse`].
    pub fn sensitivity(&self) -> Sensitivity {
        let positive = |value: u64| NonZeroU64::new(value).unwrap_or(NonZeroU64::MIN);
        let of_masses = match self.quality {
            Quality::Pmae => Sensitivity::pmae(positive(self.cells * self.partitions)),
            Quality::Pmse => Sensitivity::pmse(positive(self.partitions << PMSE_DIGITS)),
        };
        of_masses.with_number_of_rows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::{Cell, Distinguishability};

    #[test]
    fn integers_stand_for_the_quality() {
        let counts = [10, 0, 33, 7];
        let cells: Vec<Cell> = counts.iter().map(|&b| Cell { synthetic: 12.5, real: b as f64 }).collect();
        let expected = Distinguishability::of_cells(&cells);
        for quality in [Quality::Pmae, Quality::Pmse] {
            let utility = Utility::new(quality, 50, 4, 1);
            let found = utility.to_quality(utility.of_counts(&counts));
            assert!((found - expected.value(quality)).abs() < 1e-6, "{quality:?}: {found}");
        }
    }

    /// Compares every table of n rows in L cells with every neighbour: moves are within the stated bound, which
    /// is attained.
    #[test]
    fn neighbours_stay_within_the_sensitivity() {
        fn tables(n: u64, cells: usize) -> Vec<Vec<u64>> {
            if cells == 1 {
                return vec![vec![n]];
            }
            let rest = |first: u64| {
                tables(n - first, cells - 1).into_iter().map(move |rest| [vec![first], rest].concat())
            };
            (0..=n).flat_map(rest).collect()
        }
        for quality in [Quality::Pmae, Quality::Pmse] {
            for (n, cells) in [(3, 2), (5, 3), (6, 4), (8, 2)] {
                let utility = Utility::new(quality, n as usize, cells, 1);
                let bound = utility.sensitivity().bound().units().get() as i64;
                let mut largest = 0;
                for table in tables(n, cells) {
                    for (from, to) in (0..cells).flat_map(|from| (0..cells).map(move |to| (from, to))) {
                        if table[from] > 0 && from != to {
                            let mut neighbour = table.clone();
                            neighbour[from] -= 1;
                            neighbour[to] += 1;
                            largest = largest
                                .max((utility.of_counts(&table) - utility.of_counts(&neighbour)).abs());
                        }
                    }
                }
                assert!(largest <= bound, "{quality:?} {n} {cells}: {largest} > {bound}");
                if quality == Quality::Pmae {
                    assert_eq!(largest, bound, "attained");
                }
            }
        }
    }
}
