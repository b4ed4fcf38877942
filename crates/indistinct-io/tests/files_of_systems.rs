//! Files that systems export: spaces that are not ASCII, days without end, months, durations, points in thousands, packed
//! files, and columns that hardly any draft can make something of.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod sheets;

use indistinct::table::{ColumnSchema, ColumnType, Invalid, Values};
use indistinct_io::{
    Draft, Format, ReadError, Source, draft_schema, parse_schema, read_comparable, write_declared,
};
use sheets::SheetCell;

const ROWS: usize = 120;

fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    std::iter::once(format!("{header}\n")).chain((0..ROWS).map(|number| row(number) + "\n")).collect()
}

fn open(text: impl AsRef<[u8]>) -> Source {
    Source::from_reader("t.csv", Format::CSV, text.as_ref()).unwrap()
}

/// The draft of a table, which reads it, and the table as it is written again.
fn again(source: &Source) -> (Draft, String) {
    let draft = draft_schema(source).unwrap_or_else(|error| panic!("{error}: {}", error.advice()));
    assert_eq!(parse_schema(&draft.to_toml()).as_ref(), Ok(&draft.schema), "{}", draft.to_toml());
    let table = source.read_measured(&draft.schema, Invalid::Refuse).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("again.csv");
    write_declared(&table, &draft.schema, &out).unwrap();
    let written = std::fs::read_to_string(&out).unwrap();
    (draft, written)
}

fn column<'a>(draft: &'a Draft, name: &str) -> &'a ColumnSchema {
    draft.schema.columns().iter().find(|column| column.name() == name).unwrap()
}

fn warning(draft: &Draft, name: &str) -> String {
    let place = draft.schema.columns().iter().position(|column| column.name() == name).unwrap();
    draft.notes[place].warning.clone().unwrap_or_default()
}

fn refused(name: &str, bytes: &[u8]) -> ReadError {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Source::open(&path).map(|_| ()).unwrap_err()
}

#[test]
fn spaces_of_web_pages_around_numbers_are_spaces() {
    let source = open(rows("n,x,g", |row| {
        format!("\u{a0}{}\u{a0},{}.5\u{202f},{}", row % 40, row % 30, ["\u{a0}", "a", "b"][row % 3])
    }));
    let (draft, written) = again(&source);
    assert_eq!(column(&draft, "n").kind(), &ColumnType::Integer);
    assert_eq!(column(&draft, "x").kind(), &ColumnType::Float);
    assert_eq!(
        column(&draft, "g").kind().levels().map(|levels| levels.to_vec()),
        Some(["a", "b"].map(str::to_owned).to_vec())
    );
    assert!(written.starts_with("n,x,g\n0,0.5,\n1,1.5,a\n"), "{written}");
    let table = source.read(&draft.schema).unwrap();
    assert_eq!(table.columns()[0].values().missing(), 0);
}

#[test]
fn days_without_end_are_a_value_of_their_own() {
    let text = rows("left,closed", |row| {
        let day = |month: usize| format!("2015-{:02}-{:02}", month % 12 + 1, row % 28 + 1);
        let end = |month: usize, open: bool| if open { "9999-12-31".to_owned() } else { day(month) };
        format!("{},{} 00:00:00.000", end(row, row % 7 == 0), end(row * 5, row % 11 == 0))
    });
    let (draft, written) = again(&open(&text));
    for name in ["left", "closed"] {
        assert!(matches!(column(&draft, name).kind(), ColumnType::Date { .. }), "{}", draft.to_toml());
    }
    assert_eq!(column(&draft, "left").atoms(), [2_932_896.0]);
    assert_eq!(written, text);
    // One moment of them would stretch the range of a column over all times.
    let text = rows("closed", |row| {
        if row % 7 == 0 {
            "9999-12-31 23:59:59".to_owned()
        } else {
            format!("2015-01-{:02} 10:30:{:02}", row % 28 + 1, row % 60)
        }
    });
    assert!(!matches!(column(&again(&open(text)).0, "closed").kind(), ColumnType::DateTime { .. }));
}

