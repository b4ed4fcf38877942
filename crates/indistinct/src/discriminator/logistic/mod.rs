//! Logistic regression of "this row is synthetic" on the columns: R's `glm`, for tables of any size.
//!
//! Numbers, dates, ordered categories and booleans enter as one column each, nominal categories as treatment
//! contrasts to their first level. A missing number counts as the mean and is marked by a column of its own;
//! a missing category is one more level. Interactions are products of the columns of two different
//! predictors. Columns that depend on earlier ones are dropped, as in R; the others, including the intercept, are
//! the k that null expectations count ([`crate::quality::null`]).
//!
//! # Separable tables
//!
//! When the tables can be told apart completely, or a level occurs in only one of them, the likelihood has no
//! maximum: coefficients grow until scores are 0 and 1. R notices when scores reach these within 2e-15, and
//! otherwise reports the state of the last iteration. Here a fit counts as separable when it does not settle in
//! R's 25 iterations, or when its deviance has settled but one more step would still move the log-odds of some
//! row by more than 0.1 (towards infinity every step moves them by about 1). It is then replaced by a fit with a
//! ridge on all coefficients but the intercept, and [`Logistic::ridge`] says so. Scores close to 0 or 1 for a
//! reason (an outlier on a steep but finite slope) are left alone.
//!
//! The log-likelihood is lowered by penalty / 2 times the squares of the coefficients, in log-odds for one
//! standard deviation of a number or between a level and its reference. The penalty starts at 1e-6, that is
//! with a normal prior of standard deviation 1000, and is divided by 100 until this moves the scores by less
//! than 1e-4 on average. So they are close to where the unpenalised fit is heading: a level of one table alone
//! gets a score within about 1e-5 of 0 or 1, and the pMSE of separated tables falls short of 1/4 by about 1e-4
//! at most, if floating point can follow (penalties end at 1e-14). The penalty does not grow with the number
//! of rows, lest rare levels be smoothed over in large tables.

mod design;
mod encode;
mod fit;
mod irls;
mod term;

pub use design::Design;
pub use fit::{Coefficient, Logistic};
pub use term::{Factor, Term};

use super::Stacked;

/// Options of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether all pairwise interactions are included.
    pub interactions: bool,
    /// Most columns, including the intercept, before aliased ones are dropped. Time per iteration grows with its
    /// square.
    pub max_columns: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { interactions: false, max_columns: 1000 }
    }
}

impl Options {
    /// These options with some of them set, as in `options.with(|options| options.interactions = true)`. Fields may be added, so that
    /// other crates list only those that they set.
    #[must_use]
    pub fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }
}

/// The reason why a model cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LogisticError {
    /// More columns than allowed.
    #[error(
        "the logistic model would have {columns} columns; at most {limit} are allowed: {}",
        if *interactions { "drop interactions" } else { "drop columns with many levels, or merge levels" }
    )]
    TooManyColumns {
        /// Columns after expansion, including the intercept.
        columns: u128,
        /// The limit.
        limit: usize,
        /// Whether interactions were requested.
        interactions: bool,
    },
    /// Labels that do not fit the rows.
    #[error("{labels} labels were given for {rows} rows")]
    Labels {
        /// Labels given.
        labels: usize,
        /// Rows of both tables.
        rows: usize,
    },
    /// Only real or only synthetic rows.
    #[error("the labels must name at least one real and one synthetic row")]
    OneKind,
}

/// Fits the model that tells the synthetic rows from the real ones.
///
/// # Errors
/// When the model has too many columns.
pub fn fit(stacked: &Stacked, options: &Options) -> Result<Logistic, LogisticError> {
    Design::new(stacked, options)?.fit(&stacked.labels())
}
