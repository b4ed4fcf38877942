//! Conversion between rho and (epsilon, delta), in integers: the largest rho for a promise, and the least epsilon
//! for a rho.

use super::logarithm::{FRACTION_BITS, Side, ln};
use super::{Delta, Epsilon, Rho};
use std::cmp::Reverse;
use std::num::NonZeroU64;

/// The orders of the Renyi divergence that are tried are alpha = 1 + m / 2^20.
const GRID_BITS: u32 = 20;
/// The m for beta = 1.
const ONE: u64 = 1 << GRID_BITS;
/// The largest m: every epsilon that leaves a rho has its best order below it.
const LARGEST: u64 = 1 << 54;

impl Rho {
    /// The largest rho for which rho-zCDP implies (`epsilon`, `delta`)-differential privacy by the bound of
    /// Canonne, Kamath and Steinke (2020), over a fine grid of orders; rounded down. Zero without a delta.
    ///
    /// # Guarantee
    /// `proofs/zcdp.md`: the returned rho was computed from below for one order, and every order above one gives
    /// a rho that is small enough. No float is involved, so that it is the same on every machine. Test
    /// `a_rho_keeps_its_promise_and_is_nearly_the_largest`.
    #[must_use]
    pub fn largest(epsilon: Epsilon, delta: Delta) -> Self {
        let Some(ln_inverse) = ln_inverse(delta) else { return Self::ZERO };
        let best = best_order(|m| at_order(epsilon, ln_inverse, m)).unwrap_or(0);
        Self::from_units_below(u128::try_from(best).unwrap_or(0))
    }

    /// The least epsilon for which rho-zCDP with this rho implies (epsilon, `delta`)-differential privacy by the
    /// bound and orders of [`Self::largest`]; rounded up. `None` without a delta, or if it exceeds every epsilon.
    ///
    /// # Guarantee
    /// `proofs/zcdp.md`: the returned epsilon was computed from above for one order, and every order gives an
    /// epsilon that is large enough. Test `an_epsilon_is_enough_and_nearly_the_least`.
    #[must_use]
    pub fn least_epsilon(self, delta: Delta) -> Option<Epsilon> {
        if self.is_zero() {
            return Some(Epsilon::ZERO);
        }
        let ln_inverse = ln_inverse(delta)?;
        let Reverse(least) = best_order(|m| epsilon_at_order(self, ln_inverse, m).map(Reverse))?;
        let epsilon = Epsilon::from_units_above(u128::try_from(least).unwrap_or(0));
        (epsilon <= Epsilon::MAX).then_some(epsilon)
    }
}

/// ln(1 / delta), rounded up; `None` for zero.
fn ln_inverse(delta: Delta) -> Option<u128> {
    Some(ln(Delta::UNITS_PER_ONE, NonZeroU64::new(delta.units())?, Side::Above))
}

/// The largest value over all orders, of a value that rises up to the best order and falls beyond it.
fn best_order<T: Ord>(value: impl Fn(NonZeroU64) -> Option<T>) -> Option<T> {
    let at = |m: u64| NonZeroU64::new(m).and_then(&value);
    let (mut low, mut high) = (1, LARGEST);
    while high - low > 2 {
        let third = (high - low) / 3;
        let (left, right) = (low + third, high - third);
        if at(left) < at(right) {
            low = left + 1;
        } else {
            high = right;
        }
    }
    (low..=high).filter_map(at).max()
}

