//! Digits to doubles: fast, and rounded correctly, or left to others.

use fearless_simd::prelude::*;
use fearless_simd::{i16x8, u8x16, u16x8};

/// Powers of ten that fit 64 bits.
const TENS: [u64; 20] = {
    let mut all = [1; 20];
    let mut k = 1;
    while k < all.len() {
        all[k] = 10 * all[k - 1];
        k += 1;
    }
    all
};

/// Powers of ten that are exact doubles.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The largest number up to which all whole numbers are doubles.
const EXACT_MANTISSA: u64 = 1 << 53;

/// The largest power of five below 2^63.
const FIVES: usize = 27;

/// For every power of ten its reciprocal: 64 binary digits, the first of them 1, and the place of that digit
/// after the point.
const RECIPROCALS: [(u64, u64); FIVES + 1] = reciprocals();

const fn reciprocals() -> [(u64, u64); FIVES + 1] {
    let mut all = [(0, 0); FIVES + 1];
    let mut power: u128 = 1;
    let mut k = 0;
    while k <= FIVES {
        // Long division of 1 by the power of five, in binary; the power of two only moves the point.
        let mut rest: u128 = 1;
        let mut zeros = 0;
        while rest < power {
            rest <<= 1;
            zeros += 1;
        }
        let mut digits: u64 = 0;
        let mut place = 0;
        while place < 64 {
            digits <<= 1;
            if rest >= power {
                rest -= power;
                digits |= 1;
            }
            rest <<= 1;
            place += 1;
        }
        all[k] = (digits, zeros + k as u64);
        power *= 5;
        k += 1;
    }
    all
}

/// `mantissa / 10^places` rounded to the nearest double, ties to even; `None` where that needs more precision.
#[inline(always)]
pub(super) fn divide(mantissa: u64, places: usize) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let &(reciprocal, place) = RECIPROCALS.get(places)?;
    // The reciprocal is short of the true one by less than a unit of its last place, so the product of two numbers
    // of 64 binary digits is short by less than 2^64, and its upper half by less than two.
    let shift = mantissa.leading_zeros();
    let upper = ((u128::from(mantissa << shift) * u128::from(reciprocal)) >> 64) as u64;
    // That has 64 digits or 63; with 64 it is short by less than four.
    let top = upper >> 63;
    let upper = upper << (1 - top);
    // A double has 53 digits. Half a unit of the last one is 2^10.
    if (1_u64 << 10).wrapping_sub(upper % (1 << 11)) < 4 {
        return divide_exact(mantissa, places);
    }
    let digits = ((upper >> 10) + 1) >> 1;
    // The value is upper * 2^(top - shift - place), a normal double. Its first digit, 2^52, adds one to the biased
    // exponent; so does a carry out of all 53 digits, as it should.
    let exponent = 1022 + 52 + 11 + top - u64::from(shift) - place;
    Some(f64::from_bits((exponent << 52) + digits))
}

/// The quotient where both numbers are exact doubles: it is rounded once (Clinger 1990).
#[cold]
fn divide_exact(mantissa: u64, places: usize) -> Option<f64> {
    let is_exact = mantissa <= EXACT_MANTISSA && places < EXACT_POWERS.len();
    is_exact.then(|| mantissa as f64 / EXACT_POWERS[places])
}

