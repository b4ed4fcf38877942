//! From a tree of words to one of columns, codes and numbers, checked for types.

mod convert;
mod functions;
mod value;
mod values;

use super::expression::{Node, Term};
use super::kind::{Kind, Literal};
use super::syntax::{Part, Syntax};
use super::token::Comparison;
use super::{ConditionError, Lookup};
use crate::table::{ColumnSchema, ColumnType, nearest};
pub(super) use convert::Recodings;
use convert::{Converter, Strictness};
use value::{Form, Value};

/// Resolves names against the columns of a schema, and collects the columns that are used.
pub(super) struct Resolver<'a> {
    pub(super) schema: &'a [ColumnSchema],
    /// Positions in the schema, in the order of first use.
    pub(super) columns: Vec<usize>,
    pub(super) recodings: Recodings,
    /// The values that `lookup` looks up; only derived columns have them.
    pub(super) lookup: Option<&'a Lookup>,
    pub(super) lookup_used: bool,
    /// Spellings that mean missing in a lookup.
    pub(super) missing: Vec<&'a str>,
}

type Resolved<T> = Result<T, ConditionError>;

fn error<T>(at: usize, what: impl Into<String>, advice: impl Into<String>) -> Resolved<T> {
    Err(ConditionError::new(at, what, advice))
}

impl<'a> Resolver<'a> {
    /// A resolver for conditions, which have no lookup.
    pub(super) fn new(schema: &'a [ColumnSchema]) -> Self {
        Self {
            schema,
            columns: Vec::new(),
            recodings: Recodings::new(),
            lookup: None,
            lookup_used: false,
            missing: Vec::new(),
        }
    }

    /// Resolves a condition.
    pub(super) fn node(&mut self, part: &Part) -> Resolved<Node> {
        let all = |resolver: &mut Self, parts: &[Part]| -> Resolved<Vec<Node>> {
            parts.iter().map(|part| resolver.node(part)).collect()
        };
        match &part.syntax {
            Syntax::And(parts) => Ok(Node::And(all(self, parts)?)),
            Syntax::Or(parts) => Ok(Node::Or(all(self, parts)?)),
            Syntax::Not(inner) => Ok(Node::Not(Box::new(self.node(inner)?))),
            Syntax::Truth(truth) => Ok(Node::Constant(*truth)),
            Syntax::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                compare(part.at, *comparison, left, right, &mut self.recodings)
            }
            Syntax::Member { value, list } => {
                let value = self.value(value)?;
                member(value, list)
            }
            Syntax::IsMissing(inner) => match &inner.syntax {
                Syntax::Name(name) => Ok(Node::IsMissing(self.column(inner.at, name)?.0)),
                _ => error(inner.at, "only a column can be missing", "name one before `is missing`"),
            },
            _ => {
                let value = self.value(part)?;
                if !value.is_literal() && matches!(value.kind, Kind::Truth { .. }) {
                    let kind = value.kind.clone();
                    let left = self.converted(value, &kind)?;
                    return Ok(Node::Compare {
                        comparison: Comparison::Equal,
                        left,
                        right: Term::Constant(1.0),
                    });
                }
                let what = format!("{} is neither true nor false by itself", value.name);
                error(part.at, what, "compare it with something, as in age > 60")
            }
        }
    }

    /// Resolves the value of a derived column.
    pub(super) fn derived(&mut self, part: &Part, column: &ColumnSchema) -> Resolved<Term> {
        let value = self.outcome(part)?;
        let kind = Kind::of(column.kind());
        // Nothing is rounded behind anybody's back.
        match (column.kind(), &value.kind) {
            (ColumnType::Integer, Kind::Number) if !value.whole => {
                let what = "the value is not always a whole number, as the column's are";
                let advice =
                    "write round(...), floor(...) or ceil(...), or declare `type = \"float\"` with decimals";
                return error(part.at, what, advice);
            }
            (ColumnType::Date { .. }, Kind::Day { .. }) if !value.whole => {
                return error(part.at, "the value is not always a whole number of days", "round the days");
            }
            _ => {}
        }
        let mut converter = Converter { recodings: &mut self.recodings, strictness: Strictness::Declared };
        converter.convert(value, &kind)
    }

    /// The place of a column in the list, and its position in the schema.
    fn column(&mut self, at: usize, name: &str) -> Resolved<(usize, usize)> {
        let columns = self.schema;
        let Some(position) = columns.iter().position(|column| column.name() == name) else {
            let advice = nearest(name, columns.iter().map(ColumnSchema::name));
            return error(at, format!("there is no column `{name}`"), advice);
        };
        if columns[position].kind() == &ColumnType::Identifier {
            let what = format!("column `{name}` is an identifier, which is read past and has no values");
            return error(at, what, "use other columns, or declare another type");
        }
        let place = self.columns.iter().position(|&known| known == position).unwrap_or_else(|| {
            self.columns.push(position);
            self.columns.len() - 1
        });
        Ok((place, position))
    }

    /// The value as a term of this kind.
    fn converted(&mut self, value: Value, target: &Kind) -> Resolved<Term> {
        Converter::comparing(&mut self.recodings).convert(value, target)
    }
}

