//! Rows of columns, counted in bins or by level.

use indistinct::table::{MISSING_CODE, Values};

use super::{LevelPlaces, Side, levels};

/// Number of bins of a histogram, for one table and for two.
const BINS: usize = 30;
const BINS_OF_TWO: usize = 20;
/// Widest range of whole numbers that have a bar each.
const SEPARATE: f64 = 24.0;
/// Largest number with halves between whole numbers.
const LARGEST_WHOLE: f64 = 1e15;
/// Number of levels without an order that have a bar of their own.
const LEVELS: usize = 9;

/// The counts of a column.
pub(super) struct Counted {
    /// Ends of bins, or names of levels.
    pub(super) places: Places,
    /// Rows, for each side and each place.
    pub(super) counts: Vec<Vec<u64>>,
    /// For each side, the number of rows that have a value.
    pub(super) present: Vec<u64>,
    /// For each side, the number of rows beyond the bins.
    pub(super) beyond: Vec<u64>,
    /// The levels of each place, by their positions in the first side's column; none where there are bins.
    pub(super) members: Vec<Vec<usize>>,
}

pub(super) enum Places {
    Bins { edges: Vec<f64>, whole: bool },
    Levels(Vec<String>),
}

/// Levels of all sides, frequent ones first where they have no order.
pub(super) fn count_levels(sides: &[Side]) -> Counted {
    let mut names: Vec<String> = Vec::new();
    let mut place = std::collections::HashMap::new();
    let mut counts: Vec<Vec<u64>> = Vec::new();
    for side in sides {
        let spelled = levels(side.column.schema().kind()).unwrap_or_default();
        let own: Vec<usize> = spelled
            .iter()
            .map(|level| {
                *place.entry(level.clone()).or_insert_with(|| {
                    names.push(level.clone());
                    names.len() - 1
                })
            })
            .collect();
        let mut found = vec![0; names.len()];
        if let Values::Code(codes) = side.column.values() {
            for &code in codes.iter().filter(|&&code| code != MISSING_CODE) {
                found[own[code as usize]] += 1;
            }
        }
        counts.push(found);
    }
    for found in &mut counts {
        found.resize(names.len(), 0);
    }
    let places = LevelPlaces::of(sides[0].column.schema().kind(), &names, &counts[0], LEVELS + 1);
    let rows = |found: &Vec<u64>, members: &Vec<usize>| members.iter().map(|&level| found[level]).sum();
    let present = counts.iter().map(|found| found.iter().sum()).collect();
    let counts =
        counts.iter().map(|found| places.members.iter().map(|of| rows(found, of)).collect()).collect();
    let LevelPlaces { names, members } = places;
    Counted { places: Places::Levels(names), counts, present, beyond: vec![0; sides.len()], members }
}

pub(super) fn count_numbers(sides: &[Side]) -> Counted {
    let values: Vec<Vec<f64>> = sides
        .iter()
        .map(|side| side.column.values().to_reals().into_iter().filter(|value| !value.is_nan()).collect())
        .collect();
    // Whole numbers that a reader had to take for real ones, because some are missing, are whole all the same.
    let whole = values.iter().flatten().all(|value| value.fract() == 0.0 && value.abs() < LARGEST_WHOLE);
    let most = if sides.len() > 1 { BINS_OF_TWO } else { BINS };
    let edges = edges(values.iter().flatten().copied().collect(), whole, most);
    let (mut counts, mut beyond) = (Vec::new(), Vec::new());
    for values in &values {
        let mut found = vec![0; edges.len().saturating_sub(1)];
        let mut outside = 0;
        for &value in values {
            // The last bin has both its ends.
            let bin = edges.partition_point(|edge| *edge <= value);
            let bin = if edges.last() == Some(&value) { bin - 1 } else { bin };
            match bin.checked_sub(1).and_then(|bin| found.get_mut(bin)) {
                Some(bin) => *bin += 1,
                None => outside += 1,
            }
        }
        counts.push(found);
        beyond.push(outside);
    }
    let present = values.iter().map(|values| values.len() as u64).collect();
    let members = Vec::new();
    Counted { places: Places::Bins { edges, whole }, counts, present, beyond, members }
}

/// Ends of bins of equal width over the bulk of the values: far tails would leave nothing to see.
fn edges(mut values: Vec<f64>, whole: bool, most: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let (Some(&least), Some(&largest)) = (values.first(), values.last()) else { return Vec::new() };
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    let (low, high) = (at(0.01), at(0.99));
    let reach = (high - low) / 2.0;
    let (low, high) =
        if reach > 0.0 { (least.max(low - reach), largest.min(high + reach)) } else { (least, largest) };
    if whole && high - low <= SEPARATE {
        let bars = (high - low) as usize + 1;
        return (0..=bars).map(|bar| low - 0.5 + bar as f64).collect();
    }
    if low == high {
        let half = if low == 0.0 { 0.5 } else { low.abs() * 0.05 };
        return vec![low - half, low + half];
    }
    let bins = most.min(((values.len() as f64).sqrt() as usize).max(6));
    if whole {
        let width = ((high - low + 1.0) / bins as f64).ceil();
        let bins = ((high - low + 1.0) / width).ceil() as usize;
        return (0..=bins).map(|bin| low.floor() - 0.5 + bin as f64 * width).collect();
    }
    // Halves, because the whole width may be too large for a number.
    let step = (high / 2.0 - low / 2.0) / bins as f64 * 2.0;
    let mut edges: Vec<f64> = (0..bins).map(|bin| low + step * bin as f64).collect();
    edges.push(high);
    edges.dedup();
    edges
}
