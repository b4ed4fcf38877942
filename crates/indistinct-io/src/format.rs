//! The format of a file, by its name.

use std::fmt;
use std::path::Path;

use indistinct::table::Schema;

/// The formats of table files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with separators.
    Text {
        /// The byte between fields: in files that are read, unless their header has another.
        separator: u8,
        /// Whether it is compressed with gzip.
        gzip: bool,
    },
    /// A zip archive with one text in it; read only.
    Zip,
    /// Excel's format (`.xlsx`), of which the first sheet is read; read only.
    Xlsx,
    /// The format of LibreOffice and others (`.ods`), of which the first sheet is read; read only.
    Ods,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow's file format, also called IPC or Feather (version 2).
    Arrow,
}

/// Comma-separated text.
const CSV: Format = Format::Text { separator: b',', gzip: false };
/// Comma-separated text, compressed.
const CSV_GZ: Format = Format::Text { separator: b',', gzip: true };
/// Text with tabs.
const TSV: Format = Format::Text { separator: b'\t', gzip: false };
/// Text with tabs, compressed.
const TSV_GZ: Format = Format::Text { separator: b'\t', gzip: true };

/// Known endings of file names, in lower case: the usual ones of a format before others.
const ENDINGS: [(&str, Format); 15] = [
    (".csv", CSV),
    (".csv.gz", CSV_GZ),
    (".tsv", TSV),
    (".tsv.gz", TSV_GZ),
    (".tab", TSV),
    (".txt", CSV),
    (".txt.gz", CSV_GZ),
    (".zip", Format::Zip),
    (".xlsx", Format::Xlsx),
    (".xlsm", Format::Xlsx),
    (".ods", Format::Ods),
    (".parquet", Format::Parquet),
    (".arrow", Format::Arrow),
    (".feather", Format::Arrow),
    (".ipc", Format::Arrow),
];

/// The endings that can be written, for messages.
#[cfg(not(feature = "columnar"))]
pub(crate) const WRITTEN: &str = ".csv, .csv.gz, .tsv, .tsv.gz; Parquet and Arrow are not part of this build";
/// The endings that can be written, for messages.
#[cfg(feature = "columnar")]
pub(crate) const WRITTEN: &str = ".csv, .csv.gz, .tsv, .tsv.gz, .parquet, .arrow, .feather, .ipc";

/// The endings that can be read, for messages.
pub(crate) fn readable() -> String {
    let is_built = |format: &Format| match format {
        Format::Zip | Format::Xlsx | Format::Ods => cfg!(feature = "spreadsheets"),
        Format::Parquet | Format::Arrow => cfg!(feature = "columnar"),
        Format::Text { .. } => true,
    };
    let endings: Vec<&str> =
        ENDINGS.iter().filter(|(_, format)| is_built(format)).map(|(ending, _)| *ending).collect();
    endings.join(", ")
}

impl Format {
    /// Comma-separated text, as on standard input.
    pub const CSV: Self = CSV;
    /// Text with tabs.
    pub const TSV: Self = TSV;

    /// The format of a file by its name's ending, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|&(_, format)| format)
    }

    /// The format in which a table like that of a file is written: the same, or CSV if it can only be read. Text has
    /// the delimiter that the schema declares.
    #[must_use]
    pub fn written(self, schema: &Schema) -> Self {
        let delimiter = schema.delimiter().and_then(|mark| u8::try_from(mark).ok());
        match self {
            Self::Text { separator: b',', gzip } => Self::Text { separator: delimiter.unwrap_or(b','), gzip },
            Self::Zip | Self::Xlsx | Self::Ods => Self::CSV.written(schema),
            other => other,
        }
    }

    /// The usual ending of such a file's name, with its dot.
    pub fn ending(self) -> &'static str {
        let usual = match self {
            Self::Text { separator, gzip } if separator != b'\t' => Self::Text { separator: b',', gzip },
            other => other,
        };
        ENDINGS.iter().find(|&&(_, format)| format == usual).map_or(".csv", |&(ending, _)| ending)
    }
}

impl Format {
    /// The article of its name.
    pub(crate) fn article(self) -> &'static str {
        match self {
            Self::Xlsx | Self::Ods | Self::Arrow => "an",
            Self::Text { .. } | Self::Zip | Self::Parquet => "a",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Text { separator: b'\t', .. } => "TSV",
            Self::Text { .. } => "CSV",
            Self::Zip => "zip",
            Self::Xlsx => "Excel",
            Self::Ods => "OpenDocument",
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
        assert_eq!(of("b.tsv.Gz"), Some(TSV_GZ));
        assert_eq!(of("b.feather"), Some(Format::Arrow));
        assert_eq!(of("b.parquet"), Some(Format::Parquet));
        assert_eq!(of("b.xlsx"), Some(Format::Xlsx));
        assert_eq!(of("b.csv.zip"), Some(Format::Zip));
        assert_eq!(of("b.sav"), None);
        assert_eq!(of(".."), None);
    }

    #[test]
    fn every_known_ending_is_named_in_messages() {
        for ending in WRITTEN.split(", ") {
            assert!(ENDINGS.iter().any(|(known, _)| *known == ending), "{ending}");
        }
        for (_, format) in ENDINGS {
            assert_eq!(Format::of(Path::new(&format!("x{}", format.ending()))), Some(format));
        }
    }

    #[test]
    fn what_can_only_be_read_is_written_as_text_with_the_declared_delimiter() {
        let column = indistinct::table::ColumnSchema::new("x", indistinct::table::ColumnType::Float);
        let schema = Schema::new(Vec::new(), vec![column]).unwrap();
        assert_eq!(Format::Xlsx.written(&schema), CSV);
        let schema = schema.with_delimiter(Some(';')).unwrap();
        let semicolons = Format::Text { separator: b';', gzip: true };
        assert_eq!((CSV_GZ.written(&schema), semicolons.ending()), (semicolons, ".csv.gz"));
        assert_eq!((TSV.written(&schema), Format::Parquet.written(&schema)), (TSV, Format::Parquet));
    }
}
