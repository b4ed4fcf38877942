//! Readable numbers: plain where possible, otherwise with a power of ten.

/// A number with this many significant digits, without trailing zeros.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let (_, exponent) = parts(value, digits);
    if (-4..6).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        plain(value, decimals, true)
    } else {
        power(value, digits)
    }
}

/// Digits of the width of an error bar that its ends are told with.
const DIGITS_OF_WIDTH: i32 = 3;
/// Numbers that are written in full where their digits are needed.
const LONGEST: f64 = 1e15;

/// The number of significant digits with which a number is told apart from what is a bar's width away, and of decimals
/// that are then written; `None` where a bar has no width.
pub(crate) fn digits_within(value: f64, width: f64) -> Option<(usize, usize)> {
    let magnitude = |value: f64| value.abs().log10().floor() as i32;
    if !(value.is_finite() && width.is_finite() && value != 0.0 && width > 0.0) {
        return None;
    }
    // Doubles have no more.
    let digits = (magnitude(value) - magnitude(width) + DIGITS_OF_WIDTH).clamp(1, 17);
    Some((digits as usize, (DIGITS_OF_WIDTH - 1 - magnitude(width)).clamp(0, 17) as usize))
}

/// A number with so many significant digits, or as many more as the width of its error bar needs.
pub(crate) fn significant_within(value: f64, width: f64, usual: usize) -> String {
    match digits_within(value, width) {
        Some((digits, decimals)) if digits > usual && value.abs() < LONGEST => plain(value, decimals, true),
        Some((digits, _)) if digits > usual => power(value, digits),
        _ => significant(value, usual),
    }
}

/// Labels of ticks: all of one kind, with as many digits as needed. With `aligned` all have the same number of
/// decimals.
pub(super) fn labels(values: &[f64], aligned: bool) -> Vec<String> {
    let exponents = || values.iter().filter(|value| **value != 0.0).map(|&value| parts(value, 15).1);
    // 0.0001 is a long way to say 10^-4; but 0.0005 beside 0.001 on a linear axis is well read.
    let readable = if aligned { -4..6 } else { -3..5 };
    let decimals: Vec<usize> = values.iter().map(|&value| decimals(value)).collect();
    let most = decimals.iter().copied().max().unwrap_or(0);
    if exponents().all(|exponent| readable.contains(&exponent)) && most <= 9 {
        let decimals = decimals.into_iter().map(|own| if aligned { most } else { own });
        values.iter().zip(decimals).map(|(&value, decimals)| plain(value, decimals, false)).collect()
    } else {
        values.iter().map(|&value| power(value, 15)).collect()
    }
}

/// The decimals needed to write a number of up to 12 digits.
fn decimals(value: f64) -> usize {
    if value == 0.0 {
        return 0;
    }
    let (mantissa, exponent) = parts(value, 12);
    let digits = mantissa.trim_start_matches('-').replace('.', "").len() as i32;
    (digits - 1 - exponent).max(0) as usize
}

/// Mantissa without trailing zeros, and exponent.
fn parts(value: f64, digits: usize) -> (String, i32) {
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (trimmed(mantissa).to_owned(), exponent.parse().unwrap_or(0))
}

fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

fn plain(value: f64, decimals: usize, trim: bool) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let text = if trim { trimmed(&text) } else { &text };
    let (whole, fraction) = text.find('.').map_or((text, ""), |dot| text.split_at(dot));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        // A thin space between thousands, from five digits on.
        if whole.len() > 4 && place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    format!("{}{grouped}{fraction}", if value < 0.0 { "\u{2212}" } else { "" })
}

fn power(value: f64, digits: usize) -> String {
    let (mantissa, exponent) = parts(value, digits);
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    let mantissa = mantissa.trim_start_matches('-');
    match (mantissa, exponent) {
        (_, 0) | ("0", _) => format!("{sign}{mantissa}"),
        ("1", 1) => format!("{sign}10"),
        ("1", _) => format!("{sign}10{}", superscript(exponent)),
        _ => format!("{sign}{mantissa}\u{d7}10{}", superscript(exponent)),
    }
}

fn superscript(exponent: i32) -> String {
    let raised = |character: char| match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    };
    exponent.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_bars_need() {
        for (value, width, expected) in [
            (1_000_000_060.0, 142.0, "1\u{2009}000\u{2009}000\u{2009}060"),
            (-1_000_000_060.25, 1.0, "\u{2212}1\u{2009}000\u{2009}000\u{2009}060.25"),
            (74.13, 3.2, "74.13"),
            (0.123_456, 0.000_2, "0.123456"),
            (3.0e20, 2.0e17, "3\u{d7}10\u{b2}\u{2070}"),
            (5.0, 0.0, "5"),
            (0.0, 1.0, "0"),
            (12.0, f64::NAN, "12"),
        ] {
            assert_eq!(significant_within(value, width, 4), expected, "{value} {width}");
        }
    }

    #[test]
    fn significant_digits() {
        let written = [0.0, 0.012_345_6, -2.5, 1234.56, 123_456.0, 1e6, -2.5e-7, 0.000_099_98];
        let read: Vec<String> = written.iter().map(|&value| significant(value, 4)).collect();
        let expected = ["0", "0.01235", "−2.5", "1235", "123\u{2009}456", "10⁶", "−2.5×10⁻⁷", "9.998×10⁻⁵"];
        assert_eq!(read, expected);
    }

    #[test]
    fn tick_labels_are_of_one_kind() {
        assert_eq!(labels(&[0.001, 0.01, 0.1, 1.0], false), ["0.001", "0.01", "0.1", "1"]);
        assert_eq!(labels(&[-1e-4, 0.0, 1e-4, 1.0, 10.0], false), ["−10⁻⁴", "0", "10⁻⁴", "1", "10"]);
        assert_eq!(labels(&[0.0, 0.5, 1.0], true), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(&[0.0, 0.000_5, 0.001], true), ["0.0000", "0.0005", "0.0010"]);
        assert_eq!(labels(&[2e-5, 4e-5], true), ["2×10⁻⁵", "4×10⁻⁵"]);
        assert_eq!(labels(&[1.0, 1.000_000_5], true), ["1.0000000", "1.0000005"]);
        assert_eq!(labels(&[10_000.0, 20_000.0], true), ["10\u{2009}000", "20\u{2009}000"]);
    }
}
