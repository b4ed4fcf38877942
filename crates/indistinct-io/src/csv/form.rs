//! The form of a text: encoding, line breaks and separator.
//!
//! The first bytes and the first line tell them. Where that line names the columns, it has nothing of any row, and
//! where it is a row, it is looked at only if the caller says that rows may be.

use std::borrow::Cow;

use super::input::Input;
use super::load::Text;
use crate::encoding::Encoding;
use crate::error::Problem;
use crate::source::{Header, TextOptions};

/// Bytes in which the end of the first line is searched for, at first.
const FIRST: usize = 1 << 16;
/// The first bytes of files that are not text, and how names of such files end.
const OTHERS: [(&[u8], &str); 8] = [
    (b"\x1f\x8b", ".csv.gz"),
    (b"PK\x03\x04", ".zip, .xlsx or .ods"),
    (b"PAR1", ".parquet"),
    (b"ARROW1", ".arrow or .feather"),
    (b"\xd0\xcf\x11\xe0", ".xls"),
    (b"BZh9", ".bz2"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
];
/// A line break that was translated twice.
const ENDS_TWICE: &[u8] = b"\r\r\n";
/// Most of these bytes.
const MARK: usize = 6;
/// Separators that are told from the first line, with their names.
const SEPARATORS: [(u8, &str); 4] = [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")];

/// A text with its form, and what there is to say about it.
pub(crate) struct Formed {
    pub(crate) text: Text,
    /// The separator, if it is not the usual one of the format.
    pub(crate) unusual: Option<u8>,
    pub(crate) said: Vec<String>,
}

impl Text {
    /// Reads the header of a text whose fields are `usually` separated by this byte.
    pub(crate) fn open(input: Input, usually: u8, options: &TextOptions) -> Result<Formed, Problem> {
        let mut said = Vec::new();
        let mut start = vec![0; input.len().min(MARK)];
        input.read(0, &mut start)?;
        if let Some((_, ending)) = OTHERS.iter().find(|(mark, _)| start.starts_with(mark)) {
            return Err(Problem::NotText(ending));
        }
        let mut input = input;
        let encoding = options.encoding.or_else(|| Encoding::of_mark(&start));
        if let Some(encoding) = encoding.filter(|encoding| !encoding.is_utf8()) {
            input = Input::Memory(encoding.decode(&input.all()?)?);
            said.push(format!("the text was read as {}", encoding.name()));
        }
        let may_look = options.header == Header::Present || options.may_look_at_rows;
        let mut line = first_line(&input)?;
        if line.ends_alone && may_look {
            input = Input::Memory(with_line_feeds(input.all()?.into_owned()));
            line = first_line(&input)?;
            said.push("lines end with carriage returns".to_owned());
        } else if line.ends_twice && may_look {
            input = Input::Memory(with_single_ends(&input.all()?));
            line = first_line(&input)?;
            said.push("lines end with two carriage returns before the line feed".to_owned());
        }
        let mut declared = options.delimiter.and_then(|mark| u8::try_from(mark).ok());
        if let Some(separator) = for_excel(&line.bytes).filter(|_| may_look) {
            let all = input.all()?;
            let after =
                line.bytes.len() + all[line.bytes.len()..].iter().take_while(|&&byte| byte == b'\r').count();
            input = Input::Memory(all.get(after + 1..).unwrap_or_default().to_vec());
            said.push("the first line says to Excel what separates fields".to_owned());
            declared = declared.or(Some(separator));
            line = first_line(&input)?;
        }
        let separator = match declared {
            Some(separator) => separator,
            None if may_look => most_frequent(&line.bytes, usually),
            None => usually,
        };
        let unusual = (separator != usually).then_some(separator);
        if let (Some(found), None) = (unusual, declared) {
            let name = SEPARATORS.iter().find(|(mark, _)| *mark == found).map_or("", |(_, name)| name);
            said.push(format!("fields are separated by {name}"));
        }
        Ok(Formed { text: Self::new(input, separator, options.header)?, unusual, said })
    }
}

/// The first line of a text.
struct Line {
    bytes: Vec<u8>,
    /// Whether it ends with a carriage return and no line feed.
    ends_alone: bool,
    /// Whether it ends with two of them before a line feed, as text does whose line breaks were translated twice.
    ends_twice: bool,
}

fn first_line(input: &Input) -> Result<Line, Problem> {
    let mut length = FIRST.min(input.len());
    loop {
        let mut bytes = vec![0; length];
        input.read(0, &mut bytes)?;
        let whole = length == input.len();
        let end = outside_quotes(&bytes).find(|&at| matches!(bytes[at], b'\r' | b'\n'));
        if let Some(end) = end {
            let rest = bytes[end..].iter().find(|&&byte| byte != b'\r');
            if whole || rest.is_some() {
                let ends_alone = bytes[end] == b'\r' && rest != Some(&b'\n');
                let ends_twice = bytes[end..].starts_with(ENDS_TWICE);
                bytes.truncate(end);
                return Ok(Line { bytes, ends_alone, ends_twice });
            }
        }
        if whole {
            return Ok(Line { bytes, ends_alone: false, ends_twice: false });
        }
        length = (4 * length).min(input.len());
    }
}

/// The separator that a first line `sep=;` tells Excel. It is no header, and no row.
fn for_excel(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let [name @ .., separator] = line else { return None };
    let known = SEPARATORS.iter().any(|(mark, _)| mark == separator);
    (known && name.eq_ignore_ascii_case(b"sep=")).then_some(*separator)
}

/// Positions outside quotes.
fn outside_quotes(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut inside = false;
    bytes.iter().enumerate().filter_map(move |(at, &byte)| {
        inside ^= byte == b'"';
        (!inside).then_some(at)
    })
}

/// The separator that a line has most often; the usual one if no other is there more often.
fn most_frequent(line: &[u8], usually: u8) -> u8 {
    let count = |mark: u8| outside_quotes(line).filter(|&at| line[at] == mark).count();
    let (mut best, mut most) = (usually, count(usually));
    for (mark, _) in SEPARATORS {
        let found = count(mark);
        if found > most {
            (best, most) = (mark, found);
        }
    }
    best
}

/// The text with line feeds instead of carriage returns at the ends of lines.
fn with_line_feeds(mut bytes: Vec<u8>) -> Vec<u8> {
    let ends: Vec<usize> = outside_quotes(&bytes)
        .filter(|&at| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        .collect();
    for at in ends {
        bytes[at] = b'\n';
    }
    bytes
}

/// The text with line feeds instead of those with two carriage returns before them.
fn with_single_ends(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for at in outside_quotes(bytes) {
        if at >= from && bytes[at..].starts_with(ENDS_TWICE) {
            kept.extend_from_slice(&bytes[from..at]);
            from = at + ENDS_TWICE.len() - 1;
        }
    }
    kept.extend_from_slice(&bytes[from..]);
    kept
}

impl Input {
    /// All bytes.
    fn all(&self) -> Result<Cow<'_, [u8]>, Problem> {
        #[cfg(unix)]
        if let Self::File(..) = self {
            let mut bytes = vec![0; self.len()];
            self.read(0, &mut bytes)?;
            return Ok(Cow::Owned(bytes));
        }
        let Self::Memory(bytes) = self else { return Ok(Cow::Owned(Vec::new())) };
        Ok(Cow::Borrowed(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &[u8], options: &TextOptions) -> (Vec<String>, Option<u8>, Vec<String>) {
        let formed = Text::open(Input::Memory(text.to_vec()), b',', options).unwrap();
        (formed.text.names().to_vec(), formed.unusual, formed.said)
    }

    #[test]
    fn the_first_line_tells_the_separator() {
        let usual = TextOptions::default();
        for (text, names, unusual) in [
            ("a,b\n1,2\n", ["a", "b"], None),
            ("a;b\n1,5;2\n", ["a", "b"], Some(b';')),
            ("a|b\n1,5|2,5\n", ["a", "b"], Some(b'|')),
            ("a\tb\n1\t2\n", ["a", "b"], Some(b'\t')),
            ("\"a;x;y\",b\n1,2\n", ["a;x;y", "b"], None),
            ("a;x,b\n1,2\n", ["a;x", "b"], None),
        ] {
            let (found, separator, said) = open(text.as_bytes(), &usual);
            assert_eq!(
                (found.as_slice(), separator),
                (names.map(str::to_owned).as_slice(), unusual),
                "{text}"
            );
            assert_eq!(said.is_empty(), unusual.is_none());
        }
        let declared = TextOptions { delimiter: Some(','), ..TextOptions::default() };
        assert_eq!(open(b"a;b;c\n1,5\n", &declared).0, ["a;b;c"]);
        // A row is looked at only where rows may be.
        let row = TextOptions { header: Header::Absent, ..TextOptions::default() };
        assert_eq!(open(b"1;2\n3;4\n", &row).0.len(), 1);
        assert_eq!(open(b"1;2\n3;4\n", &TextOptions { may_look_at_rows: true, ..row }).0.len(), 2);
        assert!(open(b"1\r2\n3,4\n", &row).2.is_empty());
        assert_eq!(open(b"1\r2\n3,4\n", &TextOptions { may_look_at_rows: true, ..row }).2.len(), 1);
    }

    #[test]
    fn a_line_for_excel_is_no_header() {
        let usual = TextOptions::default();
        for text in [
            "sep=;\na;b\n1,5;2\n",
            "\u{feff}SEP=;\r\na;b\r\n1,5;2\r\n",
            "\"sep=;\"\na;b\n1;2\n",
            "sep=;\ra;b\r1;2\r",
        ] {
            let (names, unusual, said) = open(text.as_bytes(), &usual);
            assert_eq!((names, unusual), (vec!["a".to_owned(), "b".to_owned()], Some(b';')), "{text}");
            assert!(said.iter().any(|said| said.contains("Excel")), "{said:?}");
        }
        // What the schema declares goes first, and a row is not looked at.
        let declared = TextOptions { delimiter: Some(','), ..usual };
        assert_eq!(open(b"sep=;\na,b\n1,2\n", &declared).0, ["a", "b"]);
        let row = TextOptions { header: Header::Absent, ..usual };
        assert_eq!(open(b"sep=;\n1\n", &row).0, ["column1"]);
        let alone = Text::open(Input::Memory(b"sep=;\n".to_vec()), b',', &usual);
        assert_eq!(alone.map(|_| ()), Err(Problem::EmptyFile));
    }

    #[test]
    fn packed_files_are_told_by_their_first_bytes() {
        for (bytes, ending) in [
            (&b"\x1f\x8b\x08"[..], ".csv.gz"),
            (b"PK\x03\x04x", ".zip, .xlsx or .ods"),
            (b"PAR1 ", ".parquet"),
            (b"\xfd7zXZ\0x", ".xz"),
        ] {
            let opened = Text::open(Input::Memory(bytes.to_vec()), b',', &TextOptions::default());
            assert_eq!(opened.map(|_| ()), Err(Problem::NotText(ending)));
        }
    }

    #[test]
    fn encodings_and_line_breaks() {
        let usual = TextOptions::default();
        let utf16: Vec<u8> = "\u{feff}é;b\r\n1;2\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(open(&utf16, &usual).0, ["é", "b"]);
        let latin = TextOptions { encoding: Encoding::of("latin1"), ..TextOptions::default() };
        assert_eq!(open(b"\xe9,b\n1,2\n", &latin).0, ["é", "b"]);
        let (names, _, said) = open(b"a,\"b\rc\"\r1,\"x\ry\"\r2,3", &usual);
        assert_eq!((names, said.len()), (vec!["a".to_owned(), "b\rc".to_owned()], 1));
        let (names, _, said) = open(b"a,b\r\r\n1,\"x\r\r\ny\"\r\r\n", &usual);
        assert_eq!((names, said.len()), (vec!["a".to_owned(), "b".to_owned()], 1));
        assert_eq!(with_single_ends(b"a\r\r\n\"\r\r\n\"\r\r\nb\r\n"), b"a\n\"\r\r\n\"\nb\r\n");
    }
}
