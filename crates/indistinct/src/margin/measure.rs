//! Measurement of a margin: find the rows, count them, and make a distribution of the counts.
//!
//! Everything but the noisy counts is post-processing and costs nothing.

use std::cell::RefCell;
use std::num::NonZeroU64;

use super::discover::{self, DISCOVER, FEW};
use super::family;
use super::heaps::telling;
use super::merge::{Piece, merge};
use super::simplex::project;
use super::smooth::smoothed;
use super::tilt::tilted;
use super::{Margin, range, whole_share};
use crate::grid::{Axis, ColumnFacts, Comb, Grid, Run, combs};
use crate::privacy::StepError;
use crate::privacy::{Budget, CountsCharge, Sensitivity, noisy_counts};
use crate::private::{CountQuery, Passes, PrivateTable};
use crate::table::{ColumnSchema, ColumnType, Family};

/// Share of a column's budget for the roundness of its values.
const ROUND: f64 = 0.05;
/// Excess of contrasts of measured cells over what chance explains.
const MEASURED: f64 = 0.3;
/// Standard deviations of noise below which a cell counts as empty.
const EMPTY: f64 = 1.5;
/// Standard deviations of noise below which there are no missing values: a column without any should not be given
/// some.
const NO_MISSING: f64 = 3.0;
/// Assumed cells of a column of numbers, and the most for any column.
const MOST_ASSUMED_CELLS: usize = 30;
/// Mean count of a position, in standard deviations of noise, from which all positions are counted at once:
/// nothing needs to be searched for then.
const PLAIN: f64 = 20.0;
/// Least noise in computations: budgets without noise do not exist, but must not divide by zero.
const LEAST_SD: f64 = 1e-6;

/// A budget to which several columns are charged in turn.
pub(crate) type SharedBudget<'a> = RefCell<&'a mut Budget>;

/// Measures the margin of a column with a share of the whole budget.
///
/// Levels are counted once, and so are numbers with few declared values. For other numbers the range is found
/// first, unless both ends are declared; then, with 40 % of the rest, the rows, by cells that are divided level
/// by level wherever they exceed the noise, down to single values; cells that do not differ are joined. With what
/// remains the cells that were found are counted. If a family is declared its law is fitted to them; atoms and
/// missing values keep their measured masses.
///
/// # Guarantee
/// Discrete noise on the counts of one partition at a time (`proofs/counts_sensitivity.md`), each fixed by what was
/// released before, and the charged choices of the range (`proofs/interval_search.md`); the rest is post-processing.
/// What is spent is at most the share, and nothing but charged outputs decides how much. The number of rows is taken for
/// public, so that budgets for rows that are added or removed are refused.
///
/// # Errors
/// When the budget does not allow it.
pub fn measure(
    table: &PrivateTable,
    column: usize,
    facts: &ColumnFacts,
    budget: &mut Budget,
    share: f64,
) -> Result<Margin, StepError> {
    let passes = Passes::of_table(table);
    budget.refuse_private_number_of_rows(passes.name(column))?;
    let budget = RefCell::new(budget);
    let task = Box::pin(measure_and_tell(&passes, column, facts, &budget, share));
    Ok(passes.together(vec![task])?.remove(0).margin)
}

/// A margin, and facts about its measurement: from released choices and public quantities, so that they may be
/// shown.
pub(crate) struct MeasuredMargin {
    pub(crate) margin: Margin,
    /// The standard deviation of the noise of each of its counts.
    pub(crate) noise_sd: f64,
    /// Whether its range was searched for.
    pub(crate) is_searched: bool,
    /// Whether the search for its range ran out of budget before it had found how narrow the column is.
    pub(crate) is_cut_short: bool,
}

