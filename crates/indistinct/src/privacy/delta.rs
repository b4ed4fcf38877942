//! Delta, the probability with which a guarantee may fail, in fixed point.

use super::exponential::{self, exp_above};
use super::fixed_point::fixed_point;
use super::{Epsilon, decimal};
use serde::{Deserialize, Deserializer};
use std::num::NonZeroU64;
use std::str::FromStr;

/// Decimals of a [`Delta`]: as many as survive a conversion to a double and back, below one.
const DECIMALS: u32 = 15;
const ONE: u64 = 10u64.pow(DECIMALS);

/// A probability from zero to below one, as a whole number of units of 10^-15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Delta(u64);

// Sums stop at one, which is more than any delta that was given.
fixed_point!(Delta, decimals: DECIMALS, most: ONE);

/// A number that is no delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("delta must be a decimal number from 0 to below 1, such as 1e-6")]
pub struct DeltaError;

impl Delta {
    /// Zero: pure differential privacy.
    pub const ZERO: Self = Self(0);

    /// Units in a probability of one.
    pub(super) const UNITS_PER_ONE: NonZeroU64 = NonZeroU64::MIN.saturating_add(ONE - 1);

    /// The probability in units of 10^-15.
    pub(super) const fn units(self) -> u64 {
        self.0
    }

    /// One of `k` equal parts, rounded down; nothing if there are none.
    #[must_use]
    pub fn divided_by(self, k: u64) -> Self {
        Self(self.0.checked_div(k).unwrap_or(0))
    }

    /// The delta of two steps from table to table, where one step has `epsilon` and this delta: (1 + e^epsilon)
    /// times it, rounded up, at most one.
    ///
    /// # Guarantee
    /// `proofs/ledger_account.md`; test `two_steps_cost_more_than_twice`.
    #[must_use]
    pub(super) fn of_two_steps(self, epsilon: Epsilon) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        let one = 1 << exponential::FRACTION_BITS;
        // Below 2^50 * 2^89, unless it is one anyway.
        let product = exp_above(epsilon).and_then(|power| (one + power).checked_mul(u128::from(self.0)));
        let units = product.map_or(ONE.into(), |product| product.div_ceil(one));
        Self(u64::try_from(units).map_or(ONE, |units| units.min(ONE)))
    }

    /// The value rounded down to this many significant digits.
    #[must_use]
    pub fn rounded_down_to(self, digits: u32) -> Self {
        Self(decimal::significant_below(self.0, digits))
    }
}

impl FromStr for Delta {
    type Err = DeltaError;

    /// Reads decimal text exactly; digits beyond the 15th decimal are rounded down.
    fn from_str(text: &str) -> Result<Self, DeltaError> {
        match decimal::parse(text, DECIMALS) {
            Ok((units, _)) if units < u128::from(ONE) => Ok(Self(units as u64)),
            _ => Err(DeltaError),
        }
    }
}

impl<'de> Deserialize<'de> for Delta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer)?.to_string().parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_cost_more_than_twice() {
        let delta = |text: &str| text.parse::<Delta>().unwrap();
        let two = |text: &str, epsilon: &str| delta(text).of_two_steps(epsilon.parse().unwrap()).to_f64();
        for (text, epsilon) in [("1e-6", "0.5"), ("1e-6", "1"), ("1e-9", "4"), ("1e-15", "3")] {
            let exact = (1.0 + epsilon.parse::<f64>().unwrap().exp()) * text.parse::<f64>().unwrap();
            let found = two(text, epsilon);
            assert!(
                found >= exact * (1.0 - 1e-14) && found < exact * (1.0 + 1e-8) + 1e-15,
                "{found} {exact}"
            );
        }
        assert_eq!(two("1e-6", "40"), 1.0);
        assert_eq!(two("0.5", "0.5"), 1.0);
        assert_eq!(two("0", "100"), 0.0);
    }

    #[test]
    fn text_and_json_give_it_back() {
        for text in ["0", "0.000001", "0.123456789012345", "0.999999999999999", "0.000000000000001"] {
            let delta: Delta = text.parse().unwrap();
            assert_eq!(delta.to_string(), text);
            let json = serde_json::to_string(&delta).unwrap();
            assert_eq!(serde_json::from_str::<Delta>(&json).unwrap(), delta);
        }
        assert_eq!("1e-6".parse::<Delta>(), "0.000001".parse());
        let (most, half): (Delta, Delta) = ("0.999999999999999".parse().unwrap(), "0.5".parse().unwrap());
        assert!(half.saturating_add(half) > most && most.saturating_add(most) == half.saturating_add(half));
        assert_eq!(
            (most.saturating_sub(half).saturating_add(half), half.saturating_sub(most)),
            (most, Delta::ZERO)
        );
        for text in ["1", "-0.1", "NaN", "", "1e40"] {
            assert_eq!(text.parse::<Delta>(), Err(DeltaError), "{text}");
        }
    }
}
