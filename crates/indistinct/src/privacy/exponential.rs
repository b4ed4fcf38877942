//! Upper bounds of powers of e, in integers.

use super::Epsilon;

/// Binary digits after the point of these powers.
pub(super) const FRACTION_BITS: u32 = 36;

/// e in these units, rounded up: 2^36 e is 186798904872.68...
const E: u128 = 186_798_904_873;
/// From here on e^epsilon exceeds the number of units in any probability.
const TOO_LARGE: u64 = 36;
/// Terms of the series: the rest is less than a unit.
const TERMS: u128 = 18;

/// e^`epsilon` in units of 2^-36, rounded up; `None` from e^36 on.
///
/// # Guarantee
/// e^(n + f) is n factors e times 1 + f + f^2/2 + ..., all of them positive and rounded up, and a unit for the
/// omitted terms. Test `powers_are_above_and_close`.
pub(super) fn exp_above(epsilon: Epsilon) -> Option<u128> {
    let (whole, fraction) =
        (epsilon.units() / Epsilon::UNITS_PER_ONE, epsilon.units() % Epsilon::UNITS_PER_ONE);
    if whole >= TOO_LARGE {
        return None;
    }
    let one = 1 << FRACTION_BITS;
    let fraction = (u128::from(fraction) << FRACTION_BITS).div_ceil(u128::from(Epsilon::UNITS_PER_ONE));
    let (mut sum, mut term) = (one + 1, one);
    for k in 1..=TERMS {
        term = (term * fraction).div_ceil(one * k);
        sum += term;
    }
    // Below 2^52 * 2^36 at the end: no overflow.
    Some((0..whole).fold(sum, |power, _| (power * E).div_ceil(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_above_and_close() {
        for text in ["0.000000000001", "0.1", "0.5", "0.999999999999", "1", "2.5", "10", "35.999"] {
            let epsilon: Epsilon = text.parse().unwrap();
            let found = exp_above(epsilon).unwrap() as f64 / (1u64 << FRACTION_BITS) as f64;
            let exact = epsilon.to_f64().exp();
            assert!(
                found >= exact * (1.0 - 1e-14) && found < exact * (1.0 + 2e-9),
                "{text}: {found} {exact}"
            );
        }
        assert_eq!(exp_above(Epsilon::ZERO), Some((1 << FRACTION_BITS) + 1));
        assert_eq!(exp_above("36".parse().unwrap()), None);
    }
}
