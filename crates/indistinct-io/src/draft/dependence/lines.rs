//! Numbers that are others plus or minus a constant.

use super::agreement::{Target, decimals, is_whole};
use crate::draft::facets::Facet;

/// Most decimals of a constant, unless it has all digits of a mean.
const MOST_DECIMALS: i32 = 6;
/// The part of the tolerance of numbers without known decimals within which all of double precision is.
const DOUBLE: f64 = 1e-5;
/// The number plus or minus a constant, or the constant minus the number: an age and the year of birth.
pub(super) fn moved(target: &Target<'_>, x: &Facet) -> Option<String> {
    // A constant has no more decimals than what it is added to; rounding would hide the rest of it.
    let most = decimals(target.facet).zip(decimals(x)).map(|(own, other)| own.max(other));
    for sign in [1.0, -1.0] {
        let part = |row: usize| sign * x.values[row];
        let Some(constant) = constant(target, &part, most) else { continue };
        let term = x.term()?;
        let whole = is_whole(x) && constant.fract() == 0.0;
        if !target.holds(&|row| part(row) + constant) {
            continue;
        }
        let text = match sign > 0.0 {
            true => plus(&term, constant),
            false if constant == 0.0 => format!("-{term}"),
            false => format!("{constant} - {term}"),
        };
        return Some(rounded(target, text, whole));
    }
    None
}

/// The constant with the fewest decimals that makes a column of what is computed, up to rounding, in all rows.
fn constant(target: &Target<'_>, part: &dyn Fn(usize) -> f64, most: Option<i32>) -> Option<f64> {
    let (low, high) = constants(target, part, 1.0)?;
    let most_decimals = most.unwrap_or(MOST_DECIMALS).min(MOST_DECIMALS);
    let free = decimals(target.facet).is_none();
    // In double precision as exact as that is, if it can be.
    let exact = if free { constants(target, part, DOUBLE) } else { None };
    let found = exact.and_then(|(low, high)| shortest(low, high, most_decimals)).or_else(|| match exact {
        Some((low, high)) if most.is_none() => Some(f64::midpoint(low, high)),
        _ => shortest(low, high, most_decimals)
            .or_else(|| (free && most.is_none()).then(|| f64::midpoint(low, high))),
    });
    // Minus zero is no constant to write.
    found.map(|constant| constant + 0.0)
}

/// The least and greatest constant that does, with this part of the tolerance.
fn constants(target: &Target<'_>, part: &dyn Fn(usize) -> f64, of_tolerance: f64) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (row, &value) in target.facet.values.iter().enumerate() {
        let number = part(row);
        if value.is_nan() != number.is_nan() {
            return None;
        }
        if !value.is_nan() {
            let (difference, error) = (value - number, of_tolerance * target.tolerance(value));
            low = low.max(difference - error);
            high = high.min(difference + error);
        }
        if low > high {
            return None;
        }
    }
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// The number with the fewest decimals between two others.
fn shortest(low: f64, high: f64, most: i32) -> Option<f64> {
    let rounded = |decimals: i32| {
        let scale = 10_f64.powi(decimals);
        let middle = (f64::midpoint(low, high) * scale).round() / scale;
        (low..=high).contains(&middle).then_some(middle)
    };
    (0..=most).find_map(rounded)
}

/// A text, and a constant added to it.
pub(super) fn plus(text: &str, constant: f64) -> String {
    match constant {
        0.0 => text.to_owned(),
        _ if constant < 0.0 => format!("{text} - {}", -constant),
        _ => format!("{text} + {constant}"),
    }
}

/// A text that is whole where the column is.
pub(super) fn rounded(target: &Target<'_>, text: String, whole: bool) -> String {
    if is_whole(target.facet) && !whole { format!("round({text})") } else { text }
}
