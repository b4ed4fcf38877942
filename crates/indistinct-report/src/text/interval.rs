//! Numbers with their error bars, as people and scripts read them.

use std::fmt::Write;

use indistinct::Word;
use indistinct::interval::Of;
use indistinct_io::interval::{Intervals, StatisticInterval};
use indistinct_io::one_line;
use serde::Serialize;

use super::combination::number;
use super::grid;
use crate::chart::number::digits_within;

/// Significant digits of numbers whose bars are as wide as is usual.
const DIGITS: usize = 5;
/// Numbers that are written in full where their digits are needed.
const LONGEST: f64 = 1e12;

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    statistics: Vec<Entry<'a>>,
    replicates: usize,
    of: &'static str,
    seed: u64,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Entry<'a> {
    statistic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<&'a str>,
    estimate: Option<f64>,
    se: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    level: f64,
    /// Rehearsals in which it was undefined.
    undefined: usize,
}

impl<'a> Entry<'a> {
    fn of(one: &'a StatisticInterval, level: f64) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        let StatisticInterval { statistic, term, interval } = one;
        Self {
            statistic,
            term: term.as_deref(),
            estimate: finite(interval.estimate),
            se: finite(interval.se),
            low: finite(interval.low),
            high: finite(interval.high),
            level,
            undefined: interval.undefined,
        }
    }
}

/// Numbers with their bars as a script reads them; null where one is undefined.
pub fn interval_document(found: &Intervals) -> impl Serialize + use<'_> {
    Document {
        statistics: found.statistics.iter().map(|one| Entry::of(one, found.options.level)).collect(),
        replicates: found.options.replicates,
        of: found.options.of.word(),
        seed: found.options.seed,
        notes: &found.notes,
    }
}

/// Numbers with their bars as a person reads them, without notes if `quiet`.
pub fn interval_text(found: &Intervals, quiet: bool) -> String {
    let level = percent(found.options.level);
    let target = match found.options.of {
        Of::Population => "the population",
        Of::Table => "the private table itself",
    };
    let (low, high) = (format!("low {level}"), format!("high {level}"));
    let mut table = grid(&["", "estimate", "std. error", &low, &high], &[0]);
    let mut before: Option<&str> = None;
    for one in &found.statistics {
        let name = match &one.term {
            None => one_line(&one.statistic),
            Some(term) => {
                if before != Some(&one.statistic) {
                    table.add_row([
                        one_line(&one.statistic),
                        String::new(),
                        String::new(),
                        String::new(),
                        String::new(),
                    ]);
                }
                format!("  {}", one_line(term))
            }
        };
        before = Some(&one.statistic);
        let interval = one.interval;
        let width = interval.high - interval.low;
        table.add_row([
            name,
            shown(interval.estimate, width),
            shown(interval.se, 0.0),
            shown(interval.low, width),
            shown(interval.high, width),
        ]);
    }
    let mut text = format!(
        "{level} intervals for {target}, by {} rehearsals of the release; at no cost to privacy\n{table}\n",
        found.options.replicates
    );
    for note in found.notes.iter().filter(|_| !quiet) {
        let _ = writeln!(text, "note: {}", one_line(note));
    }
    text
}

/// A number with the digits that the width of its bar needs, or a dash where it is undefined.
fn shown(value: f64, width: f64) -> String {
    match digits_within(value, width) {
        _ if !value.is_finite() => "-".to_owned(),
        Some((digits, decimals)) if digits > DIGITS && value.abs() < LONGEST => format!("{value:.decimals$}"),
        Some((digits, _)) if digits > DIGITS => format!("{value:.*e}", digits - 1),
        _ => number(value),
    }
}

/// A probability as a percentage.
pub(crate) fn percent(level: f64) -> String {
    let percent = (level * 1e12).round() / 1e10;
    format!("{percent} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_bars_need() {
        assert_eq!(shown(1_000_000_060.0, 142.0), "1000000060");
        assert_eq!(shown(999_999_989.5, 1.42), "999999989.50");
        assert_eq!(shown(1.5e15, 1e8), "1.500000000e15");
        assert_eq!(shown(74.13, 3.238), number(74.13));
        assert_eq!((shown(5.0, 0.0), shown(f64::NAN, f64::NAN)), ("5.0000".to_owned(), "-".to_owned()));
    }
}
