//! Small spreadsheets and archives, made by hand.

#![allow(dead_code, reason = "each binary uses some of it")]

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A cell of a sheet.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SheetCell {
    Empty,
    Text(&'static str),
    Number(f64),
    /// Hours since the beginning of 2001, in January.
    Hours(u32),
    /// A duration in minutes.
    Duration(u32),
}

/// An archive of these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Rows of columns `name`, `born` and `income`.
fn people(rows: usize) -> Vec<Vec<SheetCell>> {
    let header = ["name", "born", "income"].map(SheetCell::Text).to_vec();
    let row = |row: usize| {
        vec![
            SheetCell::Text(["Ann &amp; co", "Bob"][row % 2]),
            SheetCell::Hours(24 * (row % 30) as u32),
            SheetCell::Number(row as f64 + 0.5),
        ]
    };
    std::iter::once(header).chain((0..rows).map(row)).collect()
}

/// A workbook with columns `name`, `born` and `income`, and an empty second sheet.
pub(crate) fn xlsx(rows: usize) -> Vec<u8> {
    xlsx_of(&people(rows))
}

/// The same as an OpenDocument sheet.
pub(crate) fn ods(rows: usize) -> Vec<u8> {
    ods_of(&people(rows))
}

/// A workbook of these cells, with an empty second sheet.
pub(crate) fn xlsx_of(rows: &[Vec<SheetCell>]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let mut sheet = String::new();
    for (row, line) in rows.iter().zip(1..) {
        sheet += &format!("<row r=\"{line}\">");
        for (cell, letter) in row.iter().zip('A'..) {
            sheet += &match cell {
                SheetCell::Empty => String::new(),
                SheetCell::Text(text) => {
                    format!("<c r=\"{letter}{line}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
                }
                SheetCell::Number(value) => format!("<c r=\"{letter}{line}\"><v>{value}</v></c>"),
                // 36892 is 2001-01-01.
                SheetCell::Hours(hours) => format!(
                    "<c r=\"{letter}{line}\" s=\"1\"><v>{}</v></c>",
                    36892.0 + f64::from(*hours) / 24.0
                ),
                SheetCell::Duration(minutes) => {
                    format!("<c r=\"{letter}{line}\" s=\"2\"><v>{}</v></c>", f64::from(*minutes) / 1440.0)
                }
            };
        }
        sheet += "</row>";
    }
    let sheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{sheet}</sheetData></worksheet>");
    let empty = format!("<worksheet xmlns=\"{MAIN}\"><sheetData/></worksheet>");
    let book = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{LINKS}\"><sheets><sheet name=\"data\" sheetId=\"1\" r:id=\"rId1\"/>\
         <sheet name=\"notes\" sheetId=\"2\" r:id=\"rId2\"/></sheets></workbook>"
    );
    let package = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{LINKS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let links = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{LINKS}/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
         <Relationship Id=\"rId2\" Type=\"{LINKS}/worksheet\" Target=\"worksheets/sheet2.xml\"/>\
         <Relationship Id=\"rId3\" Type=\"{LINKS}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    let styles = format!(
        "<styleSheet xmlns=\"{MAIN}\"><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"46\"/></cellXfs></styleSheet>"
    );
    zip(&[
        ("_rels/.rels", package.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
        ("xl/worksheets/sheet2.xml", empty.as_bytes()),
    ])
}

/// An OpenDocument sheet of these cells, with empty cells repeated to the end as programs write them.
pub(crate) fn ods_of(rows: &[Vec<SheetCell>]) -> Vec<u8> {
    let mut table = String::new();
    for row in rows {
        table += "<table:table-row>";
        for cell in row {
            table += &match cell {
                SheetCell::Empty => "<table:table-cell/>".to_owned(),
                SheetCell::Text(text) => {
                    format!(
                        "<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
                    )
                }
                SheetCell::Number(value) => format!(
                    "<table:table-cell office:value-type=\"float\" office:value=\"{value}\"><text:p>0</text:p></table:table-cell>"
                ),
                SheetCell::Hours(hours) => {
                    let (day, hour) = (1 + hours / 24, hours % 24);
                    let time = if hour == 0 { String::new() } else { format!("T{hour:02}:00:00") };
                    format!(
                        "<table:table-cell office:value-type=\"date\" office:date-value=\"2001-01-{day:02}{time}\"><text:p>01/01</text:p></table:table-cell>"
                    )
                }
                SheetCell::Duration(minutes) => format!(
                    "<table:table-cell office:value-type=\"time\" office:time-value=\"PT{:02}H{:02}M00S\"><text:p>0</text:p></table:table-cell>",
                    minutes / 60,
                    minutes % 60
                ),
            };
        }
        table += "<table:table-cell table:number-columns-repeated=\"16000\"/></table:table-row>";
    }
    table += "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
    let content = format!(
        "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\"><office:body><office:spreadsheet>\
         <table:table table:name=\"data\">{table}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ])
}
