//! Positions of a margin's grid as the values of a column.

use super::Margin;
use crate::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Values};

/// Positions as the column's values.
pub(crate) fn declared(positions: &[Option<usize>], column: &ColumnSchema, margin: &Margin) -> Column {
    let value = |position: usize| {
        let value = margin.to_value(position);
        if column.atoms().contains(&value) { value } else { column.nearest_value(value) }
    };
    let whole = |position: &Option<usize>| {
        position.map_or(MISSING_INTEGER, |position| (value(position) as i64).max(i64::MIN + 1))
    };
    let values = match column.kind() {
        ColumnType::Integer => Values::Integer(positions.iter().map(whole).collect()),
        ColumnType::DateTime { .. } => Values::DateTime(positions.iter().map(whole).collect()),
        ColumnType::Date { .. } => {
            let day = |position: &Option<usize>| {
                position.map_or(MISSING_DATE, |position| (value(position) as i32).max(i32::MIN + 1))
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
