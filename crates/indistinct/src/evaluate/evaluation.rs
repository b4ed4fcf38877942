//! The evaluation of synthetic tables against the real one.

use crate::discriminator::cart::{CartParams, Workspace};
use crate::discriminator::optimal::{self, OptimalParams};
use crate::discriminator::{StackError, Stacked, check_comparable};
use crate::evaluate::distances::{Counts, Distances, MeanDistances};
use crate::evaluate::predict::{PredictError, PredictOptions, Prediction, TREES, predict};
use crate::quality::Distinguishability;
use crate::quality::null::{NullExpectation, Reference};
use crate::random::Seed;
use crate::table::{Column, ColumnType, Table};
use rayon::prelude::*;
use serde::Serialize;

use super::choice::control_order;
use super::judge::{Discriminator, JudgeError, PreparedDiscriminator};
use super::null::{self, Null, NullError};
use super::sample::{SampleSize, TableSample};
use crate::progress::Progress;
use crate::word::Word;

/// Options of an evaluation.
#[derive(Debug, Clone)]
pub struct EvaluationOptions {
    /// The discriminator.
    pub discriminator: Discriminator,
    /// The kind of null distribution.
    pub null: Null,
    /// The reference of S_pMSE; `None` for the discriminator's default.
    pub reference: Option<Reference>,
    /// Number of simulations of the null.
    pub replicates: u64,
    /// The seed of random numbers.
    pub seed: Seed,
    /// A column to predict, if there is one.
    pub predict: Option<PredictColumn>,
    /// The most rows of each table on which trees are grown and three columns counted.
    pub sample: SampleSize,
}

/// Replicates of a null by default.
pub const REPLICATES: u64 = 50;

impl Default for EvaluationOptions {
    /// rpart's greedy tree with its own settings, beside a permutation null.
    fn default() -> Self {
        Self {
            discriminator: Discriminator::Cart(CartParams::default()),
            null: Null::Permutation,
            reference: None,
            replicates: REPLICATES,
            seed: Seed(1),
            predict: None,
            sample: SampleSize::default(),
        }
    }
}

/// A column that forests predict from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictColumn {
    /// Its name.
    pub name: String,
    /// Whether a schema declares the columns. Without one, whole numbers with few values are taken for codes of
    /// classes.
    pub declared: bool,
}

impl PredictColumn {
    fn options(&self, real: &Table) -> PredictOptions {
        let is_number = |column: &Column| {
            use ColumnType::{Date, DateTime, Float, Integer};
            matches!(column.schema().kind(), Float | Integer | Date { .. } | DateTime { .. })
        };
        let declared_number = self.declared && real.column(&self.name).is_some_and(is_number);
        PredictOptions { column: self.name.clone(), declared_number }
    }
}

impl EvaluationOptions {
    /// Refuses nulls with which S_pMSE would not mean what it says.
    ///
    /// # Errors
    /// When the null, or its reference, does not fit the discriminator.
    pub fn check(&self) -> Result<(), NullError> {
        null::check(self.null, self.reference, &self.discriminator)
    }

    /// The reference of S_pMSE: a correct fitted model for logistic regression, which sees no more than such a
    /// model matches, and another sample for trees and partitions, which see more. `None` without a null.
    pub fn reference(&self) -> Option<Reference> {
        let default = match self.discriminator {
            Discriminator::Logistic(_) => Reference::FittedModel,
            Discriminator::Cart(_) | Discriminator::Optimal(_) | Discriminator::Partition(_) => {
                Reference::Sample
            }
        };
        (self.null != Null::None).then_some(self.reference.unwrap_or(default))
    }
}

/// The reason why there is no evaluation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvaluationError {
    /// The discriminator does not allow this null.
    #[error(transparent)]
    Null(#[from] NullError),
    /// The tables cannot be compared.
    #[error(transparent)]
    Tables(#[from] StackError),
    /// The discriminator cannot judge them.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The column cannot be predicted.
    #[error(transparent)]
    Predict(#[from] PredictError),
    /// The work was stopped, by [`Progress::stopped`].
    #[error("stopped")]
    Stopped,
}

/// Evaluations of all synthetic tables, and their mean.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    /// One evaluation for each table, in the order given.
    pub tables: Vec<TableEvaluation>,
    /// Means over the tables.
    pub mean: MeanEvaluation,
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
    /// How well forests predict the named column.
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
    /// Total variation distance ([`Distances`]).
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
}

/// The best tree of depth 2 over 32 synthetic quantiles per column.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DepthTwoTree {
    /// Its pMSE.
    pub pmse: f64,
}

