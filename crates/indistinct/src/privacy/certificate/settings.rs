//! Checks that the settings in a certificate fit each other and the steps.

use super::{BoundsSource, Certificate, Comparison, Problem, SCORE_STEP, Score, Spent};
use crate::privacy::{Exactness, Guarantee, Neighbours, Proof};

/// Comparison methods that promise nothing.
const UNPROTECTED: [&str; 2] = ["posterior-predictive", "smooth-histogram-matching"];
/// Comparison methods with a guarantee.
const PROTECTED: [&str; 3] = ["noisy-bayes", "noisy-bayes-floored", "smooth-histogram"];

/// Tolerance between the stated and the computed scale of noise: versions before 0.2 subtracted large numbers to
/// compute it.
const ROUNDING: f64 = 1e-3;

impl Certificate {
    /// Finds settings that are impossible, contradict each other or the steps, or have no guarantee.
    pub(super) fn check_settings(&self, problems: &mut Vec<Problem>) {
        let facts = &self.facts;
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        for (number, name) in [
            (facts.rows, "rows"),
            (facts.columns, "columns"),
            (facts.draws, "draws"),
            (facts.tables, "tables"),
        ] {
            require(number > 0, Problem::Setting(name));
        }
        require((0.0..1.0).contains(&facts.measure_share), Problem::Setting("measure_share"));

        let walks = |step: &Spent| {
            matches!(step.exactness, Exactness::AtStationarity | Exactness::NoGuarantee { .. })
        };
        let relies = |proof: Proof| self.spent.iter().any(|step| step.proof.as_deref() == Some(proof.page()));
        let (quality, discriminator, sampler) =
            (facts.quality.as_str(), facts.discriminator.as_str(), facts.sampler.as_str());
        match (facts.model.as_str(), &facts.comparison) {
            ("mixed", None) => {
                require(quality == "pmae", Problem::Setting("quality"));
                require(discriminator == "pairs", Problem::Setting("discriminator"));
                require(sampler == "measure", Problem::Setting("sampler"));
            }
            ("normal", None) => {
                require(matches!(quality, "pmae" | "pmse"), Problem::Setting("quality"));
                let known = matches!(discriminator, "partition" | "optimal" | "private-tree" | "cart");
                require(known, Problem::Setting("discriminator"));
                require(matches!(sampler, "zoom" | "metropolis"), Problem::Setting("sampler"));
                // What a setting stands for leaves its proof among the steps.
                let other = if quality == "pmae" { Proof::PmseSensitivity } else { Proof::PmaeSensitivity };
                require(!relies(other), Problem::Setting("quality"));
                let is = |name: &str| discriminator == name;
                // A tree is grown with what locating far columns leaves, which may be next to nothing.
                require(is("private-tree") || !relies(Proof::TreeGrowth), Problem::Setting("discriminator"));
                require(
                    is("optimal") || !relies(Proof::OptimalSensitivity),
                    Problem::Setting("discriminator"),
                );
                require(
                    (sampler == "metropolis") == self.spent.iter().any(walks),
                    Problem::Setting("sampler"),
                );
                require(sampler == "zoom" || facts.measure_share == 0.0, Problem::Setting("measure_share"));
            }
            ("normal", Some(Comparison { method, .. })) => {
                let none = quality == "none" && discriminator == "none" && facts.measure_share == 0.0;
                require(none, Problem::Setting("quality, discriminator or measure_share"));
                require(sampler == method, Problem::Setting("sampler"));
            }
            _ => require(false, Problem::Setting("model")),
        }
        let paper = facts.sensitivity == "paper";
        require(paper || facts.sensitivity == "tight", Problem::Setting("sensitivity"));
        for step in self.spent.iter().filter(|step| step.step != SCORE_STEP) {
            let bound = self.stated(step);
            let doubled = bound.and_then(|bound| bound.doubled);
            require(doubled.is_none_or(|doubled| doubled == paper), Problem::Setting("sensitivity"));
            if let Some(bound) = bound
                && step.proof.as_deref() == Some(Proof::CountsSensitivity.page())
            {
                // A view of every pair of columns, or one table at a time.
                let pairs = facts.columns.saturating_mul(facts.columns.saturating_sub(1)) / 2;
                let views = if facts.model == "mixed" { 1 } else { pairs.max(1) };
                let each = match self.neighbours() {
                    Neighbours::Substitute => 2,
                    Neighbours::AddRemove => 1,
                };
                require(
                    bound.units == views.saturating_mul(each),
                    Problem::StatedSensitivity(step.step.clone()),
                );
            }
        }

        if self.guarantee.epsilon().is_some() && !matches!(self.guarantee, Guarantee::AtStationarity { .. }) {
            require(sampler != "metropolis", Problem::NotCertifiable(facts.sampler.clone()));
        }
        if self.guarantee.epsilon().is_some() {
            require(discriminator != "cart", Problem::NotCertifiable(facts.discriminator.clone()));
        }
        if let Some(comparison) = &facts.comparison {
            self.check_comparison(comparison, problems);
        }
        self.check_score(facts.score.as_ref(), problems);
    }

