//! Error bars on the page of a release, by rehearsals of it.

use indistinct::table::{ColumnSchema, ColumnType, Schema};
use indistinct_io::interval::{Intervals, StatisticInterval};
use serde::Serialize;

use crate::page::Figure;
use crate::page::interval::{bar, defined_within};
use crate::page::words::{count, shown_sentence};
use crate::text::percent;

/// Most columns whose numbers have bars.
const COLUMNS: usize = 40;
/// Most levels of a category whose shares have bars.
const LEVELS: usize = 8;
/// Most columns whose correlations have bars.
const CORRELATED: usize = 9;

/// The statistics that the page shows with bars, in the language of `indistinct interval`.
pub fn page_statistics(schema: &Schema) -> Vec<String> {
    // Names and levels with quotes in them cannot be written.
    let named = |column: &&ColumnSchema| !column.name().contains('`');
    let columns: Vec<&ColumnSchema> = schema.columns().iter().filter(named).take(COLUMNS).collect();
    let mut statistics: Vec<String> = columns.iter().flat_map(|column| of_column(column)).collect();
    let with_order = |column: &&&ColumnSchema| {
        matches!(column.kind(), ColumnType::Float | ColumnType::Integer | ColumnType::Boolean { .. })
    };
    let numbers: Vec<&&ColumnSchema> = columns.iter().filter(with_order).take(CORRELATED).collect();
    for (place, one) in numbers.iter().enumerate() {
        for other in &numbers[place + 1..] {
            statistics.push(format!("cor(`{}`, `{}`)", one.name(), other.name()));
        }
    }
    statistics
}

fn of_column(column: &ColumnSchema) -> Vec<String> {
    let name = column.name();
    match column.kind() {
        ColumnType::Float | ColumnType::Integer => {
            vec![format!("mean(`{name}`)"), format!("median(`{name}`)")]
        }
        ColumnType::Boolean { .. } => vec![format!("share(`{name}`)")],
        kind => {
            let levels = kind.levels().map_or(&[][..], |levels| levels);
            let writable = levels.iter().filter(|level| !level.contains(['\'', '\\']));
            writable.take(LEVELS).map(|level| format!("share(`{name}` == '{level}')")).collect()
        }
    }
}

/// Numbers of the release with their bars.
#[derive(Serialize)]
pub(super) struct Bars {
    level: String,
    replicates: String,
    numbers: Vec<Barred>,
    associations: Vec<Barred>,
}

#[derive(Serialize)]
struct Barred {
    name: String,
    estimate: String,
    low: String,
    high: String,
    figure: Option<Figure>,
    /// Whether noise alone may have made an association.
    may_be_noise: bool,
}

impl Bars {
    pub(super) fn of(found: &Intervals) -> Self {
        let (associations, numbers): (Vec<&StatisticInterval>, Vec<&StatisticInterval>) =
            found.statistics.iter().partition(|one| one.statistic.starts_with("cor("));
        let barred = |one: &StatisticInterval| Barred {
            name: shown_sentence(&one.statistic.replace('`', "")),
            estimate: defined_within(one.interval.estimate, one.interval.high - one.interval.low),
            low: defined_within(one.interval.low, one.interval.high - one.interval.low),
            high: defined_within(one.interval.high, one.interval.high - one.interval.low),
            figure: bar(&one.interval).map(|svg| Figure::new(svg, "")),
            may_be_noise: one.interval.low <= 0.0 && one.interval.high >= 0.0,
        };
        Self {
            level: percent(found.options.level),
            replicates: count(found.options.replicates as u64),
            numbers: numbers.into_iter().map(barred).collect(),
            associations: associations.into_iter().map(barred).collect(),
        }
    }
}
