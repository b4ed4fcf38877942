//! With a schema, what a row is read as follows from this row alone, whatever other rows are in the file: the ground of every
//! guarantee, which speaks of tables that differ in a row.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod sheets;

use indistinct::table::{Table, Values};
use indistinct_io::{Format, Invalid, Source, parse_schema};
use proptest::prelude::*;
use sheets::{SheetCell, ods_of, xlsx_of};

const SCHEMA: &str = r#"version = 1
[[column]]
name = "k"
type = "integer"
[[column]]
name = "day"
type = "date"
[[column]]
name = "at"
type = "datetime"
[[column]]
name = "level"
type = "nominal"
levels = ["a", "7", "2001-01-02"]
"#;
const NAMES: [&str; 4] = ["k", "day", "at", "level"];

/// The rows of a table, cell by cell.
fn rows(table: &Table) -> Vec<Vec<String>> {
    let cell = |values: &Values, row: usize| match values {
        Values::Float(values) => format!("{:016x}", values[row].to_bits()),
        Values::Integer(values) | Values::DateTime(values) => values[row].to_string(),
        Values::Date(values) => values[row].to_string(),
        Values::Code(values) => values[row].to_string(),
    };
    let of_row = |row| table.columns().iter().map(|column| cell(column.values(), row)).collect();
    (0..table.rows()).map(of_row).collect()
}

fn read(name: &str, bytes: &[u8], schema: &str) -> Vec<Vec<String>> {
    let source = Source::from_reader(name, Format::of(name.as_ref()).unwrap(), bytes).unwrap();
    rows(&source.read_measured(&parse_schema(schema).unwrap(), Invalid::Missing).unwrap())
}

/// All rows as they are read together, and one after the other.
fn together_and_alone<R>(
    rows: &[R],
    read: impl Fn(&[&R]) -> Vec<Vec<String>>,
) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    (read(&rows.iter().collect::<Vec<_>>()), rows.iter().flat_map(|row| read(&[row])).collect())
}

fn sheet_cell() -> impl Strategy<Value = SheetCell> {
    prop_oneof![
        Just(SheetCell::Empty),
        prop::sample::select(vec!["a", "7", "2001-01-02", "2001-01-02T00:00:00", "NA", " ", "1e999"])
            .prop_map(SheetCell::Text),
        prop::sample::select(vec![0.0, 7.0, 2.5, 36893.0, 1e300]).prop_map(SheetCell::Number),
        (0_u32..30).prop_map(|day| SheetCell::Hours(24 * day)),
        (0_u32..700).prop_map(SheetCell::Hours),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_of_sheets(cells in prop::collection::vec(prop::collection::vec(sheet_cell(), 4), 1..12)) {
        let header = NAMES.map(SheetCell::Text).to_vec();
        for (name, write) in [("t.xlsx", xlsx_of as fn(&[Vec<SheetCell>]) -> Vec<u8>), ("t.ods", ods_of)] {
            let (together, alone) = together_and_alone(&cells, |rows| {
                let all: Vec<_> = std::iter::once(&header).chain(rows.iter().copied()).cloned().collect();
                read(name, &write(&all), SCHEMA)
            });
            prop_assert_eq!(together, alone, "{}", name);
        }
    }

    #[test]
    fn rows_of_texts(
        cells in prop::collection::vec(
            prop::collection::vec("|a|7|07|7\\.0|NA|2001-01-02|2001-01-02T(00|12):00:00|-?1e(999|-999)|9007199254740993|\"a\"|\"\"", 4),
            1..12,
        ),
        columns in 1_usize..5,
        end in "\r?\n",
    ) {
        let text = |cells: &[&[String]]| -> String { cells.iter().map(|row| row.join(",") + &end).collect() };
        let header: Vec<String> = NAMES[4 - columns..].iter().map(|name| (*name).to_owned()).collect();
        let kept = SCHEMA.split("[[column]]").skip(5 - columns).map(|column| format!("[[column]]{column}"));
        let schema = format!("version = 1\n{}", kept.collect::<String>());
        let cells: Vec<Vec<String>> = cells.iter().map(|row| row[4 - columns..].to_vec()).collect();
        let (together, alone) = together_and_alone(&cells, |rows| {
            let all: Vec<&[String]> =
                std::iter::once(header.as_slice()).chain(rows.iter().map(|row| row.as_slice())).collect();
            read("t.csv", text(&all).as_bytes(), &schema)
        });
        prop_assert_eq!(together, alone);
    }
}
