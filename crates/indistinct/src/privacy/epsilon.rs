//! Epsilon in fixed point: budgets are sums and comparisons, which rounding must not falsify.

use super::cost::Share;
use super::decimal::{self, DecimalError};
use super::fixed_point::{Carried, fixed_point};
use serde::{Deserialize, Deserializer};
use std::str::FromStr;

/// Decimals of an [`Epsilon`].
const DECIMALS: u32 = 12;

/// An amount of privacy loss, as a whole number of units of 10^-12.
///
/// Every operation that makes a smaller epsilon out of a larger one rounds down, towards privacy; sums and
/// differences are exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Epsilon(u64);

fixed_point!(Epsilon, decimals: DECIMALS, most: u64::MAX);

/// The reason why a number is not a usable epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EpsilonError {
    /// Not a finite decimal number.
    #[error("epsilon must be a decimal number such as 0.5")]
    NotANumber,
    /// Below zero.
    #[error("epsilon must be greater than zero, not negative")]
    Negative,
    /// Zero.
    #[error("epsilon must be greater than zero")]
    Zero,
    /// Less than one unit.
    #[error("epsilon is too small: the least is 0.000000000001")]
    TooSmall,
    /// More than [`Epsilon::MAX`].
    #[error("epsilon is too large to mean anything: the most is {}", Epsilon::MAX)]
    TooLarge,
}

impl Epsilon {
    /// Zero, spent before the first charge.
    pub const ZERO: Self = Self(0);
    /// The largest accepted epsilon, a million: far beyond anything that protects anyone.
    pub const MAX: Self = Self(1_000_000 * Self::UNITS_PER_ONE);
    /// Units in an epsilon of one.
    pub const UNITS_PER_ONE: u64 = 10u64.pow(DECIMALS);
    /// Whole numbers from 4096 on.
    const CARRIED: Carried = Carried { fine: 4096 * Self::UNITS_PER_ONE, step: Self::UNITS_PER_ONE };

    /// The least epsilon that can be charged for data in which a person owns this many rows: for the record,
    /// where no epsilon would be enough.
    pub(crate) fn least_for(rows_per_person: std::num::NonZeroU32) -> Self {
        Self(u64::from(rows_per_person.get()))
    }

    /// The epsilon that a float stands for: its shortest decimal text, so that `0.1` is one tenth.
    ///
    /// # Errors
    /// If it is not finite, not positive, or too large, as for text.
    pub fn from_f64(value: f64) -> Result<Self, EpsilonError> {
        value.to_string().parse()
    }

    /// The epsilon in units of 10^-12.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// `numerator / denominator` of this, rounded down, and never more than the whole.
    ///
    /// A denominator of zero gives zero, which cannot be charged.
    #[must_use]
    pub fn share(self, numerator: u64, denominator: u64) -> Self {
        let numerator = u128::from(numerator.min(denominator));
        let share = (u128::from(self.0) * numerator).checked_div(u128::from(denominator)).unwrap_or(0);
        Self::rounded_down(share as u64)
    }

    /// A share of this epsilon, rounded down; more than the whole if the share is above one.
    #[must_use]
    pub(super) fn portion(self, share: Share) -> Self {
        Self::rounded_down(share.of(self.0))
    }

    /// Parts in proportion to `weights`, each rounded down.
    ///
    /// # Guarantee
    /// The parts never sum to more than the whole (tested on random splits below).
    pub fn split(self, weights: &[u64]) -> Vec<Self> {
        let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let part = |&weight: &u64| {
            // At most 2^60 * 2^64: no overflow.
            let part = (u128::from(self.0) * u128::from(weight)).checked_div(sum).unwrap_or(0);
            Self::rounded_down(part as u64)
        };
        weights.iter().map(part).collect()
    }

    /// One of `k` equal parts, rounded down; zero if there are none.
    #[must_use]
    pub fn divided_by(self, k: u64) -> Self {
        self.share(1, k)
    }

    /// Rounded down to so many significant digits, as something to type or to read.
    #[must_use]
    pub fn rounded_down_to(self, digits: u32) -> Self {
        Self(decimal::significant_below(self.0, digits))
    }

    /// The value rounded up to this many significant digits.
    #[must_use]
    pub fn rounded_up_to(self, digits: u32) -> Self {
        Self(decimal::significant_above(self.0, digits))
    }

    /// The epsilon of this many units, rounded down, and no more than [`Self::MAX`].
    pub(super) fn from_units_below(units: u128) -> Self {
        Self::rounded_down(u64::try_from(units).unwrap_or(u64::MAX).min(Self::MAX.0))
    }

    /// The epsilon of this many units, rounded up to what a double can represent.
    pub(super) fn from_units_above(units: u128) -> Self {
        Self(Self::CARRIED.above(units))
    }

    /// Rounds down to what a double in a certificate represents exactly.
    const fn rounded_down(units: u64) -> Self {
        Self(Self::CARRIED.below(units))
    }

