//! Files as people have them: each is drafted, read by its draft and written again as a person would expect, or refused
//! with advice that works when it is followed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod sheets;

use std::fs;
use std::path::PathBuf;

use indistinct::table::{ColumnSchema, Schema, Table, Values};
use indistinct_io::{
    Draft, Encoding, ReadError, Source, TextOptions, draft_schema, parse_schema, read_comparable,
    write_declared,
};

/// Rows of every file: enough for the guesses of a draft.
const ROWS: usize = 120;

/// A folder with one file.
struct File {
    folder: tempfile::TempDir,
    name: String,
}

impl File {
    fn new(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), bytes).unwrap();
        Self { folder, name: name.to_owned() }
    }

    /// A file of a header and rows, given by their number.
    fn of(name: &str, header: &str, row: impl Fn(usize) -> String) -> Self {
        let rows: String = (0..ROWS).map(|number| row(number) + "\n").collect();
        Self::new(name, format!("{header}\n{rows}"))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    fn source(&self) -> Source {
        Source::open(&self.path()).unwrap_or_else(|error| panic!("{error}: {}", error.advice()))
    }

    fn refused(&self) -> ReadError {
        match Source::open(&self.path()).and_then(|source| draft_schema(&source).map(|_| ())) {
            Ok(()) => panic!("{} is read", self.name),
            Err(error) => error,
        }
    }

    /// The draft, which reads the file, and what is read is written and read again as the same.
    fn goes_in(&self) -> Drafted {
        let source = self.source();
        let draft = draft_schema(&source).unwrap_or_else(|error| panic!("{error}: {}", error.advice()));
        assert_eq!(parse_schema(&draft.to_toml()).as_ref(), Ok(&draft.schema), "{}", draft.to_toml());
        let table = source.read(&draft.schema).unwrap_or_else(|error| panic!("{error}\n{}", draft.to_toml()));
        let out = self.folder.path().join("again.csv");
        write_declared(&table, &draft.schema, &out).unwrap();
        let again = Source::open(&out).unwrap().read(&draft.schema.without_identifiers().unwrap()).unwrap();
        assert!(same(&table, &again), "{}", fs::read_to_string(&out).unwrap());
        // Compared without a schema, it is the same table.
        let (real, copies) = read_comparable(&source, &[source_of(&out)]).unwrap();
        for column in copies[0].columns() {
            let original = real.columns().iter().find(|own| own.name() == column.name()).unwrap();
            assert_eq!(original.values().missing(), column.values().missing(), "{}", column.name());
        }
        Drafted { draft, table, written: fs::read_to_string(&out).unwrap() }
    }
}

fn source_of(path: &std::path::Path) -> Source {
    Source::open(path).unwrap()
}

/// A file that was drafted and read.
struct Drafted {
    draft: Draft,
    table: Table,
    written: String,
}

impl Drafted {
    fn schema(&self) -> &Schema {
        &self.draft.schema
    }

    fn column(&self, name: &str) -> &ColumnSchema {
        self.schema().columns().iter().find(|column| column.name() == name).unwrap()
    }

