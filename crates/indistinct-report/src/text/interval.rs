//! Numbers with their error bars, as people and scripts read them.

use std::fmt::Write;

use indistinct::Word;
use indistinct::interval::Of;
use indistinct_io::interval::{Intervals, StatisticInterval};
use indistinct_io::one_line;
use serde::Serialize;

use super::combination::number;
use super::grid;

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
        table.add_row([
            name,
            shown(interval.estimate),
            shown(interval.se),
            shown(interval.low),
            shown(interval.high),
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

/// A number, or a dash where it is undefined.
fn shown(value: f64) -> String {
    if value.is_finite() { number(value) } else { "-".to_owned() }
}

/// A probability as a percentage.
pub(crate) fn percent(level: f64) -> String {
    let percent = (level * 1e12).round() / 1e10;
    format!("{percent} %")
}