/// Measures the margin of a column, and returns it with facts about the measurement. Margins of several columns are
/// measured [together](Passes::together).
///
/// # Guarantee
/// That of [`measure`].
///
/// # Errors
/// Those of [`measure`].
pub(crate) async fn measure_and_tell(
    table: &Passes<'_>,
    column: usize,
    facts: &ColumnFacts,
    budget: &SharedBudget<'_>,
    share: f64,
) -> Result<MeasuredMargin, StepError> {
    let rows = table.rows() as f64;
    if let Some(levels) = table.levels(column) {
        let grid = Grid::levels(levels);
        let (charge, sd) = charge(budget, table.name(column), "counts", share)?;
        let starts: Vec<usize> = (0..=grid.len()).collect();
        let counts = table.ask(CountQuery::cells(column, &Axis::new(&grid, None), &starts)).await;
        let noisy = noisy_counts(charge, &counts)?;
        let cells = starts.iter().zip(noisy);
        let pieces: Vec<Piece> =
            cells.map(|(&start, rows)| Piece::new(start, 1, rows as f64, sd * sd, true)).collect();
        let runs = distribution(&Axis::new(&grid, None), &pieces, rows, 0.0);
        return Ok(MeasuredMargin {
            margin: runs.on(grid),
            noise_sd: sd,
            is_searched: false,
            is_cut_short: false,
        });
    }
    let facts = &facts.with_implied();
    let range::FoundRange { grid, share: spent, is_cut_short } =
        range::find(table, column, facts, budget, share).await?;
    let share = share - spent;
    let noise = budget.borrow().counts_noise_sd(share, &Sensitivity::counts(NonZeroU64::MIN));
    let shares = NumberShares::of(facts, share, rows / noise);
    // Charged first, so that its noise is known: what is looked for may depend on that.
    let (charge, sd) = charge(budget, table.name(column), "counts", shares.counts)?;
    let is_long = shares.round > 0.0 && grid.len() > FEW;
    let combs = if is_long { combs(&grid) } else { Vec::new() };
    // What is not needed for heaps goes to the search.
    let search = if combs.is_empty() { shares.search + shares.round } else { shares.search };
    let heaps = heaps_of(table, column, &grid, &combs, budget, shares.round).await?;
    let axis = Axis::new(&grid, heaps);
    let tree = if search > 0.0 {
        Some(discover::tree(table, column, &axis, budget, search, sd).await?)
    } else {
        None
    };
    let every = || (0..=axis.len()).map(|position| (position, 1)).collect();
    let cells = tree.as_ref().map_or_else(every, |tree| discover::cells(tree, &axis, rows, sd));
    let starts: Vec<usize> = cells.iter().map(|(first, _)| *first).collect();
    let noisy = noisy_counts(charge, &table.ask(CountQuery::cells(column, &axis, &starts)).await)?;
    let combine = |(&(first, length), noisy): (&(usize, usize), i64)| {
        let before = tree.as_ref().map(|tree| tree.interval(first, length));
        let (found, variance) = before.unwrap_or((0.0, f64::INFINITY));
        let precision = 1.0 / (sd * sd) + 1.0 / variance;
        let rows = (noisy as f64 / (sd * sd) + found / variance) / precision;
        Piece::new(first, length, rows, 1.0 / precision, axis.stands_alone(first))
    };
    let measured: Vec<Piece> = cells.iter().zip(noisy).map(combine).collect();
    let margin = distribution(&axis, &measured, rows, EMPTY).on(grid);
    let margin = family::fitted(margin, &measured, rows, facts);
    Ok(MeasuredMargin { margin, noise_sd: sd, is_searched: spent > 0.0, is_cut_short })
}

/// The division of a numeric column's share, after its range was found.
struct NumberShares {
    round: f64,
    search: f64,
    counts: f64,
}

impl NumberShares {
    /// The division, where `signal` is the number of rows over the standard deviation of the noise if the whole
    /// share counts them.
    fn of(facts: &ColumnFacts, share: f64, signal: f64) -> Self {
        let is_plain = |positions: f64| positions <= FEW as f64 && signal >= PLAIN * positions;
        if positions(facts).is_some_and(is_plain) {
            return Self { round: 0.0, search: 0.0, counts: share };
        }
        let heaped = facts.step.is_some() && facts.family == Family::Histogram;
        let round = if heaped { share * ROUND } else { 0.0 };
        let found = share - round;
        Self { round, search: found * DISCOVER, counts: found * (1.0 - DISCOVER) }
    }
}

/// Number of declared possible values; `None` if that is not declared.
fn positions(facts: &ColumnFacts) -> Option<f64> {
    let step = facts.step.filter(|step| *step > 0.0 && step.is_finite())?;
    let (low, high) = facts.minimum.zip(facts.maximum)?;
    Some(((high - low) / step).max(0.0) + 1.0 + facts.atoms.len() as f64)
}

/// The part of a column's share with which its cells are finally counted, where `signal` is the number of rows
/// over the standard deviation of the noise of the whole share; for levels all of it.
pub(crate) fn counted_share(column: &ColumnSchema, signal: f64) -> f64 {
    let is_levels = matches!(column.kind(), ColumnType::Boolean { .. }) || column.kind().levels().is_some();
    if is_levels {
        1.0
    } else {
        let facts = ColumnFacts::of_column(column).with_implied();
        let is_declared = facts.minimum.is_some() && facts.maximum.is_some();
        let left = if is_declared { 1.0 } else { 1.0 - range::USUAL_RANGE };
        NumberShares::of(&facts, left, signal).counts
    }
}

/// Approximate number of cells of a column's margin, by what is declared: levels, or the cells of a column of
/// numbers.
pub(crate) fn cells(column: &ColumnSchema) -> usize {
    if matches!(column.kind(), ColumnType::Boolean { .. }) {
        return 2;
    }
    let numbers = positions(&ColumnFacts::of_column(column).with_implied());
    let numbers = numbers.map_or(MOST_ASSUMED_CELLS, |positions| positions as usize);
    column.kind().levels().map_or(numbers, |levels| levels.len()).clamp(2, MOST_ASSUMED_CELLS)
}