fn compare(
    at: usize,
    comparison: Comparison,
    left: Value,
    right: Value,
    recodings: &mut Recodings,
) -> Resolved<Node> {
    let ordering = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
    // The side that is of a kind by itself says what the other means; of two dates the finer.
    let by_right = left.is_open() && !right.is_open()
        || (matches!(left.kind, Kind::Day { .. }) && matches!(right.kind, Kind::Moment { .. }));
    let target = if by_right { right.kind.clone() } else { left.kind.clone() };
    if !target.is_known() {
        let what = match target {
            Kind::Text => "a string is compared with nothing that tells what it means".to_owned(),
            other => format!("{} is compared with nothing that tells what it means", other.words()),
        };
        return error(at, what, "name a column on one side");
    }
    if ordering && !target.is_ordered() {
        let what = format!("{} has no order", if by_right { &right.name } else { &left.name });
        return error(at, what, "use == or !=, or declare the column `ordered`");
    }
    if ordering
        && let (Kind::Level { levels: a, .. }, Kind::Level { levels: b, .. }) = (&left.kind, &right.kind)
        && (a != b || !left.kind.is_ordered() || !right.kind.is_ordered())
    {
        let what = "the two columns are not ordered by the same levels";
        return error(at, what, "use == or !=, or declare both `ordered` with the same levels");
    }
    let mut converter = Converter::comparing(recodings);
    let left = converter.convert(left, &target)?;
    let right = converter.convert(right, &target)?;
    Ok(Node::Compare { comparison, left, right })
}

fn member(value: Value, list: &[Part]) -> Resolved<Node> {
    let Form::Term(term) = value.form else {
        return error(value.at, "`in` asks for the values of a column", "name a column before `in`");
    };
    let mut numbers = Vec::with_capacity(list.len());
    for item in list {
        let literal = match &item.syntax {
            Syntax::Number(number) => Literal::Number(*number),
            Syntax::Text(text) => Literal::Text(text.clone()),
            Syntax::Truth(truth) => Literal::Truth(*truth),
            _ => return error(item.at, "a list holds numbers, strings, true and false", "as in ('a', 3)"),
        };
        match value.kind.read(&literal) {
            // Zero has one sign.
            Some(Ok(number)) => numbers.push(number + 0.0),
            Some(Err((what, advice))) => return error(item.at, what, advice),
            None => {
                let what = format!("{}, {}, does not go with this", value.name, value.kind.words());
                return error(item.at, what, value.kind.advice());
            }
        }
    }
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    Ok(Node::Member { value: term, list: numbers })
}
