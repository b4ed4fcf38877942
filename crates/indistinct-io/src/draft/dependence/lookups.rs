//! Columns that repeat another, or that the level of another decides.

use indistinct::table::{ColumnType, LookupValue};

use super::Proposal;
use crate::draft::facets::{Facet, Sort};

/// Most levels of a lookup.
const MOST: usize = 1000;
/// Rows in which chance would have given another value, at least, on average.
const EVIDENCE: f64 = 60.0;
/// Rows of each level on average, at least.
const ROWS_PER_LEVEL: usize = 10;

/// Whether a column has the values of another, in every row.
pub(super) fn is_copy(column: usize, source: usize, facets: &[Facet], kinds: &[ColumnType]) -> bool {
    let (one, other) = (&facets[column], &facets[source]);
    let same_type = match (&kinds[column], &kinds[source]) {
        (ColumnType::Nominal { levels: a }, ColumnType::Nominal { levels: b })
        | (ColumnType::Ordered { levels: a }, ColumnType::Ordered { levels: b }) => a == b,
        (
            ColumnType::Boolean { when_false: a, when_true: b },
            ColumnType::Boolean { when_false: c, when_true: d },
        ) => (a, b) == (c, d),
        (ColumnType::Float, ColumnType::Float) => one.sort == other.sort,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    same_type
        && (one.different, one.missing) == (other.different, other.missing)
        && doubt(one) >= EVIDENCE
        && one.values.iter().zip(&other.values).all(same)
}

/// Rows that do not have the most frequent value.
fn doubt(facet: &Facet) -> f64 {
    let mut values: Vec<f64> = facet.values.iter().copied().filter(|value| !value.is_nan()).collect();
    values.sort_by(f64::total_cmp);
    let most = values.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
    (values.len() - most) as f64
}

/// The column as a lookup of the levels of another, if it is that.
pub(super) fn lookup(
    column: usize,
    sources: &[usize],
    facets: &[Facet],
    kinds: &[ColumnType],
    any_order: bool,
) -> Option<Proposal> {
    let target = &facets[column];
    if !(target.is_level() || target.is_number()) {
        return None;
    }
    for &place in sources {
        let source = &facets[place];
        let Sort::Level(levels) = source.sort else { continue };
        // In any order only from finer to coarser: one of two that say the same is kept, the first.
        let coarser =
            target.different < source.different || !any_order && target.different == source.different;
        if levels > MOST
            || !coarser
            || source.different != levels
            || source.values.len() < ROWS_PER_LEVEL * levels
        {
            continue;
        }
        let Some(values) = values(target, source, levels) else { continue };
        let names = names(&kinds[place]);
        let entries: Option<Vec<(String, LookupValue)>> = names
            .into_iter()
            .zip(values)
            .map(|(name, value)| Some((name, entry(value, &kinds[column])?)))
            .collect();
        let mut proposal = Proposal::new(column, format!("lookup({})", source.term()?));
        proposal.derive.lookup = entries?.into_iter().collect();
        return Some(proposal);
    }
    None
}

/// The value of the target for every level of the source, if there is one for each, and that is no chance.
fn values(target: &Facet, source: &Facet, levels: usize) -> Option<Vec<f64>> {
    let mut values: Vec<Option<f64>> = vec![None; levels];
    let mut repeated = 0_usize;
    for (&value, &level) in target.values.iter().zip(&source.values) {
        if level.is_nan() {
            if !value.is_nan() {
                return None;
            }
            continue;
        }
        match &mut values[level as usize] {
            Some(known) if *known == value || known.is_nan() && value.is_nan() => repeated += 1,
            Some(_) => return None,
            none => *none = Some(value),
        }
    }
    let present = (target.values.len() - target.missing).max(1) as f64;
    let chance = doubt(target) / present;
    let all: Option<Vec<f64>> = values.into_iter().collect();
    all.filter(|all| repeated as f64 * chance >= EVIDENCE && all.iter().any(|value| !value.is_nan()))
}

/// The spellings of levels.
fn names(kind: &ColumnType) -> Vec<String> {
    match kind {
        ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => levels.to_vec(),
        ColumnType::Boolean { when_false, when_true } => vec![when_false.clone(), when_true.clone()],
        _ => Vec::new(),
    }
}

/// A value of the target as a lookup has it; an empty text where it is missing.
fn entry(value: f64, kind: &ColumnType) -> Option<LookupValue> {
    if value.is_nan() {
        return Some(LookupValue::Text(String::new()));
    }
    Some(match kind {
        ColumnType::Nominal { levels } | ColumnType::Ordered { levels } => {
            LookupValue::Text(levels.get(value as usize)?.clone())
        }
        ColumnType::Boolean { .. } => LookupValue::Truth(value == 1.0),
        _ => LookupValue::Number(value),
    })
}
