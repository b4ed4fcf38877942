//! Tables as separated text.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use indistinct::progress;
use indistinct::table::{Column, ColumnType, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Table, Values};
use rayon::prelude::*;

use super::WriteProblem;
use crate::cells::number::trim_spaces;
use crate::cells::{notation, spell_decimals, spell_float};
use indistinct::table::DELIMITERS;
use indistinct::table::moment::MomentFormat;

/// Rows spelled at once.
const BLOCK: usize = 1 << 13;
/// Blocks kept before they are written.
const BLOCKS: usize = 64;

/// Writes header and rows.
pub(super) fn write(table: &Table, separator: u8, out: &mut dyn Write) -> Result<(), WriteProblem> {
    let separator = char::from(separator);
    let alone = table.columns().len() == 1;
    let columns: Vec<Speller<'_>> = table
        .columns()
        .iter()
        .map(|column| Speller::new(column, separator, alone))
        .collect::<Result<_, WriteProblem>>()?;
    let names: Vec<Cow<'_, str>> =
        table.columns().iter().map(|column| quoted_for_all(column.name(), separator)).collect();
    out.write_all((names.join(&separator.to_string()) + "\n").as_bytes())?;
    let blocks: Vec<usize> = (0..table.rows()).step_by(BLOCK).collect();
    for blocks in blocks.chunks(BLOCKS) {
        let spelled: Vec<Result<String, WriteProblem>> = blocks
            .par_iter()
            .map(|&start| {
                progress::check();
                let end = table.rows().min(start + BLOCK);
                let mut text = String::with_capacity((end - start) * columns.len() * 8);
                for row in start..end {
                    for (position, column) in columns.iter().enumerate() {
                        if position > 0 {
                            text.push(separator);
                        }
                        column.spell(row, &mut text)?;
                    }
                    text.push('\n');
                }
                Ok(text)
            })
            .collect();
        for text in spelled {
            out.write_all(text?.as_bytes())?;
        }
    }
    Ok(())
}

/// A field in quotes if it has any character that readers may take for the separator: a name, or a field alone on its
/// line, whose header has no separator that would tell them.
fn quoted_for_all(field: &str, separator: char) -> Cow<'_, str> {
    match DELIMITERS.into_iter().find(|&mark| field.contains(mark)) {
        Some(mark) => quoted(field, mark),
        None => quoted(field, separator),
    }
}

/// A field in quotes if it needs them.
fn quoted(field: &str, separator: char) -> Cow<'_, str> {
    let special =
        |character: char| matches!(character, '"' | '\n' | '\r' | '\u{feff}') || character == separator;
    if field.contains(special) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

/// Spells the cells of one column.
struct Speller<'a> {
    column: &'a Column,
    separator: char,
    /// Whether there is no other column.
    alone: bool,
    /// The spelling of a missing value.
    missing: String,
    /// The levels of a category or boolean, in quotes where needed.
    levels: Vec<String>,
    format: Option<MomentFormat>,
}

