//! Bounds on columns, to which rows are clipped one by one.

/// A closed, finite interval for each column, with the low end below the high one.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds(Vec<(f64, f64)>);

/// The reason why intervals are not usable bounds. Bounds are public, so the error may name them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoundsError {
    /// No intervals.
    #[error("bounds need at least one column")]
    Empty,
    /// A bound that is not finite, or so large that sums would not be.
    #[error("the bounds of column {0} must be finite, and no larger than 1e100")]
    TooLarge(usize),
    /// Ends that are the wrong way round, or too close to each other.
    #[error("the low bound of column {0} must be below the high one, by 2e-100 at least")]
    Empties(usize),
}

/// The largest bound and the smallest half-width: products and ratios of them are finite, and so are coefficients.
const LARGEST: f64 = 1e100;
const NARROWEST: f64 = 1e-100;

impl Bounds {
    /// One interval (low, high) for each column.
    ///
    /// # Errors
    /// When there are none, or one is not finite, or its low end is not below its high one. Columns count from 1.
    pub fn new(intervals: Vec<(f64, f64)>) -> Result<Self, BoundsError> {
        if intervals.is_empty() {
            return Err(BoundsError::Empty);
        }
        for (place, &(low, high)) in intervals.iter().enumerate() {
            // Written so that NaN fails too.
            if !(low.abs() <= LARGEST && high.abs() <= LARGEST) {
                return Err(BoundsError::TooLarge(place + 1));
            }
            if !(low < high && high / 2.0 - low / 2.0 >= NARROWEST) {
                return Err(BoundsError::Empties(place + 1));
            }
        }
        Ok(Self(intervals))
    }

    /// Intervals around zero, as in the paper.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn symmetric(half_widths: &[f64]) -> Result<Self, BoundsError> {
        Self::new(half_widths.iter().map(|&half| (-half, half)).collect())
    }

    /// The intervals.
    pub fn intervals(&self) -> &[(f64, f64)] {
        &self.0
    }

    /// Middle and half-width of a column's interval: a scaled value is (x - middle) / half, in [-1, 1].
    ///
    /// # Panics
    /// When there is no such column.
    pub fn scaling(&self, column: usize) -> (f64, f64) {
        let (low, high) = self.0[column];
        (low / 2.0 + high / 2.0, high / 2.0 - low / 2.0)
    }

    /// A value clipped, scaled to [-1, 1] and rounded to a whole number of units of 1/`grid`; a missing value is
    /// in the middle.
    ///
    /// # Guarantee
    /// A whole number in [-`grid`, `grid`] whatever the value is, and a function of it and of public values
    /// alone.
    pub(crate) fn on_grid(&self, column: usize, value: f64, grid: i64) -> i64 {
        let (low, high) = self.0[column];
        let (middle, half) = self.scaling(column);
        let scaled = (value.clamp(low, high) - middle) / half;
        // A cast takes NaN to zero.
        ((scaled * grid as f64).round() as i64).clamp(-grid, grid)
    }

    /// The interval of a value among `bins` of equal width; a missing value is in the middle.
    ///
    /// # Guarantee
    /// Below `bins` whatever the value is, and a function of it and of public values alone.
    pub(crate) fn bin(&self, column: usize, value: f64, bins: usize) -> usize {
        let (low, high) = self.0[column];
        let (_, half) = self.scaling(column);
        let share = if value.is_nan() { 0.5 } else { (value.clamp(low, high) / 2.0 - low / 2.0) / half };
        ((share * bins as f64) as usize).min(bins.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_finite_and_the_right_way_round() {
        for (interval, wanted) in [
            ((0.0, 0.0), BoundsError::Empties(2)),
            ((1.0, -1.0), BoundsError::Empties(2)),
            ((0.0, f64::from_bits(1)), BoundsError::Empties(2)),
            ((0.0, 1e-100), BoundsError::Empties(2)),
            ((f64::NAN, 1.0), BoundsError::TooLarge(2)),
            ((0.0, f64::INFINITY), BoundsError::TooLarge(2)),
            ((-1e101, 0.0), BoundsError::TooLarge(2)),
        ] {
            assert_eq!(Bounds::new(vec![(0.0, 1.0), interval]), Err(wanted));
        }
        assert_eq!(Bounds::new(Vec::new()), Err(BoundsError::Empty));
        assert!(Bounds::symmetric(&[0.0]).is_err() && Bounds::symmetric(&[-1.0]).is_err());
        assert_eq!(Bounds::symmetric(&[3.0]).unwrap().intervals(), [(-3.0, 3.0)]);
    }

    #[test]
    fn every_value_has_its_place() {
        let bounds = Bounds::new(vec![(-2.0, 6.0), (-1e100, 1e100)]).unwrap();
        for (value, scaled, bin) in [
            (-2.0, -100, 0),
            (-1e300, -100, 0),
            (f64::NEG_INFINITY, -100, 0),
            (2.0, 0, 2),
            (4.0, 50, 3),
            (6.0, 100, 3),
            (f64::INFINITY, 100, 3),
        ] {
            assert_eq!((bounds.on_grid(0, value, 100), bounds.bin(0, value, 4)), (scaled, bin), "{value}");
        }
        assert_eq!((bounds.on_grid(0, f64::NAN, 100), bounds.bin(0, f64::NAN, 4)), (0, 2));
        assert_eq!((bounds.on_grid(1, 1e100, 8), bounds.on_grid(1, f64::MIN, 8)), (8, -8));
    }
}
