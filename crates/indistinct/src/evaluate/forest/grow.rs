//! Growing one tree, node by node.

use std::ops::Range;

use rand::RngExt;

use super::features::{FeatureScale, Features};
use super::split::{Case, Cut, Order, Summary};
use super::{ForestParams, Node, Response, Tree};
use crate::progress;
use crate::random::Generator;

pub(super) struct Grower<'a> {
    features: &'a Features,
    params: ForestParams,
    random: Generator,
    summary: Summary<'a>,
    order: Order,
    /// Positions of all columns; the first ones are those tried last.
    columns: Vec<usize>,
    levels: Levels,
    tree: Tree,
}

/// The levels of a nominal column in a node: their order, and the rank of each.
#[derive(Default)]
struct Levels {
    /// Rows and amounts of each level.
    sums: Vec<(f64, f64)>,
    present: Vec<u32>,
    ranks: Vec<u32>,
}

/// A split that was found.
struct Found {
    score: f64,
    node: Node,
}

impl<'a> Grower<'a> {
    pub(super) fn new(
        features: &'a Features,
        response: &'a Response,
        params: ForestParams,
        random: Generator,
    ) -> Self {
        Self {
            features,
            params,
            random,
            summary: Summary::new(response),
            order: Order::default(),
            columns: (0..features.columns()).collect(),
            levels: Levels::default(),
            tree: Tree { nodes: Vec::new(), shares: Vec::new() },
        }
    }

    /// Grows a tree on this many draws from the rows.
    pub(super) fn grow(mut self, rows: &[u32], draws: usize) -> Tree {
        let mut cases = self.bootstrap(rows, draws);
        let mut waiting: Vec<(Range<usize>, u32)> = vec![(0..cases.len(), 0)];
        self.tree.nodes.push(Node::Pure(0));
        while let Some((range, place)) = waiting.pop() {
            progress::check();
            let part = &mut cases[range.clone()];
            match self.split(part) {
                None => self.tree.nodes[place as usize] = self.leaf(part),
                Some(node) => {
                    let middle = range.start + separate(part, |case| self.goes_first(&node, case.row));
                    let first = self.tree.nodes.len() as u32;
                    self.tree.nodes.extend([Node::Pure(0), Node::Pure(0)]);
                    self.tree.nodes[place as usize] = with_children(node, [first, first + 1]);
                    waiting.push((middle..range.end, first + 1));
                    waiting.push((range.start..middle, first));
                }
            }
        }
        self.tree
    }

    /// Draws with replacement; a row that is drawn several times is one case with that weight.
    fn bootstrap(&mut self, rows: &[u32], draws: usize) -> Vec<Case> {
        let mut places: Vec<u32> =
            (0..draws).map(|_| self.random.random_range(0..rows.len() as u32)).collect();
        places.sort_unstable();
        let case = |same: &[u32]| Case { row: rows[same[0] as usize], weight: same.len() as u32 };
        places.chunk_by(|a, b| a == b).map(case).collect()
    }

