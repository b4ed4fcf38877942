//! Classifiers that look for cells where real and synthetic rows differ.
//!
//! All of them see the two tables as [`Stacked`]: real rows first, synthetic rows after them.

pub mod cart;
pub mod fixed_tree;
pub mod judge;
pub mod logistic;
pub mod optimal;
pub mod partition;
mod stacked;
pub mod tree;
pub mod views;

pub use stacked::{Predictor, StackError, Stacked};
pub(crate) use stacked::{check_comparable, stack_column};
