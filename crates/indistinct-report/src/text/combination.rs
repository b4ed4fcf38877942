//! A combined regression as a person reads it, and as a script does.

use std::fmt::Write;

use indistinct::combine::{Combined, Rule};
use indistinct_io::combine::Combination;
use indistinct_io::one_line;
use serde::Serialize;

use super::grid;

/// Below this R does not tell a probability either.
const SMALLEST_P: f64 = 2.2e-16;

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    formula: &'a str,
    files: &'a [String],
    #[serde(flatten)]
    found: &'a Combined,
    /// Parameters of the rule, where it has them.
    draws: Option<usize>,
    epsilon: Option<f64>,
    efficiency: Option<f64>,
    notes: &'a [String],
    /// The reason why standard errors, intervals and what follows from them are null, where they are.
    no_intervals: Option<&'a str>,
}

/// A combination as a script reads it.
pub fn combination_document(combination: &Combination) -> impl Serialize {
    let Combination { formula, files, rule, notes, no_intervals, found } = combination;
    let (draws, epsilon, efficiency) = match *rule {
        Rule::PrivateDraws { draws, .. } => (Some(draws), None, None),
        Rule::PrivateDraw { epsilon, efficiency, .. } => (None, Some(epsilon), Some(efficiency)),
        _ => (None, None, None),
    };
    let no_intervals = no_intervals.as_deref();
    Document { formula, files, found, draws, epsilon, efficiency, notes, no_intervals }
}

/// A combination as a person reads it, without the notes on its rule if `quiet`.
pub fn combination_text(combination: &Combination, quiet: bool) -> String {
    let Combination { formula, notes, no_intervals, found, .. } = combination;
    let plural = if found.tables == 1 { "table" } else { "tables" };
    let n = found.n.map_or_else(String::new, |n| format!(", {n} original rows"));
    let mut text = format!(
        "{}\n{} {plural} of {} rows{n}; rule {}, for the {}\n",
        one_line(formula),
        found.tables,
        found.rows,
        found.rule,
        if found.target == "original" { "original table's estimate" } else { found.target }
    );
    let _ = writeln!(text, "{}", coefficients(found, no_intervals.is_none()));
    if found.sigma.is_finite() {
        let _ = writeln!(text, "residual standard error: {}", number(found.sigma));
    }
    let used: usize = found.complete_rows.iter().sum();
    let left_out = (found.rows * found.tables).saturating_sub(used);
    if left_out > 0 {
        let _ = writeln!(text, "left out: {left_out} rows with missing values, in all tables together");
    }
    if !found.aliased.is_empty() {
        let names = one_line(&found.aliased.join(", "));
        let _ = writeln!(text, "aliased (depend on those above, and cannot be estimated): {names}");
    }
    if let Some(why) = no_intervals {
        let _ = writeln!(text, "no intervals: {why}");
    }
    for note in notes.iter().filter(|_| !quiet) {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

/// The coefficients as a table, without the columns that would be empty where there are no standard errors.
fn coefficients(found: &Combined, intervals: bool) -> impl std::fmt::Display {
    if !intervals {
        let mut table = grid(&["", "estimate"], &[0]);
        for coefficient in &found.coefficients {
            table.add_row([one_line(&coefficient.name), number(coefficient.estimate)]);
        }
        return table;
    }
    let tail = (1.0 - found.level) / 2.0 * 100.0;
    let (low, high) = (format!("{} %", short(tail)), format!("{} %", short(100.0 - tail)));
    let mut table = grid(&["", "estimate", "std. error", "df", "t", "p", &low, &high], &[0]);
    for coefficient in &found.coefficients {
        table.add_row([
            one_line(&coefficient.name),
            number(coefficient.estimate),
            number(coefficient.std_error),
            if coefficient.df < 1e6 { format!("{:.1}", coefficient.df) } else { "inf".to_owned() },
            if coefficient.t.is_finite() { format!("{:.3}", coefficient.t) } else { "-".to_owned() },
            probability(coefficient.p),
            number(coefficient.low),
            number(coefficient.high),
        ]);
    }
    table
}

fn probability(p: f64) -> String {
    if p.is_nan() {
        "-".to_owned()
    } else if p < SMALLEST_P {
        "<2.2e-16".to_owned()
    } else if p < 1e-4 {
        format!("{p:.2e}")
    } else {
        format!("{p:.4}")
    }
}

/// Five significant digits.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if (-4..=6).contains(&magnitude) {
        format!("{value:.*}", (4 - magnitude).clamp(0, 8) as usize)
    } else {
        format!("{value:.4e}")
    }
}

/// A percentage without needless zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
