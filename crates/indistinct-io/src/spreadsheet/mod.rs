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
    if sheet.cells.is_empty() && sheets > 1 {
        return Err(Problem::EmptySheet);
    }
    Ok((sheet.into_text()?, sheets))
}

impl Sheet<'_> {
    /// Adds a cell that is not empty.
    fn push(&mut self, row: u32, column: u32, text: String) -> Result<(), Problem> {
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            return Err(Problem::EmptyFile);
        }
        self.allowance.take(CELL + text.len() as u64)?;
        self.cells.push(SheetCell { row, column, text });
        Ok(())
    }

    /// The rectangle of cells as text; rows without any cell are left out. A cell is spelled by itself: dates are moments
    /// at midnight, whatever others in the column are.
    fn into_text(mut self) -> Result<Vec<u8>, Problem> {
        let Some(left) = self.cells.iter().map(|cell| cell.column).min() else {
            return Err(Problem::EmptyFile);
        };
        let columns = self.cells.iter().map(|cell| cell.column - left + 1).max().unwrap_or(0) as usize;
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
        let rows = || self.cells.chunk_by(|one, other| one.row == other.row);
        let count = rows().count() as u64;
        self.allowance.take(count * columns as u64)?;
        let mut out = String::new();
        for row in rows() {
            let mut cells = row.iter().peekable();
            for column in 0..columns {
                if column > 0 {
                    out.push(',');
                }
                while let Some(cell) = cells.next_if(|cell| (cell.column - left) as usize == column) {
                    push_quoted(&cell.text, &mut out);
                }
            }
            out.push('\n');
        }
        Ok(out.into_bytes())
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
