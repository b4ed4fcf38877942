//! Computed values as their columns hold them.

use crate::table::moment::DAY;
use crate::table::schema::{DAYS, EXACT};
use crate::table::{
    ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Values, round_to_decimals,
};

/// The form in which a derived column holds a computed value. A value that it cannot hold is missing: numbers
/// that are not finite, whole numbers that doubles do not tell apart, dates outside the years 0 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// A number, rounded to the declared decimals if there are any.
    Number {
        decimals: Option<u32>,
    },
    Whole,
    Day,
    Moment,
    /// Codes of levels and truth values, which always fit.
    Code,
}

impl Fit {
    pub(super) fn of(column: &ColumnSchema) -> Self {
        match column.kind() {
            ColumnType::Float | ColumnType::Identifier => Self::Number { decimals: column.decimals() },
            ColumnType::Integer => Self::Whole,
            ColumnType::Date { .. } => Self::Day,
            ColumnType::DateTime { .. } => Self::Moment,
            ColumnType::Nominal { .. } | ColumnType::Ordered { .. } | ColumnType::Boolean { .. } => {
                Self::Code
            }
        }
    }

    /// The value that the column holds; NaN if it is missing. Zero has one sign, as in text files.
    pub(super) fn fitted(self, value: f64) -> f64 {
        let is_day = |day: f64| day >= DAYS.0 && day < DAYS.1 + 1.0;
        let (value, fits) = match self {
            Self::Number { decimals: None } => (value, value.is_finite()),
            Self::Number { decimals: Some(decimals) } => {
                (round_to_decimals(value, decimals), value.is_finite())
            }
            Self::Whole => (value.round(), value.abs() <= EXACT),
            Self::Day => (value.round(), is_day(value.round())),
            Self::Moment => (value.round(), is_day(value / DAY as f64)),
            Self::Code => (value, !value.is_nan()),
        };
        if fits { value + 0.0 } else { f64::NAN }
    }

    /// Fitted values in the column's representation.
    pub(super) fn values(self, reals: Vec<f64>) -> Values {
        fn each<T>(reals: &[f64], missing: T, make: impl Fn(f64) -> T) -> Vec<T>
        where
            T: Copy,
        {
            reals.iter().map(|&value| if value.is_nan() { missing } else { make(value) }).collect()
        }
        match self {
            Self::Number { .. } => Values::Float(reals),
            Self::Whole => Values::Integer(each(&reals, MISSING_INTEGER, |value| value as i64)),
            Self::Moment => Values::DateTime(each(&reals, MISSING_INTEGER, |value| value as i64)),
            Self::Day => Values::Date(each(&reals, MISSING_DATE, |value| value as i32)),
            Self::Code => Values::Code(each(&reals, MISSING_CODE, |value| value as u32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_or_are_missing() {
        let number = Fit::Number { decimals: Some(1) };
        for (fit, value, expected) in [
            (number, 2.25, Some(2.3)),
            (number, -0.01, Some(0.0)),
            (number, f64::INFINITY, None),
            (Fit::Number { decimals: None }, 0.1 + 0.2, Some(0.1 + 0.2)),
            (Fit::Whole, 9e15, Some(9e15)),
            (Fit::Whole, 1e16, None),
            (Fit::Day, 2_932_896.0, Some(2_932_896.0)),
            (Fit::Day, 2_932_897.0, None),
            (Fit::Moment, 1.4, Some(1.0)),
            (Fit::Moment, 1e30, None),
            (Fit::Code, 2.0, Some(2.0)),
            (Fit::Code, f64::NAN, None),
        ] {
            let fitted = fit.fitted(value);
            assert_eq!((!fitted.is_nan()).then_some(fitted), expected, "{fit:?} {value}");
            assert!(fitted.to_bits() != (-0.0_f64).to_bits());
            assert_eq!(fit.values(vec![fitted]).missing(), usize::from(expected.is_none()));
        }
    }
}
