//! From a private table of any columns to models, with a budget that is divided by public quantities.

use std::cell::RefCell;
use std::num::NonZeroU64;

use super::error::MixedError;
use super::model::{MeasuredTable, MixedModel};
use super::plan::{Look, MixedPlan, moved};
use super::rules;
use crate::dependence::{CodedRows, PairTables, Products, Setting, run_rounds};
use crate::grid::Codes;
use crate::margin::{self, Margin, MeasuredMargin, SharedBudget};
use crate::pool::{ClassRules, Classes, Copula, Pool, RowRules, repair, start};
use crate::privacy::{
    Budget, Neighbours, Randomness, SCORE_STEP, Score, Sensitivity, StepError, discrete_laplace,
};
use crate::private::{CodedColumn, ColumnShape, Passes, PrivateSource, Task};
use crate::progress::{Progress, done};
use crate::random::Generator;
use crate::table::Schema;
use crate::terms::{Terms, TermsError};

/// The results of a run, all of them paid for by `budget`.
#[derive(Debug)]
pub struct MixedReleased {
    /// One model for each draw.
    pub models: Vec<MixedModel>,
    /// The noisy quality of the first draw, if it was requested.
    pub score: Option<Score>,
    /// The budget, with all that was spent.
    pub budget: Budget,
    /// Columns without declared limits that are not reliable, by the search for their limits.
    pub doubtful: Vec<DoubtfulColumn>,
}

/// A column whose limits were searched for, and that is not reliable: by released choices and public quantities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubtfulColumn {
    /// Its name.
    pub column: String,
    /// The reason.
    pub because: DoubtfulBecause,
}

/// The reason why a column whose limits were searched for is not reliable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtfulBecause {
    /// The search ran out of budget before it had found how narrow the column is.
    CutShort,
    /// The search left so little that the counts are mostly noise.
    MostlyNoise,
}

/// Finds the models of a table whose number of rows is public, as many as planned, and the quality score if
/// planned.
///
/// # Guarantee
/// Everything that looks at rows is charged to the returned budget; its guarantee is that of the release.
/// Synthetic tables made from the models are post-processing.
///
/// # Errors
/// When the budget does not allow a step, or the plan is for a table whose number of rows is private; nothing is
/// then released.
pub fn release(
    source: &dyn PrivateSource,
    plan: &MixedPlan,
    randomness: Randomness,
    progress: &dyn Progress,
) -> Result<MixedReleased, MixedError> {
    if plan.terms().neighbours == Neighbours::AddRemove {
        return Err(MixedError::RowsArePrivate);
    }
    let passes = Passes::new(source, shapes(plan.schema()), plan.rows());
    drawn(&passes, plan, plan.budget(randomness), progress)
}

/// Counts the rows of a table whose number is private, with noise, makes a plan by that count, and finds the
/// models; returns them with the plan.
///
/// # Guarantee
/// That of [`release`]. The number of rows is seen through a charged count only, and everything else, refusals
/// too, follows from that.
///
/// # Errors
/// When the noisy count makes the budget hopeless, or when the budget does not allow a step: what was spent is
/// spent.
pub fn release_counted(
    source: &dyn PrivateSource,
    terms: Terms,
    schema: &Schema,
    randomness: Randomness,
    progress: &dyn Progress,
) -> Result<(MixedPlan, MixedReleased), MixedError> {
    let (rows_per_person, _) = terms.check_mixed(schema)?;
    let mut budget = terms.budget(rows_per_person, randomness);
    let passes = Passes::counted(source, shapes(schema), &mut budget, terms.counting_share())?;
    let plan = terms.plan_mixed(passes.rows(), schema).map_err(|error| match error {
        MixedError::Terms(TermsError::TooFewRows(rows)) => TermsError::TooFewCounted(rows).into(),
        other => other,
    })?;
    let released = drawn(&passes, &plan, budget, progress)?;
    Ok((plan, released))
}

/// Public facts about the columns of a schema.
fn shapes(schema: &Schema) -> Vec<ColumnShape> {
    schema.columns().iter().map(ColumnShape::new).collect()
}

/// Carries out the plan.
fn drawn(
    passes: &Passes<'_>,
    plan: &MixedPlan,
    mut budget: Budget,
    progress: &dyn Progress,
) -> Result<MixedReleased, MixedError> {
    let mut models = Vec::new();
    let mut score = None;
    let mut doubtful: Vec<DoubtfulColumn> = Vec::new();
    for draw in 0..plan.terms().draws {
        let mut random = budget.public_stream(u64::from(draw));
        let fitted = fit(passes, plan, &mut budget, &mut random, progress)?;
        if draw == 0 && !plan.terms().score_epsilon.is_zero() {
            score = Some(fitted.score(plan, &mut budget)?);
        }
        models.push(fitted.model);
        for column in fitted.doubtful {
            if !doubtful.contains(&column) {
                doubtful.push(column);
            }
        }
    }
    Ok(MixedReleased { models, score, budget, doubtful })
}

/// A model with the data it was fitted to.
struct Fitted<'a> {
    model: MixedModel,
    classes: Vec<Classes>,
    rows: CodedRows<'a>,
    doubtful: Vec<DoubtfulColumn>,
}

