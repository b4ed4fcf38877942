//! Values built from columns, literals, sums, products and cases.

use super::convert::in_microseconds;
use super::value::{Form, Value};
use super::{Resolved, Resolver, error};
use crate::table::condition::expression::{Node, Operation, Term};
use crate::table::condition::kind::{Kind, Literal};
use crate::table::condition::syntax::{Part, Syntax};
use crate::table::moment::DAY;
use crate::table::{ColumnSchema, ColumnType};

impl Resolver<'_> {
    /// Resolves a value; a condition is a value, too.
    pub(super) fn outcome(&mut self, part: &Part) -> Resolved<Value> {
        match &part.syntax {
            Syntax::And(_)
            | Syntax::Or(_)
            | Syntax::Not(_)
            | Syntax::Compare(..)
            | Syntax::Member { .. }
            | Syntax::IsMissing(_) => {
                let truth = Term::Truth(Box::new(self.node(part)?));
                Ok(Value::computed(part.at, truth, Kind::truth(), false))
            }
            _ => self.value(part),
        }
    }

    pub(super) fn value(&mut self, part: &Part) -> Resolved<Value> {
        let at = part.at;
        match &part.syntax {
            Syntax::Name(name) => {
                let (place, position) = self.column(at, name)?;
                let column = &self.schema[position];
                Ok(Value {
                    at,
                    form: Form::Term(Term::Column(place)),
                    kind: Kind::of(column.kind()),
                    whole: is_whole(column),
                    name: format!("`{name}`"),
                })
            }
            Syntax::Number(number) => Ok(Value::literal(at, Literal::Number(*number))),
            Syntax::Text(text) => Ok(Value::literal(at, Literal::Text(text.clone()))),
            Syntax::Truth(truth) => Ok(Value::literal(at, Literal::Truth(*truth))),
            Syntax::Missing => {
                let name = "`missing`".to_owned();
                Ok(Value { at, form: Form::Missing, kind: Kind::Missing, whole: true, name })
            }
            Syntax::Negative(inner) => {
                let (inner, whole) = self.number(inner)?;
                Ok(Value::computed(at, Term::Negative(Box::new(inner)), Kind::Number, whole))
            }
            Syntax::Product(parts) => {
                let (mut factors, mut all_whole) = (Vec::with_capacity(parts.len()), true);
                for (divides, part) in parts {
                    let (factor, whole) = self.number(part)?;
                    all_whole &= whole && !divides;
                    factors.push((*divides, factor));
                }
                Ok(Value::computed(at, Term::Product(factors), Kind::Number, all_whole))
            }
            Syntax::Power(base, exponent) => {
                let (base, whole) = self.number(base)?;
                // A whole number to the power of 0, 1, 2 and so on.
                let natural = matches!(exponent.syntax, Syntax::Number(n) if n >= 0.0 && n.fract() == 0.0);
                let exponent = self.number(exponent)?.0;
                let power = Term::Apply(Operation::Power, vec![base, exponent]);
                Ok(Value::computed(at, power, Kind::Number, whole && natural))
            }
            Syntax::Sum(parts) => self.sum(at, parts),
            Syntax::Call(function, arguments) => self.call(at, *function, arguments),
            Syntax::If(cases, otherwise) => self.cases(at, cases, otherwise),
            _ => error(
                at,
                "a condition cannot be compared or computed with",
                "join conditions by `and` or `or`",
            ),
        }
    }

    /// A number, and whether it is known to be whole.
    pub(super) fn number(&mut self, part: &Part) -> Resolved<(Term, bool)> {
        let value = self.value(part)?;
        if value.kind == Kind::Number {
            let whole = value.whole;
            return Ok((self.converted(value, &Kind::Number)?, whole));
        }
        let what =
            format!("{} is {}, and cannot be multiplied or computed with so", value.name, value.kind.words());
        error(part.at, what, "compute with numbers and numeric columns")
    }

    /// A sum of numbers, or of a date and days; a date minus a date is a number of days.
    fn sum(&mut self, at: usize, parts: &[(bool, Part)]) -> Resolved<Value> {
        let mut values: Vec<(bool, Value)> = Vec::with_capacity(parts.len());
        for (negative, part) in parts {
            values.push((*negative, self.value(part)?));
        }
        let target = finest(values.iter().map(|(_, value)| value));
        let mut dates = 0_i32;
        let mut all_whole = true;
        let mut summands = Vec::with_capacity(values.len());
        for (negative, value) in values {
            let is_date = value.kind != Kind::Number;
            all_whole &= value.whole || is_date;
            let term = if is_date {
                self.converted(value, &target)?
            } else {
                let number = self.converted(value, &Kind::Number)?;
                if matches!(target, Kind::Moment { .. }) { in_microseconds(number) } else { number }
            };
            dates += if is_date { 1 - 2 * i32::from(negative) } else { 0 };
            summands.push((negative, term));
        }
        let sum = Term::Sum(summands);
        match (dates, &target) {
            (1, _) | (_, Kind::Number) => Ok(Value::computed(at, sum, target, all_whole)),
            (0, Kind::Moment { .. }) => {
                let days = Term::Product(vec![(false, sum), (true, Term::Constant(DAY as f64))]);
                Ok(Value::computed(at, days, Kind::Number, false))
            }
            (0, _) => Ok(Value::computed(at, sum, Kind::Number, all_whole)),
            _ => error(at, "dates cannot be added up", "add days to a date, or subtract a date from another"),
        }
    }

    /// Values by cases, all of the first kind that is known by itself.
    fn cases(&mut self, at: usize, cases: &[(Part, Part)], otherwise: &Part) -> Resolved<Value> {
        let mut resolved: Vec<(Node, Value)> = Vec::with_capacity(cases.len());
        for (condition, value) in cases {
            resolved.push((self.node(condition)?, self.outcome(value)?));
        }
        let otherwise = self.outcome(otherwise)?;
        let values = || resolved.iter().map(|(_, value)| value).chain([&otherwise]);
        let known = values().find(|value| !value.is_open());
        let kind = known.or_else(|| values().find(|value| value.kind != Kind::Missing));
        let kind = kind.map_or(Kind::Missing, |value| value.kind.clone());
        let whole = values().all(|value| value.whole);
        let name = "a value by cases".to_owned();
        Ok(Value { at, form: Form::If(resolved, Box::new(otherwise)), kind, whole, name })
    }
}

/// The common kind of values that are added or compared: moments or dates if there is one among them, otherwise
/// numbers.
pub(super) fn finest<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Kind {
    let moment = values.clone().find(|value| matches!(value.kind, Kind::Moment { .. }));
    let day = || values.clone().find(|value| matches!(value.kind, Kind::Day { .. }));
    moment.or_else(day).map_or(Kind::Number, |value| value.kind.clone())
}

/// Whether the column holds whole numbers or days.
fn is_whole(column: &ColumnSchema) -> bool {
    match column.kind() {
        ColumnType::Integer | ColumnType::Date { .. } => true,
        ColumnType::Float => column.decimals() == Some(0),
        _ => false,
    }
}