/// How well the discriminator tells one synthetic table from the real one: the headline numbers of [`evaluate`],
/// without the rest.
///
/// # Errors
/// When the tables cannot be compared, or the discriminator cannot judge them.
pub fn distinguishability(
    real: &Table,
    synthetic: &Table,
    discriminator: &Discriminator,
) -> Result<Distinguishability, EvaluationError> {
    let stacked = Stacked::new(real, synthetic)?;
    Ok(PreparedDiscriminator::new(discriminator, &stacked).whole()?.distinguishability)
}

/// Evaluates synthetic tables, given with their names.
///
/// # Errors
/// When tables cannot be compared, the discriminator cannot judge them, or the work is stopped.
pub fn evaluate(
    real: &Table,
    synthetic: &[(String, Table)],
    options: &EvaluationOptions,
    progress: &dyn Progress,
) -> Result<Evaluation, EvaluationError> {
    options.check()?;
    for (_, table) in synthetic {
        check_comparable(real, table)?;
    }
    let real_sample = options.sample.of_real(real, options.seed);
    let pairs = synthetic.iter().enumerate().map(|(place, (file, table))| {
        let sample = options.sample.of_synthetic(table, place, options.seed);
        let stacked = Stacked::new(real_sample.table(), sample.table())?;
        Ok(TablePair {
            file,
            real,
            synthetic: table,
            real_rows: real_sample.rows(),
            synthetic_rows: sample.into_rows(),
            stacked,
        })
    });
    let pairs = pairs.collect::<Result<Vec<_>, StackError>>()?;
    let q = real.columns().len();
    let judged = (q + q * (q - 1) / 2) as u64;
    let simulated = matches!(options.null, Null::Permutation | Null::Bootstrap);
    let replicates = if simulated { options.replicates } else { 0 };
    let sets = Distances::sets(q);
    let predict_options = options.predict.as_ref().map(|column| column.options(real));
    let trees = if predict_options.is_some() { 2 * TREES } else { 0 };
    progress.expect((1 + replicates + judged + sets + trees) * synthetic.len() as u64 + sets + 1);

    // First, because it can fail.
    let predicted = pairs
        .iter()
        .map(|pair| {
            let wanted = predict_options.as_ref();
            wanted.map(|wanted| predict(&pair.stacked, wanted, options.seed, || done(progress))).transpose()
        })
        .collect::<Result<Vec<_>, EvaluationError>>()?;
    let control = control(real, &real_sample, options, progress)?;
    done(progress)?;
    let tables = pairs
        .iter()
        .zip(predicted)
        .map(|(pair, predict)| {
            let found = evaluate_one(pair, options, replicates, &control, progress)?;
            Ok(TableEvaluation { predict, ..found })
        })
        .collect::<Result<Vec<_>, EvaluationError>>()?;
    let mean =
        |value: fn(&TableEvaluation) -> f64| tables.iter().map(value).sum::<f64>() / tables.len() as f64;
    let s_pmse: Option<Vec<f64>> = tables.iter().map(|table| table.s_pmse).collect();
    let mean = MeanEvaluation {
        pmse: mean(|table| table.pmse),
        pmae: mean(|table| table.pmae),
        s_pmse: s_pmse.map(|values| values.iter().sum::<f64>() / values.len() as f64),
    };
    Ok(Evaluation { tables, mean })
}

/// Reports that one more unit is done, and stops the work if it is no longer wanted.
pub(crate) fn done(progress: &dyn Progress) -> Result<(), EvaluationError> {
    progress.tick();
    wanted(progress)
}

/// Stops the work if it is no longer wanted.
pub(crate) fn wanted(progress: &dyn Progress) -> Result<(), EvaluationError> {
    if progress.stopped() { Err(EvaluationError::Stopped) } else { Ok(()) }
}

/// The real table and a synthetic one, with the rows of their samples.
struct TablePair<'a> {
    file: &'a str,
    real: &'a Table,
    synthetic: &'a Table,
    /// The real rows of the sample; `None` if they are all.
    real_rows: Option<&'a [u32]>,
    /// The synthetic rows of the sample; `None` if they are all.
    synthetic_rows: Option<Vec<u32>>,
    /// The samples.
    stacked: Stacked,
}

impl TablePair<'_> {
    fn is_sampled(&self) -> bool {
        self.real_rows.is_some() || self.synthetic_rows.is_some()
    }

    fn sampled_rows(&self) -> Option<SampledRows> {
        let rows = SampledRows { real: self.stacked.real_rows(), synthetic: self.stacked.synthetic_rows() };
        self.is_sampled().then_some(rows)
    }
}

