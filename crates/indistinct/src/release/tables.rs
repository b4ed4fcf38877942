//! Synthetic tables from a released model: post-processing, free of charge.

use rand_distr::{Distribution, StandardNormal};

use super::model::Model;
use super::rejection::{Demand, TooRare, demanded_rows};
use super::representative::representative;
use crate::margin::Margin;
use crate::model::{SequentialModel, SequentialNormal};
use crate::random::Generator;
use crate::table::{Column, ColumnSchema, ColumnType, Condition, Schema, Table, Values};

/// Rows that are drawn to choose from; the most for each that is kept; and of rows that are kept, one in how many there is
/// another to choose at least.
const POOL: usize = 1 << 17;
const MOST_COPIES: usize = 16;
const LEAST_OTHERS: usize = 4;
/// The most columns among which rows are chosen by pairs of columns, and the most rows times pairs: it would take longer
/// than to draw them.
const MOST_COLUMNS: usize = 100;
const MOST_CHOICES: usize = 1 << 31;

/// Makes synthetic rows, by column. Always finite, whatever the parameters: noise can make them absurd.
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

/// Makes a synthetic table of the columns that were modelled, all of whose rows satisfy the schema's constraints and pass
/// the filter. Values are on the grid that the schema declares (whole numbers, decimals) and within its limits.
///
/// Of a model of any columns more rows are drawn than are wanted, and representative ones of them are kept, unless
/// they are filtered: then the rows may be rare. Rows of a normal model are independent, as in the paper.
///
/// # Errors
/// When the model hardly ever makes such rows.
///
/// # Panics
/// When the schema declares other columns than the model has.
pub fn synthetic_table(
    model: &Model,
    schema: &Schema,
    filter: Option<&Condition>,
    rows: usize,
    random: &mut Generator,
    progress: &dyn Fn(usize),
) -> Result<Table, TooRare> {
    assert_eq!(schema.columns().len(), model.columns(), "a schema for every column");
    let block = |rows: usize, random: &mut Generator| model.rows(schema.columns(), rows, random);
    let demand = Demand { constraints: schema.constraints(), filter };
    let Some(margins) = margins_to_choose_by(model, filter, rows) else {
        return demanded_rows(rows, &demand, random, &block, progress);
    };
    let drawn = POOL.clamp(rows + rows.div_ceil(LEAST_OTHERS), rows * MOST_COPIES);
    let progress = |made: usize| progress(made * rows / drawn.max(1));
    let pool = demanded_rows(drawn, &demand, random, &block, &progress)?;
    Ok(pool.take(&representative(&pool, rows, margins, !schema.constraints().is_empty())))
}

/// The margins of a model whose rows are chosen among more.
fn margins_to_choose_by<'a>(
    model: &'a Model,
    filter: Option<&Condition>,
    rows: usize,
) -> Option<&'a [Margin]> {
    let Model::Mixed(model) = model else { return None };
    let columns = model.margins().len();
    let few = columns <= MOST_COLUMNS && rows.saturating_mul(columns * (columns + 1) / 2) <= MOST_CHOICES;
    (few && filter.is_none()).then(|| model.margins())
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

/// Simulated values as the column declares them.
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
