//! Public facts about a column of numbers.

use serde::{Deserialize, Serialize};

use crate::table::{ColumnSchema, ColumnType, Family};

/// The least whole number that does not stand for a missing value.
pub(super) const SMALLEST: i64 = i64::MIN + 1;

/// Whether a double equals this whole number, to the last digit.
pub(super) fn is_whole(real: f64, whole: i64) -> bool {
    real == whole as f64 && real as i128 == i128::from(whole)
}

/// Public facts about a column of numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnFacts {
    /// The step of which values are whole multiples.
    pub step: Option<f64>,
    /// Values that many rows share and that stand apart from the others, such as zero or a code.
    pub atoms: Vec<f64>,
    /// The least value that is not an atom; lower ones count as this one.
    pub minimum: Option<f64>,
    /// The largest value that is not an atom; higher ones count as this one.
    pub maximum: Option<f64>,
    /// The form of the margin: the shape of the measured cells, or the law of a family that fits them best.
    pub family: Family,
}

impl ColumnFacts {
    /// The facts that follow from a column's type alone: whole numbers, days, seconds (date-times are in
    /// microseconds).
    pub fn of(kind: &ColumnType) -> Self {
        let step = match kind {
            ColumnType::Integer | ColumnType::Date { .. } => Some(1.0),
            ColumnType::DateTime { .. } => Some(1e6),
            _ => None,
        };
        Self { step, ..Self::default() }
    }

    /// All facts that a schema declares about a column.
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

    /// The facts with what the family implies: counts are whole numbers from 0 on, if nothing else is declared.
    pub(crate) fn with_implied(&self) -> Self {
        let mut facts = self.clone();
        if self.family == Family::Count {
            facts.step = self.step.or(Some(1.0));
            facts.minimum = self.minimum.or(Some(self.maximum.map_or(0.0, |maximum| maximum.min(0.0))));
        }
        facts
    }

    /// The value by which a row counts in the search for a range; `None` if it is missing or an atom.
    pub(crate) fn searched(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || self.atoms.contains(&value) {
            return None;
        }
        let value = self.minimum.map_or(value, |minimum| value.max(minimum));
        Some(self.maximum.map_or(value, |maximum| value.min(maximum)))
    }

    /// The whole number by which a row counts in the search for a range, which a double may not hold exactly.
    pub(crate) fn searched_whole(&self, value: i64) -> Option<i64> {
        if self.atoms.iter().any(|&atom| is_whole(atom, value)) {
            return None;
        }
        let (low, high) = self.whole_limits();
        Some(value.max(low).min(high))
    }

    /// The whole numbers within the declared limits, as the lowest and highest; all of them where no limit is
    /// declared.
    pub(crate) fn whole_limits(&self) -> (i64, i64) {
        let low = self.minimum.map_or(SMALLEST, |minimum| minimum.ceil() as i64);
        let high = self.maximum.map_or(i64::MAX, |maximum| maximum.floor() as i64);
        (low.max(SMALLEST), high)
    }
}
