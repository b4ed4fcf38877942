//! Columns as plain bytes, in and out: what numpy can read and write, for pandas where pyarrow is not installed.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array,
    Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow::datatypes::{
    DataType, Date32Type, Field, Float64Type, Int32Type, Int64Type, Schema, TimeUnit,
    TimestampMicrosecondType,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A column on its way out: name, kind, values in native byte order, and a byte for each row that is 1 where there is one.
/// Kinds are `float64`, `int64`, `bool`, `days`, `microseconds` and `codes`, which are those of the schema's levels.
pub(crate) type Exported<'py> = (String, &'static str, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A column on its way in: name, kind, values, presence, and the spellings to which codes refer. Kinds are those of
/// [`Exported`], `uint64`, and `text`: codes of spellings that are no categories.
pub(crate) type Imported = (String, String, Vec<u8>, Vec<u8>, Vec<String>);

/// The columns of a table as bytes.
pub(crate) fn exported<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Vec<Exported<'py>>> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, array)| {
        let valid: Vec<u8> = (0..array.len()).map(|row| u8::from(array.is_valid(row))).collect();
        let (kind, values) = match array.data_type() {
            DataType::Float64 => {
                ("float64", bytes(array.as_primitive::<Float64Type>().values(), f64::to_ne_bytes))
            }
            DataType::Int64 => ("int64", bytes(array.as_primitive::<Int64Type>().values(), i64::to_ne_bytes)),
            DataType::Boolean => {
                ("bool", array.as_boolean().iter().map(|truth| u8::from(truth == Some(true))).collect())
            }
            DataType::Date32 => {
                ("days", bytes(array.as_primitive::<Date32Type>().values(), i32::to_ne_bytes))
            }
            DataType::Timestamp(TimeUnit::Microsecond, None) => {
                let values = array.as_primitive::<TimestampMicrosecondType>().values();
                ("microseconds", bytes(values, i64::to_ne_bytes))
            }
            DataType::Dictionary(..) => {
                let keys = array.as_dictionary::<Int32Type>().keys().values();
                ("codes", bytes(keys, i32::to_ne_bytes))
            }
            _ => return Err(unknown()),
        };
        Ok((field.name().clone(), kind, PyBytes::new(py, &values), PyBytes::new(py, &valid)))
    });
    columns.collect()
}

/// A table of columns of bytes.
pub(crate) fn imported(columns: Vec<Imported>) -> PyResult<RecordBatch> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, kind, values, valid, levels) in columns {
        let array = array(&kind, &values, &valid, levels)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(|_| unknown())
}

fn array(kind: &str, values: &[u8], valid: &[u8], levels: Vec<String>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "float64" => Arc::new(present(values, valid, f64::from_ne_bytes).collect::<Float64Array>()),
        "int64" => Arc::new(present(values, valid, i64::from_ne_bytes).collect::<Int64Array>()),
        "uint64" => Arc::new(present(values, valid, u64::from_ne_bytes).collect::<UInt64Array>()),
        "bool" => Arc::new(present(values, valid, |[truth]: [u8; 1]| truth != 0).collect::<BooleanArray>()),
        "days" => Arc::new(present(values, valid, i32::from_ne_bytes).collect::<Date32Array>()),
        "microseconds" => {
            Arc::new(present(values, valid, i64::from_ne_bytes).collect::<TimestampMicrosecondArray>())
        }
        "codes" => {
            let keys: Int32Array = present(values, valid, i32::from_ne_bytes).collect();
            let levels = StringArray::from_iter_values(levels);
            Arc::new(DictionaryArray::try_new(keys, Arc::new(levels)).map_err(|_| unknown())?)
        }
        "text" => {
            let codes = present(values, valid, i32::from_ne_bytes);
            let text = codes.map(|code| levels.get(usize::try_from(code?).ok()?).map(String::as_str));
            Arc::new(text.collect::<StringArray>())
        }
        _ => return Err(unknown()),
    })
}

/// Values of a fixed size, with `None` where there is none.
fn present<const N: usize, T>(
    values: &[u8],
    valid: &[u8],
    read: fn([u8; N]) -> T,
) -> impl Iterator<Item = Option<T>> {
    let (values, _) = values.as_chunks::<N>();
    values.iter().zip(valid).map(move |(value, &valid)| (valid != 0).then(|| read(*value)))
}

fn bytes<T: Copy, const N: usize>(values: &[T], write: fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| write(value)).collect()
}

fn unknown() -> PyErr {
    PyTypeError::new_err("a column of a kind that is not known")
}
