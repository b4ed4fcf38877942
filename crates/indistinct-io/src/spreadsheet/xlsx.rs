//! Excel's files, cell by cell.

use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};

use super::Sheet;
use crate::archive::Archive;
use crate::cells::spell_float;
use crate::error::Problem;
use crate::format::Format;
use crate::guarded::guarded;

/// Reads the first sheet; returns the number of sheets.
pub(super) fn read(bytes: &[u8], sheet: &mut Sheet<'_>) -> Result<usize, Problem> {
    // Whatever calamine unpacks is within the allowance.
    Archive::new(bytes, Format::Xlsx, sheet.allowance)?;
    guarded(Format::Xlsx, || cells(bytes, sheet))
}

fn cells(bytes: &[u8], sheet: &mut Sheet<'_>) -> Result<usize, Problem> {
    let damaged = || Problem::Damaged(Format::Xlsx);
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let names = book.sheet_names();
    let first = names.first().ok_or(Problem::EmptyFile)?;
    let mut reader = book.worksheet_cells_reader(first).map_err(|_| damaged())?;
    while let Some(cell) = reader.next_cell().map_err(|_| damaged())? {
        let (row, column) = cell.get_position();
        let mut text = String::new();
        match cell.get_value() {
            DataRef::Empty => continue,
            DataRef::Int(value) => text = value.to_string(),
            DataRef::Float(value) => spell_float(*value, &mut text),
            DataRef::SharedString(value) => text.push_str(value),
            DataRef::Bool(value) => text.push_str(if *value { "TRUE" } else { "FALSE" }),
            DataRef::DateTime(value) => text = moment_of(value),
            DataRef::String(value) | DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => {
                text.clone_from(value);
            }
            // A formula that has no value.
            DataRef::Error(_) => text.push_str("#N/A"),
        }
        if !text.is_empty() {
            sheet.push(row, column, text)?;
        }
    }
    Ok(names.len())
}

/// A moment in ISO form; fractions of the first day are times, and durations hours, minutes and seconds.
fn moment_of(value: &ExcelDateTime) -> String {
    if value.is_duration() {
        return duration_of(value.as_f64());
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    if (0.0..1.0).contains(&value.as_f64()) {
        return time;
    }
    format!("{year:04}-{month:02}-{day:02}T{time}")
}

/// A duration of so many days, as sheets show it.
fn duration_of(days: f64) -> String {
    let sign = if days < 0.0 { "-" } else { "" };
    let seconds = (days.abs() * 86_400.0).round() as u64;
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
