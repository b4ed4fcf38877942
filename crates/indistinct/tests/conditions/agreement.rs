//! Columnar evaluation agrees with a naive interpreter, row by row, on random tables and random conditions.

use indistinct::table::{
    Column, Condition, MISSING_CODE, MISSING_DATE, MISSING_INTEGER, Schema, Table, Values,
};
use proptest::prelude::*;

use super::schema;

/// A number as a tree of the test's own.
#[derive(Debug, Clone)]
enum Number {
    Literal(i32),
    Column(&'static str),
    Add(Box<Number>, Box<Number>),
    Subtract(Box<Number>, Box<Number>),
    Multiply(Box<Number>, Box<Number>),
    /// Days between two dates.
    Days(&'static str, &'static str),
}

/// A condition likewise.
#[derive(Debug, Clone)]
enum Tree {
    Numbers(&'static str, Number, Number),
    Text(&'static str, &'static str, &'static str),
    Columns(&'static str, &'static str, &'static str),
    AnyOf(&'static str, Vec<&'static str>),
    Date(&'static str, i32, &'static str),
    Missing(&'static str),
    Truth(&'static str),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

impl Number {
    fn text(&self) -> String {
        match self {
            Self::Literal(number) => number.to_string(),
            Self::Column(name) => format!("`{name}`"),
            Self::Add(a, b) => format!("({} + {})", a.text(), b.text()),
            Self::Subtract(a, b) => format!("({} - {})", a.text(), b.text()),
            Self::Multiply(a, b) => format!("{} * {}", a.text(), b.text()),
            Self::Days(a, b) => format!("({a} - {b})"),
        }
    }

    fn value(&self, row: &Row<'_>) -> Option<f64> {
        match self {
            Self::Literal(number) => Some(f64::from(*number)),
            Self::Column(name) => row.number(name),
            Self::Add(a, b) => Some(a.value(row)? + b.value(row)?),
            Self::Subtract(a, b) => Some(a.value(row)? - b.value(row)?),
            Self::Multiply(a, b) => Some(a.value(row)? * b.value(row)?),
            Self::Days(a, b) => Some(row.number(a)? - row.number(b)?),
        }
    }
}

/// One row of a table.
struct Row<'a> {
    table: &'a Table,
    row: usize,
}

impl Row<'_> {
    fn number(&self, name: &str) -> Option<f64> {
        let values = self.table.column(name).unwrap().values();
        if values.is_missing(self.row) {
            return None;
        }
        Some(match values {
            Values::Float(values) => values[self.row],
            Values::Integer(values) | Values::DateTime(values) => values[self.row] as f64,
            Values::Code(values) => f64::from(values[self.row]),
            Values::Date(values) => f64::from(values[self.row]),
        })
    }

    /// A category's spelling.
    fn spelling(&self, name: &str) -> Option<String> {
        let code = self.number(name)? as usize;
        Some(self.table.column(name).unwrap().schema().kind().levels().unwrap()[code].clone())
    }
}

fn compared(operator: &str, ordering: std::cmp::Ordering) -> bool {
    match operator {
        "==" => ordering.is_eq(),
        "!=" => ordering.is_ne(),
        "<" => ordering.is_lt(),
        "<=" => ordering.is_le(),
        ">" => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Numbers(operator, a, b) => format!("{} {operator} {}", a.text(), b.text()),
            Self::Text(operator, column, level) => format!("{column} {operator} '{level}'"),
            Self::Columns(operator, a, b) => format!("{a} {operator} {b}"),
            Self::AnyOf(column, levels) => {
                let levels: Vec<String> = levels.iter().map(|level| format!("'{level}'")).collect();
                format!("{column} in ({})", levels.join(", "))
            }
            Self::Date(column, days, operator) => {
                format!("{column} + {days} {operator} '1970-01-11'")
            }
            Self::Missing(column) => format!("`{column}` is missing"),
            Self::Truth(column) => (*column).to_owned(),
            Self::Not(inner) => format!("not ({})", inner.text()),
            Self::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Self::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, row: &Row<'_>) -> Option<bool> {
        match self {
            Self::Numbers(operator, a, b) => {
                Some(compared(operator, a.value(row)?.partial_cmp(&b.value(row)?)?))
            }
            Self::Text(operator, column, level) => {
                let kind = row.table.column(column).unwrap().schema().kind();
                let place = |text: &str| kind.levels().unwrap().iter().position(|level| level == text);
                Some(compared(operator, place(&row.spelling(column)?).cmp(&place(level))))
            }
            Self::Columns(operator, a, b) => {
                Some(compared(operator, row.spelling(a)?.cmp(&row.spelling(b)?)))
            }
            Self::AnyOf(column, levels) => Some(levels.contains(&row.spelling(column)?.as_str())),
            Self::Date(column, days, operator) => {
                let day = row.number(column)? as i64 + i64::from(*days);
                Some(compared(operator, day.cmp(&10)))
            }
            Self::Missing(column) => Some(row.table.column(column).unwrap().values().is_missing(row.row)),
            Self::Truth(column) => Some(row.number(column)? == 1.0),
            Self::Not(inner) => inner.holds(row).map(|truth| !truth),
            Self::And(a, b) => match (a.holds(row), b.holds(row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Self::Or(a, b) => match (a.holds(row), b.holds(row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

const OPERATORS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

fn numbers() -> impl Strategy<Value = Number> {
    let dates = || prop::sample::select(vec!["born", "died"]);
    let leaf = prop_oneof![
        (-3_i32..4).prop_map(Number::Literal),
        prop::sample::select(vec!["x", "y", "age", "odd name"]).prop_map(Number::Column),
        (dates(), dates()).prop_map(|(a, b)| Number::Days(a, b)),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            pair().prop_map(|(a, b)| Number::Add(a, b)),
            pair().prop_map(|(a, b)| Number::Subtract(a, b)),
            pair().prop_map(|(a, b)| Number::Multiply(a, b)),
        ]
    })
}

fn trees() -> impl Strategy<Value = Tree> {
    let any = || prop::sample::select(OPERATORS.to_vec());
    let equality = || prop::sample::select(vec!["==", "!="]);
    let column = prop::sample::select(vec!["x", "age", "sex", "born", "smoker", "odd name", "seen"]);
    let leaf = prop_oneof![
        (any(), numbers(), numbers()).prop_map(|(operator, a, b)| Tree::Numbers(operator, a, b)),
        (equality(), prop::sample::select(vec!["F", "M"]))
            .prop_map(|(op, level)| Tree::Text(op, "sex", level)),
        (any(), prop::sample::select(vec!["low", "middle", "high"]))
            .prop_map(|(operator, level)| Tree::Text(operator, "grade", level)),
        equality().prop_map(|operator| Tree::Columns(operator, "sex", "partner")),
        equality().prop_map(|operator| Tree::Columns(operator, "partner", "sex")),
        prop::collection::vec(prop::sample::select(vec!["M", "F", "other"]), 1..3)
            .prop_map(|levels| Tree::AnyOf("partner", levels)),
        (prop::sample::select(vec!["born", "died"]), -5..5, any())
            .prop_map(|(column, days, operator)| Tree::Date(column, days, operator)),
        column.prop_map(Tree::Missing),
        prop::sample::select(vec!["smoker", "drinker"]).prop_map(Tree::Truth),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            inner.clone().prop_map(|inner| Tree::Not(Box::new(inner))),
            pair().prop_map(|(a, b)| Tree::And(a, b)),
            pair().prop_map(|(a, b)| Tree::Or(a, b)),
        ]
    })
}

/// Rows with small numbers, so that comparisons come out either way, and a missing value now and then.
fn random_table(schema: &Schema, cells: &[u8]) -> Table {
    let rows = cells.len() / 14;
    let columns = schema.columns()[..14].iter().enumerate().map(|(position, column)| {
        let cell = |row: usize| cells[row * 14 + position];
        let small = |row: usize| i64::from(cell(row) % 7) - 3;
        let missing = |row: usize| cell(row) >= 224;
        let rows = 0..rows;
        let values = match Values::kind_of(column) {
            'f' => Values::Float(
                rows.map(|row| if missing(row) { f64::NAN } else { small(row) as f64 / 2.0 }).collect(),
            ),
            'i' => Values::Integer(
                rows.map(|row| if missing(row) { MISSING_INTEGER } else { small(row) }).collect(),
            ),
            'd' => Values::Date(
                rows.map(|row| if missing(row) { MISSING_DATE } else { small(row) as i32 + 10 }).collect(),
            ),
            'm' => Values::DateTime(
                rows.map(|row| if missing(row) { MISSING_INTEGER } else { small(row) * 1_000_000 }).collect(),
            ),
            _ => {
                let levels = column.kind().levels().map_or(2, |levels| levels.len()) as u32;
                let code =
                    |row: usize| if missing(row) { MISSING_CODE } else { u32::from(cell(row)) % levels };
                Values::Code(rows.map(code).collect())
            }
        };
        Column::new(column.clone(), values)
    });
    Table::new(columns.collect()).unwrap()
}

trait KindOf {
    fn kind_of(column: &indistinct::table::ColumnSchema) -> char;
}

impl KindOf for Values {
    fn kind_of(column: &indistinct::table::ColumnSchema) -> char {
        match column.kind().word() {
            "float" => 'f',
            "integer" => 'i',
            "date" => 'd',
            "datetime" => 'm',
            _ => 'c',
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_columns_say_what_the_rows_say(tree in trees(), cells in prop::collection::vec(any::<u8>(), 14..400)) {
        let schema = schema();
        let table = random_table(&schema, &cells);
        let text = tree.text();
        let condition = Condition::parse(&text, &schema);
        prop_assert!(condition.is_ok(), "{}: {:?}", text, condition);
        let expected: Vec<Option<bool>> =
            (0..table.rows()).map(|row| tree.holds(&Row { table: &table, row })).collect();
        prop_assert_eq!(condition.unwrap().holds(&table), expected, "{}", text);
    }
}
