//! Numbers that are computed from other numbers.

use crate::draft::facets::{Facet, Sort};

/// Relative error of numbers that were computed in single precision, as Stata does, from numbers that were kept so.
const RELATIVE: f64 = 2e-7;
/// Rows on which an expression is tried before all others.
const FIRST: usize = 12;
/// Most columns of numbers for which sums of three are tried.
const MOST_FOR_SUMS: usize = 30;
/// Most decimals of a number that is added to another.
const MOST_DECIMALS: i32 = 6;
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
    let rows = first_rows(target);
    let holds = |value: &dyn Fn(usize) -> f64| {
        rows.iter().all(|&row| agrees(target, row, value(row)))
            && (0..target.values.len()).all(|row| agrees(target, row, value(row)))
    };
    let text = |form: &Form, x: &Facet, y: &Facet| {
        let whole = form.whole && is_whole(x) && is_whole(y);
        let text = replaced(form.text, &x.term()?, &y.term()?);
        Some(if is_whole(target) && !whole { format!("round({text})") } else { text })
    };
    for x in &numbers {
        for form in ONE.iter().filter(|form| form.any_order || !any_order) {
            if holds(&|row| (form.value)(x.values[row], 0.0)) {
                // A square of whole numbers is whole by its form as a product.
                let product = is_whole(target) && is_whole(x) && form.text == "x ^ 2";
                return if product {
                    x.term().map(|term| format!("{term} * {term}"))
                } else {
                    text(form, x, x)
                };
            }
        }
        if any_order {
            continue;
        }
        for factor in FACTORS {
            for (sign, value) in [("*", factor), ("/", 1.0 / factor)] {
                let product =
                    |row: usize| if sign == "*" { x.values[row] * factor } else { x.values[row] / factor };
                if x.different >= super::DIFFERENT && value > 0.0 && holds(&product) {
                    let expression = format!("{} {sign} {factor}", x.term()?);
                    let whole = sign == "*" && factor.fract() == 0.0 && is_whole(x);
                    return Some(if is_whole(target) && !whole {
                        format!("round({expression})")
                    } else {
                        expression
                    });
                }
            }
        }
        if x.different >= super::DIFFERENT
            && let Some(expression) = moved(target, x)
        {
            return Some(expression);
        }
    }
    for (place, x) in numbers.iter().enumerate() {
        for (other, y) in numbers.iter().enumerate() {
            for form in TWO.iter().filter(|form| form.any_order || !any_order) {
                let both_orders = !matches!(form.text, "x * y" | "x + y");
                let is_new = if both_orders { place != other } else { place < other };
                if is_new && holds(&|row| (form.value)(x.values[row], y.values[row])) {
                    return text(form, x, y);
                }
            }
        }
    }
    if any_order || numbers.len() > MOST_FOR_SUMS { None } else { sum(target, &numbers, &holds) }
}

/// The number plus or minus a constant, or the constant minus the number: an age and the year of birth.
fn moved(target: &Facet, x: &Facet) -> Option<String> {
    for sign in [1.0, -1.0] {
        let Some(constant) = constant(target, x, sign) else { continue };
        let term = x.term()?;
        let text = match (sign > 0.0, constant) {
            (true, 0.0) => term,
            (false, 0.0) => format!("-{term}"),
            (true, _) if constant < 0.0 => format!("{term} - {}", -constant),
            (true, _) => format!("{term} + {constant}"),
            (false, _) => format!("{constant} - {term}"),
        };
        let whole = is_whole(x) && constant.fract() == 0.0;
        return Some(if is_whole(target) && !whole { format!("round({text})") } else { text });
    }
    None
}

/// The constant with the fewest decimals to which the number, with this sign, is added in all rows.
fn constant(target: &Facet, x: &Facet, sign: f64) -> Option<f64> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (&value, &number) in target.values.iter().zip(&x.values) {
        if value.is_nan() != number.is_nan() {
            return None;
        }
        if !value.is_nan() {
            let (difference, error) = (value - sign * number, tolerance(target, value));
            low = low.max(difference - error);
            high = high.min(difference + error);
        }
        if low > high {
            return None;
        }
    }
    let rounded = |decimals: i32| {
        let scale = 10_f64.powi(decimals);
        let middle = (f64::midpoint(low, high) * scale).round() / scale;
        (low..=high).contains(&middle).then_some(middle)
    };
    // Minus zero is no constant to write.
    (0..=MOST_DECIMALS).find_map(rounded).map(|constant| constant + 0.0)
}

/// The sum of three numbers that a column is.
fn sum(target: &Facet, numbers: &[&Facet], holds: &impl Fn(&dyn Fn(usize) -> f64) -> bool) -> Option<String> {
    for (i, x) in numbers.iter().enumerate() {
        for (j, y) in numbers.iter().enumerate().skip(i + 1) {
            for z in numbers.iter().skip(j + 1) {
                if holds(&|row| x.values[row] + y.values[row] + z.values[row]) {
                    let text = format!("{} + {} + {}", x.term()?, y.term()?, z.term()?);
                    let whole = [x, y, z].into_iter().all(|facet| is_whole(facet));
                    return Some(if is_whole(target) && !whole { format!("round({text})") } else { text });
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

fn is_whole(facet: &Facet) -> bool {
    matches!(facet.sort, Sort::Number { whole: true, .. })
}

/// Some rows in which the value is there, far from each other.
fn first_rows(target: &Facet) -> Vec<usize> {
    let step = (target.values.len() / FIRST).max(1);
    let there = |start: usize| (start..target.values.len()).find(|&row| !target.values[row].is_nan());
    (0..target.values.len()).step_by(step).filter_map(there).collect()
}

/// Whether a computed value is that of a row, up to the rounding of the column, and missing where that is.
fn agrees(target: &Facet, row: usize, computed: f64) -> bool {
    let value = target.values[row];
    if value.is_nan() || !computed.is_finite() {
        return value.is_nan() && !computed.is_finite();
    }
    (value - computed).abs() <= tolerance(target, computed)
}

/// The tolerance between a computed value and that of a row: by the rounding of the column, and of the computer.
fn tolerance(target: &Facet, value: f64) -> f64 {
    let rounding = match target.sort {
        Sort::Number { decimals: Some(decimals), .. } => 0.5 * 10_f64.powi(-(decimals as i32)),
        _ => 0.0,
    };
    rounding * (1.0 + 1e-6) + RELATIVE * value.abs()
}
