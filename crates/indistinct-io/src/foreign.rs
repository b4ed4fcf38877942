//! Files of other programs, which are not read: how to convert them.

use std::io::Read as _;
use std::path::Path;

use crate::error::Problem;

/// A kind of file that is not read here, and who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForeignFile {
    /// The kind of file, as in `a Stata file`.
    pub what: &'static str,
    /// A line of R that makes a CSV file of `FILE`.
    r: &'static str,
    /// Lines of Python that do so.
    python: &'static str,
    /// The packages that those need, as pip has them.
    packages: &'static str,
}

/// The end of a line of R.
macro_rules! written_by_r {
    ($read:literal) => {
        concat!("write.csv(", $read, ", \"FILE.csv\", row.names = FALSE, na = \"\")")
    };
}

/// Endings of names, in lower case, and what such files are.
const FOREIGN: [(&[&str], ForeignFile); 11] = [
    (
        &[".dta"],
        ForeignFile {
            what: "a Stata file",
            r: written_by_r!("haven::as_factor(haven::read_dta(\"FILE\"))"),
            python: "import pandas; pandas.read_stata(\"FILE\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas",
        },
    ),
    (
        &[".sav", ".zsav"],
        ForeignFile {
            what: "an SPSS file",
            r: written_by_r!("haven::as_factor(haven::read_spss(\"FILE\"))"),
            python: "import pandas; pandas.read_spss(\"FILE\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas pyreadstat",
        },
    ),
    (
        &[".por"],
        ForeignFile {
            what: "a portable file of SPSS",
            r: written_by_r!("haven::as_factor(haven::read_por(\"FILE\"))"),
            python: "import pyreadstat; pyreadstat.read_por(\"FILE\", apply_value_formats=True)[0].to_csv(\"FILE.csv\", index=False)",
            packages: "pyreadstat",
        },
    ),
    (
        &[".sas7bdat"],
        ForeignFile {
            what: "a SAS file",
            r: written_by_r!("haven::read_sas(\"FILE\")"),
            python: "import pandas; pandas.read_sas(\"FILE\", encoding=\"infer\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas",
        },
    ),
    (
        &[".xpt"],
        ForeignFile {
            what: "a SAS transport file",
            r: written_by_r!("haven::read_xpt(\"FILE\")"),
            python: "import pyreadstat; pyreadstat.read_xport(\"FILE\")[0].to_csv(\"FILE.csv\", index=False)",
            packages: "pyreadstat",
        },
    ),
    (
        &[".rds"],
        ForeignFile {
            what: "a file of R",
            r: written_by_r!("readRDS(\"FILE\")"),
            python: "import pyreadr; next(iter(pyreadr.read_r(\"FILE\").values())).to_csv(\"FILE.csv\", index=False)",
            packages: "pyreadr",
        },
    ),
    (
        &[".rda", ".rdata"],
        ForeignFile {
            what: "a file of R",
            r: written_by_r!("get(load(\"FILE\"))"),
            python: "import pyreadr; next(iter(pyreadr.read_r(\"FILE\").values())).to_csv(\"FILE.csv\", index=False)",
            packages: "pyreadr",
        },
    ),
    (
        &[".xls"],
        ForeignFile {
            what: "an old Excel file",
            r: written_by_r!("readxl::read_excel(\"FILE\")"),
            python: "import pandas; pandas.read_excel(\"FILE\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas xlrd",
        },
    ),
    (
        &[".xlsb"],
        ForeignFile {
            what: "a binary Excel file",
            r: written_by_r!("readxlsb::read_xlsb(\"FILE\", sheet = 1)"),
            python: "import pandas; pandas.read_excel(\"FILE\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas pyxlsb",
        },
    ),
    (
        &[".json"],
        ForeignFile {
            what: "a JSON file",
            r: written_by_r!("jsonlite::fromJSON(\"FILE\", flatten = TRUE)"),
            python: "import pandas; pandas.read_json(\"FILE\").to_csv(\"FILE.csv\", index=False)",
            packages: "pandas",
        },
    ),
    (
        &[".jsonl", ".ndjson"],
        ForeignFile {
            what: "a file of JSON lines",
            r: written_by_r!("jsonlite::stream_in(file(\"FILE\"))"),
            python: "import pandas; pandas.read_json(\"FILE\", lines=True).to_csv(\"FILE.csv\", index=False)",
            packages: "pandas",
        },
    ),
];

