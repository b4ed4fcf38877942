//! Tables as Arrow arrays of the types that somebody's own table has.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, NullArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, TimeUnit, TimestampMicrosecondType};
use indistinct::table::moment::MomentFormat;
use indistinct::table::{Column, ColumnType, Table, Values};

use super::WriteProblem;
use super::arrow::{array, dictionary};
use crate::cells::{spell_decimals, spell_float};

/// The table as arrays, its columns in the order and of the types of `like`, wherever those can hold the values.
///
/// Text comes back as text, spelled as a text file would have it, and categories as dictionaries with all declared
/// levels. Real numbers are rounded to the precision of a narrower type, but never to whole numbers: a column whose
/// values do not fit has the type that [`write()`](crate::write) would give it. Columns that `like` does not have come
/// last.
///
/// # Errors
/// When a column's format cannot spell its dates.
pub fn to_batch(table: &Table, like: &Schema) -> Result<RecordBatch, WriteProblem> {
    if table.columns().is_empty() {
        return Err(WriteProblem::NoColumns);
    }
    let known = like.fields().iter().filter_map(|field| Some((table.column(field.name())?, Some(field))));
    let further = table.columns().iter().filter(|column| like.field_with_name(column.name()).is_err());
    let columns = known.chain(further.map(|column| (column, None)));
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (column, field) in columns {
        let fitted = match field {
            Some(field) => fitted(column, field.data_type())?,
            None => None,
        };
        let (field, array) = if let (Some(field), Some(array)) = (field, fitted) {
            let nullable = field.is_nullable() || array.null_count() > 0;
            (field.as_ref().clone().with_nullable(nullable), array)
        } else {
            let array = array(column)?;
            (Field::new(column.name(), array.data_type().clone(), true), array)
        };
        fields.push(field);
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
        .map_err(|error| WriteProblem::Io(error.to_string()))
}

/// The column as an array of that type; none if it does not fit.
fn fitted(column: &Column, kind: &DataType) -> Result<Option<ArrayRef>, WriteProblem> {
    let missing = column.values().missing();
    if *kind == DataType::Null {
        let rows = column.values().len();
        return Ok((missing == rows).then(|| Arc::new(NullArray::new(rows)) as ArrayRef));
    }
    let target = match kind {
        DataType::Dictionary(_, values) => values,
        other => other,
    };
    let natural = if is_text(target) { spelled(column)? } else { at_utc(array(column)?, target) };
    let whole = target.is_integer() || *target == DataType::Boolean;
    let same = |array: &ArrayRef| {
        // Whole numbers must come out as they went in.
        !whole
            || natural.data_type() == target
            || cast(array, natural.data_type()).is_ok_and(|back| back.to_data() == natural.to_data())
    };
    let array = match cast(&natural, target) {
        Ok(array) if array.null_count() == missing && same(&array) => array,
        _ => return Ok(None),
    };
    // Levels stay in their order where they are levels already.
    let array = if matches!(natural.data_type(), DataType::Dictionary(..)) { &natural } else { &array };
    Ok(cast(array, kind).ok().filter(|array| array.null_count() == missing))
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Moments are those of UTC: a cast to a time zone must not move them.
fn at_utc(natural: ArrayRef, target: &DataType) -> ArrayRef {
    let DataType::Timestamp(_, Some(_)) = target else { return natural };
    match cast(&natural, &DataType::Timestamp(TimeUnit::Microsecond, None)) {
        Ok(moments) => {
            Arc::new(moments.as_primitive::<TimestampMicrosecondType>().clone().with_timezone("UTC"))
        }
        Err(_) => natural,
    }
}

/// The column as text: levels where it has them, else what a text file would hold.
fn spelled(column: &Column) -> Result<ArrayRef, WriteProblem> {
    let bad_format = || WriteProblem::BadFormat(column.name().to_owned());
    if let Values::Code(codes) = column.values() {
        return match column.schema().kind() {
            ColumnType::Boolean { when_false, when_true } => dictionary(codes, &[when_false, when_true]),
            kind => {
                let levels = kind.levels().map(|levels| levels.iter().collect::<Vec<_>>());
                dictionary(codes, &levels.unwrap_or_default())
            }
        };
    }
    let format = match column.schema().kind() {
        ColumnType::Date { format } | ColumnType::DateTime { format } => {
            Some(MomentFormat::new(format).ok_or_else(bad_format)?)
        }
        _ => None,
    };
    let spell = |row: usize| {
        let mut text = String::new();
        let done = match column.values() {
            Values::Float(values) => {
                match column.schema().decimals() {
                    Some(decimals) => spell_decimals(values[row], decimals, &mut text),
                    None => spell_float(values[row], &mut text),
                }
                true
            }
            Values::Integer(values) => write!(text, "{}", values[row]).is_ok(),
            Values::Date(days) => {
                format.as_ref().is_some_and(|format| format.write_day(days[row], &mut text))
            }
            Values::DateTime(moments) => {
                format.as_ref().is_some_and(|format| format.write_moment(moments[row], &mut text))
            }
            Values::Code(_) => false,
        };
        if done { Ok(Some(text)) } else { Err(bad_format()) }
    };
    let rows = 0..column.values().len();
    let cells = rows.map(|row| if column.values().is_missing(row) { Ok(None) } else { spell(row) });
    Ok(Arc::new(cells.collect::<Result<StringArray, _>>()?))
}
