//! Real and synthetic rows stacked, as predictors of the table that a row came from.

use std::sync::Arc;

use crate::number::number_of;
use crate::table::{Column, ColumnType, MISSING_CODE, Table, Values};

/// One column of both tables.
#[derive(Debug, Clone, PartialEq)]
pub enum Predictor {
    /// Values with an order (numbers, dates, ordered categories, booleans); NaN is missing.
    Ordered(Vec<f64>),
    /// Categories without an order; [`MISSING_CODE`] is missing.
    Nominal {
        /// Position of each row's level.
        codes: Vec<u32>,
        /// Number of levels.
        levels: usize,
    },
}

/// The rows of a real table followed by those of a synthetic one.
#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    names: Vec<String>,
    predictors: Vec<Predictor>,
    /// The spellings of each column's levels; empty for columns without.
    levels: Vec<Arc<[String]>>,
    real_rows: usize,
    synthetic_rows: usize,
}

/// The reason why two tables cannot be compared. Texts name columns, never values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StackError {
    /// Different column names.
    #[error(
        "the tables have different columns{}{}",
        list("only in the real table", only_real),
        list("only in the synthetic table", only_synthetic)
    )]
    Columns {
        /// Places, from 1, of columns whose names only the real table has. The names may be the values of a first
        /// record.
        only_real: Vec<usize>,
        /// Places of columns whose names only the synthetic table has.
        only_synthetic: Vec<usize>,
    },
    /// A column with two types.
    #[error("column `{column}` is {real} in the real table and {synthetic} in the synthetic one")]
    Types {
        /// The column.
        column: String,
        /// Its type in the real table.
        real: &'static str,
        /// Its type in the synthetic table.
        synthetic: &'static str,
    },
    /// Too few rows to compare anything.
    #[error("the {table} table has {}; at least 2 are needed", number_of(*.rows, "row"))]
    TooFewRows {
        /// `real` or `synthetic`.
        table: &'static str,
        /// Its number of rows.
        rows: usize,
    },
    /// Too many rows for 31-bit row numbers.
    #[error("the tables have {0} rows together; at most 2147483647 can be compared")]
    TooManyRows(usize),
    /// No columns.
    #[error("the tables have no columns to compare")]
    NoColumns,
}

fn list(heading: &str, places: &[usize]) -> String {
    let noun = if places.len() == 1 { "column" } else { "columns" };
    let places: Vec<String> = places.iter().map(usize::to_string).collect();
    if places.is_empty() { String::new() } else { format!("; {heading}: {noun} {}", places.join(", ")) }
}

impl Stacked {
    /// Stacks two tables; columns are matched by name and kept in the real table's order.
    ///
    /// # Errors
    /// When the tables cannot be compared: see [`StackError`].
    pub fn new(real: &Table, synthetic: &Table) -> Result<Self, StackError> {
        check_comparable(real, synthetic)?;
        let pairs =
            real.columns().iter().filter_map(|column| Some((column, synthetic.column(column.name())?)));
        let (mut predictors, mut levels) = (Vec::new(), Vec::new());
        for (real, synthetic) in pairs {
            let (predictor, spellings) = stack_column(real, synthetic)?;
            predictors.push(predictor);
            levels.push(spellings);
        }
        Ok(Self {
            names: real.columns().iter().map(|column| column.name().to_owned()).collect(),
            predictors,
            levels,
            real_rows: real.rows(),
            synthetic_rows: synthetic.rows(),
        })
    }

    /// Stacks columns of complete numbers, which samplers and experiments have by the thousand: neither checked
    /// nor named.
    pub fn of_numbers(real: &[Vec<f64>], synthetic: &[Vec<f64>]) -> Self {
        let stack = |(real, synthetic): (&Vec<f64>, &Vec<f64>)| {
            Predictor::Ordered(real.iter().chain(synthetic).copied().collect())
        };
        Self {
            names: vec![String::new(); real.len()],
            predictors: real.iter().zip(synthetic).map(stack).collect(),
            levels: vec![Arc::default(); real.len()],
            real_rows: real.first().map_or(0, Vec::len),
            synthetic_rows: synthetic.first().map_or(0, Vec::len),
        }
    }

