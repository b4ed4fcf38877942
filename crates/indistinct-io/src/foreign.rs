//! Files of other programs, which are not read: how to convert them.

use std::path::Path;

/// A kind of file that is not read here, and who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForeignFile {
    /// The kind of file, as in `a Stata file`.
    pub what: &'static str,
    /// A line of R that makes a CSV file of `FILE`.
    r: &'static str,
    /// Lines of Python that do so.
    python: &'static str,
}

/// The end of a line of R.
macro_rules! written_by_r {
    ($read:literal) => {
        concat!("write.csv(", $read, ", \"FILE.csv\", row.names = FALSE, na = \"\")")
    };
}

/// Endings of names, in lower case, and what such files are.
const FOREIGN: [(&[&str], ForeignFile); 10] = [
    (
        &[".dta"],
        ForeignFile {
            what: "a Stata file",
            r: written_by_r!("haven::as_factor(haven::read_dta(\"FILE\"))"),
            python: "import pandas; pandas.read_stata(\"FILE\").to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".sav", ".zsav"],
        ForeignFile {
            what: "an SPSS file",
            r: written_by_r!("haven::as_factor(haven::read_spss(\"FILE\"))"),
            python: "import pandas; pandas.read_spss(\"FILE\").to_csv(\"FILE.csv\", index=False)  # with pyreadstat installed",
        },
    ),
    (
        &[".por"],
        ForeignFile {
            what: "a portable file of SPSS",
            r: written_by_r!("haven::as_factor(haven::read_por(\"FILE\"))"),
            python: "import pyreadstat; pyreadstat.read_por(\"FILE\", apply_value_formats=True)[0].to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".sas7bdat"],
        ForeignFile {
            what: "a SAS file",
            r: written_by_r!("haven::read_sas(\"FILE\")"),
            python: "import pandas; pandas.read_sas(\"FILE\", encoding=\"infer\").to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".xpt"],
        ForeignFile {
            what: "a SAS transport file",
            r: written_by_r!("haven::read_xpt(\"FILE\")"),
            python: "import pandas; pandas.read_sas(\"FILE\", encoding=\"utf-8\").to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".rds"],
        ForeignFile {
            what: "a file of R",
            r: written_by_r!("readRDS(\"FILE\")"),
            python: "import pyreadr; next(iter(pyreadr.read_r(\"FILE\").values())).to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".rda", ".rdata"],
        ForeignFile {
            what: "a file of R",
            r: written_by_r!("get(load(\"FILE\"))"),
            python: "import pyreadr; next(iter(pyreadr.read_r(\"FILE\").values())).to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".xls", ".xlsb"],
        ForeignFile {
            what: "an old or binary Excel file",
            r: written_by_r!("readxl::read_excel(\"FILE\")"),
            python: "import pandas; pandas.read_excel(\"FILE\").to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".json"],
        ForeignFile {
            what: "a JSON file",
            r: written_by_r!("jsonlite::fromJSON(\"FILE\", flatten = TRUE)"),
            python: "import pandas; pandas.read_json(\"FILE\").to_csv(\"FILE.csv\", index=False)",
        },
    ),
    (
        &[".jsonl", ".ndjson"],
        ForeignFile {
            what: "a file of JSON lines",
            r: written_by_r!("jsonlite::stream_in(file(\"FILE\"))"),
            python: "import pandas; pandas.read_json(\"FILE\", lines=True).to_csv(\"FILE.csv\", index=False)",
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
        format!("convert it, in R: {}; or in Python: {}", line(self.r), line(self.python))
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
    }
}
