//! What a leaf contributes, on a grid on which sums are exact.
//!
//! With d = a - b and m = a + b, the quality functions with centre 1/2 over N stacked rows are
//!
//! ```text
//! pMSE = (1/4N) sum d^2 / m        pMAE = (1/2N) sum |d|
//! ```
//!
//! The searches work with the sums, of which both terms are at most m. Every term is rounded to a multiple of a power
//! of two (the *grid*) so small that N still fits into 49 bits: then sums of terms do not round at all, the order of
//! addition does not matter, and the same cells have the same value whichever search adds them up. That is what makes
//! ties go to the first column and the lowest cut rather than to an accident of rounding. The grid is about as fine as
//! the floating point numbers themselves: for N = 10,000 it moves an objective by 1e-15.
//!
//! Every split costs the penalty of the one leaf that it adds, and a few grid steps more: trees whose objectives differ
//! by rounding only are ties, which the one with fewer leaves wins.

use super::OptimalParams;
use crate::quality::Quality;

/// The value of a leaf. `ABSOLUTE` chooses |d| over d^2/m, and `MASS` says that leaves need synthetic rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Score<const ABSOLUTE: bool, const MASS: bool> {
    /// Adding and subtracting this rounds to the grid.
    magic: f64,
    /// The fewest synthetic rows of a leaf, twice: 2a = d + m.
    twice_mass: f64,
    /// What a split costs.
    pub(super) cost: f64,
    /// Two bounds are the same when they differ by less.
    pub(super) slack: f64,
}

impl<const ABSOLUTE: bool, const MASS: bool> Score<ABSOLUTE, MASS> {
    /// For `rows` stacked rows.
    pub(super) fn new(params: &OptimalParams, rows: usize) -> Self {
        let all = rows.max(1) as f64;
        let exponent = rows.max(1).next_power_of_two().trailing_zeros();
        let grid = 2.0_f64.powi(exponent.cast_signed() + 3 - 52);
        let magic = 1.5 * 2.0_f64.powi(52) * grid;
        let terms_per_unit = all * if ABSOLUTE { 2.0 } else { 4.0 };
        // No split gains more than all rows together: a larger penalty forbids splits just as well.
        let penalty = (params.leaf_penalty() * terms_per_unit).min(all);
        Self {
            magic,
            twice_mass: 2.0 * f64::from(params.min_synthetic_mass()),
            cost: (penalty + magic) - magic + 4.0 * grid,
            slack: 16.0 * grid,
        }
    }

    /// The value of a leaf, whatever its synthetic mass.
    #[inline]
    pub(super) fn free(&self, d: f64, m: f64) -> f64 {
        if ABSOLUTE {
            d.abs()
        } else {
            // An empty leaf has d = 0, and is worth nothing.
            let m = if m > 1.0 { m } else { 1.0 };
            (d * d / m + self.magic) - self.magic
        }
    }

    /// The value of a leaf, minus infinity if it is not allowed.
    #[inline]
    pub(super) fn leaf(&self, d: f64, m: f64) -> f64 {
        let value = self.free(d, m);
        if MASS && d + m < self.twice_mass { f64::NEG_INFINITY } else { value }
    }

    /// By how much a row that leaves a node can raise the node's best value at most: see the proof in
    /// [`sweep`](super::sweep).
    pub(super) const REMOVAL: f64 = if ABSOLUTE { 1.0 } else { 3.0 };
}

/// Runs a search with the kind of score that the parameters ask for.
macro_rules! with_score {
    ($params:expr, $rows:expr, |$score:ident| $body:expr) => {{
        use $crate::discriminator::optimal::score::{Score, kind};
        match kind($params) {
            (false, false) => {
                let $score = Score::<false, false>::new($params, $rows);
                $body
            }
            (false, true) => {
                let $score = Score::<false, true>::new($params, $rows);
                $body
            }
            (true, false) => {
                let $score = Score::<true, false>::new($params, $rows);
                $body
            }
            (true, true) => {
                let $score = Score::<true, true>::new($params, $rows);
                $body
            }
        }
    }};
}
pub(super) use with_score;

/// `ABSOLUTE` and `MASS` of the score that the parameters ask for.
pub(super) fn kind(params: &OptimalParams) -> (bool, bool) {
    (params.quality() == Quality::Pmae, params.min_synthetic_mass() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lie_on_a_grid_fine_enough() {
        for rows in [2, 7, 10_000, 1 << 20, i32::MAX as usize] {
            let score = Score::<false, false>::new(&OptimalParams::default(), rows);
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
}
