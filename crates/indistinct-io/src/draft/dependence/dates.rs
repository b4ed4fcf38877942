//! Columns that are computed from dates: the days between two, the year and the month of one, and a date some days later.

use chrono::{DateTime, Datelike, NaiveDate};

use super::agreement::{Target, is_whole};
use super::lines::{plus, rounded};
use crate::draft::facets::{Facet, Sort};

/// Seconds of a day.
const SECONDS: i64 = 86_400;
/// Days of a year, as ages are computed with.
const YEARS: [&str; 2] = ["365.25", "365"];

/// The expression that gives a number from dates in all rows, if there is one.
pub(super) fn number(target: &Facet, sources: &[usize], facets: &[Facet]) -> Option<String> {
    let days = days(sources, facets);
    if days.is_empty() {
        return None;
    }
    let different = target.different;
    let target = &Target::new(target);
    for x in &days {
        for (name, part) in [("year", year as fn(f64) -> f64), ("month", month)] {
            if target.holds(&|row| part(x.values[row])) {
                return Some(format!("{name}({})", x.term()?));
            }
        }
    }
    if different < super::DIFFERENT {
        return None;
    }
    for x in &days {
        for y in days.iter().filter(|y| y.name != x.name) {
            let between = |row: usize| y.values[row] - x.values[row];
            if target.holds(&between) {
                return Some(format!("{} - {}", y.term()?, x.term()?));
            }
            for text in YEARS {
                let year: f64 = text.parse().ok()?;
                let expression = format!("({} - {}) / {text}", y.term()?, x.term()?);
                if is_whole(target.facet) && target.holds(&|row| (between(row) / year).floor()) {
                    return Some(format!("floor({expression})"));
                }
                if target.holds(&|row| between(row) / year) {
                    return Some(rounded(target, expression, false));
                }
            }
        }
    }
    None
}

/// The expression that gives a date from another in all rows: some days later, by a constant or by a number.
pub(super) fn day(target: &Facet, sources: &[usize], facets: &[Facet]) -> Option<String> {
    let days = days(sources, facets);
    let target = &Target::new(target);
    let first = *target.first.first()?;
    for x in &days {
        let later = target.facet.values[first] - x.values[first];
        if later.is_finite() && target.holds(&|row| x.values[row] + later) {
            return Some(plus(&x.term()?, later));
        }
    }
    let numbers = || sources.iter().map(|&place| &facets[place]).filter(|facet| is_whole(facet));
    for x in &days {
        for y in numbers() {
            for (sign, size) in [("+", 1.0), ("-", -1.0)] {
                if target.holds(&|row| x.values[row] + size * y.values[row]) {
                    return Some(format!("{} {sign} {}", x.term()?, y.term()?));
                }
            }
        }
    }
    None
}

fn days<'a>(sources: &[usize], facets: &'a [Facet]) -> Vec<&'a Facet> {
    sources.iter().map(|&place| &facets[place]).filter(|facet| facet.sort == Sort::Day).collect()
}

/// The day, counted from 1970-01-01, as a date.
pub(super) fn date_of(day: f64) -> Option<NaiveDate> {
    let midnight = if day.is_nan() { None } else { DateTime::from_timestamp(day as i64 * SECONDS, 0) };
    midnight.map(|midnight| midnight.date_naive())
}

fn year(day: f64) -> f64 {
    date_of(day).map_or(f64::NAN, |date| f64::from(date.year()))
}

fn month(day: f64) -> f64 {
    date_of(day).map_or(f64::NAN, |date| f64::from(date.month()))
}
