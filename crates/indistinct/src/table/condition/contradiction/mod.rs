//! Constraints that no row can satisfy: those that can be found cheaply, and never by mistake.

mod set;

use super::Condition;
use super::expression::{Node, Term};
use super::token::Comparison;
use crate::table::{ColumnType, Schema};
use set::Set;

/// Sets with more pieces than this are replaced by all values that one condition allows.
const PIECES: usize = 64;
/// Sets with more pieces than this are not divided further.
const MANY_PIECES: usize = 1024;

/// Maximal number of comparisons between columns that are followed.
const MANY_EDGES: usize = 256;
/// Approximate number of reasoning steps after which the search ends.
const EFFORT: usize = 20_000_000;

/// Conditions that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Positions of the conditions, from 0: without any one of them, this contradiction is gone.
    pub conditions: Vec<usize>,
    /// The reason, in one line without a position.
    pub what: String,
}

/// Looks for conditions that no row can satisfy all at once.
///
/// # Guarantee
/// A reported contradiction is true of every row in which the columns concerned are present, within the limits
/// that the schema declares. (A missing value satisfies most constraints; columns for which some condition asks
/// `is missing` are therefore left out.) The search looks at single columns (intervals, levels) and at
/// comparisons between columns (circles of `<`, limits passed along); it finds nothing that needs more than that.
/// Arithmetic is left alone: rounding could make true what algebra says is false.
pub fn contradiction(conditions: &[Condition], schema: &Schema) -> Option<Contradiction> {
    contradiction_among(&conditions.iter().collect::<Vec<_>>(), schema)
}

/// Looks for a [`contradiction`] among borrowed conditions.
pub(crate) fn contradiction_among(conditions: &[&Condition], schema: &Schema) -> Option<Contradiction> {
    let chosen = |left_out: &[usize]| -> Vec<&Condition> {
        conditions.iter().enumerate().filter(|(k, _)| !left_out.contains(k)).map(|(_, one)| *one).collect()
    };
    let mut what = find(&chosen(&[]), schema)?;
    let mut left_out = Vec::new();
    for k in 0..conditions.len() {
        left_out.push(k);
        match find(&chosen(&left_out), schema) {
            Some(reason) => what = reason,
            None => _ = left_out.pop(),
        }
    }
    let conditions = (0..conditions.len()).filter(|k| !left_out.contains(k)).collect();
    Some(Contradiction { conditions, what })
}

/// `low` is less than `high` in every row, or at most equal to it; both are positions in the schema.
struct Edge {
    low: usize,
    high: usize,
    strict: bool,
}

/// The reason why these conditions contradict each other, if one is found.
fn find(conditions: &[&Condition], schema: &Schema) -> Option<String> {
    let mut sets: Vec<Option<Set>> = vec![None; schema.columns().len()];
    for used in conditions.iter().flat_map(|condition| &condition.uses) {
        if sets[used.position].is_none() {
            sets[used.position] = domain(&schema.columns()[used.position]);
        }
    }
    let mut effort = EFFORT;
    for condition in conditions {
        forget_missing(&condition.node, condition, &mut sets);
    }
    let mut edges = Vec::new();
    for condition in conditions {
        if possible(&condition.node, false, None, &Set::Codes(vec![true])).is_empty() {
            return Some("the condition is false in every row".to_owned());
        }
        collect_edges(&condition.node, false, condition, &sets, &mut edges);
        let size = condition.node.size();
        for (place, used) in condition.uses.iter().enumerate() {
            if let Some(set) = &mut sets[used.position] {
                match effort.checked_sub(size.saturating_mul(set.size())) {
                    Some(left) => effort = left,
                    None => break,
                }
                let left = set.common(&possible(&condition.node, false, Some(place), set));
                if left.pieces() <= MANY_PIECES {
                    *set = left;
                }
                if set.is_empty() {
                    return Some(format!("no value of `{}` is left", used.name));
                }
            }
        }
    }
    edges.truncate(MANY_EDGES);
    let name = |position: usize| schema.columns()[position].name();
    if let Some(circle) = strict_circle(&edges, schema.columns().len()) {
        let names: Vec<String> = circle.iter().map(|&position| format!("`{}`", name(position))).collect();
        return Some(format!("{} would have to be less than itself: {}", names[0], names.join(" <= ")));
    }
    hand_on(&edges, &mut sets).map(|position| format!("no value of `{}` is left", name(position)))
}

