//! The range of a column of numbers: as declared, or found privately.

use std::ops::Range;

use super::locate::{self, Search, USUAL};
use super::measure::SharedBudget;
use super::whole_share;
use crate::grid::Point;
use crate::grid::{ColumnFacts, Grid};
use crate::privacy::StepError;
use crate::privacy::{Budget, Cost, Sensitivity, choose};
use crate::private::{CountQuery, Passes};

/// Largest part of a column's share that its range may cost: that of a column very far from zero, if the budget
/// is small. It pays for four stages of the usual cost, so that whole numbers of 64 bits are found: a column that
/// is not found cannot be measured either.
const RANGE: f64 = 0.76;
/// Usual cost of the range.
pub(crate) const USUAL_RANGE: f64 = 0.25;
/// Cost of the radius.
const REACH: f64 = 0.09;
/// Nats that all rows count for in a stage of the search, where affordable: enough for any stage.
const ENOUGH: f64 = 40.0;
/// Largest part of the share that a stage may cost, unless it then has fewer than [`FEW`] nats.
const STAGE: f64 = 0.125;
/// Nats below which a stage may cost up to [`DEAR_STAGE`] of the share.
const FEW: f64 = 18.0;
/// Largest part of the share that a stage with few nats may cost.
const DEAR_STAGE: f64 = 0.18;
/// Least part of the share that a stage costs. The more rows there are, the less is enough: with a hundred million of them
/// so little that it would round to nothing.
const LEAST_STAGE: f64 = 1e-5;
/// Stages after which nothing is left to find.
const MOST_STAGES: usize = 16;
/// Cost of finding out whether enough rows are present to search for, as a part of the cost of a stage.
const PRESENCE: f64 = 0.3;
/// Nats that enough rows count for.
const PRESENT: f64 = 17.0;
/// Part of all rows that is always enough.
const MOST_ROWS: f64 = 0.65;
/// Nats below which there is no search: the radius is one around zero.
const LOCATABLE: f64 = 15.0;
/// Largest probability of failure of a search that is said to find a column.
const FAILURE: f64 = 0.1;
/// Nats by which a radius is less likely than one half as wide with as few rows beyond it.
const DOUBLING: f64 = 1.2;
/// Nats below which a radius around zero is chosen by chance, even if it need reach no further than numbers of
/// two digits: seven doublings, and the nats that tell it from the sixty others that whole numbers may need.
const TWO_DIGITS: f64 = 7.0 * DOUBLING + 4.1;
/// Number of halvings of the found interval's half-width that are tried as radii.
const NARROWER: i32 = 4;

/// A range, and the cost of finding it: by released choices alone.
pub(super) struct FoundRange {
    pub(super) grid: Grid,
    /// Share of the budget: zero if both ends are declared.
    pub(super) share: f64,
    /// Whether the search ran out of budget before it had found how narrow the column is.
    pub(super) is_cut_short: bool,
}

