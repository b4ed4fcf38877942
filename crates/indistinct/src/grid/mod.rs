//! The value grid of a column: it maps values to positions, by public facts only.
//!
//! - [`ColumnFacts`]: public facts about a column of numbers;
//! - [`Grid`]: its positions, and [`Run`]s of them;
//! - `Axis`: the order in which positions are measured, with `Comb`s of round values first;
//! - [`Codes`]: classes of positions, for tables of several columns;
//! - [`Bounds`]: intervals to which rows are clipped, for comparison methods;
//! - `LineCells`: cells in which a range is searched, before there is a grid.

mod axis;
mod bounds;
mod codes;
mod comb;
mod facts;
mod line;
mod run;

pub(crate) use axis::Axis;
pub use bounds::{Bounds, BoundsError};
pub use codes::Codes;
pub(crate) use comb::{Comb, combs, roundness};
pub use facts::ColumnFacts;
pub(crate) use line::{LineCells, Point};
pub use run::Run;

use serde::{Deserialize, Serialize};

use facts::{SMALLEST, is_whole};

/// Positions of a column of reals without a declared step: its range is divided into this many.
const RESOLUTION: usize = 1 << 16;
/// The largest number of positions: doubles are exact up to here.
pub(crate) const MOST: f64 = 9_007_199_254_740_992.0;
/// Doubles beyond this might become infinite in computations.
const FAR: f64 = f64::MAX / 4.0;
/// Most atoms that a schema may declare.
const MOST_ATOMS: usize = 1000;
/// Largest distance, in steps, of a number from the one that is meant: the loss of decimals in binary.
const SLACK: f64 = 1e-6;

/// The kind of regular positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Spacing {
    /// Declared levels, by number.
    Levels,
    /// Whole multiples of a step.
    Lattice,
    /// Intervals, each represented by its middle.
    Cells,
}

/// The positions of a column's values, in the order of the values: regular ones, and atoms between them.
///
/// # Guarantee
/// The position of a value depends on that value and on public facts only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Grid {
    written: Written,
    /// Atoms that are not regular values, ascending, each with the number of regular values below it.
    strangers: Vec<(usize, f64)>,
    /// Positions of all atoms, ascending.
    atoms: Vec<usize>,
}

/// A grid as written to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Written {
    spacing: Spacing,
    /// The first multiple, as a number of steps, or the low end of the first interval.
    #[serde(default)]
    low: f64,
    #[serde(default = "one")]
    step: f64,
    /// Number of regular positions.
    count: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    atoms: Vec<f64>,
    /// The multiple of the step from which `low` is counted. Zero except where doubles do not hold all whole
    /// numbers.
    #[serde(default, skip_serializing_if = "is_zero")]
    origin: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde has it.
fn is_zero(origin: &i64) -> bool {
    *origin == 0
}

fn one() -> f64 {
    1.0
}

impl From<Grid> for Written {
    fn from(grid: Grid) -> Self {
        grid.written
    }
}

impl TryFrom<Written> for Grid {
    type Error = &'static str;

    fn try_from(mut written: Written) -> Result<Self, Self::Error> {
        if written.count == 0 || written.count as f64 > MOST {
            return Err("a grid needs positions, and not too many");
        }
        if !(written.step > 0.0 && written.step.is_finite() && written.low.is_finite()) {
            return Err("the step of a grid must be a positive number");
        }
        if written.atoms.iter().any(|atom| !atom.is_finite()) || written.atoms.len() > MOST_ATOMS {
            return Err("atoms must be numbers, and not too many");
        }
        if written.origin != 0 && !written.is_far_lattice() {
            return Err("only multiples of a whole step are counted from an origin, which is one of them");
        }
        let ends = [written.regular(0), written.regular(written.count - 1)];
        if ends.iter().any(|end| !end.is_finite()) {
            return Err("the values of a grid must be numbers");
        }
        if written.spacing == Spacing::Levels && !written.atoms.is_empty() {
            return Err("levels have no atoms");
        }
        written.atoms.sort_unstable_by(f64::total_cmp);
        written.atoms.dedup();
        let stranger = |&atom: &f64| {
            if written.origin != 0 {
                let regular = is_whole(atom, written.whole(written.place(atom)));
                return (!regular).then(|| (written.below(atom), atom));
            }
            let place = written.steps(atom) - written.low;
            let regular = written.spacing == Spacing::Lattice
                && (0.0..written.count as f64).contains(&place)
                && (written.regular(place as usize) - atom).abs() <= SLACK * written.step;
            (!regular).then(|| (written.below(atom), atom))
        };
        let strangers: Vec<(usize, f64)> = written.atoms.iter().filter_map(stranger).collect();
        let mut grid = Self { written, strangers, atoms: Vec::new() };
        grid.atoms = grid.written.atoms.iter().filter_map(|&atom| grid.position(atom)).collect();
        Ok(grid)
    }
}

