//! Lower and upper bounds of natural logarithms of rational numbers, in integers.

use std::num::NonZeroU64;

/// Binary digits after the point of these logarithms.
pub(super) const FRACTION_BITS: u32 = 56;

/// ln 2 in these units, rounded down: 2^56 ln 2 lies between this and the next whole number.
const LN_2: u128 = 49_946_518_145_322_873;

/// The side of the exact value on which a bound lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

/// A lower or upper bound of ln(`p`/`q`) in units of 2^-56; zero if `p` is below `q`.
///
/// # Guarantee
/// With p/q = 2^e m, 1 <= m < 2, and z = (m - 1)/(m + 1) <= 1/3, ln(p/q) = e ln 2 + 2 (z + z^3/3 + z^5/5 + ...).
/// All terms are positive, so that rounding every one of them to the same side, and dropping the rest or adding
/// more than it, gives that side. Test `logarithms_are_enclosed`.
pub(super) fn ln(p: NonZeroU64, q: NonZeroU64, side: Side) -> u128 {
    let (p, mut q) = (u128::from(p.get()), u128::from(q.get()));
    if p <= q {
        return 0;
    }
    let mut twos = 0;
    while 2 * q <= p {
        q *= 2;
        twos += 1;
    }
    let divided = |a: u128, b: u128| match side {
        Side::Below => a / b,
        Side::Above => a.div_ceil(b),
    };
    let one = 1u128 << FRACTION_BITS;
    // Below 2^64 * 2^56: no overflow; powers are below one.
    let z = divided((p - q) << FRACTION_BITS, p + q);
    let square = divided(z * z, one);
    let (mut sum, mut power, mut k) = (0, z, 1);
    while power > 1 {
        sum += divided(power, k);
        power = divided(power * square, one);
        k += 2;
    }
    match side {
        Side::Below => twos * LN_2 + 2 * sum,
        // What is left is below 1 + 1/9 + 1/81 + ... units: two of them are more.
        Side::Above => twos * (LN_2 + 1) + 2 * (sum + 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_enclosed() {
        let number = |x: u64| NonZeroU64::new(x).unwrap();
        for q in [1, 2, 3, 7, 1_000, 999_983, 1 << 40, 1 << 62] {
            for p in [1, 2, 3, 5, 1_000, 1_000_003, 1 << 30, (1 << 62) - 1, 1 << 62, 1_000_000_000_000_000] {
                let exact = (p as f64 / q as f64).ln().max(0.0);
                let [below, above] = [Side::Below, Side::Above]
                    .map(|side| ln(number(p), number(q), side) as f64 / (1u64 << 56) as f64);
                assert!(
                    below <= exact * (1.0 + 1e-15) + 1e-16 && above >= exact * (1.0 - 1e-15) - 1e-16,
                    "{p}/{q}"
                );
                assert!(above - below < 5e-15, "{p}/{q}: {below} {above}");
            }
        }
        // 2^56 ln 2 and 2^56 ln 10, by a program for long numbers.
        assert_eq!(ln(number(2), number(1), Side::Below), 49_946_518_145_322_873);
        let ten = 165_918_741_868_749_488;
        assert!(
            ln(number(10), number(1), Side::Below) <= ten && ln(number(10), number(1), Side::Above) > ten
        );
    }
}
