//! Arrow arrays, cell by cell.

use arrow::array::{Array, ArrowPrimitiveType, AsArray, BinaryViewArray};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};

use crate::cells::Cell;

/// Milliseconds in a day.
const DAY_MILLIS: i64 = 86_400_000;

/// The error for an array of an unexpected type, or one that cannot be unpacked.
#[derive(Debug)]
pub(super) struct Unreadable;

/// Whether columns of the type can be read.
pub(super) fn is_supported(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => {
            !matches!(**values, DataType::Dictionary(..)) && is_supported(values)
        }
        DataType::Null
        | DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => true,
        other => other.is_integer() || other.is_floating(),
    }
}

/// Whether the type is text, so that its values are not numbers even if they look like them.
pub(super) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        kind => matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
    }
}

/// Calls `sink` with every row (from 0) and its cell, up to its first error, which is the outer one.
pub(super) fn visit<E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
) -> Result<Result<(), Unreadable>, E> {
    match array.data_type() {
        DataType::Null => (0..array.len()).try_for_each(|row| sink(row, Cell::Missing))?,
        DataType::Boolean => each(array.as_boolean().iter().map(|cell| cell.map(Cell::Boolean)), sink)?,
        DataType::Int8 => integers::<Int8Type, E>(array, sink)?,
        DataType::Int16 => integers::<Int16Type, E>(array, sink)?,
        DataType::Int32 => integers::<Int32Type, E>(array, sink)?,
        DataType::Int64 => integers::<Int64Type, E>(array, sink)?,
        DataType::UInt8 => integers::<UInt8Type, E>(array, sink)?,
        DataType::UInt16 => integers::<UInt16Type, E>(array, sink)?,
        DataType::UInt32 => integers::<UInt32Type, E>(array, sink)?,
        DataType::UInt64 => unsigned(array, sink)?,
        DataType::Float16 => primitive::<Float16Type, E>(array, sink, |value| Cell::Float(value.to_f64()))?,
        DataType::Float32 => primitive::<Float32Type, E>(array, sink, |value| Cell::Float(f64::from(value)))?,
        DataType::Float64 => primitive::<Float64Type, E>(array, sink, Cell::Float)?,
        DataType::Decimal32(..) => decimals::<Decimal32Type, E>(array, sink)?,
        DataType::Decimal64(..) => decimals::<Decimal64Type, E>(array, sink)?,
        DataType::Decimal128(..) => decimals::<Decimal128Type, E>(array, sink)?,
        DataType::Decimal256(..) => decimals::<Decimal256Type, E>(array, sink)?,
        DataType::Utf8 => each(array.as_string::<i32>().iter().map(|cell| cell.map(Cell::Text)), sink)?,
        DataType::LargeUtf8 => each(array.as_string::<i64>().iter().map(|cell| cell.map(Cell::Text)), sink)?,
        DataType::Utf8View => {
            let bytes = bytes_of_views(array);
            let Some(texts) = texts(array, bytes.as_ref()) else { return Ok(Err(Unreadable)) };
            each(texts.into_iter().map(|cell| cell.map(Cell::Text)), sink)?;
        }
        DataType::Date32 => primitive::<Date32Type, E>(array, sink, Cell::Day)?,
        DataType::Date64 => primitive::<Date64Type, E>(array, sink, |millis| {
            i32::try_from(millis.div_euclid(DAY_MILLIS)).map_or(Cell::Missing, Cell::Day)
        })?,
        // With a time zone the stored number is that of UTC, which is what we keep.
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => scaled::<TimestampSecondType, E>(array, sink, 1_000_000)?,
            TimeUnit::Millisecond => scaled::<TimestampMillisecondType, E>(array, sink, 1_000)?,
            TimeUnit::Microsecond => scaled::<TimestampMicrosecondType, E>(array, sink, 1)?,
            TimeUnit::Nanosecond => primitive::<TimestampNanosecondType, E>(array, sink, |nanos| {
                Cell::Moment(nanos.div_euclid(1_000))
            })?,
        },
        DataType::Dictionary(_, values) if is_text(values) => return shared(array, sink),
        DataType::Dictionary(_, values) => {
            return match cast(array, values) {
                Ok(array) => visit(array.as_ref(), sink),
                Err(_) => Ok(Err(Unreadable)),
            };
        }
        _ => return Ok(Err(Unreadable)),
    }
    Ok(Ok(()))
}

