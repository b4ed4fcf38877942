//! The page of numbers with their error bars, in words for readers who are no statisticians.

use indistinct::interval::{Interval, Of};
use indistinct_io::interval::{Intervals, StatisticInterval};
use serde::Serialize;

use super::words::{count, number, shown, shown_sentence};
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
        let Interval { estimate, se, low, high, undefined } = one.interval;
        let mut row = vec![shown_sentence(&one.name())];
        row.extend([estimate, se, low, high].map(defined));
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

/// Advice on reading a number.
fn sentence(one: &StatisticInterval) -> String {
    let Interval { estimate, low, high, .. } = one.interval;
    if !low.is_finite() {
        return format!("{}. How wrong it may be is not known.", defined(estimate));
    }
    let within = format!(
        "{}, give or take: anything from {} to {} fits.",
        number(estimate),
        number(low),
        number(high)
    );
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
        number(low),
        number(high)
    ))
}
