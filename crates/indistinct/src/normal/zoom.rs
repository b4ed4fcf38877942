//! `zoom`: theta chosen from finite sets of candidates that narrow stage by stage, each by an exact choice:
//! permute-and-flip, or the exponential mechanism where the budget has a delta.
//!
//! Every stage is private for *any* candidates that depend on earlier outputs and public randomness only, and stages
//! compose: there is no burn-in, no convergence and no caveat.

use crate::progress::{Progress, done};
use std::borrow::Cow;

use rand::RngExt;

use super::schedule::{Schedule, ScheduleFacts};
use super::search::{self, LocatedInterval};
use crate::discriminator::judge::{Judge, Trial, VIEW_INTERVALS};
use crate::discriminator::views::Views;
use crate::model::SequentialNormal;
use crate::privacy::StepError;
use crate::privacy::{Budget, Epsilon, Sensitivity, choose};
use crate::private::PrivateRows;
use crate::quality::{Quality, Utility};
use crate::random::Generator;

/// Intervals of a single column when its location and scale are refined.
const SINGLE_INTERVALS: usize = 16;

/// The settings of zooming.
#[derive(Clone, Copy)]
pub struct Zoom<'a> {
    /// The quality by which candidates are compared.
    pub quality: Quality,
    /// Whether the sensitivity is twice the proven one, as in the paper, to reproduce its numbers.
    pub paper_sensitivity: bool,
    /// Number of candidates of a joint stage.
    pub candidates: usize,
    /// Synthetic tables by which a tree judges a candidate: at least 1.
    pub sets: usize,
    /// Told after every stage.
    pub progress: &'a dyn Progress,
}

/// A stage in which all parameters are chosen at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointStage {
    /// The price of the choice.
    pub epsilon: Epsilon,
    /// The width of the candidates around the last choice, in standard deviations.
    pub width: f64,
}

/// Models to choose from, by the rows of some columns in views.
struct Candidates<'a> {
    columns: &'a [usize],
    models: &'a [SequentialNormal],
    views: Views,
}

impl Zoom<'_> {
    /// Locates every column, wherever it lies, and its dependence on those before it. Once a column is found, its
    /// missing values are replaced by its location.
    ///
    /// # Guarantee
    /// A composition of charged choices (`proofs/permute_and_flip.md`, `proofs/budget_charge.md`, `proofs/zcdp.md`).
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn locate(
        &self,
        rows: &PrivateRows,
        schedule: &Schedule,
        budget: &mut Budget,
    ) -> Result<SequentialNormal, StepError> {
        let (mut location, mut factor): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let mut far = schedule.far;
        let mut rows = Cow::Borrowed(rows);
        for column in 0..rows.columns() {
            let exponent = search::scale(&rows, column, budget, schedule.scale)?;
            let found = search::location(&rows, column, exponent, budget, schedule.location, &mut far)?;
            PrivateRows::complete(&mut rows, column, found.location);
            done(self.progress)?;
            let found = self.refine(&rows, column, found, budget, schedule.refine)?;
            done(self.progress)?;
            location.push(found.location);
            let mut loadings = vec![0.0; column];
            loadings.push(found.scale);
            factor.push(loadings);
            for earlier in 0..column {
                self.loading(&rows, &location, &mut factor, earlier, budget, schedule.loading)?;
                done(self.progress)?;
            }
        }
        Ok(SequentialNormal::new(location, factor))
    }

    /// Chooses location and scale of a column from a grid around the found interval.
    fn refine(
        &self,
        rows: &PrivateRows,
        column: usize,
        found: LocatedInterval,
        budget: &mut Budget,
        epsilon: Epsilon,
    ) -> Result<LocatedInterval, StepError> {
        let steps = |reach: i32, step: f64| (-reach..=reach).map(move |place| f64::from(place) * step);
        let grid: Vec<LocatedInterval> = steps(10, 0.1)
            .flat_map(|log_scale| steps(24, 0.1).map(move |shift| (log_scale, shift)))
            .map(|(log_scale, shift)| LocatedInterval {
                location: found.location + shift * found.scale,
                scale: found.scale * log_scale.exp(),
            })
            .collect();
        let candidates: Vec<SequentialNormal> = grid
            .iter()
            .map(|located| SequentialNormal::new(vec![located.location], vec![vec![located.scale]]))
            .collect();
        let views = Views::singles([0], SINGLE_INTERVALS);
        let step = format!("location and scale of {}", rows.name(column));
        let chosen = self.choose(
            rows,
            &Candidates { columns: &[column], models: &candidates, views },
            step,
            budget,
            epsilon,
        )?;
        Ok(grid[chosen])
    }

    /// Chooses the loading of the last column on the innovations of an earlier one.
    fn loading(
        &self,
        rows: &PrivateRows,
        location: &[f64],
        factor: &mut [Vec<f64>],
        earlier: usize,
        budget: &mut Budget,
        epsilon: Epsilon,
    ) -> Result<(), StepError> {
        let last = location.len() - 1;
        let variation = factor[last][last];
        // atanh of the correlation from -4 to 4: correlations up to 0.999 with equal resolution everywhere.
        let correlations: Vec<f64> = (-80..=80).map(|place| (f64::from(place) / 20.0).tanh()).collect();
        let with = |correlation: f64| {
            let mut factor = factor.to_vec();
            factor[last][earlier] = variation * correlation;
            factor[last][last] = variation * (1.0 - correlation * correlation).sqrt();
            factor
        };
        let candidates: Vec<SequentialNormal> = correlations
            .iter()
            .map(|&correlation| SequentialNormal::new(location.to_vec(), with(correlation)))
            .collect();
        let columns: Vec<usize> = (0..=last).collect();
        let views = Views::pairs([(earlier, last)], VIEW_INTERVALS);
        let step = format!("dependence of {} on {}", rows.name(last), rows.name(earlier));
        let chosen = self.choose(
            rows,
            &Candidates { columns: &columns, models: &candidates, views },
            step,
            budget,
            epsilon,
        )?;
        let chosen = with(correlations[chosen]);
        factor.clone_from_slice(&chosen);
        Ok(())
    }

    /// Runs joint stages: all parameters at once, around the last choice, at the width that the last stage could
    /// resolve ([`joint_stages`]). For trees the public randomness of synthetic tables is drawn once, for all candidates of all
    /// stages.
    ///
    /// # Guarantee
    /// That of [`Self::locate`], if the judge's sensitivity is proven: [`Judge::sensitivity`].
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub fn joint(
        &self,
        judge: &Judge,
        rows: &PrivateRows,
        mut theta: SequentialNormal,
        stages: &[JointStage],
        budget: &mut Budget,
        random: &mut Generator,
    ) -> Result<SequentialNormal, StepError> {
        let trial = Trial::new(judge, self.quality, rows.rows(), rows.columns(), self.sets, random);
        for (number, &JointStage { epsilon, width }) in stages.iter().enumerate() {
            let mut candidates = vec![theta.clone()];
            candidates.extend((1..self.candidates.max(2)).map(|_| jittered(&theta, width, random)));
            let step = format!("all parameters, stage {}", number + 1);
            let sensitivity = trial.sensitivity(self.paper_sensitivity);
            let charge = budget.charge_choice(step, budget.worth(epsilon), sensitivity)?;
            let chosen = choose(charge, &rows.judged(&candidates, &trial))?;
            theta = candidates.swap_remove(chosen);
            done(self.progress)?;
        }
        Ok(theta)
    }

    fn choose(
        &self,
        rows: &PrivateRows,
        candidates: &Candidates<'_>,
        step: String,
        budget: &mut Budget,
        epsilon: Epsilon,
    ) -> Result<usize, StepError> {
        let Candidates { columns, models, views } = candidates;
        let utility = Utility::new(self.quality, rows.rows(), views.cells_of(0), views.views().len());
        let charge = budget.charge_choice(step, budget.worth(epsilon), self.sensitivity(&utility))?;
        let utilities = rows.utilities(columns, models, views, |counts| utility.of_counts(counts));
        Ok(choose(charge, &utilities)?)
    }

    fn sensitivity(&self, utility: &Utility) -> Sensitivity {
        if self.paper_sensitivity { utility.sensitivity().doubled() } else { utility.sensitivity() }
    }
}