#[test]
fn parts_of_years_are_in_order_and_no_persons() {
    let source = open(rows("month,quarter,x", |row| {
        format!("20{:02}-{:02},{} Q{},{}", 10 + row % 9, row % 12 + 1, 2010 + row % 3, row % 4 + 1, row % 37)
    }));
    let (draft, _) = again(&source);
    for name in ["month", "quarter"] {
        let ColumnType::Ordered { levels } = column(&draft, name).kind() else {
            panic!("{}", draft.to_toml())
        };
        assert!(levels.windows(2).all(|pair| pair[0] < pair[1]), "{levels:?}");
    }
    // Year and season are the same in all rows of a month, as properties of persons are.
    let mut text = "month,year,season,x\n".to_owned();
    for row in 0..400 {
        let (year, month) = (row * 37 % 84 / 12, row * 37 % 12);
        text += &format!("{}-{:02},y{year},s{},{}\n", 2015 + year, month + 1, month / 3, row % 41);
    }
    let (draft, _) = again(&open(&text));
    assert!(matches!(column(&draft, "month").kind(), ColumnType::Ordered { .. }), "{}", draft.to_toml());
}

#[test]
fn points_mark_thousands_where_decimals_have_commas() {
    let text = rows("people;area", |row| format!("{}.{:03};{},{}", row % 9 + 1, row * 7, row % 50, row % 10));
    let source = open(&text);
    let (draft, written) = again(&source);
    assert_eq!(column(&draft, "people").kind(), &ColumnType::Integer, "{}", draft.to_toml());
    let table = source.read(&draft.schema).unwrap();
    let Values::Integer(values) = table.columns()[0].values() else { panic!() };
    assert_eq!(values[..2], [1000, 2007]);
    assert_eq!(written, text);
    // By itself it is a number with three decimals, with a question.
    let (draft, _) =
        again(&open(rows("people;n", |row| format!("{}.{:03};{}", row % 9 + 1, row * 7, row % 40))));
    assert_eq!(column(&draft, "people").kind(), &ColumnType::Float);
    assert!(draft.to_toml().contains("if it marks thousands"), "{}", draft.to_toml());
}

#[test]
fn few_different_numbers_are_levels_whether_they_are_whole_or_not() {
    let text = rows("dose,rate,x", |row| {
        format!("{},{},{}.5", ["0.5", "1.0", "2.5"][row % 3], ["0.07", "0.19"][row % 2], row % 40)
    });
    let (draft, written) = again(&open(&text));
    let levels = ["0.5", "1.0", "2.5"].map(str::to_owned);
    assert_eq!(column(&draft, "dose").kind(), &ColumnType::Ordered { levels: levels.to_vec().into() });
    assert_eq!(column(&draft, "rate").kind().levels().map(|levels| levels.len()), Some(2));
    assert_eq!(column(&draft, "x").kind(), &ColumnType::Float);
    assert_eq!(written, text);
    // Spellings of one number are one level.
    let source = open(rows("a,x", |row| format!("{},{}", ["-0", "0", "1.0", "1"][row % 4], row % 40)));
    assert_eq!(
        column(&again(&source).0, "a").kind(),
        &ColumnType::Boolean { when_false: "0".to_owned(), when_true: "1".to_owned() }
    );
}

#[test]
fn levels_that_hardly_any_row_has_are_told() {
    let source = open(rows("phone,dur,town,flag,weight", |row| {
        format!(
            "+1-555-{:04},{}:{:02},t{},{},{} kg",
            (row * 37) % 110,
            20 + row % 30,
            row % 60,
            row % 55,
            ["True", "true", "FALSE"][row % 3],
            50 + row % 40,
        )
    }));
    let (draft, _) = again(&source);
    assert_eq!(column(&draft, "phone").kind(), &ColumnType::Identifier);
    assert!(warning(&draft, "phone").contains("differ"));
    assert!(warning(&draft, "dur").contains("durations"), "{}", warning(&draft, "dur"));
    assert!(warning(&draft, "town").contains("group them"));
    assert!(warning(&draft, "flag").contains("lower case"));
    assert_eq!(column(&draft, "weight").kind(), &ColumnType::Integer);
    assert_eq!(column(&draft, "weight").notation().suffix, " kg");
}

