//! The rows on which trees are grown: all of a table, or a random sample of a large one.
//!
//! A tree of ten million rows sees hardly more than one of a million, and its null grows fifty of them. Beyond a stated
//! size trees, their null, forests and three-way distances therefore look at a sample of the rows, so that their time
//! and memory no longer grow with the tables.

use std::borrow::Cow;

use super::choice::choose;
use crate::random::Seed;
use crate::table::Table;

/// Most rows of each table on which trees are grown, by default.
pub const SAMPLE_ROWS: usize = 1_000_000;
/// Fewest rows of a sample: a table of one row cannot be compared.
pub const FEWEST_SAMPLE_ROWS: usize = 2;

/// Tables draw their samples from streams past all others of an evaluation: the real one from this, the synthetic
/// ones from those that follow.
const SAMPLE_STREAM: u64 = 1 << 43;

/// The most rows of each table on which trees are grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleSize {
    /// All rows of tables that have no more than this, and a sample of so many rows of larger ones.
    AtMost(usize),
    /// All rows.
    All,
}

impl Default for SampleSize {
    fn default() -> Self {
        Self::AtMost(SAMPLE_ROWS)
    }
}

impl SampleSize {
    /// The sample of the real table.
    ///
    /// # Panics
    /// When the table has 2^32 rows or more.
    pub fn of_real(self, table: &Table, seed: Seed) -> TableSample<'_> {
        self.draw(table, seed, 0)
    }

    /// The sample of the synthetic table with this place in a list, drawn independently of all others.
    ///
    /// # Panics
    /// When the table has 2^32 rows or more.
    pub fn of_synthetic(self, table: &Table, place: usize, seed: Seed) -> TableSample<'_> {
        self.draw(table, seed, 1 + place as u64)
    }

    fn draw(self, table: &Table, seed: Seed, task: u64) -> TableSample<'_> {
        let all = table.rows();
        match self {
            Self::AtMost(count) if count < all => {
                assert!(u32::try_from(all).is_ok(), "rows have 32-bit numbers");
                let chosen = choose(all as u64, count as u64, &mut seed.stream(SAMPLE_STREAM + task));
                let rows: Vec<u32> = chosen.into_iter().map(|row| row as u32).collect();
                TableSample { table: Cow::Owned(table.take(&rows)), rows: Some(rows) }
            }
            _ => TableSample { table: Cow::Borrowed(table), rows: None },
        }
    }
}

/// A table, or a uniform random sample of its rows, without replacement and in their order.
#[derive(Debug)]
pub struct TableSample<'a> {
    table: Cow<'a, Table>,
    rows: Option<Vec<u32>>,
}

impl TableSample<'_> {
    /// The rows as a table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The numbers of the rows, ascending; `None` if they are all rows of the table.
    pub fn rows(&self) -> Option<&[u32]> {
        self.rows.as_deref()
    }

    /// The numbers of the rows alone, which lets go of the table.
    pub(super) fn into_rows(self) -> Option<Vec<u32>> {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn numbered(rows: u32) -> Table {
        Table::new(vec![Column::float("row", (0..rows).map(f64::from).collect())]).unwrap()
    }

    fn values(sample: &TableSample) -> Vec<f64> {
        sample.table().columns()[0].values().to_reals()
    }

    #[test]
    fn samples_have_each_row_once_and_in_order() {
        let table = numbered(50);
        let sample = SampleSize::AtMost(20).of_real(&table, Seed(1));
        assert_eq!(sample.table().rows(), 20);
        assert!(values(&sample).is_sorted_by(|a, b| a < b));
        let rows: Vec<f64> = sample.rows().unwrap().iter().map(|&row| f64::from(row)).collect();
        assert_eq!(rows, values(&sample));
        assert_eq!(
            values(&sample),
            values(&SampleSize::AtMost(20).of_real(&table, Seed(1))),
            "the same twice"
        );
        assert_ne!(values(&sample), values(&SampleSize::AtMost(20).of_real(&table, Seed(2))));
    }

    #[test]
    fn tables_draw_independently_of_each_other() {
        let table = numbered(50);
        let size = SampleSize::AtMost(20);
        let drawn = [
            size.of_real(&table, Seed(1)),
            size.of_synthetic(&table, 0, Seed(1)),
            size.of_synthetic(&table, 1, Seed(1)),
        ];
        let drawn = drawn.map(|sample| values(&sample));
        assert!(drawn[0] != drawn[1] && drawn[0] != drawn[2] && drawn[1] != drawn[2]);
    }

    #[test]
    fn small_tables_are_not_copied() {
        let table = numbered(50);
        for size in [SampleSize::default(), SampleSize::AtMost(50), SampleSize::All] {
            let sample = size.of_real(&table, Seed(1));
            assert!(sample.rows().is_none() && std::ptr::eq(sample.table(), &raw const table));
        }
    }
}
