//! Error bars for any analysis of a release, at no cost to privacy: the release is rehearsed.
//!
//! A release is the outcome of rows from a population and of this program. Its model is the best published guess of the
//! population. So rows are drawn from the model, one by one, the same program makes a release of them, and the
//! analyst's statistic is computed on rows of that: how far it is from the model's own value shows how far the
//! released number may be from the truth. Sampling, noise, choices of tables, shrinkage and rounding are all in it.
//!
//! Everything here reads published files only. A rehearsal is no release: its budget is seeded and promises nothing,
//! and no certificate is kept of it.

mod estimate;
mod recipe;
mod rehearsal;
mod statistic;
mod study;

pub use estimate::{
    DEFAULT_REPLICATES, Errors, FEWEST_REPLICATES, Interval, NumberKind, Of, Replicate, Series,
};
pub use recipe::Recipe;
pub use rehearsal::{Rehearsal, RehearsalError, Rehearsed};
pub use statistic::{PreparedStatistic, RegressionRows, Statistic, StatisticError};
pub use study::{Rehearsals, Study, StudyError, series_of, study, study_with};
