//! Spreadsheets: the first sheet as comma-separated text, which is then read like any other.

mod ods;
mod xlsx;

use crate::error::Problem;
use crate::expansion::{Allowance, Expansion};
use crate::format::Format;

/// Most columns of a sheet, as programs have them.
const MOST_COLUMNS: u32 = 16_384;
/// Most rows of a sheet.
const MOST_ROWS: u32 = 1_048_576;
/// The spelling of midnight after a date.
const MIDNIGHT: &str = "T00:00:00";
/// Bytes that a cell takes beside its text.
const CELL: u64 = 48;

/// The cells of a sheet, row by row, without the empty ones.
struct Sheet<'a> {
    cells: Vec<SheetCell>,
    allowance: &'a Allowance,
}

/// A cell that is not empty.
struct SheetCell {
    row: u32,
    column: u32,
    text: String,
    /// Whether the text is a date with a time.
    moment: bool,
}

/// The first sheet of a file as comma-separated text, and the number of sheets.
pub(crate) fn first_sheet(
    bytes: &[u8],
    format: Format,
    expansion: Expansion,
) -> Result<(Vec<u8>, usize), Problem> {
    let allowance = expansion.of(bytes.len());
    let mut sheet = Sheet { cells: Vec::new(), allowance: &allowance };
    let sheets = match format {
        Format::Ods => ods::read(bytes, &mut sheet)?,
        _ => xlsx::read(bytes, &mut sheet)?,
    };
    Ok((sheet.into_text()?, sheets))
}

impl Sheet<'_> {
    /// Adds a cell that is not empty.
    fn push(&mut self, row: u32, column: u32, text: String, moment: bool) -> Result<(), Problem> {
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            return Err(Problem::EmptyFile);
        }
        self.allowance.take(CELL + text.len() as u64)?;
        self.cells.push(SheetCell { row, column, text, moment });
        Ok(())
    }

    /// The rectangle of cells as text; rows without any cell are left out.
    fn into_text(mut self) -> Result<Vec<u8>, Problem> {
        let Some(left) = self.cells.iter().map(|cell| cell.column).min() else {
            return Err(Problem::EmptyFile);
        };
        let columns = self.cells.iter().map(|cell| cell.column - left + 1).max().unwrap_or(0) as usize;
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
        let rows = || self.cells.chunk_by(|one, other| one.row == other.row);
        let count = rows().count() as u64;
        self.allowance.take(count * columns as u64)?;
        let dates = self.columns_of_dates(left, columns);
        let mut out = String::new();
        for row in rows() {
            let mut cells = row.iter().peekable();
            for (column, &is_date) in dates.iter().enumerate() {
                if column > 0 {
                    out.push(',');
                }
                while let Some(cell) = cells.next_if(|cell| (cell.column - left) as usize == column) {
                    let text = cell.text.strip_suffix(MIDNIGHT).filter(|_| is_date);
                    push_quoted(text.unwrap_or(&cell.text), &mut out);
                }
            }
            out.push('\n');
        }
        Ok(out.into_bytes())
    }

    /// For every column whether all its moments are at midnight.
    fn columns_of_dates(&self, left: u32, columns: usize) -> Vec<bool> {
        let mut dates = vec![true; columns];
        for cell in self.cells.iter().filter(|cell| cell.moment) {
            dates[(cell.column - left) as usize] &= cell.text.ends_with(MIDNIGHT);
        }
        dates
    }
}

/// Appends a field in quotes if it needs them; NUL bytes, which text cannot hold, are left out.
fn push_quoted(text: &str, out: &mut String) {
    if text.contains(['"', ',', '\n', '\r', ';', '\t', '|', '\0']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\"").replace('\0', ""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}