fn evaluate_one(
    pair: &TablePair,
    options: &EvaluationOptions,
    replicates: u64,
    control: &Control,
    progress: &dyn Progress,
) -> Result<TableEvaluation, EvaluationError> {
    let stacked = &pair.stacked;
    let judge = PreparedDiscriminator::new(&options.discriminator, stacked);
    let whole = judge.whole()?;
    done(progress)?;
    let found = whole.distinguishability;
    let share = stacked.synthetic_rows() as f64 / stacked.rows() as f64;
    let null = match (options.null, options.reference(), whole.coefficients) {
        (Null::Analytic, Some(reference), Some(k)) => {
            Some(NullExpectation::analytic(reference, k, stacked.real_rows(), stacked.synthetic_rows()))
        }
        (kind @ (Null::Permutation | Null::Bootstrap), Some(reference), _) => {
            let work = (replicates, options.seed);
            let centred = null::replicates(kind, &options.discriminator, stacked, &judge, work, progress)?;
            NullExpectation::of_simulations(&centred).map(|null| null.relative_to(reference, share))
        }
        _ => None,
    };
    let distances = Distances::of_tables(pair.real, pair.synthetic)?;
    let columns = (0..stacked.names().len())
        .into_par_iter()
        .map_init(<(Workspace, Counts)>::default, |(workspace, counts), column| {
            let found = judge.columns(&[column], workspace)?.distinguishability;
            done(progress)?;
            let (name, tvd) = (stacked.names()[column].clone(), distances.column(column, counts));
            Ok(ColumnEvaluation { name, pmse: found.pmse, pmae: found.pmae, tvd })
        })
        .collect::<Result<_, EvaluationError>>()?;
    let pairs: Vec<PairEvaluation> = pairs(stacked)
        .into_par_iter()
        .map_init(<(Workspace, Counts)>::default, |(workspace, counts), (a, b)| {
            let found = judge.columns(&[a, b], workspace)?.distinguishability;
            done(progress)?;
            let name = |column: usize| stacked.names()[column].clone();
            Ok(PairEvaluation { a: name(a), b: name(b), pmse: found.pmse, tvd: distances.pair(a, b, counts) })
        })
        .collect::<Result<_, EvaluationError>>()?;
    let sample = pair.is_sampled().then(|| distances.of_rows(pair.real_rows, pair.synthetic_rows.as_deref()));
    let distances = distances.means(sample.as_ref().unwrap_or(&distances), || done(progress))?;
    Ok(TableEvaluation {
        file: pair.file.to_owned(),
        pmse: found.pmse,
        pmae: found.pmae,
        pmse_centred: found.pmse_centred,
        s_pmse: null.and_then(|null| null.ratio(found.pmse_centred)),
        null: NullSummary {
            kind: options.null.word(),
            reference: options.reference(),
            replicates,
            mean: null.map(|null| null.mean),
            sd: null.map(|null| null.sd),
            z: null.and_then(|null| null.standardised(found.pmse_centred)),
        },
        leaves: whole.leaves,
        coefficients: whole.coefficients,
        n_real: pair.real.rows(),
        n_synthetic: pair.synthetic.rows(),
        distances,
        mean_pair_tvd: distances.two_way,
        optimal_depth_2: second_look(stacked),
        columns,
        pairs,
        predict: None,
        sampled: pair.sampled_rows(),
        independent_control: control.clone(),
    })
}

/// The control, which takes as much memory as an evaluation, and frees it.
fn control(
    real: &Table,
    sample: &TableSample,
    options: &EvaluationOptions,
    progress: &dyn Progress,
) -> Result<Control, EvaluationError> {
    let stacked = Stacked::new(sample.table(), &shuffle_columns(sample.table(), options.seed))?;
    let found = PreparedDiscriminator::new(&options.discriminator, &stacked).whole()?.distinguishability;
    let distances = Distances::of_tables(real, real)?;
    let of_sample =
        sample.rows().map(|rows| distances.of_rows(Some(rows), Some(rows)).shuffled(options.seed));
    let distances = distances.shuffled(options.seed);
    let distances = distances.means(of_sample.as_ref().unwrap_or(&distances), || done(progress))?;
    Ok(Control {
        pmse: found.pmse,
        pmae: found.pmae,
        distances,
        mean_pair_tvd: distances.two_way,
        optimal_depth_2: second_look(&stacked),
    })
}

fn second_look(stacked: &Stacked) -> DepthTwoTree {
    DepthTwoTree { pmse: optimal::fit(stacked, &OptimalParams::default()).tree.distinguishability().pmse }
}

fn pairs(stacked: &Stacked) -> Vec<(usize, usize)> {
    let q = stacked.names().len();
    (0..q).flat_map(|a| (a + 1..q).map(move |b| (a, b))).collect()
}

/// The table with every column shuffled independently: the same margins, no dependence.
pub fn shuffle_columns(table: &Table, seed: Seed) -> Table {
    table.rearrange_columns(|position| control_order(table.rows(), position, seed))
}
