//! Results of an evaluation, as `--json` prints them.

use serde::Serialize;

use super::distances::MeanDistances;
use super::predict::Prediction;
use super::resampled::ResampledTrees;
use super::verdict::Verdict;
use crate::quality::null::Reference;

/// Evaluations of all synthetic tables, and their mean.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    /// One evaluation for each table, in the order given.
    pub tables: Vec<TableEvaluation>,
    /// Means over the tables.
    pub mean: MeanEvaluation,
    /// The verdict on the worst of the tables; `None` without one.
    pub verdict: Option<Verdict>,
}

/// Means over several synthetic tables.
#[derive(Debug, Clone, Serialize)]
pub struct MeanEvaluation {
    /// Mean pMSE.
    pub pmse: f64,
    /// Mean pMAE.
    pub pmae: f64,
    /// Mean S_pMSE, where all tables have one.
    pub s_pmse: Option<f64>,
}

/// The evaluation of one synthetic table.
#[derive(Debug, Clone, Serialize)]
pub struct TableEvaluation {
    /// The table's name.
    pub file: String,
    /// The verdict on the table, and why.
    pub verdict: Verdict,
    /// Power of trees to tell rows apart that they have not seen, on which the verdict rests.
    pub resampled: ResampledTrees,
    /// Mean squared distance of the propensity scores from 1/2.
    pub pmse: f64,
    /// Mean absolute distance of the propensity scores from 1/2.
    pub pmae: f64,
    /// pMSE around the share of synthetic rows; equal to pMSE when the tables have equal sizes.
    pub pmse_centred: f64,
    /// Centred pMSE over its expectation under the null, whose reference is `null.reference`.
    pub s_pmse: Option<f64>,
    /// The null by which it is standardised.
    pub null: NullSummary,
    /// Leaves of the tree, or cells of the partition.
    pub leaves: Option<usize>,
    /// Coefficients of the logistic model.
    pub coefficients: Option<usize>,
    /// Rows of the real table, all of them.
    pub n_real: usize,
    /// Rows of the synthetic table, all of them.
    pub n_synthetic: usize,
    /// Mean total variation distance over sets of one, two and three columns.
    pub distances: MeanDistances,
    /// The two-way distance of `distances`, under its older name.
    pub mean_pair_tvd: Option<f64>,
    /// A second opinion that sees dependence: the best tree of depth 2.
    pub optimal_depth_2: DepthTwoTree,
    /// Each column by itself.
    pub columns: Vec<ColumnEvaluation>,
    /// Each pair of columns.
    pub pairs: Vec<PairEvaluation>,
    /// Success of forests in predicting the named column.
    pub predict: Option<Prediction>,
    /// The numbers of rows on which everything but one-way and two-way distances is computed, if that is a sample
    /// of one of the tables.
    pub sampled: Option<SampledRows>,
    /// The same measures on a copy of the real table whose columns were shuffled independently.
    pub independent_control: Control,
}

/// The rows of a random sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SampledRows {
    /// Rows of the real table in the sample.
    pub real: usize,
    /// Rows of the synthetic table in the sample.
    pub synthetic: usize,
}

impl TableEvaluation {
    /// The rows that the discriminator saw: all, or those of the sample.
    pub fn judged_rows(&self) -> SampledRows {
        self.sampled.unwrap_or(SampledRows { real: self.n_real, synthetic: self.n_synthetic })
    }

    /// One sentence that says which numbers come from a sample, with `count` to write numbers of rows; `None` if none
    /// do.
    pub fn sample_sentence(&self, count: impl Fn(usize) -> String) -> Option<String> {
        let rows = |sampled: usize, of: usize, table: &str| {
            let all = if sampled == of { "all " } else { "" };
            format!("{all}{} {table} rows", count(sampled))
        };
        self.sampled.map(|SampledRows { real, synthetic }| {
            format!(
                "All numbers but one-way and two-way distances come from a random sample: {} and {}.",
                rows(real, self.n_real, "real"),
                rows(synthetic, self.n_synthetic, "synthetic")
            )
        })
    }
}

/// The distribution of centred pMSE for the reference table.
#[derive(Debug, Clone, Serialize)]
pub struct NullSummary {
    /// `permutation`, `bootstrap`, `analytic` or `none`.
    pub kind: &'static str,
    /// The table with S_pMSE 1: `sample` (another sample of the population), `fitted-model` (rows of a correct
    /// model fitted to the real ones) or `synthpop` (synthpop's yardstick); `None` without a null.
    pub reference: Option<Reference>,
    /// Number of simulated replicates.
    pub replicates: u64,
    /// Expectation of centred pMSE.
    pub mean: Option<f64>,
    /// Its standard deviation.
    pub sd: Option<f64>,
    /// (centred pMSE - mean) / sd.
    pub z: Option<f64>,
}

/// One column by itself.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnEvaluation {
    /// Its name.
    pub name: String,
    /// pMSE of the discriminator that sees this column only.
    pub pmse: f64,
    /// pMAE of the same discriminator.
    pub pmae: f64,
    /// Total variation distance to the real column.
    pub tvd: f64,
}

/// One pair of columns.
#[derive(Debug, Clone, Serialize)]
pub struct PairEvaluation {
    /// The first column.
    pub a: String,
    /// The second column.
    pub b: String,
    /// pMSE of the discriminator that sees these two only.
    pub pmse: f64,
    /// Total variation distance of both columns together.
    pub tvd: f64,
}

/// A table with the real columns and no dependence, which a synthetic table must beat.
#[derive(Debug, Clone, Serialize)]
pub struct Control {
    /// pMSE of the discriminator.
    pub pmse: f64,
    /// pMAE of the same discriminator.
    pub pmae: f64,
    /// Mean total variation distance over sets of one, two and three columns.
    pub distances: MeanDistances,
    /// The two-way distance of `distances`, under its older name.
    pub mean_pair_tvd: Option<f64>,
    /// The pMSE of the best tree of depth 2.
    pub optimal_depth_2: DepthTwoTree,
    /// Power of resampled trees to tell it from the real table.
    pub resampled: ResampledTrees,
}

/// The best tree of depth 2 over 32 synthetic quantiles per column.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DepthTwoTree {
    /// Its pMSE.
    pub pmse: f64,
}
