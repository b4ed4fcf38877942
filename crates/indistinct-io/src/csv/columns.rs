//! Plain rows, read column by column: most of most files.
//!
//! A stretch of text that fits the processor's nearest cache is marked (where do fields end?), checked (has every
//! row as many fields as the header, and is every quote at the end of a field?), and then read one column after
//! the other, which is much faster than one row after the other. Rows that do not pass the check are left to the
//! reader of rows.

use fearless_simd::Simd;

use super::marks::{Marks, Seen};
use super::rows::Refusal;
use crate::cells::{Cell, Collector, Short, number};
use crate::error::Fault;

/// Bytes of a stretch.
const STRETCH: usize = 1 << 14;

/// Reads plain rows from the start of a text: returns their number, and their number of bytes. Stops before the
/// first row that is not plain.
#[inline(always)]
pub(super) fn read_plain_rows<S: Simd>(
    simd: S,
    text: &str,
    separator: u8,
    collectors: &mut [Collector],
    marks: &mut Marks,
) -> Result<(usize, usize), Refusal> {
    let (mut rows, mut at) = (0, 0);
    while at < text.len() {
        let (stretch, last) = stretch(&text[at..]);
        let seen = marks.find(simd, stretch.as_bytes(), separator);
        if seen.nul {
            break;
        }
        if last && !stretch.ends_with('\n') {
            marks.push(stretch.len() as u32);
        }
        let part = Part { simd, text: stretch, ends: marks.ends(), columns: collectors.len(), seen };
        let fitting = part.plain_rows();
        if fitting == 0 {
            break;
        }
        part.read(fitting, collectors).map_err(|(row, column, fault)| Refusal::Value {
            row: rows + row,
            column,
            fault,
        })?;
        rows += fitting;
        at += (part.ends[fitting * part.columns] as usize + 1).min(stretch.len());
    }
    Ok((rows, at))
}

/// The first bytes of a text, and whether they are all of it.
fn stretch(text: &str) -> (&str, bool) {
    if text.len() <= STRETCH {
        return (text, true);
    }
    (&text[..text.floor_char_boundary(STRETCH)], false)
}

/// A stretch of text with its marks.
#[derive(Clone, Copy)]
struct Part<'a, S> {
    simd: S,
    text: &'a str,
    ends: &'a [u32],
    columns: usize,
    seen: Seen,
}

impl<'a, S: Simd> Part<'a, S> {
    /// Number of plain rows from the start: all (or none) if there are quotes.
    fn plain_rows(&self) -> usize {
        let rows = self.whole_rows();
        if self.seen.quotes && !self.quotes_are_plain(rows) { 0 } else { rows }
    }

    /// Number of rows from the start that have as many fields as there are columns.
    fn whole_rows(&self) -> usize {
        let bytes = self.text.as_bytes();
        let is_break = |end: u32| bytes.get(end as usize).is_none_or(|&byte| byte == b'\n');
        let rows = || self.ends[1..].chunks_exact(self.columns);
        let ending = rows().take_while(|row| row.last().is_some_and(|&end| is_break(end))).count();
        // If there are no more line breaks than these, the other ends are separators. (The text may end without one.)
        let last = self.ends[ending * self.columns] as usize;
        let breaks = self.seen.breaks + usize::from(last == bytes.len());
        if ending == 0 || breaks == ending {
            return ending;
        }
        rows().take_while(|row| row.iter().filter(|&&end| is_break(end)).count() == 1).count().min(ending)
    }

    /// Whether all quotes stand in pairs around whole fields. Fields are what lies between separators, so that a
    /// quoted separator shows as a field with a quote at one end only.
    fn quotes_are_plain(&self, rows: usize) -> bool {
        let bytes = self.text.as_bytes();
        let fields = rows * self.columns;
        let end = (self.ends[fields] as usize).min(bytes.len());
        let mut pairs = 0;
        for field in 0..fields {
            let (start, end) = bounds::<true>(bytes, self.ends[field], self.ends[field + 1]);
            if bytes.get(start) == Some(&b'"') {
                if end < start + 2 || bytes[end - 1] != b'"' {
                    return false;
                }
                pairs += 1;
            }
        }
        memchr::memchr_iter(b'"', &bytes[..end]).count() == 2 * pairs
    }

    /// The positions of a column's cells, in this many rows; without quotes if the stretch is `ODD`.
    #[inline(always)]
    fn cells<const ODD: bool>(
        &self,
        rows: usize,
        column: usize,
    ) -> impl ExactSizeIterator<Item = (usize, usize)> + Clone {
        let bytes = self.text.as_bytes();
        let fields = rows * self.columns;
        let before = self.ends[..fields].chunks_exact(self.columns);
        let after = self.ends[1..=fields].chunks_exact(self.columns);
        before.zip(after).map(move |(before, after)| {
            let (start, end) = bounds::<ODD>(bytes, before[column], after[column]);
            let quoted = ODD && start < end && bytes[start] == b'"';
            if quoted { (start + 1, end - 1) } else { (start, end) }
        })
    }

