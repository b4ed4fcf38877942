//! The range of a column of numbers: as declared, or found privately.

use std::ops::Range;

use super::{Facts, whole_share};
use crate::privacy::{Budget, Sensitivity, choose};
use crate::private::PrivateTable;
use crate::sampler::SamplerError;
use crate::sampler::search::{location_at, scale_at};

/// The share of a column's budget that its range may cost.
pub(crate) const RANGE: f64 = 0.2;
/// Rows over the noise of the counts from which on the location is searched for; the radius is one around zero otherwise.
const LOCATABLE: f64 = 250.0;
/// The share for the scale, and for each stage of the location.
const LOCATE: f64 = 0.04;
/// Radii that are tried.
const EXPONENTS: Range<i32> = -1000..1000;
/// A scale below this says that more than half of the rows share one value, and nothing about the others.
const NO_SCALE: i32 = -900;

/// The range of a column. Nothing is spent if both ends are declared, and else its share of the column's.
///
/// The radius is a power of two chosen so that few rows lie beyond it: each doubling must bring in as many rows as noise
/// could pretend. It is one around a location found by the interval search, if `strength`, the number of rows over the
/// noise of counts, allows for that, and around zero otherwise.
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
    (budget, share, strength): (&mut Budget, f64, f64),
) -> Result<(f64, f64), SamplerError> {
    if let (Some(low), Some(high)) = (facts.minimum, facts.maximum) {
        return Ok((low, high));
    }
    let step = |what: &str| format!("{what} of column {}", column + 1);
    let finest = facts.step.map_or(0, |step| step.log2().ceil() as i32);
    let (mut centre, mut near, mut spent) = (0.0, finest, 0.0);
    if strength >= LOCATABLE {
        let locate = whole_share(share * LOCATE);
        let cost = budget.portion(locate);
        let present = table.searched(column, facts);
        let exponent = scale_at(&present, (budget, step("scale"), cost))?;
        let mut divided = false;
        // Once, if need be.
        let may_divide = || !std::mem::replace(&mut divided, true);
        let located = location_at(&present, exponent, (budget, step("location"), cost), may_divide)?;
        centre = located.location;
        near = if facts.step.is_some() || exponent < NO_SCALE { exponent.max(finest) } else { exponent };
        spent = locate * if divided { 3.0 } else { 2.0 };
    }
    let reach = whole_share(share * RANGE - spent);
    let charge = budget.charge_choice(step("range"), budget.portion(reach), Sensitivity::rows_beyond())?;
    // In rows: what halves the odds of one more doubling, and at least a row.
    let doubling = (std::f64::consts::LN_2 / charge.per_unit()).max(1.0);
    let beyond = table.beyond(column, facts, centre, EXPONENTS);
    let handicap = |exponent: i32| (doubling * f64::from((exponent - near).abs())).round() as i64;
    let utilities: Vec<i64> =
        EXPONENTS.zip(&beyond).map(|(exponent, rows)| -rows - handicap(exponent)).collect();
    let radius = libm::scalbn(1.0, EXPONENTS.start + choose(charge, &utilities)? as i32);
    // Where what was found is beyond a declared end, that end is all there is.
    Ok(match (facts.minimum, facts.maximum) {
        (Some(low), _) => (low, low.max(centre + radius)),
        (None, Some(high)) => (high.min(centre - radius), high),
        (None, None) => (centre - radius, centre + radius),
    })
}
