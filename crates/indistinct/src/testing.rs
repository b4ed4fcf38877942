//! Code that unit tests of several modules share.

use crate::discriminator::Stacked;
use crate::private::PrivateRows;
use crate::table::{Column, ColumnSchema, ColumnType, Schema, Table};

/// Columns of numbers without missing spellings, limits or rules.
pub(crate) fn float_schema(names: &[&str]) -> Schema {
    let columns = names.iter().map(|name| ColumnSchema::new(name, ColumnType::Float)).collect();
    Schema::new(Vec::new(), columns).unwrap()
}

/// The private rows of one or two columns of numbers, x and y.
pub(crate) fn private_rows(columns: &[Vec<f64>]) -> PrivateRows {
    assert!(columns.len() <= 2, "there are names for two columns");
    let columns = columns.iter().zip(["x", "y"]).map(|(values, name)| Column::float(name, values.clone()));
    PrivateRows::new(&Table::new(columns.collect()).unwrap()).unwrap()
}

/// A real and a synthetic table of these columns, stacked.
pub(crate) fn stacked(real: Vec<Column>, synthetic: Vec<Column>) -> Stacked {
    Stacked::new(&Table::new(real).unwrap(), &Table::new(synthetic).unwrap()).unwrap()
}
