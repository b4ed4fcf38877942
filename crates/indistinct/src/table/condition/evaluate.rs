//! Evaluation, one column at a time.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate};

use super::expression::{Node, Operation, Term};
use super::token::Comparison;
use crate::table::moment::date_of;
use crate::table::{Column, round_to_decimals};

/// False, unknown and true, ordered so that `and` is the minimum and `or` the maximum (Kleene's logic).
pub(super) type Truth = u8;
pub(super) const FALSE: Truth = 0;
pub(super) const UNKNOWN: Truth = 1;
pub(super) const TRUE: Truth = 2;

/// Columns of one table as reals, and the columns computed from them.
pub(super) struct Rows {
    count: usize,
    reals: Vec<Vec<f64>>,
}

/// One number for all rows, or one for each.
enum Numbers<'a> {
    Same(f64),
    Each(Cow<'a, [f64]>),
}

impl Rows {
    pub(super) fn new<'c>(rows: usize, columns: impl Iterator<Item = &'c Column>) -> Self {
        Self { count: rows, reals: columns.map(|column| column.values().to_reals()).collect() }
    }

    /// Adds a column that is computed from the columns before it.
    pub(super) fn compute(&mut self, term: &Term) {
        let values = self.reals(term);
        self.reals.push(values);
    }

    /// The value of a term in each row.
    pub(super) fn reals(&self, term: &Term) -> Vec<f64> {
        match self.term(term) {
            Numbers::Same(value) => vec![value; self.count],
            Numbers::Each(values) => values.into_owned(),
        }
    }

    pub(super) fn node(&self, node: &Node) -> Vec<Truth> {
        match node {
            Node::Constant(truth) => vec![if *truth { TRUE } else { FALSE }; self.count],
            Node::Compare { comparison, left, right } => {
                let (left, right) = (self.term(left), self.term(right));
                macro_rules! compare {
                    ($operator:tt) => {
                        self.pairs(&left, &right, |a, b| a $operator b)
                    };
                }
                match comparison {
                    Comparison::Equal => compare!(==),
                    Comparison::Unequal => compare!(!=),
                    Comparison::Less => compare!(<),
                    Comparison::AtMost => compare!(<=),
                    Comparison::Greater => compare!(>),
                    Comparison::AtLeast => compare!(>=),
                }
            }
            Node::Member { value, list } => {
                let is_in =
                    |value: f64, _| list.binary_search_by(|item| item.total_cmp(&(value + 0.0))).is_ok();
                self.pairs(&self.term(value), &Numbers::Same(0.0), is_in)
            }
            Node::IsMissing(column) => {
                let truth = |value: &f64| if value.is_nan() { TRUE } else { FALSE };
                self.reals[*column].iter().map(truth).collect()
            }
            Node::Not(inner) => {
                let mut truths = self.node(inner);
                for truth in &mut truths {
                    *truth = TRUE - *truth;
                }
                truths
            }
            Node::And(nodes) => self.joined(nodes, TRUE, Truth::min),
            Node::Or(nodes) => self.joined(nodes, FALSE, Truth::max),
        }
    }

    fn joined(&self, nodes: &[Node], start: Truth, join: fn(Truth, Truth) -> Truth) -> Vec<Truth> {
        let mut truths = vec![start; self.count];
        for node in nodes {
            for (truth, other) in truths.iter_mut().zip(self.node(node)) {
                *truth = join(*truth, other);
            }
        }
        truths
    }

    fn pairs(&self, left: &Numbers<'_>, right: &Numbers<'_>, holds: impl Fn(f64, f64) -> bool) -> Vec<Truth> {
        let truth = |a: f64, b: f64| {
            if a.is_nan() || b.is_nan() { UNKNOWN } else { Truth::from(holds(a, b)) * TRUE }
        };
        match (left, right) {
            (Numbers::Same(a), Numbers::Same(b)) => vec![truth(*a, *b); self.count],
            (Numbers::Same(a), Numbers::Each(b)) => b.iter().map(|b| truth(*a, *b)).collect(),
            (Numbers::Each(a), Numbers::Same(b)) => a.iter().map(|a| truth(*a, *b)).collect(),
            (Numbers::Each(a), Numbers::Each(b)) => {
                a.iter().zip(b.iter()).map(|(a, b)| truth(*a, *b)).collect()
            }
        }
    }

    fn term(&self, term: &Term) -> Numbers<'_> {
        match term {
            Term::Column(column) => Numbers::Each(Cow::Borrowed(&self.reals[*column])),
            Term::Constant(number) => Numbers::Same(*number),
            Term::Missing => Numbers::Same(f64::NAN),
            Term::Mapped { column, values } => {
                let map = |&code: &f64| {
                    let value = if code.is_nan() { None } else { values[code as usize] };
                    value.unwrap_or(f64::NAN)
                };
                Numbers::Each(self.reals[*column].iter().map(map).collect())
            }
            Term::Negative(inner) => self.term(inner).map(|value| -value),
            Term::Sum(summands) => {
                let start = Numbers::Same(0.0);
                summands.iter().fold(start, |sum, (negative, summand)| {
                    let sign = if *negative { -1.0 } else { 1.0 };
                    sum.with(self.term(summand), |sum, value| sum + sign * value)
                })
            }
            Term::Product(factors) => {
                factors.iter().fold(Numbers::Same(1.0), |product, (divides, factor)| {
                    let factor = self.term(factor);
                    if *divides {
                        product.with(factor, |product, value| finite(product / value))
                    } else {
                        product.with(factor, |product, value| product * value)
                    }
                })
            }
            Term::Apply(operation, terms) => {
                let mut values = terms.iter().map(|term| self.term(term));
                let first = values.next().unwrap_or(Numbers::Same(f64::NAN)).map(|value| operation.of(value));
                values.fold(first, |first, next| first.with(next, |a, b| operation.joined(a, b)))
            }
            Term::Cut(inner, points) => self.term(inner).map(|value| {
                let class = points.partition_point(|point| *point <= value);
                if value.is_nan() { value } else { class as f64 }
            }),
            Term::If(cases, otherwise) => Numbers::Each(self.by_cases(cases, otherwise).into()),
            Term::Truth(node) => {
                let number = |truth: Truth| match truth {
                    FALSE => 0.0,
                    TRUE => 1.0,
                    _ => f64::NAN,
                };
                Numbers::Each(self.node(node).into_iter().map(number).collect())
            }
            Term::Fitted(inner, fit) => self.term(inner).map(|value| fit.fitted(value)),
        }
    }

    /// Evaluates the last case first: a true earlier case replaces its value, and an unknown one makes it
    /// missing.
    fn by_cases(&self, cases: &[(Node, Term)], otherwise: &Term) -> Vec<f64> {
        let mut values = self.reals(otherwise);
        for (node, term) in cases.iter().rev() {
            let truths = self.node(node);
            let case = self.term(term);
            for (row, (value, truth)) in values.iter_mut().zip(truths).enumerate() {
                *value = match truth {
                    FALSE => *value,
                    TRUE => case.at(row),
                    _ => f64::NAN,
                };
            }
        }
        values
    }
}

