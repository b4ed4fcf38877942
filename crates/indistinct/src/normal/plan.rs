//! From options to a plan that can run, by public quantities only.

use std::num::NonZeroU32;

use super::choices::{CandidateDiscriminator, Sampler};
use super::schedule::ScheduleFacts;
use crate::discriminator::optimal::share_digits;
use crate::field::Field;
use crate::number::{enough, number_of};
use crate::privacy::{Epsilon, Guarantee, Neighbours, Rho, StepError};
use crate::quality::Quality;
use crate::terms::{FEWEST_ROWS, Part, Terms, TermsError, least_factor, most_draws};

/// Share of the budget that is measured, if the rest is enough to locate.
const MEASURE_SHARE: f64 = 0.6;
/// Least share for everything but locating.
const LEAST_REST: f64 = MEASURE_SHARE / 2.0;
/// Part of the share not used for locating that goes to candidates judged by a discriminator.
const JUDGED: f64 = 1.0 / 3.0;
/// Most of the budget that is kept for judging: what locating leaves goes to it as well.
const MOST_KEPT_FOR_JUDGING: f64 = 0.2;
/// Part for judged candidates where nothing is measured.
const JUDGED_ALONE: f64 = 0.5;
/// Most synthetic tables by which a candidate is judged: sums of utilities stay far within 64 bits.
const MOST_SETS: u32 = 1000;
/// Part of the budget needed for locating below which a release would be noise.
const HOPELESS: f64 = 0.25;
/// Part of the budget needed for locating below which a release suffers: a little less than all, for rounding.
const STARVED: f64 = 0.99;
/// The same limit for walks, computed from the most that they could tell apart. It was chosen by experiment: of
/// 20 short walks on 5000 rows of two columns 13 went astray at about 1, and 3 at 2 (`walks_at_the_limit`).
const STARVED_WALK: f64 = 2.0;

/// Options of the normal model, unchecked. Of its terms, only [`Sampler::Zoom`] allows a delta, and none allows a
/// relation other than substitution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NormalOptions {
    /// The quality function.
    pub quality: Quality,
    /// The discriminator that finds the cells.
    pub discriminator: CandidateDiscriminator,
    /// The sampler of theta.
    pub sampler: Sampler,
    /// The share of the budget for noisy counts; by default 0.6, or less where locating needs more.
    pub measure_share: Option<f64>,
    /// Whether the sensitivity is the paper's, twice the proven one.
    pub paper_sensitivity: bool,
    /// Candidates of a joint stage.
    pub candidates: Option<usize>,
    /// Synthetic tables over which the quality of a candidate is averaged, as in the paper's equation 4. More
    /// than one is for trees that are fitted to tables: partitions have known masses, and a private tree is fixed
    /// before.
    pub sets: u32,
}

impl Default for NormalOptions {
    fn default() -> Self {
        Self {
            quality: Quality::Pmae,
            discriminator: CandidateDiscriminator::default(),
            sampler: Sampler::default(),
            measure_share: None,
            paper_sensitivity: false,
            candidates: None,
            sets: 1,
        }
    }
}

/// Checked settings for a table of public size.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalPlan {
    pub(super) terms: Terms,
    pub(super) options: NormalOptions,
    pub(super) rows_per_person: NonZeroU32,
    pub(super) facts: ScheduleFacts,
}