/// Adds the digits from `from` on to the mantissa, which wraps if there are too many; returns the position after
/// them.
#[inline(always)]
pub(super) fn digits(bytes: &[u8], from: usize, mantissa: &mut u64) -> usize {
    let mut at = from;
    while let Some(word) = bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes)
    {
        let digits = word ^ (EACH * 0x30);
        // The top bit of a byte is set where it is no digit; carries only reach bytes after the first such one.
        let others = (digits.wrapping_add(EACH * 0x76) | digits) & (EACH * 0x80);
        if others != 0 {
            let count = (others.trailing_zeros() / 8) as usize;
            if count > 0 {
                // Zeros in front make eight digits of them.
                let value = join(digits << (64 - 8 * count));
                *mantissa = mantissa.wrapping_mul(TENS[count]).wrapping_add(value);
            }
            return at + count;
        }
        *mantissa = mantissa.wrapping_mul(TENS[8]).wrapping_add(join(digits));
        // A constant step, which the processor foresees: it starts on the next digits before these are done.
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// The digits from `start` to `end`, at most seven and a point or eight, as one number; with a point, also the
/// number of digits after it. Needs eight readable bytes before `end`.
#[inline(always)]
pub(super) fn short(bytes: &[u8], start: usize, end: usize) -> Option<(u64, Option<usize>)> {
    let length = end.wrapping_sub(start);
    if length.wrapping_sub(1) >= 8 {
        return None;
    }
    let word =
        bytes.get(end.wrapping_sub(8)..end).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes)?;
    // The field is in the upper bytes; zeros before it do not matter.
    let digits = (word ^ (EACH * 0x30)) & (u64::MAX << (64 - 8 * length));
    let others = (digits.wrapping_add(EACH * 0x76) | digits) & (EACH * 0x80);
    if others == 0 {
        return Some((join(digits), None));
    }
    let place = others.trailing_zeros() & !7;
    let point = u64::from(b'.' ^ b'0') << place;
    if others & (others - 1) != 0 || digits & (0xFF << place) != point || length < 2 {
        return None;
    }
    // What is before the point moves up by one byte, over it.
    let before = (1 << place) - 1;
    let closed = ((digits & before) << 8) | (digits & !before & !point);
    Some((join(closed), Some(7 - place as usize / 8)))
}

/// A digit, a point and 9 to 18 digits from `start` to `end`, as one number, and the number of digits after the
/// point. Needs 24 readable bytes before `end`.
#[inline(always)]
pub(super) fn long<S: Simd>(simd: S, bytes: &[u8], start: usize, end: usize) -> Option<(u64, usize)> {
    let places = end.wrapping_sub(start).wrapping_sub(2);
    if !(9..=18).contains(&places) {
        return None;
    }
    let window: &[u8; 24] = bytes.get(end.wrapping_sub(24)..end)?.first_chunk()?;
    let first = u16::from_le_bytes([window[22 - places], window[23 - places]])
        .wrapping_sub(u16::from_le_bytes(*b"0."));
    if first > 9 {
        return None;
    }
    // Of the two bytes before the last sixteen, and of these, some may be no part of the fraction.
    let (kept_upper, kept_lower) = KEPT[places];
    let upper = (u16::from_le_bytes(*window[6..].first_chunk()?) ^ 0x3030) & kept_upper;
    let lower = u8x16::simd_from(simd, *window.last_chunk()?) ^ 0x30;
    let lower = lower & u8x16::simd_from(simd, kept_lower);
    let others = (upper.wrapping_add(0x7676) | upper) & 0x8080;
    if others != 0 || lower.simd_gt(9).any_true() {
        return None;
    }
    let upper = upper.wrapping_mul(10 * 256 + 1) >> 8;
    let fraction = u64::from(upper).wrapping_mul(TENS[16]).wrapping_add(join_sixteen(simd, lower));
    Some((u64::from(first).wrapping_mul(TENS[places]).wrapping_add(fraction), places))
}

/// For every number of places: which of the two bytes before the last sixteen have some of them, and which of
/// these.
const KEPT: [(u16, [u8; 16]); 19] = {
    let mut all = [(0, [0; 16]); 19];
    let mut places = 1;
    while places < all.len() {
        all[places] = all[places - 1];
        if places <= 16 {
            all[places].1[16 - places] = 0xFF;
        } else {
            all[places].0 |= 0xFF << (8 * (18 - places));
        }
        places += 1;
    }
    all
};

/// The number that sixteen digits spell, by joining pairs, fours and eights.
#[inline(always)]
fn join_sixteen<S: Simd>(simd: S, digits: u8x16<S>) -> u64 {
    // As in `join`: the upper byte of the product is ten times the first digit, and the second.
    let pairs: u16x8<S> = (digits.bitcast::<u16x8<S>>() * (10 * 256 + 1)) >> 8;
    let hundred = i16x8::simd_from(simd, [100, 1, 100, 1, 100, 1, 100, 1]);
    let fours = simd.pairwise_dot_product_i16x8(pairs.bitcast(), hundred);
    let fours = simd.saturating_narrow_i32x4(fours, fours);
    let myriad = i16x8::simd_from(simd, [10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1]);
    let eights = simd.pairwise_dot_product_i16x8(fours, myriad);
    u64::from(eights[0].cast_unsigned()) * TENS[8] + u64::from(eights[1].cast_unsigned())
}

