//! Separated text in memory: unpacked, checked to be UTF-8, its header taken off.

use std::io::Read;
use std::ops::Range;

use super::fields::{Break, Fields};
use crate::error::Problem;

/// A text table in memory.
#[derive(Debug)]
pub(crate) struct Text {
    /// All of it.
    content: String,
    /// The rows: after the header, without blank lines at the end.
    body: Range<usize>,
    /// The byte between fields.
    separator: u8,
    /// The column names.
    names: Vec<String>,
}

impl Text {
    /// Takes the bytes of a file apart.
    pub(crate) fn new(bytes: Vec<u8>, separator: u8, gzip: bool) -> Result<Self, Problem> {
        let bytes = if gzip { unpack(&bytes)? } else { bytes };
        let content = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = line(error.as_bytes(), valid);
            // UTF-16 begins with bytes that are no UTF-8 either way.
            Problem::NotUtf8(line)
        })?;
        if let Some(at) = memchr::memchr(0, content.as_bytes()) {
            return Err(Problem::NulByte(line(content.as_bytes(), at)));
        }
        let start = if content.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        if content[start..].bytes().all(|byte| byte == b'\n' || byte == b'\r') {
            return Err(Problem::EmptyFile);
        }
        let mut fields = Fields::new(&content, start, separator);
        let (mut names, mut scratch) = (Vec::new(), String::new());
        loop {
            let (name, last) = fields.next(&mut scratch).map_err(|found| broken(&content, found))?;
            names.push(name.to_owned());
            if last {
                break;
            }
        }
        let header_end = fields.position();
        let end = header_end + content[header_end..].trim_end_matches(['\r', '\n']).len();
        if header_end == end {
            return Err(Problem::NoRows);
        }
        Ok(Self { content, body: header_end..end, separator, names })
    }

    /// The column names, as they stand in the header.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows.
    pub(crate) fn body(&self) -> &str {
        &self.content[self.body.clone()]
    }

    /// The byte between fields.
    pub(crate) fn separator(&self) -> u8 {
        self.separator
    }

    /// The line of the file that holds a byte of the body.
    pub(crate) fn line(&self, at: usize) -> usize {
        line(self.content.as_bytes(), self.body.start + at)
    }

    /// What is wrong there, with its line in the file; positions are those of the body.
    pub(crate) fn broken(&self, found: Break) -> Problem {
        let shift = |at| self.body.start + at;
        broken(
            &self.content,
            match found {
                Break::Unterminated(at) => Break::Unterminated(shift(at)),
                Break::Stray(at) => Break::Stray(shift(at)),
                Break::AfterQuote(at) => Break::AfterQuote(shift(at)),
            },
        )
    }
}

/// The line, counted from 1, of a byte.
fn line(content: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &content[..at]).count() + 1
}

fn broken(content: &str, found: Break) -> Problem {
    let line = |at| line(content.as_bytes(), at);
    match found {
        Break::Unterminated(at) => Problem::UnterminatedQuote(line(at)),
        Break::Stray(at) => Problem::StrayQuote(line(at)),
        Break::AfterQuote(at) => Problem::TextAfterQuote(line(at)),
    }
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    if bytes.is_empty() {
        return Err(Problem::EmptyFile);
    }
    let mut unpacked = Vec::new();
    match flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut unpacked) {
        Ok(_) => Ok(unpacked),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Err(Problem::GzipCutShort),
        Err(_) => Err(Problem::GzipDamaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Text, Problem> {
        Text::new(text.as_bytes().to_vec(), b',', false)
    }

    #[test]
    fn header_and_body() {
        let text = load("\u{feff}a,\"b\nc\"\r\n1,2\r\n\r\n\n").unwrap();
        assert_eq!(text.names(), ["a", "b\nc"]);
        assert_eq!(text.body(), "1,2");
        assert_eq!(text.line(0), 3);
    }

    #[test]
    fn unusable_texts() {
        assert_eq!(load("").unwrap_err(), Problem::EmptyFile);
        assert_eq!(load("\u{feff}\r\n").unwrap_err(), Problem::EmptyFile);
        assert_eq!(load("a,b\n").unwrap_err(), Problem::NoRows);
        assert_eq!(load("a,b\n1,2\n3,\0\n").unwrap_err(), Problem::NulByte(3));
        assert_eq!(load("a,\"b\n1,2\n").unwrap_err(), Problem::UnterminatedQuote(1));
        let latin = Text::new(b"a\n1\n\xe9\n".to_vec(), b',', false);
        assert_eq!(latin.unwrap_err(), Problem::NotUtf8(3));
    }
}
