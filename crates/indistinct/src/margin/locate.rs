//! The search for most rows of a column, at any location and scale.
//!
//! Zeros, which may be many, do not take part; nor do missing values and atoms. First, whether enough rows are
//! left. Then, their magnitude: the least power of two that half of them are below. Then, their location: in one
//! pass the rows of many cells within twice that magnitude are counted, and of all pairs of neighbouring cells,
//! and of neighbouring groups of 2, 4, 8, ... cells, the narrowest that holds two thirds of the rows is chosen.
//! If that is one of the narrowest of all, it is searched again in the same way, with the cells next to it, and
//! only rows in these take part from then on: if they are hardly more than two thirds, narrow and wide could not
//! be told apart otherwise. So a column that is 2^40 times as far from zero as it is wide takes three or four
//! passes.

use std::ops::Range;

use super::measure::SharedBudget;
use crate::grid::ColumnFacts;
use crate::grid::{LineCells, Point};
use crate::privacy::StepError;
use crate::privacy::{ChoiceCharge, Sensitivity, choose};
use crate::private::{CountQuery, Passes};

/// Exponents of the magnitudes of most columns: others must be ahead by an eighth of the rows, because there are
/// so many of them for chance to choose from.
pub(super) const USUAL: Range<i32> = -40..64;
/// Number of wrong magnitudes of whole numbers, and about as many that matter for reals.
const USUAL_MAGNITUDES: f64 = 63.0;
/// Exponents of the powers of two that bound doubles, from zero on.
const REALS: Range<i32> = -1074..1025;
/// Exponents of the powers of two that bound whole numbers.
const WHOLE: Range<i32> = 0..64;
/// Number of cells that are counted at once, as powers of two: the least and the most.
const FEWEST_BITS: f64 = 3.0;
const MOST_BITS: f64 = 18.0;
/// The reach of the cells beyond the power of two that half of the rows are below, as a power of two.
const AROUND: i32 = 1;
/// Distance from zero, in cells and as a power of two, beyond which cells are narrower than doubles are apart.
const DIGITS: i32 = 54;
/// The same distance for whole numbers.
const WHOLE_DIGITS: i32 = 63;
/// Most digits of a number: more would find nothing.
pub(super) const MOST_DIGITS: i32 = WHOLE_DIGITS;

/// The interval with most rows: its middle, and half its width as a power of two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FullestInterval {
    pub(super) middle: Point,
    pub(super) exponent: i32,
    /// Whether that was the narrowest to choose from, and no budget was left to search it.
    pub(super) is_cut_short: bool,
}

/// The search of one column.
pub(super) struct Search<'a> {
    pub(super) table: &'a Passes<'a>,
    pub(super) column: usize,
    /// The facts about the column, with zero as an atom.
    pub(super) facts: &'a ColumnFacts,
}

