//! `cart`: the greedy classification tree of R's rpart, exactly.
//!
//! The tree that Snoke and Slavković fit is rpart's, so the same tree is grown here: the same splits, the same
//! leaves, the same pMSE. These rules decide whether two programs agree:
//!
//! - **Splits** lower the Gini impurity (`class`) or the sum of squares (`anova`) the most. Equal gains: the first
//!   column, then the lowest threshold; gains are computed in rpart's order of operations, so that rounding breaks
//!   ties the same way. A gain below 1e-10 of the largest seen so far in the whole tree is no gain.
//! - **Thresholds** are midpoints of adjacent distinct values *in the node*; rows with x < threshold are one child.
//! - **Nominal columns** order their levels by the share of real rows in the node and split that order.
//! - The **left** child is the one with the lower share of synthetic rows; it is grown first, and what it achieved
//!   bounds the complexity that the right child may still need. That is why a tree grown with cp = 0.01 can be
//!   smaller than one grown with 0.001 and pruned.
//! - **cp** is measured on the misclassification risk for `class` and on the sum of squares for `anova`, relative to
//!   the root. A split whose complexity is not above cp is undone after its children were grown.
//!
//! Missing values do not follow rpart's surrogates: at every split the missing rows of a column go as a block to
//! the child that makes the gain larger, and "missing against present" competes as a split of its own. In a
//! nominal column *missing* is one more level. Without missing values the rules reduce to rpart's.
//!
//! # Guarantee
//! None. Greedy growth looks at the real rows to choose the first split, so that one substituted row can change the
//! whole tree: the pMSE of a greedy tree has no useful sensitivity bound. Use it to evaluate and to reproduce the
//! paper, not to spend privacy.

mod criterion;
mod grow;
mod presort;
mod scan;
mod tree;

pub use presort::Presorted;
pub use tree::{Node, Question, Split, Tree};

use super::Stacked;
use grow::Grower;

/// rpart's two ways to see a 0/1 response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CartMethod {
    /// A class: Gini splits, cp on misclassification.
    #[default]
    Class,
    /// A number: sum-of-squares splits, cp on the sum of squares.
    Anova,
}

words!(CartMethod {
    "class" => Class: "The response is a class",
    "anova" => Anova: "The response is a number",
});

/// Options as typed, unchecked; the names and defaults are those of `rpart.control`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct CartOptions {
    /// `class` or `anova`.
    pub method: CartMethod,
    /// Deepest level of a leaf, where the root has level 0 (default 30, which is also the limit).
    pub maxdepth: Option<u32>,
    /// Complexity a split must exceed (default 0.01).
    pub cp: Option<f64>,
    /// Fewest rows of a node that may be split (default 20, or three times `minbucket` if that is given).
    pub minsplit: Option<u32>,
    /// Fewest rows of a leaf (default a third of `minsplit`, rounded).
    pub minbucket: Option<u32>,
}

/// Checked parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CartParams {
    method: CartMethod,
    maxdepth: u32,
    cp: f64,
    minsplit: u32,
    minbucket: u32,
}

/// Errors in parameters.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CartParamsError {
    /// Depth out of range.
    #[error("the depth of a tree is at most 30, not {0}")]
    Depth(u32),
    /// cp is not a number.
    #[error("cp must be a number, not {0}")]
    Cp(f64),
    /// Empty leaves.
    #[error("minbucket must be at least 1")]
    Minbucket,
}

impl CartOptions {
    /// These options with some of them set, as in `options.with(|options| options.cp = Some(0.001))`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Fills in the defaults as `rpart.control` does and checks the result.
    ///
    /// # Errors
    /// See [`CartParamsError`].
    pub fn check(self) -> Result<CartParams, CartParamsError> {
        let maxdepth = self.maxdepth.unwrap_or(30);
        if maxdepth > 30 {
            return Err(CartParamsError::Depth(maxdepth));
        }
        let cp = self.cp.unwrap_or(0.01);
        if !cp.is_finite() {
            return Err(CartParamsError::Cp(cp));
        }
        let minsplit = self.minsplit.or(self.minbucket.map(|rows| rows.saturating_mul(3))).unwrap_or(20);
        let minbucket = self.minbucket.unwrap_or((minsplit.saturating_add(1) / 3).max(1));
        if minbucket == 0 {
            return Err(CartParamsError::Minbucket);
        }
        Ok(CartParams { method: self.method, maxdepth, cp, minsplit, minbucket })
    }
}

impl Default for CartParams {
    fn default() -> Self {
        Self { method: CartMethod::Class, maxdepth: 30, cp: 0.01, minsplit: 20, minbucket: 7 }
    }
}

/// Memory for one fit at a time, kept between fits so that they allocate next to nothing.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Per column the entries in the order of nodes: see [`presort`] for the definition of an entry.
    entries: Vec<Vec<u64>>,
    /// Rows of the smaller child while they are moved.
    buffer: Vec<u64>,
    /// Per row whether it belongs to the smaller child (1) or not (0).
    marks: Vec<u8>,
    /// Per level of a nominal column the rows of the node.
    levels: Vec<scan::Level>,
}

/// Fits a tree to columns that are already sorted. `synthetic` marks the synthetic rows; it may be any labelling,
/// so that permutation nulls reuse the sort.
///
/// # Panics
/// When `synthetic` and the columns differ in length.
pub fn fit_presorted(
    columns: &[&Presorted],
    synthetic: &[bool],
    params: &CartParams,
    workspace: &mut Workspace,
) -> Tree {
    Grower::new(columns, synthetic, params, workspace).grow()
}

/// Fits a tree to two stacked tables.
pub fn fit(stacked: &Stacked, params: &CartParams) -> Tree {
    fit_with(stacked, params, &mut Workspace::default())
}

/// Fits a tree to two stacked tables in memory that was used before.
pub fn fit_with(stacked: &Stacked, params: &CartParams, workspace: &mut Workspace) -> Tree {
    let columns: Vec<Presorted> = stacked.predictors().iter().map(Presorted::new).collect();
    let columns: Vec<&Presorted> = columns.iter().collect();
    fit_presorted(&columns, &stacked.labels(), params, workspace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_rpart_control() {
        let check = |minsplit, minbucket| {
            let params = CartOptions { minsplit, minbucket, ..CartOptions::default() }.check().unwrap();
            (params.minsplit, params.minbucket)
        };
        assert_eq!(CartOptions::default().check().unwrap(), CartParams::default());
        assert_eq!(check(None, None), (20, 7));
        assert_eq!(check(None, Some(5)), (15, 5));
        assert_eq!(check(Some(10), None), (10, 3));
        assert_eq!(check(Some(1), None), (1, 1));
        assert_eq!(check(Some(20), Some(5)), (20, 5));
    }

    #[test]
    fn rejects_invalid_options() {
        let options = CartOptions::default();
        assert!(CartOptions { maxdepth: Some(31), ..options }.check().is_err());
        assert!(CartOptions { cp: Some(f64::NAN), ..options }.check().is_err());
        assert!(CartOptions { minbucket: Some(0), ..options }.check().is_err());
    }
}
