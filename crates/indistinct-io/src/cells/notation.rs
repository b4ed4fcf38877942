//! Numbers with marks: a decimal comma, thousands, a currency or a percent sign.

use indistinct::table::Notation;

use super::number::{self, Number, is_space, trim_spaces};

/// Digits between two marks of thousands; before the last group there may be one less (1,00,000 in India).
const GROUP: usize = 3;

/// The number that a cell spells in a notation.
pub(crate) fn parse(notation: &Notation, cell: &str) -> Number {
    if notation.is_plain() {
        return number::parse(cell);
    }
    let cell = trim_spaces(cell);
    let (outer, rest) = match unwrapped(cell) {
        Some(inner) if notation.parentheses => (Some('-'), inner),
        _ => sign(cell),
    };
    let rest = rest.strip_prefix(notation.prefix.trim()).unwrap_or(rest);
    let rest = rest.strip_suffix(notation.suffix.trim()).unwrap_or(rest);
    let (inner, body) = sign(trim_spaces(rest));
    if outer.is_some() && inner.is_some() {
        return Number::Not;
    }
    match plain(body, notation.decimal_mark, notation.thousands) {
        Some(digits) if outer.or(inner) == Some('-') => number::parse(&format!("-{digits}")),
        Some(digits) => number::parse(&digits),
        // Words for missing and infinite numbers.
        None => match number::parse(cell) {
            word @ (Number::Nan | Number::Infinite) => word,
            Number::Whole(_) | Number::Real(_) | Number::Not => Number::Not,
        },
    }
}

/// The text between parentheses around a whole text.
pub(crate) fn unwrapped(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')').map(trim_spaces)
}

/// The sign in front of a text, and the text after it. (U+2212 is a minus, too.)
fn sign(text: &str) -> (Option<char>, &str) {
    if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
        return (Some('-'), trim_spaces(rest));
    }
    match text.strip_prefix('+') {
        Some(rest) => (Some('+'), trim_spaces(rest)),
        None => (None, text),
    }
}

/// A number without sign as it is usually written, if it is one with these marks.
pub(crate) fn plain(body: &str, decimal_mark: char, thousands: Option<char>) -> Option<String> {
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], &body[at..]),
        None => (body, ""),
    };
    let (whole, fraction) = match mantissa.split_once(decimal_mark) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !fraction.is_none_or(digits)
        || !exponent.is_ascii()
        || whole.is_empty() && fraction.is_none_or(str::is_empty)
    {
        return None;
    }
    let is_mark = |character: char| match thousands {
        Some(' ') => is_space(character),
        Some('\'') => matches!(character, '\'' | '\u{2019}'),
        Some(mark) => character == mark,
        None => false,
    };
    let groups: Vec<&str> = whole.split(is_mark).collect();
    if !groups.iter().all(|group| digits(group)) {
        return None;
    }
    if let [first, between @ .., last] = groups.as_slice() {
        let between = between.iter().all(|group| (GROUP - 1..=GROUP).contains(&group.len()));
        if last.len() != GROUP || first.is_empty() || first.len() > GROUP || !between {
            return if groups.len() == 1 { Some(joined(&groups, fraction, exponent)) } else { None };
        }
    }
    Some(joined(&groups, fraction, exponent))
}

/// Number of digits that a cell has after its decimal mark.
pub(crate) fn decimals(notation: &Notation, cell: &str) -> u32 {
    // A currency may have a point of its own.
    let body = cell.split_once(notation.prefix.trim()).map_or(cell, |(_, body)| body);
    let fraction = body.split_once(notation.decimal_mark).map_or("", |(_, fraction)| fraction);
    fraction.bytes().take_while(u8::is_ascii_digit).count() as u32
}

fn joined(groups: &[&str], fraction: Option<&str>, exponent: &str) -> String {
    let fraction = fraction.map(|digits| format!(".{digits}")).unwrap_or_default();
    format!("{}{fraction}{exponent}", groups.concat())
}

