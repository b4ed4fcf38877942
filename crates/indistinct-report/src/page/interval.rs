//! The page of numbers with their error bars, in words for readers who are no statisticians.

use indistinct::interval::{Interval, Of};
use indistinct_io::interval::{Intervals, StatisticInterval};
use serde::Serialize;

use super::words::{count, number, number_within, shown, shown_sentence};
use super::{Figure, PageError, render};
use crate::text::percent;

/// Width of a bar's figure in pixels.
const WIDTH: f64 = 420.0;
/// Height of a bar's figure in pixels.
const HEIGHT: f64 = 34.0;
/// Space on both sides of a bar in pixels.
const SIDE: f64 = 14.0;

/// The contents of a page of error bars.
#[derive(Debug, Clone, Copy)]
pub struct IntervalPage<'a> {
    /// The numbers with their bars.
    pub found: &'a Intervals,
    /// The name of the release's folder.
    pub release: &'a str,
}

#[derive(Serialize)]
struct Context {
    release: String,
    level: String,
    out_of: String,
    target: &'static str,
    replicates: String,
    numbers: Vec<Number>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
    version: &'static str,
}

#[derive(Serialize)]
struct Number {
    name: String,
    sentence: String,
    figure: Option<Figure>,
}

/// The page of numbers with their error bars, made only from what is released.
///
/// # Errors
/// When a template does not fit, which the tests exclude.
pub fn interval_page(page: IntervalPage<'_>) -> Result<String, PageError> {
    let Intervals { statistics, options, notes } = page.found;
    let numbers = statistics.iter().map(|one| Number {
        name: shown_sentence(&one.name()),
        sentence: sentence(one),
        figure: bar(&one.interval).map(|svg| Figure::new(svg, "")),
    });
    let row = |one: &StatisticInterval| {
        let Interval { estimate, se, low, high, undefined, .. } = one.interval;
        let mut row = vec![shown_sentence(&one.name())];
        let told = |value: f64| defined_within(value, high - low);
        row.extend([told(estimate), defined(se), told(low), told(high)]);
        row.push(undefined.to_string());
        row
    };
    let context = Context {
        release: shown(page.release),
        level: percent(options.level),
        out_of: number((1.0 - options.level) * 100.0),
        target: match options.of {
            Of::Population => "the population that the private rows were drawn from",
            Of::Table => "the private table itself",
        },
        replicates: count(options.replicates as u64),
        numbers: numbers.collect(),
        rows: statistics.iter().map(row).collect(),
        notes: notes.iter().map(|note| shown_sentence(note)).collect(),
        version: env!("CARGO_PKG_VERSION"),
    };
    render("interval.html", context)
}

/// A number, or a dash where it is undefined.
pub(super) fn defined(value: f64) -> String {
    if value.is_finite() { number(value) } else { "-".to_owned() }
}

/// The same with the digits that the width of its bar needs.
pub(super) fn defined_within(value: f64, width: f64) -> String {
    if value.is_finite() { number_within(value, width) } else { "-".to_owned() }
}

/// Advice on reading a number.
fn sentence(one: &StatisticInterval) -> String {
    let Interval { estimate, low, high, undefined, .. } = one.interval;
    if !estimate.is_finite() {
        return "The synthetic rows have no such number: it is undefined there.".to_owned();
    }
    if !low.is_finite() {
        return format!(
            "{}. How wrong it may be is not known: it was undefined in {} rehearsals.",
            number(estimate),
            count(undefined as u64)
        );
    }
    if low == high {
        return format!(
            "{}, and the same in all rehearsals: they cannot show how wrong it may be, if it can be wrong at all.",
            number(estimate)
        );
    }
    let told = |value: f64| number_within(value, high - low);
    let within =
        format!("{}, give or take: anything from {} to {} fits.", told(estimate), told(low), told(high));
    // Coefficients are compared with nothing at all.
    let compared = one.term.as_deref().is_some_and(|term| term != "(Intercept)");
    if compared && low < 0.0 && high > 0.0 {
        return format!(
            "{within} Zero is among that: chance and privacy noise alone may have made this number."
        );
    }
    within
}

/// A bar from low to high with a dot at the estimate, and a line at zero where that is near.
pub(super) fn bar(interval: &Interval) -> Option<String> {
    let Interval { estimate, low, high, .. } = *interval;
    if ![estimate, low, high].iter().all(|value| value.is_finite()) {
        return None;
    }
    let (mut from, mut to) = (low.min(estimate), high.max(estimate));
    let width = (to - from).max(estimate.abs() * 1e-9).max(f64::MIN_POSITIVE);
    // Zero is shown where it costs no more than three times the room.
    let zero = (-3.0 * width..=0.0).contains(&(-to)) && from > -3.0 * width && from < 3.0 * width;
    if zero {
        (from, to) = (from.min(0.0), to.max(0.0));
    }
    let room = (to - from).max(f64::MIN_POSITIVE);
    let at = |value: f64| SIDE + (value - from) / room * (WIDTH - 2.0 * SIDE);
    let middle = HEIGHT / 2.0;
    let line = if zero {
        let x = at(0.0);
        format!("<line class=\"zero\" x1=\"{x:.1}\" y1=\"2\" x2=\"{x:.1}\" y2=\"{:.1}\"/>", HEIGHT - 2.0)
    } else {
        String::new()
    };
    let (left, right, dot) = (at(low), at(high), at(estimate));
    let (top, bottom) = (middle - 7.0, middle + 7.0);
    Some(format!(
        "<svg class=\"bar\" role=\"img\" aria-label=\"from {} to {}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\">{line}<path class=\"reach\" d=\"M{left:.1} {middle}H{right:.1}M{left:.1} {top}V{bottom}M{right:.1} \
         {top}V{bottom}\"/><circle cx=\"{dot:.1}\" cy=\"{middle}\" r=\"5\"/></svg>",
        number_within(low, high - low),
        number_within(high, high - low)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(estimate: f64, low: f64, high: f64) -> StatisticInterval {
        let interval = Interval { estimate, se: 1.0, low, high, t: 0.0, undefined: 38 };
        StatisticInterval { statistic: "mean(big)".to_owned(), term: None, interval }
    }

    #[test]
    fn sentences_say_what_is_known() {
        let said = |estimate, low, high| sentence(&one(estimate, low, high));
        assert_eq!(
            said(1_000_000_060.0, 999_999_989.0, 1_000_000_131.0),
            "1\u{2009}000\u{2009}000\u{2009}060, give or take: anything from 999\u{2009}999\u{2009}989 to \
             1\u{2009}000\u{2009}000\u{2009}131 fits."
        );
        assert!(said(5.0, 5.0, 5.0).starts_with("5, and the same in all rehearsals"));
        assert!(said(5.0, f64::NAN, f64::NAN).ends_with("it was undefined in 38 rehearsals."));
        assert!(said(f64::NAN, f64::NAN, f64::NAN).contains("undefined there"));
    }
}
