//! Count queries: what may be asked about private rows, as plain data, and the counts that answer them.
//!
//! Every answer is a list of whole numbers that add up over parts of a table, so that a table in memory, a file that
//! is read in passes and a cluster give the same.

mod asked;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{ClassTable, PrivateTable};
use crate::grid::{Axis, Codes, ColumnFacts, Comb, Grid, LineCells, Point};
use crate::privacy::SourceError;

/// A question about private rows, to be answered by counts or sums over rows. Which rows there are does not show
/// in it: it is made of the schema and of what was released before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountQuery(Query);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Query {
    /// Rows in cells of positions.
    Cells { column: usize, grid: Grid, heaps: Option<Comb>, starts: Vec<usize> },
    /// Rows by roundness.
    Roundness { column: usize, grid: Grid, combs: Vec<Comb> },
    /// Rows by magnitude.
    Magnitudes { column: usize, facts: ColumnFacts, exponents: Range<i32> },
    /// Rows in cells of the number line.
    Line { column: usize, facts: ColumnFacts, cells: LineCells },
    /// Rows beyond radii.
    Beyond { column: usize, facts: ColumnFacts, centre: Point, exponents: Range<i32> },
    /// Rows in the cells of tables, one after the other.
    Tables { columns: Vec<CodedColumn>, tables: Vec<ClassTable> },
    /// Sums of products of scores.
    Products { columns: Vec<CodedColumn>, scores: Vec<Vec<i64>>, pairs: Vec<(usize, usize)> },
}

/// The classes of a column's values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CodedColumn {
    pub(super) column: usize,
    pub(super) grid: Grid,
    /// First position of every class, ascending from 0.
    pub(super) starts: Vec<usize>,
    /// The class of missing values; `None` if they count nowhere.
    pub(super) missing: Option<u16>,
}

impl CodedColumn {
    /// The classes of a column's codes. Missing values are the last of them, or count nowhere.
    pub(crate) fn new(column: usize, grid: &Grid, codes: &Codes, has_missing: bool) -> Self {
        let missing = (has_missing && codes.has_missing()).then(|| codes.starts().len() as u16);
        Self { column, grid: grid.clone(), starts: codes.starts().to_vec(), missing }
    }
}

/// The most cells of the number line in one query, as a power of two.
const MOST_BITS: u32 = 24;

impl CountQuery {
    /// See [`PrivateTable::counts`].
    pub(crate) fn cells(column: usize, axis: &Axis<'_>, starts: &[usize]) -> Self {
        let (grid, heaps) = (axis.grid().clone(), axis.comb());
        Self(Query::Cells { column, grid, heaps, starts: starts.to_vec() })
    }

    /// See [`PrivateTable::roundness`].
    pub(crate) fn roundness(column: usize, grid: &Grid, combs: &[Comb]) -> Self {
        Self(Query::Roundness { column, grid: grid.clone(), combs: combs.to_vec() })
    }

    /// See [`PrivateTable::magnitudes`].
    pub(crate) fn magnitudes(column: usize, facts: &ColumnFacts, exponents: &Range<i32>) -> Self {
        Self(Query::Magnitudes { column, facts: facts.clone(), exponents: exponents.clone() })
    }

    /// See [`PrivateTable::line_counts`].
    pub(crate) fn line(column: usize, facts: &ColumnFacts, cells: &LineCells) -> Self {
        Self(Query::Line { column, facts: facts.clone(), cells: *cells })
    }

    /// See [`PrivateTable::beyond`].
    pub(crate) fn beyond(column: usize, facts: &ColumnFacts, centre: Point, exponents: &Range<i32>) -> Self {
        Self(Query::Beyond { column, facts: facts.clone(), centre, exponents: exponents.clone() })
    }

    /// See [`PrivateTable::table_counts`]. Columns of tables are places in `columns`.
    pub(crate) fn tables(columns: &[CodedColumn], tables: Vec<ClassTable>) -> Self {
        Self(Query::Tables { columns: columns.to_vec(), tables })
    }

