//! Statistics that compare a synthetic table with the real one, for the holder of the private data.
//!
//! - [`evaluate`]: how well a classifier can tell real from synthetic rows: over the whole table, for each column
//!   and for each pair of columns, beside what chance alone and a table without any dependence would give;
//! - [`distances`]: total variation distance between tables of one, two and three columns;
//! - [`predict`]: how well a [`forest`] that was trained on synthetic rows predicts real ones.
//!
//! # Guarantee
//! None. Everything here is computed from the private rows, without noise: it is for their holder's eyes.

mod choice;
pub mod distances;
mod evaluation;
pub mod forest;
mod judge;
mod null;
mod options;
pub mod predict;
mod tables;

pub use evaluation::{
    ColumnEvaluation, Control, DepthTwoTree, Evaluation, EvaluationError, EvaluationOptions, MeanEvaluation,
    NullSummary, PairEvaluation, PredictColumn, REPLICATES, SampledFrom, TableEvaluation, distinguishability,
    evaluate, shuffle_columns,
};
pub use judge::{Discriminator, JudgeError, PreparedDiscriminator, Verdict};
pub use null::{Null, NullError};
pub use options::{DiscriminatorArg, EvaluateOptions, thresholds_of};
pub use tables::Tables;

use crate::random::Generator;

/// `count` of the rows of a table, ascending, every choice equally likely; all of them if there are no more.
pub fn choose_rows(of: u32, count: u32, random: &mut Generator) -> Vec<u32> {
    choice::choose(u64::from(of), u64::from(count), random).into_iter().map(|row| row as u32).collect()
}
