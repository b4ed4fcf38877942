//! The cuts of a column, and the position of every row among them.
//!
//! A column with C cuts has codes 0..=C. In an ordered column the rows inside cut t are those with code <= t; in
//! a nominal one those with code = t, and code C is every level without a cut of its own. Counts along an ordered
//! axis are therefore cumulative and along a nominal one plain, and nothing else tells the two apart in the
//! searches.

use super::super::{Predictor, Stacked};
use super::tree::Cut;
use crate::progress;
use crate::table::MISSING_CODE;

/// A column as the searches see it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    /// The cuts, lowest first; the first is missing | present.
    pub(super) cuts: Vec<Cut>,
    /// Whether cuts contain all lower codes, or one code each.
    pub(super) ordered: bool,
}

impl Axis {
    /// Number of cuts.
    pub(super) fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Number of codes.
    pub(super) fn codes(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The codes inside a cut: those c with c - first <= span, in wrapping arithmetic.
    pub(super) fn inside(&self, cut: usize) -> (u32, u32) {
        if self.ordered { (0, cut as u32) } else { (cut as u32, 0) }
    }
}

/// Rows by their codes, real rows first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    /// Per column the code of every row.
    pub(super) codes: Vec<Vec<u32>>,
    /// Number of real rows.
    pub(super) real: usize,
    /// Number of rows.
    pub(super) all: usize,
}

impl Rows {
    /// Synthetic minus real rows (d), and rows (m).
    pub(super) fn totals(&self) -> (f64, f64) {
        ((self.all as f64) - 2.0 * self.real as f64, self.all as f64)
    }

    /// The rows inside a cut, and the others.
    pub(super) fn split(&self, axis: &Axis, column: usize, cut: usize) -> (Self, Self) {
        let (first, span) = axis.inside(cut);
        let inside: Vec<bool> =
            self.codes[column].iter().map(|code| code.wrapping_sub(first) <= span).collect();
        let take = |side: bool| {
            let pick = |codes: &Vec<u32>| {
                let rows = codes.iter().zip(&inside).filter(|&(_, &inside)| inside == side);
                rows.map(|(&code, _)| code).collect()
            };
            Self {
                codes: self.codes.iter().map(pick).collect(),
                real: inside[..self.real].iter().filter(|&&inside| inside == side).count(),
                all: inside.iter().filter(|&&inside| inside == side).count(),
            }
        };
        (take(true), take(false))
    }
}

/// Axes and rows, for all columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Coded {
    pub(super) axes: Vec<Axis>,
    pub(super) rows: Rows,
}

impl Coded {
    /// Cuts at `count` quantiles of the synthetic rows and at both ends of their range, or at the `count` most
    /// frequent levels among them.
    pub(super) fn binned(stacked: &Stacked, count: usize) -> Self {
        let real = stacked.real_rows();
        Self::of_columns(stacked, |predictor| match predictor {
            Predictor::Ordered(values) => at_cuts(values, quantile_cuts(&values[real..], count)),
            Predictor::Nominal { codes, levels } => {
                at_levels(codes, frequent_levels(&codes[real..], *levels, count), *levels)
            }
        })
    }

    /// Cuts between all adjacent values, and at all levels.
    pub(super) fn all(stacked: &Stacked) -> Self {
        Self::of_columns(stacked, |predictor| match predictor {
            Predictor::Ordered(values) => at_all_thresholds(values),
            Predictor::Nominal { codes, levels } => at_levels(codes, (0..*levels as u32).collect(), *levels),
        })
    }

    fn of_columns(stacked: &Stacked, code: impl Fn(&Predictor) -> (Axis, Vec<u32>)) -> Self {
        let code = |predictor| {
            progress::check();
            code(predictor)
        };
        let (axes, codes) = stacked.predictors().iter().map(code).unzip();
        Self { axes, rows: Rows { codes, real: stacked.real_rows(), all: stacked.rows() } }
    }
}

/// Cuts at `count` quantiles of the present values (fewer where values repeat), and at both ends of their range.
///
/// The ends matter because real rows may lie beyond them: without a cut below the lowest value, a real column of zeros
/// could not be told from a synthetic column of ones.
fn quantile_cuts(synthetic: &[f64], count: usize) -> Vec<Cut> {
    let mut present: Vec<f64> = synthetic.iter().copied().filter(|value| !value.is_nan()).collect();
    present.sort_unstable_by(f64::total_cmp);
    // The lowest value that at least a share k / (count + 1) of the rows do not exceed.
    let quantile = |k: usize| present.get((k * present.len()).div_ceil(count + 1).checked_sub(1)?).copied();
    let mut thresholds: Vec<f64> = (1..=count + 1).filter_map(quantile).collect();
    thresholds.dedup();
    let mut cuts = vec![Cut::Missing];
    cuts.extend(present.first().map(|&lowest| Cut::Below(lowest)));
    cuts.extend(thresholds.into_iter().map(Cut::AtMost));
    cuts
}

