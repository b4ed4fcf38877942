//! Tables of any columns: margins, correlations of scores, and a pool of rows that agrees with measured tables.
//!
//! 1. Every column's [`Margin`](crate::margin::Margin) is measured over its value grid.
//! 2. Columns with an order (numbers, dates, ordered categories, booleans) are mapped through their margins to normal
//!    scores, whose correlations are found from noisy sums of products.
//! 3. A pool of rows of classes is drawn from both. Tables of two and three columns in which pool and private
//!    rows differ most are chosen privately, measured, and the pool is refitted: discriminate, measure, refit.
//! 4. Rows are those of the pool, with values filled in within their classes.
//!
//! Rules between columns are part of every step: classes begin where rules do, the pool has no row that breaks
//! one, and values are filled in so that they obey.
//!
//! # Guarantee
//! Every step that looks at rows is a list of counts or sums whose cells are fixed by earlier outputs, with exact
//! noise, or a choice by such counts; all are charged to the returned budget. The rest is post-processing.

mod error;
mod margins_only;
mod model;
mod mostly_noise;
mod plan;
mod release;
mod rules;
mod scored;
mod version_one;

pub use error::MixedError;
pub use margins_only::is_margins_only;
pub use model::{MeasuredTable, MixedModel};
pub use mostly_noise::mostly_noise;
pub use plan::{
    HopelessBecause, HopelessColumn, Look, MOST_LEVELS, MixedPlan, Outlook, Predicted, Remedy, TableChoice,
};
pub use release::{DoubtfulBecause, DoubtfulColumn, MixedReleased, release, release_counted};
pub use version_one::VersionOneModel;
