//! A text table whose header was read.

use std::ops::Range;
use std::sync::Arc;

use super::fields::{Break, Fields};
use super::input::Input;
use crate::error::Problem;
use crate::source::Header;

/// Bytes in which the header's end is searched for, at first.
const HEADER: usize = 1 << 16;
/// Fewest names of a header with several columns without one.
const FEWEST_NAMES: usize = 2;
/// The mark that some programs put in front of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A text table: its column names, and the position of its rows.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    input: Arc<Input>,
    /// The rows: after the header, and without blank lines at the end, unless a blank line is a row.
    body: Range<usize>,
    separator: u8,
    names: Vec<String>,
}

impl Text {
    /// Reads the header, or counts the fields of the first row where there is none.
    pub(crate) fn new(input: Input, separator: u8, line: Header) -> Result<Self, Problem> {
        let end = end_of_rows(&input)?;
        let mut length = HEADER.min(end);
        loop {
            let mut bytes = vec![0; length];
            input.read(0, &mut bytes)?;
            let start = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
            if start == end {
                return Err(Problem::EmptyFile);
            }
            let whole = length == end;
            if let Some((names, used)) = header(&input, &bytes, start, separator, whole)? {
                // The missing value of an only column is a blank line, wherever it is: that others follow must not tell.
                let alone = names.len() == 1;
                let last = if alone { input.len() } else { end };
                if line == Header::Absent {
                    let names = (1..=names.len()).map(|place| format!("column{place}")).collect();
                    return Ok(Self { input: Arc::new(input), body: start..last, separator, names });
                }
                let first = if alone && used >= end { after_break(&input, end)? } else { used.min(end) };
                return Ok(Self { input: Arc::new(input), body: first..last, separator, names });
            }
            length = (4 * length).min(end);
        }
    }

    /// The columns with these rows, each ending with its line break.
    pub(super) fn with_rows(&self, rows: Vec<u8>) -> Self {
        let end = rows.iter().rposition(|&byte| byte != b'\n' && byte != b'\r').map_or(0, |at| at + 1);
        let (separator, names) = (self.separator, self.names.clone());
        Self { input: Arc::new(Input::Memory(rows)), body: 0..end, separator, names }
    }

    /// The part of the rows that begins at a position, which is the start of a row, and has at least about this many
    /// bytes; and the start of the next. `None` after the last.
    pub(crate) fn part_from(&self, start: usize, bytes: usize) -> Result<Option<(Self, usize)>, Problem> {
        let end = self.body.end;
        if start >= end {
            return Ok(None);
        }
        let mut length = bytes.max(1);
        loop {
            let read = length.min(end - start);
            let mut text = vec![0; read];
            self.input.read(start, &mut text)?;
            let next = if start + read == end { Some(end) } else { cut(&text).map(|at| start + at) };
            if let Some(next) = next {
                let (input, names) = (Arc::clone(&self.input), self.names.clone());
                return Ok(Some((Self { input, body: start..next, separator: self.separator, names }, next)));
            }
            length = length.saturating_mul(4);
        }
    }

    /// Renames the columns; there must be as many names.
    pub(crate) fn rename(&mut self, names: Vec<String>) {
        self.names = names;
    }

    /// Names the columns that the header has no name for, if they are the first or the last; all of their names. Several at the
    /// end are separators of sheets behind the last column, but behind a single name they are those of a title.
    pub(crate) fn name_unnamed(&mut self) -> Vec<String> {
        let is_empty = |name: &String| name.trim().is_empty();
        let is_named = |name: &String| !is_empty(name);
        let count = self.names.len();
        let first = self.names.iter().position(is_named);
        let (Some(first), Some(last)) = (first, self.names.iter().rposition(is_named)) else {
            return Vec::new();
        };
        let places: Vec<usize> = (0..first).chain(last + 1..count).collect();
        let all = self.names.iter().filter(|name| is_empty(name)).count();
        if places.len() != all || first > 1 || places.len() > 1 && count - all < FEWEST_NAMES {
            return Vec::new();
        }
        let names: Vec<String> = places.iter().map(|place| format!("column{}", place + 1)).collect();
        if names.iter().any(|name| self.names.contains(name)) {
            return Vec::new();
        }
        for (&place, name) in places.iter().zip(&names) {
            self.names[place].clone_from(name);
        }
        names
    }

    /// The column names, as in the header.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The position of the rows.
    pub(crate) fn body(&self) -> Range<usize> {
        self.body.clone()
    }

    /// The byte between fields.
    pub(crate) fn separator(&self) -> u8 {
        self.separator
    }

    /// The bytes.
    pub(crate) fn input(&self) -> &Input {
        &self.input
    }
}

/// The end of the last row that ends in these bytes, which begin outside quotes.
fn cut(text: &[u8]) -> Option<usize> {
    let mut inside = false;
    let mut found = None;
    for at in memchr::memchr2_iter(b'"', b'\n', text) {
        if text[at] == b'"' {
            inside = !inside;
        } else if !inside {
            found = Some(at + 1);
        }
    }
    found
}