/// The reason why settings are invalid, or a budget is hopeless. It depends on public quantities only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NormalError {
    /// Terms that are invalid whatever the model.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// A relation for which nothing is proven.
    #[error("what a row more or less does to the normal model is not proven")]
    AddRemove,
    /// Several sets for a discriminator that uses none.
    #[error("sets are for discriminators that fit a tree to synthetic tables, and {0} does not")]
    SetsWithoutTrees(&'static str),
    /// More sets than can be summed.
    #[error("at most {MOST_SETS} sets can be averaged over, not {0}")]
    TooManySets(u32),
    /// Share out of range.
    #[error("the share of the budget that is measured must be at least 0 and below 1, not {0}")]
    MeasureShare(f64),
    /// A share to measure with a sampler other than zoom.
    #[error("metropolis draws theta by itself: there is nothing to measure")]
    MeasuredMetropolis,
    /// A chain with a delta.
    #[error("metropolis has no guarantee with a delta")]
    DeltaMetropolis,
    /// A prior that is not a distribution.
    #[error("the prior's standard deviation must be a positive number")]
    PriorSd,
    /// Too little signal to find anything.
    #[error(
        "epsilon times rows is too small to locate {}: the release would be noise. An epsilon of about {} would do with these \
         rows, or about {} rows with this epsilon",
        number_of(*.columns, "column"),
        enough(*.epsilon),
        enough(*.rows)
    )]
    Hopeless {
        /// Columns to locate.
        columns: usize,
        /// A sufficient epsilon.
        epsilon: f64,
        /// A sufficient number of rows.
        rows: f64,
    },
    /// Too little signal in each of several draws. For a single draw there would be a warning; of several, some
    /// would miss the data, and spoil the combined result.
    #[error(
        "each of {draws} draws has too little of the budget to locate {}: some would miss the data altogether, and an analysis of \
         all draws with them",
        number_of(*.columns, "column")
    )]
    StarvedDraws {
        /// The requested number of draws.
        draws: u32,
        /// Columns to locate.
        columns: usize,
        /// The largest sufficient number of draws; one if none above one is.
        most: u32,
        /// An epsilon that is sufficient for all of them.
        epsilon: f64,
    },
    /// The budget was not enough, or a mechanism failed.
    #[error(transparent)]
    Sampler(#[from] StepError),
}

impl NormalError {
    /// The setting that is wrong, if one is.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::Terms(error) => error.field(),
            Self::AddRemove => Some(Field::Neighbours),
            Self::SetsWithoutTrees(_) | Self::TooManySets(_) => Some(Field::Sets),
            Self::MeasureShare(_) | Self::MeasuredMetropolis => Some(Field::MeasureShare),
            Self::DeltaMetropolis => Some(Field::Delta),
            Self::PriorSd => Some(Field::PriorSd),
            Self::Hopeless { .. } => Some(Field::Epsilon),
            Self::StarvedDraws { .. } => Some(Field::Draws),
            Self::Sampler(_) => None,
        }
    }
}

impl NormalOptions {
    /// These options with some of them set, as in `options.with(|options| options.candidates = Some(500))`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Checks the options against the public size of a table.
    ///
    /// # Errors
    /// See [`NormalError`].
    pub fn plan(self, terms: Terms, rows: usize, columns: usize) -> Result<NormalPlan, NormalError> {
        if rows < FEWEST_ROWS {
            return Err(TermsError::TooFewRows(rows).into());
        }
        let rows_per_person = terms.checked_rows_per_person()?;
        if terms.neighbours == Neighbours::AddRemove {
            return Err(NormalError::AddRemove);
        }
        if self.sets == 0 {
            return Err(TermsError::Zero(Field::Sets).into());
        }
        if self.sets > 1 && !self.discriminator.fits_trees() {
            return Err(NormalError::SetsWithoutTrees(self.discriminator.name()));
        }
        if self.sets > MOST_SETS {
            return Err(NormalError::TooManySets(self.sets));
        }
        if let Some(share) = self.measure_share
            && !(0.0..1.0).contains(&share)
        {
            return Err(NormalError::MeasureShare(share));
        }
        if let Sampler::Metropolis { chains, steps, prior_sd, .. } = self.sampler {
            if self.measure_share.is_some_and(|share| share > 0.0) {
                return Err(NormalError::MeasuredMetropolis);
            }
            for (count, field) in [(chains, Field::Chains), (steps, Field::Steps)] {
                if count == 0 {
                    return Err(TermsError::Zero(field).into());
                }
            }
            if !terms.delta.is_zero() {
                return Err(NormalError::DeltaMetropolis);
            }
            if !(prior_sd.is_finite() && prior_sd > 0.0) {
                return Err(NormalError::PriorSd);
            }
        }
        terms.check_score(terms.epsilon)?;
        let planned = self.divided(terms, rows, columns, rows_per_person);
        let draws = planned.terms.draws;
        if draws > 1 && planned.starves() && planned.with_draws(1).flatness() >= HOPELESS {
            return Err(NormalError::StarvedDraws {
                draws,
                columns,
                most: most_draws(draws, |draws| !planned.with_draws(draws).starves()),
                epsilon: planned.sufficient_epsilon(),
            });
        }
        if planned.flatness() < HOPELESS {
            return Err(NormalError::Hopeless {
                columns,
                epsilon: planned.sufficient_epsilon(),
                rows: planned.sufficient_rows(),
            });
        }
        Ok(planned)
    }

