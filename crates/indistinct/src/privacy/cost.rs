//! The cost of a step, as a share of a budget.

use super::{Epsilon, Rho, decimal};
use serde::{Deserialize, Serialize};

/// Decimals of a [`Share`].
const DECIMALS: u32 = 18;
const ONE: u128 = 10u128.pow(DECIMALS);

/// The cost of one step, for all rows of a person: made by [`Budget::portion`](super::Budget::portion), and
/// charged to the same budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Cost in a pure budget.
    Epsilon(Epsilon),
    /// Cost in a budget with a delta.
    Rho(Rho),
}

impl Cost {
    /// The largest epsilon of a pure step that costs no more than this: epsilon^2 / 2 is at most its rho.
    pub fn pure_epsilon(self) -> Epsilon {
        match self {
            Self::Epsilon(epsilon) => epsilon,
            Self::Rho(rho) => rho.pure(),
        }
    }
}

/// The reason why a step's rho is enough for what was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accounting {
    /// Any step with pure epsilon-differential privacy costs epsilon^2 / 2.
    PureEpsilon,
    /// The exponential mechanism with epsilon costs epsilon^2 / 8: its log-ratios lie in an interval of that length.
    BoundedRange,
    /// Discrete Gaussian noise costs the squared move over twice its variance.
    Gaussian,
}

/// The cost of a step in a budget with a delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RhoSpend {
    /// The rho for all rows of a person.
    pub rho: Rho,
    /// The reason why that is enough.
    pub accounting: Accounting,
}

impl RhoSpend {
    /// Whether `rho` is enough for a step with this pure epsilon, zero where it has none.
    pub(super) fn covers(self, epsilon: Epsilon) -> bool {
        match self.accounting {
            Accounting::PureEpsilon => !epsilon.is_zero() && self.rho >= Rho::of_pure(epsilon),
            Accounting::BoundedRange => !epsilon.is_zero() && self.rho >= Rho::of_bounded_range(epsilon),
            Accounting::Gaussian => epsilon.is_zero() && !self.rho.is_zero(),
        }
    }
}

/// A part of a whole, in fixed point, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share(u128);

impl Share {
    /// The share that a float stands for, by its shortest decimal text, so that 0.1 is one tenth. A float that is
    /// not a share becomes zero, which cannot be charged.
    pub(super) fn from_f64(share: f64) -> Self {
        decimal::parse(&share.to_string(), DECIMALS).map_or(Self(0), |(units, _)| Self(units))
    }

    /// This share of a whole number of units, rounded down; more than all of them if the share is above one.
    pub(super) fn of(self, units: u64) -> u64 {
        let part = u128::from(units).saturating_mul(self.0) / ONE;
        u64::try_from(part).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_decimal_and_rounded_down() {
        let of = |share: f64, units: u64| Share::from_f64(share).of(units);
        assert_eq!(of(0.1, 1_000_000_000_000), 100_000_000_000);
        assert_eq!([0.1, 0.2, 0.7].map(|share| of(share, 10)).iter().sum::<u64>(), 10);
        assert_eq!((of(1.0 / 3.0, 100), of(0.999_999, 100), of(1.0, 7)), (33, 99, 7));
        assert_eq!(of(1.5, 100), 150);
        for nothing in [0.0, -0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300] {
            assert_eq!(of(nothing, u64::MAX), 0, "{nothing}");
        }
        assert_eq!(of(1.0, u64::MAX), u64::MAX);
    }
}