/// A problem with its line in the file; `start` is added to all positions.
pub(super) fn broken(input: &Input, found: Break, start: usize) -> Problem {
    let line = |at| input.line(start + at);
    match found {
        Break::Unterminated(at) => Problem::UnterminatedQuote(line(at)),
        Break::Stray(at) => Problem::StrayQuote(line(at)),
        Break::AfterQuote(at) => Problem::TextAfterQuote(line(at)),
    }
}

/// The names, and the end of the header; `None` if it does not end in these bytes and there are more.
fn header(
    input: &Input,
    bytes: &[u8],
    start: usize,
    separator: u8,
    whole: bool,
) -> Result<Option<(Vec<String>, usize)>, Problem> {
    // Cut where no character is cut; what is wrong before that will show.
    let valid = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && !whole => error.valid_up_to(),
        _ => bytes.len(),
    };
    let line_end = memchr::memchr(b'\n', bytes).map_or(valid, |at| at + 1);
    // Zeros are what tells UTF-16, whose letters beyond ASCII are not UTF-8 either.
    if memchr::memchr(0, &bytes[..line_end]).is_some() {
        return Err(Problem::NulByte(1));
    }
    std::str::from_utf8(&bytes[..line_end])
        .map_err(|error| Problem::NotUtf8(input.line(error.valid_up_to())))?;
    let text = match std::str::from_utf8(&bytes[..valid]) {
        Ok(text) => text,
        // The rows have their own check.
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut fields = Fields::new(text, start, separator);
    let (mut names, mut scratch) = (Vec::new(), String::new());
    loop {
        match fields.next(&mut scratch) {
            Ok((name, last)) => {
                names.push(name.to_owned());
                if last {
                    break;
                }
            }
            Err(Break::Unterminated(_)) if !whole => return Ok(None),
            Err(found) => return Err(broken(input, found, 0)),
        }
    }
    // A field that ends with the text may go on after it.
    Ok((fields.position() < text.len() || whole).then(|| (names, fields.position())))
}

/// The position behind the line break at this position, if there is one.
fn after_break(input: &Input, at: usize) -> Result<usize, Problem> {
    let mut bytes = vec![0; 2.min(input.len() - at)];
    input.read(at, &mut bytes)?;
    Ok(at
        + match bytes.as_slice() {
            [b'\r', b'\n'] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        })
}

/// The end of the last row: blank lines after it do not count.
fn end_of_rows(input: &Input) -> Result<usize, Problem> {
    let mut end = input.len();
    let mut block = vec![0; 1 << 12];
    while end > 0 {
        let start = end.saturating_sub(block.len());
        let tail = &mut block[..end - start];
        input.read(start, tail)?;
        match tail.iter().rposition(|&byte| byte != b'\n' && byte != b'\r') {
            Some(at) => return Ok(start + at + 1),
            None => end = start,
        }
    }
    Err(Problem::EmptyFile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: impl AsRef<[u8]>) -> Result<Text, Problem> {
        Text::new(Input::Memory(text.as_ref().to_vec()), b',', Header::Present)
    }

    #[test]
    fn without_a_header_the_first_line_is_a_row() {
        let load = |text: &str| Text::new(Input::Memory(text.as_bytes().to_vec()), b',', Header::Absent);
        let text = load("\u{feff}1,\"b\nc\"\r\n3,4").unwrap();
        assert_eq!(
            (text.names(), text.body()),
            (["column1", "column2"].map(str::to_owned).as_slice(), 3..15)
        );
        assert_eq!(load("1,2").unwrap().body(), 0..3);
        assert_eq!(load("\n").unwrap_err(), Problem::EmptyFile);
    }

    #[test]
    fn header_and_body() {
        let text = load("\u{feff}a,\"b\nc\"\r\n1,2\r\n\r\n\n").unwrap();
        assert_eq!(text.names(), ["a", "b\nc"]);
        assert_eq!(text.body(), 12..15);
        assert_eq!(text.input().line(12), 3);
    }

    #[test]
    fn long_headers() {
        let names: Vec<String> = (0..50_000).map(|column| format!("é{column}")).collect();
        let mut text = names.join(",");
        text.push('\n');
        let body = text.len()..text.len() + 5;
        text.push_str("1,2,3");
        let text = load(text).unwrap();
        assert_eq!((text.names(), text.body()), (names.as_slice(), body));
    }

    #[test]
    fn headers_without_rows() {
        for text in ["a,b", "a,b\n", "a,b\r\n\n"] {
            let text = load(text).unwrap();
            assert_eq!((text.names().len(), text.body().len()), (2, 0));
        }
    }

    #[test]
    fn unusable_texts() {
        assert_eq!(load("").unwrap_err(), Problem::EmptyFile);
        assert_eq!(load("\u{feff}\r\n").unwrap_err(), Problem::EmptyFile);
        assert_eq!(load("a,\0\n1,2\n").unwrap_err(), Problem::NulByte(1));
        assert_eq!(load("a,\"b\n1,2\n").unwrap_err(), Problem::UnterminatedQuote(1));
        assert_eq!(load(b"a,\xe9\n1,2\n").unwrap_err(), Problem::NotUtf8(1));
    }
}
