//! Groups of numbers: age groups of ages, a flag from some value on.

use chrono::Datelike;
use indistinct::table::ColumnType;

use super::Proposal;
use super::dates::date_of;
use crate::draft::facets::{Facet, Sort};

/// Most groups.
const MOST: usize = 30;
/// Fewest rows of a group.
const ROWS: usize = 5;
/// Fewest rows of all groups but the largest: chance does not sort so many.
const EVIDENCE: usize = 30;
/// Fewest different numbers for each group.
const DIFFERENT: usize = 2;

/// The numbers of one group.
#[derive(Clone, Copy)]
struct Group {
    level: usize,
    low: f64,
    high: f64,
    rows: usize,
}

/// The column as groups of a number, if it is that.
pub(super) fn cut(
    column: usize,
    sources: &[usize],
    facets: &[Facet],
    kinds: &[ColumnType],
) -> Option<Proposal> {
    let target = &facets[column];
    let Sort::Level(levels) = target.sort else { return None };
    if !(2..=MOST).contains(&levels) || target.different != levels {
        return None;
    }
    for &place in sources {
        let source = &facets[place];
        if !(source.is_number() || source.sort == Sort::Day) || source.different < DIFFERENT * levels {
            continue;
        }
        let Some(groups) = groups(target, source, levels) else { continue };
        let points: Vec<f64> =
            groups.windows(2).map(|pair| cut_point(pair[0].high, pair[1].low, source)).collect();
        let order: Vec<usize> = groups.iter().map(|group| group.level).collect();
        let term = source.term()?;
        let spelled: Vec<String> = points.iter().map(|&point| spelled(point, source)).collect();
        if let ColumnType::Boolean { .. } = kinds[column] {
            let sign = if order == [0, 1] { ">=" } else { "<" };
            return Some(Proposal::new(column, format!("{term} {sign} {}", spelled[0])));
        }
        let mut proposal = Proposal::new(column, format!("cut({term}, {})", spelled.join(", ")));
        proposal.levels = Some(order);
        return Some(proposal);
    }
    None
}

/// The groups from low to high, if no two overlap.
fn groups(target: &Facet, source: &Facet, levels: usize) -> Option<Vec<Group>> {
    let none = |level| Group { level, low: f64::INFINITY, high: f64::NEG_INFINITY, rows: 0 };
    let mut groups: Vec<Group> = (0..levels).map(none).collect();
    for (&level, &value) in target.values.iter().zip(&source.values) {
        match (level.is_nan(), value.is_nan()) {
            (true, true) => {}
            (false, false) => {
                let group = &mut groups[level as usize];
                (group.low, group.high, group.rows) =
                    (group.low.min(value), group.high.max(value), group.rows + 1);
            }
            _ => return None,
        }
    }
    groups.sort_by(|one, other| one.low.total_cmp(&other.low));
    let rows: usize = groups.iter().map(|group| group.rows).sum();
    let largest = groups.iter().map(|group| group.rows).max()?;
    let apart = groups.windows(2).all(|pair| pair[0].high < pair[1].low);
    let enough = groups.iter().all(|group| group.rows >= ROWS) && rows - largest >= EVIDENCE;
    // Groups of one number each are names of the numbers.
    let wide = groups.iter().filter(|group| group.high > group.low).count() * 2 > groups.len();
    (apart && enough && wide).then_some(groups)
}

/// The roundest number above one group and not above the lowest of the next.
fn cut_point(high: f64, low: f64, source: &Facet) -> f64 {
    let decimals = match source.sort {
        Sort::Number { decimals: Some(decimals), .. } => decimals,
        Sort::Number { decimals: None, .. } => 12,
        _ => 0,
    };
    if source.sort == Sort::Day {
        return first_of(high, low);
    }
    let steps = (-6..=9).rev().flat_map(|power| [5.0, 2.0, 1.0].map(|digit| digit * 10_f64.powi(power)));
    for step in steps.filter(|step| *step >= 0.9 * 10_f64.powi(-(decimals as i32))) {
        let point = indistinct::table::round_to_decimals((low / step).floor() * step, decimals);
        if point > high && point <= low {
            return point;
        }
    }
    low
}

/// The first day of a year, or else of a month, above one day and not above another; that other if there is none.
fn first_of(high: f64, low: f64) -> f64 {
    let Some(date) = date_of(low) else { return low };
    let days_before = [date.ordinal0(), date.day0()];
    let firsts = days_before.map(|days| low - f64::from(days));
    firsts.into_iter().find(|&first| first > high).unwrap_or(low)
}

fn spelled(point: f64, source: &Facet) -> String {
    let mut text = String::new();
    if source.sort == Sort::Day {
        crate::cells::spell(crate::cells::Cell::Day(point as i32), &mut text);
        return format!("'{text}'");
    }
    text = format!("{point}");
    text
}