/// The largest rho, in its units, that gives this epsilon and delta at the order alpha = 1 + beta, beta = m /
/// 2^20; rounded down. `None` where numbers do not fit.
///
/// Solving ln delta = beta ((1 + beta) rho - epsilon) - beta ln(1 + 1/beta) - ln(1 + beta) for rho gives (beta
/// epsilon + beta ln(1 + 1/beta) + ln(1 + beta) - ln(1/delta)) / (beta (1 + beta)).
fn at_order(epsilon: Epsilon, ln_inverse_delta: u128, m: NonZeroU64) -> Option<i128> {
    let above = m.checked_add(ONE)?;
    // Below 2^60 * 2^56.
    let epsilon = (u128::from(epsilon.units()) << FRACTION_BITS) / u128::from(Epsilon::UNITS_PER_ONE);
    let gain = times_beta(epsilon, m)?.checked_add(gain_of_order(m)?)?;
    let numerator = i128::try_from(gain).ok()?.checked_sub_unsigned(ln_inverse_delta)?;
    let product = u128::from(m.get()).checked_mul(u128::from(above.get()))?;
    let denominator = i128::try_from(product.checked_mul(1 << (FRACTION_BITS - 2 * GRID_BITS))?).ok()?;
    let units = numerator.checked_mul(i128::from(Rho::UNITS_PER_ONE))?;
    Some(units.div_euclid(denominator))
}

/// The least epsilon, in its units, of this rho and delta at the order alpha = 1 + beta, beta = m / 2^20; rounded
/// up. `None` where numbers do not fit.
///
/// The equation of [`at_order`] solved for epsilon gives (1 + beta) rho + (ln(1/delta) - beta ln(1 + 1/beta) -
/// ln(1 + beta)) / beta.
fn epsilon_at_order(rho: Rho, ln_inverse_delta: u128, m: NonZeroU64) -> Option<i128> {
    let above = m.checked_add(ONE)?;
    let finer = u128::from(Rho::UNITS_PER_ONE / Epsilon::UNITS_PER_ONE);
    let product = u128::from(rho.units()).checked_mul(u128::from(above.get()))?;
    let spread = i128::try_from(product.div_ceil(finer << GRID_BITS)).ok()?;
    let rest = i128::try_from(ln_inverse_delta).ok()?.checked_sub_unsigned(gain_of_order(m)?)?;
    let rest = rest.checked_mul(i128::from(Epsilon::UNITS_PER_ONE))?;
    let denominator = i128::from(m.get()).checked_mul(1 << (FRACTION_BITS - GRID_BITS))?;
    // Rounded up, whatever its sign.
    let rest = -(-rest).div_euclid(denominator);
    spread.checked_add(rest)
}

/// beta ln(1 + 1/beta) + ln(1 + beta), rounded down.
fn gain_of_order(m: NonZeroU64) -> Option<u128> {
    let above = m.checked_add(ONE)?;
    times_beta(ln(above, m, Side::Below), m)?.checked_add(ln(above, NonZeroU64::new(ONE)?, Side::Below))
}

