//! Numbers that are computed from other numbers.

use super::agreement::{Target, is_whole};
use super::lines::{self, rounded};
use crate::draft::facets::Facet;

/// Most columns of numbers for which sums of three and weighted sums of two are tried.
const MOST_FOR_SUMS: usize = 30;
/// Factors between units: months, weeks, percent, thousands, inches, feet, miles, pounds.
const FACTORS: [f64; 17] = [
    2.0,
    3.0,
    4.0,
    7.0,
    10.0,
    12.0,
    24.0,
    52.0,
    60.0,
    100.0,
    365.0,
    1000.0,
    1_000_000.0,
    2.54,
    30.48,
    1.609_344,
    0.453_592_37,
];

/// An expression in one or two numbers: its text, and its value.
struct Form {
    text: &'static str,
    value: fn(f64, f64) -> f64,
    /// Whether it is whole for whole numbers.
    whole: bool,
    /// Whether it is worth trying with columns that come after the computed one.
    any_order: bool,
}

/// Forms of one number `x`.
const ONE: [Form; 8] = [
    Form { text: "x ^ 2", value: |x, _| x * x, whole: false, any_order: true },
    Form { text: "x ^ 3", value: |x, _| x * x * x, whole: false, any_order: true },
    Form { text: "log(x)", value: |x, _| x.ln(), whole: false, any_order: true },
    Form { text: "log(x + 1)", value: |x, _| x.ln_1p(), whole: false, any_order: true },
    Form { text: "log(x) / log(10)", value: |x, _| x.ln() / 10_f64.ln(), whole: false, any_order: false },
    Form { text: "sqrt(x)", value: |x, _| x.sqrt(), whole: false, any_order: false },
    Form { text: "(x - 32) / 1.8", value: |x, _| (x - 32.0) / 1.8, whole: false, any_order: false },
    Form { text: "x * 1.8 + 32", value: |x, _| x * 1.8 + 32.0, whole: false, any_order: false },
];
/// Forms of two numbers `x` and `y`, in both orders.
const TWO: [Form; 8] = [
    Form { text: "x * y", value: |x, y| x * y, whole: true, any_order: false },
    Form { text: "x + y", value: |x, y| x + y, whole: true, any_order: false },
    Form { text: "x - y", value: |x, y| x - y, whole: true, any_order: false },
    Form { text: "x / (y / 100) ^ 2", value: |x, y| x / (y / 100.0).powi(2), whole: false, any_order: true },
    Form { text: "703 * x / y ^ 2", value: |x, y| 703.0 * x / (y * y), whole: false, any_order: true },
    Form { text: "x / y ^ 2", value: |x, y| x / (y * y), whole: false, any_order: true },
    Form { text: "x / y", value: |x, y| x / y, whole: false, any_order: false },
    Form { text: "100 * x / y", value: |x, y| 100.0 * x / y, whole: false, any_order: false },
];

/// The expression that gives a column in all rows, if there is one. Its text is complete.
pub(super) fn expression(
    target: &Facet,
    sources: &[usize],
    facets: &[Facet],
    any_order: bool,
) -> Option<String> {
    let numbers: Vec<&Facet> = sources
        .iter()
        .map(|&place| &facets[place])
        .filter(|facet| facet.is_number() && facet.different > 2)
        .collect();
    let target = &Target::new(target);
    let text = |form: &Form, x: &Facet, y: &Facet| {
        let whole = form.whole && is_whole(x) && is_whole(y);
        Some(rounded(target, replaced(form.text, &x.term()?, &y.term()?), whole))
    };
    for x in &numbers {
        for form in ONE.iter().filter(|form| form.any_order || !any_order) {
            if target.holds(&|row| (form.value)(x.values[row], 0.0)) {
                // A square of whole numbers is whole by its form as a product.
                let product = is_whole(target.facet) && is_whole(x) && form.text == "x ^ 2";
                return if product {
                    x.term().map(|term| format!("{term} * {term}"))
                } else {
                    text(form, x, x)
                };
            }
        }
        if any_order || x.different < super::DIFFERENT {
            continue;
        }
        if let Some(expression) = in_units(target, x).or_else(|| lines::moved(target, x)) {
            return Some(expression);
        }
        if let Some(expression) = lines::line(target, x) {
            return Some(expression);
        }
    }
    for (place, x) in numbers.iter().enumerate() {
        for (other, y) in numbers.iter().enumerate() {
            for form in TWO.iter().filter(|form| form.any_order || !any_order) {
                let both_orders = !matches!(form.text, "x * y" | "x + y");
                let is_new = if both_orders { place != other } else { place < other };
                if is_new && target.holds(&|row| (form.value)(x.values[row], y.values[row])) {
                    return text(form, x, y);
                }
            }
        }
    }
    if any_order || numbers.len() > MOST_FOR_SUMS { None } else { sum(target, &numbers) }
}

/// The number in other units, or the whole part of it in those.
fn in_units(target: &Target<'_>, x: &Facet) -> Option<String> {
    for factor in FACTORS {
        let number = |row: usize| x.values[row];
        if target.holds(&|row| number(row) * factor) {
            let whole = factor.fract() == 0.0 && is_whole(x);
            return Some(rounded(target, format!("{} * {factor}", x.term()?), whole));
        }
        if is_whole(target.facet) && target.holds(&|row| (number(row) / factor).floor()) {
            return Some(format!("floor({} / {factor})", x.term()?));
        }
        if target.holds(&|row| number(row) / factor) {
            return Some(rounded(target, format!("{} / {factor}", x.term()?), false));
        }
    }
    let is_part = is_whole(target.facet) && !is_whole(x) && target.holds(&|row| x.values[row].floor());
    if is_part { Some(format!("floor({})", x.term()?)) } else { None }
}

/// The sum of three numbers, or of two with weights, that a column is.
fn sum(target: &Target<'_>, numbers: &[&Facet]) -> Option<String> {
    for (i, x) in numbers.iter().enumerate() {
        for (j, y) in numbers.iter().enumerate().skip(i + 1) {
            if let Some(expression) = lines::weighted(target, x, y) {
                return Some(expression);
            }
            for z in numbers.iter().skip(j + 1) {
                if target.holds(&|row| x.values[row] + y.values[row] + z.values[row]) {
                    let text = format!("{} + {} + {}", x.term()?, y.term()?, z.term()?);
                    let whole = [x, y, z].into_iter().all(|facet| is_whole(facet));
                    return Some(rounded(target, text, whole));
                }
            }
        }
    }
    None
}

/// The text of a form with the names of columns.
fn replaced(form: &str, x: &str, y: &str) -> String {
    let part = |letter: char| match letter {
        'x' => x.to_owned(),
        'y' => y.to_owned(),
        other => other.to_string(),
    };
    form.chars().map(part).collect()
}
