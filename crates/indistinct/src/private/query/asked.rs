//! The columns that queries are about: others need not be read for a pass.

use super::{CodedColumn, CountQuery, Query};

impl CountQuery {
    /// The places of the measured columns that some queries are about, ascending.
    pub fn columns(queries: &[Self]) -> Vec<usize> {
        let mut columns: Vec<usize> = queries.iter().flat_map(|query| query.0.columns()).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The same queries for a table that has these columns only, which are places in the whole table, ascending.
    ///
    /// # Panics
    /// When a query is about another column.
    #[must_use]
    pub fn for_columns(queries: &[Self], kept: &[usize]) -> Vec<Self> {
        let place = |column: usize| kept.binary_search(&column).expect("a column that is kept");
        let moved = |query: &Self| {
            let mut query = query.clone();
            query.0.move_columns(place);
            query
        };
        queries.iter().map(moved).collect()
    }
}

impl Query {
    fn columns(&self) -> Vec<usize> {
        match self {
            Self::Cells { column, .. }
            | Self::Roundness { column, .. }
            | Self::Magnitudes { column, .. }
            | Self::Line { column, .. }
            | Self::Beyond { column, .. } => vec![*column],
            Self::Tables { columns, .. } | Self::Products { columns, .. } => {
                columns.iter().map(|coded| coded.column).collect()
            }
        }
    }

    fn move_columns(&mut self, place: impl Fn(usize) -> usize) {
        match self {
            Self::Cells { column, .. }
            | Self::Roundness { column, .. }
            | Self::Magnitudes { column, .. }
            | Self::Line { column, .. }
            | Self::Beyond { column, .. } => *column = place(*column),
            Self::Tables { columns, .. } | Self::Products { columns, .. } => {
                for CodedColumn { column, .. } in columns {
                    *column = place(*column);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CodedColumn;
    use crate::grid::{Axis, ColumnFacts, Grid};
    use crate::private::{ClassTable, CountQuery};

    #[test]
    fn queries_find_their_columns_in_a_table_that_has_no_others() {
        let grid = Grid::levels(3);
        let coded = |column| CodedColumn { column, grid: grid.clone(), starts: vec![0, 1, 2], missing: None };
        let table = ClassTable::new(&[0, 1], &[(vec![0, 1, 2], 3), (vec![0, 1, 2], 3)]);
        let all = |places: [usize; 4]| {
            let [cells, magnitudes, first, second] = places;
            vec![
                CountQuery::cells(cells, &Axis::new(&grid, None), &[0, 1, 2, 3]),
                CountQuery::magnitudes(magnitudes, &ColumnFacts::default(), &(0..3)),
                CountQuery::tables(&[coded(first), coded(second)], vec![table.clone()]),
                CountQuery::products(vec![coded(second)], vec![vec![1, 2, 3]], &[(0, 0)]),
            ]
        };
        let queries = all([7, 2, 7, 4]);
        assert_eq!(CountQuery::columns(&queries), [2, 4, 7]);
        assert_eq!(CountQuery::for_columns(&queries, &[2, 4, 7]), all([2, 0, 2, 1]));
        assert!(CountQuery::columns(&[]).is_empty());
    }
}
