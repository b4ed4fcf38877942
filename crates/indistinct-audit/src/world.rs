//! Worlds: pairs of neighbouring tables that bring out the worst of a mechanism.

use std::fmt;

use indistinct::privacy::Neighbours;
use indistinct::table::{ColumnSchema, ColumnType, Schema, SchemaError};

/// The spelling of missing values.
const MISSING: &str = "NA";
/// Most rows of a world.
const MOST_ROWS: usize = 20_000;

/// The effect on the table of one person, whose rows are substituted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    /// A row moves from among the others to the far end of the line.
    Outlier,
    /// All rows are the same, except for this person's in the neighbour.
    Duplicates,
    /// Half of the rows have one value, one row too few in the neighbour.
    Spike,
    /// A row moves from among numbers in the millions, no two of them alike, to a subnormal number beside the
    /// only zero. No two rows of X share a narrow cell, two of the neighbour share all of them.
    Subnormal,
    /// Numbers have all magnitudes, from 1e-310 to 1e300: a row moves from the smallest to the largest.
    Magnitudes,
    /// A row has a level that nobody else has.
    RareLevel,
    /// All rows have the only level, except for this person, who has none in the neighbour.
    OneLevel,
    /// A row has a declared level that nobody else has, among others that nobody has: categories of a data frame.
    UnusedLevels,
    /// A value is missing where no other is.
    Missing,
    /// A value is present where all others are missing.
    AllMissing,
    /// The third of three columns of two levels is decided by the other two in all rows but this person's in the
    /// neighbour: a cell of three columns that nobody else is in. Single columns and pairs are as even as can be
    /// on both sides, and change by one row.
    Parity,
}

/// Two neighbouring tables, as CSV files with the schema of both. They may be private, and are not printed.
#[derive(Clone, PartialEq)]
pub struct NeighbouringTables {
    /// The name of the pair.
    pub name: String,
    /// The schema of each side: public, hence the same, unless something is broken.
    pub schemas: [Schema; 2],
    /// The tables.
    pub tables: [String; 2],
}

impl fmt::Debug for NeighbouringTables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NeighbouringTables").field("name", &self.name).finish_non_exhaustive()
    }
}

impl World {
    /// All worlds.
    pub const ALL: [Self; 11] = [
        Self::Outlier,
        Self::Duplicates,
        Self::Spike,
        Self::Subnormal,
        Self::Magnitudes,
        Self::RareLevel,
        Self::OneLevel,
        Self::UnusedLevels,
        Self::Missing,
        Self::AllMissing,
        Self::Parity,
    ];

