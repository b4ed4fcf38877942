//! The number line, cut into cells that are powers of two wide: exactly, for all doubles and all whole numbers.

use serde::{Deserialize, Serialize};

/// A number of a column, in the precision of its type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Point {
    /// A finite double.
    Real(f64),
    /// A whole number, which a double may not hold exactly.
    Whole(i64),
}

impl Point {
    /// The least k with |x| < 2^k; zero has the least of all.
    ///
    /// # Guarantee
    /// Exact for every finite double, also subnormal, and for every whole number (`proofs/interval_search.md`,
    /// claim 10).
    pub(crate) fn magnitude(self) -> i32 {
        match self {
            Self::Real(0.0) | Self::Whole(0) => i32::MIN,
            Self::Real(value) => libm::frexp(value).1,
            Self::Whole(value) => (u64::BITS - value.unsigned_abs().leading_zeros()).cast_signed(),
        }
    }

    /// The distance to another number: rounded, in the same direction for all that are further away.
    pub(crate) fn distance(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.abs_diff(b) as f64,
            (a, b) => (a.to_real() - b.to_real()).abs(),
        }
    }

    /// The nearest double.
    pub(crate) fn to_real(self) -> f64 {
        match self {
            Self::Real(value) => value,
            Self::Whole(value) => value as f64,
        }
    }

    /// The number i of the cell [i 2^k, (i + 1) 2^k) that contains the point; `None` if it is beyond 2^62. Cells
    /// of whole numbers are at least 1 wide.
    ///
    /// # Guarantee
    /// Exact for every finite double and every whole number (`proofs/interval_search.md`, claims 6 and 10).
    fn cell(self, exponent: i32) -> Option<i128> {
        match self {
            Self::Real(value) => match libm::scalbn(value, -exponent) {
                scaled if scaled.abs() >= FURTHEST => None,
                // Scaling by a power of two only rounds numbers below the cell's width, whose cell is known by their sign.
                scaled if scaled.abs() >= 1.0 => Some(scaled.floor() as i128),
                _ if value < 0.0 => Some(-1),
                _ => Some(0),
            },
            Self::Whole(value) => Some(i128::from(value) >> exponent.clamp(0, 64)),
        }
    }
}

/// The number beyond which cells are not counted.
const FURTHEST: f64 = 4_611_686_018_427_387_904.0;

/// Neighbouring cells [i 2^k, (i + 1) 2^k) of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineCells {
    /// The exponent k of the width.
    pub(crate) exponent: i32,
    /// The number i of the first cell.
    pub(crate) first: i128,
    /// Number of cells, as a power of two.
    pub(crate) bits: u32,
}

impl LineCells {
    /// Number of cells.
    pub(crate) fn count(&self) -> usize {
        1 << self.bits
    }

    /// The cell that contains a number, if any does.
    ///
    /// # Guarantee
    /// A function of the number and of public values.
    pub(crate) fn place(&self, point: Point) -> Option<usize> {
        let from = point.cell(self.exponent)?.checked_sub(self.first)?;
        usize::try_from(from).ok().filter(|place| *place < self.count())
    }

    /// The start of a cell, or the nearest number that exists.
    pub(crate) fn start(&self, place: usize, is_whole: bool) -> Point {
        let cell = self.first + place as i128;
        if !is_whole {
            return Point::Real(libm::scalbn(cell as f64, self.exponent).clamp(f64::MIN, f64::MAX));
        }
        let value = cell << self.exponent.clamp(0, 63);
        Point::Whole(value.clamp(i128::from(i64::MIN + 1), i128::from(i64::MAX)) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_in_their_cells() {
        let cells = LineCells { exponent: -3, first: -4, bits: 4 };
        for place in 0..cells.count() {
            assert_eq!(cells.place(cells.start(place, false)), Some(place));
        }
        for (exponent, first) in [(0, 1 << 60), (0, -(1 << 63) + 1), (7, -1), (40, -(1 << 23) + 1), (63, 0)] {
            let cells = LineCells { exponent, first, bits: 1 };
            let start = cells.start(0, true);
            assert_eq!(cells.place(start), Some(0), "{cells:?} {start:?}");
        }
        let beyond = LineCells { exponent: 62, first: -9, bits: 4 };
        assert_eq!(beyond.start(0, true), Point::Whole(i64::MIN + 1));
        assert_eq!(beyond.start(15, true), Point::Whole(i64::MAX));
    }
}
