//! The optimum as an exact integer, by which a mechanism may choose.
//!
//! The family of trees is that of [`fit_binned`](super::fit_binned), and so is the search; leaves have integer
//! values instead of reals, so that the largest sum is an integer and no rounding stands between counts and
//! choice.

use super::joint::{self, Best};
use super::score::{ABSOLUTE, SHARES, Score};
use super::{Binned, OptimalParams, OptimalParamsError, Thresholds};
use crate::discriminator::Stacked;
use crate::quality::Quality;

/// Most binary digits of a leaf's term.
const MOST_DIGITS: u32 = 20;
/// Terms before division stay below this power of two, where division of floats is exact enough.
const EXACT_BITS: u32 = 51;

/// Binary digits k of the leaf terms floor(2^k a^2 / (a + b)) for tables of `rows` rows each: as many as are
/// exact; `None` for tables of 2^25 rows or more.
pub fn share_digits(rows: usize) -> Option<u32> {
    let bits = usize::BITS - rows.leading_zeros();
    Some(EXACT_BITS.checked_sub(2 * bits)?.min(MOST_DIGITS)).filter(|&digits| digits > 0)
}

/// Trees over thresholds that come from the synthetic rows alone: a mechanism may use the optimum of this family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BinnedTrees {
    params: OptimalParams,
    thresholds: usize,
}

impl BinnedTrees {
    /// The trees with these parameters, except for the quality, which is left to the caller.
    ///
    /// # Errors
    /// With [`Thresholds::All`]: thousands of searches over all thresholds would take too long.
    pub fn new(params: OptimalParams) -> Result<Self, OptimalParamsError> {
        match params.thresholds() {
            Thresholds::All => Err(OptimalParamsError::AllInSampler),
            Thresholds::Binned(thresholds) => Ok(Self { params, thresholds }),
        }
    }

    /// The largest integer objective over all trees of the family.
    ///
    /// With quality pMAE it is sum |a - b|, which is 2 * n * TV; with pMSE sum floor(2^k a^2 / (a + b)), k being
    /// [`share_digits`]; less an integer penalty for every split. Without digits to spare the pMSE of very large tables
    /// is in steps of whole rows, which is not exact.
    ///
    /// # Guarantee
    /// For n rows of either kind, one substituted real row moves it by at most 2 (pMAE) or 2^k (pMSE):
    /// `proofs/optimal_sensitivity.md`; `discriminator::optimal::tests::integers` tries all small neighbours.
    pub fn objective(&self, stacked: &Stacked, quality: Quality) -> i64 {
        let binned = Binned::of_count(stacked, self.thresholds);
        let mass = self.params.min_synthetic_mass() > 0;
        match (quality, mass) {
            (Quality::Pmae, false) => self.largest::<ABSOLUTE, false>(&binned),
            (Quality::Pmae, true) => self.largest::<ABSOLUTE, true>(&binned),
            (Quality::Pmse, false) => self.largest::<SHARES, false>(&binned),
            (Quality::Pmse, true) => self.largest::<SHARES, true>(&binned),
        }
    }

    fn largest<const T: u8, const M: bool>(&self, Binned(coded): &Binned) -> i64 {
        let (axes, rows) = (&coded.axes, &coded.rows);
        let scale = f64::from(1_u32 << share_digits(rows.all - rows.real).unwrap_or(0));
        let score = Score::<T, M>::integer(&self.params, rows.all, scale);
        let best = match self.params.depth() {
            0 => Best::leaf(&score, rows),
            1 => joint::stump(&score, axes, rows),
            2 => joint::pairs(&score, axes, rows),
            _ => joint::triples(&score, axes, rows),
        };
        // Splits cost a sixteenth more than the penalty, at most seven of them: rounding up gives the integer back.
        best.value.ceil() as i64
    }
}
