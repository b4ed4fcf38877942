//! Neighbours of a given table: one person's rows replaced by copies of others, where that should show most.

use std::collections::HashMap;

use indistinct::privacy::Neighbours;
use indistinct::table::{Column, Schema, Table, Values};
use indistinct_io::Failure;
use indistinct_io::{Format, write_to};

use crate::world::{NeighbouringTables, World};

/// The pair of a table and a neighbour in a world:
///
/// - `outlier`: the rows furthest out become copies of the most central one;
/// - `duplicates`: the most central rows become copies of the one that is furthest out;
/// - `rare-level`: rows with the rarest level become copies of the most central one;
/// - `missing`: rows with a missing value become copies of one that has none, or the other way round.
///
/// Where rows are added or removed the same rows are left out instead.
///
/// # Errors
/// When the table cannot be spelled.
pub fn pair(
    world: World,
    table: &Table,
    schema: &Schema,
    moved: usize,
    neighbours: Neighbours,
) -> Result<Option<NeighbouringTables>, Failure> {
    let Some((replaced, by)) = substitution(world, table, moved) else { return Ok(None) };
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    match neighbours {
        Neighbours::Substitute => replaced.iter().for_each(|&row| rows[row] = by as u32),
        Neighbours::AddRemove => rows.retain(|&row| !replaced.contains(&(row as usize))),
    }
    let text = |table: &Table| -> Result<String, Failure> {
        let mut bytes = Vec::new();
        write_to(table, Format::CSV, &mut bytes).map_err(Failure::failed)?;
        String::from_utf8(bytes).map_err(|_| Failure::failed("the table cannot be written as text"))
    };
    Ok(Some(NeighbouringTables {
        name: world.name().to_owned(),
        schemas: [schema.clone(), schema.clone()],
        tables: [text(table)?, text(&table.take(&rows))?],
    }))
}

/// The rows that are replaced, and the row whose copies replace them; `None` if the table has no such rows.
fn substitution(world: World, table: &Table, moved: usize) -> Option<(Vec<usize>, usize)> {
    let far = distances(table);
    let mut by_distance: Vec<usize> = (0..table.rows()).collect();
    by_distance.sort_by(|&a, &b| far[a].total_cmp(&far[b]));
    let (&central, &farthest) = by_distance.first().zip(by_distance.last())?;
    let first = |rows: Vec<usize>| rows.into_iter().take(moved).collect::<Vec<usize>>();
    match world {
        World::Outlier => Some((first(by_distance.into_iter().rev().collect()), central)),
        World::Duplicates => Some((first(by_distance), farthest)),
        World::RareLevel => {
            let rare = rarest(table)?;
            let by = by_distance.iter().copied().find(|row| !rare.contains(row))?;
            Some((first(rare), by))
        }
        World::Missing => {
            let holes = |row: &usize| table.columns().iter().any(|column| column.values().is_missing(*row));
            let (with, without): (Vec<usize>, Vec<usize>) = by_distance.into_iter().partition(holes);
            let by = *without.first()?;
            if with.is_empty() { None } else { Some((first(with), by)) }
        }
        // Made up, and in no table as it is.
        World::Spike
        | World::Subnormal
        | World::Magnitudes
        | World::OneLevel
        | World::UnusedLevels
        | World::AllMissing
        | World::Parity => None,
    }
}

/// The distance of every row from the centre: the sum over ordered columns of distances from the median, in ranks
/// and for the extremes in widths too.
fn distances(table: &Table) -> Vec<f64> {
    let mut sums = vec![0.0; table.rows()];
    for column in table.columns().iter().filter(|column| !matches!(column.values(), Values::Code(_))) {
        let values = column.values().to_reals();
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else { continue };
        let width = (sorted[last - last / 4] - sorted[last / 4]).max(f64::MIN_POSITIVE);
        for (sum, value) in sums.iter_mut().zip(values) {
            if !value.is_nan() {
                *sum += ((value - sorted[last / 2]) / width).abs().min(1e6);
            }
        }
    }
    sums
}

/// The rows with the rarest level of any column.
fn rarest(table: &Table) -> Option<Vec<usize>> {
    let of_column = |column: &Column| -> Option<Vec<usize>> {
        let Values::Code(codes) = column.values() else { return None };
        let mut rows: HashMap<u32, Vec<usize>> = HashMap::new();
        for (row, &code) in codes.iter().enumerate().filter(|(row, _)| !column.values().is_missing(*row)) {
            rows.entry(code).or_default().push(row);
        }
        (rows.len() > 1).then_some(())?;
        rows.into_values().min_by_key(|rows| (rows.len(), rows[0]))
    };
    table.columns().iter().filter_map(of_column).min_by_key(|rows| (rows.len(), rows[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_that_show_are_replaced() {
        let table = Table::new(vec![
            Column::float("x", vec![1.0, 2.0, 3.0, 900.0, 2.5, f64::NAN]),
            Column::nominal("l", &["a", "b"], vec![0, 1, 0, 0, 0, 0]),
        ])
        .unwrap();
        assert_eq!(substitution(World::Outlier, &table, 1).unwrap().0, [3]);
        let (replaced, by) = substitution(World::Duplicates, &table, 2).unwrap();
        assert_eq!((replaced.len(), by), (2, 3));
        assert_eq!(substitution(World::RareLevel, &table, 1).unwrap().0, [1]);
        assert_eq!(substitution(World::Missing, &table, 1).unwrap().0, [5]);
        assert_eq!(substitution(World::Spike, &table, 1), None);
        let columns = table.columns().iter().map(|column| column.schema().clone()).collect();
        let schema = Schema::new(vec!["NA".to_owned()], columns).unwrap();
        let pair = pair(World::Outlier, &table, &schema, 1, Neighbours::Substitute).unwrap().unwrap();
        let [x, neighbour] = pair.tables.each_ref().map(|table| table.lines().collect::<Vec<&str>>());
        assert_eq!(x.iter().zip(&neighbour).filter(|(a, b)| a != b).count(), 1);
    }

    #[test]
    fn a_table_without_levels_or_holes_has_fewer_worlds() {
        let table = Table::new(vec![Column::float("x", vec![1.0, 2.0])]).unwrap();
        assert_eq!(substitution(World::RareLevel, &table, 1), None);
        assert_eq!(substitution(World::Missing, &table, 1), None);
    }
}