#[test]
fn hours_of_france_and_full_minutes_are_written_as_they_were() {
    let text = rows("at,seen", |row| {
        format!(
            "{:02}h{:02},2021-03-{:02} {:02}:{:02}:00",
            row % 24,
            row % 60,
            row % 28 + 1,
            row % 24,
            (row * 7) % 60
        )
    });
    let (draft, written) = again(&open(&text));
    assert!(draft.to_toml().contains("%Hh%M") && draft.to_toml().contains(":00\""), "{}", draft.to_toml());
    assert_eq!(written, text);
}

#[test]
fn a_line_for_excel_is_read_past() {
    let source =
        open(format!("\u{feff}sep=;\r\n{}", rows("a;b", |row| format!("{};1,{}", row % 40, row % 30))));
    assert_eq!(source.names(), ["a", "b"]);
    let (draft, _) = again(&source);
    assert_eq!(draft.schema.delimiter(), Some(';'));
}

#[test]
fn sheets_with_durations_and_with_dates_as_text() {
    let header = ["dur", "day"].map(SheetCell::Text).to_vec();
    let row = |row: usize| {
        let day = [SheetCell::Hours(24 * (row % 30) as u32), SheetCell::Text("2001-02-14")]
            [usize::from(row.is_multiple_of(4))];
        vec![SheetCell::Duration(90 + 35 * row as u32), day]
    };
    let cells: Vec<Vec<SheetCell>> = std::iter::once(header).chain((0..ROWS).map(row)).collect();
    for (format, bytes) in [(Format::Xlsx, sheets::xlsx_of(&cells)), (Format::Ods, sheets::ods_of(&cells))] {
        let source = Source::from_reader("t", format, bytes.as_slice()).unwrap();
        let (draft, written) = again(&source);
        assert!(matches!(column(&draft, "day").kind(), ColumnType::Date { .. }), "{}", draft.to_toml());
        assert!(warning(&draft, "dur").contains("durations"), "{}", draft.to_toml());
        assert!(written.starts_with("dur,day\n01:30:00,2001-02-14\n02:05:00,2001-01-02\n"), "{written}");
    }
}

