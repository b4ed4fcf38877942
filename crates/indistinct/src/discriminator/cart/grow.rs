//! Growth: split, grow the left child, bound the right one by what the left achieved, undo splits that did not
//! pay.

use std::ops::Range;

use super::criterion::{Count, Criterion, Gini, Squares, risk};
use super::presort::{MISSING_KEY, Presorted, Scale};
use super::scan::{self, Found};
use super::tree::{Node, Question, Split, Tree};
use super::{CartMethod, CartParams, Workspace};
use crate::progress;

/// A gain must exceed this share of the largest gain seen so far, or it is taken for rounding error.
const NOTHING: f64 = 1e-10;

pub(super) struct Grower<'a> {
    columns: &'a [&'a Presorted],
    params: &'a CartParams,
    workspace: &'a mut Workspace,
    root: Count,
    /// cp in units of risk.
    alpha: f64,
    largest_gain: f64,
    nodes: Vec<Node>,
}

/// A subtree as its parent sees it.
struct Grown {
    /// Position of its root in the list of nodes.
    position: usize,
    /// Risk of its root if it were a leaf.
    risk: f64,
    /// Risk of its leaves.
    risk_below: f64,
    splits: f64,
    complexity: f64,
}

/// A chosen split, before the children are grown.
struct Chosen {
    predictor: usize,
    question: Question,
    missing_goes_left: bool,
    gain: f64,
    left: Count,
    sides: Sides,
}

/// The keys that go to the left child.
enum Sides {
    /// Keys below the limit, or keys not below it.
    Ordered { limit: u32, low_goes_left: bool },
    /// Whether each key goes left, the last for *missing*.
    Nominal(Vec<bool>),
}

