//! Numbers as people write them in tables: a decimal with optional sign, fraction and exponent.

/// What a cell holds, read as a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Digits only (and a sign), and neither minus zero nor beyond 64 bits.
    Whole(i64),
    /// Any other finite number, rounded to the nearest double.
    Real(f64),
    /// `nan`, in any case: a missing number.
    Nan,
    /// An infinity, spelled out or by overflow.
    Infinite,
    /// Something else.
    Not,
}

/// Powers of ten that are doubles without rounding.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The largest mantissa up to which all whole numbers are doubles.
const EXACT_MANTISSA: u64 = 1 << 53;

/// Any 19 digits fit 64 bits.
const SAFE_DIGITS: usize = 19;

/// Reads a cell, spaces around it ignored.
pub(crate) fn parse(cell: &str) -> Number {
    let cell = trim_spaces(cell);
    let bytes = cell.as_bytes();
    let (negative, signed) = match bytes.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let mut mantissa = 0_u64;
    let whole_end = digits(bytes, signed, &mut mantissa);
    if whole_end == bytes.len() && whole_end > signed && whole_end - signed < SAFE_DIGITS {
        // At most 18 digits: fits, and the sentinel of missing integers is out of reach.
        let value = mantissa.cast_signed();
        return match (negative, value) {
            (true, 0) => Number::Real(-0.0),
            (true, _) => Number::Whole(-value),
            (false, _) => Number::Whole(value),
        };
    }
    let mut end = whole_end;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        end = digits(bytes, whole_end + 1, &mut mantissa);
        fraction = end - whole_end - 1;
    }
    let count = whole_end - signed + fraction;
    if count == 0 {
        return word(cell.get(signed..).unwrap_or(""));
    }
    if end < bytes.len() {
        return if has_exponent(&bytes[end..]) { slow(cell) } else { Number::Not };
    }
    if fraction == 0 && whole_end == bytes.len() {
        return cell
            .parse::<i64>()
            .ok()
            .filter(|&value| value != i64::MIN)
            .map_or_else(|| slow(cell), Number::Whole);
    }
    if count <= SAFE_DIGITS && mantissa <= EXACT_MANTISSA && fraction < EXACT_POWERS.len() {
        // Both operands are exact, so the quotient is the correctly rounded value (Clinger 1990).
        let value = mantissa as f64 / EXACT_POWERS[fraction];
        return Number::Real(if negative { -value } else { value });
    }
    slow(cell)
}

/// A cell without the ASCII spaces around it.
pub(crate) fn trim_spaces(cell: &str) -> &str {
    let bytes = cell.as_bytes();
    if bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ') { cell.trim_matches(' ') } else { cell }
}

/// Adds the digits from `from` on to the mantissa (which wraps beyond 19 of them); the first other position.
#[inline]
fn digits(bytes: &[u8], from: usize, mantissa: &mut u64) -> usize {
    let mut at = from;
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

/// Whether the rest is an exponent, whole and nothing else.
fn has_exponent(rest: &[u8]) -> bool {
    let [b'e' | b'E', rest @ ..] = rest else { return false };
    let rest = match rest {
        [b'+' | b'-', rest @ ..] => rest,
        rest => rest,
    };
    !rest.is_empty() && rest.iter().all(u8::is_ascii_digit)
}

/// The standard library's correctly rounded value of a cell that is known to be a decimal.
fn slow(cell: &str) -> Number {
    match cell.parse::<f64>() {
        Ok(value) if value.is_infinite() => Number::Infinite,
        Ok(value) => Number::Real(value),
        Err(_) => Number::Not,
    }
}

/// The words that numeric columns contain, after an optional sign.
fn word(word: &str) -> Number {
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    if is("nan") {
        Number::Nan
    } else if is("inf") || is("infinity") {
        Number::Infinite
    } else {
        Number::Not
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings() {
        for (cell, expected) in [
            ("0", Number::Whole(0)),
            ("-12", Number::Whole(-12)),
            ("+007", Number::Whole(7)),
            ("  5 ", Number::Whole(5)),
            ("9223372036854775807", Number::Whole(i64::MAX)),
            ("-9223372036854775807", Number::Whole(-i64::MAX)),
            ("-9223372036854775808", Number::Real(-9_223_372_036_854_775_808.0)),
            ("9223372036854775808", Number::Real(9_223_372_036_854_775_808.0)),
            ("00000000000000000000012", Number::Whole(12)),
            ("5.", Number::Real(5.0)),
            (".5", Number::Real(0.5)),
            ("-1.25", Number::Real(-1.25)),
            ("1e3", Number::Real(1000.0)),
            ("1E-3", Number::Real(0.001)),
            ("1.5e+2", Number::Real(150.0)),
            ("1e999", Number::Infinite),
            ("-Inf", Number::Infinite),
            ("infinity", Number::Infinite),
            ("NAN", Number::Nan),
            ("", Number::Not),
            ("-", Number::Not),
            (".", Number::Not),
            ("1e", Number::Not),
            ("e5", Number::Not),
            ("0x10", Number::Not),
            ("1_000", Number::Not),
            ("1,5", Number::Not),
            ("1 2", Number::Not),
            ("1.2.3", Number::Not),
            ("--1", Number::Not),
            ("12é", Number::Not),
            ("é", Number::Not),
            ("\t1", Number::Not),
        ] {
            assert_eq!(parse(cell), expected, "{cell:?}");
        }
        assert!(matches!(parse("-0"), Number::Real(value) if value == 0.0 && value.is_sign_negative()));
        assert!(matches!(parse("-0.0"), Number::Real(value) if value == 0.0 && value.is_sign_negative()));
    }

    proptest! {
        #[test]
        fn decimals_round_as_the_standard_library_rounds(cell in "-?[0-9]{0,25}\\.[0-9]{1,25}(e-?[0-9]{1,2})?") {
            let expected: f64 = cell.parse().unwrap();
            match parse(&cell) {
                Number::Real(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
                other => prop_assert!(false, "{:?}", other),
            }
        }

        #[test]
        fn whole_numbers_are_exact(value in any::<i64>()) {
            let expected = if value == i64::MIN { Number::Real(value as f64) } else { Number::Whole(value) };
            prop_assert_eq!(parse(&value.to_string()), expected);
        }

        #[test]
        fn any_text_is_accepted_as_the_standard_library_accepts_it(cell in "[-+0-9.eE ]{0,12}") {
            let ours = !matches!(parse(&cell), Number::Not);
            prop_assert_eq!(ours, cell.trim_matches(' ').parse::<f64>().is_ok());
        }
    }
}
