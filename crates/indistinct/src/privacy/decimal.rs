//! Decimal text to fixed point and back, without a float in between and never rounding up.

/// The reason why a text is not a usable decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecimalError {
    /// Text that is no decimal number at all, or not a finite one.
    NotANumber,
    /// A number below zero.
    Negative,
    /// A number of more than 128 bits.
    TooLarge,
}

/// Most digits that are read; dropping further ones only makes a number smaller.
const MAX_DIGITS: usize = 30;

/// Reads `text` in units of 10^-`decimals`, rounded down.
///
/// The flag says whether the number was exactly zero as written, which tells a tiny number from zero.
pub(super) fn parse(text: &str, decimals: u32) -> Result<(u128, bool), DecimalError> {
    let text = text.trim();
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().map_err(|_| DecimalError::NotANumber)?)
        }
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(DecimalError::NotANumber);
    }
    let mut digits: u128 = 0;
    // The number is digits * 10^power once all digits are read or dropped.
    let mut power = i64::from(exponent) + i64::from(decimals);
    let mut read = 0;
    for (place, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = digit.to_digit(10).ok_or(DecimalError::NotANumber)?;
        let after_point = place >= whole.chars().count();
        if read < MAX_DIGITS {
            digits = digits * 10 + u128::from(digit);
            read += usize::from(digits > 0);
            power -= i64::from(after_point);
        } else {
            power += i64::from(!after_point);
        }
    }
    if digits == 0 {
        return Ok((0, true));
    }
    if negative {
        return Err(DecimalError::Negative);
    }
    let units = match u32::try_from(power.unsigned_abs()) {
        Ok(steps) if power >= 0 => {
            10u128.checked_pow(steps).and_then(|by| digits.checked_mul(by)).ok_or(DecimalError::TooLarge)?
        }
        Err(_) if power >= 0 => return Err(DecimalError::TooLarge),
        Ok(steps) => 10u128.checked_pow(steps).map_or(0, |by| digits / by),
        Err(_) => 0,
    };
    Ok((units, false))
}

/// The shortest decimal text of `units` * 10^-`decimals`, exact.
pub(super) fn format(units: u64, decimals: u32) -> String {
    let one = 10u64.pow(decimals);
    let (whole, fraction) = (units / one, units % one);
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = format!("{fraction:0width$}", width = decimals as usize);
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// The last significant digit that is kept of `digits`, as a power of ten.
fn last_digit(units: u64, digits: u32) -> u64 {
    let length = units.checked_ilog10().map_or(0, |log| log + 1);
    10u64.pow(length.saturating_sub(digits))
}

/// `units` rounded down to this many significant digits.
pub(super) fn significant_below(units: u64, digits: u32) -> u64 {
    units - units % last_digit(units, digits)
}

/// `units` rounded up to this many significant digits; unchanged where that does not fit into a word.
pub(super) fn significant_above(units: u64, digits: u32) -> u64 {
    units.checked_next_multiple_of(last_digit(units, digits)).unwrap_or(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_decimals_exactly_and_rounds_down() {
        for (text, units) in [
            ("1", 1_000),
            ("0.5", 500),
            (".5", 500),
            ("5.", 5_000),
            ("+2", 2_000),
            ("1e-3", 1),
            ("1.5E2", 150_000),
            ("0.0019999999999999999999999999999999999999999", 1),
            ("123456789012345678901234567890123e-30", 123_456),
            ("0.0009", 0),
            ("1e-2000000000", 0),
        ] {
            assert_eq!(parse(text, 3), Ok((units, false)), "{text}");
        }
        assert_eq!(parse("0.000", 3), Ok((0, true)));
        assert_eq!(parse("-0", 3), Ok((0, true)));
    }

    #[test]
    fn rejects_text_that_is_not_a_number() {
        for text in
            ["", ".", "-", "nan", "inf", "-inf", "1,5", "0x10", "1e", "e5", "1e5.0", "1_000", "--1", "1 2"]
        {
            assert_eq!(parse(text, 3), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(parse("-1", 3), Err(DecimalError::Negative));
        assert_eq!(parse("1e40", 3), Err(DecimalError::TooLarge));
        assert_eq!(parse("1e2000000000", 3), Err(DecimalError::TooLarge));
    }

    #[test]
    fn writes_the_shortest_text() {
        for (units, text) in [(0, "0"), (1, "0.001"), (100, "0.1"), (1_000, "1"), (12_340, "12.34")] {
            assert_eq!(format(units, 3), text);
        }
    }

    #[test]
    fn keeps_significant_digits() {
        for (units, below, above) in
            [(0, 0, 0), (7, 7, 7), (1_234, 1_234, 1_234), (12_345, 12_340, 12_350), (99_999, 99_990, 100_000)]
        {
            assert_eq!((significant_below(units, 4), significant_above(units, 4)), (below, above), "{units}");
        }
        assert_eq!(significant_above(u64::MAX, 4), u64::MAX);
    }
}
