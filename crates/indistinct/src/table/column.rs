//! One column: its declared type, and its values, missing ones included.

use super::schema::{ColumnSchema, ColumnType};

/// The value of a missing integer or date-time.
pub const MISSING_INTEGER: i64 = i64::MIN;
/// The code of a missing category or boolean.
pub const MISSING_CODE: u32 = u32::MAX;
/// The day number of a missing date.
pub const MISSING_DATE: i32 = i32::MIN;

/// The values of a column, stored densely; one value of each representation stands for *missing*.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Real numbers; NaN is missing. Never infinite.
    Float(Vec<f64>),
    /// Whole numbers; [`MISSING_INTEGER`] is missing.
    Integer(Vec<i64>),
    /// Positions in the declared levels (nominal, ordered), or 0 for false and 1 for true;
    /// [`MISSING_CODE`] is missing.
    Code(Vec<u32>),
    /// Days since 1970-01-01; [`MISSING_DATE`] is missing.
    Date(Vec<i32>),
    /// Microseconds since 1970-01-01T00:00:00, without a time zone; [`MISSING_INTEGER`] is missing.
    DateTime(Vec<i64>),
}

impl Values {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Integer(values) | Self::DateTime(values) => values.len(),
            Self::Code(values) => values.len(),
            Self::Date(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the value in that row is missing.
    ///
    /// # Panics
    /// When the row is out of range.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Float(values) => values[row].is_nan(),
            Self::Integer(values) | Self::DateTime(values) => values[row] == MISSING_INTEGER,
            Self::Code(values) => values[row] == MISSING_CODE,
            Self::Date(values) => values[row] == MISSING_DATE,
        }
    }

    /// Number of missing values.
    pub fn missing(&self) -> usize {
        (0..self.len()).filter(|&row| self.is_missing(row)).count()
    }

    /// Every value as a real number that keeps the order, NaN where missing: the form that trees compare.
    pub fn to_reals(&self) -> Vec<f64> {
        fn convert<T: Copy + PartialEq>(values: &[T], missing: T, real: impl Fn(T) -> f64) -> Vec<f64> {
            values.iter().map(|&value| if value == missing { f64::NAN } else { real(value) }).collect()
        }
        match self {
            Self::Float(values) => values.clone(),
            Self::Integer(values) | Self::DateTime(values) => {
                convert(values, MISSING_INTEGER, |value| value as f64)
            }
            Self::Code(values) => convert(values, MISSING_CODE, f64::from),
            Self::Date(values) => convert(values, MISSING_DATE, f64::from),
        }
    }

    /// The values of the given rows, in that order.
    fn take(&self, rows: &[u32]) -> Self {
        fn pick<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|&row| values[row as usize]).collect()
        }
        match self {
            Self::Float(values) => Self::Float(pick(values, rows)),
            Self::Integer(values) => Self::Integer(pick(values, rows)),
            Self::Code(values) => Self::Code(pick(values, rows)),
            Self::Date(values) => Self::Date(pick(values, rows)),
            Self::DateTime(values) => Self::DateTime(pick(values, rows)),
        }
    }
}

/// A named column: its declaration in the schema, and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    schema: ColumnSchema,
    values: Values,
}

impl Column {
    /// A column with this declaration.
    ///
    /// # Panics
    /// When the representation does not fit the type, or a code has no level: readers check both.
    pub fn new(schema: ColumnSchema, values: Values) -> Self {
        let fits = match (schema.kind(), &values) {
            (ColumnType::Float, Values::Float(values)) => values.iter().all(|value| !value.is_infinite()),
            (ColumnType::Nominal { levels } | ColumnType::Ordered { levels }, Values::Code(codes)) => {
                codes.iter().all(|&code| code == MISSING_CODE || (code as usize) < levels.len())
            }
            (ColumnType::Boolean { .. }, Values::Code(codes)) => {
                codes.iter().all(|&code| code == MISSING_CODE || code < 2)
            }
            (ColumnType::Integer, Values::Integer(_))
            | (ColumnType::Date { .. }, Values::Date(_))
            | (ColumnType::DateTime { .. }, Values::DateTime(_)) => true,
            _ => false,
        };
        assert!(fits, "column `{}`: its values do not have the type its schema declares", schema.name());
        Self { schema, values }
    }

    /// A column of real numbers, NaN where missing.
    pub fn float(name: &str, values: Vec<f64>) -> Self {
        Self::new(ColumnSchema::new(name, ColumnType::Float), Values::Float(values))
    }

    /// A column of unordered categories, by position in `levels`.
    pub fn nominal(name: &str, levels: &[&str], codes: Vec<u32>) -> Self {
        let levels = levels.iter().map(|&level| level.to_owned()).collect();
        Self::new(ColumnSchema::new(name, ColumnType::Nominal { levels }), Values::Code(codes))
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        self.schema.name()
    }

    /// The column's declaration in the schema.
    pub fn schema(&self) -> &ColumnSchema {
        &self.schema
    }

    /// Its values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Its values, without a copy.
    pub fn into_values(self) -> Values {
        self.values
    }

    /// Adds the rows of another column with the same schema.
    pub(super) fn append(&mut self, more: Self) {
        assert_eq!(self.schema, more.schema, "the same columns");
        match (&mut self.values, more.values) {
            (Values::Float(all), Values::Float(more)) => all.extend(more),
            (Values::Integer(all), Values::Integer(more))
            | (Values::DateTime(all), Values::DateTime(more)) => all.extend(more),
            (Values::Code(all), Values::Code(more)) => all.extend(more),
            (Values::Date(all), Values::Date(more)) => all.extend(more),
            // The schema decides the representation.
            _ => {}
        }
    }

    pub(super) fn reserve(&mut self, rows: usize) {
        match &mut self.values {
            Values::Float(values) => values.reserve_exact(rows),
            Values::Integer(values) | Values::DateTime(values) => values.reserve_exact(rows),
            Values::Code(values) => values.reserve_exact(rows),
            Values::Date(values) => values.reserve_exact(rows),
        }
    }

    pub(super) fn take(&self, rows: &[u32]) -> Self {
        Self { schema: self.schema.clone(), values: self.values.take(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_is_seen_in_every_representation() {
        for values in [
            Values::Float(vec![1.0, f64::NAN]),
            Values::Integer(vec![1, MISSING_INTEGER]),
            Values::Code(vec![1, MISSING_CODE]),
            Values::Date(vec![1, MISSING_DATE]),
            Values::DateTime(vec![1, MISSING_INTEGER]),
        ] {
            assert!(!values.is_missing(0) && values.is_missing(1), "{values:?}");
            assert_eq!(values.missing(), 1);
            let reals = values.to_reals();
            assert!(reals[0] == 1.0 && reals[1].is_nan());
        }
    }

    #[test]
    #[should_panic(expected = "do not have the type")]
    fn a_code_without_level_is_refused() {
        let _ = Column::nominal("sex", &["F", "M"], vec![0, 2]);
    }
}
