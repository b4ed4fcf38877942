//! What can be asked of private rows when bounds on the columns are given: sums, covariances and draws from a histogram.
//!
//! This is what the comparison methods need, and the mechanism of this project does not. Rows are clipped to the bounds,
//! one by one, so that no row can move a sum by more than the bounds allow; what is asked for leaves with noise, paid for
//! by a charge. Bounds must be known without looking at the rows: bounds that were computed from them void any guarantee.

pub mod histogram;
pub mod sums;

pub use crate::grid::{Bounds, BoundsError};
