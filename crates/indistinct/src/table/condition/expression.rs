//! Conditions and values whose columns and types are resolved: the form that is evaluated and reasoned about.

use std::sync::Arc;

use super::fit::Fit;
use super::token::Comparison;

impl Comparison {
    /// Whether the comparison holds between two numbers.
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

    /// The comparison that holds between present values exactly where this one does not.
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

    /// The comparison with its sides exchanged.
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

/// The value of each row as a double, NaN where missing: numbers as they are, days since 1970 for dates,
/// microseconds for date-times, codes for categories and booleans.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// The column at this place of the expression's own list.
    Column(usize),
    /// A categorical column with a value for each of its codes, such as the codes of its levels in another
    /// column's list; `None` is missing.
    Mapped {
        column: usize,
        values: Arc<[Option<f64>]>,
    },
    Constant(f64),
    Missing,
    /// Summands; `true` for those that are subtracted.
    Sum(Vec<(bool, Term)>),
    /// Factors; `true` for those that divide, which the first does not.
    Product(Vec<(bool, Term)>),
    Negative(Box<Term>),
    Apply(Operation, Vec<Term>),
    /// The number of cut points, which increase, that are at most the value.
    Cut(Box<Term>, Arc<[f64]>),
    /// The value of the first true condition, missing if one before it is unknown; the last value if no condition
    /// is true.
    If(Vec<(Node, Term)>, Box<Term>),
    /// 1 where true, 0 where false.
    Truth(Box<Node>),
    /// The value in the form that its column holds.
    Fitted(Box<Term>, Fit),
}

/// A computation on numbers. Where it has no finite result, such as 1 / 0, the result is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operation {
    /// Rounds to this many decimals.
    Round(u32),
    Floor,
    Ceil,
    Abs,
    Min,
    Max,
    Log,
    Exp,
    Sqrt,
    Power,
    /// The year of a day.
    Year,
    Month,
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
    /// Whether the value is in this sorted list.
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
    /// Number of parts, with items of lists.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Compare { .. } | Self::IsMissing(_) => 1,
            Self::Member { list, .. } => 1 + list.len(),
            Self::Not(inner) => 1 + inner.size(),
            Self::And(nodes) | Self::Or(nodes) => 1 + nodes.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// The term with each column moved to another place.
    pub(super) fn renumbered(&self, place: &dyn Fn(usize) -> usize) -> Self {
        let all = |nodes: &[Self]| nodes.iter().map(|node| node.renumbered(place)).collect();
        match self {
            Self::Constant(truth) => Self::Constant(*truth),
            Self::Compare { comparison, left, right } => Self::Compare {
                comparison: *comparison,
                left: left.renumbered(place),
                right: right.renumbered(place),
            },
            Self::Member { value, list } => {
                Self::Member { value: value.renumbered(place), list: list.clone() }
            }
            Self::IsMissing(column) => Self::IsMissing(place(*column)),
            Self::Not(inner) => Self::Not(Box::new(inner.renumbered(place))),
            Self::And(nodes) => Self::And(all(nodes)),
            Self::Or(nodes) => Self::Or(all(nodes)),
        }
    }
}

impl Term {
    /// Visits the conditions that decide the term's value.
    pub(super) fn visit_conditions(&self, visit: &mut dyn FnMut(&Node)) {
        match self {
            Self::Column(_) | Self::Mapped { .. } | Self::Constant(_) | Self::Missing => {}
            Self::Sum(terms) | Self::Product(terms) => {
                for (_, term) in terms {
                    term.visit_conditions(visit);
                }
            }
            Self::Apply(_, terms) => {
                for term in terms {
                    term.visit_conditions(visit);
                }
            }
            Self::Negative(inner) | Self::Cut(inner, _) | Self::Fitted(inner, _) => {
                inner.visit_conditions(visit);
            }
            Self::If(cases, otherwise) => {
                for (node, term) in cases {
                    visit(node);
                    term.visit_conditions(visit);
                }
                otherwise.visit_conditions(visit);
            }
            Self::Truth(node) => visit(node),
        }
    }

    /// Whether the term has the same value in all rows.
    pub(super) fn is_constant(&self) -> bool {
        let used = std::cell::Cell::new(false);
        _ = self.renumbered(&|column| {
            used.set(true);
            column
        });
        !used.get()
    }

    /// Whether the term uses the column at this place.
    pub(super) fn uses(&self, place: usize) -> bool {
        let used = std::cell::Cell::new(false);
        _ = self.renumbered(&|column| {
            used.set(used.get() || column == place);
            column
        });
        used.get()
    }

    /// The node with each column moved to another place.
    pub(super) fn renumbered(&self, place: &dyn Fn(usize) -> usize) -> Self {
        let boxed = |term: &Self| Box::new(term.renumbered(place));
        let signed = |terms: &[(bool, Self)]| {
            terms.iter().map(|(sign, term)| (*sign, term.renumbered(place))).collect()
        };
        match self {
            Self::Column(column) => Self::Column(place(*column)),
            Self::Mapped { column, values } => {
                Self::Mapped { column: place(*column), values: Arc::clone(values) }
            }
            Self::Constant(number) => Self::Constant(*number),
            Self::Missing => Self::Missing,
            Self::Sum(summands) => Self::Sum(signed(summands)),
            Self::Product(factors) => Self::Product(signed(factors)),
            Self::Negative(inner) => Self::Negative(boxed(inner)),
            Self::Apply(operation, terms) => {
                Self::Apply(*operation, terms.iter().map(|term| term.renumbered(place)).collect())
            }
            Self::Cut(inner, points) => Self::Cut(boxed(inner), Arc::clone(points)),
            Self::If(cases, otherwise) => {
                let case = |(node, term): &(Node, Self)| (node.renumbered(place), term.renumbered(place));
                Self::If(cases.iter().map(case).collect(), boxed(otherwise))
            }
            Self::Truth(node) => Self::Truth(Box::new(node.renumbered(place))),
            Self::Fitted(inner, fit) => Self::Fitted(boxed(inner), *fit),
        }
    }
}
