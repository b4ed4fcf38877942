//! The evaluation of synthetic tables against the real one.

use rayon::prelude::*;

use super::choice::control_order;
use super::distances::{Counts, Distances};
use super::error::{EvaluationError, done};
use super::judge::{Discriminator, PreparedDiscriminator};
use super::null::{self, Null};
use super::predict::{self, predict};
use super::resampled::{self, ResampledTrees};
use super::results::{
    ColumnEvaluation, Control, DepthTwoTree, Evaluation, MeanEvaluation, NullSummary, PairEvaluation,
    SampledRows, TableEvaluation,
};
use super::sample::TableSample;
use super::settings::EvaluateParams;
use super::verdict::Verdict;
use crate::discriminator::cart::Workspace;
use crate::discriminator::optimal::{self, OptimalParams};
use crate::discriminator::{StackError, Stacked, check_comparable};
use crate::progress::Progress;
use crate::quality::Distinguishability;
use crate::quality::null::NullExpectation;
use crate::random::Seed;
use crate::table::Table;
use crate::word::Word;

/// The power of the discriminator to tell one synthetic table from the real one: the headline numbers of [`evaluate`],
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
    params: &EvaluateParams,
    progress: &dyn Progress,
) -> Result<Evaluation, EvaluationError> {
    params.check()?;
    for (_, table) in synthetic {
        check_comparable(real, table)?;
    }
    let real_sample = params.sample.of_real(real, params.seed);
    let pairs = synthetic.iter().enumerate().map(|(place, (file, table))| {
        let sample = params.sample.of_synthetic(table, place, params.seed);
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
    let simulated = matches!(params.null, Null::Permutation | Null::Bootstrap);
    let replicates = if simulated { params.replicates } else { 0 };
    let sets = Distances::sets(q);
    let predict_options = params.predict.as_ref().map(|column| column.options(real));
    let trees = if predict_options.is_some() { 2 * predict::TREES } else { 0 };
    progress.expect(
        (1 + replicates + judged + sets + trees + resampled::TREES as u64) * synthetic.len() as u64
            + sets
            + resampled::TREES as u64
            + 1,
    );

    // First, because it can fail.
    let predicted = pairs
        .iter()
        .map(|pair| {
            let wanted = predict_options.as_ref();
            wanted.map(|wanted| predict(&pair.stacked, wanted, params.seed, || done(progress))).transpose()
        })
        .collect::<Result<Vec<_>, EvaluationError>>()?;
    let control = control(real, &real_sample, params, progress)?;
    done(progress)?;
    let tables = pairs
        .iter()
        .zip(predicted)
        .map(|(pair, predict)| {
            let found = evaluate_one(pair, params, replicates, &control, progress)?;
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
    let verdict = Verdict::worst(tables.iter().map(|table| &table.verdict));
    Ok(Evaluation { tables, mean, verdict })
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
    params: &EvaluateParams,
    replicates: u64,
    control: &Control,
    progress: &dyn Progress,
) -> Result<TableEvaluation, EvaluationError> {
    let stacked = &pair.stacked;
    let judge = PreparedDiscriminator::new(&params.discriminator, stacked);
    let whole = judge.whole()?;
    done(progress)?;
    let found = whole.distinguishability;
    let share = stacked.synthetic_rows() as f64 / stacked.rows() as f64;
    let null = match (params.null, params.reference(), whole.coefficients) {
        (Null::Analytic, Some(reference), Some(k)) => {
            Some(NullExpectation::analytic(reference, k, stacked.real_rows(), stacked.synthetic_rows()))
        }
        (kind @ (Null::Permutation | Null::Bootstrap), Some(reference), _) => {
            let discriminator = &params.discriminator;
            let centred =
                null::replicates(kind, discriminator, stacked, &judge, replicates, params.seed, progress)?;
            NullExpectation::of_simulations(&centred).map(|null| null.relative_to(reference, share))
        }
        _ => None,
    };
    let distances = Distances::of_tables(pair.real, pair.synthetic)?;
    let columns: Vec<ColumnEvaluation> = (0..stacked.names().len())
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
    let resampled = ResampledTrees::of(stacked, params.seed, || done(progress))?;
    Ok(TableEvaluation {
        file: pair.file.to_owned(),
        verdict: Verdict::new(&resampled, &control.resampled, &distances)
            .with_columns(columns.iter().map(|column| (column.name.as_str(), column.tvd))),
        resampled,
        pmse: found.pmse,
        pmae: found.pmae,
        pmse_centred: found.pmse_centred,
        s_pmse: null.and_then(|null| null.ratio(found.pmse_centred)),
        null: NullSummary {
            kind: params.null.word(),
            reference: params.reference(),
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
    params: &EvaluateParams,
    progress: &dyn Progress,
) -> Result<Control, EvaluationError> {
    let stacked = Stacked::new(sample.table(), &shuffle_columns(sample.table(), params.seed))?;
    let found = PreparedDiscriminator::new(&params.discriminator, &stacked).whole()?.distinguishability;
    let distances = Distances::of_tables(real, real)?;
    let of_sample = sample.rows().map(|rows| distances.of_rows(Some(rows), Some(rows)).shuffled(params.seed));
    let distances = distances.shuffled(params.seed);
    let distances = distances.means(of_sample.as_ref().unwrap_or(&distances), || done(progress))?;
    let resampled = ResampledTrees::of(&stacked, params.seed, || done(progress))?;
    Ok(Control {
        resampled,
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
