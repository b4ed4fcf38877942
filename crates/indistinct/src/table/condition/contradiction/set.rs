//! Sets of values of one column: intervals of numbers, or levels.

use super::super::token::Comparison;

/// One end of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    pub(super) value: f64,
    /// Whether the interval contains the value itself.
    pub(super) closed: bool,
}

/// An interval that is not empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: End,
    pub(super) high: End,
}

/// Doubles tell all whole numbers up to here apart.
const WHOLE: f64 = 9_007_199_254_740_992.0;

impl Interval {
    const ALL: Self = Self {
        low: End { value: f64::NEG_INFINITY, closed: true },
        high: End { value: f64::INFINITY, closed: true },
    };

    fn point(value: f64) -> Self {
        let end = End { value, closed: true };
        Self { low: end, high: end }
    }

    fn new(low: End, high: End) -> Option<Self> {
        let proper = low.value < high.value || (low.value == high.value && low.closed && high.closed);
        proper.then_some(Self { low, high })
    }

    /// The intersection of two intervals.
    fn common(self, other: Self) -> Option<Self> {
        let low = if stricter_low(other.low, self.low) { other.low } else { self.low };
        let high = if stricter_high(other.high, self.high) { other.high } else { self.high };
        Self::new(low, high)
    }

    /// Whether the interval contains a whole number; true where doubles cannot tell.
    fn has_whole(self) -> bool {
        if self.low.value.abs() > WHOLE || self.high.value.abs() > WHOLE {
            return true;
        }
        let first = self.low.value.ceil();
        let first = if first == self.low.value && !self.low.closed { first + 1.0 } else { first };
        first < self.high.value || (first == self.high.value && self.high.closed)
    }
}

pub(super) fn stricter_low(a: End, b: End) -> bool {
    a.value > b.value || (a.value == b.value && !a.closed && b.closed)
}

pub(super) fn stricter_high(a: End, b: End) -> bool {
    a.value < b.value || (a.value == b.value && !a.closed && b.closed)
}

/// Values that a column may have.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Set {
    /// Numbers in one of these intervals; only whole ones if `whole`.
    Numbers { intervals: Vec<Interval>, whole: bool },
    /// Whether each code is in the set.
    Codes(Vec<bool>),
}

impl Set {
    /// All numbers between the limits, if any, and the numbers in `more`.
    pub(super) fn numbers(low: Option<f64>, high: Option<f64>, more: &[f64], whole: bool) -> Self {
        let closed = |value| End { value, closed: true };
        let low = low.map_or(Interval::ALL.low, closed);
        let high = high.map_or(Interval::ALL.high, closed);
        let mut intervals: Vec<Interval> = Interval::new(low, high).into_iter().collect();
        intervals.extend(more.iter().map(|&value| Interval::point(value)));
        Self::Numbers { intervals, whole }
    }

    /// The values of this set that satisfy a comparison with a constant.
    pub(super) fn comparing(&self, comparison: Comparison, constant: f64) -> Self {
        match self {
            Self::Numbers { whole, .. } => {
                let end = |closed| End { value: constant, closed };
                let (low, high) = (Interval::ALL.low, Interval::ALL.high);
                let parts = match comparison {
                    Comparison::Equal => vec![Interval::new(end(true), end(true))],
                    Comparison::Unequal => {
                        vec![Interval::new(low, end(false)), Interval::new(end(false), high)]
                    }
                    Comparison::Less => vec![Interval::new(low, end(false))],
                    Comparison::AtMost => vec![Interval::new(low, end(true))],
                    Comparison::Greater => vec![Interval::new(end(false), high)],
                    Comparison::AtLeast => vec![Interval::new(end(true), high)],
                };
                Self::Numbers { intervals: parts.into_iter().flatten().collect(), whole: *whole }
            }
            Self::Codes(codes) => {
                Self::Codes((0..codes.len()).map(|code| comparison.holds(code as f64, constant)).collect())
            }
        }
    }

    /// A set of the same type with all values, or with none.
    pub(super) fn alike(&self, all: bool) -> Self {
        match self {
            Self::Numbers { whole, .. } => {
                let intervals = if all { vec![Interval::ALL] } else { Vec::new() };
                Self::Numbers { intervals, whole: *whole }
            }
            Self::Codes(codes) => Self::Codes(vec![all; codes.len()]),
        }
    }

    /// The intersection of two sets.
    pub(super) fn common(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Numbers { intervals: a, whole }, Self::Numbers { intervals: b, .. }) => {
                let pairs = a.iter().flat_map(|a| b.iter().filter_map(|b| a.common(*b)));
                let intervals = pairs.filter(|interval| !whole || interval.has_whole()).collect();
                Self::Numbers { intervals, whole: *whole }
            }
            (Self::Codes(a), Self::Codes(b)) => Self::Codes(a.iter().zip(b).map(|(a, b)| *a && *b).collect()),
            _ => self.clone(),
        }
    }

    /// The union of two sets; intervals may overlap.
    pub(super) fn either(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Numbers { mut intervals, whole }, Self::Numbers { intervals: more, .. }) => {
                intervals.extend(
                    more.iter().filter(|interval| !intervals.contains(interval)).copied().collect::<Vec<_>>(),
                );
                Self::Numbers { intervals, whole }
            }
            (Self::Codes(a), Self::Codes(b)) => Self::Codes(a.iter().zip(b).map(|(a, b)| *a || *b).collect()),
            (own, _) => own,
        }
    }

    /// The work of combining the set with another.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Numbers { intervals, .. } => 1 + intervals.len(),
            Self::Codes(codes) => 1 + codes.len(),
        }
    }

    /// Number of pieces in the set.
    pub(super) fn pieces(&self) -> usize {
        match self {
            Self::Numbers { intervals, .. } => intervals.len(),
            Self::Codes(_) => 1,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Numbers { intervals, .. } => intervals.is_empty(),
            Self::Codes(codes) => !codes.contains(&true),
        }
    }

    /// The lowest and highest end; `None` if the set is empty.
    pub(super) fn ends(&self) -> Option<(End, End)> {
        match self {
            Self::Numbers { intervals, .. } => {
                let lows = intervals.iter().map(|interval| interval.low);
                let highs = intervals.iter().map(|interval| interval.high);
                let low = lows.reduce(|a, b| if stricter_low(a, b) { b } else { a })?;
                let high = highs.reduce(|a, b| if stricter_high(a, b) { b } else { a })?;
                Some((low, high))
            }
            Self::Codes(codes) => {
                let end = |code: usize| End { value: code as f64, closed: true };
                Some((end(codes.iter().position(|&code| code)?), end(codes.iter().rposition(|&code| code)?)))
            }
        }
    }
}
