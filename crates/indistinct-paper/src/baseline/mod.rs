//! The methods that the pMSE mechanism is compared with in Snoke and Slavković (2018).
//!
//! - [`posterior_predictive`]: parameters from the posterior of the sequential normal regressions; not private;
//! - [`noisy_bayes`]: the same from moments with Laplace noise (Bowen and Liu 2016);
//! - [`smooth_histogram`]: rows from a histogram that was smoothed towards the uniform law (Wasserman and Zhou 2010);
//! - [`functional`]: regression coefficients from a perturbed objective (Zhang and others 2012);
//! - [`k_norm`]: regression coefficients from sums with noise of a cube (Awan and Slavković).
//!
//! All but the first need [`Bounds`] on the columns, which must be known without looking at the rows. Private rows are
//! asked in one place, [`indistinct::bounded`], which charges a budget and adds exact noise; what is here is statistics
//! on released numbers.
//!
//! The published descriptions leave constants open. Where a method is a reconstruction, its page says so.

mod error;
pub mod functional;
pub mod k_norm;
pub mod noisy_bayes;
mod posterior;
pub mod posterior_predictive;
mod regression;
pub mod smooth_histogram;
mod unscale;

pub use error::BaselineError;
pub use indistinct::bounded::{Bounds, BoundsError};
