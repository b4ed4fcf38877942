//! Algorithm 2: from private rows and a budget to theta.

use super::choices::Sampler;
use super::diagnostics::Diagnostics;
use super::draw::Drawer;
use super::metropolis::{Metropolis, Start};
use super::plan::{NormalError, NormalPlan};
use crate::discriminator::views::{Views, equal_cuts};
use crate::model::SequentialNormal;
use crate::privacy::{Budget, Randomness, SCORE_STEP, Score, StepError, discrete_laplace};
use crate::private::PrivateRows;
use crate::progress::Progress;
use crate::quality::Utility;

/// Intervals of each axis of the views that a released score is computed on.
const SCORE_INTERVALS: usize = 8;

/// The results of a run, all of them paid for by `budget`.
#[derive(Debug)]
pub struct NormalReleased {
    /// One theta for each draw.
    pub models: Vec<SequentialNormal>,
    /// Diagnostics of the chains of each draw. Not private: for the owner of the table only.
    pub diagnostics: Vec<Diagnostics>,
    /// The noisy quality of the first draw, if it was requested.
    pub score: Option<Score>,
    /// The budget, with all that was spent.
    pub budget: Budget,
}

/// Draws theta privately, as often as planned, and the quality score if planned.
///
/// # Guarantee
/// Everything that looks at the rows is charged to the budget that is returned; its guarantee is that of the release.
/// Synthetic tables made from the models are post-processing.
///
/// # Errors
/// When the budget does not allow a step; nothing is then released.
pub fn release(
    rows: &PrivateRows,
    plan: &NormalPlan,
    randomness: Randomness,
    progress: &dyn Progress,
) -> Result<NormalReleased, NormalError> {
    let (terms, options) = (&plan.terms, &plan.options);
    let mut budget = terms.budget(plan.rows_per_person, randomness);
    let (mut models, mut diagnostics) = (Vec::new(), Vec::new());
    for draw in 0..terms.draws {
        let mut random = budget.public_stream(u64::from(draw));
        let mut drawer = Drawer { rows, plan, budget: &mut budget, random: &mut random, progress };
        match options.sampler {
            Sampler::Zoom => models.push(drawer.zoom()?.within_doubles()),
            Sampler::Metropolis { chains, steps, prior_sd, prior_scale, fresh_tables } => {
                let walk = Metropolis {
                    quality: options.quality,
                    paper_sensitivity: options.paper_sensitivity,
                    prior_sd,
                    prior_scale,
                    start: Start::Dispersed,
                    chains,
                    burn_in: steps / 3,
                    steps: steps - steps / 3,
                    sets: options.sets as usize,
                    fresh_tables,
                    progress,
                };
                let draw = drawer.walk(walk)?;
                models.push(draw.theta.within_doubles());
                diagnostics.push(draw.diagnostics);
            }
        }
    }
    let score =
        if terms.score_epsilon.is_zero() { None } else { Some(score(rows, &models[0], plan, &mut budget)?) };
    Ok(NormalReleased { models, diagnostics, score, budget })
}

/// The quality of a model in cells of equal probability, with exact noise.
fn score(
    rows: &PrivateRows,
    model: &SequentialNormal,
    plan: &NormalPlan,
    budget: &mut Budget,
) -> Result<Score, StepError> {
    let views = Views::of_table(rows.columns(), equal_cuts(SCORE_INTERVALS));
    let utility = Utility::new(plan.options.quality, rows.rows(), views.cells_of(0), views.views().len());
    let epsilon = budget.worth(plan.terms.score_epsilon).pure_epsilon();
    let charge = budget.charge(SCORE_STEP, epsilon, utility.sensitivity().released())?;
    let units = charge.bound().units().get() as f64 / charge.epsilon().to_f64();
    let every: Vec<usize> = (0..rows.columns()).collect();
    let rows = rows.completed(model.location());
    let utilities =
        rows.utilities(&every, std::slice::from_ref(model), &views, |counts| utility.of_counts(counts));
    let noisy = discrete_laplace(charge, utilities[0])?;
    Ok(Score { value: utility.to_quality(noisy), epsilon, scale: utility.quality_of_unit() * units })
}