    /// Divides the budget among the draws, and that of a draw among its parts; the options are already checked.
    fn divided(self, terms: Terms, rows: usize, columns: usize, rows_per_person: NonZeroU32) -> NormalPlan {
        let share = match self.sampler {
            Sampler::Zoom => self.measure_share,
            Sampler::Metropolis { .. } => Some(0.0),
        };
        let per_draw = terms.epsilon.saturating_sub(terms.score_epsilon).divided_by(u64::from(terms.draws));
        let mut facts = ScheduleFacts {
            rows,
            columns,
            epsilon: per_draw,
            rows_per_person: terms.rows_per_person,
            measure_share: 0.0,
            judge_share: 0.0,
            quality: self.quality,
            rho: (!terms.delta.is_zero()).then(|| {
                let part = per_draw.to_f64() / terms.epsilon.to_f64();
                Rho::largest(terms.epsilon, terms.delta).to_f64() * part
            }),
        };
        let rest = (1.0 - facts.needed_share()).clamp(LEAST_REST, 1.0);
        // Partitions measure their cells rather than judge by them.
        let judged = if self.discriminator == CandidateDiscriminator::Partition { 0.0 } else { JUDGED };
        facts.measure_share = share.unwrap_or((rest * (1.0 - judged)).min(MEASURE_SHARE));
        facts.judge_share = match share {
            Some(0.0) => JUDGED_ALONE,
            Some(share) => (1.0 - share) * judged,
            None => (rest * judged).min(MOST_KEPT_FOR_JUDGING),
        };
        NormalPlan { terms, options: self, rows_per_person, facts }
    }
}

impl NormalOptions {
    /// The guarantee that a release with these options will have, known before anything is read: that of its
    /// steps, for a table of `rows` rows if the number is known.
    ///
    /// A release whose steps turn out to give another guarantee must not appear where this was relied on.
    pub fn expected_guarantee(&self, terms: &Terms, rows: Option<usize>) -> Guarantee {
        let none = |why: &str| Guarantee::None { because: vec![why.to_owned()] };
        let trees = self.discriminator != CandidateDiscriminator::Partition;
        match (&self.sampler, &self.discriminator) {
            (_, CandidateDiscriminator::Cart(_)) => {
                none("the splits of a greedy tree depend on the private rows")
            }
            (Sampler::Metropolis { fresh_tables: true, .. }, _) if trees => {
                none("new synthetic tables at every step give a chain another law")
            }
            (_, CandidateDiscriminator::Optimal(_))
                if self.quality == Quality::Pmse && rows.is_some_and(|rows| share_digits(rows).is_none()) =>
            {
                none("the integer terms of optimal trees are not exact for so many rows")
            }
            (Sampler::Metropolis { .. }, _) => Guarantee::AtStationarity { epsilon: terms.epsilon },
            (Sampler::Zoom, _) => terms.exact_guarantee(),
        }
    }
}

impl NormalPlan {
    /// The terms as given.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The options as given.
    pub fn options(&self) -> &NormalOptions {
        &self.options
    }

    /// The least share of the budget that is measured.
    pub fn measure_share(&self) -> f64 {
        self.facts.measure_share
    }

    /// The least ratio of what the budget can tell apart to what has to be told apart.
    fn flatness(&self) -> f64 {
        self.flatness_of_locating().min(self.flatness_of_walk())
    }

    /// The flatness of locating alone, which a walk does for a private tree only; infinite where nothing is
    /// located.
    fn flatness_of_locating(&self) -> f64 {
        let locates = self.options.sampler == Sampler::Zoom
            || self.options.discriminator == CandidateDiscriminator::PrivateTree;
        if locates { self.facts.flatness() } else { f64::INFINITY }
    }