fn fit<'a>(
    passes: &'a Passes<'a>,
    plan: &MixedPlan,
    budget: &mut Budget,
    random: &mut Generator,
    progress: &dyn Progress,
) -> Result<Fitted<'a>, StepError> {
    let mut margins: Vec<Margin> = Vec::with_capacity(passes.columns());
    let mut doubtful = Vec::new();
    for (column, measured) in measured_margins(passes, plan, budget, progress)?.into_iter().enumerate() {
        doubtful.extend(plan.doubt(column, &measured));
        let margin = measured.margin;
        margins.push(if rules::asks_if_missing(plan.schema(), column) {
            margin.with_possible_missing()
        } else {
            margin
        });
    }
    let block = plan.block();
    let products = Products::measure(passes, &margins, block, &plan.predictors, budget, plan.scores_share())?;
    done(progress)?;

    let classes: Vec<Classes> = margins
        .iter()
        .enumerate()
        .map(|(column, margin)| {
            Classes::new(margin, block.contains(&column), &rules::cuts(plan.schema(), column, margin))
        })
        .collect();
    let there = |column: usize| 1.0 - margins[column].missing();
    // Nothing is known yet of which values are missing together.
    let factor = products.factor(&|first, second| there(first) * there(second));
    let mut pool = start(&classes, block, &factor, plan.pool_rows(), random);
    let codes: Vec<&Codes> = classes.iter().map(Classes::codes).collect();
    let class_rules = ClassRules::new(&RowRules::new(plan.schema(), &margins), &margins, &codes);
    // Rows that cannot be repaired are left out when values are filled in.
    repair(&mut pool, &codes, &class_rules, random);
    let coded = classes
        .iter()
        .enumerate()
        .map(|(column, classes)| CodedColumn::new(column, margins[column].grid(), classes.codes(), true));
    let rows = CodedRows { passes, columns: coded.collect() };
    let copula = Copula::new(&margins, &codes, block, &factor);
    let setting = Setting {
        names: plan.names(),
        classes: &classes,
        predictors: &plan.predictors,
        focus: plan.focus(),
        copula: &copula,
        rules: &class_rules,
        products: &products.targets(&margins, &classes),
        rows: passes.rows(),
    };
    let measured = run_rounds(&rows, &setting, &mut pool, plan.rounds(), budget, random, progress)?;
    // Now the pool tells which values are missing together.
    let both = |first: usize, second: usize| both_present(&pool, &classes, first, second);
    let factor = products.factor(&both);
    done(progress)?;

    let name = |&column: &usize| plan.names()[column].clone();
    let tables = measured.iter().map(|table| MeasuredTable {
        columns: table.columns.iter().map(name).collect(),
        cells: table.cells,
        noise_sd: table.noise_sd,
    });
    let model = MixedModel {
        classes: classes.iter().map(|classes| classes.codes().starts().to_vec()).collect(),
        block: block.to_vec(),
        factor,
        tables: tables.collect(),
        pool: pool.sorted(),
        margins,
    };
    Ok(Fitted { model, classes, rows, doubtful })
}

/// Measures the margins of all columns, with passes that they share.
fn measured_margins(
    passes: &Passes<'_>,
    plan: &MixedPlan,
    budget: &mut Budget,
    progress: &dyn Progress,
) -> Result<Vec<MeasuredMargin>, StepError> {
    let budget: SharedBudget<'_> = RefCell::new(budget);
    let task = |(column, facts)| -> Task<'_, MeasuredMargin> {
        let (share, budget) = (plan.margin_share(column), &budget);
        Box::pin(async move {
            let measured = margin::measure_and_tell(passes, column, facts, budget, share).await?;
            done(progress)?;
            Ok(measured)
        })
    };
    passes.together(plan.facts.iter().enumerate().map(task).collect())
}

/// The share of the pool's rows in which neither of two columns is missing.
fn both_present(pool: &Pool, classes: &[Classes], first: usize, second: usize) -> f64 {
    let values = |column: usize| classes[column].codes().starts().len();
    let (of_first, of_second) = (values(first), values(second));
    let there = pool.column(first).zip(pool.column(second));
    let both = there.filter(|&(a, b)| usize::from(a) < of_first && usize::from(b) < of_second).count();
    both as f64 / pool.rows() as f64
}

impl MixedPlan {
    /// The reason why a column that was searched for is not reliable, if it is not.
    fn doubt(&self, column: usize, measured: &MeasuredMargin) -> Option<DoubtfulColumn> {
        let noise = moved(measured.noise_sd, self.cells(column), self.rows() as f64);
        let because = match Look::of(noise) {
            _ if measured.is_cut_short => DoubtfulBecause::CutShort,
            Look::MostlyNoise | Look::NothingButNoise if measured.is_searched => DoubtfulBecause::MostlyNoise,
            _ => return None,
        };
        Some(DoubtfulColumn { column: self.names()[column].clone(), because })
    }
}

impl Fitted<'_> {
    /// The mean pMAE of the tables of all pairs that may depend, with exact noise; only noise where there are
    /// none.
    ///
    /// # Guarantee
    /// N n * TV moves by at most N in every pair (`proofs/pmae_sensitivity.md`), so that their sum moves by at
    /// most N times the number of pairs.
    fn score(&self, plan: &MixedPlan, budget: &mut Budget) -> Result<Score, StepError> {
        let rows = plan.rows();
        let pairs = PairTables::new(&self.classes, &plan.predictors);
        let pool = &self.model.pool;
        let scale = pool.rows() as u64 * pairs.count().max(1) as u64;
        let sensitivity = Sensitivity::pmae(NonZeroU64::new(scale).unwrap_or(NonZeroU64::MIN));
        let epsilon = budget.worth(plan.terms().score_epsilon).pure_epsilon();
        let charge = budget.charge(SCORE_STEP, epsilon, sensitivity.released())?;
        let units = charge.bound().units().get() as f64 / charge.epsilon().to_f64();
        let noisy = discrete_laplace(charge, pairs.distance(pool, &self.rows)?)?;
        let unit = 1.0 / (2.0 * rows as f64 * scale as f64);
        Ok(Score { value: noisy as f64 * unit, epsilon, scale: units * unit })
    }
}