/// The grid of a column's range, and the share that finding it has cost.
///
/// The radius is a power of two chosen so that few rows lie beyond it: each doubling must bring in as many rows
/// as noise could pretend. It is taken around the middle of an interval that holds most rows, which is searched
/// for first, or around zero if too many rows are zero or missing, or the budget is too small to search.
///
/// # Guarantee
/// Choices among public intervals and exponents, each charged: `proofs/interval_search.md`. The number of stages
/// depends on earlier choices only.
///
/// # Errors
/// When the budget does not allow it.
pub(super) async fn find(
    table: &Passes<'_>,
    column: usize,
    facts: &ColumnFacts,
    budget: &SharedBudget<'_>,
    share: f64,
) -> Result<FoundRange, StepError> {
    if let (Some(low), Some(high)) = (facts.minimum, facts.maximum) {
        return Ok(FoundRange { grid: Grid::numbers(facts, low, high), share: 0.0, is_cut_short: false });
    }
    let is_whole = table.is_whole(column);
    let affordable = Affordable::of(&budget.borrow(), share, table.rows() as f64);
    let with_zero = ColumnFacts { atoms: [&facts.atoms[..], &[0.0]].concat(), ..facts.clone() };
    let search = Search { table, column, facts: &with_zero };
    let rows = table.rows() as f64;
    let mut spent = 0.0;
    let mut located = None;
    let is_searched = affordable.is_enough();
    if is_searched {
        let Affordable { magnitude, presence, stages, .. } = &affordable;
        spent = *presence;
        if search.has_rows(budget, *presence, rows * affordable.enough_rows()).await? {
            let (found, used) = search.locate(budget, *magnitude, stages).await?;
            located = Some(found);
            spent += magnitude + stages[..used].iter().sum::<f64>();
        }
    }
    let magnitudes = search.magnitudes();
    let (centre, least, reach) = match located {
        Some(found) => (found.middle, found.exponent - NARROWER, REACH * share),
        None if is_whole => (Point::Whole(0), USUAL.start, USUAL_RANGE * share - spent),
        None => (Point::Real(0.0), USUAL.start, USUAL_RANGE * share - spent),
    };
    let radii = least.max(magnitudes.start - 1)..magnitudes.end.max(least + 1);
    let reach = whole_share(reach);
    let step = format!("range of {}", table.name(column));
    let cost = budget.borrow().portion(reach);
    let charge = budget.borrow_mut().charge_choice(step, cost, Sensitivity::rows_beyond())?;
    // In rows, and at least one.
    let doubling = (DOUBLING / charge.per_unit()).max(1.0);
    let handicap = |exponent: i32| match located {
        Some(_) => doubling * f64::from(exponent - radii.start),
        None => from_zero(exponent, &radii, doubling, rows),
    };
    let beyond = table.ask(CountQuery::beyond(column, facts, centre, &radii)).await;
    let utility = |(exponent, rows): (i32, &i64)| -rows - handicap(exponent).round() as i64;
    let utilities: Vec<i64> = radii.clone().zip(&beyond).map(utility).collect();
    let radius = radii.start + choose(charge, &utilities)? as i32;
    // If reals were not found, most may be zero.
    let is_atom = is_searched && located.is_none() && facts.step.is_none() && !is_whole;
    let facts = if is_atom { &with_zero } else { facts };
    // A search that was cut short may still have come close enough for the radius to show it.
    let is_cut_short =
        located.is_some_and(|found| found.is_cut_short) && radius <= radii.start + NARROWER / 2;
    Ok(FoundRange { grid: grid(facts, centre, radius), share: spent + reach, is_cut_short })
}

/// The search that a share of a budget can afford: by public quantities alone, so that it is known before
/// anything is spent.
struct Affordable {
    /// The share for the magnitude.
    magnitude: f64,
    /// The share for finding out whether enough rows are present.
    presence: f64,
    /// The shares for stages, at least one.
    stages: Vec<f64>,
    /// Nats that all rows count for in the choice of whether they are present; below, in those of magnitude and
    /// stages.
    presence_nats: f64,
    nats: f64,
    stage_nats: Vec<f64>,
}

impl Affordable {
    fn of(budget: &Budget, share: f64, rows: f64) -> Self {
        let sensitivity = Sensitivity::interval_search(Sensitivity::INTERVAL);
        let cost = |nats: f64| budget.choice_share(nats / rows.max(1.0), &sensitivity);
        let nats_with = |share: &f64| nats_of(budget, *share, &sensitivity, rows);
        let enough = cost(ENOUGH);
        let stage =
            enough.max(LEAST_STAGE * share).min((STAGE * share).max(cost(FEW).min(DEAR_STAGE * share)));
        let nats = nats_with(&stage);
        let (presence, stage) = (whole_share(PRESENCE * stage), whole_share(stage));
        let most = ((RANGE - REACH) * share - presence) / stage - 1.0;
        let stages = vec![stage; (most.max(1.0) as usize).min(MOST_STAGES)];
        let presence_nats = nats_of(budget, presence, &Sensitivity::rows_present(), rows);
        let stage_nats = stages.iter().map(nats_with).collect();
        Self { magnitude: stage, presence, stages, presence_nats, nats, stage_nats }
    }

    /// Whether the budget is enough to search.
    fn is_enough(&self) -> bool {
        self.nats >= LOCATABLE
    }

    /// The part of all rows that is enough to search for.
    fn enough_rows(&self) -> f64 {
        (PRESENT / self.nats).min(MOST_ROWS)
    }

    /// Binary digits that are found in at least nine of ten releases, for a column whose rows are all present and
    /// close together. Zero if even the first are found less often.
    fn sure_digits(&self) -> i32 {
        let absent = (-(1.0 - self.enough_rows()) * self.presence_nats).exp();
        let mut failure = absent + locate::magnitude_failure(self.nats);
        let mut digits = 0;
        for (place, &nats) in self.stage_nats.iter().enumerate() {
            failure += locate::stage_failure(nats);
            if failure > FAILURE {
                break;
            }
            digits += if place == 0 { locate::first_digits(nats) } else { locate::later_digits(nats) };
        }
        digits.min(locate::MOST_DIGITS)
    }
}

