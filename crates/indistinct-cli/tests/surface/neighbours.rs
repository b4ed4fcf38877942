//! Tables of every kind of column, and neighbours that differ in one row, or one person, by all that a row can hold.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use indistinct_io::{Format, Source, parse_schema, write_to};

use super::sheets::{SheetCell, ods_of, xlsx_of, zip};

/// A private table as text, with what it takes to write it in another format.
pub(super) struct Table {
    text: String,
    schema: &'static str,
}

impl Table {
    /// Writes the table in the format of the file's ending.
    pub(super) fn write(&self, path: &Path) {
        let mut file = std::fs::File::create(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".csv") {
            file.write_all(self.text.as_bytes()).unwrap();
        } else if name.ends_with(".tsv") {
            file.write_all(self.text.replace(',', "\t").as_bytes()).unwrap();
        } else if name.ends_with(".zip") {
            file.write_all(&zip(&[("private.csv", self.text.as_bytes())])).unwrap();
        } else if name.ends_with(".xlsx") {
            file.write_all(&xlsx_of(&self.cells())).unwrap();
        } else if name.ends_with(".ods") {
            file.write_all(&ods_of(&self.cells())).unwrap();
        } else {
            let source = Source::from_reader(
                "private.csv",
                Format::of(Path::new("private.csv")).unwrap(),
                self.text.as_bytes(),
            )
            .unwrap();
            let table = source.read(&parse_schema(self.schema).unwrap()).unwrap();
            write_to(&table, Format::of(path).unwrap(), &mut file).unwrap();
        }
    }

    /// The cells as a person would type them into a sheet.
    fn cells(&self) -> Vec<Vec<SheetCell>> {
        self.text.lines().map(|line| line.split(',').map(sheet_cell).collect()).collect()
    }
}

fn sheet_cell(text: &str) -> SheetCell {
    let moment = || {
        let (day, time) = text.strip_prefix("2001-01-")?.split_at_checked(2)?;
        let hour = time.get(1..3).map_or(Ok(0), str::parse).ok()?;
        Some(24 * (day.parse::<u32>().ok()? - 1) + hour)
    };
    match (moment(), text.parse::<f64>()) {
        _ if text.is_empty() => SheetCell::Empty,
        (Some(hours), _) => SheetCell::Hours(hours),
        (None, Ok(number)) => SheetCell::Number(number),
        (None, Err(_)) => SheetCell::Text(text.to_owned().leak()),
    }
}

/// Tables that share a schema.
pub(super) struct Case {
    pub(super) schema: &'static str,
    header: &'static str,
    /// Rows that are repeated, each with its number put in the place of `#`.
    rows: &'static [&'static str],
    /// What the last rows are in neighbours.
    others: &'static [&'static [&'static str]],
}

const REPEATS: usize = 40;

impl Case {
    fn written(&self, last: &[&str]) -> Table {
        let mut text = format!("{}\n", self.header);
        for repeat in 0..REPEATS {
            for row in self.rows {
                _ = writeln!(text, "{}", row.replace('#', &repeat.to_string()));
            }
        }
        for row in last {
            _ = writeln!(text, "{row}");
        }
        Table { text, schema: self.schema }
    }

    pub(super) fn table(&self) -> Table {
        self.written(self.others[0])
    }

    /// Tables with other last rows.
    pub(super) fn neighbours(&self) -> Vec<Table> {
        self.others[1..].iter().map(|last| self.written(last)).collect()
    }

    /// A table of fewer rows, which is no neighbour.
    pub(super) fn shortened(&self) -> Table {
        self.written(&[])
    }

    /// A header and nothing else.
    pub(super) fn no_rows(&self) -> Table {
        Table { text: format!("{}\n", self.header), schema: self.schema }
    }

    /// A header and a row.
    pub(super) fn one_row(&self) -> Table {
        let row = self.rows[0].replace('#', "0");
        Table { text: format!("{}\n{row}\n", self.header), schema: self.schema }
    }
}

