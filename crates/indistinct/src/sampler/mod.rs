//! Samplers: what spends privacy to find theta.
//!
//! - [`search`]: location and scale of a column, wherever it lies, by choosing among public intervals;
//! - [`zoom`]: candidates narrowed stage by stage, each chosen by exact permute-and-flip;
//! - [`metropolis`]: the paper's random walk, with [`diagnostics`];
//! - [`judge`]: the discriminator that theta is judged by, and [`private_tree`]: one that is grown privately;
//! - [`measure`]: noisy counts in cells of the located model, to which theta is fitted as free post-processing;
//! - [`schedule`]: how the budget is divided, by public quantities only.

pub mod diagnostics;
pub mod judge;
pub mod measure;
pub mod metropolis;
pub mod private_tree;
pub mod schedule;
pub mod search;
pub mod zoom;

mod view_fit;
mod walk;

use crate::model::SequentialNormal;
use crate::privacy::{Budget, BudgetError, Epsilon, MechanismError};
use crate::private::PrivateRows;
use crate::random::Generator;

use schedule::Plan;
use zoom::Zoom;

/// Why nothing was drawn. Never depends on private rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SamplerError {
    /// The budget did not allow it.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A mechanism was given nothing to work on.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

/// Draws theta privately, spending `plan.epsilon` and no more: locate, then measure, or zoom in on all parameters.
///
/// # Guarantee
/// Pure `plan.epsilon`-differential privacy: a composition of charged, exact steps.
///
/// # Errors
/// When the budget does not allow it.
pub fn draw(
    rows: &PrivateRows,
    plan: &Plan,
    zoom: &Zoom,
    budget: &mut Budget,
    random: &mut Generator,
) -> Result<SequentialNormal, SamplerError> {
    let schedule = plan.schedule();
    let before = budget.spent();
    let located = zoom.locate(rows, &schedule, budget)?;
    let spent = budget.spent().saturating_sub(before);
    let left = plan.epsilon.saturating_sub(spent);
    if plan.measure_share > 0.0 {
        return measure::measure(rows, &located, budget, left);
    }
    let stages: Vec<Epsilon> = left.split(&schedule.joint);
    let widths = zoom::widths(plan, &stages, schedule.refine);
    let stages: Vec<(Epsilon, f64)> = stages.into_iter().zip(widths).collect();
    zoom.joint(rows, located, &stages, budget, random)
}