    /// See [`PrivateTable::score_products`]. Pairs are places in `columns`.
    pub(crate) fn products(
        columns: Vec<CodedColumn>,
        scores: Vec<Vec<i64>>,
        pairs: &[(usize, usize)],
    ) -> Self {
        Self(Query::Products { columns, scores, pairs: pairs.to_vec() })
    }

    /// Number of counts in the answer.
    pub(super) fn answers(&self) -> usize {
        match &self.0 {
            Query::Cells { starts, .. } => starts.len(),
            Query::Roundness { combs, .. } => combs.len() + 1,
            Query::Magnitudes { exponents, .. } | Query::Beyond { exponents, .. } => exponents.len(),
            Query::Line { cells, .. } => cells.count() + 1,
            Query::Tables { tables, .. } => tables.iter().map(ClassTable::cells).sum(),
            Query::Products { pairs, .. } => pairs.len(),
        }
    }

    /// The answer for the rows of a table.
    pub(super) fn count(&self, table: &PrivateTable) -> Vec<i64> {
        match &self.0 {
            Query::Cells { column, grid, heaps, starts } => {
                table.counts(*column, &Axis::new(grid, *heaps), starts)
            }
            Query::Roundness { column, grid, combs } => table.roundness(*column, grid, combs),
            Query::Magnitudes { column, facts, exponents } => table.magnitudes(*column, facts, exponents),
            Query::Line { column, facts, cells } => table.line_counts(*column, facts, cells),
            Query::Beyond { column, facts, centre, exponents } => {
                table.beyond(*column, facts, *centre, exponents)
            }
            Query::Tables { columns, tables } => table.table_counts(columns, tables).concat(),
            Query::Products { columns, scores, pairs } => table.score_products(columns, scores, pairs),
        }
    }

    /// Whether a query that came from elsewhere makes sense for tables of this many columns.
    fn is_sound(&self, columns: usize) -> bool {
        let known = |column: &usize| *column < columns;
        let coded = |all: &[CodedColumn]| {
            all.iter().all(|one| known(&one.column) && one.starts.len() < usize::from(u16::MAX))
        };
        match &self.0 {
            Query::Cells { column, heaps, .. } => {
                known(column) && heaps.is_none_or(|comb| comb.every > 0 && comb.phase < comb.every)
            }
            Query::Roundness { column, combs, .. } => {
                known(column) && combs.iter().all(|comb| comb.every > 0)
            }
            Query::Magnitudes { column, exponents, .. } | Query::Beyond { column, exponents, .. } => {
                known(column) && !exponents.is_empty()
            }
            Query::Line { column, cells, .. } => known(column) && cells.bits <= MOST_BITS,
            Query::Tables { columns, tables } => {
                let inside = |table: &ClassTable| table.columns().iter().all(|&place| place < columns.len());
                coded(columns) && tables.iter().all(inside)
            }
            Query::Products { columns, scores, pairs } => {
                let inside = |&(a, b): &(usize, usize)| a < columns.len() && b < columns.len();
                coded(columns) && scores.len() == columns.len() && pairs.iter().all(inside)
            }
        }
    }

    /// Queries as bytes, to be answered elsewhere.
    ///
    /// # Panics
    /// Never: queries are plain data, which can always be written.
    pub fn encode(queries: &[Self]) -> Vec<u8> {
        serde_json::to_vec(queries).expect("plain data")
    }

    /// Queries from the bytes of [`encode`](Self::encode), for tables with this many measured columns.
    ///
    /// # Errors
    /// When they are none.
    pub fn decode(bytes: &[u8], columns: usize) -> Result<Vec<Self>, SourceError> {
        let queries: Option<Vec<Self>> = serde_json::from_slice(bytes).ok();
        let sound = |queries: &Vec<Self>| queries.iter().all(|query| query.is_sound(columns));
        queries.filter(sound).ok_or_else(|| SourceError::new(NOT_OURS, SAME_VERSION))
    }
}

const NOT_OURS: &str =
    "what was sent for counting, or what came back, is not from this version of indistinct";
const SAME_VERSION: &str = "install the same version of indistinct wherever rows are counted";

