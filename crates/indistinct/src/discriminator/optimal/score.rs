//! The value of a leaf, on a grid on which sums are exact.
//!
//! With d = a - b and m = a + b, the quality functions with centre 1/2 over N stacked rows are
//!
//! ```text
//! pMSE = (1/4N) sum d^2 / m        pMAE = (1/2N) sum |d|
//! ```
//!
//! The searches work with the sums, whose terms are at most m for either quality. Every term is rounded to a
//! multiple of a power of two (the *grid*) so small that N still fits into 49 bits: then sums of terms do not
//! round at all, the order of addition does not matter, and the same cells have the same value whichever search
//! adds them up. This makes ties go to the first column and the lowest cut rather than to an accident of
//! rounding. The grid is about as fine as the floating point numbers themselves: for N = 10,000 it moves an
//! objective by 1e-15.
//!
//! Every split costs the penalty of the one leaf that it adds, and a few grid steps more: trees whose objectives differ
//! by rounding only are ties, which the one with fewer leaves wins.
//!
//! **Integers.** A mechanism needs an integer whose sensitivity is proven, and d^2 / m rounded is not monotone in the
//! real rows. [`SHARES`] therefore takes floor(2^k a^2 / m) for the term: the proof is about that
//! (`proofs/optimal_sensitivity.md`), and the sum differs from the one of d^2 / m by a constant and the floors.

use super::OptimalParams;
use crate::quality::Quality;

/// Leaves have the value d^2 / m, on the grid.
pub(super) const SQUARES: u8 = 0;
/// Leaves are worth |d|, which is an integer.
pub(super) const ABSOLUTE: u8 = 1;
/// Leaves have the value floor(2^k a^2 / m), an integer.
pub(super) const SHARES: u8 = 2;

/// The cost of a split in integer scores besides the penalty: all splits together cost less than one.
const TIE: f64 = 1.0 / 16.0;

/// The value of a leaf. `TERM` is one of the constants above, and `MASS` says that leaves need synthetic rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Score<const TERM: u8, const MASS: bool> {
    /// Adding and subtracting this rounds to the grid.
    magic: f64,
    /// 2^k of the integer terms.
    scale: f64,
    /// The fewest synthetic rows of a leaf, twice: 2a = d + m.
    twice_mass: f64,
    /// The cost of a split.
    pub(super) cost: f64,
    /// Bounds that differ by less than this are equal.
    pub(super) slack: f64,
}

impl<const TERM: u8, const MASS: bool> Score<TERM, MASS> {
    /// The score for `rows` stacked rows.
    pub(super) fn new(params: &OptimalParams, rows: usize) -> Self {
        let all = rows.max(1) as f64;
        let exponent = rows.max(1).next_power_of_two().trailing_zeros();
        let grid = 2.0_f64.powi(exponent.cast_signed() + 3 - 52);
        let magic = 1.5 * 2.0_f64.powi(52) * grid;
        let terms_per_unit = all * if TERM == ABSOLUTE { 2.0 } else { 4.0 };
        // No split gains more than all rows together: a larger penalty forbids splits just as well.
        let penalty = (params.leaf_penalty() * terms_per_unit).min(all);
        Self {
            magic,
            scale: 1.0,
            twice_mass: 2.0 * f64::from(params.min_synthetic_mass()),
            cost: (penalty + magic) - magic + 4.0 * grid,
            slack: 16.0 * grid,
        }
    }

    /// For integer terms, |d| or floor(`scale` * a^2 / m), of `rows` stacked rows; the penalty is rounded to an
    /// integer.
    ///
    /// For floors `scale` * a^2 must stay below 2^51, whatever the leaf.
    pub(super) fn integer(params: &OptimalParams, rows: usize, scale: f64) -> Self {
        let per_unit = rows as f64 * if TERM == ABSOLUTE { 2.0 } else { scale };
        Self {
            // Rounds to integers; what is rounded is below 2^51.
            magic: 1.5 * 2.0_f64.powi(52),
            scale,
            twice_mass: 2.0 * f64::from(params.min_synthetic_mass()),
            cost: (params.leaf_penalty() * per_unit).min(per_unit).round() + TIE,
            slack: 0.0,
        }
    }