impl<'a> Grower<'a> {
    pub(super) fn new(
        columns: &'a [&'a Presorted],
        synthetic: &[bool],
        params: &'a CartParams,
        workspace: &'a mut Workspace,
    ) -> Self {
        let rows = synthetic.len();
        assert!(columns.iter().all(|column| column.rows() == rows), "columns and labels differ in length");
        workspace.entries.resize_with(columns.len(), Vec::new);
        for (entries, column) in workspace.entries.iter_mut().zip(columns) {
            entries.clear();
            entries.extend(column.entries().iter().map(|&entry| {
                let row = entry as u32;
                entry >> 32 << 32 | u64::from(row << 1 | u32::from(synthetic[row as usize]))
            }));
        }
        workspace.buffer.resize(rows / 2 + 1, 0);
        workspace.marks.resize(rows, 0);
        let root = Count {
            rows: rows as u32,
            synthetic: synthetic.iter().map(|&synthetic| u32::from(synthetic)).sum(),
        };
        let alpha = params.cp * risk(params.method, root);
        Self { columns, params, workspace, root, alpha, largest_gain: 0.0, nodes: Vec::new() }
    }

    pub(super) fn grow(mut self) -> Tree {
        let root_risk = risk(self.params.method, self.root);
        self.partition(1, 0..self.root.rows as usize, self.root, root_risk);
        // A node's complexity is no larger than its parent's, and is told relative to the root's risk.
        for position in 0..self.nodes.len() {
            let complexity = self.nodes[position].complexity;
            if let Some(Split { left, right, .. }) = self.nodes[position].split {
                for child in [left, right] {
                    self.nodes[child].complexity = self.nodes[child].complexity.min(complexity);
                }
            }
            self.nodes[position].complexity = complexity / root_risk;
        }
        Tree::new(self.nodes)
    }

    /// Grows the subtree of one node. `bound` is the largest complexity that it can have.
    fn partition(&mut self, id: u64, rows: Range<usize>, node: Count, bound: f64) -> Grown {
        progress::check();
        let position = self.nodes.len();
        let own_risk = risk(self.params.method, node);
        let alpha = self.alpha;
        self.nodes.push(Node {
            id,
            rows: node.rows,
            synthetic: node.synthetic,
            complexity: alpha,
            split: None,
        });
        let leaf = Grown { position, risk: own_risk, risk_below: own_risk, splits: 0.0, complexity: alpha };
        let at_most = own_risk.min(bound);
        if !self.may_split(id, node) || at_most <= alpha {
            return leaf;
        }
        let Some(chosen) = self.best_split(rows.clone(), node) else { return leaf };
        let (left_count, right_count) = (chosen.left, node.without(chosen.left));
        let may_grow =
            |id: u64, node: Count| self.may_split(id, node) && risk(self.params.method, node) > alpha;
        if may_grow(2 * id, left_count) || may_grow(2 * id + 1, right_count) {
            self.separate(rows.clone(), &chosen);
        }
        let middle = rows.start + left_count.rows as usize;

        let left = self.partition(2 * id, rows.start..middle, left_count, at_most - alpha);
        let so_far = (own_risk - left.risk_below) / (left.splits + 1.0);
        let at_most = so_far.max(own_risk - left.risk).min(bound);
        let right = self.partition(2 * id + 1, middle..rows.end, right_count, at_most - alpha);

        let (risk_below, splits, complexity) = collapse(own_risk, &left, &right);
        if complexity <= alpha {
            self.nodes.truncate(position + 1);
            return Grown { complexity, ..leaf };
        }
        self.nodes[position].complexity = complexity;
        self.nodes[position].split = Some(Split {
            predictor: chosen.predictor,
            question: chosen.question,
            missing_goes_left: chosen.missing_goes_left,
            gain: chosen.gain,
            left: left.position,
            right: right.position,
        });
        Grown { position, risk: own_risk, risk_below, splits: splits + 1.0, complexity }
    }

    /// Whether a node is large and shallow enough to be split at all.
    fn may_split(&self, id: u64, node: Count) -> bool {
        node.rows >= self.params.minsplit && id < 1 << self.params.maxdepth
    }

    fn best_split(&mut self, rows: Range<usize>, node: Count) -> Option<Chosen> {
        match self.params.method {
            CartMethod::Class => self.best_split_by::<Gini>(rows, node),
            CartMethod::Anova => self.best_split_by::<Squares>(rows, node),
        }
    }

    fn best_split_by<C: Criterion>(&mut self, rows: Range<usize>, node: Count) -> Option<Chosen> {
        let mut best: Option<(usize, Found)> = None;
        let minbucket = self.params.minbucket;
        let Workspace { entries, levels: found_levels, .. } = &mut *self.workspace;
        for (predictor, column) in self.columns.iter().enumerate() {
            let entries = &entries[predictor][rows.clone()];
            let found = match column.scale() {
                Scale::Ordered { .. } => scan::ordered::<C>(entries, node, minbucket),
                Scale::Nominal { levels } => {
                    scan::order_levels::<C>(entries, *levels, node, found_levels);
                    scan::nominal::<C>(found_levels, node, minbucket)
                }
            };
            let Some(found) = found else { continue };
            self.largest_gain = self.largest_gain.max(found.gain);
            if found.gain > self.largest_gain * NOTHING && best.is_none_or(|(_, best)| found.gain > best.gain)
            {
                best = Some((predictor, found));
            }
        }
        let (predictor, found) = best?;
        let entries = &entries[predictor][rows];
        Some(match self.columns[predictor].scale() {
            Scale::Ordered { distinct } => choose_ordered(predictor, found, node, entries, distinct),
            Scale::Nominal { levels } => {
                scan::order_levels::<C>(entries, *levels, node, found_levels);
                let mut left = vec![false; levels + 1];
                for (place, level) in found_levels.iter().enumerate() {
                    left[level.number] = (place < found.cut) == found.low_goes_left;
                }
                let missing_goes_left = left[*levels];
                let question = Question::OneOf { left: left[..*levels].to_vec() };
                let count = if found.low_goes_left { found.low } else { node.without(found.low) };
                let sides = Sides::Nominal(left);
                Chosen { predictor, question, missing_goes_left, gain: found.gain, left: count, sides }
            }
        })
    }

    /// Reorders every column so that the rows of the left child come first, each child's in their previous order.
    ///
    /// Trees of tables that are alike cut off a few rows at a time, and the time goes into reading and writing
    /// memory: rows of the smaller child are marked and moved aside while the others close up.
    fn separate(&mut self, rows: Range<usize>, chosen: &Chosen) {
        let Workspace { entries, buffer, marks, .. } = &mut *self.workspace;
        let left = chosen.left.rows as usize;
        let smaller = left.min(rows.len() - left);
        let smaller_is_left = smaller == left;
        for &entry in &entries[chosen.predictor][rows.clone()] {
            marks[scan::row(entry)] = u8::from(chosen.sends_left(scan::key(entry)) == smaller_is_left);
        }
        // One more than needed: every entry is written there first, and stays if it is marked.
        let buffer = &mut buffer[..=smaller];
        for entries in entries.iter_mut() {
            let entries = &mut entries[rows.clone()];
            if smaller_is_left {
                let (mut kept, mut aside) = (entries.len(), buffer.len());
                for place in (0..entries.len()).rev() {
                    let entry = entries[place];
                    let marked = usize::from(marks[scan::row(entry)]);
                    entries[kept - 1] = entry;
                    buffer[aside - 1] = entry;
                    kept -= 1 - marked;
                    aside -= marked;
                }
                entries[..kept].copy_from_slice(&buffer[aside..]);
            } else {
                let (mut kept, mut aside) = (0, 0);
                for place in 0..entries.len() {
                    let entry = entries[place];
                    let marked = usize::from(marks[scan::row(entry)]);
                    entries[kept] = entry;
                    buffer[aside] = entry;
                    kept += 1 - marked;
                    aside += marked;
                }
                entries[kept..].copy_from_slice(&buffer[..aside]);
            }
        }
    }
}