    /// Checks the assumptions of a comparison method, and whether it may claim anything.
    fn check_comparison(&self, comparison: &Comparison, problems: &mut Vec<Problem>) {
        let Comparison { method, bounds, bounds_source, bins } = comparison;
        let mut require = |holds: bool, problem: Problem| {
            if !holds {
                problems.push(problem);
            }
        };
        let reads = UNPROTECTED.contains(&method.as_str());
        require(reads || PROTECTED.contains(&method.as_str()), Problem::Setting("method"));
        if self.guarantee.epsilon().is_some() {
            require(!reads, Problem::NotCertifiable(method.clone()));
            let computed = *bounds_source == Some(BoundsSource::Computed);
            require(!computed, Problem::NotCertifiable("bounds computed from the data".to_owned()));
        }
        require(bounds.is_empty() == bounds_source.is_none(), Problem::Setting("source of bounds"));
        let right = bounds.iter().all(|bounds| bounds.low < bounds.high);
        let every =
            bounds.len() as u64 == if method == "posterior-predictive" { 0 } else { self.facts.columns };
        require(right && every, Problem::Setting("bounds"));
        // A grid of bins to the power of the columns, which is bounded.
        let fits = |bins: u64| {
            let (bins, columns) = (usize::try_from(bins).ok()?, usize::try_from(self.facts.columns).ok()?);
            super::super::histogram_cells::cells(bins, columns).filter(|&cells| cells > 0)
        };
        let counted = method.starts_with("smooth-histogram");
        require(
            bins.is_some() == counted && bins.is_none_or(|bins| fits(bins).is_some()),
            Problem::Setting("bins"),
        );
    }

    /// Checks that there is a score exactly if one step paid for it, and that its noise is that of the payment.
    fn check_score(&self, score: Option<&Score>, problems: &mut Vec<Problem>) {
        let mut paid = self.spent.iter().filter(|step| step.step == SCORE_STEP);
        let agrees = match (score, paid.next(), paid.next()) {
            (None, None, _) => true,
            (Some(score), Some(step), None) => score.epsilon == step.epsilon,
            _ => false,
        };
        if !agrees {
            problems.push(Problem::Score);
        }
        if let Some(score) = score {
            // One row moves n times the quality by a half, in whatever units noise is added.
            let per_row = score.epsilon.divided_by(u64::from(self.rows_per_person.get())).to_f64();
            let scale = 1.0 / (2.0 * self.facts.rows as f64 * per_row);
            let right = (score.scale - scale).abs() <= ROUNDING * scale;
            if !(score.value.is_finite() && right) {
                problems.push(Problem::Setting("score"));
            }
        }
    }
}
