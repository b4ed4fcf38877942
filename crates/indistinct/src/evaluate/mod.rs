//! Statistics that compare a synthetic table with the real one, for the holder of the private data.
//!
//! - [`evaluate`]: how well a classifier can tell real from synthetic rows: over the whole table, for each column
//!   and for each pair of columns, beside what chance alone and a table without any dependence would give;
//! - [`Verdict`]: what the table is good for, from [`ResampledTrees`] and distances;
//! - [`distances`]: total variation distance between tables of one, two and three columns;
//! - [`predict`]: how well a [`forest`] that was trained on synthetic rows predicts real ones.
//!
//! # Guarantee
//! None. Everything here is computed from the private rows, without noise: it is for their holder's eyes.

mod choice;
pub mod distances;
mod error;
mod evaluation;
pub mod forest;
mod judge;
mod null;
mod options;
pub mod predict;
pub mod resampled;
mod results;
mod sample;
mod settings;
mod tables;
mod verdict;

pub use error::EvaluationError;
pub use evaluation::{distinguishability, evaluate, shuffle_columns};
pub use judge::{Discriminator, JudgeError, Judgement, PreparedDiscriminator};
pub use null::{Null, NullError};
pub use options::{DiscriminatorName, EvaluateOptions, sample_size_of, thresholds_of};
pub use resampled::ResampledTrees;
pub use results::{
    ColumnEvaluation, Control, DepthTwoTree, Evaluation, MeanEvaluation, NullSummary, PairEvaluation,
    SampledRows, TableEvaluation,
};
pub use sample::{FEWEST_SAMPLE_ROWS, SAMPLE_ROWS, SampleSize, TableSample};
pub use settings::{EvaluateParams, PredictColumn, REPLICATES};
pub use tables::Tables;
pub use verdict::{Level, Verdict};