impl Written {
    /// Whether values can be counted exactly from an origin: multiples of a whole number that doubles hold.
    fn is_far_lattice(&self) -> bool {
        let is_counted = |number: f64| number.fract() == 0.0 && number.abs() <= MOST;
        let whole = self.spacing == Spacing::Lattice && is_counted(self.step) && is_counted(self.low);
        whole && i128::from(self.origin) % self.step as i128 == 0
    }

    /// The whole number at a regular position of a lattice with an origin, or the last one that exists.
    fn whole(&self, place: usize) -> i64 {
        let steps = self.low as i128 + place as i128;
        let value = i128::from(self.origin) + steps * self.step as i128;
        value.clamp(i128::from(SMALLEST), i128::from(i64::MAX)) as i64
    }

    /// The regular position of a whole number on a lattice with an origin; that of the nearer end if it lies
    /// beyond.
    fn place_of_whole(&self, value: i64) -> usize {
        let (from, step) = (i128::from(value) - i128::from(self.origin), self.step as i128);
        let place = (2 * from + step).div_euclid(2 * step) - self.low as i128;
        place.clamp(0, self.count as i128 - 1) as usize
    }

    /// A number in steps: whole for a lattice whose steps doubles hold exactly.
    fn steps(&self, value: f64) -> f64 {
        let per_unit = (1.0 / self.step).round();
        match self.spacing {
            Spacing::Cells => ((value - self.low) / self.step).floor() + self.low,
            _ if is_inverse(per_unit, self.step) => (value * per_unit).round(),
            _ => (value / self.step).round(),
        }
    }

    /// The value at a regular position.
    fn regular(&self, place: usize) -> f64 {
        let per_unit = (1.0 / self.step).round();
        match self.spacing {
            Spacing::Levels => place as f64,
            Spacing::Cells => self.low + (place as f64 + 0.5) * self.step,
            Spacing::Lattice if self.origin != 0 => self.whole(place) as f64,
            Spacing::Lattice if is_inverse(per_unit, self.step) => (self.low + place as f64) / per_unit,
            Spacing::Lattice => (self.low + place as f64) * self.step,
        }
    }

    /// The regular position of a number; that of the nearer end if it lies beyond.
    fn place(&self, value: f64) -> usize {
        if self.origin != 0 {
            return self.place_of_whole(value as i64);
        }
        // From a float to an unsigned number is cut off at zero.
        let place = match self.spacing {
            Spacing::Cells => ((value - self.low) / self.step).floor(),
            _ => self.steps(value) - self.low,
        };
        (place as usize).min(self.count - 1)
    }

    /// Number of regular values below a number.
    fn below(&self, value: f64) -> usize {
        let place = self.place(value);
        if self.regular(place) < value { place + 1 } else { place }
    }
}

fn is_inverse(per_unit: f64, step: f64) -> bool {
    per_unit > 1.0 && (per_unit * step - 1.0).abs() < 1e-9
}

impl Grid {
    /// A grid of levels, by number.
    pub fn levels(levels: usize) -> Self {
        Self::checked(Written {
            spacing: Spacing::Levels,
            low: 0.0,
            step: 1.0,
            count: levels.max(1),
            atoms: Vec::new(),
            origin: 0,
        })
    }