/// A word of eight ones.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The number that eight digits spell, the first of them in the lowest byte, by joining pairs, fours and eights.
#[inline(always)]
fn join(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10 * 256 + 1) >> 8;
    let fours = (pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(100 * 65_536 + 1) >> 16;
    (fours & 0x0000_FFFF_0000_FFFF).wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn divisions_round_as_the_standard_library_rounds(mantissa: u64, drop in 0_u32..64, places in 0_usize..40) {
            let mantissa = mantissa >> drop;
            let expected: f64 = format!("{mantissa}e-{places}").parse().unwrap();
            if let Some(value) = divide(mantissa, places) {
                prop_assert_eq!(value.to_bits(), expected.to_bits());
            } else if places <= FIVES {
                // Doubtful cases are rare; they are left to the standard library.
                prop_assert!(mantissa > EXACT_MANTISSA || places >= EXACT_POWERS.len());
            }
        }

        #[test]
        fn digits_are_counted_and_summed(text in "[0-9]{0,19}[^0-9]{0,9}", extra in "[^0-9][0-9]{0,9}") {
            let text = format!("{text}{extra}");
            let mut mantissa = 0;
            let end = digits(text.as_bytes(), 0, &mut mantissa);
            let expected = text.bytes().take_while(u8::is_ascii_digit).count();
            prop_assert_eq!(end, expected);
            prop_assert_eq!(mantissa, text[..expected].parse().unwrap_or(0_u64));
        }
    }

    #[test]
    fn short_fields() {
        let field = |text: &str| short(format!("00000000{text},").as_bytes(), 8, 8 + text.len());
        assert_eq!(field("7"), Some((7, None)));
        assert_eq!(field("12345678"), Some((12_345_678, None)));
        assert_eq!(field("123.45"), Some((12_345, Some(2))));
        assert_eq!(field("1234567."), Some((1_234_567, Some(0))));
        assert_eq!(field(".1234567"), Some((1_234_567, Some(7))));
        for text in
            ["", ".", "1.2.3", "123456789", "1e5", " 1", "1 ", "-1", "1,5", "\u{e9}", "1\u{e9}", "1/", "1:"]
        {
            assert_eq!(field(text), None, "{text:?}");
        }
    }

    #[test]
    fn long_fields() {
        let field = |text: &str| {
            let line = format!("{:0>30}{text},", "");
            let mut found = crate::cells::vectors().into_iter().map(|level| {
                fearless_simd::dispatch!(level, simd => long(simd, line.as_bytes(), 30, 30 + text.len()))
            });
            let first = found.next().unwrap();
            assert!(found.all(|other| other == first), "the same with all vectors");
            first
        };
        assert_eq!(field("1.234567890"), Some((1_234_567_890, 9)));
        assert_eq!(field("9.999999999999999999"), Some((9_999_999_999_999_999_999, 18)));
        assert_eq!(field("0.51182162470025672"), Some((51_182_162_470_025_672, 17)));
        for text in
            ["1.2", "1.0000000000000000000", "0.9999999999999999999", "12.34567890123", "0.12345678901234e5"]
        {
            assert_eq!(field(text), None, "{text}");
        }
        for at in 0..19 {
            let mut text = "0.51182162470025672".to_owned();
            text.replace_range(at..=at, "x");
            assert_eq!(field(&text), None, "{text}");
        }
    }

    #[test]
    fn halfway_cases_are_left_to_others() {
        // 2^53 + 1 lies in the middle between two doubles.
        assert_eq!(divide((1 << 53) + 1, 0), None);
        assert_eq!(divide(((1 << 53) + 1) * 10, 1), None);
        assert_eq!(divide((1 << 53) + 2, 0), Some(9_007_199_254_740_994.0));
    }
}
