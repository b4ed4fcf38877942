//! The search for a column anywhere among the doubles: its scale first, then its location at that scale.
//!
//! No bounds are asked of the user. The scale is the width 2^k at which two neighbouring cells [i 2^k, (i + 2)
//! 2^k) first hold half of the rows: a question about widths alone, whatever the location. The location is then
//! the fullest of public intervals that are 2^(k+1) wide near zero and grow geometrically away from it; an
//! interval chosen far out is divided again until it is as narrow as the scale. The number of divisions depends
//! on earlier choices, which are private already, and on nothing else.

use std::ops::Range;

use crate::privacy::StepError;
use crate::privacy::{Budget, Epsilon, Sensitivity, choose};
use crate::private::{PrivateNumbers, PrivateRows};

/// Exponents of the widths that are tried: far beyond any data, and away from the subnormal numbers.
pub(crate) const EXPONENTS: Range<i32> = -1000..1000;
/// Intervals of the scale's width on either side of zero; beyond them widths double with the distance.
const NEAR: i32 = 1 << 9;
/// Number of intervals on either side of zero that have no handicap.
const CLOSE: i32 = 1 << 3;
/// Parts into which a far interval is divided.
const PARTS: i32 = 1 << 10;

/// Most divisions of far intervals: a double has 53 binary digits, a division finds 10.
pub const MOST_DIVISIONS: usize = 5;

/// An interval that holds much of a column, about as wide as its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocatedInterval {
    /// Middle of the interval.
    pub location: f64,
    /// A guess at the standard deviation, right within a factor of about 1.5 for normal columns.
    pub scale: f64,
}

/// The exponent k of the width 2^k at which the fullest two neighbouring cells of a column first hold half of the
/// rows.
///
/// # Guarantee
/// The utility of k is minus the number of rows that would have to change for k to be the answer, so that one
/// substituted row moves it by at most 1 (`proofs/interval_search.md`, claims 3 and 4): it is built from two entries of
/// `PrivateNumbers::fullest_cells` and the number of rows that take part. Chosen by [`choose`].
///
/// # Errors
/// When the budget does not allow it.
pub fn scale(
    rows: &PrivateRows,
    column: usize,
    budget: &mut Budget,
    epsilon: Epsilon,
) -> Result<i32, StepError> {
    let step = format!("scale of {}", rows.name(column));
    let sensitivity = Sensitivity::interval_search("rows to change for the width to be right");
    let charge = budget.charge_choice(step, budget.worth(epsilon), sensitivity)?;
    let utilities = width_utilities(&rows.numbers(column));
    Ok(EXPONENTS.start + choose(charge, &utilities)? as i32)
}

/// For every width, minus the number of rows that would have to change for it to be the answer.
pub(crate) fn width_utilities(numbers: &PrivateNumbers) -> Vec<i64> {
    utilities_of_fullest(&numbers.fullest_cells(EXPONENTS), numbers.taking_part())
}

/// The utilities of widths, from the rows in the fullest cells of every width, and the number of rows that take
/// part.
pub(crate) fn utilities_of_fullest(fullest: &[i64], taking_part: usize) -> Vec<i64> {
    let half = taking_part.div_ceil(2) as i64;
    let utility = |place: usize| {
        let too_few = half - fullest[place];
        let too_many = if place == 0 { 0 } else { fullest[place - 1] - (half - 1) };
        -too_few.max(too_many).max(0)
    };
    (0..fullest.len()).map(utility).collect()
}

/// An interval about 2^(k+1) wide that holds many rows of the column. Every stage costs `epsilon`; stages after
/// the first are paid from `far`, and when that is used up the interval stays wide.
///
/// # Guarantee
/// Every stage chooses the fullest of fixed intervals by [`choose`]; a count moves by at most 1. The number of
/// stages depends on earlier choices only, and all of them are charged.
///
/// # Errors
/// When the budget does not allow it.
pub fn location(
    rows: &PrivateRows,
    column: usize,
    exponent: i32,
    budget: &mut Budget,
    epsilon: Epsilon,
    far: &mut Epsilon,
) -> Result<LocatedInterval, StepError> {
    let mut may_divide = || {
        let enough = *far >= epsilon;
        *far = far.saturating_sub(if enough { epsilon } else { Epsilon::ZERO });
        enough
    };
    let (cost, numbers) = (budget.worth(epsilon), rows.numbers(column));
    let width = libm::scalbn(1.0, exponent + 1);
    let mut edges = near_and_far(width);
    let mut stage = 0;
    loop {
        let step = format!("location, stage {}, of {}", stage + 1, rows.name(column));
        let charge = budget.charge_choice(step, cost, Sensitivity::interval_search("rows in an interval"))?;
        let utilities = interval_utilities(&numbers, &edges, (stage == 0).then_some(width));
        let chosen = choose(charge, &utilities)?;
        let (low, high) = (edges[chosen], edges[chosen + 1]);
        stage += 1;
        if high - low <= 1.5 * width || stage > MOST_DIVISIONS || !may_divide() {
            // Two cells that first hold half of a normal column are 0.67 to 1.5 standard deviations wide each.
            return Ok(LocatedInterval { location: f64::midpoint(low, high), scale: 0.5 * width });
        }
        edges = divided(low, high, width);
    }
}