    /// Reads this many rows; the error is the first fault, by row and column.
    #[inline(always)]
    fn read(&self, rows: usize, collectors: &mut [Collector]) -> Result<(), (usize, usize, Fault)> {
        let mut first: Option<(usize, usize, Fault)> = None;
        for (column, collector) in collectors.iter_mut().enumerate() {
            // Quotes and carriage returns are looked for only where there are some.
            let read = if self.seen.quotes || self.seen.returns {
                self.read_column::<true>(rows, column, collector)
            } else {
                self.read_column::<false>(rows, column, collector)
            };
            if let Err((row, fault)) = read
                && first.is_none_or(|(earlier, _, _)| row < earlier)
            {
                first = Some((row, column, fault));
            }
        }
        first.map_or(Ok(()), Err)
    }

    #[inline(always)]
    fn read_column<const ODD: bool>(
        &self,
        rows: usize,
        column: usize,
        collector: &mut Collector,
    ) -> Result<(), (usize, Fault)> {
        let bytes = self.text.as_bytes();
        match collector {
            Collector::Nothing => {}
            Collector::Inferred(values) => {
                values.extend(self.simd, self.text, self.cells::<ODD>(rows, column));
            }
            Collector::Text(values) => {
                for (start, end) in self.cells::<ODD>(rows, column) {
                    match Short::of(bytes, start, end) {
                        Some(short) => values.push_short(short, &self.text[start..end]),
                        None => values.push(self.text_cell(start, end)),
                    }
                }
            }
            Collector::Seen(values) => {
                self.cells::<ODD>(rows, column)
                    .for_each(|(start, end)| values.push(self.text_cell(start, end)));
            }
            Collector::Typed(values) => {
                let floats = values.is_float();
                for (row, (start, end)) in self.cells::<ODD>(rows, column).enumerate() {
                    let number = if floats { number::real(self.simd, self.text, start, end) } else { None };
                    let pushed = match number {
                        Some(number) => values.push_real(number, &self.text[start..end]),
                        None => values.push(self.text_cell(start, end)),
                    };
                    pushed.map_err(|fault| (row, fault))?;
                }
            }
        }
        Ok(())
    }

    fn text_cell(&self, start: usize, end: usize) -> Cell<'a> {
        Cell::Text(&self.text[start..end])
    }
}

/// The positions of the field between two marks; if the stretch is `ODD`, without the carriage return before a
/// line break.
#[inline(always)]
fn bounds<const ODD: bool>(bytes: &[u8], before: u32, after: u32) -> (usize, usize) {
    let (start, end) = (before.wrapping_add(1) as usize, after as usize);
    let returned =
        ODD && end > start && bytes[end - 1] == b'\r' && bytes.get(end).is_none_or(|&byte| byte == b'\n');
    (start, if returned { end - 1 } else { end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Dictionary, Missing};
    use std::sync::Arc;

    fn plain(text: &str) -> (usize, usize) {
        let missing = Arc::new(Missing::usual());
        let mut collectors = [(); 2].map(|()| Collector::Text(Dictionary::new(Arc::clone(&missing))));
        let (level, mut marks) = (fearless_simd::Level::new(), Marks::default());
        fearless_simd::dispatch!(level, simd => read_plain_rows(simd, text, b',', &mut collectors, &mut marks))
            .unwrap()
    }

    #[test]
    fn plain_rows_are_read_and_others_left() {
        assert_eq!(plain("a,b\nc,d\n"), (2, 8));
        assert_eq!(plain("a,b\r\nc,d"), (2, 8));
        assert_eq!(plain("\"a\",\"\"\n\"c\",d\n"), (2, 13));
        assert_eq!(plain("a,b\nc\nd,e\n"), (1, 4));
        assert_eq!(plain("a,b\nc,d,e\n"), (1, 4));
        assert_eq!(plain("a,b\n\nc,d\n"), (1, 4));
        for text in [
            "\"a,b\"\n",
            "\"a\"\"\",b\n",
            "\"a\nb\",c\n",
            "a\",\"b\n",
            "\",\"\n",
            "a,b\0\n",
            "\",b\n",
            "a\"b\"c,d\n",
        ] {
            assert_eq!(plain(text), (0, 0), "{text:?}");
        }
    }

    #[test]
    fn long_texts_take_several_stretches() {
        let text = "some text,é\n".repeat(10_000);
        assert_eq!(plain(&text), (10_000, text.len()));
        let long = format!("{},b\n", "a".repeat(STRETCH));
        assert_eq!(plain(&format!("a,b\n{long}")), (1, 4));
    }
}
