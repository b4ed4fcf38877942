//! Worlds: pairs of neighbouring tables that make the worst of a mechanism.

use std::fmt;

use indistinct::table::{ColumnSchema, ColumnType, Schema, SchemaError};

/// What one person, whose rows are substituted, does to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    /// From among the others to the other end of the world.
    Outlier,
    /// All rows are the same, but for this person's in the neighbour.
    Duplicates,
    /// Half of the rows are one value, one row too few in the neighbour.
    Spike,
    /// A level that nobody else has.
    RareLevel,
    /// A value that is missing where no other is.
    Missing,
}

/// Two neighbouring tables, as CSV files with the schema of both. They may be private, and are not printed.
#[derive(Clone, PartialEq)]
pub struct Pair {
    /// What the pair is called.
    pub name: String,
    /// What the columns mean, on each side: public, hence the same, unless something is broken.
    pub schemas: [Schema; 2],
    /// The tables.
    pub tables: [String; 2],
}

impl fmt::Debug for Pair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pair").field("name", &self.name).finish_non_exhaustive()
    }
}

impl World {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Outlier, Self::Duplicates, Self::Spike, Self::RareLevel, Self::Missing];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outlier => "outlier",
            Self::Duplicates => "duplicates",
            Self::Spike => "spike",
            Self::RareLevel => "rare-level",
            Self::Missing => "missing",
        }
    }

    /// Whether its columns are numbers without holes, which is all that some models know.
    pub fn is_of_numbers(self) -> bool {
        !matches!(self, Self::RareLevel | Self::Missing)
    }

    /// The pair, in which a person owns `moved` of the rows. Every column is a multiple of the first, so that one row moves
    /// everything at once.
    ///
    /// # Errors
    /// When there is no column.
    pub fn pair(self, rows: usize, columns: usize, moved: usize) -> Result<Pair, SchemaError> {
        let names: Vec<String> = (1..=columns).map(|column| format!("x{column}")).collect();
        let kind = match self {
            Self::RareLevel => ColumnType::Nominal { levels: ["a", "b"].map(str::to_owned).to_vec().into() },
            _ => ColumnType::Float,
        };
        let column = |name: &String| {
            let column = ColumnSchema::new(name, kind.clone());
            if self == Self::Missing { column.with_missing(vec!["NA".to_owned()]) } else { column }
        };
        let schema = Schema::new(Vec::new(), names.iter().map(column).collect())?;
        let table = |neighbour: bool| {
            let mut text = names.join(",") + "\n";
            for row in 0..rows {
                let cells: Vec<String> = (1..=columns)
                    .map(|column| self.cell((row, rows), column, neighbour && row < moved))
                    .collect();
                text.push_str(&(cells.join(",") + "\n"));
            }
            text
        };
        Ok(Pair {
            name: self.name().to_owned(),
            schemas: [schema.clone(), schema],
            tables: [table(false), table(true)],
        })
    }

    fn cell(self, (row, rows): (usize, usize), column: usize, moved: bool) -> String {
        let spread = row as f64 / rows as f64;
        let value = match (self, moved) {
            (Self::RareLevel, false) => return "a".to_owned(),
            (Self::RareLevel, true) => return "b".to_owned(),
            (Self::Missing, true) => return "NA".to_owned(),
            (Self::Outlier | Self::Missing, false) => spread,
            (Self::Outlier, true) => 1e6,
            (Self::Duplicates, true) => 1000.0,
            (Self::Duplicates, false) | (Self::Spike, true) => 1.0,
            (Self::Spike, false) if row < rows.div_ceil(2) => 0.0,
            (Self::Spike, false) => 1.0 + spread,
        };
        format!("{}", value * column as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_differ_in_one_persons_rows() {
        for world in World::ALL {
            for moved in [1, 2] {
                let pair = world.pair(60, 2, moved).unwrap();
                let [x, neighbour] = pair.tables.each_ref().map(|table| table.lines().collect::<Vec<&str>>());
                assert_eq!((x.len(), neighbour.len()), (61, 61));
                assert_eq!(x.iter().zip(&neighbour).filter(|(a, b)| a != b).count(), moved, "{world:?}");
                assert_eq!(pair.schemas[0], pair.schemas[1]);
            }
        }
        assert!(World::Outlier.pair(60, 0, 1).is_err());
    }
}