/// The prospects of finding the range of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeOutlook {
    /// Declared, or not needed as the column has levels.
    Known,
    /// The range is searched for, and found in at least nine of ten releases if the column is at most this many
    /// doublings further from zero than it is wide; zero if it is found less often wherever it is.
    Searched(u32),
    /// The budget is too small to search: only a radius around zero is found.
    AroundZero,
    /// Even a radius around zero would be chance.
    Lost,
}

/// The prospects of finding the range of a column of numbers with a share of a budget, by public quantities.
pub(crate) fn range_outlook(facts: &ColumnFacts, budget: &Budget, share: f64, rows: f64) -> RangeOutlook {
    let facts = facts.with_implied();
    if facts.minimum.is_some() && facts.maximum.is_some() {
        return RangeOutlook::Known;
    }
    let affordable = Affordable::of(budget, share, rows);
    if affordable.is_enough() {
        let found = affordable.sure_digits();
        return RangeOutlook::Searched(if found > 0 { (found + NARROWER).cast_unsigned() } else { 0 });
    }
    let radius = nats_of(budget, USUAL_RANGE * share, &Sensitivity::rows_beyond(), rows);
    if radius >= TWO_DIGITS { RangeOutlook::AroundZero } else { RangeOutlook::Lost }
}

/// The nats that all rows count for in a choice of this sensitivity with a share of the budget.
fn nats_of(budget: &Budget, share: f64, sensitivity: &Sensitivity, rows: f64) -> f64 {
    let power = if matches!(budget.portion(1.0), Cost::Epsilon(_)) { 1.0 } else { 0.5 };
    let cost = budget.choice_share(1.0 / rows.max(1.0), sensitivity);
    (share / cost).powf(power)
}

/// The rows that a radius around zero must bring in: `doubling` for every doubling, from the least of the usual
/// radii on. If that would be more than half of all rows for the usual radii together, it is for every doubling
/// or halving from 1, or from the least, on.
fn from_zero(exponent: i32, radii: &Range<i32>, doubling: f64, rows: f64) -> f64 {
    let usual = f64::from(USUAL.end - radii.start);
    if 2.0 * doubling * usual > rows {
        return doubling * f64::from((exponent - radii.start.max(0)).abs());
    }
    let unusual = f64::from((exponent - USUAL.end).max(0));
    doubling * f64::from(exponent.min(USUAL.end) - radii.start) + unusual * rows / 8000.0
}

/// The grid of all numbers within a radius, given as a power of two; if that is beyond a declared end, only that
/// end.
fn grid(facts: &ColumnFacts, centre: Point, radius: i32) -> Grid {
    match centre {
        Point::Real(centre) => {
            let radius = libm::scalbn(1.0, radius);
            let (low, high) = match (facts.minimum, facts.maximum) {
                (Some(low), _) => (low, low.max(centre + radius)),
                (None, Some(high)) => (high.min(centre - radius), high),
                (None, None) => (centre - radius, centre + radius),
            };
            Grid::numbers(facts, low, high)
        }
        Point::Whole(centre) => {
            let radius =
                if radius < 63 { (1_i64 << radius.max(0)) - i64::from(radius < 0) } else { i64::MAX };
            let (least, most) = facts.whole_limits();
            let (low, high) = (centre.saturating_sub(radius), centre.saturating_add(radius));
            match (facts.minimum, facts.maximum) {
                (Some(_), _) => Grid::whole(facts, least, least.max(high)),
                (None, Some(_)) => Grid::whole(facts, most.min(low), most),
                (None, None) => Grid::whole(facts, low, high),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::privacy::Randomness;
    use crate::random::Seed;

    #[test]
    fn searches_can_be_paid_for_however_many_rows_there_are() {
        for rows in [1e4, 1e6, 1e8, 1e10, 1e12] {
            for (delta, persons) in [("0", 1), ("1e-6", 1), ("1e-9", 1), ("1e-9", 10)] {
                let (epsilon, delta) = ("0.5".parse().unwrap(), delta.parse().unwrap());
                let persons = NonZeroU32::new(persons).unwrap();
                let mut budget = Budget::with_delta(epsilon, delta, persons, Randomness::seeded(Seed(1)));
                // One of twenty columns.
                let affordable = Affordable::of(&budget, 0.02, rows);
                for share in [affordable.presence, affordable.magnitude, affordable.stages[0]] {
                    let cost = budget.portion(share);
                    let paid = budget.charge_choice("a stage", cost, Sensitivity::rows_present());
                    assert!(paid.is_ok(), "{rows} rows, {delta:?}, {persons} rows of a person: {paid:?}");
                }
            }
        }
    }
}
