//! One private draw of theta, by the requested discriminator and sampler.

use super::choices::CandidateDiscriminator;
use super::measure;
use super::metropolis::{Draw, Metropolis, Start};
use super::plan::NormalPlan;
use super::private_tree::{self, Growth};
use super::zoom::{self, Zoom};
use crate::discriminator::judge::Judge;
use crate::model::SequentialNormal;
use crate::privacy::{Budget, Epsilon, StepError};
use crate::private::PrivateRows;
use crate::progress::Progress;
use crate::random::Generator;

/// Candidates of a joint stage.
const CANDIDATES: usize = 2000;
/// A part of a draw's budget that is too small to judge by: columns that lie far out can leave no more than that.
const NEGLIGIBLE: f64 = 1e-3;

/// One private draw of theta.
pub(super) struct Drawer<'a> {
    pub(super) rows: &'a PrivateRows,
    pub(super) plan: &'a NormalPlan,
    pub(super) budget: &'a mut Budget,
    pub(super) random: &'a mut Generator,
    pub(super) progress: &'a dyn Progress,
}

impl<'a> Drawer<'a> {
    /// Locates the columns, judges candidates by the discriminator with the budget left for that, and measures
    /// the rest.
    pub(super) fn zoom(&mut self) -> Result<SequentialNormal, StepError> {
        let (facts, options) = (&self.plan.facts, &self.plan.options);
        let zoom = self.zoom_stages();
        let schedule = facts.schedule();
        let before = self.budget.spent_worth();
        let located = zoom.locate(self.rows, &schedule, self.budget)?;
        let rows = &*self.rows.completed(located.location());
        let left =
            |budget: &Budget| facts.epsilon.saturating_sub(budget.spent_worth().saturating_sub(before));
        if facts.measure_share > 0.0 && options.discriminator == CandidateDiscriminator::Partition {
            // The cells that would judge are those that are measured: measuring tells more.
            return measure::measure(rows, &located, self.budget, left(self.budget));
        }
        let measured =
            Epsilon::from_f64(facts.epsilon.to_f64() * facts.measure_share).unwrap_or(Epsilon::ZERO);
        let mut judging = left(self.budget).saturating_sub(measured);
        let mut theta = located;
        if judging.to_f64() > NEGLIGIBLE * facts.epsilon.to_f64() {
            let judge = self.judge(rows, &theta, &mut judging)?;
            let stages = zoom::joint_stages(facts, &judging.split(&[1, 2, 5]), schedule.refine);
            theta = zoom.joint(&judge, rows, theta, &stages, self.budget, self.random)?;
        }
        if facts.measure_share > 0.0 {
            return measure::measure(rows, &theta, self.budget, left(self.budget));
        }
        Ok(theta)
    }

    /// The paper's random walk. A private tree needs a located model first.
    pub(super) fn walk(&mut self, mut walk: Metropolis) -> Result<Draw, StepError> {
        let mut epsilon = self.plan.facts.epsilon;
        let located = if self.plan.options.discriminator == CandidateDiscriminator::PrivateTree {
            let before = self.budget.spent();
            let located = self.zoom_stages().locate(self.rows, &self.plan.facts.schedule(), self.budget)?;
            epsilon = epsilon.saturating_sub(self.budget.spent().saturating_sub(before));
            walk.start = Start::Around(located.clone());
            located
        } else {
            // Nothing is known of the columns before the walk: what is missing is taken as zero.
            let columns = self.rows.columns();
            SequentialNormal::new(vec![0.0; columns], (0..columns).map(|j| vec![0.0; j + 1]).collect())
        };
        let rows = &*self.rows.completed(located.location());
        let judge = self.judge(rows, &located, &mut epsilon)?;
        walk.draw(&judge, rows, self.budget, epsilon, self.random)
    }

    /// The requested judge; a private tree is grown with half of `epsilon`.
    fn judge(
        &mut self,
        rows: &PrivateRows,
        located: &SequentialNormal,
        epsilon: &mut Epsilon,
    ) -> Result<Judge, StepError> {
        Ok(match &self.plan.options.discriminator {
            CandidateDiscriminator::Partition => Judge::Views,
            CandidateDiscriminator::Optimal(trees) => Judge::Optimal(*trees),
            CandidateDiscriminator::Cart(params) => Judge::Cart(*params),
            CandidateDiscriminator::PrivateTree => {
                let half = epsilon.divided_by(2);
                let growth = Growth::for_rows(rows.rows());
                let before = self.budget.spent_worth();
                let tree = private_tree::grow(rows, located, growth, self.budget, half, self.random)?;
                *epsilon = epsilon.saturating_sub(self.budget.spent_worth().saturating_sub(before));
                Judge::PrivateTree(tree)
            }
        })
    }

    fn zoom_stages(&self) -> Zoom<'a> {
        let options = &self.plan.options;
        Zoom {
            quality: options.quality,
            paper_sensitivity: options.paper_sensitivity,
            candidates: options.candidates.unwrap_or(CANDIDATES),
            sets: options.sets as usize,
            progress: self.progress,
        }
    }
}