    /// Column names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The columns.
    pub fn predictors(&self) -> &[Predictor] {
        &self.predictors
    }

    /// The spellings of a column's levels by code: for a nominal column the union over both tables, for an
    /// ordered one the declared levels, for any other none.
    ///
    /// # Panics
    /// When the column is out of range.
    pub fn levels(&self, column: usize) -> &[String] {
        &self.levels[column]
    }

    /// Number of real rows: they come first.
    pub fn real_rows(&self) -> usize {
        self.real_rows
    }

    /// Number of synthetic rows.
    pub fn synthetic_rows(&self) -> usize {
        self.synthetic_rows
    }

    /// Rows of both tables.
    pub fn rows(&self) -> usize {
        self.real_rows + self.synthetic_rows
    }

    /// The rows with only these columns.
    ///
    /// # Panics
    /// When a column is out of range.
    #[must_use]
    pub fn select(&self, columns: &[usize]) -> Self {
        Self {
            names: columns.iter().map(|&column| self.names[column].clone()).collect(),
            predictors: columns.iter().map(|&column| self.predictors[column].clone()).collect(),
            levels: columns.iter().map(|&column| self.levels[column].clone()).collect(),
            ..*self
        }
    }

    /// The tables with as many real and synthetic rows as before, taken from these rows of the stack in this
    /// order.
    ///
    /// # Panics
    /// When there are not [`Self::rows`] of them, or one is out of range.
    #[must_use]
    pub fn resample(&self, rows: &[u32]) -> Self {
        assert_eq!(rows.len(), self.rows(), "as many rows as before");
        let (real, synthetic) = rows.split_at(self.real_rows);
        self.take(real, synthetic)
    }

    /// Tables of these rows of the stack: the first are called real, the others synthetic.
    ///
    /// # Panics
    /// When a row is out of range.
    #[must_use]
    pub fn take(&self, real: &[u32], synthetic: &[u32]) -> Self {
        let rows = || real.iter().chain(synthetic).map(|&row| row as usize);
        let take = |predictor: &Predictor| match predictor {
            Predictor::Ordered(values) => Predictor::Ordered(rows().map(|row| values[row]).collect()),
            Predictor::Nominal { codes, levels } => {
                Predictor::Nominal { codes: rows().map(|row| codes[row]).collect(), levels: *levels }
            }
        };
        Self {
            names: self.names.clone(),
            predictors: self.predictors.iter().map(take).collect(),
            levels: self.levels.clone(),
            real_rows: real.len(),
            synthetic_rows: synthetic.len(),
        }
    }

    /// For each row, whether it is synthetic.
    pub fn labels(&self) -> Vec<bool> {
        (0..self.rows()).map(|row| row >= self.real_rows).collect()
    }
}

/// Refuses tables of different columns, and of too few or too many rows.
pub(crate) fn check_comparable(real: &Table, synthetic: &Table) -> Result<(), StackError> {
    let only = |left: &Table, right: &Table| -> Vec<usize> {
        let names = left.columns().iter().map(Column::name).zip(1..);
        names.filter(|(name, _)| right.column(name).is_none()).map(|(_, place)| place).collect()
    };
    let (only_real, only_synthetic) = (only(real, synthetic), only(synthetic, real));
    if !(only_real.is_empty() && only_synthetic.is_empty()) {
        return Err(StackError::Columns { only_real, only_synthetic });
    }
    if real.columns().is_empty() {
        return Err(StackError::NoColumns);
    }
    for (table, rows) in [("real", real.rows()), ("synthetic", synthetic.rows())] {
        if rows < 2 {
            return Err(StackError::TooFewRows { table, rows });
        }
    }
    let all = real.rows() + synthetic.rows();
    if i32::try_from(all).is_err() {
        return Err(StackError::TooManyRows(all));
    }
    Ok(())
}

