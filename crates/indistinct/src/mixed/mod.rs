//! Tables of any columns: margins, dependence between ordered columns by normal scores, other dependence by tables of pairs.
//!
//! 1. Every column's [`Margin`](crate::margin::Margin) is measured over its value grid.
//! 2. Nominal columns, and whether a value is missing, hang below one other column each, chosen privately by how much
//!    the pair differs from independence, with a noisy table of the pair (`branches`).
//! 3. Columns with an order (numbers, dates, ordered categories, booleans) are mapped through their margins to normal
//!    scores, whose correlations are found from noisy sums of products (`block`, `scores`).
//! 4. Pairs in which the model and the rows still differ most are chosen privately, measured, and the model is weighted
//!    so as to agree with all that was measured (`corrections`): discriminate, measure, refit.
//!
//! # Guarantee
//! Every step that looks at rows is a list of counts or sums whose cells are fixed by earlier outputs, with exact noise, or a
//! choice by such counts; all are charged to the budget that is returned. The rest is post-processing.

mod block;
mod branches;
mod corrections;
mod model;
mod nodes;
mod plan;
mod predictors;
mod release;
mod scores;

pub(crate) use block::score_units;
pub use model::MixedModel;
pub use plan::{MOST_LEVELS, MixedError, MixedOptions, MixedPlan};
pub use release::{MixedReleased, release};