impl Chosen {
    /// Whether rows with this key go to the left child.
    fn sends_left(&self, key: u32) -> bool {
        match &self.sides {
            Sides::Ordered { .. } if key == MISSING_KEY => self.missing_goes_left,
            Sides::Ordered { limit, low_goes_left } => (key < *limit) == *low_goes_left,
            Sides::Nominal(left) => left[(key as usize).min(left.len() - 1)],
        }
    }
}

/// Turns a cut into a threshold, and counts the rows that it really sends to the left.
fn choose_ordered(predictor: usize, found: Found, node: Count, entries: &[u64], distinct: &[f64]) -> Chosen {
    let Found { gain, cut, missing_low, low_goes_left, .. } = found;
    let value = |place: usize| {
        let key = entries.get(place).map_or(MISSING_KEY, |&entry| scan::key(entry));
        (key, distinct.get(key as usize).copied().unwrap_or(f64::INFINITY))
    };
    let ((low_key, low), (high_key, high)) = (value(cut - 1), value(cut));
    let threshold = f64::midpoint(low, high);
    // Between neighbouring doubles the midpoint rounds to one of them; "x < threshold" decides, as in rpart.
    let below = threshold > low;
    let limit = if below { high_key } else { low_key };
    let low_count = if below {
        found.low
    } else {
        let low = scan::count(&entries[..entries.partition_point(|&entry| scan::key(entry) < limit)]);
        let missing = entries.partition_point(|&entry| scan::key(entry) < MISSING_KEY);
        if missing_low { low.and(scan::count(&entries[missing..])) } else { low }
    };
    Chosen {
        predictor,
        question: Question::Below { threshold, low_goes_left },
        missing_goes_left: missing_low == low_goes_left,
        gain,
        left: if low_goes_left { low_count } else { node.without(low_count) },
        sides: Sides::Ordered { limit, low_goes_left },
    }
}

/// The complexity of a node with grown children: children that would be pruned before it are counted as leaves.
/// Returns the risk below it, the number of splits below it and the complexity.
fn collapse(risk: f64, left: &Grown, right: &Grown) -> (f64, f64, f64) {
    let complexity =
        |left: (f64, f64), right: (f64, f64)| (risk - (left.0 + right.0)) / (left.1 + right.1 + 1.0);
    let (full_left, full_right) = ((left.risk_below, left.splits), (right.risk_below, right.splits));
    let (bare_left, bare_right) = ((left.risk, 0.0), (right.risk, 0.0));
    let (mut kept_left, mut kept_right) = (full_left, full_right);
    if right.complexity > left.complexity {
        if complexity(kept_left, kept_right) > left.complexity {
            kept_left = bare_left;
            if complexity(kept_left, kept_right) > right.complexity {
                kept_right = bare_right;
            }
        }
    } else if complexity(kept_left, kept_right) > right.complexity {
        kept_right = bare_right;
        if complexity(kept_left, kept_right) > left.complexity {
            kept_left = bare_left;
        }
    }
    (kept_left.0 + kept_right.0, kept_left.1 + kept_right.1, complexity(kept_left, kept_right))
}