/// beta times a logarithm, rounded down.
fn times_beta(x: u128, m: NonZeroU64) -> Option<u128> {
    x.checked_mul(u128::from(m.get())).map(|product| product >> GRID_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rho(epsilon: &str, delta: &str) -> Rho {
        Rho::largest(epsilon.parse().unwrap(), delta.parse().unwrap())
    }

    /// The ln delta of a rho at an epsilon and the best order, in floats and by another form of the bound.
    fn ln_delta(rho: f64, epsilon: f64) -> f64 {
        let at = |log: f64| {
            let alpha = 1.0 + log.exp();
            (alpha - 1.0) * (alpha * rho - epsilon) - log + alpha * (-1.0 / alpha).ln_1p()
        };
        let (mut low, mut high) = (-12.0, 20.0);
        for _ in 0..100 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(left) > at(right) { low = left } else { high = right }
        }
        at(low)
    }

    #[test]
    fn known_values() {
        // By a program for long numbers: tests/golden/make_zcdp.py.
        for (epsilon, delta, wanted) in [
            ("1", "1e-6", "0.024355970359538373"),
            ("1", "1e-5", "0.030556595197639566"),
            ("0.1", "1e-9", "0.000177138447185021"),
            ("0.01", "1e-6", "0.000004358973683143"),
            ("3", "1e-12", "0.089021264049453432"),
            ("10", "1e-6", "1.539278763866728515"),
            ("50", "1e-3", "25.397204945373358873"),
            ("0.5", "0.25", "0.281027801296813876"),
        ] {
            let (found, wanted) = (rho(epsilon, delta).to_f64(), wanted.parse::<f64>().unwrap());
            assert!(
                found <= wanted && found > wanted * (1.0 - 1e-6) - 2e-15,
                "{epsilon}, {delta}: {found} {wanted}"
            );
            // No smaller than by the simple form, epsilon = rho + 2 sqrt(rho ln(1/delta)).
            let (epsilon, l) = (epsilon.parse::<f64>().unwrap(), -delta.parse::<f64>().unwrap().ln());
            assert!(found >= ((epsilon + l).sqrt() - l.sqrt()).powi(2) - 2e-15);
        }
        assert_eq!(rho("1", "0"), Rho::ZERO);
        assert!(Rho::largest(Epsilon::MAX, "0.999999999999999".parse().unwrap()) <= Rho::MAX);
    }

    #[test]
    fn epsilons_of_sums_of_rho() {
        // By a program for long numbers: tests/golden/make_zcdp.py.
        for (releases, epsilon, delta, at, wanted) in [
            (1, "0.6", "1e-6", "1e-6", "0.600000000000000"),
            (3, "0.6", "1e-6", "3e-6", "1.021430415133748"),
            (3, "0.6", "1e-6", "1e-6", "1.078894868614185"),
            (100, "0.1", "1e-8", "1e-6", "0.920937331572180"),
            (2, "5", "1e-5", "1e-4", "6.688600928101448"),
            (1000, "0.02", "1e-9", "1e-9", "0.718995552238435"),
        ] {
            let sum: Rho = std::iter::repeat_n(rho(epsilon, delta), releases).sum();
            let found = sum.least_epsilon(at.parse().unwrap()).unwrap().to_f64();
            let wanted: f64 = wanted.parse().unwrap();
            // Each rho is rounded down by up to a unit.
            assert!(
                found >= wanted - 1e-10 && found < wanted * (1.0 + 1e-6) + 1e-11,
                "{releases} of ({epsilon}, {delta}) at {at}: {found} {wanted}"
            );
        }
        assert_eq!(Rho::ZERO.least_epsilon(Delta::ZERO), Some(Epsilon::ZERO));
        assert_eq!(rho("1", "1e-6").least_epsilon(Delta::ZERO), None);
    }

    proptest! {
        #[test]
        fn a_rho_keeps_its_promise_and_is_nearly_the_largest(log_epsilon in -5.0..3.0f64, log_delta in -14.5..-0.01f64) {
            let epsilon = Epsilon::from_f64(log_epsilon.exp()).unwrap();
            let delta: Delta = 10f64.powf(log_delta).to_string().parse().unwrap();
            let (rho, wanted) = (Rho::largest(epsilon, delta).to_f64(), delta.to_string().parse::<f64>().unwrap().ln());
            let slack = 1e-9 * (1.0 + wanted.abs());
            prop_assert!(ln_delta(rho, epsilon.to_f64()) <= wanted + slack);
            prop_assert!(ln_delta(rho * 1.001 + 1e-12, epsilon.to_f64()) > wanted);
        }

        #[test]
        fn an_epsilon_is_enough_and_nearly_the_least(log_rho in -25.0..8.0f64, log_delta in -14.5..-0.01f64) {
            let rho = Rho::from_units_below((log_rho.exp() * 1e15) as u128);
            let delta: Delta = 10f64.powf(log_delta).to_string().parse().unwrap();
            prop_assume!(!rho.is_zero() && !delta.is_zero());
            let (epsilon, wanted) = (rho.least_epsilon(delta).unwrap().to_f64(), delta.to_f64().ln());
            let slack = 1e-9 * (1.0 + wanted.abs());
            prop_assert!(ln_delta(rho.to_f64(), epsilon) <= wanted + slack);
            prop_assert!(epsilon < 1e-9 || ln_delta(rho.to_f64(), epsilon * 0.999 - 1e-9) > wanted);
            // There and back.
            let back = Rho::largest(Epsilon::from_f64(epsilon.max(1e-12)).unwrap(), delta).to_f64();
            prop_assert!(back >= rho.to_f64() * (1.0 - 1e-6) - 1e-12, "{} {}", back, rho);
        }
    }
}
