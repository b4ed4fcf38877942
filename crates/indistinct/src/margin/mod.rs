//! Margins: the distribution of one column of any type over its value grid, measured privately.
//!
//! - [`measure`]: the location and number of the rows, with exact noise; and the law of a declared family that
//!   fits best;
//! - [`Margin`]: the distribution, forwards and backwards, and [`Codes`]: a coarse view of it.
//!
//! ```
//! use indistinct::grid::ColumnFacts;
//! use indistinct::margin;
//! use indistinct::privacy::{Budget, Randomness};
//! use indistinct::private::PrivateTable;
//! use indistinct::table::{Column, Table};
//!
//! let ages = (0..1000).map(|row| f64::from(18 + row % 50)).collect();
//! let table = PrivateTable::new(Table::new(vec![Column::float("age", ages)])?);
//! let mut budget = Budget::new("1".parse()?, std::num::NonZeroU32::MIN, Randomness::from_system()?);
//! let facts = ColumnFacts { step: Some(1.0), minimum: Some(0.0), maximum: Some(120.0), ..ColumnFacts::default() };
//! let age = margin::measure(&table, 0, &facts, &mut budget, 1.0)?;
//! let median = age.to_value(age.quantile(0.5));
//! assert!((30.0..55.0).contains(&median));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codes;
mod count;
mod declared;
mod discover;
mod evidence;
mod family;
mod heaps;
mod law;
mod locate;
mod measure;
mod merge;
mod nelder_mead;
mod range;
mod simplex;
mod sinh_arcsinh;
mod smooth;
mod tilt;
mod tree;

pub(crate) use declared::declared;
#[cfg(test)]
pub(crate) use locate::{leave_others_out, magnitude_utilities, pair_utilities};
pub use measure::measure;
pub(crate) use measure::{MeasuredMargin, SharedBudget, cells, counted_share, measure_and_tell};
pub use range::RangeOutlook;
pub(crate) use range::{USUAL_RANGE, range_outlook};

use serde::{Deserialize, Serialize};

use crate::grid::{Codes, Comb, Grid, MOST, Run};
use crate::table::CutPoint;

/// The probability of missing values that are possible and were not seen: no table has enough rows to show one.
const HARDLY_ANY: f64 = 1e-12;
/// Largest distance from one of the sum of probabilities in a file.
const ROUNDING: f64 = 1e-6;

/// A share of a budget, rounded down far enough that sums of shares never exceed the whole.
fn whole_share(share: f64) -> f64 {
    ((share * 1e12).floor() - 1.0).max(0.0) / 1e12
}

/// The distribution of a column over its grid, and its probability of missing values.
///
/// Probabilities of positions are those of values that are present, and sum to one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Margin {
    grid: Grid,
    missing: f64,
    runs: Vec<Run>,
    /// Mass before every run, and after the last.
    before: Vec<f64>,
}

/// A margin as written to a file: runs as first position, length, mass and tilt.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Margin")]
struct Written {
    grid: Grid,
    missing: f64,
    runs: Vec<(usize, usize, f64, f64)>,
    /// For runs with heaps: the run, the spacing and the first position of its heaps, and their share of the
    /// run's mass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    heaps: Vec<(usize, usize, usize, f64)>,
}

impl From<Margin> for Written {
    fn from(margin: Margin) -> Self {
        let runs = margin.runs.iter().map(|run| (run.first, run.length, run.mass, run.tilt)).collect();
        let heaped = margin.runs.iter().enumerate();
        let heaps = heaped.filter_map(|(place, run)| {
            run.heaps.map(|(Comb { every, phase }, share)| (place, every, phase, share))
        });
        let heaps = heaps.collect();
        Self { grid: margin.grid, missing: margin.missing, runs, heaps }
    }
}

impl TryFrom<Written> for Margin {
    type Error = &'static str;

    fn try_from(Written { grid, missing, runs, heaps }: Written) -> Result<Self, Self::Error> {
        if !(0.0..=1.0).contains(&missing) {
            return Err("the probability of a missing value must lie between 0 and 1");
        }
        let mut end = 0;
        let mut sum = 0.0;
        for &(first, length, mass, tilt) in &runs {
            let next = first.checked_add(length).filter(|next| *next <= grid.len());
            let Some(next) = next.filter(|_| first >= end && length > 0) else {
                return Err("the runs of a margin must be in order and on its grid");
            };
            if !(mass > 0.0 && mass.is_finite() && (-1.0..=1.0).contains(&tilt)) {
                return Err("the runs of a margin need a positive mass and a tilt between -1 and 1");
            }
            end = next;
            sum += mass;
        }
        if (sum - 1.0).abs() > ROUNDING {
            return Err("the probabilities of a margin must sum to one");
        }
        let run = |(first, length, mass, tilt)| Run { tilt, ..Run::even(first, length, mass) };
        let mut runs: Vec<Run> = runs.into_iter().map(run).collect();
        for (place, every, phase, share) in heaps {
            let combs = |run: &&mut Run| phase < every && phase < run.length && every as f64 <= MOST;
            let run = runs.get_mut(place).filter(combs);
            let Some(run) = run.filter(|_| (0.0..=1.0).contains(&share)) else {
                return Err("the heaps of a margin must be among the positions of its runs");
            };
            run.heaps = Some((Comb { every, phase }, share));
        }
        Ok(Self::of_runs(grid, runs, missing))
    }
}