/// A number that is written as usual, in a notation.
pub(crate) fn with_marks(notation: &Notation, number: &str) -> String {
    let (minus, number) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (mantissa, exponent) = number.find('e').map_or((number, ""), |at| number.split_at(at));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(a, b)| (a, Some(b)));
    let (before, behind) = match minus {
        "-" if notation.parentheses => ("(", ")"),
        _ => (minus, ""),
    };
    let mut out = format!("{before}{}", notation.prefix);
    for (place, digit) in whole.chars().enumerate() {
        if let Some(mark) = notation.thousands
            && place > 0
            && (whole.len() - place) % GROUP == 0
        {
            out.push(mark);
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push(notation.decimal_mark);
        out.push_str(fraction);
    }
    out.push_str(exponent);
    out.push_str(&notation.suffix);
    out.push_str(behind);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn notation(decimal_mark: char, thousands: Option<char>, prefix: &str, suffix: &str) -> Notation {
        let (prefix, suffix) = (prefix.to_owned(), suffix.to_owned());
        Notation { decimal_mark, thousands, prefix, suffix, parentheses: false }
    }

    #[test]
    fn numbers_with_marks() {
        let german = notation(',', Some('.'), "", " €");
        let english = notation('.', Some(','), "$", "");
        let french = notation(',', Some(' '), "", "");
        let accounts = Notation { parentheses: true, ..english.clone() };
        for (notation, cell, expected) in [
            (&german, "1.234,50 €", Number::Real(1234.5)),
            (&german, "-1.234,50€", Number::Real(-1234.5)),
            (&german, "12", Number::Whole(12)),
            (&german, "1.234.567", Number::Whole(1_234_567)),
            (&german, "1.5", Number::Not),
            (&german, "1234.567,8", Number::Not),
            (&german, "1,2,3", Number::Not),
            (&german, "", Number::Not),
            (&german, "€", Number::Not),
            (&german, "NaN", Number::Nan),
            (&english, "$1,234", Number::Whole(1234)),
            (&english, "-$5.25", Number::Real(-5.25)),
            (&english, "$ -5.25", Number::Real(-5.25)),
            (&english, "--5", Number::Not),
            (&english, "1,00,000.5", Number::Real(100_000.5)),
            (&english, ",123", Number::Not),
            (&french, "1\u{202f}234,5", Number::Real(1234.5)),
            (&french, "1 23", Number::Not),
            (&french, "1,5e3", Number::Real(1500.0)),
            (&accounts, "($1,234.50)", Number::Real(-1234.5)),
            (&accounts, "( 7 )", Number::Whole(-7)),
            (&accounts, "-$7", Number::Whole(-7)),
            (&accounts, "(-7)", Number::Not),
            (&accounts, "(7", Number::Not),
            (&accounts, "()", Number::Not),
            (&english, "(7)", Number::Not),
        ] {
            assert_eq!(parse(notation, cell), expected, "{cell:?}");
        }
    }

    #[test]
    fn decimals_as_spelled() {
        for (notation, cell, expected) in [
            (notation('.', Some(','), "$", ""), "-$1,000.50", 2),
            (notation('.', None, "Rs.", ""), "Rs.500", 0),
            (notation(',', Some('.'), "", " €"), "1.234,500 €", 3),
            (notation(',', None, "", "%"), "12%", 0),
        ] {
            assert_eq!(decimals(&notation, cell), expected, "{cell}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(
            value in any::<f64>().prop_filter("finite", |value| value.is_finite()),
            point in any::<bool>(),
            mark in 0_usize..5,
            money in 0_usize..3,
            parentheses in any::<bool>(),
        ) {
            let decimal_mark = if point { '.' } else { ',' };
            let thousands = [None, Some(' '), Some('\''), Some('.'), Some(',')][mark].filter(|&mark| mark != decimal_mark);
            let (prefix, suffix) = [("", ""), ("$", ""), ("", " %")][money];
            let notation = Notation { parentheses, ..notation(decimal_mark, thousands, prefix, suffix) };
            let mut usual = String::new();
            crate::cells::spell_float(value, &mut usual);
            let read = match parse(&notation, &with_marks(&notation, &usual)) {
                Number::Whole(whole) => whole as f64,
                Number::Real(real) => real,
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            };
            prop_assert_eq!(read, value);
        }
    }
}