/// The values that a column may hold by its declaration.
fn domain(column: &crate::table::ColumnSchema) -> Option<Set> {
    let numbers = |whole| Some(Set::numbers(column.minimum(), column.maximum(), column.atoms(), whole));
    match column.kind() {
        ColumnType::Float => numbers(false),
        ColumnType::Integer | ColumnType::Date { .. } | ColumnType::DateTime { .. } => numbers(true),
        ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
            Some(Set::Codes(vec![true; levels.len()]))
        }
        ColumnType::Boolean { .. } => Some(Set::Codes(vec![true; 2])),
        ColumnType::Identifier => None,
    }
}

/// Forgets the sets of columns that may have to be missing: nothing is concluded about them.
fn forget_missing(node: &Node, condition: &Condition, sets: &mut [Option<Set>]) {
    match node {
        Node::IsMissing(place) => match condition.uses.get(*place) {
            Some(used) => sets[used.position] = None,
            // A derived column is missing where any of those that it is computed from may be.
            None => condition.uses.iter().for_each(|used| sets[used.position] = None),
        },
        Node::Not(inner) => forget_missing(inner, condition, sets),
        Node::And(nodes) | Node::Or(nodes) => {
            for node in nodes {
                forget_missing(node, condition, sets);
            }
        }
        Node::Compare { left, right, .. } => {
            left.visit_conditions(&mut |node| forget_missing(node, condition, sets));
            right.visit_conditions(&mut |node| forget_missing(node, condition, sets));
        }
        Node::Member { value, .. } => {
            value.visit_conditions(&mut |node| forget_missing(node, condition, sets));
        }
        Node::Constant(_) => {}
    }
}

/// A superset of the column's values for which a node (or its negation) may be true.
fn possible(node: &Node, negated: bool, column: Option<usize>, like: &Set) -> Set {
    let of_column = |term: &Term| matches!(term, Term::Column(place) if Some(*place) == column);
    match node {
        Node::Constant(truth) => like.alike(*truth != negated),
        Node::Not(inner) => possible(inner, !negated, column, like),
        Node::And(nodes) | Node::Or(nodes) => {
            // By De Morgan the negation of `and` is an `or`.
            let all_must_hold = matches!(node, Node::And(_)) != negated;
            nodes.iter().fold(like.alike(all_must_hold), |set, node| {
                let one = possible(node, negated, column, like);
                let joined = if all_must_hold { set.common(&one) } else { set.either(&one) };
                if joined.pieces() > PIECES { like.alike(true) } else { joined }
            })
        }
        Node::Compare { comparison, left, right } => {
            let comparison = if negated { comparison.negated() } else { *comparison };
            match (left, right) {
                (Term::Constant(a), Term::Constant(b)) => like.alike(comparison.holds(*a, *b)),
                (value, Term::Constant(constant)) if of_column(value) => {
                    like.comparing(comparison, *constant)
                }
                (Term::Constant(constant), value) if of_column(value) => {
                    like.comparing(comparison.mirrored(), *constant)
                }
                // A column is equal to itself, and not less than itself.
                (Term::Column(a), Term::Column(b)) if a == b && Some(*a) == column => {
                    like.alike(comparison.holds(0.0, 0.0))
                }
                _ => like.alike(true),
            }
        }
        Node::Member { value, list } if of_column(value) && list.len() <= PIECES => {
            let (start, comparison) =
                if negated { (true, Comparison::Unequal) } else { (false, Comparison::Equal) };
            list.iter().fold(like.alike(start), |set, &item| {
                let one = like.comparing(comparison, item);
                if negated { set.common(&one) } else { set.either(&one) }
            })
        }
        Node::Member { .. } | Node::IsMissing(_) => like.alike(true),
    }
}

