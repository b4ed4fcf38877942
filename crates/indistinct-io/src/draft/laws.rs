//! Rules that hold in all rows: one number never above another, and values that are missing whenever something else says so.
//!
//! Only what chance would break in many rows is proposed.

use super::facets::{Facet, Sort};
use indistinct::table::ColumnType;

/// Fewest rows in which a rule can be seen to hold.
const ROWS: usize = 200;
/// Share of rows in which chance would break `a <= b`, at least.
const BROKEN_BY_CHANCE: f64 = 0.05;
/// Fewest rows in which a value is missing for a reason.
const MISSING_ROWS: usize = 30;
/// Chance of that many missing values, at most, as a power of 1/e.
const UNLIKELY: f64 = 20.0;
/// A reason explains at least this share of all missing values of the column.
const EXPLAINED: f64 = 0.5;
/// Most rules.
const MOST: usize = 40;
/// Rows on which chance is judged.
const SAMPLE: usize = 2000;

/// Rules on columns; `is_free` tells which are not computed from others.
pub(super) fn find(facets: &[Facet], kinds: &[ColumnType], is_free: &dyn Fn(usize) -> bool) -> Vec<String> {
    let free: Vec<usize> =
        (0..facets.len()).filter(|&place| is_free(place) && facets[place].term().is_some()).collect();
    let mut rules = orders(facets, &free);
    rules.extend(free.iter().filter_map(|&place| reason(place, facets, kinds, &free)));
    rules.truncate(MOST);
    rules
}

/// Pairs of columns of which one is never above the other; those that follow from two others are left out.
fn orders(facets: &[Facet], free: &[usize]) -> Vec<String> {
    let mut below: Vec<(usize, usize)> = Vec::new();
    for &a in free {
        for &b in free {
            indistinct::progress::check();
            if a != b && is_never_above(&facets[a], &facets[b]) {
                below.push((a, b));
            }
        }
    }
    let follows = |&(a, b): &(usize, usize)| {
        below.iter().any(|&(low, middle)| low == a && middle != b && below.contains(&(middle, b)))
    };
    let term = |place: usize| facets[place].term();
    let kept = below.iter().filter(|pair| !follows(pair));
    kept.filter_map(|&(a, b)| Some(format!("{} <= {}", term(a)?, term(b)?))).collect()
}

fn is_never_above(a: &Facet, b: &Facet) -> bool {
    let comparable = a.is_number() && b.is_number() || a.sort == Sort::Day && b.sort == Sort::Day;
    if !comparable || a.different < 10 || b.different < 10 {
        return false;
    }
    let pairs = || a.values.iter().zip(&b.values).filter(|(a, b)| !a.is_nan() && !b.is_nan());
    if pairs().any(|(a, b)| a > b) || pairs().count() < ROWS || pairs().all(|(a, b)| a == b) {
        return false;
    }
    // Chance pairs a value with that of another row.
    let step = (pairs().count() / SAMPLE).max(1);
    let (low, high): (Vec<f64>, Vec<f64>) = pairs().step_by(step).map(|(a, b)| (*a, *b)).unzip();
    let mut sorted = high;
    sorted.sort_by(f64::total_cmp);
    let above: usize = low.iter().map(|value| sorted.partition_point(|other| other < value)).sum();
    above as f64 >= BROKEN_BY_CHANCE * (low.len() * sorted.len()) as f64
}

/// The rule that says best when the value of a column is missing.
fn reason(column: usize, facets: &[Facet], kinds: &[ColumnType], free: &[usize]) -> Option<String> {
    let target = &facets[column];
    let missing = target.missing;
    if missing < MISSING_ROWS || missing == target.values.len() || target.sort == Sort::Other {
        return None;
    }
    let per_row = (target.values.len() as f64 / missing as f64).ln();
    let is_enough = |rows: usize| {
        rows >= MISSING_ROWS && rows as f64 * per_row >= UNLIKELY && rows as f64 >= EXPLAINED * missing as f64
    };
    let mut best: Option<(usize, String)> = None;
    for &place in free.iter().filter(|&&place| place != column) {
        let source = &facets[place];
        let found = match source.sort {
            Sort::Number { .. } if source.different >= 5 => beyond(target, source),
            Sort::Level(levels) => levels_without(target, source, levels, &kinds[place]),
            _ => None,
        };
        if let Some((rows, condition)) = found
            && is_enough(rows)
            && best.as_ref().is_none_or(|(most, _)| rows > *most)
        {
            best = Some((rows, condition));
        }
    }
    let (_, condition) = best?;
    Some(format!("{} is missing when {condition}", target.term()?))
}

/// Numbers below, or above, which the target is missing in all rows: how many rows, and the condition.
fn beyond(target: &Facet, source: &Facet) -> Option<(usize, String)> {
    let pairs = || target.values.iter().zip(&source.values).filter(|(_, value)| !value.is_nan());
    let there = || pairs().filter(|(target, _)| !target.is_nan()).map(|(_, value)| *value);
    let (low, high) = (there().fold(f64::INFINITY, f64::min), there().fold(f64::NEG_INFINITY, f64::max));
    if !low.is_finite() {
        return None;
    }
    let below = pairs().filter(|(_, value)| **value < low).count();
    let above = pairs().filter(|(_, value)| **value > high).count();
    let term = source.term()?;
    Some(if below >= above {
        (below, format!("{term} < {low}"))
    } else {
        (above, format!("{term} > {high}"))
    })
}

/// Levels with which the target is missing in all rows.
fn levels_without(
    target: &Facet,
    source: &Facet,
    levels: usize,
    kind: &ColumnType,
) -> Option<(usize, String)> {
    let mut rows = vec![(0_usize, 0_usize); levels];
    for (value, level) in target.values.iter().zip(&source.values).filter(|(_, level)| !level.is_nan()) {
        let (all, missing) = &mut rows[*level as usize];
        *all += 1;
        *missing += usize::from(value.is_nan());
    }
    let without: Vec<usize> =
        (0..levels).filter(|&level| rows[level].0 >= 10 && rows[level].0 == rows[level].1).collect();
    if without.is_empty() || 2 * without.len() > levels + 1 {
        return None;
    }
    let count = without.iter().map(|&level| rows[level].0).sum();
    let term = source.term()?;
    let condition = match kind {
        ColumnType::Boolean { .. } => format!("{term} == {}", without[0] == 1),
        ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
            let names: Vec<String> =
                without.iter().map(|&level| format!("'{}'", levels[level].replace('\'', "''"))).collect();
            match names.as_slice() {
                [only] => format!("{term} == {only}"),
                several => format!("{term} in ({})", several.join(", ")),
            }
        }
        _ => return None,
    };
    Some((count, condition))
}
