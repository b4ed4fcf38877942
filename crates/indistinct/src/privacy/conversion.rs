//! From rho to (epsilon, delta): the largest rho that keeps a promise, in integers.

use super::logarithm::{FRACTION_BITS, Side, ln};
use super::{Delta, Epsilon, Rho};
use std::num::NonZeroU64;

/// Orders of the Renyi divergence that are tried are alpha = 1 + m / 2^20.
const GRID_BITS: u32 = 20;
/// The largest m: beyond it no epsilon that leaves a rho has its best order.
const LARGEST: u64 = 1 << 54;

impl Rho {
    /// The largest rho such that rho-zCDP implies (`epsilon`, `delta`)-differential privacy by the bound of Canonne, Kamath
    /// and Steinke (2020), over a fine grid of orders; rounded down. Nothing without a delta.
    ///
    /// # Guarantee
    /// `proofs/zcdp.md`: what is returned was computed from below for one order, and every order above one gives a
    /// rho that is small enough. No float is involved, so that it is the same on every machine. Test
    /// `a_rho_keeps_its_promise_and_is_nearly_the_largest`.
    #[must_use]
    pub fn largest(epsilon: Epsilon, delta: Delta) -> Self {
        let Some(inverse) = NonZeroU64::new(delta.units()) else { return Self::ZERO };
        let ln_inverse = ln(Delta::UNITS_PER_ONE, inverse, Side::Above);
        let at = |m: u64| NonZeroU64::new(m).and_then(|m| at_order(epsilon, ln_inverse, m));
        // It rises up to the best order and falls beyond it.
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
        let best = (low..=high).filter_map(at).max().unwrap_or(0);
        Self::from_units_below(u128::try_from(best).unwrap_or(0))
    }
}

/// The largest rho, in its units, whose order alpha = 1 + beta, beta = m / 2^20, gives that epsilon and delta; rounded
/// down. None where numbers do not fit.
///
/// Solving ln delta = beta ((1 + beta) rho - epsilon) - beta ln(1 + 1/beta) - ln(1 + beta) for rho gives
/// (beta epsilon + beta ln(1 + 1/beta) + ln(1 + beta) - ln(1/delta)) / (beta (1 + beta)).
fn at_order(epsilon: Epsilon, ln_inverse_delta: u128, m: NonZeroU64) -> Option<i128> {
    let one = NonZeroU64::new(1 << GRID_BITS)?;
    let above = m.checked_add(one.get())?;
    let times_beta = |x: u128| x.checked_mul(u128::from(m.get())).map(|product| product >> GRID_BITS);
    // Below 2^60 * 2^56.
    let epsilon = (u128::from(epsilon.units()) << FRACTION_BITS) / u128::from(Epsilon::UNITS_PER_ONE);
    let gain = times_beta(epsilon)?.checked_add(times_beta(ln(above, m, Side::Below))?)?.checked_add(ln(
        above,
        one,
        Side::Below,
    ))?;
    let numerator = i128::try_from(gain).ok()?.checked_sub_unsigned(ln_inverse_delta)?;
    let product = u128::from(m.get()).checked_mul(u128::from(above.get()))?;
    let denominator = i128::try_from(product.checked_mul(1 << (FRACTION_BITS - 2 * GRID_BITS))?).ok()?;
    let units = numerator.checked_mul(i128::from(Rho::UNITS_PER_ONE))?;
    Some(units.div_euclid(denominator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rho(epsilon: &str, delta: &str) -> Rho {
        Rho::largest(epsilon.parse().unwrap(), delta.parse().unwrap())
    }

    /// ln delta that a rho gives at an epsilon, at the best order, in floats and by another form of the bound.
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
    }
}
