//! The normal model of the paper: the steps that spend privacy to find theta.
//!
//! - [`search`]: location and scale of a column, wherever it lies, by choosing among public intervals;
//! - [`zoom`]: candidates narrowed stage by stage, each chosen exactly;
//! - [`metropolis`]: the paper's random walk, with [`diagnostics`];
//! - [`private_tree`]: a discriminator that is grown privately;
//! - [`measure`]: noisy counts in cells of the located model, to which theta is fitted as free post-processing, and
//!   [`measured_error`]: the error of that fit;
//! - [`schedule`]: the division of the budget, by public quantities only.

pub mod diagnostics;
pub mod measure;
pub mod measured_error;
pub mod metropolis;
pub mod private_tree;
pub mod schedule;
pub mod search;
pub mod zoom;

mod choices;
mod draw;
mod plan;
mod release;
mod view_fit;
mod walk;

pub use choices::{CandidateDiscriminator, Sampler};
pub use plan::{NormalError, NormalOptions, NormalPlan};
pub use release::{NormalReleased, release};