    /// A grid of numbers from `low` to `high`: the multiples of the declared step, or a public number of
    /// intervals.
    pub fn numbers(facts: &ColumnFacts, low: f64, high: f64) -> Self {
        let (low, high) = (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR));
        let atoms = facts.atoms.iter().copied().filter(|atom| atom.is_finite()).collect();
        let mut written =
            Written { spacing: Spacing::Lattice, low: 0.0, step: 1.0, count: 1, atoms, origin: 0 };
        match facts.step.filter(|step| *step > 0.0 && step.is_finite()) {
            Some(step) => {
                written.step = step;
                // The nearest multiples, or the next ones inwards.
                let inwards = |value: f64, sign: f64| {
                    let nearest = written.steps(value).clamp(-MOST, MOST);
                    let off = sign * (nearest - value / step);
                    if off > SLACK * (1.0 + nearest.abs()).min(1e3) { nearest - sign } else { nearest }
                };
                let (low, high) = (inwards(low, -1.0), inwards(high, 1.0));
                written.low = low;
                written.count = (high - low).clamp(0.0, MOST - 1.0) as usize + 1;
            }
            None if high > low && (high - low) / RESOLUTION as f64 > 0.0 => {
                let step = (high - low) / RESOLUTION as f64;
                written = Written { spacing: Spacing::Cells, low, step, count: RESOLUTION, ..written };
            }
            // One number: a lattice of its own multiple.
            None => {
                written.step = if low == 0.0 { 1.0 } else { low.abs() };
                written.low = if low == 0.0 { 0.0 } else { low.signum() };
            }
        }
        Self::checked(written)
    }

    /// A grid of whole numbers from `low` to `high`, which doubles may not hold exactly: the multiples of the
    /// declared step, exactly, or a public number of intervals where there would be too many.
    pub fn whole(facts: &ColumnFacts, low: i64, high: i64) -> Self {
        let exact = |end: i64| end.unsigned_abs() <= MOST as u64;
        let step = facts.step.filter(|step| *step >= 1.0 && *step <= MOST && step.fract() == 0.0);
        let Some(step) = step.filter(|_| !exact(low) || !exact(high)) else {
            return Self::numbers(facts, low as f64, high as f64);
        };
        let (low, high) = (i128::from(low), i128::from(high).max(i128::from(low)));
        // The next multiples inwards, or the one below if there is none between them.
        let last = high.div_euclid(step as i128);
        let first = (-(-low).div_euclid(step as i128)).min(last);
        let Some(origin) = i64::try_from(first * step as i128).ok().filter(|_| last - first < MOST as i128)
        else {
            return Self::numbers(&ColumnFacts { step: None, ..facts.clone() }, low as f64, high as f64);
        };
        let atoms = facts.atoms.iter().copied().filter(|atom| atom.is_finite()).collect();
        let count = (last - first) as usize + 1;
        Self::checked(Written { spacing: Spacing::Lattice, low: 0.0, step, count, atoms, origin })
    }

    fn checked(written: Written) -> Self {
        match Self::try_from(written) {
            Ok(grid) => grid,
            Err(problem) => panic!("{problem}"),
        }
    }

    /// Number of positions.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.written.count + self.strangers.len()
    }

    /// Number of regular positions. They are called places when atoms are not counted.
    pub(crate) fn places(&self) -> usize {
        self.written.count
    }

    /// The number of places before a position.
    pub(crate) fn place(&self, position: usize) -> usize {
        let before =
            self.strangers.iter().enumerate().take_while(|(rank, (below, _))| below + rank < position);
        position - before.count()
    }

    /// Whether a position is that of an atom between places.
    pub(crate) fn is_stranger(&self, position: usize) -> bool {
        self.strangers.iter().enumerate().any(|(rank, (below, _))| below + rank == position)
    }

    /// The position of a place.
    pub(crate) fn position_of_place(&self, place: usize) -> usize {
        place + self.strangers.partition_point(|(below, _)| *below <= place)
    }

    /// The places whose values are multiples of this many steps, if this is a lattice that has any.
    pub(crate) fn multiples(&self, every: usize) -> Option<Comb> {
        let low = self.written.low;
        if self.written.spacing != Spacing::Lattice || every == 0 || low.abs() > MOST {
            return None;
        }
        let origin = match self.written.origin {
            0 => 0,
            origin => i128::from(origin) / self.written.step as i128,
        };
        let first = origin + low as i128;
        let phase = (-first).rem_euclid(every as i128) as usize;
        (phase < self.written.count).then_some(Comb { every, phase })
    }

    /// A grid extended by this many places below and above, as far as doubles allow, with the same atoms.
    /// Multiples stay the same; intervals become wider and stay as many. An edge at `e` places moves to
    /// `(e + below) / wider`, for the returned `below` and `wider`.
    pub(crate) fn extended(&self, below: f64, above: f64) -> (Self, f64, f64) {
        let mut written = self.written.clone();
        let count = written.count as f64;
        if written.spacing == Spacing::Cells {
            let high = written.low + count * written.step;
            let below = below.min((FAR + written.low) / written.step).max(0.0);
            let above = above.min((FAR - high) / written.step).max(0.0);
            let wider = (count + below + above) / count;
            written.low -= below * written.step;
            written.step *= wider;
            return (Self::checked(written), below, wider);
        }
        let most = MOST.min(FAR / written.step);
        let below = below.min(most + written.low).min(most - count).max(0.0).floor();
        let above = above.min(most - written.low - count).min(most - count - below).max(0.0).floor();
        written.low -= below;
        written.count += below as usize + above as usize;
        (Self::checked(written), below, 1.0)
    }

    /// Whether positions are levels.
    pub fn is_levels(&self) -> bool {
        self.written.spacing == Spacing::Levels
    }

    /// The distance between regular values.
    pub fn step(&self) -> f64 {
        self.written.step
    }

    /// The position of a value; `None` if it is missing or not finite. Values beyond the grid count as its end.
    pub fn position(&self, value: f64) -> Option<usize> {
        if !value.is_finite() {
            return None;
        }
        let stranger = self.strangers.partition_point(|(_, atom)| *atom < value);
        if let Some((below, _)) = self.strangers.get(stranger).filter(|(_, atom)| *atom == value) {
            return Some(below + stranger);
        }
        let place = self.written.place(value);
        Some(self.position_of_place(place))
    }

    /// The position of a whole number, which a double may not hold exactly.
    pub fn position_of_whole(&self, value: i64) -> usize {
        let atom = |(_, atom): &&(usize, f64)| is_whole(*atom, value);
        if let Some((rank, (below, _))) =
            self.strangers.iter().enumerate().find(|(_, stranger)| atom(stranger))
        {
            return below + rank;
        }
        let place = if self.written.origin == 0 {
            self.written.place(value as f64)
        } else {
            self.written.place_of_whole(value)
        };
        self.position_of_place(place)
    }

    /// The whole number at a position of a grid whose numbers doubles do not hold exactly; `None` on other grids,
    /// and for an atom between places.
    pub(crate) fn whole_value(&self, position: usize) -> Option<i64> {
        let position = position.min(self.len() - 1);
        let exact = self.written.origin != 0 && !self.is_stranger(position);
        exact.then(|| self.written.whole(self.place(position)))
    }

    /// The value at a position, the last if there is no such position: a level's number, a multiple of the step,
    /// an atom, or the middle of an interval.
    pub fn value(&self, position: usize) -> f64 {
        let position = position.min(self.len() - 1);
        let mut before = self.strangers.iter().enumerate();
        match before.find(|(rank, (below, _))| below + rank >= position) {
            Some((rank, (below, atom))) if below + rank == position => *atom,
            Some((rank, _)) => self.written.regular(position - rank),
            None => self.written.regular(position - self.strangers.len()),
        }
    }

    /// The positions of declared atoms, ascending.
    pub fn atoms(&self) -> &[usize] {
        &self.atoms
    }
}

#[cfg(test)]
mod tests;