/// One column of both tables, with the spellings of its levels: a column at a time needs no second copy of the tables.
pub(crate) fn stack_column(
    real: &Column,
    synthetic: &Column,
) -> Result<(Predictor, Arc<[String]>), StackError> {
    let (kind, other) = (real.schema().kind(), synthetic.schema().kind());
    let mismatch =
        || StackError::Types { column: real.name().to_owned(), real: kind.word(), synthetic: other.word() };
    match (kind, other) {
        (ColumnType::Nominal { levels }, ColumnType::Nominal { levels: others }) => {
            let (Values::Code(codes), Values::Code(more)) = (real.values(), synthetic.values()) else {
                return Err(mismatch());
            };
            // Levels are compared by spelling, and numbered in the order of their spellings, as R does.
            let mut union: Vec<&String> = levels.iter().chain(others.iter()).collect();
            union.sort_unstable();
            union.dedup();
            let renumber = |levels: &[String], codes: &[u32]| -> Vec<u32> {
                let map: Vec<u32> =
                    levels.iter().map(|level| union.partition_point(|&known| known < level) as u32).collect();
                let code = |&code: &u32| if code == MISSING_CODE { code } else { map[code as usize] };
                codes.iter().map(code).collect()
            };
            let mut codes = renumber(levels, codes);
            codes.extend(renumber(others, more));
            Ok((Predictor::Nominal { codes, levels: union.len() }, union.into_iter().cloned().collect()))
        }
        (ColumnType::Ordered { levels }, ColumnType::Ordered { levels: others }) if levels != others => {
            Err(mismatch())
        }
        _ => {
            let numbers = |kind: &ColumnType| matches!(kind, ColumnType::Float | ColumnType::Integer);
            if kind.word() != other.word() && !(numbers(kind) && numbers(other)) {
                return Err(mismatch());
            }
            let mut values = real.values().to_reals();
            values.extend(synthetic.values().to_reals());
            Ok((Predictor::Ordered(values), kind.levels().cloned().unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: Vec<Column>) -> Table {
        Table::new(columns).unwrap()
    }

    #[test]
    fn columns_match_by_name_and_levels_by_spelling() {
        let real = table(vec![
            Column::float("x", vec![1.0, f64::NAN]),
            Column::nominal("c", &["b", "a"], vec![0, 1]),
        ]);
        let synthetic =
            table(vec![Column::nominal("c", &["c", "b"], vec![0, 1]), Column::float("x", vec![3.0, 4.0])]);
        let stacked = Stacked::new(&real, &synthetic).unwrap();
        assert_eq!(stacked.labels(), [false, false, true, true]);
        let Predictor::Ordered(x) = &stacked.predictors()[0] else { panic!() };
        assert!(x[1].is_nan() && x[0] == 1.0 && x[2..] == [3.0, 4.0]);
        assert_eq!(stacked.predictors()[1], Predictor::Nominal { codes: vec![1, 0, 2, 1], levels: 3 });
        assert_eq!(stacked.levels(1), ["a", "b", "c"]);
        assert!(stacked.levels(0).is_empty());
    }

    #[test]
    fn parts_and_resamples_keep_the_two_sides() {
        let table = |shift: f64| {
            table(vec![
                Column::float("x", vec![shift, shift + 1.0]),
                Column::float("y", vec![5.0, 6.0]),
                Column::nominal("c", &["a", "b"], vec![0, 1]),
            ])
        };
        let stacked = Stacked::new(&table(0.0), &table(10.0)).unwrap();
        let part = stacked.select(&[2, 0]);
        assert_eq!(part.names(), ["c", "x"]);
        let mixed = part.resample(&[3, 3, 0, 2]);
        assert_eq!(mixed.predictors()[1], Predictor::Ordered(vec![11.0, 11.0, 0.0, 10.0]));
        assert_eq!(mixed.labels(), [false, false, true, true]);
    }

    #[test]
    fn incomparable_tables_are_refused() {
        let one = |name: &str| table(vec![Column::float(name, vec![1.0, 2.0])]);
        let error = Stacked::new(&one("x"), &one("y")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the tables have different columns; only in the real table: column 1; only in the synthetic table: column 1"
        );
        let nominal = table(vec![Column::nominal("x", &["a"], vec![0, 0])]);
        assert_eq!(
            Stacked::new(&one("x"), &nominal).unwrap_err().to_string(),
            "column `x` is float in the real table and nominal in the synthetic one"
        );
        let short = table(vec![Column::float("x", vec![1.0])]);
        assert!(matches!(Stacked::new(&one("x"), &short), Err(StackError::TooFewRows { rows: 1, .. })));
    }
}
