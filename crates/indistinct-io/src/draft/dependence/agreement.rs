//! Whether an expression gives a column in all rows: as it would be written, with the rounding of the column.

use indistinct::table::round_to_decimals;

use crate::draft::facets::{Facet, Sort};

/// Relative error of numbers that were computed in single precision from numbers that were kept in it.
const SINGLE: f64 = 5e-7;
/// Relative error of numbers without known decimals: some were computed in single precision, and kept in double.
const FREE: f64 = 2e-7;
/// The part of the largest value that is an error of double precision beside a value near 0.
const NEAR_ZERO: f64 = 1e-12;
/// The part of a step of the grid by which equal numbers may differ.
const EQUAL: f64 = 1e-6;
/// The part of a step around a half within which errors of computing decide about rounding.
const NEAR_HALF: f64 = 0.02;
/// One row in so many may be rounded otherwise there.
const ROUNDED_OTHERWISE: usize = 200;
/// Rows on which an expression is tried before all others.
const FIRST: usize = 12;
/// Digits that single precision has not, and rows whose values would have to have so many.
const DIGITS: i32 = 9;
const LONG_ROWS: usize = 10;
/// One value in so many may be spelled otherwise: 489.51562 and 489.51563 are equally near to a number in single precision.
const ODD: usize = 20;

/// A column of numbers that expressions are to give.
pub(super) struct Target<'a> {
    pub(super) facet: &'a Facet,
    /// Some rows with values, far from each other.
    pub(super) first: Vec<usize>,
    relative: f64,
    absolute: f64,
}

/// The result of a row.
#[derive(PartialEq, Eq)]
enum Agreement {
    Equal,
    /// Halfway between two numbers of the grid, and rounded to the other one.
    RoundedOtherwise,
    Different,
}

impl<'a> Target<'a> {
    pub(super) fn new(facet: &'a Facet) -> Self {
        let largest = facet.values.iter().filter(|value| value.is_finite()).map(|value| value.abs());
        let largest = largest.fold(0.0, f64::max);
        let (relative, absolute) = match decimals(facet) {
            _ if is_single(facet) => (SINGLE, 0.0),
            None => (FREE, NEAR_ZERO * largest),
            Some(decimals) => (0.0, EQUAL * 10_f64.powi(-decimals)),
        };
        Self { facet, first: first_rows(facet), relative, absolute }
    }

    /// Half a step of the grid, and the errors of computing.
    pub(super) fn tolerance(&self, value: f64) -> f64 {
        let half = decimals(self.facet).map_or(0.0, |decimals| 0.5 * 10_f64.powi(-decimals));
        half + self.relative * value.abs() + self.absolute
    }

    /// Whether a value computed for each row is that of the column, once it is rounded as the column is.
    pub(super) fn holds(&self, value: &dyn Fn(usize) -> f64) -> bool {
        if !self.first.iter().all(|&row| self.agreement(row, value(row)) != Agreement::Different) {
            return false;
        }
        let mut otherwise = 0;
        for row in 0..self.facet.values.len() {
            match self.agreement(row, value(row)) {
                Agreement::Equal => {}
                Agreement::RoundedOtherwise => otherwise += 1,
                Agreement::Different => return false,
            }
        }
        otherwise * ROUNDED_OTHERWISE <= self.facet.values.len() - self.facet.missing
    }

    fn agreement(&self, row: usize, computed: f64) -> Agreement {
        let value = self.facet.values[row];
        if value.is_nan() || !computed.is_finite() {
            let same = value.is_nan() && !computed.is_finite();
            return if same { Agreement::Equal } else { Agreement::Different };
        }
        let decimals = decimals(self.facet);
        let written = decimals.map_or(computed, |decimals| round_to_decimals(computed, decimals as u32));
        if (value - written).abs() <= self.relative * value.abs() + self.absolute {
            return Agreement::Equal;
        }
        let step = decimals.map_or(0.0, |decimals| 10_f64.powi(-decimals));
        if (value - computed).abs() <= (0.5 + (SINGLE * value.abs() / step).min(NEAR_HALF)) * step {
            return Agreement::RoundedOtherwise;
        }
        Agreement::Different
    }
}

/// The decimals of a column, if they are known.
pub(super) fn decimals(facet: &Facet) -> Option<i32> {
    match facet.sort {
        Sort::Number { decimals, .. } => decimals.map(u32::cast_signed),
        _ => None,
    }
}

pub(super) fn is_whole(facet: &Facet) -> bool {
    matches!(facet.sort, Sort::Number { whole: true, .. })
}

/// Whether numbers have the digits of single precision only, though their decimals leave room for more.
fn is_single(facet: &Facet) -> bool {
    let Some(decimals) = decimals(facet) else { return false };
    let present = || facet.values.iter().copied().filter(|value| value.is_finite());
    let is_long = |value: &f64| value.abs() >= 10_f64.powi(DIGITS - 1 - decimals);
    let odd = || present().filter(|value| !is_short_in_single(*value)).count();
    present().filter(is_long).count() >= LONG_ROWS && odd() * ODD <= present().count()
}

/// Whether the shortest spelling of a number in single precision is the number.
fn is_short_in_single(value: f64) -> bool {
    (value as f32).to_string().parse() == Ok(value)
}

/// Some rows in which the value is there, far from each other.
fn first_rows(facet: &Facet) -> Vec<usize> {
    let rows = facet.values.len();
    let step = (rows / FIRST).max(1);
    let there = |start: usize| (start..rows).find(|&row| !facet.values[row].is_nan());
    (0..rows).step_by(step).filter_map(there).collect()
}
