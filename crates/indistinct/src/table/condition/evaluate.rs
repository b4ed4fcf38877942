//! Evaluation, a column at a time.

use std::borrow::Cow;

use super::expression::{Node, Term};
use super::token::Comparison;
use crate::table::Column;

/// False, unknown and true in an order in which `and` is the least and `or` the greatest (Kleene's logic).
pub(super) type Truth = u8;
pub(super) const FALSE: Truth = 0;
pub(super) const UNKNOWN: Truth = 1;
pub(super) const TRUE: Truth = 2;

/// The columns of a condition in one table; reals are made once.
pub(super) struct Rows<'a> {
    count: usize,
    columns: Vec<&'a Column>,
    reals: Vec<Vec<f64>>,
}

/// One number for all rows, or one for each.
enum Numbers<'a> {
    Same(f64),
    Each(Cow<'a, [f64]>),
}

impl<'a> Rows<'a> {
    pub(super) fn new(rows: usize, columns: Vec<&'a Column>) -> Self {
        let reals = columns.iter().map(|column| column.values().to_reals()).collect();
        Self { count: rows, columns, reals }
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
                let values = self.columns[*column].values();
                (0..self.count).map(|row| if values.is_missing(row) { TRUE } else { FALSE }).collect()
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
            Term::Recoded { column, codes } => {
                let recode = |&code: &f64| if code.is_nan() { code } else { codes[code as usize] };
                Numbers::Each(self.reals[*column].iter().map(recode).collect())
            }
            Term::Negative(inner) => self.term(inner).map(|value| -value),
            Term::Quotient(inner, divisor) => self.term(inner).map(|value| value / divisor),
            Term::Sum(summands) => {
                let start = Numbers::Same(0.0);
                summands.iter().fold(start, |sum, (negative, summand)| {
                    let sign = if *negative { -1.0 } else { 1.0 };
                    sum.with(self.term(summand), |sum, value| sum + sign * value)
                })
            }
            Term::Product(factors) => factors.iter().fold(Numbers::Same(1.0), |product, factor| {
                product.with(self.term(factor), |product, value| product * value)
            }),
        }
    }
}

impl Numbers<'_> {
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