/// The value, or NaN (missing) if it is not finite.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::NAN }
}

impl Operation {
    /// The operation on one number; an operation on several returns its first as it is.
    fn of(self, value: f64) -> f64 {
        let in_date =
            |part: fn(NaiveDate) -> i32| date_of(value as i32).map_or(f64::NAN, |date| f64::from(part(date)));
        match self {
            _ if value.is_nan() => value,
            Self::Min | Self::Max | Self::Power => value,
            Self::Round(decimals) => round_to_decimals(value, decimals),
            Self::Floor => value.floor(),
            Self::Ceil => value.ceil(),
            Self::Abs => value.abs(),
            Self::Log => finite(value.ln()),
            Self::Exp => finite(value.exp()),
            Self::Sqrt => finite(value.sqrt()),
            Self::Year => in_date(|date| date.year()),
            Self::Month => in_date(|date| date.month().cast_signed()),
        }
    }

    /// The operation on two numbers; missing if one of them is.
    fn joined(self, a: f64, b: f64) -> f64 {
        match self {
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            // As it would be multiplied by hand, to the last digit.
            Self::Power if b == 2.0 => finite(a * a),
            Self::Power => finite(a.powf(b)),
            _ => a,
        }
    }
}

impl Numbers<'_> {
    fn at(&self, row: usize) -> f64 {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => values[row],
        }
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Same(value) => Self::Same(change(value)),
            Self::Each(values) => {
                let mut values = values.into_owned();
                for value in &mut values {
                    *value = change(*value);
                }
                Self::Each(Cow::Owned(values))
            }
        }
    }

    fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (left, Self::Same(b)) => left.map(|a| join(a, b)),
            (Self::Same(a), right @ Self::Each(_)) => right.map(|b| join(a, b)),
            (Self::Each(left), Self::Each(right)) => {
                let mut left = left.into_owned();
                for (a, b) in left.iter_mut().zip(right.iter()) {
                    *a = join(*a, *b);
                }
                Self::Each(Cow::Owned(left))
            }
        }
    }
}
