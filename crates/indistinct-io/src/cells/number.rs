//! Numbers as written in tables: a decimal with optional sign, fraction and exponent.

use fearless_simd::Simd;

use super::decimal::{self, digits};

/// The contents of a cell, read as a number.
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

/// Any 19 digits fit into 64 bits; any 18 with a sign.
const SAFE_DIGITS: usize = 19;

/// Reads a cell, ignoring spaces around it.
pub(crate) fn parse(cell: &str) -> Number {
    let cell = trim_spaces(cell);
    match scan(cell.as_bytes(), 0) {
        Some((number, end)) if end == cell.len() => number,
        _ => general(cell),
    }
}

/// The number in a field of a text, if it is a plain decimal that is not too long.
#[inline(always)]
pub(crate) fn real<S: Simd>(simd: S, text: &str, start: usize, end: usize) -> Option<f64> {
    let bytes = text.as_bytes();
    let negative = start < end && bytes[start] == b'-';
    let digits = start + usize::from(negative);
    let value = if let Some((mantissa, places)) = decimal::long(simd, bytes, digits, end) {
        decimal::divide(mantissa, places)?
    } else {
        let (mantissa, places) = decimal::short(bytes, digits, end)?;
        decimal::divide(mantissa, places.unwrap_or(0))?
    };
    Some(with_sign(value, negative))
}

/// A number with its sign: without a branch, because signs are unpredictable.
#[inline(always)]
fn with_sign(value: f64, negative: bool) -> f64 {
    f64::from_bits(value.to_bits() | (u64::from(negative) << 63))
}

/// The number in a field of a text, if it is spelled as a whole number of at most eight digits.
#[inline(always)]
pub(crate) fn whole(text: &str, start: usize, end: usize) -> Option<i64> {
    let bytes = text.as_bytes();
    let negative = start < end && bytes[start] == b'-';
    let (mantissa, None) = decimal::short(bytes, start + usize::from(negative), end)? else { return None };
    let value = mantissa.cast_signed();
    // Minus zero is left to the real numbers.
    if negative { (value != 0).then_some(-value) } else { Some(value) }
}

/// The number that starts at a position, and the position of its end, if it is a short plain decimal: an optional
/// minus, digits, and an optional fraction. The caller must check what follows.
#[inline(always)]
pub(crate) fn scan(bytes: &[u8], at: usize) -> Option<(Number, usize)> {
    let negative = *bytes.get(at)? == b'-';
    let start = at + usize::from(negative);
    let mut mantissa = 0;
    let point = match bytes.get(start..start + 2) {
        // One digit before the point is so common that it has a way of its own.
        Some([digit @ b'0'..=b'9', b'.']) => {
            mantissa = u64::from(digit - b'0');
            start + 1
        }
        _ => digits(bytes, start, &mut mantissa),
    };
    if bytes.get(point) != Some(&b'.') {
        if point == start || point - start >= SAFE_DIGITS {
            return None;
        }
        let value = mantissa.cast_signed();
        let number = match (negative, value) {
            (false, _) => Number::Whole(value),
            (true, 0) => Number::Real(-0.0),
            (true, _) => Number::Whole(-value),
        };
        return Some((number, point));
    }
    let end = digits(bytes, point + 1, &mut mantissa);
    let fraction = end - point - 1;
    let count = point - start + fraction;
    if count == 0 || (count > SAFE_DIGITS && count - leading_zeros(&bytes[start..end]) > SAFE_DIGITS) {
        return None;
    }
    Some((Number::Real(with_sign(decimal::divide(mantissa, fraction)?, negative)), end))
}

/// Number of zeros before the first other digit, ignoring a point.
fn leading_zeros(digits: &[u8]) -> usize {
    let before = digits.iter().take_while(|&&byte| byte == b'0' || byte == b'.');
    before.filter(|&&byte| byte == b'0').count()
}

