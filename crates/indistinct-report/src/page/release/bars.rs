//! Error bars on the page of a release, by rehearsals of it.

use std::collections::{HashMap, HashSet};

use indistinct::interval::{Interval, NumberKind, Of, Series};
use indistinct::progress::Progress;
use indistinct::synthesis::Release;
use indistinct::table::{Column, ColumnSchema, ColumnType, MISSING_CODE, Table, Values};
use indistinct_io::Failure;
use indistinct_io::interval::{IntervalOptions, Intervals, PERSONS, StatisticInterval, intervals_of_release};
use serde::Serialize;

use super::dependence::Associations;
use crate::page::Figure;
use crate::page::interval::{bar, defined_within};
use crate::page::words::{count, shown_sentence};
use crate::text::percent;

/// Most columns whose numbers have bars.
const COLUMNS: usize = 40;
/// Most levels of a category whose shares have bars: the most frequent ones.
const LEVELS: usize = 12;
/// Most columns whose correlations have bars.
const CORRELATED: usize = 9;

/// The bars of the numbers on the page of a release, by rehearsals.
#[derive(Debug)]
pub struct ReleaseBars {
    found: Intervals,
    /// Tables of the release, over which numbers are means.
    tables: usize,
    /// Pairs of columns whose association noise alone may have made.
    may_be_noise: HashSet<(usize, usize)>,
    /// Whether persons may own several rows.
    persons: bool,
}

impl ReleaseBars {
    /// Rehearses a release of which these are all tables.
    ///
    /// # Errors
    /// When it has no tables, or cannot be rehearsed.
    pub fn of(
        release: &Release,
        tables: &[Table],
        replicates: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Failure> {
        let Some(first) = tables.first() else { return Err(Failure::failed("the release has no tables")) };
        let mut options = IntervalOptions::default();
        options.replicates = replicates;
        let associations = Associations::shown_of(first);
        // The page shows associations of the first table only.
        let own = |tables: &[Table]| associations.values(&tables[0]);
        let texts = page_statistics(first);
        let (found, of_pairs) = intervals_of_release(release, tables, &texts, &own, &options, progress)?;
        let holds_zero = |series: Series| {
            let interval =
                Series { kind: NumberKind::Association, ..series }.interval(Of::Population, options.level);
            interval.low <= 0.0 && interval.high >= 0.0
        };
        let pairs = associations.pairs().iter().copied().zip(of_pairs);
        let may_be_noise = pairs.filter_map(|(pair, series)| holds_zero(series).then_some(pair)).collect();
        let persons = release.certified().is_some_and(|certificate| certificate.rows_per_person().get() > 1);
        Ok(Self { found, tables: tables.len(), may_be_noise, persons })
    }

    /// Whether noise alone may have made the association of two columns, the smaller position first.
    pub(super) fn may_be_noise(&self, pair: (usize, usize)) -> bool {
        self.may_be_noise.contains(&pair)
    }

    /// Error bars of the shares of a column's levels, by the position of the level.
    pub(super) fn of_levels(&self, column: &ColumnSchema) -> impl Fn(usize) -> Option<[f64; 2]> {
        let statistics = self.found.statistics.iter();
        let by_text: HashMap<&str, Interval> =
            statistics.map(|one| (one.statistic.as_str(), one.interval)).collect();
        let ends = |text: String| by_text.get(text.as_str()).map(|found| [found.low, found.high]);
        let reaches: Vec<Option<[f64; 2]>> = match column.kind() {
            ColumnType::Boolean { .. } => {
                let of_true = ends(share_of_true(column.name()));
                vec![of_true.map(|[low, high]| [1.0 - high, 1.0 - low]), of_true]
            }
            kind => {
                let levels = kind.levels().map_or(&[][..], |levels| levels);
                levels.iter().map(|level| ends(share_of_level(column.name(), level))).collect()
            }
        };
        move |level| reaches.get(level).copied().flatten()
    }
}

/// The statistics that the page shows with bars, in the language of `indistinct interval`.
fn page_statistics(table: &Table) -> Vec<String> {
    // Names with back quotes in them cannot be written.
    let named = |column: &&Column| !column.name().contains('`');
    let columns: Vec<&Column> = table.columns().iter().filter(named).take(COLUMNS).collect();
    let mut statistics: Vec<String> = columns.iter().flat_map(|column| of_column(column)).collect();
    let with_order = |column: &&&Column| {
        matches!(column.schema().kind(), ColumnType::Float | ColumnType::Integer | ColumnType::Boolean { .. })
    };
    let numbers: Vec<&&Column> = columns.iter().filter(with_order).take(CORRELATED).collect();
    for (place, one) in numbers.iter().enumerate() {
        for other in &numbers[place + 1..] {
            statistics.push(format!("cor(`{}`, `{}`)", one.name(), other.name()));
        }
    }
    statistics
}

fn of_column(column: &Column) -> Vec<String> {
    let name = column.name();
    match column.schema().kind() {
        ColumnType::Float | ColumnType::Integer => {
            vec![format!("mean(`{name}`)"), format!("median(`{name}`)")]
        }
        ColumnType::Boolean { .. } => vec![share_of_true(name)],
        kind => {
            let levels = kind.levels().map_or(&[][..], |levels| levels);
            let mut frequent: Vec<usize> = (0..levels.len()).collect();
            let rows = rows_by_level(column, levels.len());
            frequent.sort_by_key(|&level| std::cmp::Reverse(rows[level]));
            frequent.truncate(LEVELS);
            frequent.sort_unstable();
            frequent.into_iter().map(|level| share_of_level(name, &levels[level])).collect()
        }
    }
}

fn rows_by_level(column: &Column, levels: usize) -> Vec<usize> {
    let mut rows = vec![0; levels];
    if let Values::Code(codes) = column.values() {
        for &code in codes.iter().filter(|&&code| code != MISSING_CODE) {
            rows[code as usize] += 1;
        }
    }
    rows
}

fn share_of_true(name: &str) -> String {
    format!("share(`{name}`)")
}

fn share_of_level(name: &str, level: &str) -> String {
    // A doubled quote stands for one.
    format!("share(`{name}` == '{}')", level.replace('\'', "''"))
}

/// Numbers of the release with their bars.
#[derive(Serialize)]
pub(super) struct Bars {
    level: String,
    replicates: String,
    /// The number of tables, where there are several.
    tables: Option<String>,
    numbers: Vec<Barred>,
    associations: Vec<Barred>,
    /// A note on all of them.
    note: &'static str,
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
    pub(super) fn of(bars: &ReleaseBars) -> Self {
        let ReleaseBars { found, tables, persons, .. } = bars;
        let (associations, numbers): (Vec<&StatisticInterval>, Vec<&StatisticInterval>) =
            found.statistics.iter().partition(|one| one.statistic.starts_with("cor("));
        let barred = |one: &StatisticInterval| {
            let Interval { estimate, low, high, .. } = one.interval;
            let told = |value: f64| defined_within(value, high - low);
            Barred {
                name: shown_sentence(&one.statistic.replace('`', "")),
                estimate: told(estimate),
                low: told(low),
                high: told(high),
                figure: bar(&one.interval).map(|svg| Figure::new(svg, "")),
                may_be_noise: low <= 0.0 && high >= 0.0,
            }
        };
        Self {
            level: percent(found.options.level),
            replicates: count(found.options.replicates as u64),
            tables: (*tables > 1).then(|| count(*tables as u64)),
            numbers: numbers.into_iter().map(barred).collect(),
            associations: associations.into_iter().map(barred).collect(),
            note: if *persons { PERSONS } else { "" },
        }
    }
}