    /// The best split among a few columns, drawn anew for every node; `None` if the node need not or cannot be
    /// split.
    fn split(&mut self, cases: &[Case]) -> Option<Node> {
        let same = self.summary.look_at(cases);
        let rows: u64 = cases.iter().map(|case| u64::from(case.weight)).sum();
        if same || rows < 2 * u64::from(self.params.smallest_leaf) {
            return None;
        }
        let mut best: Option<Found> = None;
        let mut tried = 0;
        for place in 0..self.columns.len() {
            let other = self.random.random_range(place..self.columns.len());
            self.columns.swap(place, other);
            let Some(found) = self.best_of_column(self.columns[place], cases, rows) else { continue };
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.score > best.score)
            {
                best = Some(found);
            }
            tried += 1;
            // Columns that offer no split are no choice: others are tried in their place.
            if tried >= self.params.columns_per_split && best.is_some() {
                break;
            }
        }
        best.map(|found| found.node)
    }

    /// The best split by one column, if any leaves enough rows on both sides; the outer `None` where the column
    /// is constant.
    #[expect(
        clippy::option_option,
        reason = "a constant column does not count as tried, one without a split does"
    )]
    fn best_of_column(&mut self, column: usize, cases: &[Case], rows: u64) -> Option<Option<Found>> {
        let feature = self.features.column(column);
        let smallest = self.params.smallest_leaf;
        let key = |case: Case| feature.keys[case.row as usize];
        let column = column as u32;
        let children = [0; 2];
        match &feature.scale {
            FeatureScale::Ordered(_) => {
                if !self.order.sort(cases, key) {
                    return None;
                }
                let cut = self.order.best_cut(cases, rows, smallest, &mut self.summary);
                Some(cut.map(|Cut { score, low, high }| Found {
                    score,
                    node: Node::Below { column, limit: feature.scale.limit(low, high), children },
                }))
            }
            FeatureScale::Nominal(levels) => {
                let drawn = cases[self.random.random_range(0..cases.len())].row;
                let class = self.summary.class(drawn);
                self.levels.arrange(cases, *levels, key, |row| self.summary.amount(row, class));
                let ranks = &self.levels.ranks;
                if !self.order.sort(cases, |case| ranks[key(case) as usize]) {
                    return None;
                }
                let cut = self.order.best_cut(cases, rows, smallest, &mut self.summary);
                Some(cut.map(|Cut { score, high, .. }| Found {
                    score,
                    node: Node::OneOf { column, levels: self.levels.below(high), children },
                }))
            }
        }
    }

    fn goes_first(&self, node: &Node, row: u32) -> bool {
        match node {
            Node::Below { column, limit, .. } => self.features.key(*column, row) < *limit,
            Node::OneOf { column, levels, .. } => levels[self.features.key(*column, row) as usize],
            _ => unreachable!("leaves are not split"),
        }
    }

    /// A leaf; the summary has seen its rows before.
    fn leaf(&mut self, cases: &[Case]) -> Node {
        match &self.summary {
            Summary::Number { mean, .. } => Node::Mean(*mean),
            Summary::Class { node, .. } => {
                let rows: u64 = cases.iter().map(|case| u64::from(case.weight)).sum();
                let start = self.tree.shares.len() as u32;
                let present = (0..).zip(node).filter(|(_, count)| **count > 0);
                self.tree.shares.extend(present.map(|(class, &count)| (class, count as f64 / rows as f64)));
                match self.tree.shares[start as usize..] {
                    [(class, _)] => {
                        self.tree.shares.pop();
                        Node::Pure(class)
                    }
                    _ => Node::Shares(start..self.tree.shares.len() as u32),
                }
            }
        }
    }
}

impl Levels {
    /// Orders the levels in the node by their mean amount, equal ones by number. Missing is one of them.
    fn arrange(
        &mut self,
        cases: &[Case],
        levels: usize,
        key: impl Fn(Case) -> u32,
        amount: impl Fn(u32) -> f64,
    ) {
        self.sums.clear();
        self.sums.resize(levels + 1, (0.0, 0.0));
        for case in cases {
            let weight = f64::from(case.weight);
            let (rows, amounts) = &mut self.sums[key(*case) as usize];
            (*rows, *amounts) = (*rows + weight, *amounts + weight * amount(case.row));
        }
        let Self { sums, present, ranks } = self;
        present.clear();
        present.extend((0..=levels as u32).filter(|&level| sums[level as usize].0 > 0.0));
        let mean = |level: u32| sums[level as usize].1 / sums[level as usize].0;
        present.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
        // Levels that the node does not hold are beyond all others, and so go to the second child.
        ranks.clear();
        ranks.resize(levels + 1, u32::MAX);
        for (&level, rank) in present.iter().zip(0..) {
            ranks[level as usize] = rank;
        }
    }

    /// For each level, whether it is below this place in the order.
    fn below(&self, rank: u32) -> Box<[bool]> {
        self.ranks.iter().map(|&own| own < rank).collect()
    }
}

fn with_children(node: Node, children: [u32; 2]) -> Node {
    match node {
        Node::Below { column, limit, .. } => Node::Below { column, limit, children },
        Node::OneOf { column, levels, .. } => Node::OneOf { column, levels, children },
        leaf => leaf,
    }
}

/// Moves the cases that go first to the front, in an order that is always the same; returns their number.
fn separate(cases: &mut [Case], goes_first: impl Fn(&Case) -> bool) -> usize {
    let mut first = 0;
    for place in 0..cases.len() {
        if goes_first(&cases[place]) {
            cases.swap(first, place);
            first += 1;
        }
    }
    first
}
