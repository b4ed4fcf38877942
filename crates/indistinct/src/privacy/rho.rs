//! Rho in fixed point: the unit of cost where guarantees compose by zero-concentrated differential privacy.

use super::cost::Share;
use super::fixed_point::{Carried, fixed_point};
use super::{Epsilon, decimal};
use serde::{Deserialize, Deserializer};

/// Decimals of a [`Rho`]: a rho is about the square of an epsilon, and needs finer units.
const DECIMALS: u32 = 15;

/// An amount of privacy loss under zero-concentrated differential privacy, as a whole number of units of 10^-15.
///
/// Parts are rounded down and costs are rounded up, both towards privacy; sums and differences are exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rho(u64);

fixed_point!(Rho, decimals: DECIMALS, most: u64::MAX);

impl Rho {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The largest rho, ten thousand: an epsilon of about as much, which protects nobody.
    pub const MAX: Self = Self(10_000 * Self::UNITS_PER_ONE);
    /// Units in a rho of one.
    pub const UNITS_PER_ONE: u64 = 10u64.pow(DECIMALS);
    const CARRIED: Carried = Carried { fine: 4 * Self::UNITS_PER_ONE, step: 10_000 };
    /// (Units of epsilon)^2 in a unit of rho.
    const SQUARES: u128 =
        (Epsilon::UNITS_PER_ONE as u128 * Epsilon::UNITS_PER_ONE as u128) / Self::UNITS_PER_ONE as u128;

    /// The rho of this many units, rounded down to what a double in a certificate can represent, at most
    /// [`Self::MAX`].
    pub(super) fn from_units_below(units: u128) -> Self {
        Self(Self::CARRIED.below(u64::try_from(units).unwrap_or(u64::MAX).min(Self::MAX.0)))
    }

    /// The rho of this many units, rounded up to what a double can represent; beyond [`Self::MAX`] if there are
    /// more.
    fn from_units_above(units: u128) -> Self {
        Self(Self::CARRIED.above(units))
    }

    /// The cost of pure `epsilon`-differential privacy: epsilon^2 / 2, rounded up.
    ///
    /// # Guarantee
    /// `proofs/zcdp.md`; test `costs_are_rounded_up`.
    #[must_use]
    pub fn of_pure(epsilon: Epsilon) -> Self {
        Self::of_square(epsilon, 2)
    }

    /// The cost of a choice whose log-ratios lie in an interval of length `epsilon`: epsilon^2 / 8, rounded up.
    ///
    /// # Guarantee
    /// `proofs/zcdp.md`: this holds for the exponential mechanism, and not for permute-and-flip. Test
    /// `costs_are_rounded_up`.
    #[must_use]
    pub fn of_bounded_range(epsilon: Epsilon) -> Self {
        Self::of_square(epsilon, 8)
    }

    fn of_square(epsilon: Epsilon, divisor: u128) -> Self {
        let units = u128::from(epsilon.units());
        Self::from_units_above((units * units).div_ceil(divisor * Self::SQUARES))
    }

    /// The largest epsilon that costs no more than this by [`Self::of_pure`].
    pub(super) fn pure(self) -> Epsilon {
        Epsilon::from_units_below((2 * u128::from(self.0) * Self::SQUARES).isqrt())
    }

    /// The largest epsilon of a choice that costs no more than this by [`Self::of_bounded_range`].
    pub(super) fn bounded_range(self) -> Epsilon {
        Epsilon::from_units_below((8 * u128::from(self.0) * Self::SQUARES).isqrt())
    }

    /// The rho in units of 10^-15.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// A part of this, rounded down; more than the whole if the share is more than one.
    #[must_use]
    pub(super) fn portion(self, share: Share) -> Self {
        let part = Self::from_units_below(u128::from(share.of(self.0)));
        // What is held at the maximum must not pass for a part of it.
        if share.of(self.0) > self.0 { Self(part.0.max(self.0.saturating_add(1))) } else { part }
    }

    /// Rounded up to so many significant digits, as something to read.
    #[must_use]
    pub fn rounded_up_to(self, digits: u32) -> Self {
        Self(decimal::significant_above(self.0, digits))
    }
}

impl std::iter::Sum for Rho {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl<'de> Deserialize<'de> for Rho {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        match decimal::parse(&value.to_string(), DECIMALS) {
            Ok((units, _)) if units <= u128::from(Self::MAX.0) => {
                // Up where it is finer than a unit: a sum that was read must not be smaller than it is written.
                let read = Self::from_units_above(units);
                Ok(if read.to_f64() < value { Self::from_units_above(units + 1) } else { read })
            }
            _ => Err(serde::de::Error::custom("rho must be a number from 0 to 10000")),
        }
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
    fn costs_are_rounded_up() {
        assert_eq!(Rho::of_pure(epsilon("1")).to_string(), "0.5");
        assert_eq!(Rho::of_bounded_range(epsilon("1")).to_string(), "0.125");
        assert_eq!(Rho::of_pure(epsilon("0.000000000001")).units(), 1);
        assert_eq!(Rho::of_bounded_range(epsilon("0.000010000001")).units(), 12_501);
        assert!(Rho::of_pure(Epsilon::MAX) > Rho::MAX);
        assert_eq!(Rho::of_bounded_range(epsilon("0.4")).bounded_range(), epsilon("0.4"));
    }

    #[test]
    fn portions_are_rounded_down_and_more_than_all_is_more() {
        let whole = Rho::from_units_below(10_000_000_000_001);
        let part = |share: f64| whole.portion(Share::from_f64(share));
        assert_eq!(part(0.1).units(), 1_000_000_000_000);
        assert_eq!(part(1.0), whole);
        assert!(part(1.000_01) > whole && Rho::MAX.portion(Share::from_f64(1.5)) > Rho::MAX);
        assert!(Rho::MAX.portion(Share::from_f64(1.0)) == Rho::MAX);
    }

    #[test]
    fn values_read_from_text_are_rounded_up() {
        let read = |json: &str| serde_json::from_str::<Rho>(json);
        assert_eq!(read("0.0000000000000012").unwrap().units(), 2);
        assert_eq!(read("1e-300").unwrap().units(), 1);
        assert_eq!(read("0").unwrap(), Rho::ZERO);
        for json in ["-0.1", "10000.1", "1e300", "\"0.1\""] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn a_choice_costs_no_more_than_what_it_was_made_from(units in 1..=Rho::MAX.0) {
            let rho = Rho::from_units_below(u128::from(units));
            let epsilon = rho.bounded_range();
            prop_assert!(Rho::of_bounded_range(epsilon) <= rho && Rho::of_pure(rho.pure()) <= rho);
            // And wastes next to nothing.
            if units > 1_000_000 && units < Rho::UNITS_PER_ONE {
                prop_assert!(Rho::of_bounded_range(epsilon).units() as f64 > 0.999_9 * units as f64);
            }
        }

        #[test]
        fn json_gives_it_back(units in 1..=Rho::MAX.0, small in 1..Rho::UNITS_PER_ONE) {
            for rho in [Rho::from_units_below(u128::from(units)), Rho(small)] {
                let json = serde_json::to_string(&rho).unwrap();
                prop_assert_eq!(serde_json::from_str::<Rho>(&json).unwrap(), rho);
            }
        }
    }
}