/// The heaps of a lattice, if rows are rounder than its values are.
async fn heaps_of(
    table: &Passes<'_>,
    column: usize,
    grid: &Grid,
    combs: &[Comb],
    budget: &SharedBudget<'_>,
    share: f64,
) -> Result<Option<Comb>, StepError> {
    if combs.is_empty() {
        return Ok(None);
    }
    let (charge, sd) = charge(budget, table.name(column), "roundness", share)?;
    let noisy = noisy_counts(charge, &table.ask(CountQuery::roundness(column, grid, combs)).await)?;
    Ok(telling(combs, &noisy, sd))
}

/// Pays for the counts of one partition; returns the charge with the standard deviation of the noise.
pub(super) fn charge(
    budget: &SharedBudget<'_>,
    column: &str,
    what: &str,
    share: f64,
) -> Result<(CountsCharge, f64), StepError> {
    let step = format!("{what} of {column}");
    let mut budget = budget.borrow_mut();
    let cost = budget.portion(whole_share(share));
    let charge = budget.charge_counts(step, cost, Sensitivity::counts(NonZeroU64::MIN))?;
    let sd = charge.noise_sd().max(LEAST_SD);
    Ok((charge, sd))
}

/// Runs of a grid, and the probability of missing values.
struct Distribution {
    runs: Vec<Run>,
    missing: f64,
}

impl Distribution {
    fn on(self, grid: Grid) -> Margin {
        Margin::of_masses(grid, self.runs, self.missing)
    }
}

/// The distribution of measured cells: neighbours that do not differ are joined, none is below zero, cells that
/// noise explains are empty, and the density is smooth where that explains the cells better than steps do.
fn distribution(axis: &Axis<'_>, measured: &[Piece], rows: f64, empty: f64) -> Distribution {
    // Heaps have no neighbours among the others.
    let (heaps, others) = measured.split_at(measured.partition_point(|piece| piece.first < axis.heaps()));
    let pieces: Vec<Piece> =
        [heaps, others].into_iter().flat_map(|pieces| merge(pieces, MEASURED, usize::MAX)).collect();
    let counts: Vec<f64> = pieces.iter().map(|piece| piece.rows).collect();
    let variances: Vec<f64> = pieces.iter().map(|piece| piece.variance).collect();
    let first = project(&counts, &variances, rows);
    let kept = |place: usize| {
        let least = if pieces[place].first == axis.len() { NO_MISSING } else { empty };
        first[place] > least * variances[place].sqrt()
    };
    let kept: Vec<usize> = (0..pieces.len()).filter(|&place| kept(place)).collect();
    let pick = |from: &[f64]| -> Vec<f64> { kept.iter().map(|&place| from[place]).collect() };
    let masses = project(&pick(&counts), &pick(&variances), rows);
    let mut runs: Vec<Run> = pieces.iter().map(|piece| Run::even(piece.first, piece.length, 0.0)).collect();
    for (&place, mass) in kept.iter().zip(masses) {
        runs[place].mass = mass;
    }
    let missing = match runs.last() {
        Some(last) if last.first == axis.len() => last.mass,
        _ => 0.0,
    };
    runs.retain(|run| run.first < axis.len());
    let alone = |run: &Run| axis.is_levels() || axis.stands_alone(run.first);
    let noise: Vec<f64> = variances.iter().map(|variance| variance.sqrt()).collect();
    let smooth = |steps: &[Run], noise: &[f64]| {
        let (runs, noise) = smoothed(steps, noise, measured, alone);
        tilted(&runs, &noise, alone)
    };
    let heaps = runs.partition_point(|run| run.first < axis.heaps());
    let parts = [smooth(&runs[..heaps], &noise[..heaps]), smooth(&runs[heaps..], &noise[heaps..])];
    let runs = axis.runs(&parts.concat());
    let present: f64 = runs.iter().map(|run| run.mass).sum();
    let missing = if missing + present > 0.0 { missing / (missing + present) } else { 0.0 };
    Distribution { runs, missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_declared_values_are_counted_at_once() {
        let facts = |step: f64, minimum: f64, maximum: f64| ColumnFacts {
            step: Some(step),
            minimum: Some(minimum),
            maximum: Some(maximum),
            ..ColumnFacts::default()
        };
        let years = facts(1.0, 1.0, 16.0);
        assert_eq!(positions(&years), Some(16.0));
        assert_eq!(positions(&facts(1.0, 5.0, 2.0)), Some(1.0), "one is left of limits that make no sense");
        assert_eq!(positions(&ColumnFacts { maximum: None, ..years.clone() }), None);
        for step in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(positions(&facts(step, 1.0, 16.0)), None, "{step}");
        }
        let counted = |facts: &ColumnFacts, signal: f64| NumberShares::of(facts, 1.0, signal).counts;
        assert_eq!((counted(&years, 320.0), counted(&years, f64::INFINITY)), (1.0, 1.0));
        assert!(counted(&years, 319.0) < 0.6, "noise makes it worth looking where the rows are");
        assert!(counted(&facts(1.0, 1.0, 513.0), f64::INFINITY) < 0.6);
    }
}