#[test]
fn what_is_not_text_and_what_is_not_unpacked_is_refused_with_what_to_do() {
    for (name, bytes, advice) in [
        ("t.csv", &b"PAR1\x15\x04"[..], ".parquet"),
        ("t.csv", b"\xd0\xcf\x11\xe0\xa1\xb1", ".xls"),
        ("t.csv", b"BZh91AY", ".bz2"),
        ("t.csv.bz2", b"BZh91AY", "bunzip2 --keep"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd", "unzstd"),
        ("t.tar.gz", b"\x1f\x8b", "tar xf"),
        ("t.csv", b"a,b\n1,\0\n", "tr -d '\\000'"),
        ("t.csv", b"a,b\n1,2\n\n3,4\n", "blank lines"),
        ("t.zip", &sheets::zip(&[("t.xlsx", b"x")]), "name the file that has the table"),
    ] {
        let error = match name {
            "t.csv" if bytes.starts_with(b"a,b") => draft_schema(&open(bytes)).unwrap_err(),
            _ => refused(name, bytes),
        };
        assert!(error.advice().contains(advice), "{name}: {error}: {}", error.advice());
    }
    let empty = sheets::xlsx_of(&[]);
    assert!(refused("t.xlsx", &empty).advice().contains("move the sheet"));
}

#[test]
fn texts_of_other_spellings_are_compared_as_what_they_are() {
    let spaced = open(rows("n", |row| format!("\u{a0}{}", row % 40)));
    let plain = open(rows("n", |row| (row % 40).to_string()));
    let (real, copies) = read_comparable(&spaced, &[plain]).unwrap();
    assert_eq!(real.columns()[0].values(), copies[0].columns()[0].values());
}

#[test]
fn money_is_read_whatever_letters_its_marks_have() {
    let source = open(rows("a,b,c,d", |row| {
        let (whole, cents) = (row % 60, row % 100);
        let (other, third) = (row * 7 % 53, row * 11 % 59);
        format!("EUR {whole},{other}EUR,kr.{whole}.{cents:02},{third}.-")
    }));
    let (draft, written) = again(&source);
    for name in ["a", "b", "d"] {
        assert_eq!(column(&draft, name).kind(), &ColumnType::Integer, "{name}");
    }
    assert_eq!(column(&draft, "c").kind(), &ColumnType::Float);
    assert!(written.starts_with("a,b,c,d\nEUR 0,0EUR,kr.0.00,0.-\nEUR 1,7EUR,kr.1.01,11.-\n"), "{written}");
}

#[test]
fn sheets_that_are_something_else_are_told() {
    let says = |name: &str, bytes: &[u8]| {
        let error = refused(name, bytes);
        format!("{error}; {}", error.advice())
    };
    assert!(says("t.xls", b"<html><table>").contains("web page"));
    assert!(says("t.xls", &sheets::xlsx(3)).contains("ends in .xlsx"));
    assert!(says("t.xls", b"a\tb\n1\t2\n").contains("ends in .csv"));
    assert!(says("t.xlsx", b"a,b\n1,2\n").contains("ends in .csv"));
    assert!(says("t.xls", b"\xd0\xcf\x11\xe0\xa1").contains("pip install pandas xlrd"));
    assert!(says("t.xlsb", &sheets::xlsx(3)).contains("pyxlsb"));
}

#[test]
fn advice_fits_what_systems_write() {
    let advice = |text: &str| draft_schema(&open(text)).unwrap_err().advice();
    assert!(advice("\"age\",\"sex\"\n\"1\",31,\"F\"\n\"2\",64,\"M\"\n").contains("row.names = FALSE"));
    let numbers: String = (0..99).map(|row| format!("{row},{}\n", row % 7)).collect();
    assert!(advice(&format!("age,height\nyears,cm\n{numbers}")).contains("second header line"));
    assert!(advice(&format!("age,height\n{numbers}Total,500\n")).contains("below the table"));
    assert!(advice(&format!("age,height\n{numbers}Source: office\n")).contains("below the table"));
    let quoted = |text: &str| {
        Source::from_reader("t.csv", Format::CSV, text.as_bytes()).and_then(|source| draft_schema(&source))
    };
    assert!(quoted("a,b\n33, \"m\"\n").unwrap_err().advice().contains("spaces before a quote"));
    assert!(advice("Survey, wave 3, 2021\n1,2,3\n").contains("lines above the header"));
}

#[test]
fn separators_behind_the_last_column_are_read_past() {
    let source = open(rows("a,b,,,", |row| format!("{},{},,,", row % 40, row % 30)));
    assert!(source.said()[0].contains("3 columns up to `column5`"), "{:?}", source.said());
    let draft = draft_schema(&source).unwrap();
    assert_eq!(column(&draft, "column4").kind(), &ColumnType::Identifier);
    let (real, copies) =
        read_comparable(&source, &[open(rows("a,b", |row| format!("{},{}", row % 40, row % 30)))]).unwrap();
    assert_eq!(real, copies[0]);
    let filled = open("Survey,2021 b,,,\na,b,c,d,e\n1,2,3,4,5\n");
    assert!(draft_schema(&filled).is_err());
}

#[test]
fn formulas_without_values_are_told() {
    let mut cells = vec![vec![SheetCell::Text("age"), SheetCell::Text("twice")]];
    cells.extend((0..30).map(|row| vec![SheetCell::Number(f64::from(row % 9)), SheetCell::Empty]));
    let source = Source::from_reader("t.xlsx", Format::Xlsx, sheets::xlsx_of(&cells).as_slice()).unwrap();
    let draft = draft_schema(&source).unwrap();
    assert!(warning(&draft, "twice").contains("open the file in Excel"), "{}", warning(&draft, "twice"));
}
