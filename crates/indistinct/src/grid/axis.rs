//! The order in which positions are measured: that of the grid, or heaps first and the positions between them
//! after.

use super::Comb;
use super::{Grid, Run};

/// Positions of a grid in the order in which they are measured.
///
/// # Guarantee
/// The place of a position depends on that position and on public values only.
#[derive(Debug, Clone)]
pub(crate) struct Axis<'a> {
    grid: &'a Grid,
    comb: Option<Comb>,
    /// The end of the heaps.
    heaps: usize,
    /// Places of declared atoms, ascending.
    atoms: Vec<usize>,
}

impl<'a> Axis<'a> {
    /// An axis with heaps first, if there are any.
    pub(crate) fn new(grid: &'a Grid, comb: Option<Comb>) -> Self {
        let heaps = comb.map_or(0, |comb| comb.below(grid.places()));
        let mut axis = Self { grid, comb, heaps, atoms: Vec::new() };
        axis.atoms = grid.atoms().iter().map(|&atom| axis.of(atom)).collect();
        axis.atoms.sort_unstable();
        axis
    }

    /// The grid.
    pub(crate) fn grid(&self) -> &Grid {
        self.grid
    }

    /// The heaps that come first, if there are any.
    pub(crate) fn comb(&self) -> Option<Comb> {
        self.comb
    }

    /// Number of positions; the missing values come after.
    pub(crate) fn len(&self) -> usize {
        self.grid.len()
    }

    /// Whether positions are levels.
    pub(crate) fn is_levels(&self) -> bool {
        self.grid.is_levels()
    }

    /// The place where heaps end and the others begin; 0 if there are no heaps.
    pub(crate) fn heaps(&self) -> usize {
        self.heaps
    }

    pub(crate) fn atoms(&self) -> &[usize] {
        &self.atoms
    }

    /// Whether a cell that begins here is an atom, or the missing values.
    pub(crate) fn stands_alone(&self, first: usize) -> bool {
        first == self.len() || self.atoms.binary_search(&first).is_ok()
    }

    /// The place on this axis of a position of the grid, or of the missing values after its last position.
    pub(crate) fn of(&self, position: usize) -> usize {
        let Some(comb) = self.comb.filter(|_| position < self.len()) else { return position };
        let place = self.grid.place(position);
        if comb.holds(place) && !self.grid.is_stranger(position) {
            comb.below(place)
        } else {
            self.heaps + position - comb.below(place)
        }
    }

    /// The position of the grid at a place; the end of the grid for the end of either part.
    fn position(&self, at: usize) -> usize {
        let Some(comb) = self.comb else { return at };
        if at < self.heaps {
            return self.grid.position_of_place(comb.phase + at * comb.every);
        }
        // The last of all positions before which so many others are is no heap.
        let others = |position: usize| position - comb.below(self.grid.place(position));
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if others(middle + 1) > at - self.heaps { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// Runs of this axis as runs of the grid: where heaps and others lie side by side, runs with both.
    pub(crate) fn runs(&self, runs: &[Run]) -> Vec<Run> {
        let Some(comb) = self.comb else { return runs.to_vec() };
        let (heaped, others) = runs.split_at(runs.partition_point(|run| run.first < self.heaps));
        let mut cuts: Vec<usize> = Vec::with_capacity(2 * runs.len() + 1);
        for (part, end) in [(heaped, self.heaps), (others, self.len())] {
            for run in part {
                cuts.push(self.position(run.first));
                // Up to and with its last position.
                cuts.push(if run.first + run.length == end {
                    self.len()
                } else {
                    self.position(run.first + run.length)
                });
                if self.atoms.binary_search(&run.first).is_ok() {
                    cuts.push(self.position(run.first) + 1);
                }
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut found = Vec::with_capacity(cuts.len());
        for cut in cuts.windows(2) {
            let (first, length) = (cut[0], cut[1] - cut[0]);
            let place = self.grid.place(first);
            let (from, to) = (comb.below(place), comb.below(self.grid.place(cut[1])));
            let on = mass(heaped, from, to);
            let off = mass(others, self.heaps + first - from, self.heaps + cut[1] - to);
            let run = Run::even(first, length, on + off);
            if run.mass <= 0.0 {
                continue;
            }
            let phase = (comb.phase + comb.every - place % comb.every) % comb.every;
            let mixed = to > from && to - from < length;
            let heaps = mixed.then(|| (Comb { every: comb.every, phase }, (on / run.mass).clamp(0.0, 1.0)));
            found.push(Run { heaps, ..run });
        }
        found
    }
}

/// The mass of runs from one place to another.
fn mass(runs: &[Run], from: usize, to: usize) -> f64 {
    let first = runs.partition_point(|run| run.first + run.length <= from);
    let over = runs[first..].iter().take_while(|run| run.first < to);
    over.map(|run| {
        let part = |place: usize| run.below(place.clamp(run.first, run.first + run.length) - run.first);
        run.mass * (part(to) - part(from))
    })
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::ColumnFacts;

    #[test]
    fn every_position_has_one_place() {
        let facts = ColumnFacts { step: Some(1.0), atoms: vec![-8.0, 0.0, 17.5], ..ColumnFacts::default() };
        for (low, high) in [(0.0, 93.0), (-21.0, 77.0)] {
            let grid = Grid::numbers(&facts, low, high);
            let axis = Axis::new(&grid, grid.multiples(10));
            let mut seen = vec![false; grid.len()];
            for position in 0..grid.len() {
                let at = axis.of(position);
                assert!(!std::mem::replace(&mut seen[at], true));
                assert_eq!(axis.position(at), position);
                let round = grid.value(position) % 10.0 == 0.0;
                assert_eq!(at < axis.heaps(), round, "{}", grid.value(position));
            }
            assert_eq!(axis.of(grid.len()), grid.len());
        }
    }

    #[test]
    fn runs_keep_their_masses() {
        let facts = ColumnFacts { step: Some(1.0), atoms: vec![40.0], ..ColumnFacts::default() };
        let grid = Grid::numbers(&facts, 0.0, 99.0);
        let axis = Axis::new(&grid, grid.multiples(10));
        // 0, 10, 20, 30 | 40 | 50, ..., 90 and 1, ..., 45 | 46, ..., 99.
        let runs = [
            Run::even(0, 4, 0.4),
            Run::even(4, 1, 0.2),
            Run::even(5, 5, 0.1),
            Run::even(10, 41, 0.2),
            Run { tilt: 0.5, ..Run::even(51, 49, 0.1) },
        ];
        let found = axis.runs(&runs);
        let at = |position: usize| {
            let run = found.iter().find(|run| run.first <= position && position < run.first + run.length);
            run.map_or(0.0, |run| run.at(position - run.first))
        };
        assert!(
            (at(20) - 0.1).abs() < 1e-12 && (at(40) - 0.2).abs() < 1e-12 && (at(90) - 0.02).abs() < 1e-12
        );
        assert!((at(33) - 0.2 / 41.0).abs() < 1e-12 && at(41) > 0.0 && at(39) > 0.0);
        let sum: f64 = (0..100).map(at).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}