/// Reads every other spelling.
#[cold]
fn general(cell: &str) -> Number {
    // The minus of typographers.
    if let Some(rest) = cell.strip_prefix('\u{2212}') {
        let signless = rest.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        return if signless { general(&format!("-{rest}")) } else { Number::Not };
    }
    let bytes = cell.as_bytes();
    let signed = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut unused = 0;
    let point = digits(bytes, signed, &mut unused);
    if point == bytes.len()
        && let Ok(value) = cell.parse::<i64>()
        && value != i64::MIN
        && !(value == 0 && bytes.first() == Some(&b'-'))
    {
        return Number::Whole(value);
    }
    let has_point = bytes.get(point) == Some(&b'.');
    let end = if has_point { digits(bytes, point + 1, &mut unused) } else { point };
    if end - signed == usize::from(has_point) {
        return word(cell.get(signed..).unwrap_or_default());
    }
    if end < bytes.len() && !has_exponent(&bytes[end..]) {
        return Number::Not;
    }
    // The standard library rounds correctly.
    match cell.parse::<f64>() {
        Ok(value) if value.is_infinite() => Number::Infinite,
        Ok(value) => Number::Real(value),
        Err(_) => Number::Not,
    }
}

/// Whether a character is a space of any width: web pages and spreadsheets put some around numbers that are not ASCII.
pub(crate) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// A cell without the spaces around it, of any width.
pub(crate) fn trim_spaces(cell: &str) -> &str {
    let may_be_space = |byte: Option<&u8>| byte.is_some_and(|&byte| byte == b' ' || !byte.is_ascii());
    let bytes = cell.as_bytes();
    if may_be_space(bytes.first()) || may_be_space(bytes.last()) { cell.trim_matches(is_space) } else { cell }
}

/// Whether the rest is exactly a whole exponent.
fn has_exponent(rest: &[u8]) -> bool {
    let [b'e' | b'E', rest @ ..] = rest else { return false };
    let rest = if let [b'+' | b'-', rest @ ..] = rest { rest } else { rest };
    !rest.is_empty() && rest.iter().all(u8::is_ascii_digit)
}

/// Reads the words that numeric columns contain, after an optional sign.
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
            ("\u{2212}7", Number::Whole(-7)),
            ("\u{a0}7\u{202f}", Number::Whole(7)),
            ("\u{a0}-0.5 ", Number::Real(-0.5)),
            ("\u{2212}0.5", Number::Real(-0.5)),
            ("\u{2212}-7", Number::Not),
            ("\u{2212}", Number::Not),
            ("0", Number::Whole(0)),
            ("-12", Number::Whole(-12)),
            ("+007", Number::Whole(7)),
            ("  5 ", Number::Whole(5)),
            ("9223372036854775807", Number::Whole(i64::MAX)),
            ("-9223372036854775807", Number::Whole(-i64::MAX)),
            ("-9223372036854775808", Number::Real(-9_223_372_036_854_775_808.0)),
            ("-000", Number::Real(-0.0)),
            ("0.00000000000000000000012345678901234567", Number::Real(1.234_567_890_123_456_7e-22)),
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
        fn random_numbers_round_as_the_standard_library_rounds(bits in any::<u64>(), places in 0_usize..25) {
            let value = bits as f64 / u64::MAX as f64 * 10_f64.powi((bits % 5) as i32);
            for cell in [format!("{value}"), format!("{value:.places$}"), format!("{bits}.{places}")] {
                let expected: f64 = cell.parse().unwrap();
                match parse(&cell) {
                    Number::Real(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
                    Number::Whole(value) => prop_assert_eq!(value as f64, expected),
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }

        #[test]
        fn a_field_in_its_row_is_the_number_of_its_cell(
            before in "[0-9,]{0,30}",
            cell in "-?[0-9]{0,9}\\.?[0-9]{0,20}|[-+0-9.eE ]{0,12}|\\PC{0,3}",
            after in "(,[0-9]{0,20})?",
        ) {
            let row = format!("{before}{cell}{after}");
            let (start, end) = (before.len(), before.len() + cell.len());
            let parsed = parse(&cell);
            if let Some(value) = whole(&row, start, end) {
                prop_assert_eq!(parsed, Number::Whole(value));
            }
            let expected = match parsed {
                Number::Whole(value) => value as f64,
                Number::Real(value) => value,
                _ => f64::NAN,
            };
            for level in crate::cells::vectors() {
                if let Some(value) = fearless_simd::dispatch!(level, simd => real(simd, &row, start, end)) {
                    prop_assert_eq!(value.to_bits(), expected.to_bits());
                }
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
