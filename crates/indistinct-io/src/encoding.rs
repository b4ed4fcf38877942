//! Encodings of text other than UTF-8.

use crate::error::Problem;

/// An encoding of text, such as Latin-1 or UTF-16.
///
/// ```
/// use indistinct_io::Encoding;
///
/// assert_eq!(Encoding::of("latin-1"), Encoding::of("windows-1252"));
/// assert_eq!(Encoding::of("klingon"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

/// Names that Python and R have for encodings which the web calls otherwise.
const ALIASES: [(&str, &str); 9] = [
    ("latin-1", "latin1"),
    ("latin-9", "iso-8859-15"),
    ("latin9", "iso-8859-15"),
    ("mac-roman", "macintosh"),
    ("macroman", "macintosh"),
    ("utf-8-sig", "utf-8"),
    ("utf-8-bom", "utf-8"),
    ("ucs-2le", "utf-16le"),
    ("cp936", "gbk"),
];

impl Encoding {
    /// The encoding of this name: those of the web (`latin1`, `windows-1252`, `utf-16le`, `shift_jis`, ...), and some
    /// spellings of Python and R.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let dashed = name.replace('_', "-");
        let alias = ALIASES.iter().find(|(alias, _)| *alias == dashed).map(|(_, name)| *name);
        let labels = [name.as_str(), dashed.as_str(), alias.unwrap_or_default()];
        let found = labels.into_iter().find_map(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
        // Not encodings of files: one stands for nothing, the other for bytes.
        let is_text = |found: &&encoding_rs::Encoding| {
            *found != encoding_rs::REPLACEMENT && *found != encoding_rs::X_USER_DEFINED
        };
        found.filter(is_text).map(Self)
    }

    /// The encoding that a mark in front of a text tells, if that is UTF-16.
    pub(crate) fn of_mark(start: &[u8]) -> Option<Self> {
        match start {
            [0xFF, 0xFE, ..] => Some(Self(encoding_rs::UTF_16LE)),
            [0xFE, 0xFF, ..] => Some(Self(encoding_rs::UTF_16BE)),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether it is UTF-8, which needs no decoding.
    pub(crate) fn is_utf8(self) -> bool {
        self.0 == encoding_rs::UTF_8
    }

    /// The text in UTF-8.
    pub(crate) fn decode(self, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        // A mark in front decides between the two kinds of UTF-16, and is no part of the text.
        let (encoding, bytes) = match Self::of_mark(bytes) {
            Some(marked) if self.name().starts_with("UTF-16") => (marked.0, &bytes[2..]),
            _ => (self.0, bytes),
        };
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        text.map(|text| text.into_owned().into_bytes()).ok_or(Problem::NotInEncoding(self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bytes() {
        for (name, bytes, text) in [
            ("latin1", b"\xe9".as_slice(), "é"),
            ("ISO-8859-15", b"\xa4", "€"),
            ("cp1252", b"\x80", "€"),
            ("utf-16", b"a\0\xe9\0", "aé"),
            ("utf-16", b"\xfe\xff\0a", "a"),
            ("mac_roman", b"\x8e", "é"),
            ("shift_jis", b"\x93\xfa", "日"),
        ] {
            let decoded = Encoding::of(name).unwrap().decode(bytes).unwrap();
            assert_eq!(String::from_utf8(decoded).unwrap(), text, "{name}");
        }
        assert_eq!(Encoding::of("utf-16le").unwrap().decode(b"a"), Err(Problem::NotInEncoding("UTF-16LE")));
        assert!(Encoding::of("replacement").is_none() && Encoding::of("").is_none());
    }
}