    /// Its name, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outlier => "outlier",
            Self::Duplicates => "duplicates",
            Self::Spike => "spike",
            Self::Subnormal => "subnormal",
            Self::Magnitudes => "magnitudes",
            Self::RareLevel => "rare-level",
            Self::OneLevel => "one-level",
            Self::UnusedLevels => "unused-levels",
            Self::Missing => "missing",
            Self::AllMissing => "all-missing",
            Self::Parity => "parity",
        }
    }

    /// Whether its columns are numbers without missing values, as some models require.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Outlier | Self::Duplicates | Self::Spike | Self::Subnormal | Self::Magnitudes)
    }

    /// Rows of its tables, where `usual` are enough for a budget to work with: more where the scale of a column
    /// must be found first, which the mixed model does from about 2000 rows over epsilon on.
    pub fn rows(self, usual: usize) -> usize {
        match self {
            Self::Subnormal => usual.max((16 * usual).min(MOST_ROWS)),
            _ => usual,
        }
    }

    /// Columns of its tables, where `asked` are requested: more where fewer would not show the effect.
    pub fn columns(self, asked: usize) -> usize {
        match self {
            Self::Parity if asked > 0 => asked.max(3),
            _ => asked,
        }
    }

    /// The declaration of its columns: the same on both sides.
    fn column(self, name: &str) -> ColumnSchema {
        let levels = |spellings: &[&str]| spellings.iter().map(|level| (*level).to_owned()).collect();
        let kind = match self {
            Self::RareLevel | Self::Parity => ColumnType::Nominal { levels: levels(&["a", "b"]) },
            Self::OneLevel => ColumnType::Nominal { levels: levels(&["a"]) },
            Self::UnusedLevels => ColumnType::Ordered { levels: levels(&["a", "b", "c", "d", "e", "f"]) },
            _ => ColumnType::Float,
        };
        let column = ColumnSchema::new(name, kind);
        match self {
            Self::OneLevel | Self::Missing | Self::AllMissing => {
                column.with_missing(vec![MISSING.to_owned()])
            }
            _ => column,
        }
    }

    /// The pair, in which a person owns `moved` of the rows, which have other values in the neighbour; where rows
    /// are added or removed, these rows with the other values are in the first table and the neighbour has none
    /// of them. Every column is a multiple of the first, so that one row moves everything at once, or with
    /// [`Parity`](Self::Parity) a copy of one of the first three.
    ///
    /// # Errors
    /// When there is no column.
    pub fn pair(
        self,
        rows: usize,
        columns: usize,
        moved: usize,
        neighbours: Neighbours,
    ) -> Result<NeighbouringTables, SchemaError> {
        let columns = self.columns(columns);
        let names: Vec<String> = (1..=columns).map(|column| format!("x{column}")).collect();
        let schema = Schema::new(Vec::new(), names.iter().map(|name| self.column(name)).collect())?;
        let table = |neighbour: bool, first: usize| {
            let mut text = names.join(",") + "\n";
            for row in first..rows {
                let cells: Vec<String> = (1..=columns)
                    .map(|column| self.cell(row, rows, column, neighbour && row < moved))
                    .collect();
                text.push_str(&(cells.join(",") + "\n"));
            }
            text
        };
        Ok(NeighbouringTables {
            name: self.name().to_owned(),
            schemas: [schema.clone(), schema],
            tables: match neighbours {
                Neighbours::Substitute => [table(false, 0), table(true, 0)],
                Neighbours::AddRemove => [table(true, 0), table(true, moved)],
            },
        })
    }

    fn cell(self, row: usize, rows: usize, column: usize, moved: bool) -> String {
        let spread = row as f64 / rows as f64;
        let value = match (self, moved) {
            (Self::RareLevel | Self::OneLevel, false) => return "a".to_owned(),
            (Self::RareLevel, true) => return "b".to_owned(),
            (Self::UnusedLevels, false) => return ["a", "c"][row % 2].to_owned(),
            (Self::UnusedLevels, true) => return "e".to_owned(),
            (Self::Parity, moved) => return ["a", "b"][parity(row, column, moved)].to_owned(),
            (Self::OneLevel | Self::Missing, true) | (Self::AllMissing, false) => return MISSING.to_owned(),
            (Self::Outlier | Self::Missing, false) => spread,
            (Self::AllMissing, true) => 0.5,
            (Self::Outlier, true) => 1e6,
            (Self::Duplicates, true) => 1000.0,
            (Self::Duplicates, false) | (Self::Spike, true) => 1.0,
            (Self::Spike, false) if row < rows.div_ceil(2) => 0.0,
            (Self::Spike, false) => 1.0 + spread,
            (Self::Subnormal, false) if row + 1 == rows => 0.0,
            (Self::Subnormal, false) => 2e7 + 7e7 * spread,
            (Self::Subnormal, true) => 1e-310,
            (Self::Magnitudes, false) => 10f64.powf(610.0 * spread - 310.0),
            (Self::Magnitudes, true) => 1e300,
        };
        // With an exponent where there would be hundreds of zeros.
        format!("{:?}", value * column as f64)
    }
}

/// The level of a row and column of [`World::Parity`]: two columns go through all four pairs of levels, the third
/// is b where they differ, or where they do not if the row is `moved`.
fn parity(row: usize, column: usize, moved: bool) -> usize {
    let (first, second) = (row % 2, row / 2 % 2);
    match column % 3 {
        1 => first,
        2 => second,
        _ => (first + second + usize::from(moved)) % 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_differ_in_one_persons_rows() {
        for world in World::ALL {
            for moved in [1, 2] {
                let pair = world.pair(60, 2, moved, Neighbours::Substitute).unwrap();
                let [x, neighbour] = pair.tables.each_ref().map(|table| table.lines().collect::<Vec<&str>>());
                assert_eq!((x.len(), neighbour.len()), (61, 61));
                assert_eq!(x.iter().zip(&neighbour).filter(|(a, b)| a != b).count(), moved, "{world:?}");
                assert_eq!(pair.schemas[0], pair.schemas[1]);
            }
        }
        assert!(World::Outlier.pair(60, 0, 1, Neighbours::Substitute).is_err());
    }

    #[test]
    fn parity_shows_in_three_columns_only() {
        let pair = World::Parity.pair(80, 1, 1, Neighbours::Substitute).unwrap();
        let counts = |table: &str, columns: &[usize]| {
            let mut counts = std::collections::BTreeMap::new();
            for line in table.lines().skip(1) {
                let cells: Vec<&str> = line.split(',').collect();
                *counts
                    .entry(columns.iter().map(|&column| cells[column]).collect::<String>())
                    .or_insert(0) += 1;
            }
            counts.into_values().collect::<Vec<u32>>()
        };
        let [x, neighbour] = &pair.tables;
        for columns in [[0, 1], [0, 2], [1, 2]] {
            assert_eq!(counts(x, &columns), [20; 4]);
            assert!(counts(neighbour, &columns).iter().all(|count| (19..=21).contains(count)));
        }
        assert_eq!(counts(x, &[0, 1, 2]), [20; 4], "four of eight cells are empty");
        let mut shown = counts(neighbour, &[0, 1, 2]);
        shown.sort_unstable();
        assert_eq!(shown, [1, 19, 20, 20, 20], "and one of them is not in the neighbour");
    }
}