/// Endings of files that are packed in other ways than gzip and zip, and the commands that unpack them.
const PACKED: [(&str, &str); 9] = [
    (".bz2", "bunzip2 --keep"),
    (".xz", "unxz --keep"),
    (".lzma", "unlzma --keep"),
    (".zst", "unzstd"),
    (".7z", "7z x"),
    (".rar", "unrar x"),
    (".tar", "tar xf"),
    (".tar.gz", "tar xf"),
    (".tgz", "tar xf"),
];

/// The command that unpacks a file, by its name's ending.
pub(crate) fn unpacked_by(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    PACKED.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, command)| *command)
}

/// Bytes of a file by which its kind is told.
const START: usize = 512;

/// The problem of a file whose name says that it is a spreadsheet, if its first bytes say otherwise: web pages and text are
/// given such names, so that Excel opens them.
pub(crate) fn misnamed(bytes: &[u8], expected: &[u8]) -> Option<Problem> {
    let start = &bytes[..bytes.len().min(START)];
    if start.starts_with(expected) {
        return None;
    }
    if start.starts_with(ZIPPED) {
        return Some(Problem::Misnamed { what: "an Excel file of the newer kind", ending: ".xlsx" });
    }
    // The last character may be cut.
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return None,
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_control = |letter: char| letter.is_control() && !letter.is_whitespace();
    if text.is_empty() || text.contains(is_control) {
        None
    } else if text.starts_with('<') {
        Some(Problem::WebPage)
    } else {
        Some(Problem::Misnamed { what: "text", ending: ".csv" })
    }
}

/// The first bytes of zip archives, and so of newer Excel files.
pub(crate) const ZIPPED: &[u8] = b"PK\x03\x04";
/// The first bytes of old Excel files.
const OLD_EXCEL: &[u8] = b"\xd0\xcf\x11\xe0";

/// The problem of a file that is named like an old Excel file, if its first bytes say otherwise.
pub(crate) fn misnamed_xls(path: &Path) -> Option<Problem> {
    if !path.extension()?.eq_ignore_ascii_case("xls") {
        return None;
    }
    let mut start = Vec::new();
    std::fs::File::open(path).ok()?.take(START as u64).read_to_end(&mut start).ok()?;
    misnamed(&start, OLD_EXCEL)
}

impl ForeignFile {
    /// The kind of a file by its name's ending.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let is_such = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        FOREIGN.iter().find(|(endings, _)| is_such(endings)).map(|(_, kind)| *kind)
    }

    /// Lines that make a CSV file of the file at this path.
    pub(crate) fn advice(self, file: &str) -> String {
        // In both languages a backslash in a string is doubled, and so are quotes.
        let path = file.replace('\\', "/").replace('"', "\\\"");
        let line = |text: &str| text.replace("FILE", &path);
        format!(
            "convert it, in R: {}; or in Python (pip install {}): {}",
            line(self.r),
            self.packages,
            line(self.python)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_the_file() {
        let stata = ForeignFile::of(Path::new("data/Survey.DTA")).unwrap();
        let advice = stata.advice("data/Survey.DTA");
        assert!(advice.contains("haven::read_dta(\"data/Survey.DTA\")"), "{advice}");
        assert!(
            advice.contains("pandas.read_stata(\"data/Survey.DTA\").to_csv(\"data/Survey.DTA.csv\""),
            "{advice}"
        );
        assert_eq!(ForeignFile::of(Path::new("x.csv")), None);
        // pandas.read_sas makes 5.4e-79 of zeros.
        let transport = ForeignFile::of(Path::new("x.xpt")).unwrap().advice("x.xpt");
        assert!(
            transport.contains("pip install pyreadstat") && transport.contains("read_xport(\"x.xpt\")[0]")
        );
    }

    #[test]
    fn spreadsheets_that_are_something_else_are_told_by_their_first_bytes() {
        let text = Some(Problem::Misnamed { what: "text", ending: ".csv" });
        assert_eq!(misnamed(b"a,b\n1,2\n", ZIPPED), text);
        assert_eq!(misnamed("größe\t".repeat(100).as_bytes(), OLD_EXCEL), text);
        assert_eq!(misnamed(b"\xef\xbb\xbf <table>", OLD_EXCEL), Some(Problem::WebPage));
        let newer = Some(Problem::Misnamed { what: "an Excel file of the newer kind", ending: ".xlsx" });
        assert_eq!(misnamed(b"PK\x03\x04xx", OLD_EXCEL), newer);
        for (bytes, expected) in [
            (&b"PK\x03\x04xx"[..], ZIPPED),
            (b"\xd0\xcf\x11\xe0\xa1", ZIPPED),
            (b"", ZIPPED),
            (b"a\0b", OLD_EXCEL),
        ] {
            assert_eq!(misnamed(bytes, expected), None, "{bytes:?}");
        }
    }
}
