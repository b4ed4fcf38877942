//! The terms of a release, whatever its model: the budget, whom it protects, and how much is made of it.

use std::num::NonZeroU32;

use crate::privacy::{Budget, Delta, Epsilon, Guarantee, Neighbours, Randomness, Rho};

/// Fewest rows of a private table.
pub const FEWEST_ROWS: usize = 50;
/// The largest factor by which more epsilon or more rows are advised.
const MOST_FACTOR: f64 = 1e18;

/// What every release is asked for, unchecked.
///
/// ```
/// use indistinct::Terms;
///
/// let terms = Terms { delta: "1e-6".parse()?, draws: 2, ..Terms::of("1".parse()?) };
/// assert_eq!(terms.tables, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Everything that the release may publish.
    pub epsilon: Epsilon,
    /// The probability with which the guarantee may fail; zero for pure differential privacy.
    pub delta: Delta,
    /// Between which tables the guarantee holds; the number of rows is private if they may differ in it.
    pub neighbours: Neighbours,
    /// The most rows that one person owns.
    pub rows_per_person: u32,
    /// Private draws, an equal part of the budget each.
    pub draws: u32,
    /// Synthetic tables for each draw.
    pub tables: u32,
    /// Of `epsilon`, for the quality score; zero for none.
    pub score_epsilon: Epsilon,
}

/// One setting of a release. Errors name it, and each front end spells it in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// [`Terms::epsilon`].
    Epsilon,
    /// [`Terms::delta`].
    Delta,
    /// [`Terms::neighbours`].
    Neighbours,
    /// [`Terms::rows_per_person`].
    RowsPerPerson,
    /// [`Terms::draws`].
    Draws,
    /// [`Terms::tables`].
    Tables,
    /// [`Terms::score_epsilon`].
    ScoreEpsilon,
    /// Rows of each synthetic table.
    Rows,
    /// Synthetic tables over which the quality of a candidate is averaged.
    Sets,
    /// The part of the budget that is measured.
    MeasureShare,
    /// Chains of a random walk.
    Chains,
    /// Steps of a chain.
    Steps,
    /// The standard deviation of a prior.
    PriorSd,
    /// What draws the parameters of the normal model.
    Sampler,
    /// The schema.
    Schema,
}

impl Field {
    /// The name in Rust and Python, as in `rows_per_person`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Epsilon => "epsilon",
            Self::Delta => "delta",
            Self::Neighbours => "neighbours",
            Self::RowsPerPerson => "rows_per_person",
            Self::Draws => "draws",
            Self::Tables => "tables",
            Self::ScoreEpsilon => "score_epsilon",
            Self::Rows => "rows",
            Self::Sets => "sets",
            Self::MeasureShare => "measure_share",
            Self::Chains => "chains",
            Self::Steps => "steps",
            Self::PriorSd => "prior_sd",
            Self::Sampler => "sampler",
            Self::Schema => "schema",
        }
    }

    /// What it is, in words.
    fn noun(self) -> &'static str {
        match self {
            Self::Epsilon => "epsilon",
            Self::Delta => "delta",
            Self::Neighbours => "the relation between neighbouring tables",
            Self::RowsPerPerson => "the rows of a person",
            Self::Draws => "the number of draws",
            Self::Tables => "the number of tables",
            Self::ScoreEpsilon => "the epsilon of the quality score",
            Self::Rows => "the number of rows",
            Self::Sets => "the number of sets",
            Self::MeasureShare => "the share of the budget that is measured",
            Self::Chains => "the number of chains",
            Self::Steps => "the number of steps",
            Self::PriorSd => "the prior's standard deviation",
            Self::Sampler => "the sampler",
            Self::Schema => "the schema",
        }
    }
}

/// Terms that make no sense, whatever the model. Depends on public quantities only.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TermsError {
    /// Too few rows.
    #[error("the table has {0} rows; at least {FEWEST_ROWS} are needed")]
    TooFewRows(usize),
    /// None of something that there must be some of.
    #[error("{} must be at least 1", .0.noun())]
    Zero(Field),
    /// The score would take everything.
    #[error("the quality score would take epsilon {score} of {total}, and leave nothing for the table")]
    ScoreTakesAll {
        /// Asked for the score.
        score: Epsilon,
        /// In all.
        total: Epsilon,
    },
}

impl TermsError {
    /// The setting that is wrong; none if it is the table.
    pub fn field(&self) -> Option<Field> {
        match self {
            Self::TooFewRows(_) => None,
            Self::Zero(field) => Some(*field),
            Self::ScoreTakesAll { .. } => Some(Field::ScoreEpsilon),
        }
    }
}

impl Terms {
    /// One table of one draw, pure differential privacy when one row is substituted.
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

    /// The most rows of a person, if nothing is zero that must not be.
    ///
    /// # Errors
    /// When something is.
    pub fn checked_rows_per_person(&self) -> Result<NonZeroU32, TermsError> {
        for (count, field) in [(self.draws, Field::Draws), (self.tables, Field::Tables)] {
            if count == 0 {
                return Err(TermsError::Zero(field));
            }
        }
        NonZeroU32::new(self.rows_per_person).ok_or(TermsError::Zero(Field::RowsPerPerson))
    }

    /// That the score leaves something of an epsilon.
    pub(crate) fn check_score(&self, left: Epsilon) -> Result<(), TermsError> {
        if self.score_epsilon >= left {
            return Err(TermsError::ScoreTakesAll { score: self.score_epsilon, total: self.epsilon });
        }
        Ok(())
    }

    /// The guarantee that a release has all of whose steps are proven and drawn exactly.
    pub fn exact_guarantee(&self) -> Guarantee {
        let Self { epsilon, delta, .. } = *self;
        if delta.is_zero() { Guarantee::Pure { epsilon } } else { Guarantee::Approximate { epsilon, delta } }
    }

    /// The rho that the budget is composed in, if it has a delta.
    pub fn rho(&self) -> Option<Rho> {
        (!self.delta.is_zero()).then(|| Rho::largest(self.epsilon, self.delta))
    }

    /// A budget on these terms.
    pub(crate) fn budget(&self, rows_per_person: NonZeroU32, randomness: Randomness) -> Budget {
        Budget::with_delta(self.epsilon, self.delta, rows_per_person, randomness).between(self.neighbours)
    }
}

/// One part of the budget, for whoever wants to know before anything is spent.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it is for.
    pub step: String,
    /// Of the whole budget.
    pub share: f64,
    /// The standard deviation of the noise of each count, where that is known before the run.
    pub noise_sd: Option<f64>,
}

/// The most draws, fewer than were asked for, that are enough for each; at least one. What is enough stays so for fewer.
pub(crate) fn most_draws(asked: u32, enough: impl Fn(u32) -> bool) -> u32 {
    let (mut most, mut too_many) = (1, asked);
    while too_many - most > 1 {
        let middle = most + (too_many - most) / 2;
        if enough(middle) { most = middle } else { too_many = middle }
    }
    most
}

/// The least factor, from 1 on and to a thousandth, that is enough; what is enough stays so for larger ones.
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