impl<'a> Speller<'a> {
    fn new(column: &'a Column, separator: char, alone: bool) -> Result<Self, WriteProblem> {
        let name = || column.name().to_owned();
        let spellings: Vec<&str> = match column.schema().kind() {
            ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
                levels.iter().map(String::as_str).collect()
            }
            ColumnType::Boolean { when_false, when_true } => vec![when_false, when_true],
            _ => Vec::new(),
        };
        if spellings.iter().chain([&column.name()]).any(|text| text.contains('\0')) {
            return Err(WriteProblem::NulByte(name()));
        }
        let empty_level = spellings.iter().any(|level| trim_spaces(level).is_empty());
        let mut missing = column.schema().missing_spelling();
        if empty_level && trim_spaces(missing).is_empty() && column.values().missing() > 0 {
            let code = column.schema().missing().iter().find(|code| !trim_spaces(code).is_empty());
            missing = code.ok_or_else(|| WriteProblem::MissingIsLevel(name()))?.as_str();
        }
        // Alone on its line an empty field would be a blank line, which many readers skip.
        let field = |field: &str| match (alone, field) {
            (true, "") => "\"\"".to_owned(),
            (true, field) => quoted_for_all(field, separator).into_owned(),
            (false, field) => quoted(field, separator).into_owned(),
        };
        let format = match column.schema().kind() {
            ColumnType::Date { format } | ColumnType::DateTime { format } => {
                Some(MomentFormat::new(format).ok_or_else(|| WriteProblem::BadFormat(name()))?)
            }
            _ => None,
        };
        let levels = spellings.into_iter().map(field).collect();
        Ok(Self { column, separator, alone, missing: field(missing), levels, format })
    }

    fn spell(&self, row: usize, out: &mut String) -> Result<(), WriteProblem> {
        match self.column.values() {
            Values::Float(values) if values[row].is_nan() => out.push_str(&self.missing),
            Values::Float(values) => {
                let decimals = self.column.schema().decimals();
                self.number(out, |out| match decimals {
                    Some(decimals) => spell_decimals(values[row], decimals, out),
                    None => spell_float(values[row], out),
                });
            }
            Values::Integer(values) if values[row] == MISSING_INTEGER => out.push_str(&self.missing),
            // Writing to a string cannot fail.
            Values::Integer(values) => self.number(out, |out| _ = write!(out, "{}", values[row])),
            Values::Code(codes) if codes[row] == MISSING_CODE => out.push_str(&self.missing),
            Values::Code(codes) => out.push_str(&self.levels[codes[row] as usize]),
            Values::Date(days) if days[row] == MISSING_DATE => out.push_str(&self.missing),
            Values::Date(days) => self.moment(out, |format, text| format.write_day(days[row], text))?,
            Values::DateTime(values) if values[row] == MISSING_INTEGER => out.push_str(&self.missing),
            Values::DateTime(values) => {
                self.moment(out, |format, text| format.write_moment(values[row], text))?;
            }
        }
        Ok(())
    }

    /// Writes a number with the marks of the column.
    fn number(&self, out: &mut String, write: impl Fn(&mut String)) {
        let notation = self.column.schema().notation();
        if notation.is_plain() {
            return write(out);
        }
        let mut usual = String::new();
        write(&mut usual);
        let marked = notation::with_marks(notation, &usual);
        let quote = if self.alone { quoted_for_all } else { quoted };
        out.push_str(&quote(&marked, self.separator));
    }

    fn moment(
        &self,
        out: &mut String,
        write: impl Fn(&MomentFormat, &mut String) -> bool,
    ) -> Result<(), WriteProblem> {
        let mut text = String::new();
        if !self.format.as_ref().is_some_and(|format| write(format, &mut text)) {
            return Err(WriteProblem::BadFormat(self.column.name().to_owned()));
        }
        out.push_str(&quoted(&text, self.separator));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(columns: Vec<Column>) -> Result<String, WriteProblem> {
        let mut out = Vec::new();
        write(&Table::new(columns).unwrap(), b',', &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn quotes_only_where_needed() {
        let levels = ["plain", "a,b", "say \"hi\"", "two\nlines"];
        let text = spelled(vec![
            Column::nominal("name, quoted", &levels, vec![0, 1, 2, 3, MISSING_CODE]),
            Column::float("x", vec![1.0, 0.1, f64::NAN, 1e300, -2.5]),
        ]);
        let expected =
            "\"name, quoted\",x\nplain,1\n\"a,b\",0.1\n\"say \"\"hi\"\"\",\n\"two\nlines\",1e300\n,-2.5\n";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn declared_decimals_are_written() {
        let schema = Column::float("x", vec![]).schema().clone().with_decimals(Some(2));
        let column = Column::new(schema, Values::Float(vec![1.0, 0.125, -0.001, f64::NAN]));
        let plain = Column::float("y", vec![1.0, 0.125, -0.001, 2.0]);
        assert_eq!(spelled(vec![column, plain]).unwrap(), "x,y\n1.00,1\n0.13,0.125\n0.00,-0.001\n,2\n");
    }

    #[test]
    fn a_missing_value_alone_on_its_line_is_seen() {
        assert_eq!(spelled(vec![Column::float("x", vec![1.0, f64::NAN])]).unwrap(), "x\n1\n\"\"\n");
    }

    #[test]
    fn an_empty_level_and_missing_values_are_kept_apart() {
        let column = || Column::nominal("x", &["", "a"], vec![0, 1, MISSING_CODE]);
        assert_eq!(spelled(vec![column()]), Err(WriteProblem::MissingIsLevel("x".to_owned())));
        let nul = Column::nominal("x", &["a\0", "a"], vec![0, 1]);
        assert_eq!(spelled(vec![nul]), Err(WriteProblem::NulByte("x".to_owned())));
        let schema = column().schema().clone().with_missing(vec!["-9".to_owned()]);
        let coded = Column::new(schema, column().values().clone());
        assert_eq!(spelled(vec![coded]).unwrap(), "x\n\"\"\na\n-9\n");
    }
}
