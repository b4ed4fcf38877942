//! What is measured and shown about synthetic tables.
//!
//! [`evaluate`] asks how well a classifier can tell real from synthetic rows: over the whole table, for each column
//! and for each pair of columns, beside what chance alone and a table without any dependence would give.
//!
//! [`chart`] draws figures as SVG, and [`page`] makes pages of them: one from what is released, one for the data holder.
//!
//! Everything that is evaluated is computed **from the private data**, for its holder. None of it is differentially
//! private.

pub mod chart;
mod evaluation;
mod judge;
mod null;
pub mod page;
mod progress;

pub use evaluation::{
    ColumnEvaluation, Control, Evaluation, EvaluationError, EvaluationOptions, MeanEvaluation, NullSummary,
    PairEvaluation, PredictColumn, SampledFrom, SecondLook, TableEvaluation, distinguishability, evaluate,
};
pub use judge::{Discriminator, JudgeError};
pub use null::{Null, NullError};
pub use progress::{Progress, Silent};