impl Search<'_> {
    /// The exponents of the powers of two that may bound its numbers; those below the first are zero.
    pub(super) fn magnitudes(&self) -> Range<i32> {
        let all = if self.table.is_whole(self.column) { WHOLE } else { REALS };
        let step = self.facts.step.filter(|step| *step > 0.0 && step.is_finite());
        // What is not zero is a step from it, at least.
        step.map_or(all.start, |step| libm::frexp(step).1 - 1).clamp(all.start, all.end - 2)..all.end
    }

    /// Whether at least about this many rows are present and not zero.
    ///
    /// # Guarantee
    /// A charged choice by the number of rows that take part (`proofs/interval_search.md`, claim 9).
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub(super) async fn has_rows(
        &self,
        budget: &SharedBudget<'_>,
        share: f64,
        fewest: f64,
    ) -> Result<bool, StepError> {
        let step = format!("presence of {}", self.table.name(self.column));
        let cost = budget.borrow().portion(share);
        let charge = budget.borrow_mut().charge_choice(step, cost, Sensitivity::rows_present())?;
        let query = CountQuery::magnitudes(self.column, self.facts, &self.magnitudes());
        let rows = self.table.ask(query).await;
        Ok(choose(charge, &[rows.iter().sum(), fewest.round() as i64])? == 0)
    }

    /// Finds the interval with most rows, and the number of stages used; `magnitude` and `stages` are their
    /// costs, as shares of the budget.
    ///
    /// # Guarantee
    /// Choices by rows to change, each charged (`proofs/interval_search.md`, claims 4 and 8). The number of stages
    /// depends on earlier choices only, and what each costs is fixed before.
    ///
    /// # Errors
    /// When the budget does not allow it.
    pub(super) async fn locate(
        &self,
        budget: &SharedBudget<'_>,
        magnitude: f64,
        stages: &[f64],
    ) -> Result<(FullestInterval, usize), StepError> {
        let Self { table, column, facts } = *self;
        let (least, is_whole) = (self.magnitudes().start, table.is_whole(column));
        let charge = self.charge(budget, magnitude, "magnitude", Sensitivity::MAGNITUDE)?;
        let counts = table.ask(CountQuery::magnitudes(column, facts, &self.magnitudes())).await;
        let found = choose(charge, &magnitude_utilities(&counts, least, table.rows()))?;
        // The two cells from -2^k to 2^k, which stages divide.
        let top = least + found as i32 + AROUND;
        let (mut exponent, mut first, mut bits) = (if is_whole { top.min(WHOLE_DIGITS) } else { top }, -1, 1);
        let mut stage = 0;
        loop {
            let share = stages[stage];
            stage += 1;
            let step = format!("location, stage {stage},");
            let charge = self.charge(budget, share, &step, Sensitivity::INTERVAL)?;
            // As fine as the choice can tell, and no finer than numbers are apart.
            let digits = if is_whole { WHOLE_DIGITS } else { DIGITS } - digits(first);
            let narrower = (affordable_bits(charge.per_unit() * table.rows() as f64) - bits)
                .min(exponent - least)
                .min(digits)
                .max(0);
            let is_finest = narrower == digits || exponent - narrower == least;
            let is_last = stage == stages.len() || is_finest;
            (exponent, first, bits) = (exponent - narrower, first << narrower, bits + narrower);
            let cells = LineCells { exponent, first, bits: bits.cast_unsigned() };
            let mut counts = table.ask(CountQuery::line(column, facts, &cells)).await;
            if stage > 1 {
                leave_others_out(&mut counts);
            }
            let chosen = GroupPairs::new(cells.bits).at(choose(charge, &pair_utilities(&counts))?);
            if chosen.level > 0 || is_last {
                let middle = cells.start(chosen.first + (1 << chosen.level), is_whole);
                let exponent = exponent + chosen.level.cast_signed();
                let is_cut_short = chosen.level == 0 && !is_finest;
                return Ok((FullestInterval { middle, exponent, is_cut_short }, stage));
            }
            // With a cell on either side: if rows are on both sides of an edge, a pair may hold enough of them and not all.
            (first, bits) = (first + chosen.first as i128 - 1, 2);
        }
    }

    fn charge(
        &self,
        budget: &SharedBudget<'_>,
        share: f64,
        what: &str,
        of: &'static str,
    ) -> Result<ChoiceCharge, StepError> {
        let step = format!("{what} of {}", self.table.name(self.column));
        let sensitivity = Sensitivity::interval_search(of);
        let cost = budget.borrow().portion(share);
        Ok(budget.borrow_mut().charge_choice(step, cost, sensitivity)?)
    }
}

/// Number of cells, as a power of two, among whose pairs a choice finds the right one except about one time in
/// two hundred: if all rows count for this many nats, each empty pair is chosen with odds of exp(-0.63 nats) / 2.
fn affordable_bits(nats: f64) -> i32 {
    let bits = ((0.63 * nats - 4.6) / std::f64::consts::LN_2).floor();
    bits.clamp(FEWEST_BITS, MOST_BITS) as i32
}

/// Binary digits found by the first stage, which divides two cells.
pub(super) fn first_digits(nats: f64) -> i32 {
    affordable_bits(nats) - 1
}

/// Binary digits found by a later stage, which divides four cells.
pub(super) fn later_digits(nats: f64) -> i32 {
    affordable_bits(nats) - 2
}

/// Approximate probability of a wrong magnitude for rows that all have the same: each wrong one would need half
/// of the rows to change.
pub(super) fn magnitude_failure(nats: f64) -> f64 {
    USUAL_MAGNITUDES * (-nats / 2.0).exp()
}

/// Approximate probability that a stage fails if all rows are in one cell, which two pairs of each level contain:
/// by an empty pair, for which two thirds of the rows would have to change, or by a pair that is too wide, for
/// which a third would.
pub(super) fn stage_failure(nats: f64) -> f64 {
    let bits = f64::from(affordable_bits(nats));
    bits.exp2() * (-2.0 * nats / 3.0).exp() + bits * (-nats / 3.0).exp()
}

/// Binary digits of a whole number.
fn digits(number: i128) -> i32 {
    (i128::BITS - number.unsigned_abs().leading_zeros()).cast_signed()
}

/// For each power of two, minus the number of rows that would have to change for it to be the first that half of
/// the rows are below, minus a handicap for unusual ones; from rows by magnitude.
pub(crate) fn magnitude_utilities(counts: &[i64], least: i32, rows: usize) -> Vec<i64> {
    let half = (counts.iter().sum::<i64>() + 1) / 2;
    let mut before = 0;
    let utility = |(place, count): (usize, &i64)| {
        let below = before + count;
        let to_change = (half - below).max(if place == 0 { 0 } else { before - (half - 1) }).max(0);
        before = below;
        let is_usual = place == 0 || USUAL.contains(&(least + place as i32));
        -to_change - if is_usual { 0 } else { rows as i64 / 8 }
    };
    counts.iter().enumerate().map(utility).collect()
}

