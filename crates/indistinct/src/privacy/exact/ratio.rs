//! A non-negative rational number.

use std::num::NonZeroU128;

/// `numerator / denominator`, in lowest terms if made by `new`, so that one word of the generator is usually enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::privacy) struct Ratio {
    numerator: u128,
    denominator: NonZeroU128,
}

impl Ratio {
    /// The ratio in lowest terms.
    pub(in crate::privacy) fn new(numerator: u128, denominator: NonZeroU128) -> Self {
        let (mut divisor, mut rest) = (denominator.get(), numerator);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        // The divisor divides the denominator, so neither is zero; the fallback is never taken.
        let reduced = NonZeroU128::new(denominator.get() / divisor);
        match reduced {
            Some(denominator) => Self { numerator: numerator / divisor, denominator },
            None => Self { numerator, denominator },
        }
    }

    /// The ratio as it is, where reducing is not worth the time.
    pub(super) fn raw(numerator: u128, denominator: NonZeroU128) -> Self {
        Self { numerator, denominator }
    }

    /// The numerator.
    pub(in crate::privacy) fn numerator(self) -> u128 {
        self.numerator
    }

    /// The denominator.
    pub(in crate::privacy) fn denominator(self) -> NonZeroU128 {
        self.denominator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_terms() {
        let ratio = |a, b| Ratio::new(a, NonZeroU128::new(b).unwrap());
        assert_eq!(ratio(6, 4), ratio(3, 2));
        assert_eq!((ratio(6, 4).numerator(), ratio(6, 4).denominator().get()), (3, 2));
        assert_eq!(ratio(0, 7), ratio(0, 1));
        assert_eq!(ratio(u128::MAX, u128::MAX), ratio(1, 1));
        assert_eq!(ratio(5, 1), Ratio { numerator: 5, denominator: NonZeroU128::MIN });
    }
}
