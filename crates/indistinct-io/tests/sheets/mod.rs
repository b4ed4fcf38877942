//! Small spreadsheets and archives, made by hand.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An archive of these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A workbook with columns `name`, `born` and `income`, and an empty second sheet.
pub(crate) fn xlsx(rows: usize) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let text = |cell: &str, text: &str| format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let mut sheet =
        format!("<row r=\"1\">{}{}{}</row>", text("A1", "name"), text("B1", "born"), text("C1", "income"));
    for row in 0..rows {
        let line = row + 2;
        let name = text(&format!("A{line}"), ["Ann &amp; co", "Bob"][row % 2]);
        // 36892 is 2001-01-01.
        sheet += &format!(
            "<row r=\"{line}\">{name}<c r=\"B{line}\" s=\"1\"><v>{}</v></c><c r=\"C{line}\"><v>{}.5</v></c></row>",
            36892 + row % 30,
            row
        );
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
        "<styleSheet xmlns=\"{MAIN}\"><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
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

/// The same as an OpenDocument sheet, with empty cells repeated to the end as programs write them.
pub(crate) fn ods(rows: usize) -> Vec<u8> {
    let text = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let rest = "<table:table-cell table:number-columns-repeated=\"16381\"/>";
    let mut table = format!(
        "<table:table-row>{}{}{}{rest}</table:table-row>",
        text("name"),
        text("born"),
        text("income")
    );
    for row in 0..rows {
        let born = format!("2001-01-{:02}", 1 + row % 30);
        table += &format!(
            "<table:table-row>{}<table:table-cell office:value-type=\"date\" office:date-value=\"{born}\"><text:p>01/01</text:p></table:table-cell>\
             <table:table-cell office:value-type=\"float\" office:value=\"{row}.5\"><text:p>{row},5</text:p></table:table-cell>{rest}</table:table-row>",
            text(["Ann &amp; co", "Bob"][row % 2])
        );
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
