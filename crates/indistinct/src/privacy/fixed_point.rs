//! Amounts in fixed point: what [`Epsilon`](super::Epsilon), [`Rho`](super::Rho) and [`Delta`](super::Delta) have in common.

/// Implements what amounts that count units of 10^-`decimals` in a `u64` share: exact sums and differences, decimal text, and
/// the nearest double in JSON. `most` is where sums stop.
///
/// Rounding is each type's own business, and so is reading, which rounds: an epsilon down, a rho up.
macro_rules! fixed_point {
    ($amount:ident, decimals: $decimals:expr, most: $most:expr) => {
        impl $amount {
            /// The nearest double, for display and for densities that carry no exactness claim.
            pub fn to_f64(self) -> f64 {
                // Parsing is correctly rounded, where a quotient of units rounds twice.
                self.to_string().parse().unwrap_or(f64::NAN)
            }

            /// Whether this is nothing.
            pub const fn is_zero(self) -> bool {
                self.0 == 0
            }

            /// The sum, or the largest amount there is: too much either way, where it is compared with a budget.
            #[must_use]
            pub const fn saturating_add(self, other: Self) -> Self {
                Self::capped(self.0.saturating_add(other.0))
            }

            /// The rest, or nothing.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }

            /// So many of it, or the largest amount there is.
            #[must_use]
            pub(super) const fn times(self, count: u64) -> Self {
                Self::capped(self.0.saturating_mul(count))
            }

            const fn capped(units: u64) -> Self {
                Self(if units < $most { units } else { $most })
            }
        }

        impl std::fmt::Display for $amount {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(&$crate::privacy::decimal::format(self.0, $decimals))
            }
        }

        impl std::fmt::Debug for $amount {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "{}({self})", stringify!($amount))
            }
        }

        impl serde::Serialize for $amount {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.to_f64())
            }
        }
    };
}

pub(super) use fixed_point;

/// The amounts that a double in a certificate carries exactly: all units below `fine`, and from there on, where a double cannot
/// tell neighbouring units apart, multiples of `step`.
pub(super) struct Carried {
    pub(super) fine: u64,
    pub(super) step: u64,
}

impl Carried {
    /// So many units, rounded down.
    pub(super) const fn below(&self, units: u64) -> u64 {
        if units < self.fine { units } else { units - units % self.step }
    }

    /// So many units, rounded up; the most that a word can hold, where there are more.
    pub(super) fn above(&self, units: u128) -> u64 {
        let units = u64::try_from(units).unwrap_or(u64::MAX);
        if units < self.fine { units } else { units.checked_next_multiple_of(self.step).unwrap_or(u64::MAX) }
    }
}
