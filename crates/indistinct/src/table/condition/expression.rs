//! A condition whose columns and types are known: what is evaluated, and reasoned about.

use std::sync::Arc;

use super::token::Comparison;

impl Comparison {
    /// Whether it holds between two numbers.
    pub(super) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }

    /// What holds of present values exactly where this does not.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::Greater,
            Self::Greater => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }

    /// The same with the sides exchanged.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }
}

/// A value of each row as a double, NaN where missing: numbers as they are, days since 1970 for dates, microseconds for
/// date-times, codes for categories and booleans.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// The column at that place of the condition's own list.
    Column(usize),
    /// A categorical column by the codes that its levels have in another column's list.
    Recoded {
        column: usize,
        codes: Arc<[f64]>,
    },
    Constant(f64),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Term)>),
    Product(Vec<Term>),
    Negative(Box<Term>),
    /// Divided by a constant.
    Quotient(Box<Term>, f64),
}

/// True, false or unknown for each row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Constant(bool),
    Compare {
        comparison: Comparison,
        left: Term,
        right: Term,
    },
    /// Whether the value is one of these, which are sorted.
    Member {
        value: Term,
        list: Vec<f64>,
    },
    IsMissing(usize),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Node {
    /// How many parts it has, items of lists among them.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Compare { .. } | Self::IsMissing(_) => 1,
            Self::Member { list, .. } => 1 + list.len(),
            Self::Not(inner) => 1 + inner.size(),
            Self::And(nodes) | Self::Or(nodes) => 1 + nodes.iter().map(Self::size).sum::<usize>(),
        }
    }
}
