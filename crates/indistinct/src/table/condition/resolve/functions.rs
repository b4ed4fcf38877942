//! Functions, with their arguments checked.

use std::collections::HashSet;

use super::value::{Form, Value};
use super::values::finest;
use super::{Resolved, Resolver, error};
use crate::table::condition::derivation::LookupValue;
use crate::table::condition::expression::{Operation, Term};
use crate::table::condition::function::Function;
use crate::table::condition::kind::{Kind, Literal};
use crate::table::condition::syntax::{Part, Syntax};
use crate::table::moment::DAY;
use crate::table::nearest;

/// Most decimals that a double has.
const MOST_DECIMALS: f64 = 15.0;

impl Resolver<'_> {
    pub(super) fn call(&mut self, at: usize, function: Function, arguments: &[Part]) -> Resolved<Value> {
        let [first, others @ ..] = arguments else {
            return error(at, "a function without arguments", format!("write {}", function.example()));
        };
        let operation = match function {
            Function::Min | Function::Max => return self.extreme(at, function, arguments),
            Function::Cut => return self.cut(at, first, others),
            Function::Lookup => return self.look_up(at, first),
            Function::Year | Function::Month => return self.part_of_date(at, function, first),
            Function::Round => Operation::Round(decimals(others)?),
            Function::Floor => Operation::Floor,
            Function::Ceil => Operation::Ceil,
            Function::Abs => Operation::Abs,
            Function::Log => Operation::Log,
            Function::Exp => Operation::Exp,
            Function::Sqrt => Operation::Sqrt,
        };
        let (inner, was_whole) = self.number(first)?;
        let whole = match operation {
            Operation::Round(0) | Operation::Floor | Operation::Ceil => true,
            Operation::Round(_) | Operation::Abs => was_whole,
            _ => false,
        };
        Ok(Value::computed(at, Term::Apply(operation, vec![inner]), Kind::Number, whole))
    }

    /// The least or the greatest of numbers or dates.
    fn extreme(&mut self, at: usize, function: Function, arguments: &[Part]) -> Resolved<Value> {
        let values = arguments.iter().map(|part| self.value(part)).collect::<Resolved<Vec<Value>>>()?;
        let kind = finest(values.iter());
        let whole = values.iter().all(|value| value.whole || value.kind != Kind::Number);
        let mut terms = Vec::with_capacity(values.len());
        for value in values {
            terms.push(self.converted(value, &kind)?);
        }
        let operation = if function == Function::Min { Operation::Min } else { Operation::Max };
        Ok(Value::computed(at, Term::Apply(operation, terms), kind, whole))
    }

    /// The class of a number or date between increasing cut points.
    fn cut(&mut self, at: usize, value: &Part, points: &[Part]) -> Resolved<Value> {
        let value = self.value(value)?;
        let kind = value.kind.clone();
        if !matches!(kind, Kind::Number | Kind::Day { .. } | Kind::Moment { .. }) {
            let what = format!("{} is {}, and cannot be cut", value.name, kind.words());
            return error(value.at, what, "cut numbers and dates");
        }
        let mut numbers: Vec<f64> = Vec::with_capacity(points.len());
        for part in points {
            let literal = match &part.syntax {
                Syntax::Number(number) => Literal::Number(*number),
                Syntax::Text(text) => Literal::Text(text.clone()),
                _ => return error(part.at, "cut points are numbers or dates", "as in cut(age, 18, 65)"),
            };
            let point = match kind.read(&literal) {
                Some(Ok(point)) => point,
                Some(Err((what, advice))) => return error(part.at, what, advice),
                None => {
                    let what = format!("{} does not go with {}", literal.name(), kind.words());
                    return error(part.at, what, kind.advice());
                }
            };
            if numbers.last().is_some_and(|last| *last >= point) {
                return error(part.at, "cut points must increase", "write them from lowest to highest");
            }
            numbers.push(point);
        }
        let count = numbers.len() + 1;
        let term = Term::Cut(Box::new(self.converted(value, &kind)?), numbers.into());
        let kind = Kind::Class { count };
        Ok(Value { at, form: Form::Class(term), kind, whole: false, name: "`cut`".to_owned() })
    }

    /// The value in the column's lookup for each level of another column. All levels must be in the lookup: a
    /// forgotten one would otherwise become missing silently.
    fn look_up(&mut self, at: usize, column: &Part) -> Resolved<Value> {
        let Some(lookup) = self.lookup else {
            let advice = "write a table [column.lookup] below the column that is derived";
            return error(at, "there is no lookup for this", advice);
        };
        let Syntax::Name(name) = &column.syntax else {
            return error(column.at, "only the levels of a column are looked up", "name a column");
        };
        let (place, position) = self.column(column.at, name)?;
        let kind = Kind::of(self.schema[position].kind());
        let Some(levels) = kind.levels() else {
            let what = format!("`{name}` is {}, and has no levels to look up", kind.words());
            return error(column.at, what, "name a nominal, ordered or boolean column");
        };
        let known: HashSet<&String> = levels.iter().collect();
        if let Some(key) = lookup.keys().find(|key| !known.contains(key)) {
            let what = format!("the lookup has `{key}`, which is not a level of `{name}`");
            return error(at, what, nearest(key, levels.iter().map(String::as_str)));
        }
        let mut entries = Vec::with_capacity(levels.len());
        for level in levels.iter() {
            let Some(entry) = lookup.get(level) else {
                let what = format!("the lookup has nothing for level `{level}` of `{name}`");
                return error(
                    at,
                    what,
                    "add it; a spelling of missing values, such as \"NA\", gives missing",
                );
            };
            entries.push(match entry {
                LookupValue::Text(text) if self.missing.contains(&text.as_str()) => None,
                LookupValue::Text(text) => Some(Literal::Text(text.clone())),
                LookupValue::Number(number) => Some(Literal::Number(*number)),
                LookupValue::Truth(truth) => Some(Literal::Truth(*truth)),
            });
        }
        self.lookup_used = true;
        let kind = entries.iter().flatten().find(|entry| entry.kind() == Kind::Text);
        let kind = kind.or_else(|| entries.iter().flatten().next()).map_or(Kind::Missing, Literal::kind);
        let whole = entries.iter().flatten().all(Literal::is_whole);
        let form = Form::Lookup { column: place, entries };
        Ok(Value { at, form, kind, whole, name: "`lookup`".to_owned() })
    }

    fn part_of_date(&mut self, at: usize, function: Function, date: &Part) -> Resolved<Value> {
        let value = self.value(date)?;
        let kind = value.kind.clone();
        let term = match kind {
            Kind::Day { .. } => self.converted(value, &kind)?,
            Kind::Moment { .. } => {
                let moment = self.converted(value, &kind)?;
                let days = Term::Product(vec![(false, moment), (true, Term::Constant(DAY as f64))]);
                Term::Apply(Operation::Floor, vec![days])
            }
            _ => {
                let what = format!("{} is {}, and has no {}", value.name, kind.words(), function.name());
                return error(value.at, what, "name a column of dates");
            }
        };
        let operation = if function == Function::Year { Operation::Year } else { Operation::Month };
        Ok(Value::computed(at, Term::Apply(operation, vec![term]), Kind::Number, true))
    }
}

/// The number of decimals to round to: a literal, so that it is known beforehand.
fn decimals(argument: &[Part]) -> Resolved<u32> {
    let Some(part) = argument.first() else { return Ok(0) };
    match part.syntax {
        Syntax::Number(number) if number.fract() == 0.0 && (0.0..=MOST_DECIMALS).contains(&number) => {
            Ok(number as u32)
        }
        _ => error(part.at, "decimals are a whole number from 0 to 15", "write round(x, 2)"),
    }
}