    /// The value of a leaf, whatever its synthetic mass.
    #[inline]
    pub(super) fn free(&self, d: f64, m: f64) -> f64 {
        // An empty leaf has d = 0, and is worth nothing.
        let rows = if m > 1.0 { m } else { 1.0 };
        match TERM {
            ABSOLUTE => d.abs(),
            SHARES => {
                // floor(p / m) is the integer nearest to (p - (m - 1) / 2) / m, which is at least 1 / (2m) away from
                // the middle of two integers: more than the division can round by, as p < 2^51.
                let a = 0.5 * (d + m);
                ((self.scale * a * a - 0.5 * (rows - 1.0)) / rows + self.magic) - self.magic
            }
            _ => (d * d / rows + self.magic) - self.magic,
        }
    }

    /// The value of a leaf, minus infinity if it is not allowed.
    #[inline]
    pub(super) fn leaf(&self, d: f64, m: f64) -> f64 {
        let value = self.free(d, m);
        if MASS && d + m < self.twice_mass { f64::NEG_INFINITY } else { value }
    }

    /// The most by which a row that leaves a node can raise the node's best value: see the proof in
    /// [`sweep`](super::sweep).
    pub(super) const REMOVAL: f64 = if TERM == ABSOLUTE { 1.0 } else { 3.0 };
}

/// Runs a search with the kind of score that the parameters need.
macro_rules! with_score {
    ($params:expr, $rows:expr, |$score:ident| $body:expr) => {{
        use $crate::discriminator::optimal::score::{ABSOLUTE, SQUARES, Score, kind};
        match kind($params) {
            (false, false) => {
                let $score = Score::<{ SQUARES }, false>::new($params, $rows);
                $body
            }
            (false, true) => {
                let $score = Score::<{ SQUARES }, true>::new($params, $rows);
                $body
            }
            (true, false) => {
                let $score = Score::<{ ABSOLUTE }, false>::new($params, $rows);
                $body
            }
            (true, true) => {
                let $score = Score::<{ ABSOLUTE }, true>::new($params, $rows);
                $body
            }
        }
    }};
}
pub(super) use with_score;

/// Whether terms are absolute, and `MASS`, of the score that the parameters need.
pub(super) fn kind(params: &OptimalParams) -> (bool, bool) {
    (params.quality() == Quality::Pmae, params.min_synthetic_mass() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use rand::RngExt;

    #[test]
    fn terms_lie_on_a_grid_fine_enough() {
        for rows in [2, 7, 10_000, 1 << 20, i32::MAX as usize] {
            let score = Score::<SQUARES, false>::new(&OptimalParams::default(), rows);
            let grid = score.slack / 16.0;
            for (d, m) in [(0.0, 0.0), (1.0, 3.0), (-2.0, 2.0), (-1.0, 7.0), (rows as f64, rows as f64)] {
                let term = score.leaf(d, m);
                let exact = if m > 0.0 { d * d / m } else { 0.0 };
                assert!((term - exact).abs() <= grid, "{d} {m} {rows}");
                assert_eq!((term / grid).fract(), 0.0);
            }
            assert!(grid / (4.0 * rows as f64) < 1e-15);
        }
    }

    /// Compares the float that stands for a floor with integer division: leaves of all kinds, up to the largest
    /// tables.
    #[test]
    fn floors_are_exact() {
        let mut random = Seed(3).stream(0);
        for rows in [2_u64, 9, 1000, 40_000, 1 << 20, (1 << 25) - 1] {
            let digits = crate::discriminator::optimal::share_digits(rows as usize).unwrap();
            let score = Score::<SHARES, false>::integer(
                &OptimalParams::default(),
                2 * rows as usize,
                f64::from(1 << digits),
            );
            let check = |a: u64, b: u64| {
                let exact = (u128::from(a * a) << digits).checked_div(u128::from(a + b)).unwrap_or(0);
                let found = score.leaf(a as f64 - b as f64, (a + b) as f64);
                assert_eq!(found, exact as f64, "{a} {b} {rows}");
            };
            for _ in 0..20_000 {
                check(random.random_range(0..=rows), random.random_range(0..=rows));
                check(random.random_range(0..=rows.min(9)), random.random_range(0..=rows));
                check(rows - random.random_range(0..=rows.min(9)), random.random_range(0..=rows.min(9)));
            }
        }
    }
}
