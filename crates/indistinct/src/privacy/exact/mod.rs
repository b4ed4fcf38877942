//! Exact samplers: integers in, integers out, and coin tosses whose probabilities are rational or exp of a rational.
//!
//! After Canonne, Kamath and Steinke (2020), *The discrete Gaussian for differential privacy*. Nothing here
//! rounds, so the laws are those of the proofs, given uniform bits; where a number would not fit, saturation is
//! shown not to change the law of the result.
//!
//! None of it is reachable without a charge: [`super::mechanism`] is the only user.
//!
//! # Timing
//! All loops end after an expected number of rounds below a small constant for each item. The number of rounds
//! depends on the coins and on the probabilities, hence on private counts: anyone who can measure run times
//! finely learns a little that no epsilon accounts for. Do not offer this as a service that answers at once; a
//! release to a file is not timed by its readers.

mod bernoulli;
mod cube;
mod gaussian;
mod laplace;
mod ratio;
mod select;
mod smooth;
mod uniform;

pub(super) use cube::cube_noise;
pub(super) use gaussian::{Sigma, discrete_gaussian};
pub(super) use laplace::discrete_laplace;
pub(super) use ratio::Ratio;
pub(super) use select::{exponential_mechanism, permute_and_flip};
pub(super) use smooth::{row_weight, row_weight_exp, smooth_cells};

#[cfg(test)]
mod tests;
