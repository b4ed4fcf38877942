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
mod sample;
mod tables;

pub use evaluation::{
    ColumnEvaluation, Control, DepthTwoTree, Evaluation, EvaluationError, EvaluationOptions, MeanEvaluation,
    NullSummary, PairEvaluation, PredictColumn, REPLICATES, SampledRows, TableEvaluation, distinguishability,
    evaluate, shuffle_columns,
};
pub use judge::{Discriminator, JudgeError, PreparedDiscriminator, Verdict};
pub use null::{Null, NullError};
pub use options::{DiscriminatorArg, EvaluateOptions, sample_size_of, thresholds_of};
pub use sample::{FEWEST_SAMPLE_ROWS, SAMPLE_ROWS, SampleSize, TableSample};
pub use tables::Tables;
