//! Forests of CART trees for a response of any kind (Breiman 2001).
//!
//! [`cart`](crate::discriminator::cart) tells two tables apart and is rpart to the last leaf, with two classes,
//! cp and nothing random. A forest needs many classes or numbers as response, trees that are fully grown, and
//! chance in two places: every tree sees a bootstrap sample of the rows, and every split a random choice of the
//! columns. Columns are ranked by `cart`'s own sort; splits lower the Gini impurity or the sum of squares the
//! most, as there.
//!
//! - **Thresholds** are midpoints between neighbouring values of the node. Missing is below every value, and so
//!   can be split off by itself.
//! - **Nominal columns** order the levels of the node by the mean response, or by the share of a class, and split
//!   that order. For two classes that finds the best of all subsets (Breiman et al. 1984); of several classes one
//!   is drawn among the node's rows.
//! - **Leaves** are pure, or too small to be split. A forest predicts the class with the largest mean share, or
//!   the mean.
//!
//! Every tree has a stream of random numbers of its own, so that a forest does not depend on threads.

mod features;
mod grow;
mod split;

use std::ops::Range;

use rayon::prelude::*;

use crate::random::Seed;
pub use features::Features;
use grow::Grower;

/// Most rows that a tree sees, which bounds time and memory for tables of any size.
const MOST_ROWS: usize = 1 << 17;

/// The response to be predicted, for every row of the features.
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// One of several classes.
    Class {
        /// The class of each row; any number where it is missing.
        codes: Vec<u32>,
        /// Number of classes.
        classes: usize,
    },
    /// A number; any number where it is missing.
    Number(Vec<f64>),
}

impl Response {
    /// Whether these rows have more than one value.
    ///
    /// # Panics
    /// When one is out of range.
    pub fn varies(&self, rows: &[u32]) -> bool {
        let differ = |pair: &[u32]| match self {
            Self::Class { codes, .. } => codes[pair[0] as usize] != codes[pair[1] as usize],
            Self::Number(values) => values[pair[0] as usize] != values[pair[1] as usize],
        };
        rows.windows(2).any(differ)
    }
}

/// Parameters of growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForestParams {
    /// Number of columns that are tried at each split, of those that are not constant in the node.
    pub columns_per_split: usize,
    /// Fewest rows of a leaf.
    pub smallest_leaf: u32,
}

impl ForestParams {
    /// Breiman's choices: the square root of the number of columns and leaves of any size for classes, a third
    /// and leaves of five rows for numbers.
    pub fn usual(response: &Response, columns: usize) -> Self {
        match response {
            Response::Class { .. } => Self { columns_per_split: columns.isqrt().max(1), smallest_leaf: 1 },
            Response::Number(_) => Self { columns_per_split: (columns / 3).max(1), smallest_leaf: 5 },
        }
    }
}

/// Trees that vote.
#[derive(Debug)]
pub struct Forest {
    trees: Vec<Tree>,
}

/// A tree as a list of nodes, parents before children.
#[derive(Debug)]
struct Tree {
    nodes: Vec<Node>,
    /// Classes and their shares in leaves that are not pure.
    shares: Vec<(u32, f64)>,
}

#[derive(Debug)]
enum Node {
    /// Rows with a key below the limit go to the first child.
    Below { column: u32, limit: u32, children: [u32; 2] },
    /// Rows with one of these levels go to the first child.
    OneOf { column: u32, levels: Box<[bool]>, children: [u32; 2] },
    /// All rows of one class.
    Pure(u32),
    /// Rows of several classes: a part of [`Tree::shares`].
    Shares(Range<u32>),
    /// The mean of numbers.
    Mean(f64),
}

impl Forest {
    /// Grows the trees with these numbers on `rows`, repeats allowed. `each` is called after every tree, and may
    /// end the work.
    ///
    /// # Errors
    /// What `each` returns.
    ///
    /// # Panics
    /// When there are no rows, or one is out of range.
    pub fn grow<E: Send>(
        features: &Features,
        response: &Response,
        rows: &[u32],
        params: ForestParams,
        seed: Seed,
        trees: Range<u64>,
        each: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        assert!(!rows.is_empty(), "a forest needs rows");
        let draws = rows.len().min(MOST_ROWS);
        let trees = trees
            .into_par_iter()
            .map(|tree| {
                let grown = Grower::new(features, response, params, seed.stream(tree)).grow(rows, draws);
                each()?;
                Ok(grown)
            })
            .collect::<Result<_, E>>()?;
        Ok(Self { trees })
    }

    /// Adds the trees' votes on the class of a row: the share of each class in its leaf.
    ///
    /// # Panics
    /// When the forest predicts numbers, or there are too few votes for its classes.
    pub fn add_votes(&self, features: &Features, row: u32, votes: &mut [f64]) {
        for tree in &self.trees {
            match tree.leaf(features, row) {
                Node::Pure(class) => votes[*class as usize] += 1.0,
                Node::Shares(range) => {
                    for &(class, share) in &tree.shares[range.start as usize..range.end as usize] {
                        votes[class as usize] += share;
                    }
                }
                _ => panic!("the forest predicts numbers"),
            }
        }
    }

    /// The sum of the trees' predictions for a row.
    ///
    /// # Panics
    /// When the forest predicts classes.
    pub fn sum_of_means(&self, features: &Features, row: u32) -> f64 {
        let of_tree = |tree: &Tree| match tree.leaf(features, row) {
            Node::Mean(mean) => *mean,
            _ => panic!("the forest predicts classes"),
        };
        self.trees.iter().map(of_tree).sum()
    }
}

impl Tree {
    fn leaf(&self, features: &Features, row: u32) -> &Node {
        let mut node = &self.nodes[0];
        loop {
            let (first, children) = match node {
                Node::Below { column, limit, children } => (features.key(*column, row) < *limit, children),
                Node::OneOf { column, levels, children } => {
                    (levels[features.key(*column, row) as usize], children)
                }
                _ => return node,
            };
            node = &self.nodes[children[usize::from(!first)] as usize];
        }
    }
}

#[cfg(test)]
mod tests;
