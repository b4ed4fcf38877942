//! Kinds of values, and the meaning of literals next to them.

use std::sync::Arc;

use crate::table::moment::{declared_day, declared_moment};
use crate::table::{ColumnType, nearest};

/// A literal as written, before its meaning is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Number(f64),
    Text(String),
    Truth(bool),
}

impl Literal {
    /// The literal's kind if nothing next to it says otherwise.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Text(_) => Kind::Text,
            Self::Truth(_) => Kind::truth(),
        }
    }

    /// Whether it is a whole number, or the text of a date, which is a whole day.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Number(number) => number.fract() == 0.0,
            Self::Text(_) => true,
            Self::Truth(_) => false,
        }
    }

    /// The literal's name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("'{text}'"),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

/// The kind of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Number,
    Day {
        format: String,
    },
    Moment {
        format: String,
    },
    Level {
        levels: Arc<[String]>,
        ordered: bool,
    },
    /// False and true, with their spellings.
    Truth {
        levels: Arc<[String]>,
    },
    /// A string with nothing next to it that says what it means.
    Text,
    /// One of a number of classes, which a column's levels name.
    Class {
        count: usize,
    },
    Missing,
}

/// An error and advice.
type Mistake = (String, String);

impl Kind {
    /// The kind of a column's values.
    pub(super) fn of(kind: &ColumnType) -> Self {
        match kind {
            ColumnType::Float | ColumnType::Integer => Self::Number,
            ColumnType::Nominal { levels } => Self::Level { levels: Arc::clone(levels), ordered: false },
            ColumnType::Ordered { levels } => Self::Level { levels: Arc::clone(levels), ordered: true },
            ColumnType::Boolean { when_false, when_true } => {
                Self::Truth { levels: Arc::new([when_false.clone(), when_true.clone()]) }
            }
            ColumnType::Date { format } => Self::Day { format: format.clone() },
            ColumnType::DateTime { format } => Self::Moment { format: format.clone() },
            ColumnType::Identifier => Self::Text,
        }
    }

    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Day { .. } => "a date",
            Self::Moment { .. } => "a date with a time",
            Self::Level { .. } => "a category",
            Self::Truth { .. } => "true or false",
            Self::Text => "a string",
            Self::Class { .. } => "a class between cut points",
            Self::Missing => "missing",
        }
    }

    /// Advice on how to write something that goes with this kind.
    pub(super) fn advice(&self) -> String {
        match self {
            Self::Number | Self::Text | Self::Class { .. } | Self::Missing => {
                "write numbers without quotes, and compare like with like".to_owned()
            }
            Self::Day { .. } => "write a date as '2001-02-03', or in the column's format".to_owned(),
            Self::Moment { .. } => {
                "write a moment as '2001-02-03T04:05:06', or in the column's format".to_owned()
            }
            Self::Level { levels, .. } => nearest("", levels.iter().map(String::as_str)),
            Self::Truth { .. } => "write true or false".to_owned(),
        }
    }

    pub(super) fn is_ordered(&self) -> bool {
        match self {
            Self::Number | Self::Day { .. } | Self::Moment { .. } => true,
            Self::Level { ordered, .. } => *ordered,
            Self::Truth { .. } | Self::Text | Self::Class { .. } | Self::Missing => false,
        }
    }

    /// Truth values that no column spells.
    pub(super) fn truth() -> Self {
        Self::Truth { levels: Arc::new(["false".to_owned(), "true".to_owned()]) }
    }

    /// The spellings of a category's or a boolean's values.
    pub(super) fn levels(&self) -> Option<&Arc<[String]>> {
        match self {
            Self::Level { levels, .. } | Self::Truth { levels } => Some(levels),
            _ => None,
        }
    }

    /// Whether the kind is known by itself, so that values next to it can be read as the same kind.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Self::Text | Self::Class { .. } | Self::Missing)
    }

    /// The meaning of a literal next to a value of this kind; `None` if it has none.
    pub(super) fn read(&self, literal: &Literal) -> Option<Result<f64, Mistake>> {
        match (self, literal) {
            (Self::Number, Literal::Number(number)) => Some(Ok(*number)),
            (Self::Day { format }, Literal::Text(text)) => {
                let day = declared_day(format, text).map(f64::from);
                Some(day.ok_or_else(|| (format!("'{text}' is not a date"), self.advice())))
            }
            (Self::Moment { format }, Literal::Text(text)) => {
                let moment = declared_moment(format, text).map(|moment| moment as f64);
                Some(moment.ok_or_else(|| (format!("'{text}' is not a date with a time"), self.advice())))
            }
            (Self::Truth { .. }, Literal::Truth(truth)) => Some(Ok(f64::from(*truth))),
            (Self::Level { levels, .. } | Self::Truth { levels }, Literal::Text(text)) => {
                let code = levels.iter().position(|level| level == text);
                Some(code.map(|code| code as f64).ok_or_else(|| undeclared(levels, text)))
            }
            // Levels are often spelled as numbers.
            (Self::Level { levels, .. } | Self::Truth { levels }, Literal::Number(number)) => {
                let code = levels.iter().position(|level| level.trim().parse() == Ok(*number));
                Some(code.map(|code| code as f64).ok_or_else(|| undeclared(levels, &number.to_string())))
            }
            _ => None,
        }
    }
}

fn undeclared(levels: &[String], written: &str) -> Mistake {
    (format!("the column has no level `{written}`"), nearest(written, levels.iter().map(String::as_str)))
}
