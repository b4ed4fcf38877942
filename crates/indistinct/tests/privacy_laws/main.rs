//! Evidence that the guarantee is real: output laws of neighbouring small tables, enumerated, and samplers against them.
//!
//! - `bounded`: noise of a cube, and draws from a smoothed histogram;
//! - `concentrated`: budgets with a delta, whose steps are paid for in rho;
//! - `laws`: the laws by their formulae, and small tables with all their neighbours;
//! - `levels`: choices from several lists with one charge, as for the splits of a level of a tree;
//! - `opendp`: tails, prices of noise and conversions of rho against those that OpenDP gave;
//! - `samplers`: what charges draw follows these laws (chi-square, fixed seeds);
//! - `sensitivities`: no substituted row moves a utility or counts by more than is stated;
//! - `ratios`: hence no output is more than exp(epsilon) times likelier from a neighbouring table, step by step and for
//!   a composed pipeline; and faults planted in it are found.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod bounded;
mod concentrated;
mod laws;
mod levels;
mod opendp;
mod ratios;
mod samplers;
mod sensitivities;

use indistinct::privacy::{Budget, Charge, Randomness, Sensitivity};
use indistinct::random::Seed;
use std::num::NonZeroU32;

/// The whole of a budget with a seed, charged for one step.
fn charge(epsilon: &str, sensitivity: Sensitivity) -> Charge {
    let total = epsilon.parse().unwrap();
    Budget::new(total, NonZeroU32::MIN, Randomness::seeded(Seed(1)))
        .charge("step", total, sensitivity)
        .unwrap()
}