    /// The flatness of a walk alone; infinite where there is none.
    ///
    /// Its density separates good from bad by at most epsilon * n / 4 nats with pMSE and twice that with pMAE; if
    /// that is below the logarithm of the prior's volume over the posterior's, the tails win. A private tree
    /// leaves half of the judge's part.
    fn flatness_of_walk(&self) -> f64 {
        let Sampler::Metropolis { prior_sd, .. } = self.options.sampler else { return f64::INFINITY };
        let is_grown = self.options.discriminator == CandidateDiscriminator::PrivateTree;
        let share = if is_grown { self.facts.judge_share / 2.0 } else { 1.0 };
        let signal = self.facts.signal() * share / if self.options.paper_sensitivity { 2.0 } else { 1.0 };
        let nats = match self.options.quality {
            Quality::Pmse => signal / 4.0,
            Quality::Pmae => signal / 2.0,
        };
        let q = self.facts.columns as f64;
        let parameters = q * (q + 3.0) / 2.0;
        // A posterior that has seen n * epsilon / 8 rows, of a column with standard deviation 1.
        nats / (parameters * (prior_sd * (signal / 8.0).sqrt()).ln().max(1.0))
    }

    /// Whether draws may be noise.
    fn starves(&self) -> bool {
        self.flatness_of_locating() < STARVED || self.flatness_of_walk() < STARVED_WALK
    }

    /// The plan with another number of draws.
    fn with_draws(&self, draws: u32) -> Self {
        self.with(Terms { draws, ..self.terms.clone() }, self.facts.rows)
    }

    /// The plan with the budget divided anew, on other terms or for another number of rows.
    fn with(&self, terms: Terms, rows: usize) -> Self {
        self.options.clone().divided(terms, rows, self.facts.columns, self.rows_per_person)
    }

    /// The least epsilon of a release, including the score, with which no draw starves.
    fn sufficient_epsilon(&self) -> f64 {
        let epsilon = self.terms.epsilon.to_f64();
        let with = |factor: f64| {
            let epsilon = Epsilon::from_f64(epsilon * factor).ok()?;
            Some(self.with(Terms { epsilon, ..self.terms.clone() }, self.facts.rows))
        };
        epsilon * least_factor(|factor| with(factor).is_none_or(|plan| !plan.starves()))
    }

    /// The least number of rows with which no draw starves.
    fn sufficient_rows(&self) -> f64 {
        let rows = self.facts.rows as f64;
        rows * least_factor(|factor| !self.with(self.terms.clone(), (rows * factor) as usize).starves())
    }

    /// A warning for a budget that starves the search, with a sufficient one; `None` if all is well.
    pub fn warning(&self) -> Option<String> {
        self.starves().then(|| {
            format!(
                "epsilon times rows is small for {}: some releases will miss the data altogether. An epsilon of about {} would do \
                 with these rows, or about {} rows with this epsilon",
                number_of(self.facts.columns, "column"),
                enough(self.sufficient_epsilon()),
                enough(self.sufficient_rows())
            )
        })
    }

    /// The parts of the budget.
    pub fn split(&self) -> Vec<Part> {
        let score = self.terms.score_epsilon.to_f64() / self.terms.epsilon.to_f64();
        let part = |step: &str, share: f64| Part { step: step.to_owned(), share, noise_sd: None };
        let measured = (1.0 - score) * self.measure_share();
        let found = match self.options.sampler {
            Sampler::Zoom => "finding every column and its dependence, at most",
            Sampler::Metropolis { .. } => "the chains",
        };
        let parts = [
            part(found, 1.0 - score - measured),
            part("noisy counts of cells, at least", measured),
            part(crate::privacy::SCORE_STEP, score),
        ];
        parts.into_iter().filter(|part| part.share > 0.0).collect()
    }

    /// Number of stages that report progress.
    pub fn stages(&self) -> u64 {
        let q = self.facts.columns as u64;
        let each = match self.options.sampler {
            Sampler::Zoom => 2 * q + q * (q - 1) / 2,
            Sampler::Metropolis { chains, .. } => chains as u64,
        };
        u64::from(self.terms.draws) * each
    }
}
