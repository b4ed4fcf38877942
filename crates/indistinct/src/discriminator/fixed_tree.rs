//! A tree that is fixed before anything is counted in it: a partition of data space.
//!
//! The samplers' private tree is of this kind: its splits were chosen privately, may be published with the
//! release, and do not change with what is judged by it.

/// A binary tree over numeric columns. Rows with a value at most the threshold go to the low side; NaN goes to
/// the high.
#[derive(Debug, Clone, PartialEq)]
pub struct FixedTree {
    nodes: Vec<Node>,
    leaves: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    /// A leaf, by its number.
    Leaf(usize),
    Split {
        cut: Cut,
        low: usize,
        high: usize,
    },
}

/// The division of a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// The column.
    pub column: usize,
    /// The largest value that goes to the low side.
    pub threshold: f64,
}

impl Default for FixedTree {
    fn default() -> Self {
        Self::undivided()
    }
}

impl FixedTree {
    /// A tree of one leaf.
    pub fn undivided() -> Self {
        Self { nodes: vec![Node::Leaf(0)], leaves: 1 }
    }

    /// The tree with leaves divided by their cuts, where they have one. Leaves are numbered anew, from the lowest
    /// side.
    ///
    /// # Panics
    /// When there are not as many entries as leaves.
    #[must_use]
    pub fn divided(&self, cuts: &[Option<Cut>]) -> Self {
        assert_eq!(cuts.len(), self.leaves, "an entry for every leaf");
        let mut tree = Self { nodes: Vec::with_capacity(2 * self.nodes.len() + 1), leaves: 0 };
        self.copy_divided(0, cuts, &mut tree);
        tree
    }

    fn copy_divided(&self, position: usize, cuts: &[Option<Cut>], tree: &mut Self) -> usize {
        let copy = tree.nodes.len();
        match self.nodes[position] {
            Node::Split { cut, low, high } => {
                tree.nodes.push(Node::Leaf(0));
                let low = self.copy_divided(low, cuts, tree);
                let high = self.copy_divided(high, cuts, tree);
                tree.nodes[copy] = Node::Split { cut, low, high };
            }
            Node::Leaf(leaf) => match cuts[leaf] {
                Some(cut) => {
                    tree.nodes.push(Node::Split { cut, low: copy + 1, high: copy + 2 });
                    tree.push_leaf();
                    tree.push_leaf();
                }
                None => tree.push_leaf(),
            },
        }
        copy
    }

    fn push_leaf(&mut self) {
        self.nodes.push(Node::Leaf(self.leaves));
        self.leaves += 1;
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// The cuts, parents before children.
    pub fn cuts(&self) -> impl Iterator<Item = Cut> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Split { cut, .. } => Some(*cut),
            Node::Leaf(_) => None,
        })
    }

    /// The leaf of a row, given by the value of each column.
    pub fn leaf_of(&self, value: impl Fn(usize) -> f64) -> usize {
        let mut position = 0;
        loop {
            match self.nodes[position] {
                Node::Leaf(leaf) => return leaf,
                Node::Split { cut, low, high } => {
                    position = if value(cut.column) <= cut.threshold { low } else { high };
                }
            }
        }
    }

    /// The leaf of every row of a table, given by its columns.
    pub fn leaves_of(&self, columns: &[Vec<f64>]) -> impl Iterator<Item = usize> {
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).map(move |row| self.leaf_of(|column| columns[column][row]))
    }

    /// Number of rows in every leaf.
    pub fn counts(&self, columns: &[Vec<f64>]) -> Vec<u64> {
        let mut counts = vec![0; self.leaves];
        for leaf in self.leaves_of(columns) {
            counts[leaf] += 1;
        }
        counts
    }
}

/// Rows of a leaf, and the number of them on the low side of each of its candidate cuts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Below {
    pub(crate) all: u64,
    pub(crate) below: Vec<u64>,
}

/// [`Below`] of every leaf, counted in a table.
pub(crate) fn counts_below(columns: &[Vec<f64>], tree: &FixedTree, candidates: &[Vec<Cut>]) -> Vec<Below> {
    let empty = |cuts: &Vec<Cut>| Below { all: 0, below: vec![0; cuts.len()] };
    let mut counts: Vec<Below> = candidates.iter().map(empty).collect();
    for (row, leaf) in tree.leaves_of(columns).enumerate() {
        counts[leaf].all += 1;
        for (count, cut) in counts[leaf].below.iter_mut().zip(&candidates[leaf]) {
            *count += u64::from(columns[cut.column][row] <= cut.threshold);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_divided_and_counted() {
        let cut = |column, threshold| Some(Cut { column, threshold });
        let tree = FixedTree::undivided().divided(&[cut(0, 1.0)]).divided(&[None, cut(1, 0.0)]);
        assert_eq!(tree.leaves(), 3);
        assert_eq!(tree.cuts().map(|cut| cut.column).collect::<Vec<_>>(), [0, 1]);
        let columns = vec![vec![0.0, 1.0, 2.0, 2.0, f64::NAN], vec![5.0, f64::NAN, 0.0, 1.0, -1.0]];
        assert_eq!(tree.counts(&columns), [2, 2, 1]);
        assert_eq!(tree.divided(&[None; 3]), tree);
    }
}