/// Visits texts that rows share, without copying them for each row.
fn shared<E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
) -> Result<Result<(), Unreadable>, E> {
    let array = array.as_any_dictionary();
    let bytes = bytes_of_views(array.values().as_ref());
    let texts = texts(array.values().as_ref(), bytes.as_ref());
    let Some(texts) = texts else { return Ok(Err(Unreadable)) };
    let keys = if texts.is_empty() { vec![0; array.len()] } else { array.normalized_keys() };
    for (row, key) in keys.into_iter().enumerate() {
        let text = if array.is_null(row) { None } else { texts.get(key).copied().flatten() };
        sink(row, text.map_or(Cell::Missing, Cell::Text))?;
    }
    Ok(Ok(()))
}

/// Views of texts as views of bytes. Parquet's reader checks all texts of a batch at once, so that a letter may
/// be cut between two of them: until each was checked they are bytes.
fn bytes_of_views(array: &dyn Array) -> Option<BinaryViewArray> {
    (*array.data_type() == DataType::Utf8View).then(|| array.as_string_view().clone().to_binary_view())
}

/// The values of an array of texts, whose bytes are given if it is an array of views; `None` if one of them is
/// not text.
fn texts<'a>(array: &'a dyn Array, bytes: Option<&'a BinaryViewArray>) -> Option<Vec<Option<&'a str>>> {
    match (array.data_type(), bytes) {
        (_, Some(bytes)) => bytes.iter().map(|text| text.map(str::from_utf8).transpose().ok()).collect(),
        (DataType::Utf8, None) => Some(array.as_string::<i32>().iter().collect()),
        (DataType::LargeUtf8, None) => Some(array.as_string::<i64>().iter().collect()),
        _ => None,
    }
}

/// A measure of the work for texts that rows share: long ones are few in any real table.
pub(super) fn shared_text(array: &dyn Array) -> u64 {
    let bytes: usize = match array.data_type() {
        DataType::Utf8View => bytes_of_views(array).iter().flatten().flatten().map(<[u8]>::len).sum(),
        DataType::Dictionary(_, values) if is_text(values) => {
            let array = array.as_any_dictionary();
            let bytes = bytes_of_views(array.values().as_ref());
            let lengths: Vec<usize> = match texts(array.values().as_ref(), bytes.as_ref()) {
                Some(texts) => texts.iter().map(|text| text.map_or(0, str::len)).collect(),
                None => Vec::new(),
            };
            let keys = if lengths.is_empty() { Vec::new() } else { array.normalized_keys() };
            keys.into_iter().filter_map(|key| lengths.get(key)).sum()
        }
        _ => 0,
    };
    (bytes / 8) as u64
}

fn each<'a, E>(
    cells: impl Iterator<Item = Option<Cell<'a>>>,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for (row, cell) in cells.enumerate() {
        sink(row, cell.unwrap_or(Cell::Missing))?;
    }
    Ok(())
}

fn primitive<T: ArrowPrimitiveType, E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
    cell: impl Fn(T::Native) -> Cell<'static>,
) -> Result<(), E> {
    each(array.as_primitive::<T>().iter().map(|value| value.map(&cell)), sink)
}

fn integers<T: ArrowPrimitiveType, E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
) -> Result<(), E>
where
    i64: From<T::Native>,
{
    primitive::<T, E>(array, sink, |value| Cell::Integer(value.into()))
}

/// Visits whole numbers some of which do not fit into signed ones: these by their digits, because the numbers of
/// persons must not be rounded.
fn unsigned<E>(array: &dyn Array, sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>) -> Result<(), E> {
    for (row, value) in array.as_primitive::<UInt64Type>().iter().enumerate() {
        match value.map(|value| (i64::try_from(value), value)) {
            None => sink(row, Cell::Missing)?,
            Some((Ok(value), _)) => sink(row, Cell::Integer(value))?,
            Some((Err(_), value)) => sink(row, Cell::Text(&value.to_string()))?,
        }
    }
    Ok(())
}

/// Visits moments in a unit of which microseconds are a multiple; those beyond 64 bits are not dates.
fn scaled<T: ArrowPrimitiveType<Native = i64>, E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
    factor: i64,
) -> Result<(), E> {
    primitive::<T, E>(array, sink, |value| value.checked_mul(factor).map_or(Cell::Missing, Cell::Moment))
}

/// Visits decimals by their digits, which are then rounded once.
fn decimals<T: DecimalType, E>(
    array: &dyn Array,
    sink: &mut dyn FnMut(usize, Cell<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let array = array.as_primitive::<T>();
    for row in 0..array.len() {
        if array.is_null(row) {
            sink(row, Cell::Missing)?;
        } else {
            sink(row, Cell::Text(&array.value_as_string(row)))?;
        }
    }
    Ok(())
}
