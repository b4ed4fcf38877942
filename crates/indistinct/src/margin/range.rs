//! The range of a column of numbers: as declared, or found privately.

use std::ops::Range;

use super::{Facts, whole_share};
use crate::privacy::{Budget, Sensitivity, choose};
use crate::private::PrivateTable;
use crate::sampler::SamplerError;
use crate::sampler::search::{location_at, scale_at};

/// Radii that are tried.
const EXPONENTS: Range<i32> = -1000..1000;
/// The share of a column's budget for its scale, and for each stage of its location.
const LOCATE: f64 = 0.04;
/// Far intervals that may be divided.
const DIVISIONS: u32 = 2;
/// The share of a column's budget for its radius.
const REACH: f64 = 0.08;
/// A scale below this says that more than half of the rows share one value, and nothing about the others.
const NO_SCALE: i32 = -900;
/// The scale that is supposed then, if no step is declared.
const SUPPOSED: i32 = -4;

/// The range of a column, and the share of the budget that finding it cost: nothing if both ends are declared.
///
/// The location is found by the interval search; the radius is a power of two chosen so that few rows lie beyond it. Each
/// doubling must bring in as many rows as noise could pretend.
///
/// # Guarantee
/// Choices among public intervals and exponents, each charged: `proofs/interval_search.md`. The number of stages depends on
/// earlier choices only.
///
/// # Errors
/// When the budget does not allow it.
pub(super) fn find(
    table: &PrivateTable,
    column: usize,
    facts: &Facts,
    budget: &mut Budget,
    share: f64,
) -> Result<(f64, f64, f64), SamplerError> {
    if let (Some(low), Some(high)) = (facts.minimum, facts.maximum) {
        return Ok((low, high, 0.0));
    }
    let locate = whole_share(share * LOCATE);
    let reach = whole_share(share * REACH);
    let present = table.searched(column, facts);
    let step = |what: &str| format!("{what} of column {}", column + 1);
    let cost = budget.portion(locate);
    let exponent = scale_at(&present, 0, (budget, step("scale"), cost))?;
    let mut divisions = 0;
    let may_divide = || {
        let more = divisions < DIVISIONS;
        divisions += u32::from(more);
        more
    };
    let located = location_at(&present, 0, exponent, (budget, step("location"), cost), may_divide)?;
    let near = match facts.step {
        Some(step) => exponent.max(step.log2().ceil() as i32),
        None if exponent < NO_SCALE => SUPPOSED,
        None => exponent,
    };
    let cost = budget.portion(reach);
    let charge = budget.charge_choice(step("range"), cost, Sensitivity::rows_beyond())?;
    // In units of rows: what halves the odds of one more doubling.
    let doubling = std::f64::consts::LN_2 / charge.per_unit();
    let beyond = table.beyond(column, facts, located.location, EXPONENTS);
    let handicap = |exponent: i32| (doubling * f64::from((exponent - near).abs())).round() as i64;
    let utilities: Vec<i64> =
        EXPONENTS.zip(&beyond).map(|(exponent, rows)| -rows - handicap(exponent)).collect();
    let radius = libm::scalbn(1.0, EXPONENTS.start + choose(charge, &utilities)? as i32);
    let low = facts.minimum.unwrap_or(located.location - radius);
    let high = facts.maximum.unwrap_or(located.location + radius);
    let spent = locate * f64::from(2 + divisions) + reach;
    Ok((low.min(high), high.max(low), spent))
}
