//! Numbers on a line: a constant more or less, other units, z-scores, and weighted sums of two numbers.

use super::agreement::{Target, decimals, is_whole};
use crate::draft::facets::Facet;

/// Most decimals of a constant, unless it has all digits of a mean.
const MOST_DECIMALS: i32 = 6;
/// The distance of a row from a line through two others, in units of what rounding explains, beyond which it is not on it.
const NEAR: f64 = 4.0;
/// Common denominators of the weights of two numbers.
const DENOMINATORS: [f64; 12] = [1.0, 2.0, 3.0, 4.0, 10.0, 6.0, 7.0, 8.0, 9.0, 12.0, 100.0, 1000.0];
/// Those of them that are written as decimals.
const DECIMAL: [f64; 3] = [10.0, 100.0, 1000.0];
/// The part of the tolerance of numbers without known decimals within which all of double precision is.
const DOUBLE: f64 = 1e-5;
/// Largest numerator.
const NUMERATOR: f64 = 1000.0;
/// The part of the product of two sums of squares below which two numbers are nearly the same.
const COLLINEAR: f64 = 1e-6;

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

/// The number in other units, and from another zero.
pub(super) fn line(target: &Target<'_>, x: &Facet) -> Option<String> {
    let values = &target.facet.values;
    let slope = |low: usize, high: usize| {
        let run = x.values[high] - x.values[low];
        let slope = (values[high] - values[low]) / run;
        let error = (target.tolerance(values[high]) + target.tolerance(values[low])) / run;
        (run > 0.0 && slope.is_finite() && slope != 0.0).then_some((slope, error.abs()))
    };
    let extremes = |rows: &mut dyn Iterator<Item = usize>| {
        let there: Vec<usize> =
            rows.filter(|&row| !x.values[row].is_nan() && !values[row].is_nan()).collect();
        let by_value = |a: &&usize, b: &&usize| x.values[**a].total_cmp(&x.values[**b]);
        Some((*there.iter().min_by(by_value)?, *there.iter().max_by(by_value)?))
    };
    let (low, high) = extremes(&mut target.first.iter().copied())?;
    let (raw, _) = slope(low, high)?;
    let is_near = |&row: &usize| {
        let expected = values[low] + raw * (x.values[row] - x.values[low]);
        (values[row] - expected).abs()
            <= NEAR * target.tolerance(values[row].abs().max(values[high].abs()).max(values[low].abs()))
    };
    if !target.first.iter().all(is_near) {
        return None;
    }
    let (low, high) = extremes(&mut (0..values.len()))?;
    let (raw, error) = slope(low, high)?;
    let size = raw.abs();
    let free = decimals(target.facet).is_none();
    let error = if free { DOUBLE * error } else { error };
    let factor = shortest(size - error, size + error, MOST_DECIMALS);
    let divisor = (size > error).then(|| shortest(1.0 / (size + error), 1.0 / (size - error), MOST_DECIMALS));
    let units = match (factor, divisor.flatten()) {
        (Some(factor), Some(divisor)) if length(divisor) < length(factor) => Some(("/", divisor)),
        (Some(factor), _) => Some(("*", factor)),
        (None, Some(divisor)) => Some(("/", divisor)),
        (None, None) => None,
    };
    let term = x.term()?;
    for (sign, unit) in units.into_iter().chain(free.then_some(("*", size))) {
        let part = |row: usize| {
            let value = if sign == "*" { x.values[row] * unit } else { x.values[row] / unit };
            value * raw.signum()
        };
        let Some(constant) = constant(target, &part, None) else { continue };
        if !target.holds(&|row| part(row) + constant) {
            continue;
        }
        let product = if unit == 1.0 { term.clone() } else { format!("{term} {sign} {unit}") };
        let text = if raw > 0.0 { plus(&product, constant) } else { format!("{constant} - {product}") };
        let whole = sign == "*" && is_whole(x) && unit.fract() == 0.0 && constant.fract() == 0.0;
        return Some(rounded(target, text, whole));
    }
    None
}

