//! From a tree of words to one of columns, codes and numbers, checked for types.

use std::collections::HashMap;
use std::sync::Arc;

use super::ConditionError;
use super::expression::{Node, Term};
use super::kind::{Kind, Literal};
use super::syntax::{Part, Syntax};
use super::token::Comparison;
use crate::table::moment::DAY;
use crate::table::{ColumnType, Schema, nearest};

/// A value: of known kind, or a literal that takes the kind of what it is compared with.
struct Value {
    at: usize,
    term: Term,
    kind: Kind,
    literal: Option<Literal>,
    /// How messages call it.
    name: String,
}

/// Resolves names against a schema, and collects the columns that are used.
pub(super) struct Resolver<'a> {
    pub(super) schema: &'a Schema,
    /// Positions in the schema, in the order of first use.
    pub(super) columns: Vec<usize>,
    pub(super) recodings: Recodings,
}

/// Codes of lists of levels in other lists, by where the two are: made once, however often columns are compared.
pub(super) type Recodings = HashMap<[*const String; 2], Arc<[f64]>>;

type Resolved<T> = Result<T, ConditionError>;

fn error<T>(at: usize, what: impl Into<String>, advice: impl Into<String>) -> Resolved<T> {
    Err(ConditionError::new(at, what, advice))
}