/// At most `count` levels, the most frequent among these rows, in the order of their numbers.
fn frequent_levels(synthetic: &[u32], levels: usize, count: usize) -> Vec<u32> {
    let mut kept: Vec<u32> = (0..levels as u32).collect();
    if levels > count {
        let mut frequency = vec![0_u32; levels];
        for &code in synthetic.iter().filter(|&&code| code != MISSING_CODE) {
            frequency[code as usize] += 1;
        }
        // Stable: equally frequent levels stay in the order of their numbers.
        kept.sort_by_key(|&level| std::cmp::Reverse(frequency[level as usize]));
        kept.truncate(count);
        kept.sort_unstable();
    }
    kept
}

/// An ordered column with given cuts, as [`quantile_cuts`] makes them.
fn at_cuts(values: &[f64], cuts: Vec<Cut>) -> (Axis, Vec<u32>) {
    let thresholds: Vec<f64> = cuts
        .iter()
        .filter_map(|cut| if let Cut::AtMost(threshold) = cut { Some(*threshold) } else { None })
        .collect();
    let lowest = cuts.iter().find_map(|cut| if let Cut::Below(lowest) = cut { Some(*lowest) } else { None });
    let code = |&value: &f64| match lowest {
        _ if value.is_nan() => 0,
        Some(lowest) if value >= lowest => {
            2 + thresholds.partition_point(|&threshold| threshold < value) as u32
        }
        _ => 1,
    };
    let codes = values.iter().map(code).collect();
    (Axis { cuts, ordered: true }, codes)
}

/// An ordered column with a cut between any two adjacent values.
fn at_all_thresholds(values: &[f64]) -> (Axis, Vec<u32>) {
    let mut present: Vec<(f64, u32)> = Vec::with_capacity(values.len());
    present
        .extend((0_u32..).zip(values).filter(|(_, value)| !value.is_nan()).map(|(row, &value)| (value, row)));
    present.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let mut codes = vec![0; values.len()];
    let mut cuts = vec![Cut::Missing];
    let mut previous: Option<f64> = None;
    for (value, row) in present {
        if let Some(lower) = previous
            && lower != value
        {
            cuts.push(Cut::AtMost(between(lower, value)));
        }
        previous = Some(value);
        codes[row as usize] = cuts.len() as u32;
    }
    (Axis { cuts, ordered: true }, codes)
}

/// A threshold t with lower <= t < upper: the midpoint, where there is one.
fn between(lower: f64, upper: f64) -> f64 {
    let middle = lower / 2.0 + upper / 2.0;
    if lower <= middle && middle < upper { middle } else { lower }
}

/// A nominal column with cuts at given levels, in increasing order.
fn at_levels(codes: &[u32], kept: Vec<u32>, levels: usize) -> (Axis, Vec<u32>) {
    let mut position = vec![1 + kept.len() as u32; levels];
    for (index, &level) in (1_u32..).zip(&kept) {
        position[level as usize] = index;
    }
    let code = |&code: &u32| if code == MISSING_CODE { 0 } else { position[code as usize] };
    let codes = codes.iter().map(code).collect();
    let mut cuts = vec![Cut::Missing];
    cuts.extend(kept.into_iter().map(Cut::Level));
    (Axis { cuts, ordered: false }, codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_spread_rows_evenly() {
        let cuts = |values: &[f64], count, expected: (f64, &[f64])| {
            let mut all = vec![Cut::Missing, Cut::Below(expected.0)];
            all.extend(expected.1.iter().map(|&threshold| Cut::AtMost(threshold)));
            assert_eq!(quantile_cuts(values, count), all);
        };
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        cuts(&values, 4, (0.0, &[19.0, 39.0, 59.0, 79.0, 99.0]));
        cuts(&[2.0, 1.0, f64::NAN], 8, (1.0, &[1.0, 2.0]));
        cuts(&[1.0, 1.0, 1.0, 5.0], 3, (1.0, &[1.0, 5.0]));
        assert_eq!(quantile_cuts(&[f64::NAN], 3), [Cut::Missing]);
        let (_, codes) = at_cuts(&[0.0, 1.0, 2.0, 5.0, 6.0, f64::NAN], quantile_cuts(&[1.0, 1.0, 5.0], 2));
        assert_eq!(codes, [1, 2, 3, 3, 4, 0]);
    }

    #[test]
    fn midpoints_separate_their_neighbours() {
        for (lower, upper) in [(1.0, 2.0), (-f64::MAX, f64::MAX), (0.0, 5e-324), (1.0, 1.0 + f64::EPSILON)] {
            let threshold = between(lower, upper);
            assert!(lower <= threshold && threshold < upper);
        }
        let (axis, codes) = at_all_thresholds(&[2.0, f64::NAN, -0.0, 0.0, 4.0]);
        assert_eq!(codes, [2, 0, 1, 1, 3]);
        assert_eq!(axis.cuts, [Cut::Missing, Cut::AtMost(1.0), Cut::AtMost(3.0)]);
    }

    #[test]
    fn frequent_levels_prefer_low_numbers() {
        assert_eq!(frequent_levels(&[3, 3, 1, 0, MISSING_CODE, MISSING_CODE], 5, 2), [0, 3]);
        assert_eq!(frequent_levels(&[], 3, 3), [0, 1, 2]);
        let (axis, codes) = at_levels(&[0, 1, MISSING_CODE, 3], vec![0, 3], 4);
        assert_eq!(codes, [1, 3, 0, 2]);
        assert_eq!(axis.cuts, [Cut::Missing, Cut::Level(0), Cut::Level(3)]);
    }
}
