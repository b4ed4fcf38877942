//! A tree of nested cells with noisy counts, and the best estimates that agree with all of them.

use std::ops::Range;

/// One cell: an interval of positions.
#[derive(Debug, Clone)]
struct Node {
    first: usize,
    length: usize,
    /// The mean of the measurements, weighted by precision.
    measured: f64,
    /// The precision of that mean; zero if there are no measurements.
    precision: f64,
    children: Range<usize>,
    /// The estimate from the cell and its descendants: value and variance.
    below: (f64, f64),
    /// The estimate from the whole tree.
    estimate: f64,
}

/// Nested cells whose counts were measured, under a root whose count is known.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of a root only: all positions, which hold `total` rows.
    pub(super) fn new(positions: usize, total: f64) -> Self {
        let root = Node {
            first: 0,
            length: positions,
            measured: total,
            precision: f64::INFINITY,
            children: 0..0,
            below: (total, 0.0),
            estimate: total,
        };
        Self { nodes: vec![root] }
    }

    /// Divides a leaf at these positions, ascending and inside it; returns the new leaves.
    pub(super) fn divide(&mut self, node: usize, at: &[usize]) -> Range<usize> {
        let Node { first, length, .. } = self.nodes[node];
        let start = self.nodes.len();
        let ends = at.iter().copied().chain(std::iter::once(first + length));
        let mut from = first;
        for end in ends {
            self.nodes.push(Node {
                first: from,
                length: end - from,
                measured: 0.0,
                precision: 0.0,
                children: 0..0,
                below: (0.0, f64::INFINITY),
                estimate: 0.0,
            });
            from = end;
        }
        self.nodes[node].children = start..self.nodes.len();
        start..self.nodes.len()
    }

    /// The first position of a node, and the number of its positions.
    pub(super) fn cell(&self, node: usize) -> (usize, usize) {
        (self.nodes[node].first, self.nodes[node].length)
    }

    /// The estimate of a node.
    pub(super) fn estimate(&self, node: usize) -> f64 {
        self.nodes[node].estimate
    }

    /// The variance of a node's estimate from itself and its descendants: the nodes above only reduce it.
    pub(super) fn variance(&self, node: usize) -> f64 {
        self.nodes[node].below.1
    }

    /// Adds a measurement of a node.
    pub(super) fn measure(&mut self, node: usize, value: f64, variance: f64) {
        let node = &mut self.nodes[node];
        let precision = node.precision + 1.0 / variance;
        node.measured += (value - node.measured) / (variance * precision);
        node.precision = precision;
    }

    /// Estimates of all nodes by weighted least squares: children sum to their parent, and all measurements count.
    pub(super) fn solve(&mut self) {
        // Children come after their parents.
        for node in (0..self.nodes.len()).rev() {
            let children = &self.nodes[self.nodes[node].children.clone()];
            let Node { measured, precision, .. } = self.nodes[node];
            self.nodes[node].below = if children.is_empty() {
                (measured, 1.0 / precision)
            } else {
                let value: f64 = children.iter().map(|child| child.below.0).sum();
                let variance: f64 = children.iter().map(|child| child.below.1).sum();
                if precision.is_infinite() {
                    (measured, 0.0)
                } else {
                    let both = precision + 1.0 / variance;
                    ((measured * precision + value / variance) / both, 1.0 / both)
                }
            };
        }
        self.nodes[0].estimate = self.nodes[0].below.0;
        for node in 0..self.nodes.len() {
            let children = self.nodes[node].children.clone();
            let (mut value, mut variance) = (0.0, 0.0);
            for child in &self.nodes[children.clone()] {
                value += child.below.0;
                variance += child.below.1;
            }
            let missing = self.nodes[node].estimate - value;
            for child in &mut self.nodes[children] {
                child.estimate = child.below.0 + missing * child.below.1 / variance;
            }
        }
    }

    /// The parts of a node, in order of position; empty for a leaf.
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].children.clone()
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// The estimate for an interval of positions, and its variance: infinite where it ends within a leaf.
    pub(super) fn interval(&self, first: usize, length: usize) -> (f64, f64) {
        self.within(0, first, first + length)
    }

    fn within(&self, node: usize, first: usize, end: usize) -> (f64, f64) {
        let here = &self.nodes[node];
        if first <= here.first && here.first + here.length <= end {
            return (here.estimate, here.below.1);
        }
        if end <= here.first || here.first + here.length <= first {
            return (0.0, 0.0);
        }
        if self.is_leaf(node) {
            return (0.0, f64::INFINITY);
        }
        let parts = here.children.clone().map(|child| self.within(child, first, end));
        parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimates_are_those_of_least_squares() {
        // Root 10 = a + b, b = c + d; measured a = 4 (variance 1), b = 5 (2), c = 3 (1), d = 1 (3).
        let mut tree = Tree::new(8, 10.0);
        let ab = tree.divide(0, &[3]);
        let cd = tree.divide(ab.start + 1, &[5]);
        for (node, value, variance) in
            [(ab.start, 4.0, 1.0), (ab.start + 1, 5.0, 2.0), (cd.start, 3.0, 1.0), (cd.start + 1, 1.0, 3.0)]
        {
            tree.measure(node, value, variance);
        }
        tree.solve();
        // Minimise (a-4)^2 + (b-5)^2/2 + (c-3)^2 + (d-1)^2/3 with a = 10 - c - d, b = c + d. The gradients in c and d:
        // (c + d - 6) + (c + d - 5)/2 + (c - 3) = 0 and (c + d - 6) + (c + d - 5)/2 + (d - 1)/3 = 0.
        let (c, d) = (tree.estimate(cd.start), tree.estimate(cd.start + 1));
        let common = (c + d - 6.0) + (c + d - 5.0) / 2.0;
        assert!((common + c - 3.0).abs() < 1e-12 && (common + (d - 1.0) / 3.0).abs() < 1e-12, "{c} {d}");
        assert!((tree.estimate(ab.start) + c + d - 10.0).abs() < 1e-12);
        assert_eq!((tree.children(0), tree.children(ab.start + 1)), (ab.clone(), cd.clone()));
        assert!((tree.interval(3, 5).0 - c - d).abs() < 1e-12);
        assert!((tree.interval(3, 2).0 - c).abs() < 1e-12);
        assert!(tree.interval(3, 1).1.is_infinite());
    }

    #[test]
    fn a_cell_may_be_measured_twice() {
        let mut tree = Tree::new(2, 9.0);
        let cells = tree.divide(0, &[1]);
        tree.measure(cells.start, 2.0, 1.0);
        tree.measure(cells.start, 5.0, 2.0);
        tree.measure(cells.start + 1, 6.0, 1e12);
        tree.solve();
        assert!((tree.estimate(cells.start) - 3.0).abs() < 1e-6);
    }
}
