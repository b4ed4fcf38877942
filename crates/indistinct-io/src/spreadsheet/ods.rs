//! OpenDocument's sheets: the cells of `content.xml`, in which rows and cells may be repeated.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{MOST_COLUMNS, MOST_ROWS, Sheet};
use crate::archive::Archive;
use crate::cells::MIDNIGHT;
use crate::error::Problem;
use crate::format::Format;

/// Reads the first sheet; returns the number of sheets.
pub(super) fn read(bytes: &[u8], sheet: &mut Sheet<'_>) -> Result<usize, Problem> {
    let content = Archive::new(bytes, Format::Ods, sheet.allowance)?.file("content.xml")?;
    let content = content.ok_or(Problem::Damaged(Format::Ods))?;
    let content = std::str::from_utf8(&content).map_err(|_| Problem::Damaged(Format::Ods))?;
    let mut reader = Reader::from_str(content);
    let mut place = Place::default();
    loop {
        match reader.read_event().map_err(|_| Problem::Damaged(Format::Ods))? {
            Event::Start(element) => place.open(&element, sheet)?,
            Event::Empty(element) => {
                place.open(&element, sheet)?;
                place.close(element.name().as_ref(), sheet)?;
            }
            Event::End(element) => place.close(element.name().as_ref(), sheet)?,
            Event::Text(text) if place.in_paragraph => {
                place.text.push_str(&text.xml10_content());
            }
            Event::GeneralRef(reference) if place.in_paragraph => place.refer(&reference),
            Event::Eof => return Ok(place.sheets),
            _ => {}
        }
    }
}

/// The place in the sheet while it is read.
#[derive(Default)]
struct Place {
    /// Sheets that began so far; only the first is kept.
    sheets: usize,
    row: u32,
    column: u32,
    /// Repetitions of the row, and of the cell.
    row_repeats: u32,
    cell_repeats: u32,
    /// Cells of the row, for its repetitions.
    cells: Vec<(u32, String)>,
    /// The value that the cell's attributes tell.
    value: Option<String>,
    text: String,
    in_paragraph: bool,
}

impl Place {
    fn open(&mut self, element: &BytesStart<'_>, sheet: &Sheet<'_>) -> Result<(), Problem> {
        match element.name().as_ref() {
            "table:table" => {
                self.sheets += 1;
                (self.row, self.column) = (0, 0);
            }
            "table:table-row" => {
                self.row_repeats = repeats(element, "table:number-rows-repeated", MOST_ROWS);
                self.column = 0;
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.cell_repeats = repeats(element, "table:number-columns-repeated", MOST_COLUMNS);
                self.value = value(element);
                self.text.clear();
            }
            "text:p" => {
                if !self.text.is_empty() {
                    self.text.push('\n');
                }
                self.in_paragraph = true;
            }
            "text:s" if self.in_paragraph => {
                let spaces = repeats(element, "text:c", u32::from(u16::MAX));
                sheet.allowance.take(u64::from(spaces))?;
                self.text.push_str(&" ".repeat(spaces as usize));
            }
            "text:tab" if self.in_paragraph => self.text.push('\t'),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str, sheet: &mut Sheet<'_>) -> Result<(), Problem> {
        match name {
            "text:p" => self.in_paragraph = false,
            "table:table-cell" | "table:covered-table-cell" => {
                let text = std::mem::take(&mut self.text);
                let text = self.value.take().unwrap_or(text);
                let next = self.column.saturating_add(self.cell_repeats);
                if !text.is_empty() && self.sheets == 1 {
                    for column in self.column..next.min(MOST_COLUMNS) {
                        sheet.allowance.take(text.len() as u64)?;
                        self.cells.push((column, text.clone()));
                    }
                }
                self.column = next;
            }
            "table:table-row" => {
                let cells = std::mem::take(&mut self.cells);
                let next = self.row.saturating_add(self.row_repeats);
                if !cells.is_empty() {
                    for row in self.row..next.min(MOST_ROWS) {
                        for (column, text) in &cells {
                            sheet.push(row, *column, text.clone())?;
                        }
                    }
                }
                self.row = next;
            }
            _ => {}
        }
        Ok(())
    }

    /// A character that is written as a reference.
    fn refer(&mut self, reference: &quick_xml::events::BytesRef<'_>) {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            self.text.push(character);
        } else if let Some(text) = quick_xml::escape::resolve_predefined_entity(reference) {
            self.text.push_str(text);
        }
    }
}

/// An attribute as text.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok()??;
    Some(found.value.into_owned())
}

/// A number of repetitions, up to the most that there can be.
fn repeats(element: &BytesStart<'_>, name: &str, most: u32) -> u32 {
    attribute(element, name).and_then(|digits| digits.parse().ok()).unwrap_or(1).min(most)
}

/// The value that attributes of a cell tell; the text of other cells is their value.
fn value(element: &BytesStart<'_>) -> Option<String> {
    match attribute(element, "office:value-type")?.as_str() {
        "float" | "currency" | "percentage" => attribute(element, "office:value"),
        "boolean" => Some(attribute(element, "office:boolean-value")?.to_uppercase()),
        "date" => {
            let date = attribute(element, "office:date-value")?;
            Some(if date.contains('T') { date } else { format!("{date}{MIDNIGHT}") })
        }
        "time" => time_of(&attribute(element, "office:time-value")?),
        _ => None,
    }
}

/// The time of day that `PT08H30M00S` says.
fn time_of(duration: &str) -> Option<String> {
    let (hours, rest) = duration.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let seconds = seconds.split(['.', ',']).next()?;
    Some(format!(
        "{:02}:{:02}:{:02}",
        hours.parse::<u32>().ok()?,
        minutes.parse::<u8>().ok()?,
        seconds.parse::<u8>().ok()?
    ))
}
