//! Tables as Parquet and as Arrow files.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::writer::FileWriter;
use indistinct::table::{Column, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Table, Values};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::WriteProblem;

/// Writes a Parquet file, compressed with zstd.
pub(super) fn write_parquet(table: &Table, out: &mut (dyn Write + Send)) -> Result<(), WriteProblem> {
    let fail = |error: parquet::errors::ParquetError| WriteProblem::Io(error.to_string());
    let batch = to_batch(table)?;
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(properties)).map_err(fail)?;
    writer.write(&batch).map_err(fail)?;
    writer.close().map_err(fail)?;
    Ok(())
}

/// Writes an Arrow file, uncompressed, so that it can be mapped into memory.
pub(super) fn write_ipc(table: &Table, out: &mut (dyn Write + Send)) -> Result<(), WriteProblem> {
    let fail = |error: arrow::error::ArrowError| WriteProblem::Io(error.to_string());
    let batch = to_batch(table)?;
    let mut writer = FileWriter::try_new(out, &batch.schema()).map_err(fail)?;
    writer.write(&batch).map_err(fail)?;
    writer.finish().map_err(fail)?;
    Ok(())
}

/// The table as Arrow arrays, as in files, with its columns in their order.
///
/// Fields follow from the schemas of the columns alone: their types and levels, all of which are in the
/// dictionary, in their order. Every field is nullable and none has metadata, so that a released table reveals
/// nothing about the table it was made from except by its schema and its rows: not which levels occurred there,
/// whether values were missing, or what metadata its fields had.
///
/// # Errors
/// When there are no columns, or the arrays cannot be made.
pub fn to_batch(table: &Table) -> Result<RecordBatch, WriteProblem> {
    if table.columns().is_empty() {
        return Err(WriteProblem::NoColumns);
    }
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for column in table.columns() {
        let array = array(column)?;
        let ordered = matches!(column.schema().kind(), ColumnType::Ordered { .. });
        let field = Field::new(column.name(), array.data_type().clone(), true);
        let is_dictionary = matches!(array.data_type(), DataType::Dictionary(..));
        fields.push(if is_dictionary { field.with_dict_is_ordered(ordered) } else { field });
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
        .map_err(|error| WriteProblem::Io(error.to_string()))
}

fn array(column: &Column) -> Result<ArrayRef, WriteProblem> {
    Ok(match column.values() {
        Values::Float(values) => {
            Arc::new(values.iter().map(|&value| (!value.is_nan()).then_some(value)).collect::<Float64Array>())
        }
        Values::Integer(values) => Arc::new(present(values, MISSING_INTEGER).collect::<Int64Array>()),
        Values::Date(days) => Arc::new(present(days, MISSING_DATE).collect::<Date32Array>()),
        Values::DateTime(values) => {
            Arc::new(present(values, MISSING_INTEGER).collect::<TimestampMicrosecondArray>())
        }
        Values::Code(codes) => match column.schema().kind() {
            ColumnType::Boolean { when_false, when_true } if when_false == "false" && when_true == "true" => {
                let truths = present(codes, MISSING_CODE).map(|code| code.map(|code| code == 1));
                Arc::new(truths.collect::<BooleanArray>())
            }
            ColumnType::Boolean { when_false, when_true } => categories(codes, &[when_false, when_true])?,
            kind => {
                let levels = kind.levels().map(|levels| levels.iter().collect::<Vec<_>>());
                categories(codes, &levels.unwrap_or_default())?
            }
        },
    })
}

/// Values, with `None` where they are missing.
fn present<T: Copy + PartialEq>(values: &[T], missing: T) -> impl Iterator<Item = Option<T>> {
    values.iter().map(move |&value| (value != missing).then_some(value))
}

/// Whole numbers if all levels are spelled as such, otherwise a dictionary.
fn categories(codes: &[u32], levels: &[&String]) -> Result<ArrayRef, WriteProblem> {
    let numbers: Option<Vec<i64>> = levels
        .iter()
        .map(|level| level.parse().ok().filter(|number: &i64| number.to_string() == **level))
        .collect();
    if let Some(numbers) = numbers {
        let values = codes.iter().map(|&code| numbers.get(code as usize).copied());
        return Ok(Arc::new(values.collect::<Int64Array>()));
    }
    dictionary(codes, levels)
}

/// Levels and the position of each value among them.
fn dictionary(codes: &[u32], levels: &[&String]) -> Result<ArrayRef, WriteProblem> {
    let keys: Int32Array = present(codes, MISSING_CODE).map(|code| code.map(u32::cast_signed)).collect();
    let values = StringArray::from_iter_values(levels);
    let dictionary = DictionaryArray::try_new(keys, Arc::new(values));
    Ok(Arc::new(dictionary.map_err(|error| WriteProblem::Io(error.to_string()))?))
}
