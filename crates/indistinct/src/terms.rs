//! The terms of a release, whatever its model: the budget, the persons it protects, and the numbers of draws and
//! tables.

use std::num::NonZeroU32;

use crate::field::Field;
use crate::privacy::{Budget, Delta, Epsilon, Guarantee, Neighbours, Randomness, Rho};

/// Fewest rows of a private table.
pub const FEWEST_ROWS: usize = 50;
/// Largest advised factor for more epsilon or more rows.
const MOST_FACTOR: f64 = 1e18;

/// The terms of every release, unchecked.
///
/// ```
/// use indistinct::Terms;
///
/// let terms = Terms::of("1".parse()?).with(|terms| terms.draws = 2);
/// assert_eq!(terms.tables, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Terms {
    /// Epsilon of everything that the release publishes.
    pub epsilon: Epsilon,
    /// The probability with which the guarantee may fail; zero for pure differential privacy.
    pub delta: Delta,
    /// The kind of neighbouring tables between which the guarantee holds; it decides whether the number of rows
    /// is private.
    pub neighbours: Neighbours,
    /// The most rows that one person owns.
    pub rows_per_person: u32,
    /// Number of private draws, each with an equal part of the budget.
    pub draws: u32,
    /// Number of synthetic tables for each draw.
    pub tables: u32,
    /// The part of `epsilon` for the quality score; zero for none.
    pub score_epsilon: Epsilon,
}

/// The reason why terms are invalid, whatever the model. It depends on public quantities only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TermsError {
    /// Too few rows.
    #[error("the table has {0} row{s}; at least {FEWEST_ROWS} are needed", s = if *.0 == 1 { "" } else { "s" })]
    TooFewRows(usize),
    /// Too few rows, by a noisy count of a private number.
    #[error("the table has about {} row{s}, by a count with noise; at least {FEWEST_ROWS} are needed", .0, s = if *.0 == 1 { "" } else { "s" })]
    TooFewCounted(usize),
    /// Zero of something of which at least one is needed.
    #[error("{} must be at least 1", .0.noun())]
    Zero(Field),
    /// The score would take everything.
    #[error("the quality score would take epsilon {score} of {total}, and leave nothing for the table")]
    ScoreTakesAll {
        /// Epsilon of the score.
        score: Epsilon,
        /// Epsilon in all.
        total: Epsilon,
    },
}

impl TermsError {
    /// The setting that is wrong; `None` if it is the table.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::TooFewRows(_) | Self::TooFewCounted(_) => None,
            Self::Zero(field) => Some(*field),
            Self::ScoreTakesAll { .. } => Some(Field::ScoreEpsilon),
        }
    }
}

impl Terms {
    /// These terms with some of them set, as in `terms.with(|terms| terms.draws = 2)`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    /// Terms for one table of one draw, with pure differential privacy when one row is substituted.
    pub fn of(epsilon: Epsilon) -> Self {
        Self {
            epsilon,
            delta: Delta::ZERO,
            neighbours: Neighbours::Substitute,
            rows_per_person: 1,
            draws: 1,
            tables: 1,
            score_epsilon: Epsilon::ZERO,
        }
    }

    /// The most rows of a person, after a check that no setting is zero that must not be.
    ///
    /// # Errors
    /// When one is.
    pub fn checked_rows_per_person(&self) -> Result<NonZeroU32, TermsError> {
        for (count, field) in [(self.draws, Field::Draws), (self.tables, Field::Tables)] {
            if count == 0 {
                return Err(TermsError::Zero(field));
            }
        }
        NonZeroU32::new(self.rows_per_person).ok_or(TermsError::Zero(Field::RowsPerPerson))
    }

    /// Checks that the score leaves something of an epsilon.
    pub(crate) fn check_score(&self, left: Epsilon) -> Result<(), TermsError> {
        if self.score_epsilon >= left {
            return Err(TermsError::ScoreTakesAll { score: self.score_epsilon, total: self.epsilon });
        }
        Ok(())
    }

    /// The guarantee of a release whose steps are all proven and drawn exactly.
    pub fn exact_guarantee(&self) -> Guarantee {
        let Self { epsilon, delta, .. } = *self;
        if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } }
    }

    /// The rho of the budget, if it has a delta.
    pub fn rho(&self) -> Option<Rho> {
        (!self.delta.is_zero()).then(|| Rho::largest(self.epsilon, self.delta))
    }

    /// A budget with these terms.
    pub(crate) fn budget(&self, rows_per_person: NonZeroU32, randomness: Randomness) -> Budget {
        Budget::with_delta(self.epsilon, self.delta, rows_per_person, randomness).between(self.neighbours)
    }
}

/// One part of the budget, to be shown before anything is spent.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The step's name.
    pub step: String,
    /// Its share of the whole budget.
    pub share: f64,
    /// The standard deviation of the noise of each count, where that is known before the run.
    pub noise_sd: Option<f64>,
}

/// The largest number of draws, below the requested one, for which the budget is enough; at least one. If it is
/// enough for a number, it is for smaller ones.
pub(crate) fn most_draws(asked: u32, enough: impl Fn(u32) -> bool) -> u32 {
    let (mut most, mut too_many) = (1, asked);
    while too_many - most > 1 {
        let middle = most + (too_many - most) / 2;
        if enough(middle) { most = middle } else { too_many = middle }
    }
    most
}

/// The least factor, from 1 on and to a thousandth, that is enough; if a factor is enough, larger ones are.
pub(crate) fn least_factor(enough: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    while !enough(high) && high < MOST_FACTOR {
        high *= 2.0;
    }
    let mut low: f64 = (high / 2.0).max(1.0);
    while high / low > 1.0005 {
        let middle = (low * high).sqrt();
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}