/// Joint stages at these prices, each as wide as the stage before could resolve.
pub fn joint_stages(facts: &ScheduleFacts, epsilons: &[Epsilon], before: Epsilon) -> Vec<JointStage> {
    let q = facts.columns as f64;
    let parameters = q * (q + 3.0) / 2.0;
    let rows = facts.rows as f64;
    let previous = std::iter::once(&before).chain(epsilons);
    previous
        .zip(epsilons)
        .map(|(previous, &epsilon)| {
            let signal = facts.choice_epsilon(*previous) * rows / f64::from(facts.rows_per_person);
            let resolved = match facts.quality {
                Quality::Pmae => 2.0 * parameters / signal,
                Quality::Pmse => (8.0 / signal).sqrt(),
            };
            JointStage { epsilon, width: (resolved + 1.0 / rows.sqrt()).min(0.5) }
        })
        .collect()
}

/// A candidate near theta: every parameter moved by about `width` standard deviations, with heavy tails so that a
/// bad earlier stage can be repaired.
fn jittered(theta: &SequentialNormal, width: f64, random: &mut Generator) -> SequentialNormal {
    let width = width * f64::exp2(random.random_range(-3.0..1.5));
    let mut noise = || {
        // A sum of uniforms is near enough to normal for a proposal.
        let sum: f64 = (0..6).map(|_| random.random_range(-1.0..1.0)).sum();
        sum / 2f64.sqrt() * width
    };
    let factor: Vec<Vec<f64>> = theta
        .factor()
        .iter()
        .map(|row| {
            let scale = row.iter().map(|loading| loading * loading).sum::<f64>().sqrt();
            let last = row.len() - 1;
            let moved = |(place, loading): (usize, &f64)| {
                if place == last { loading * noise().exp() } else { loading + scale * noise() }
            };
            row.iter().enumerate().map(moved).collect()
        })
        .collect();
    let location = theta
        .location()
        .iter()
        .zip(theta.factor())
        .map(|(mean, row)| mean + row[row.len() - 1] * noise())
        .collect();
    SequentialNormal::new(location, factor)
}
