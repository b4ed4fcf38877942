//! Synthetic tables from a released model: post-processing, free of charge.

use rand_distr::{Distribution, StandardNormal};

use super::SampleError;
use super::model::Model;
use super::rejection::{Demand, demanded_rows};
use crate::model::{SequentialModel, SequentialNormal};
use crate::progress::{After, Progress, wanted};
use crate::random::Generator;
use crate::table::{Column, ColumnSchema, ColumnType, Condition, Schema, Table, Values};

/// Makes synthetic rows, by column. They are always finite, even where noise makes the parameters absurd.
pub fn simulate(model: &SequentialNormal, rows: usize, random: &mut Generator) -> Vec<Vec<f64>> {
    let z: Vec<Vec<f64>> = (0..model.columns())
        .map(|_| (0..rows).map(|_| StandardNormal.sample(&mut *random)).collect())
        .collect();
    let mut columns = model.simulate(&z);
    for (column, &location) in columns.iter_mut().zip(model.location()) {
        for value in column {
            *value = if value.is_nan() { location } else { value.clamp(f64::MIN, f64::MAX) };
        }
    }
    columns
}

/// Makes a synthetic table of the modelled columns, in which all rows satisfy the schema's constraints and pass
/// the filter. Values are on the grid that the schema declares (whole numbers, decimals) and within its limits.
///
/// Rows of a model of any columns stand for its pool, unless they are filtered: then they are drawn one by one.
/// So are rows that replace those that cannot obey. Rows of a normal model are independent, as in the paper.
///
/// # Errors
/// When the model hardly ever makes such rows, or they are no longer wanted.
///
/// # Panics
/// When the schema declares other columns than the model has.
pub fn synthetic_table(
    model: &Model,
    schema: &Schema,
    filter: Option<&Condition>,
    rows: usize,
    random: &mut Generator,
    progress: &dyn Progress,
) -> Result<Table, SampleError> {
    assert_eq!(schema.columns().len(), model.columns(), "a schema for every column");
    wanted(progress)?;
    let block = |rows: usize, random: &mut Generator| model.rows(schema, rows, random);
    let demand = Demand { constraints: schema.constraints(), filter };
    let (Model::Mixed(mixed), None) = (model, filter) else {
        return demanded_rows(rows, &demand, random, &block, progress);
    };
    let table = mixed.simulate(schema, rows, random);
    let there = table.rows();
    progress.reach(there as u64);
    if there == rows {
        return Ok(table);
    }
    let more = demanded_rows(rows - there, &demand, random, &block, &After { progress, done: there as u64 })?;
    Ok(Table::stacked(vec![table, more]).expect("two tables"))
}

/// A table of synthetic columns, on the grids and within the limits that are declared.
///
/// # Panics
/// When another number of columns is declared, or one that is not numeric.
pub fn table_of(columns: Vec<Vec<f64>>, schema: &[ColumnSchema]) -> Table {
    assert_eq!(schema.len(), columns.len(), "a schema for every column");
    Table::of_columns(
        columns.into_iter().zip(schema).map(|(values, column)| declared(values, column)).collect(),
    )
}

/// Simulated values in the declared form.
fn declared(values: Vec<f64>, column: &ColumnSchema) -> Column {
    let values = values.into_iter().map(|value| column.nearest_value(value));
    let values = match column.kind() {
        // The least whole number stands for missing.
        ColumnType::Integer => {
            Values::Integer(values.map(|value| (value as i64).max(i64::MIN + 1)).collect())
        }
        _ => Values::Float(values.collect()),
    };
    Column::new(column.clone(), values)
}