/// Comparisons between columns that hold wherever the condition does.
fn collect_edges(
    node: &Node,
    negated: bool,
    condition: &Condition,
    sets: &[Option<Set>],
    edges: &mut Vec<Edge>,
) {
    match node {
        Node::Not(inner) => collect_edges(inner, !negated, condition, sets, edges),
        // By De Morgan the negation of `or` is an `and`.
        Node::And(nodes) | Node::Or(nodes) if matches!(node, Node::And(_)) != negated => {
            for node in nodes {
                collect_edges(node, negated, condition, sets, edges);
            }
        }
        Node::Compare { comparison, left: Term::Column(left), right: Term::Column(right) } => {
            let (Some(left), Some(right)) = (condition.uses.get(*left), condition.uses.get(*right)) else {
                return;
            };
            let (left, right) = (left.position, right.position);
            if sets[left].is_none() || sets[right].is_none() {
                return;
            }
            let comparison = if negated { comparison.negated() } else { *comparison };
            let mut add = |low, high, strict| edges.push(Edge { low, high, strict });
            match comparison {
                Comparison::Less => add(left, right, true),
                Comparison::AtMost => add(left, right, false),
                Comparison::Greater => add(right, left, true),
                Comparison::AtLeast => add(right, left, false),
                Comparison::Equal => {
                    add(left, right, false);
                    add(right, left, false);
                }
                Comparison::Unequal => {}
            }
        }
        _ => {}
    }
}

/// A path along edges from the high end of a strict edge back to its low end: positions, the first repeated at
/// the end.
fn strict_circle(edges: &[Edge], columns: usize) -> Option<Vec<usize>> {
    edges.iter().filter(|edge| edge.strict).find_map(|start| {
        let mut from = vec![None; columns];
        let mut reached = vec![false; columns];
        reached[start.high] = true;
        let mut queue = vec![start.high];
        while let Some(position) = queue.pop() {
            if position == start.low {
                let mut way = vec![start.low];
                let mut at = start.low;
                while let Some(before) = from[at] {
                    way.push(before);
                    at = before;
                }
                way.push(start.low);
                way.reverse();
                return Some(way);
            }
            for edge in edges.iter().filter(|edge| edge.low == position) {
                if !reached[edge.high] {
                    reached[edge.high] = true;
                    from[edge.high] = Some(position);
                    queue.push(edge.high);
                }
            }
        }
        None
    })
}

/// Passes lower limits up along edges and upper limits down; returns the first column left without values.
fn hand_on(edges: &[Edge], sets: &mut [Option<Set>]) -> Option<usize> {
    // A limit moves along one edge at least in every round, or none moves any more.
    for _ in 0..edges.len() {
        let mut moved = false;
        for edge in edges {
            let (Some(low), Some(high)) = (&sets[edge.low], &sets[edge.high]) else { continue };
            let (Some((least, _)), Some((_, most))) = (low.ends(), high.ends()) else { continue };
            let side = |closed: bool, up: bool| match (up, closed && !edge.strict) {
                (true, true) => Comparison::AtLeast,
                (true, false) => Comparison::Greater,
                (false, true) => Comparison::AtMost,
                (false, false) => Comparison::Less,
            };
            let above = high.common(&high.comparing(side(least.closed, true), least.value));
            let below = low.common(&low.comparing(side(most.closed, false), most.value));
            for (position, set) in [(edge.high, above), (edge.low, below)] {
                if set.is_empty() {
                    return Some(position);
                }
                moved |= sets[position].as_ref() != Some(&set);
                sets[position] = Some(set);
            }
        }
        if !moved {
            break;
        }
    }
    None
}
