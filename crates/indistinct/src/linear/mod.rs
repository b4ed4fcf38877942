//! Small linear algebra: only what least squares needs.
//!
//! Regressions inside the program have many rows and few columns, so they go through the cross-product X'WX
//! ([`Symmetric`], added up block by block) and its Cholesky factor ([`Cholesky`]). Callers standardise
//! their columns first: a cross-product squares the condition number. Regressions that users ask for have
//! columns of any scale, and go through a QR factorisation ([`LeastSquares`]). Smoothing has a row for every cell, and
//! entries next to the diagonal only (`banded`).

mod banded;
mod cholesky;
mod eigen;
mod independent;
mod qr;
mod symmetric;

pub(crate) use banded::Banded;
pub use cholesky::Cholesky;
pub use eigen::{clamped_eigenvalues, eigenvectors};
pub use independent::{Dropped, Independent};
pub use qr::LeastSquares;
pub use symmetric::Symmetric;