impl Resolver<'_> {
    /// Resolves what is true, false or unknown.
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
                compare(part.at, *comparison, (left, right), &mut self.recodings)
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
                if value.literal.is_none() && matches!(value.kind, Kind::Truth { .. }) {
                    let right = Term::Constant(1.0);
                    return Ok(Node::Compare { comparison: Comparison::Equal, left: value.term, right });
                }
                let what = format!("{} is neither true nor false by itself", value.name);
                error(part.at, what, "compare it with something, as in age > 60")
            }
        }
    }

    /// The place of a column in the list, and its position in the schema.
    fn column(&mut self, at: usize, name: &str) -> Resolved<(usize, usize)> {
        let columns = self.schema.columns();
        let Some(position) = columns.iter().position(|column| column.name() == name) else {
            let advice = nearest(name, columns.iter().map(crate::table::ColumnSchema::name));
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

    fn value(&mut self, part: &Part) -> Resolved<Value> {
        let at = part.at;
        let constant = |literal: Literal, kind: Kind, number: f64, name: String| Value {
            at,
            term: Term::Constant(number),
            kind,
            literal: Some(literal),
            name,
        };
        match &part.syntax {
            Syntax::Name(name) => {
                let (place, position) = self.column(at, name)?;
                let kind = Kind::of(self.schema.columns()[position].kind());
                Ok(Value { at, term: Term::Column(place), kind, literal: None, name: format!("`{name}`") })
            }
            Syntax::Number(number) => {
                Ok(constant(Literal::Number(*number), Kind::Number, *number, format!("{number}")))
            }
            Syntax::Text(text) => {
                Ok(constant(Literal::Text(text.clone()), Kind::Text, f64::NAN, format!("'{text}'")))
            }
            Syntax::Truth(truth) => {
                let kind = Kind::Truth { levels: Arc::new(["false".to_owned(), "true".to_owned()]) };
                Ok(constant(Literal::Truth(*truth), kind, f64::from(*truth), truth.to_string()))
            }
            Syntax::Negative(inner) => {
                let inner = self.number(inner)?;
                Ok(computed(at, Term::Negative(Box::new(inner)), Kind::Number))
            }
            Syntax::Product(parts) => {
                let factors = parts.iter().map(|part| self.number(part)).collect::<Resolved<_>>()?;
                Ok(computed(at, Term::Product(factors), Kind::Number))
            }
            Syntax::Sum(parts) => self.sum(at, parts),
            _ => error(
                at,
                "a condition cannot be compared or computed with",
                "join conditions by `and` or `or`",
            ),
        }
    }

    fn number(&mut self, part: &Part) -> Resolved<Term> {
        let value = self.value(part)?;
        if value.kind == Kind::Number {
            return Ok(value.term);
        }
        let what = format!("{} is {}, and cannot be multiplied or negated", value.name, value.kind.words());
        error(part.at, what, "compute with numbers and numeric columns")
    }

    /// Numbers, or dates with days added; dates less dates are days.
    fn sum(&mut self, at: usize, parts: &[(bool, Part)]) -> Resolved<Value> {
        let mut values: Vec<(bool, Value)> = Vec::with_capacity(parts.len());
        for (negative, part) in parts {
            values.push((*negative, self.value(part)?));
        }
        let moment = values.iter().find(|(_, value)| matches!(value.kind, Kind::Moment { .. }));
        let day = values.iter().find(|(_, value)| matches!(value.kind, Kind::Day { .. }));
        let target = moment.or(day).map_or(Kind::Number, |(_, value)| value.kind.clone());
        let mut dates = 0_i32;
        let mut summands = Vec::with_capacity(values.len());
        for (negative, value) in values {
            let days = matches!(target, Kind::Moment { .. }) && value.kind == Kind::Number;
            let is_date = value.kind != Kind::Number;
            let term = if days {
                Term::Product(vec![value.term, Term::Constant(DAY as f64)])
            } else if is_date {
                convert(value, &target, &mut self.recodings)?
            } else {
                value.term
            };
            dates += if is_date { 1 - 2 * i32::from(negative) } else { 0 };
            summands.push((negative, term));
        }
        let sum = Term::Sum(summands);
        match (dates, &target) {
            (1, _) | (_, Kind::Number) => Ok(computed(at, sum, target)),
            (0, Kind::Moment { .. }) => {
                Ok(computed(at, Term::Quotient(Box::new(sum), DAY as f64), Kind::Number))
            }
            (0, _) => Ok(computed(at, sum, Kind::Number)),
            _ => error(at, "dates cannot be added up", "add days to a date, or subtract a date from another"),
        }
    }
}

fn computed(at: usize, term: Term, kind: Kind) -> Value {
    Value { at, term, kind, literal: None, name: "a computed value".to_owned() }
}

/// The term of a value as one of that kind.
fn convert(value: Value, target: &Kind, recodings: &mut Recodings) -> Resolved<Term> {
    if let Some(literal) = &value.literal
        && let Some(read) = target.read(literal)
    {
        return match read {
            Ok(number) => Ok(Term::Constant(number)),
            Err((what, advice)) => error(value.at, what, advice),
        };
    }
    match (&value.kind, target) {
        (Kind::Number, Kind::Number)
        | (Kind::Day { .. }, Kind::Day { .. })
        | (Kind::Moment { .. }, Kind::Moment { .. })
        | (Kind::Truth { .. }, Kind::Truth { .. }) => Ok(value.term),
        (Kind::Day { .. }, Kind::Moment { .. }) => {
            Ok(Term::Product(vec![value.term, Term::Constant(DAY as f64)]))
        }
        (Kind::Level { levels: own, .. }, Kind::Level { levels, .. }) => {
            recoded(value.at, value.term, (own, levels), recodings)
        }
        (own, target) => {
            let what = format!("{}, {}, does not go with {}", value.name, own.words(), target.words());
            error(value.at, what, target.advice())
        }
    }
}

/// A categorical term by the codes of another list; levels that are not in it get codes beyond.
fn recoded(
    at: usize,
    term: Term,
    (own, levels): (&Arc<[String]>, &Arc<[String]>),
    recodings: &mut Recodings,
) -> Resolved<Term> {
    if own == levels {
        return Ok(term);
    }
    let codes = recodings.entry([own.as_ptr(), levels.as_ptr()]).or_insert_with(|| {
        let known: HashMap<&String, usize> = levels.iter().zip(0..).collect();
        own.iter().map(|level| known.get(level).copied().unwrap_or(levels.len()) as f64).collect()
    });
    if codes.iter().all(|code| *code == levels.len() as f64) {
        return error(at, "the two columns have no level in common", "compare columns with the same levels");
    }
    let Term::Column(column) = term else {
        return error(at, "a computed value has no levels", "compare the column itself");
    };
    Ok(Term::Recoded { column, codes: Arc::clone(codes) })
}

fn compare(
    at: usize,
    comparison: Comparison,
    (left, right): (Value, Value),
    recodings: &mut Recodings,
) -> Resolved<Node> {
    let ordering = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
    // The side that is no literal says what the other means; of two dates the finer.
    let by_right = left.literal.is_some() && right.literal.is_none()
        || (matches!(left.kind, Kind::Day { .. }) && matches!(right.kind, Kind::Moment { .. }));
    let target = if by_right { right.kind.clone() } else { left.kind.clone() };
    if target == Kind::Text {
        return error(
            at,
            "a string is compared with nothing that tells what it means",
            "name a column on one side",
        );
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
    let left = convert(left, &target, recodings)?;
    let right = convert(right, &target, recodings)?;
    Ok(Node::Compare { comparison, left, right })
}

fn member(value: Value, list: &[Part]) -> Resolved<Node> {
    if value.literal.is_some() {
        return error(value.at, "`in` asks for the values of a column", "name a column before `in`");
    }
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
    Ok(Node::Member { value: value.term, list: numbers })
}
