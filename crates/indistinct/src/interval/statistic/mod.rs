//! Statistics in a small language: `mean(income)`, `share(job == 'clerk') where sex == 'F'`, `income ~ age * sex`.

mod evaluate;
mod parse;
mod regression;
mod split;

use crate::combine::{CombineError, Formula, FormulaError};
use crate::table::{ColumnSchema, ColumnType, Condition, ConditionError, Schema};

pub use evaluate::PreparedStatistic;
pub use regression::RegressionRows;

/// A statistic whose columns exist and have fitting types.
///
/// ```
/// use indistinct::interval::Statistic;
/// use indistinct::table::{ColumnSchema, ColumnType, Schema};
///
/// let income = ColumnSchema::new("income", ColumnType::Float);
/// let schema = Schema::new(Vec::new(), vec![income])?;
/// assert_eq!(Statistic::parse("median(income) where income > 0", &schema)?.text(), "median(income) where income > 0");
/// let wrong = Statistic::parse("mean(incme)", &schema).unwrap_err();
/// assert_eq!((wrong.position(), wrong.advice()), (6, "did you mean `income`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Statistic {
    text: String,
    kind: Kind,
    filter: Option<Condition>,
    weight: Option<String>,
    range: Option<[f64; 2]>,
}

/// A statistic without its conditions.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Mean(String),
    Quantile(String, f64),
    /// The share of rows in which a condition is true, among those where it is true or false.
    Share(Condition),
    Correlation(String, String),
    LeastSquares(Formula),
    Logit(Formula),
}

/// The reason why a text is not a statistic of a release: where, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("statistic \"{}\", character {position}: {what}", .text.replace(char::is_control, " "))]
pub struct StatisticError {
    text: String,
    position: usize,
    what: String,
    advice: String,
}

impl StatisticError {
    /// An error at the character with this place, counted from zero.
    fn new(text: &str, place: usize, what: impl Into<String>, advice: impl Into<String>) -> Self {
        let line = |text: String| text.replace(char::is_control, " ");
        Self {
            text: text.to_owned(),
            position: place + 1,
            what: line(what.into()),
            advice: line(advice.into()),
        }
    }

    /// The number of the wrong character, from 1; one past the end if the text ends too early.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The problem, without its place.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Advice in one line.
    pub fn advice(&self) -> &str {
        &self.advice
    }

    fn of_condition(text: &str, error: &ConditionError) -> Self {
        Self::new(text, error.position() - 1, error.what(), error.advice())
    }

    fn of_formula(text: &str, error: &FormulaError) -> Self {
        Self::new(text, error.position() - 1, error.problem(), error.advice())
    }

    fn of_regression(text: &str, error: &CombineError) -> Self {
        match error {
            CombineError::Formula(error) | CombineError::InTable { error, .. } => {
                Self::of_formula(text, error)
            }
            other => Self::new(text, 0, other.to_string(), other.advice()),
        }
    }
}

impl Kind {
    fn range(&self, schema: &Schema) -> Option<[f64; 2]> {
        match self {
            Self::Share(_) => Some([0.0, 1.0]),
            Self::Correlation(..) => Some([-1.0, 1.0]),
            Self::LeastSquares(_) | Self::Logit(_) => None,
            Self::Mean(name) | Self::Quantile(name, _) => {
                schema.columns().iter().find(|column| column.name() == *name).and_then(values_within)
            }
        }
    }
}

/// The least and the largest value that are declared for a column, infinite where nothing is declared.
fn values_within(column: &ColumnSchema) -> Option<[f64; 2]> {
    if matches!(column.kind(), ColumnType::Boolean { .. }) {
        return Some([0.0, 1.0]);
    }
    // Derived values are what they are.
    if column.derive().is_some() || (column.minimum().is_none() && column.maximum().is_none()) {
        return None;
    }
    let with_atoms =
        |limit: f64, further: fn(f64, f64) -> f64| column.atoms().iter().copied().fold(limit, further);
    Some([
        with_atoms(column.minimum().unwrap_or(f64::NEG_INFINITY), f64::min),
        with_atoms(column.maximum().unwrap_or(f64::INFINITY), f64::max),
    ])
}

impl Statistic {
    /// The statistic as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The least and the largest value that it can have, where one of them is known: a share is from 0 to 1, and a mean
    /// or a quantile within what is declared for its column.
    pub fn range(&self) -> Option<[f64; 2]> {
        self.range
    }

    /// The column of weights, if there is one.
    pub fn weight(&self) -> Option<&str> {
        self.weight.as_deref()
    }
}
