//! Conversion of a margin's positions to the values of a column.

use super::Margin;
use crate::grid::ColumnFacts;
use crate::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Values};

/// The first and the last day with a year of four digits, counted from 1970-01-01: every format can write those
/// between, and few can write others. Noise puts values beyond them where limits are not declared.
const DAYS: (i64, i64) = (-719_162, 2_932_896);
const MICROSECONDS_OF_DAY: i64 = 86_400_000_000;

/// Converts positions to the column's values.
pub(crate) fn declared(positions: &[Option<usize>], column: &ColumnSchema, margin: &Margin) -> Column {
    let value = |position: usize| {
        let value = margin.to_value(position);
        if column.atoms().contains(&value) { value } else { column.nearest_value(value) }
    };
    let (low, high) = ColumnFacts::of_column(column).whole_limits();
    let exact = |position: usize| match margin.grid().whole_value(position) {
        // A double may be too short for it.
        Some(whole) => whole.max(low).min(high),
        None => (value(position) as i64).max(MISSING_INTEGER + 1),
    };
    let whole = |position: &Option<usize>| position.map_or(MISSING_INTEGER, exact);
    let spelled = |value: i64, (first, last): (i64, i64)| {
        let above = if column.minimum().is_none() { value.max(first) } else { value };
        if column.maximum().is_none() { above.min(last) } else { above }
    };
    let moments = (DAYS.0 * MICROSECONDS_OF_DAY, (DAYS.1 + 1) * MICROSECONDS_OF_DAY - 1_000_000);
    let moment = |position: &Option<usize>| {
        position.map_or(MISSING_INTEGER, |position| spelled(exact(position), moments))
    };
    let values = match column.kind() {
        ColumnType::Integer => Values::Integer(positions.iter().map(whole).collect()),
        ColumnType::DateTime { .. } => Values::DateTime(positions.iter().map(moment).collect()),
        ColumnType::Date { .. } => {
            let day = |position: &Option<usize>| {
                let day = |position: usize| spelled(i64::from(value(position) as i32), DAYS) as i32;
                position.map_or(MISSING_DATE, |position| day(position).max(MISSING_DATE + 1))
            };
            Values::Date(positions.iter().map(day).collect())
        }
        ColumnType::Float | ColumnType::Identifier => {
            Values::Float(positions.iter().map(|position| position.map_or(f64::NAN, value)).collect())
        }
        ColumnType::Nominal { .. } | ColumnType::Ordered { .. } | ColumnType::Boolean { .. } => {
            let code = |position: &Option<usize>| position.map_or(MISSING_CODE, |position| position as u32);
            Values::Code(positions.iter().map(code).collect())
        }
    };
    Column::new(column.clone(), values)
}