/// The pairs of neighbouring cells, and of neighbouring groups of 2, 4, 8, ... cells, in order: narrow ones first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupPairs {
    bits: u32,
}

/// Two neighbouring groups of 2^level cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupPair {
    pub(crate) level: u32,
    /// The first cell of the pair.
    pub(crate) first: usize,
}

impl GroupPairs {
    /// The pairs of 2^bits cells.
    pub(crate) fn new(bits: u32) -> Self {
        Self { bits }
    }

    /// Number of pairs of a level.
    fn of_level(self, level: u32) -> usize {
        (1 << (self.bits - level)) - 1
    }

    /// The pair at a place.
    pub(crate) fn at(self, mut place: usize) -> GroupPair {
        let mut level = 0;
        while level + 1 < self.bits && place >= self.of_level(level) {
            place -= self.of_level(level);
            level += 1;
        }
        GroupPair { level, first: place << level }
    }
}

/// Removes the count of the rows in none of the cells, which comes last: they take no part in a search within
/// these cells.
pub(crate) fn leave_others_out(counts: &mut [i64]) {
    if let Some(others) = counts.last_mut() {
        *others = 0;
    }
}

/// For each pair, minus the number of rows that would have to change for it to hold two thirds of the rows while
/// no narrower pair does; from rows in cells, and those in none.
pub(crate) fn pair_utilities(counts: &[i64]) -> Vec<i64> {
    let cells = counts.len() - 1;
    let needed = (2 * counts.iter().sum::<i64>() + 2) / 3;
    let mut groups = counts[..cells].to_vec();
    let mut utilities = Vec::with_capacity(2 * cells);
    let mut too_narrow = 0;
    while groups.len() > 1 {
        let pairs: Vec<i64> = groups.windows(2).map(|pair| pair[0] + pair[1]).collect();
        // The widest stands for all that are wider.
        let is_widest = groups.len() == 2;
        let missing = |rows: &i64| if is_widest { 0 } else { needed - rows };
        utilities.extend(pairs.iter().map(|rows| -missing(rows).max(too_narrow).max(0)));
        too_narrow = pairs.iter().max().map_or(0, |fullest| fullest - (needed - 1));
        groups = groups.chunks(2).map(|pair| pair.iter().sum()).collect();
    }
    utilities
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_in_the_order_of_their_utilities() {
        for bits in 1..=6 {
            let mut place = 0;
            for level in 0..bits {
                for first in 0..(1_usize << (bits - level)) - 1 {
                    assert_eq!(GroupPairs::new(bits).at(place), GroupPair { level, first: first << level });
                    place += 1;
                }
            }
            assert_eq!(pair_utilities(&vec![0; (1 << bits) + 1]).len(), place);
        }
    }

    #[test]
    fn the_narrowest_pair_with_two_thirds_is_best() {
        // Of nine rows six are needed; one is outside.
        let utilities = pair_utilities(&[0, 3, 4, 0, 0, 0, 0, 1, 1]);
        let best = (0..utilities.len()).filter(|&place| utilities[place] == 0).collect::<Vec<_>>();
        assert_eq!(best, [1]);
        assert_eq!(GroupPairs::new(3).at(1), GroupPair { level: 0, first: 1 });
        assert_eq!(utilities[..7], [-3, 0, -2, -6, -6, -6, -5]);
        assert_eq!(
            utilities[7..],
            [-2, -2, -5, -2],
            "wider ones would do if two of seven rows were elsewhere"
        );
        // Wherever the rows are, one is.
        assert_eq!(pair_utilities(&[0, 0, 0, 0, 9]).last(), Some(&0));
    }

    #[test]
    fn within_a_pair_that_holds_barely_enough_narrow_ones_are_still_told_from_wide_ones() {
        let mut counts = [67, 0, 0, 0, 0, 0, 0, 0, 33];
        // Wide ones would do if one row were elsewhere.
        assert_eq!(pair_utilities(&counts)[7..], [-1, -67, -67, -1]);
        leave_others_out(&mut counts);
        assert_eq!(pair_utilities(&counts)[7..], [-23, -45, -45, -23]);
    }

    #[test]
    fn the_magnitude_is_that_of_half_the_rows() {
        let utilities = magnitude_utilities(&[1, 0, 3, 2, 0], -1, 6);
        assert_eq!(utilities, [-2, -2, 0, -2, -4]);
        let unusual = magnitude_utilities(&[0, 20], 99, 20);
        assert_eq!(unusual, [-10, -2], "a handicap of an eighth of the rows");
    }
}