/// The rows in every interval, minus a handicap for those far from zero in terms of a width.
pub(crate) fn interval_utilities(numbers: &PrivateNumbers, edges: &[f64], width: Option<f64>) -> Vec<i64> {
    let handicap = |place| width.map_or(0, |width| handicap(edges, place, width, numbers.taking_part()));
    let counts = numbers.interval_counts(edges).into_iter().enumerate();
    counts.map(|(place, count)| count - handicap(place)).collect()
}

/// Rows by which an interval away from zero must be fuller to be chosen: a public prior. Most columns lie within
/// a few of their own widths of zero, and there are thousands of intervals further out for chance to choose from;
/// a column that does lie out there has nearly all of its rows in one of them, and can spare some.
fn handicap(edges: &[f64], place: usize, width: f64, rows: usize) -> i64 {
    let distance = edges[place].abs().min(edges[place + 1].abs()) / width;
    let tenths = match distance {
        distance if distance < f64::from(CLOSE) => 0,
        distance if distance < f64::from(NEAR) => 1,
        _ => 2,
    };
    (rows as i64 * tenths) / 10
}

/// Edges that are `width` apart around zero and then grow, four to each doubling, out to the largest doubles.
pub(crate) fn near_and_far(width: f64) -> Vec<f64> {
    let mut positive: Vec<f64> = (1..=NEAR).map(|place| f64::from(place) * width).collect();
    let mut start = f64::from(NEAR) * width;
    while start < f64::MAX / 4.0 {
        positive.extend((1..=4).map(|part| start * (1.0 + f64::from(part) / 4.0)));
        start *= 2.0;
    }
    let negative = positive.iter().rev().map(|edge| -edge);
    negative.chain(std::iter::once(0.0)).chain(positive.iter().copied()).collect()
}

/// Edges of equal parts of an interval: no narrower than `width`, at least two, and no more than 1024.
pub fn divided(low: f64, high: f64, width: f64) -> Vec<f64> {
    let parts = (((high - low) / width).ceil().min(f64::from(PARTS)) as i32).max(2);
    let step = (high - low) / f64::from(parts);
    let mut edges: Vec<f64> = (0..parts).map(|part| low + f64::from(part) * step).collect();
    edges.push(high);
    edges.dedup();
    edges
}

/// Numbers that are not private, in the form that the search sees: for checks that enumerate its output laws.
#[derive(Debug)]
pub struct SearchedNumbers(PrivateNumbers);

impl SearchedNumbers {
    /// Takes the finite numbers among these.
    pub fn new(values: &[f64]) -> Self {
        Self(PrivateNumbers::new(values.iter().copied()))
    }

    /// The utilities by which [`scale`] chooses, for the widths 2^k, k in `exponents`, which ascend.
    pub fn width_utilities(&self, exponents: &[i32]) -> Vec<i64> {
        let fullest = self.0.fullest_cells(exponents.iter().copied());
        utilities_of_fullest(&fullest, self.0.taking_part())
    }

    /// The utilities by which [`location`] chooses, for the intervals between `edges`, which ascend: in its first
    /// stage with the chosen width, which handicaps those far from zero, and in later stages without.
    pub fn interval_utilities(&self, edges: &[f64], width: Option<f64>) -> Vec<i64> {
        interval_utilities(&self.0, edges, width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_ascend_and_reach_far() {
        for exponent in [-990, -3, 0, 40, 990] {
            let edges = near_and_far(libm::scalbn(1.0, exponent));
            assert!(edges.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(*edges.last().unwrap() > 1e307 && edges.len() < 20_000, "{exponent}: {}", edges.len());
        }
        assert_eq!(divided(0.0, 3.0, 1.0), [0.0, 1.0, 2.0, 3.0]);
    }
}
