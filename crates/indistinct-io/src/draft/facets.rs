//! The values of all columns in one form, to look for what holds between them.

use indistinct::table::moment::MomentFormat;
use indistinct::table::{ColumnSchema, ColumnType, MISSING_CODE, round_to_decimals};
use rustc_hash::FxHashMap;

use super::present::numbers;
use crate::cells::number::trim_spaces;
use crate::plain::PlainValues;

/// Words of the language of conditions, which are no names without back-quotes.
const RESERVED: [&str; 13] =
    ["and", "or", "not", "in", "is", "missing", "true", "false", "when", "if", "then", "else", "lookup"];

/// Facts about the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Numbers, with this many decimals if that is known.
    Number { whole: bool, decimals: Option<u32> },
    /// Days.
    Day,
    /// Places among so many levels.
    Level(usize),
    /// Nothing to look at.
    Other,
}

/// One column: a value for every row, NaN where it is missing.
#[derive(Debug)]
pub(super) struct Facet {
    pub(super) name: String,
    pub(super) sort: Sort,
    pub(super) values: Vec<f64>,
    /// Number of different values.
    pub(super) different: usize,
    pub(super) missing: usize,
}

impl Facet {
    /// The values of a column as it is declared.
    pub(super) fn new(column: &ColumnSchema, values: &PlainValues) -> Self {
        let (sort, values) = match column.kind() {
            ColumnType::Float => {
                // As synthetic values are: without what single precision or computing lost.
                let on_grid =
                    |value: f64| column.decimals().map_or(value, |most| round_to_decimals(value, most));
                let values = numbers(values, None).into_iter().map(on_grid).collect();
                (Sort::Number { whole: false, decimals: column.decimals() }, values)
            }
            ColumnType::Integer => (Sort::Number { whole: true, decimals: Some(0) }, numbers(values, None)),
            ColumnType::Date { format } => (Sort::Day, numbers(values, MomentFormat::new(format).as_ref())),
            ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => (
                Sort::Level(levels.len()),
                places(&levels.iter().map(String::as_str).collect::<Vec<_>>(), values),
            ),
            ColumnType::Boolean { when_false, when_true } => {
                (Sort::Level(2), places(&[when_false.as_str(), when_true.as_str()], values))
            }
            ColumnType::DateTime { .. } | ColumnType::Identifier => (Sort::Other, Vec::new()),
        };
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let missing = values.len() - sorted.len();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        Self { name: column.name().to_owned(), sort, values, different: sorted.len(), missing }
    }

    /// Whether the values are numbers.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.sort, Sort::Number { .. })
    }

    /// Whether the values are levels.
    pub(super) fn is_level(&self) -> bool {
        matches!(self.sort, Sort::Level(_))
    }

    /// The name as expressions have it; none if no expression can have it.
    pub(super) fn term(&self) -> Option<String> {
        term(&self.name)
    }
}

/// A name as expressions have it.
pub(super) fn term(name: &str) -> Option<String> {
    let mut letters = name.chars();
    let plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !RESERVED.contains(&name.to_ascii_lowercase().as_str());
    if plain {
        return Some(name.to_owned());
    }
    (!name.contains('`') && !name.contains(char::is_control)).then(|| format!("`{name}`"))
}

/// The places of spellings, or of numbers, among levels.
fn places(levels: &[&str], values: &PlainValues) -> Vec<f64> {
    let by_text: FxHashMap<&str, f64> = levels.iter().copied().zip((0..).map(f64::from)).collect();
    let of_text = |text: &str| by_text.get(text).or_else(|| by_text.get(trim_spaces(text))).copied();
    if let PlainValues::Text { levels: own, codes } = values {
        let of_level: Vec<f64> = own.iter().map(|level| of_text(level).unwrap_or(f64::NAN)).collect();
        let at = |code: &u32| if *code == MISSING_CODE { f64::NAN } else { of_level[*code as usize] };
        return codes.iter().map(at).collect();
    }
    let number = |text: &&str| crate::cells::shortest(text).unwrap_or_else(|| (*text).to_owned());
    let by_number: Vec<(Option<f64>, f64)> =
        levels.iter().map(|level| number(level).parse().ok()).zip((0..).map(f64::from)).collect();
    let place = |value: f64| {
        by_number.iter().find(|(own, _)| *own == Some(value)).map_or(f64::NAN, |(_, place)| *place)
    };
    numbers(values, None).into_iter().map(place).collect()
}
