//! Round places of a grid: multiples of some number of its steps.

use serde::{Deserialize, Serialize};

use super::Grid;

/// Fewest multiples in a grid that can be told apart from the other places.
const FEWEST: usize = 8;

/// Regularly spaced places, from a first one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Comb {
    pub(crate) every: usize,
    pub(crate) phase: usize,
}

impl Comb {
    /// Whether a place is on the comb.
    pub(crate) fn holds(self, place: usize) -> bool {
        place % self.every == self.phase
    }

    /// Number of places on the comb below a place.
    pub(crate) fn below(self, place: usize) -> usize {
        (place + self.every - 1 - self.phase) / self.every
    }
}

/// The multiples of 5, 10, 50, 100, ... steps of a lattice, coarsest last: each comb contains the next.
pub(crate) fn combs(grid: &Grid) -> Vec<Comb> {
    let mut combs = Vec::new();
    let mut every = 5;
    while let Some(comb) = grid.multiples(every).filter(|_| grid.places() / every >= FEWEST) {
        combs.push(comb);
        every *= if combs.len() % 2 == 1 { 2 } else { 5 };
    }
    combs
}

/// The roundness of a place: the number of combs, each of which contains the next, that contain it.
pub(crate) fn roundness(combs: &[Comb], place: usize) -> usize {
    combs.iter().take_while(|comb| comb.holds(place)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::ColumnFacts;

    #[test]
    fn multiples_are_counted() {
        let facts = ColumnFacts { step: Some(1.0), ..ColumnFacts::default() };
        for (low, high) in [(0.0, 2000.0), (-33.0, 1777.0), (3.0, 999.0)] {
            let grid = Grid::numbers(&facts, low, high);
            for comb in combs(&grid) {
                let mut count = 0;
                for place in 0..grid.places() {
                    assert_eq!(comb.below(place), count);
                    let round = grid.value(place).rem_euclid(comb.every as f64) == 0.0;
                    assert_eq!(comb.holds(place), round);
                    count += usize::from(round);
                }
            }
        }
        let every: Vec<usize> =
            combs(&Grid::numbers(&facts, 0.0, 10_000.0)).iter().map(|comb| comb.every).collect();
        assert_eq!(every, [5, 10, 50, 100, 500, 1000]);
        assert!(combs(&Grid::levels(1000)).is_empty());
        assert!(combs(&Grid::numbers(&ColumnFacts::default(), 0.0, 1.0)).is_empty());
    }
}
