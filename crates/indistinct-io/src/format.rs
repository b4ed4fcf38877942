//! The format of a file, by its name.

use std::fmt;
use std::path::Path;

/// The formats of table files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with separators.
    Text {
        /// Whether tabs separate the fields, not commas.
        tabs: bool,
        /// Whether it is compressed with gzip.
        gzip: bool,
    },
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow's file format, also called IPC or Feather (version 2).
    Arrow,
}

/// Comma-separated text.
const CSV: Format = Format::Text { tabs: false, gzip: false };

/// Known endings of file names, in lower case; longer ones before their own endings.
const ENDINGS: [(&str, Format); 8] = [
    (".csv", CSV),
    (".csv.gz", Format::Text { tabs: false, gzip: true }),
    (".tsv", Format::Text { tabs: true, gzip: false }),
    (".tsv.gz", Format::Text { tabs: true, gzip: true }),
    (".parquet", Format::Parquet),
    (".arrow", Format::Arrow),
    (".feather", Format::Arrow),
    (".ipc", Format::Arrow),
];

/// The endings that can be read and written, for messages.
#[cfg(not(feature = "columnar"))]
pub(crate) const KNOWN: &str = ".csv, .csv.gz, .tsv, .tsv.gz; Parquet and Arrow are not part of this build";
/// The endings that can be read and written, for messages.
#[cfg(feature = "columnar")]
pub(crate) const KNOWN: &str = ".csv, .csv.gz, .tsv, .tsv.gz, .parquet, .arrow, .feather, .ipc";

impl Format {
    /// Comma-separated text, as on standard input.
    pub const CSV: Self = CSV;

    /// The format of a file by its name's ending, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|&(_, format)| format)
    }

    /// The usual ending of such a file's name, with its dot.
    pub fn ending(self) -> &'static str {
        ENDINGS.iter().find(|&&(_, format)| format == self).map_or(".csv", |&(ending, _)| ending)
    }

    /// The byte between fields.
    pub(crate) fn separator(tabs: bool) -> u8 {
        if tabs { b'\t' } else { b',' }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Text { tabs: false, .. } => "CSV",
            Self::Text { tabs: true, .. } => "TSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a/b.CSV"), Some(Format::CSV));
        assert_eq!(of("b.tsv.Gz"), Some(Format::Text { tabs: true, gzip: true }));
        assert_eq!(of("b.feather"), Some(Format::Arrow));
        assert_eq!(of("b.parquet"), Some(Format::Parquet));
        assert_eq!(of("b.xlsx"), None);
        assert_eq!(of(".."), None);
    }

    #[test]
    fn every_known_ending_is_named_in_messages() {
        let named: Vec<&str> = KNOWN.split(", ").collect();
        assert_eq!(named, ENDINGS.map(|(ending, _)| ending));
        for (_, format) in ENDINGS {
            assert_eq!(Format::of(Path::new(&format!("x{}", format.ending()))), Some(format));
        }
    }
}