    fn kind(&self, name: &str) -> &'static str {
        self.column(name).kind().word()
    }

    fn numbers(&self, name: &str) -> Vec<f64> {
        let column = self.table.columns().iter().find(|column| column.name() == name).unwrap();
        match column.values() {
            Values::Float(values) => values.clone(),
            Values::Integer(values) => values.iter().map(|&value| value as f64).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// The first row as it is written.
    fn first_row(&self) -> &str {
        self.written.lines().nth(1).unwrap()
    }
}

fn same(one: &Table, other: &Table) -> bool {
    let there = |values: &Values| match values {
        Values::Float(values) => {
            Values::Float(values.iter().map(|value| if value.is_nan() { -1e300 } else { *value }).collect())
        }
        other => other.clone(),
    };
    one.columns().iter().zip(other.columns()).all(|(one, other)| there(one.values()) == there(other.values()))
}

#[test]
fn separators_are_told_from_the_header() {
    for (mark, name) in
        [(";", "a.csv"), ("|", "a.csv"), ("\t", "a.csv"), ("\t", "a.txt"), (";", "a.txt"), (",", "a.tsv")]
    {
        let file = File::of(name, &["age", "sex"].join(mark), |row| {
            format!("{}{mark}{}", 20 + row % 60, ["F", "M"][row % 2])
        });
        let read = file.goes_in();
        assert_eq!((read.kind("age"), read.kind("sex")), ("integer", "nominal"), "{name} {mark:?}");
        assert_eq!(file.source().said().len(), 1);
        assert!(read.first_row() == format!("20{mark}F"), "{}", read.first_row());
    }
    let commas = File::of("a.csv", "age,sex", |row| format!("{},{}", 20 + row % 60, ["F", "M"][row % 2]));
    assert!(commas.source().said().is_empty() && commas.goes_in().schema().delimiter().is_none());
}

#[test]
fn numbers_with_marks_are_numbers() {
    let german = File::of("umsatz.csv", "betrag;anteil", |row| {
        format!("{}.{:03},{:02} €;{},5 %", 1 + row % 9, row * 7, row % 100, row % 50)
    });
    let read = german.goes_in();
    assert_eq!((read.kind("betrag"), read.column("betrag").decimals()), ("float", Some(2)));
    assert_eq!(read.numbers("betrag")[0], 1000.0);
    assert_eq!(read.first_row(), "1.000,00 €;0,5 %");
    let english = File::of("sales.csv", "price,share", |row| {
        format!("\"${},{:03}.50\",{}%", 1 + row % 9, row * 7, row % 50)
    });
    let read = english.goes_in();
    assert_eq!((read.numbers("price")[0], read.numbers("share")[3]), (1000.5, 3.0));
    assert_eq!(read.first_row(), "\"$1,000.50\",0%");
    let french = File::of("ventes.csv", "prix;n", |row| format!("{} {:03},5;{row}", 1 + row % 9, row * 7));
    assert_eq!(french.goes_in().numbers("prix")[1], 2007.5);
    let swiss = File::of("preise.csv", "preis;n", |row| format!("{}'{:03}.50;{row}", 1 + row % 9, row * 7));
    assert_eq!(swiss.goes_in().numbers("preis")[1], 2007.5);
    let tabs = File::of("mass.tsv", "x\ty", |row| format!("{},{}\t{}", row % 30, row % 10, row % 7));
    assert_eq!(tabs.goes_in().numbers("x")[11], 11.1);
    // Text stays text.
    let choices = File::of("choices.csv", "answers,n", |row| {
        format!("\"{}\",{}", ["1,2", "1,3", "2"][row % 3], row % 30)
    });
    assert_eq!(choices.goes_in().kind("answers"), "nominal");
}

#[test]
fn dates_and_times_of_many_orders() {
    let day = |row: usize| (1 + row % 12, 1 + row % 28, 1990 + row % 30);
    for (format, spell) in [
        (
            "%m/%d/%Y",
            Box::new(move |row: usize| {
                let (m, d, y) = day(row);
                format!("{m:02}/{d:02}/{y}")
            }) as Box<dyn Fn(usize) -> String>,
        ),
        (
            "%-m/%-d/%Y",
            Box::new(move |row| {
                let (m, d, y) = day(row);
                format!("{m}/{d}/{y}")
            }),
        ),
        (
            "%d/%m/%Y",
            Box::new(move |row| {
                let (m, d, y) = day(row);
                format!("{d:02}/{m:02}/{y}")
            }),
        ),
        (
            "%d.%m.%Y",
            Box::new(move |row| {
                let (m, d, y) = day(row);
                format!("{d:02}.{m:02}.{y}")
            }),
        ),
        (
            "%d.%m.%Y %H:%M",
            Box::new(move |row| {
                let (m, d, y) = day(row);
                format!("{d:02}.{m:02}.{y} {:02}:30", row % 24)
            }),
        ),
        ("%H:%M", Box::new(|row| format!("{:02}:{:02}", row % 24, row % 60))),
        (
            "%Y-%m-%d 00:00:00",
            Box::new(move |row| {
                let (m, d, y) = day(row);
                format!("{y}-{m:02}-{d:02} 00:00:00")
            }),
        ),
    ] {
        let file = File::of("d.csv", "when,n", |row| {
            format!("{},{}", if row == 7 { "NULL".to_owned() } else { spell(row) }, row % 40)
        });
        let read = file.goes_in();
        let found = match read.column("when").kind() {
            indistinct::table::ColumnType::Date { format }
            | indistinct::table::ColumnType::DateTime { format } => format.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(found, format);
        assert!(read.written.contains(&format!("\n{},", spell(3))), "{}", read.written);
        assert!(read.written.contains("\nNULL,7\n"), "{}", read.written);
    }
}

#[test]
fn words_for_missing_values_are_missing_and_written_as_they_were_read() {
    for word in ["NULL", ".", "None", "#N/A", "N", "n/a", "-", "NA", ""] {
        let file = File::of("m.csv", "income,n", |row| {
            format!(
                "{},{}",
                if row % 9 == 4 { word.to_owned() } else { (row * 37 % 1000).to_string() },
                row % 40
            )
        });
        let read = file.goes_in();
        assert_eq!(read.kind("income"), "integer", "{word}");
        assert_eq!(read.column("income").missing_spelling(), word);
        assert_eq!(
            read.written.lines().filter(|line| line.split(',').next() == Some(word)).count(),
            13,
            "{word}"
        );
    }
    let text =
        File::of("t.csv", "town,n", |row| format!("{},{}", ["York", "Bath", "NULL"][row % 3], row % 40));
    let read = text.goes_in();
    assert_eq!(read.column("town").kind().levels().unwrap().len(), 2);
    assert!(read.written.contains("\nNULL,"));
    let refused = File::of("e.csv", "income,n", |row| {
        format!("{},{}", if row == 5 { "secret".to_owned() } else { (row * 37).to_string() }, row % 40)
    })
    .refused();
    assert!(!refused.to_string().contains("secret") && refused.advice().contains("leave it empty"));
}

#[test]
fn zeros_in_front_stay() {
    let file = File::of("zip.csv", "zip,n", |row| format!("{:05},{}", 1000 + row * 31 % 40, row % 40));
    let read = file.goes_in();
    assert_eq!(read.kind("zip"), "nominal");
    assert_eq!(read.first_row(), "01000,0");
}

#[test]
fn levels_that_pandas_made_floats_are_the_same_levels() {
    let ints = File::of("i.csv", "code,n", |row| format!("{},{}", 1 + row % 4, row % 40));
    let floats = File::of("f.csv", "code,n", |row| {
        format!("{},{}", if row == 3 { String::new() } else { format!("{}.0", 1 + row % 4) }, row % 40)
    });
    let (by_ints, by_floats) = (ints.goes_in(), floats.goes_in());
    assert_eq!(by_ints.kind("code"), "ordered");
    for (schema, file) in [(by_ints.schema(), &floats), (by_floats.schema(), &ints)] {
        let table = file.source().read(schema).unwrap();
        let Values::Code(codes) = table.columns()[0].values() else { panic!() };
        assert_eq!(codes[..3], [0, 1, 2]);
    }
}

#[test]
fn encodings_and_line_breaks() {
    let text: String = std::iter::once("größe;ort\r\n".to_owned())
        .chain((0..ROWS).map(|row| format!("{},5;{}\r\n", row % 60, ["Köln", "Bärn"][row % 2])))
        .collect();
    let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(order).collect()
    };
    for bytes in [
        format!("\u{feff}{text}").into_bytes(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        text.replace("\r\n", "\r").into_bytes(),
    ] {
        let read = File::new("t.csv", bytes).goes_in();
        assert_eq!((read.kind("größe"), read.kind("ort")), ("float", "nominal"));
    }
    // Latin-1: refused with advice, which is followed.
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let file = File::new("t.csv", &latin);
    let advice = Source::open(&file.path()).unwrap_err().advice();
    let name = advice.split("--encoding ").nth(1).unwrap().split(' ').next().unwrap();
    let options = TextOptions { encoding: Encoding::of(name), ..TextOptions::default() };
    let source = Source::open_with(&file.path(), &options).unwrap();
    assert_eq!(source.names(), ["größe", "ort"]);
    assert_eq!(draft_schema(&source).unwrap().schema.columns()[1].kind().levels().unwrap()[1], "Köln");
    // UTF-16 without a mark.
    let bare: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = File::new("t.csv", &bare);
    let advice = Source::open(&file.path()).unwrap_err().advice();
    let name = advice.split("--encoding ").nth(1).unwrap().split(' ').next().unwrap();
    let options = TextOptions { encoding: Encoding::of(name), ..TextOptions::default() };
    assert!(Source::open_with(&file.path(), &options).is_ok());
}

#[test]
fn sheets_and_archives() {
    let expected = |read: &Drafted| {
        assert_eq!((read.kind("name"), read.kind("born"), read.kind("income")), ("nominal", "date", "float"));
        assert_eq!(read.numbers("income")[2], 2.5);
        assert!(read.first_row().starts_with("Ann & co,2001-01-01,0.5"), "{}", read.first_row());
    };
    expected(&File::new("t.xlsx", sheets::xlsx(ROWS)).goes_in());
    expected(&File::new("t.ods", sheets::ods(ROWS)).goes_in());
    let csv: String = std::iter::once("name;x\n".to_owned())
        .chain((0..ROWS).map(|row| format!("{};{}\n", ["a", "b"][row % 2], row % 37)))
        .collect();
    let zipped = File::new("t.zip", sheets::zip(&[("__MACOSX/t.csv", b"x"), ("data/t.csv", csv.as_bytes())]));
    assert_eq!(zipped.goes_in().schema().delimiter(), Some(';'));
    // Two tables: refused, and unpacked as it says.
    let two = File::new("two.zip", sheets::zip(&[("a.csv", csv.as_bytes()), ("b.csv", csv.as_bytes())]));
    let error = Source::open(&two.path()).unwrap_err();
    assert!(error.to_string().contains("2 text files") && error.advice().contains("unpack it"), "{error}");
    assert!(draft_schema(&File::new("a.csv", &csv).source()).is_ok());
}

#[test]
fn files_of_other_programs_are_refused_with_what_converts_them() {
    for (name, r, python) in [
        ("s.dta", "haven::read_dta(", "pandas.read_stata("),
        ("s.sav", "haven::read_spss(", "pandas.read_spss("),
        ("s.sas7bdat", "haven::read_sas(", "pandas.read_sas("),
        ("s.xpt", "haven::read_xpt(", "pyreadstat.read_xport("),
        ("s.rds", "readRDS(", "pyreadr.read_r("),
        ("s.RData", "load(", "pyreadr.read_r("),
        ("s.xls", "readxl::read_excel(", "pandas.read_excel("),
        ("s.jsonl", "jsonlite::stream_in(", "pandas.read_json("),
    ] {
        let advice = File::new(name, b"\0\x01").refused().advice();
        assert!(advice.contains(r) && advice.contains(python) && advice.contains(name), "{advice}");
        assert!(advice.contains(".csv"), "{advice}");
    }
    let unknown = File::new("table.dat", "a;b\n1;2\n").refused().advice();
    assert!(unknown.contains("rename") && unknown.contains(".csv"));
    assert_eq!(File::new("table.csv", "a;b\n1;2\n").source().names(), ["a", "b"]);
}