/// Counts of private rows. **Private**: they leave by charged choices and measurements only, and parts of a table
/// that are counted elsewhere send them to where they are added up.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateCounts {
    rows: u64,
    lists: Vec<Vec<i64>>,
}

impl fmt::Debug for PrivateCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PrivateCounts({} lists)", self.lists.len())
    }
}

impl PrivateCounts {
    /// The counts of no rows.
    pub fn none(queries: &[CountQuery]) -> Self {
        Self { rows: 0, lists: queries.iter().map(|query| vec![0; query.answers()]).collect() }
    }

    pub(super) fn new(rows: u64, lists: Vec<Vec<i64>>) -> Self {
        Self { rows, lists }
    }

    /// Adds the counts of other rows.
    ///
    /// # Errors
    /// When they answer other queries.
    pub fn add(&mut self, other: &Self) -> Result<(), SourceError> {
        let lengths = |counts: &Self| counts.lists.iter().map(Vec::len).collect::<Vec<usize>>();
        if lengths(self) != lengths(other) {
            return Err(SourceError::new(NOT_OURS, SAME_VERSION));
        }
        self.rows += other.rows;
        for (sums, counts) in self.lists.iter_mut().zip(&other.lists) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(())
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn into_lists(self) -> Vec<Vec<i64>> {
        self.lists
    }

    /// The counts as bytes; small numbers, of which there are most, take one.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, self.rows);
        put(&mut bytes, self.lists.len() as u64);
        for list in &self.lists {
            put(&mut bytes, list.len() as u64);
            // Sums of products may be negative: the sign is the last bit.
            for &count in list {
                put(&mut bytes, ((count << 1) ^ (count >> 63)).cast_unsigned());
            }
        }
        bytes
    }

    /// Counts from the bytes of [`encode`](Self::encode).
    ///
    /// # Errors
    /// When they are none.
    pub fn decode(mut bytes: &[u8]) -> Result<Self, SourceError> {
        let mut read = || {
            let rows = take(&mut bytes)?;
            let lists = (0..take(&mut bytes)?).map(|_| {
                let number = |number: u64| (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
                (0..take(&mut bytes)?).map(|_| take(&mut bytes).map(number)).collect()
            });
            let lists: Option<Vec<Vec<i64>>> = lists.collect();
            lists.map(|lists| Self { rows, lists })
        };
        read().filter(|_| bytes.is_empty()).ok_or_else(|| SourceError::new(NOT_OURS, SAME_VERSION))
    }
}

/// Writes a number with seven bits a byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number that [`put`] wrote.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte <= 0x7f {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_as_they_were_sent() {
        let lists = vec![vec![], vec![0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN], vec![7; 300]];
        let counts = PrivateCounts { rows: u64::MAX, lists };
        let bytes = counts.encode();
        assert_eq!(PrivateCounts::decode(&bytes), Ok(counts));
        for length in 0..bytes.len() {
            assert!(PrivateCounts::decode(&bytes[..length]).is_err(), "cut at {length}");
        }
        assert!(PrivateCounts::decode(&[bytes, vec![0]].concat()).is_err(), "something after the end");
    }

    #[test]
    fn queries_for_other_columns_or_without_sense_are_refused() {
        let grid = Grid::levels(3);
        let cells = CountQuery::cells(1, &Axis::new(&grid, None), &[0, 1, 2, 3]);
        let bytes = CountQuery::encode(std::slice::from_ref(&cells));
        assert_eq!(CountQuery::decode(&bytes, 2), Ok(vec![cells]));
        assert!(CountQuery::decode(&bytes, 1).is_err(), "there is no second column");
        let nothing = CountQuery::magnitudes(0, &ColumnFacts::default(), &(3..3));
        assert!(CountQuery::decode(&CountQuery::encode(&[nothing]), 2).is_err());
        let table = ClassTable::new(&[0, 1], &[(vec![0, 1], 2), (vec![0, 1], 2)]);
        let beyond = serde_json::to_string(&table).unwrap().replace("\"cells\":4", "\"cells\":3");
        assert!(serde_json::from_str::<ClassTable>(&beyond).is_err(), "steps beyond its cells");
    }
}
