//! The values of a column at which the truth of a condition may change, and the columns that it needs to be
//! missing.

use super::Condition;
use super::expression::{Node, Term};
use super::token::Comparison;

/// Most members of a list at which a column is cut: a longer list is looked at value by value.
const MOST_MEMBERS: usize = 64;

/// A cut of a column's values into those below and those above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CutPoint {
    /// The value at which the column is cut.
    pub(crate) value: f64,
    /// Whether the value itself is above the cut.
    pub(crate) is_above: bool,
}

impl Condition {
    /// The cuts at which comparisons of a column with constants change. `position` is that of the column in the
    /// schema.
    pub(crate) fn cut_points(&self, position: usize) -> Vec<CutPoint> {
        let mut found = Vec::new();
        self.search(position, &mut |constant, comparison| {
            let below = CutPoint { value: constant, is_above: true };
            let above = CutPoint { value: constant, is_above: false };
            match comparison {
                Comparison::Less | Comparison::AtLeast => found.push(below),
                Comparison::AtMost | Comparison::Greater => found.push(above),
                Comparison::Equal | Comparison::Unequal => found.extend([below, above]),
            }
        });
        found
    }

    /// The constants that the condition compares a column with by `==` or `!=`.
    pub(crate) fn equal_constants(&self, position: usize) -> Vec<f64> {
        let mut found = Vec::new();
        self.search(position, &mut |constant, comparison| {
            if matches!(comparison, Comparison::Equal | Comparison::Unequal) {
                found.push(constant);
            }
        });
        found
    }

    /// Whether the condition asks if a column is missing.
    pub(crate) fn asks_if_missing(&self, position: usize) -> bool {
        let mut asks = false;
        let is_place = |place: usize| self.uses.get(place).is_some_and(|used| used.position == position);
        let mut visit =
            Visit { comparison: &mut |_, _, _| {}, missing: &mut |place| asks |= is_place(place) };
        visit.condition(self);
        asks
    }

    fn search(&self, position: usize, found: &mut dyn FnMut(f64, Comparison)) {
        let Some(own) = self.uses.iter().position(|used| used.position == position) else { return };
        let mut visit = Visit {
            comparison: &mut |place, constant, comparison| {
                if place == own {
                    found(constant, comparison);
                }
            },
            missing: &mut |_| {},
        };
        visit.condition(self);
    }
}

/// Visits all parts of a condition.
struct Visit<'a> {
    /// Called for each comparison of a column with a constant.
    comparison: &'a mut dyn FnMut(usize, f64, Comparison),
    /// Called for each column that may have to be missing.
    missing: &'a mut dyn FnMut(usize),
}

impl Visit<'_> {
    fn condition(&mut self, condition: &Condition) {
        self.node(&condition.node);
        condition.derived.iter().for_each(|term| self.term(term));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Constant(_) => {}
            Node::Compare { comparison, left, right } => {
                match (left, right) {
                    (Term::Column(place), Term::Constant(constant)) => {
                        (self.comparison)(*place, *constant, *comparison);
                    }
                    (Term::Constant(constant), Term::Column(place)) => {
                        (self.comparison)(*place, *constant, comparison.mirrored());
                    }
                    _ => {}
                }
                self.term(left);
                self.term(right);
            }
            Node::Member { value, list } => {
                if let Term::Column(place) = value {
                    for member in list.iter().take(MOST_MEMBERS) {
                        (self.comparison)(*place, *member, Comparison::Equal);
                    }
                }
                self.term(value);
            }
            Node::IsMissing(place) => (self.missing)(*place),
            Node::Not(inner) => self.node(inner),
            Node::And(nodes) | Node::Or(nodes) => nodes.iter().for_each(|node| self.node(node)),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Column(_) | Term::Mapped { .. } | Term::Constant(_) | Term::Missing => {}
            Term::Sum(terms) | Term::Product(terms) => terms.iter().for_each(|(_, term)| self.term(term)),
            Term::Apply(_, terms) => terms.iter().for_each(|term| self.term(term)),
            Term::Cut(inner, points) => {
                if let Term::Column(place) = inner.as_ref() {
                    for point in points.iter().take(MOST_MEMBERS) {
                        (self.comparison)(*place, *point, Comparison::AtLeast);
                    }
                }
                self.term(inner);
            }
            Term::Negative(inner) | Term::Fitted(inner, _) => self.term(inner),
            Term::If(cases, otherwise) => {
                for (node, term) in cases {
                    self.node(node);
                    self.term(term);
                }
                self.term(otherwise);
            }
            Term::Truth(node) => self.node(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::float_schema;

    fn cuts(text: &str, position: usize) -> Vec<(f64, bool)> {
        let condition = Condition::parse(text, &float_schema(&["x", "y"])).unwrap();
        condition.cut_points(position).into_iter().map(|cut| (cut.value, cut.is_above)).collect()
    }

    #[test]
    fn columns_are_cut_where_comparisons_with_constants_change() {
        assert_eq!(cuts("y < 3 when x >= 15", 0), [(15.0, true)]);
        assert_eq!(cuts("y < 3 when x >= 15", 1), [(3.0, true)]);
        assert_eq!(cuts("not (7 < x)", 0), [(7.0, false)]);
        assert_eq!(cuts("x == 0 or y in (1, 2)", 0), [(0.0, true), (0.0, false)]);
        assert_eq!(cuts("x == 0 or y in (1, 2)", 1).len(), 4);
        assert_eq!(cuts("(if x > 4 then 1 else y) < 9", 0), [(4.0, false)]);
        assert_eq!(cuts("x < y", 0), []);
        assert_eq!(cuts("2 * x < 7", 0), []);
    }

    #[test]
    fn constants_of_equalities_and_questions_for_missing_values_are_found() {
        let condition =
            Condition::parse("x == 0 and y is missing when y > 2 or x != 5", &float_schema(&["x", "y"]))
                .unwrap();
        assert_eq!(condition.equal_constants(0), [5.0, 0.0]);
        assert_eq!(condition.equal_constants(1), Vec::<f64>::new());
        assert!(condition.asks_if_missing(1) && !condition.asks_if_missing(0));
    }
}
