//! Exchanges between rows of cells that hold too many.

use std::ops::Range;

use rand::RngExt;
use rand::seq::SliceRandom;

use super::Refit;
use crate::progress;
use crate::random::Generator;

/// Exchanges tried for every surplus row in a cell.
const SURPLUS_TRIES: usize = 4;

impl Refit<'_> {
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
                let is_better = unit.differs(r, s) && self.change(unit, r, s, &mut touched) < 0.0;
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
}
