//! Statistics of private rows within given bounds on the columns: sums, covariances and draws from a histogram.
//!
//! The comparison methods need these, and the mechanism of this project does not. Rows are clipped to the bounds,
//! one by one, so that no row can move a sum by more than the bounds allow; results leave with noise, paid for by
//! a charge. Bounds must be known without looking at the rows: bounds that were computed from them void any
//! guarantee.

pub mod histogram;
pub mod sums;

pub use crate::grid::{Bounds, BoundsError};