    /// Reads an epsilon from text or a file, where zero is allowed.
    fn read(text: &str) -> Result<(Self, bool), EpsilonError> {
        let (units, zero) = decimal::parse(text, DECIMALS).map_err(|error| match error {
            DecimalError::NotANumber => EpsilonError::NotANumber,
            DecimalError::Negative => EpsilonError::Negative,
            DecimalError::TooLarge => EpsilonError::TooLarge,
        })?;
        match u64::try_from(units) {
            Ok(units) if units <= Self::MAX.0 => Ok((Self::rounded_down(units), zero)),
            _ => Err(EpsilonError::TooLarge),
        }
    }
}

impl FromStr for Epsilon {
    type Err = EpsilonError;

    /// Reads decimal text exactly; digits beyond the 12th decimal are rounded down.
    fn from_str(text: &str) -> Result<Self, EpsilonError> {
        match Self::read(text)? {
            (_, true) => Err(EpsilonError::Zero),
            (Self::ZERO, false) => Err(EpsilonError::TooSmall),
            (epsilon, false) => Ok(epsilon),
        }
    }
}

impl std::iter::Sum for Epsilon {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::read(&value.to_string()).map(|(epsilon, _)| epsilon).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn epsilon(text: &str) -> Epsilon {
        text.parse().unwrap()
    }

    #[test]
    fn reads_text_exactly() {
        assert_eq!(epsilon("0.1").units(), 100_000_000_000);
        assert_eq!(epsilon("1e-12").units(), 1);
        assert_eq!(epsilon("0.9999999999999").units(), 999_999_999_999);
        assert_eq!(epsilon("1000000"), Epsilon::MAX);
        assert_eq!(Epsilon::from_f64(0.1), Ok(epsilon("0.1")));
        assert_eq!(Epsilon::from_f64(0.3).unwrap(), [epsilon("0.1"), epsilon("0.2")].into_iter().sum());
    }

    #[test]
    fn rejects_text_that_is_not_a_budget() {
        let refused = |text: &str| text.parse::<Epsilon>().unwrap_err();
        for text in ["", "x", "NaN", "inf", "-inf", "1e"] {
            assert_eq!(refused(text), EpsilonError::NotANumber, "{text}");
        }
        assert_eq!(refused("0"), EpsilonError::Zero);
        assert_eq!(refused("-0.0"), EpsilonError::Zero);
        assert_eq!(refused("-1"), EpsilonError::Negative);
        assert_eq!(refused("1e-13"), EpsilonError::TooSmall);
        for text in ["1000001", "1e30", "1e300"] {
            assert_eq!(refused(text), EpsilonError::TooLarge);
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e300, 5e-324] {
            assert!(Epsilon::from_f64(value).is_err(), "{value}");
        }
    }

    #[test]
    fn shares_are_rounded_down_and_total() {
        let one = epsilon("1");
        assert_eq!(one.divided_by(3).to_string(), "0.333333333333");
        assert_eq!(one.share(2, 3).to_string(), "0.666666666666");
        assert_eq!(one.share(5, 3), one);
        assert_eq!(one.share(1, 0), Epsilon::ZERO);
        assert_eq!(one.split(&[0, 0]), [Epsilon::ZERO; 2]);
        assert_eq!(Epsilon::MAX.share(u64::MAX, u64::MAX), Epsilon::MAX);
        assert_eq!(epsilon("5000.7"), epsilon("5000"));
    }

    proptest! {
        #[test]
        fn a_split_never_exceeds_the_whole(units in 1..=Epsilon::MAX.0, weights in prop::collection::vec(any::<u64>(), 1..9)) {
            let whole = Epsilon::rounded_down(units);
            let parts = whole.split(&weights);
            prop_assert!(parts.iter().copied().sum::<Epsilon>() <= whole);
            // Little is lost: at most a unit each, where doubles can tell units apart.
            if units < Epsilon::CARRIED.fine && weights.iter().any(|&weight| weight > 0) {
                prop_assert!(whole.0 - parts.iter().map(|part| part.0).sum::<u64>() <= parts.len() as u64);
            }
        }

        #[test]
        fn text_and_json_give_it_back(units in 1..=Epsilon::MAX.0) {
            let epsilon = Epsilon::rounded_down(units);
            prop_assert_eq!(epsilon.to_string().parse::<Epsilon>().unwrap(), epsilon);
            let json = serde_json::to_string(&epsilon).unwrap();
            prop_assert_eq!(serde_json::from_str::<Epsilon>(&json).unwrap(), epsilon);
        }

        #[test]
        fn small_ones_too(units in 1..Epsilon::UNITS_PER_ONE) {
            let json = serde_json::to_string(&Epsilon(units)).unwrap();
            prop_assert_eq!(serde_json::from_str::<Epsilon>(&json).unwrap(), Epsilon(units));
        }
    }
}