pub(super) const PEOPLE: Case = Case {
    schema: r#"version = 1
[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 99
[[column]]
name = "income"
type = "float"
decimals = 2
atoms = [0]
[[column]]
name = "height"
type = "float"
[[column]]
name = "job"
type = "nominal"
levels = ["clerk", "cook", "none", "pilot"]
[[column]]
name = "school"
type = "ordered"
levels = ["low", "middle", "high"]
[[column]]
name = "since"
type = "date"
[[column]]
name = "seen"
type = "datetime"
[[column]]
name = "smoker"
type = "boolean"
"#,
    header: "age,income,height,job,school,since,seen,smoker",
    rows: &[
        "#,1#.50,1.7#,clerk,low,2020-02-10,2020-02-11T10:00:00,true",
        "4#,0,1.6#,cook,middle,2001-12-21,2021-02-11T10:00:00,false",
        "3#,250.25,1.8#,none,low,2011-07-04,2022-02-11T11:00:00,true",
        "NA,12.5,NA,cook,NA,,2022-02-11T11:00:00,NA",
    ],
    others: &[
        &["40,17.25,1.75,clerk,low,2010-01-01,2020-02-11T10:00:00,true"],
        &[",,,,,,,"],
        &["99,123456789.01,1e300,pilot,high,9999-12-31,0001-01-01T00:00:00,false"],
        &["-5,0,-5e-324,none,low,0001-01-01,2020-02-11T10:00:00,NA"],
    ],
};

pub(super) const NUMBERS: Case = Case {
    schema: "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"k\"\ntype = \"integer\"\n",
    header: "x,k",
    rows: &["1#.5,3", "2#.25,#", "#,4", "-3.5,1"],
    others: &[&["5.5,2"], &[","], &["1e300,-9007199254740993"], &["5e-324,0"], &["-1.7976931348623157e308,"]],
};

/// The last three rows are one person's.
pub(super) const PERSONS: Case = Case {
    schema: r#"version = 1
[[column]]
name = "id"
type = "identifier"
[[column]]
name = "visits"
type = "integer"
[[column]]
name = "ward"
type = "nominal"
levels = ["a", "b", "c"]
"#,
    header: "id,visits,ward",
    rows: &["p#,1#,a", "p#,3,b", "q#,#,a"],
    others: &[
        &["last,1,a", "last,2,a", "last,3,b"],
        &["someone else,,", "someone else,9007199254740993,c", "someone else,-7,c"],
        &["1e+05,4,c", "100000,5,c", "100000.0,6,c"],
    ],
};

/// Moments as sheets have them: days are moments at midnight, and one column has nothing else but for the last row.
pub(super) const SHEET: Case = Case {
    schema: r#"version = 1
[[column]]
name = "day"
type = "date"
[[column]]
name = "noted"
type = "datetime"
[[column]]
name = "seen"
type = "datetime"
[[column]]
name = "k"
type = "integer"
[[column]]
name = "ward"
type = "nominal"
levels = ["a", "b", "2001-01-02"]
"#,
    header: "day,noted,seen,k,ward",
    rows: &[
        "2001-01-10,2001-01-11,2001-01-11T10:00:00,#,a",
        "2001-01-12,2001-01-19,2001-01-11,3,2001-01-02",
        ",2001-01-21,2001-01-20T09:00:00,#,a",
        "2001-01-05,,2001-01-02T11:00:00,4,NA",
    ],
    others: &[
        &["2001-01-05,2001-01-05,2001-01-05,1,a"],
        &["2001-01-05T07:00:00,2001-01-05T07:00:00,2001-01-05T07:00:00,1,2001-01-02T05:00:00"],
        &[",,,,b"],
        &["never,7,1e300,2001-01-05,pilot"],
    ],
};

/// An only column, whose missing values are blank lines.
pub(super) const ONLY: Case = Case {
    schema: "version = 1\n[[column]]\nname = \"k\"\ntype = \"integer\"\n",
    header: "k",
    rows: &["#", "", "4#", ""],
    others: &[&["", "", "5"], &["", "", ""], &["", "", "many"]],
};
