//! Documents and tables as R objects, and texts in the words of R.

use extendr_api::prelude::*;
use indistinct::table::{ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Table, Values};
use indistinct_io::arguments::{self, R};
use serde_json::Value;

/// A text of the command in the words of R, for errors and warnings.
#[extendr]
pub(crate) fn in_words_of_r(text: &str) -> String {
    arguments::in_keywords(text, R)
}

/// A number as the command takes it: in the fewest digits that give it back.
#[extendr]
fn spell_number(number: f64) -> String {
    number.to_string()
}

/// A document as an R list: arrays of one kind of scalar are vectors, other arrays and objects are lists.
pub(crate) fn to_r(document: &Value) -> Robj {
    match document {
        Value::Null => ().into(),
        Value::Bool(truth) => (*truth).into(),
        Value::Number(number) => number.as_f64().unwrap_or(f64::na()).into(),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => array(items),
        Value::Object(entries) => {
            let values: Vec<Robj> = entries.values().map(to_r).collect();
            List::from_names_and_values(entries.keys(), values).map(Into::into).unwrap_or_default()
        }
    }
}

fn array(items: &[Value]) -> Robj {
    if items.is_empty() {
        return List::from_values(Vec::<Robj>::new()).into();
    }
    let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
    if let Some(texts) = texts {
        return texts.into();
    }
    let number = |item: &Value| match item {
        Value::Null => Some(f64::na()),
        other => other.as_f64(),
    };
    if let Some(numbers) = items.iter().map(number).collect::<Option<Vec<f64>>>() {
        return numbers.into();
    }
    List::from_values(items.iter().map(to_r).collect::<Vec<Robj>>()).into()
}

/// A table as a list of columns, each with its name, its declared type, numbers and levels. R makes factors, dates and
/// the like of them. All that a column is follows from its schema, but that whole numbers beyond R's integers are
/// doubles.
pub(crate) fn columns_of(table: &Table) -> Robj {
    let columns = table.columns().iter().map(|column| {
        let (kind, levels) = match column.schema().kind() {
            ColumnType::Nominal { levels } => ("nominal", levels.to_vec()),
            ColumnType::Ordered { levels } => ("ordered", levels.to_vec()),
            ColumnType::Boolean { when_false, when_true } => {
                ("boolean", vec![when_false.clone(), when_true.clone()])
            }
            other => (other.word(), Vec::new()),
        };
        let values = values_of(column.values());
        Robj::from(list!(name = column.name(), kind = kind, values = values, levels = levels))
    });
    List::from_values(columns.collect::<Vec<Robj>>()).into()
}

fn values_of(values: &Values) -> Robj {
    let real = |value: i64| if value == MISSING_INTEGER { f64::na() } else { value as f64 };
    match values {
        Values::Float(values) => values
            .iter()
            .map(|&value| if value.is_nan() { f64::na() } else { value })
            .collect::<Vec<f64>>()
            .into(),
        Values::Integer(values) => match small(values) {
            Some(values) => values.into(),
            None => values.iter().copied().map(real).collect::<Vec<f64>>().into(),
        },
        Values::DateTime(values) => values.iter().copied().map(real).collect::<Vec<f64>>().into(),
        Values::Date(values) => {
            let day = |&value: &i32| if value == MISSING_DATE { i32::na() } else { value };
            values.iter().map(day).collect::<Vec<i32>>().into()
        }
        Values::Code(values) => {
            let code = |&value: &u32| if value == MISSING_CODE { i32::na() } else { value as i32 };
            values.iter().map(code).collect::<Vec<i32>>().into()
        }
    }
}

/// Whole numbers that are all integers of R, whose least stands for missing.
fn small(values: &[i64]) -> Option<Vec<i32>> {
    let integer = |&value: &i64| match value {
        MISSING_INTEGER => Some(i32::na()),
        value => i32::try_from(value).ok().filter(|&value| value != i32::MIN),
    };
    values.iter().map(integer).collect()
}

extendr_module! {
    mod value;
    fn in_words_of_r;
    fn spell_number;
}
