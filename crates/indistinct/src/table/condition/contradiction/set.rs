//! Sets of values of one column: intervals of numbers, or levels.

use super::super::token::Comparison;

/// One end of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    pub(super) value: f64,
    /// Whether the value itself belongs to it.
    pub(super) closed: bool,
}

/// An interval that is not empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: End,
    pub(super) high: End,
}

/// Up to here doubles tell whole numbers apart.
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

    /// The part that both have.
    fn common(self, other: Self) -> Option<Self> {
        let low = if stricter_low(other.low, self.low) { other.low } else { self.low };
        let high = if stricter_high(other.high, self.high) { other.high } else { self.high };
        Self::new(low, high)
    }

    /// Whether a whole number is in it; said where doubles can tell.
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
    /// In one of these intervals; whole numbers only, if so declared.
    Numbers { intervals: Vec<Interval>, whole: bool },
    /// Which of the codes.
    Codes(Vec<bool>),
}

impl Set {
    /// All numbers between limits, where there are such, and some more.
    pub(super) fn numbers(low: Option<f64>, high: Option<f64>, more: &[f64], whole: bool) -> Self {
        let closed = |value| End { value, closed: true };
        let low = low.map_or(Interval::ALL.low, closed);
        let high = high.map_or(Interval::ALL.high, closed);
        let mut intervals: Vec<Interval> = Interval::new(low, high).into_iter().collect();
        intervals.extend(more.iter().map(|&value| Interval::point(value)));
        Self::Numbers { intervals, whole }
    }

    /// The values that a comparison with a constant leaves of all.
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

    /// Everything that a column of this kind can hold, or nothing.
    pub(super) fn alike(&self, all: bool) -> Self {
        match self {
            Self::Numbers { whole, .. } => {
                let intervals = if all { vec![Interval::ALL] } else { Vec::new() };
                Self::Numbers { intervals, whole: *whole }
            }
            Self::Codes(codes) => Self::Codes(vec![all; codes.len()]),
        }
    }

    /// What is in both.
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

    /// What is in either; intervals may overlap.
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

    /// How much work it is to combine it with another.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Numbers { intervals, .. } => 1 + intervals.len(),
            Self::Codes(codes) => 1 + codes.len(),
        }
    }

    /// How many pieces it is made of.
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

    /// Its lowest and highest end; none if it is empty.
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