/// The sum of two numbers with weights, and of a constant: `(systolic + 2 * diastolic) / 3`.
pub(super) fn weighted(target: &Target<'_>, x: &Facet, y: &Facet) -> Option<String> {
    let values = &target.facet.values;
    let (a, b) = weights(target, x, y)?;
    for denominator in DENOMINATORS {
        let (p, q) = ((a * denominator).round(), (b * denominator).round());
        let fits = |weight: f64| weight != 0.0 && weight.abs() <= NUMERATOR;
        // What is no fraction with this denominator would need a lucky rounding.
        let sum = |row: usize| (p * x.values[row] + q * y.values[row]) / denominator;
        let spread =
            || target.first.iter().map(|&row| values[row] - sum(row)).filter(|rest| rest.is_finite());
        let (low, high) =
            (spread().fold(f64::INFINITY, f64::min), spread().fold(f64::NEG_INFINITY, f64::max));
        let largest = target.first.iter().map(|&row| values[row].abs()).fold(0.0, f64::max);
        if !fits(p) || !fits(q) || high - low > 2.0 * target.tolerance(largest) {
            continue;
        }
        let (p, q, divisor) = if DECIMAL.contains(&denominator) {
            (p / denominator, q / denominator, 1.0)
        } else {
            (p, q, denominator)
        };
        let part = |row: usize| {
            let sum = p * x.values[row] + q * y.values[row];
            if divisor == 1.0 { sum } else { sum / divisor }
        };
        let Some(constant) = constant(target, &part, Some(MOST_DECIMALS)) else { continue };
        if !target.holds(&|row| part(row) + constant) {
            continue;
        }
        let sum = signed(&[(p, &x.term()?), (q, &y.term()?)]);
        let sum = if divisor == 1.0 { sum } else { format!("({sum}) / {divisor}") };
        let whole = is_whole(x) && is_whole(y) && denominator == 1.0 && constant.fract() == 0.0;
        return Some(rounded(target, plus(&sum, constant), whole));
    }
    None
}

/// The weights of two numbers in some rows, by least squares.
fn weights(target: &Target<'_>, x: &Facet, y: &Facet) -> Option<(f64, f64)> {
    let rows: Vec<[f64; 3]> = target
        .first
        .iter()
        .map(|&row| [x.values[row], y.values[row], target.facet.values[row]])
        .filter(|row| row.iter().all(|value| value.is_finite()))
        .collect();
    let mean = |place: usize| rows.iter().map(|row| row[place]).sum::<f64>() / rows.len() as f64;
    let means = [mean(0), mean(1), mean(2)];
    let product =
        |i: usize, j: usize| rows.iter().map(|row| (row[i] - means[i]) * (row[j] - means[j])).sum::<f64>();
    let (xx, yy, xy) = (product(0, 0), product(1, 1), product(0, 1));
    let determinant = xx * yy - xy * xy;
    let (xt, yt) = (product(0, 2), product(1, 2));
    (rows.len() > 3 && determinant > COLLINEAR * xx * yy)
        .then(|| ((xt * yy - yt * xy) / determinant, (yt * xx - xt * xy) / determinant))
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

/// The length of a number as it is written.
fn length(number: f64) -> usize {
    number.to_string().len()
}

/// A text, and a constant added to it.
pub(super) fn plus(text: &str, constant: f64) -> String {
    match constant {
        0.0 => text.to_owned(),
        _ if constant < 0.0 => format!("{text} - {}", -constant),
        _ => format!("{text} + {constant}"),
    }
}

/// A sum of terms with weights.
fn signed(terms: &[(f64, &String)]) -> String {
    let mut text = String::new();
    for (weight, term) in terms {
        let sign = match (text.is_empty(), *weight < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let size = weight.abs();
        text.push_str(sign);
        text.push_str(&if size == 1.0 { (*term).clone() } else { format!("{size} * {term}") });
    }
    text
}

/// A text that is whole where the column is.
pub(super) fn rounded(target: &Target<'_>, text: String, whole: bool) -> String {
    if is_whole(target.facet) && !whole { format!("round({text})") } else { text }
}
