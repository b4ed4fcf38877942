//! Small dense linear algebra: what least squares needs, and no more.
//!
//! Regressions here have many rows and few columns, so everything goes through the cross-product X'WX
//! ([`Symmetric`], added up block by block) and its Cholesky factor ([`Cholesky`]). Callers standardise
//! their columns first: a cross-product squares the condition number.

mod cholesky;
mod independent;
mod symmetric;

pub use cholesky::Cholesky;
pub use independent::{Dropped, Independent};
pub use symmetric::Symmetric;