impl Margin {
    /// The margin of runs in order, whose masses are scaled to sum to one; even over the grid if there is no mass
    /// at all.
    fn of_masses(grid: Grid, mut runs: Vec<Run>, missing: f64) -> Self {
        runs.retain(|run| run.mass > 0.0);
        let sum: f64 = runs.iter().map(|run| run.mass).sum();
        for run in &mut runs {
            run.mass /= sum;
        }
        runs.retain(|run| run.mass > 0.0);
        if runs.is_empty() {
            runs.push(Run::even(0, grid.len(), 1.0));
        }
        Self::of_runs(grid, runs, missing)
    }

    /// An even margin over a grid, with this probability of missing values.
    pub(crate) fn even(grid: Grid, missing: f64) -> Self {
        Self::of_masses(grid, Vec::new(), missing)
    }

    fn of_runs(grid: Grid, runs: Vec<Run>, missing: f64) -> Self {
        let mut before = Vec::with_capacity(runs.len() + 1);
        let mut sum = 0.0;
        for run in &runs {
            before.push(sum);
            sum += run.mass;
        }
        before.push(sum);
        // Rounding aside the sum is one; as the end of the last interval it must be.
        for mass in &mut before {
            *mass /= sum;
        }
        Self { grid, missing, runs, before }
    }

    /// The grid that positions are on.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The probability that a value is missing.
    pub fn missing(&self) -> f64 {
        self.missing
    }

    /// The runs of positions that have mass, in order.
    pub fn cells(&self) -> &[Run] {
        &self.runs
    }

    /// The probability of a position, among values that are present.
    pub fn probability(&self, position: usize) -> f64 {
        let run = &self.runs[self.run_of(position)];
        match position.checked_sub(run.first) {
            Some(place) if place < run.length => run.at(place),
            _ => 0.0,
        }
    }

    /// The interval in [0, 1] that belongs to a position: the probability below it, and the same plus its own.
    /// Empty where there is no mass.
    pub fn interval(&self, position: usize) -> (f64, f64) {
        (self.below(position), self.below(position.saturating_add(1)))
    }

    /// The probability of all positions below one.
    fn below(&self, position: usize) -> f64 {
        let place = self.run_of(position);
        let run = &self.runs[place];
        let (from, to) = (self.before[place], self.before[place + 1]);
        match position.saturating_sub(run.first) {
            0 => from,
            count if count >= run.length => to,
            count => from + (to - from) * run.below(count),
        }
    }

    /// The run that contains a position, or the last before it, or the first.
    fn run_of(&self, position: usize) -> usize {
        self.runs.partition_point(|run| run.first <= position).saturating_sub(1)
    }

    /// The position whose interval in [0, 1] contains `u`: one that has mass.
    pub fn quantile(&self, u: f64) -> usize {
        let u = u.clamp(0.0, 1.0);
        let place = self.before.partition_point(|before| *before <= u);
        let place = place.saturating_sub(1).min(self.runs.len() - 1);
        let (from, to) = (self.before[place], self.before[place + 1]);
        let part = if to > from { (u - from) / (to - from) } else { 0.0 };
        let run = &self.runs[place];
        run.first + run.place(part.min(1.0))
    }

    /// At most `max` classes of about equal mass.
    pub fn codes(&self, max: usize) -> Codes {
        Codes::of_margin(self, max, &[])
    }

    /// At most `max` classes of about equal mass, plus those that begin at these positions.
    pub(crate) fn codes_cut_at(&self, max: usize, cuts: &[usize]) -> Codes {
        Codes::of_margin(self, max, cuts)
    }

    /// The first position whose value is above a cut; the number of positions if none is.
    pub(crate) fn first_above(&self, cut: &CutPoint) -> usize {
        let is_above = |position: usize| {
            let value = self.to_value(position);
            value > cut.value || (cut.is_above && value == cut.value)
        };
        let (mut low, mut high) = (0, self.grid.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_above(middle) { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// The margin with at least a negligible probability of missing values.
    pub(crate) fn with_possible_missing(mut self) -> Self {
        self.missing = self.missing.max(HARDLY_ANY);
        self
    }

    /// At most `max` classes of about equal mass, with atoms and heavy values treated like any other.
    pub fn even_codes(&self, max: usize) -> Codes {
        Codes::even_of_margin(self, max)
    }

    /// The value at a position: see [`Grid::value`].
    pub fn to_value(&self, position: usize) -> f64 {
        self.grid.value(position)
    }
}
