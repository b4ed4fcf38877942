//! What is publicly known of a column of numbers.

use crate::table::{ColumnSchema, ColumnType, Family};

/// The least whole number that is not missing.
pub(super) const SMALLEST: i64 = i64::MIN + 1;

/// Whether a double is this whole number, to the last digit.
pub(super) fn is_whole(real: f64, whole: i64) -> bool {
    real == whole as f64 && real as i128 == i128::from(whole)
}

/// What is publicly known of a column of numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnFacts {
    /// Values are whole multiples of it.
    pub step: Option<f64>,
    /// Values that many rows share and that stand apart from the others, such as zero or a code.
    pub atoms: Vec<f64>,
    /// No value but an atom is less; what is counts as this.
    pub minimum: Option<f64>,
    /// No value but an atom is more; what is counts as this.
    pub maximum: Option<f64>,
    /// What is made of the measured cells: their own shape, or the law of a family that fits them best.
    pub family: Family,
}

impl ColumnFacts {
    /// What the type of a column alone says: whole numbers, days, seconds (date-times are in microseconds).
    pub fn of(kind: &ColumnType) -> Self {
        let step = match kind {
            ColumnType::Integer | ColumnType::Date { .. } => Some(1.0),
            ColumnType::DateTime { .. } => Some(1e6),
            _ => None,
        };
        Self { step, ..Self::default() }
    }

    /// All that a schema says of a column.
    pub fn of_column(column: &ColumnSchema) -> Self {
        let decimals = column.decimals().filter(|_| matches!(column.kind(), ColumnType::Float));
        let of_type = Self::of(column.kind());
        Self {
            step: decimals.map(|decimals| 1.0 / 10_f64.powi(decimals.cast_signed())).or(of_type.step),
            atoms: column.atoms().to_vec(),
            minimum: column.minimum(),
            maximum: column.maximum(),
            family: column.family().unwrap_or_default(),
        }
    }

    /// The same with what the family implies: counts are whole numbers from 0 on, if nothing else is declared.
    pub(crate) fn with_implied(&self) -> Self {
        let mut facts = self.clone();
        if self.family == Family::Count {
            facts.step = self.step.or(Some(1.0));
            facts.minimum = self.minimum.or(Some(self.maximum.map_or(0.0, |maximum| maximum.min(0.0))));
        }
        facts
    }

    /// The value by which a row counts when a range is searched for: none if it is missing or an atom.
    pub(crate) fn searched(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || self.atoms.contains(&value) {
            return None;
        }
        let value = self.minimum.map_or(value, |minimum| value.max(minimum));
        Some(self.maximum.map_or(value, |maximum| value.min(maximum)))
    }

    /// The same for a whole number, which a double may be too short for.
    pub(crate) fn searched_whole(&self, value: i64) -> Option<i64> {
        if self.atoms.iter().any(|&atom| is_whole(atom, value)) {
            return None;
        }
        let (low, high) = self.whole_limits();
        Some(value.max(low).min(high))
    }

    /// The whole numbers at or next within the declared limits; all there are where none is declared.
    pub(crate) fn whole_limits(&self) -> (i64, i64) {
        let low = self.minimum.map_or(SMALLEST, |minimum| minimum.ceil() as i64);
        let high = self.maximum.map_or(i64::MAX, |maximum| maximum.floor() as i64);
        (low.max(SMALLEST), high)
    }
}
