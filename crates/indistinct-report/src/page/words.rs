//! Spelling of names, numbers and moments in pages.

use indistinct::table::ColumnType;

use crate::chart::number::{significant, significant_within};

/// Most letters of a name that are shown: its beginning and its end.
const LONGEST: usize = 48;
const ENDING: usize = 14;
/// Significant digits.
const DIGITS: usize = 4;

const DAYS_PER_YEAR: f64 = 365.2425;
const MICROSECONDS_PER_DAY: f64 = 86_400_000_000.0;

/// A name from a file, which anyone may have written: without letters that a page cannot have or that change the
/// direction of the text around it, and shortened.
pub(super) fn shown(name: &str) -> String {
    let clean = |letter: char| match letter {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\n' | '\t' | '\r' => ' ',
        letter if letter.is_control() || ('\u{fdd0}'..='\u{fdef}').contains(&letter) => '\u{fffd}',
        // The last two of every plane are no letters.
        letter if u32::from(letter) & 0xfffe == 0xfffe => '\u{fffd}',
        letter => letter,
    };
    let letters: Vec<char> = name.chars().take(LONGEST + 1).map(clean).collect();
    if letters.iter().all(|letter| letter.is_whitespace()) {
        return "(blank)".to_owned();
    }
    if letters.len() <= LONGEST {
        return letters.into_iter().collect();
    }
    let end: Vec<char> = name.chars().rev().take(ENDING).map(clean).collect();
    letters[..LONGEST - ENDING - 1].iter().chain(&['…']).chain(end.iter().rev()).collect()
}

/// A sentence from a certificate, which may be longer than a name.
pub(super) fn shown_sentence(text: &str) -> String {
    text.chars().take(400).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A number with four significant digits.
pub(super) fn number(value: f64) -> String {
    if value.is_finite() { significant(value, DIGITS) } else { "–".to_owned() }
}

/// A number with four significant digits, or as many more as the width of its error bar needs.
pub(super) fn number_within(value: f64, width: f64) -> String {
    if value.is_finite() { significant_within(value, width, DIGITS) } else { "–".to_owned() }
}

/// A number with three significant digits, for headlines.
pub(super) fn three(value: f64) -> String {
    if value.is_finite() { significant(value, 3) } else { "–".to_owned() }
}

/// A number with four significant digits, or a dash.
pub(super) fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), number)
}

/// A whole number with thin spaces between thousands.
pub(super) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage with one decimal; without decimals for a whole number.
pub(super) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.1}", share * 100.0);
    format!("{}\u{2009}%", text.strip_suffix(".0").unwrap_or(&text))
}

/// A value of a column, given as the real number that represents it.
pub(super) fn value(kind: &ColumnType, value: f64) -> String {
    match kind {
        ColumnType::Date { .. } => day(value),
        ColumnType::DateTime { .. } => moment(value),
        _ => number(value),
    }
}

/// The place of such a value on an axis: moments are in years.
pub(super) fn on_axis(kind: &ColumnType, value: f64) -> f64 {
    match kind {
        ColumnType::Date { .. } => 1970.0 + value / DAYS_PER_YEAR,
        ColumnType::DateTime { .. } => 1970.0 + value / MICROSECONDS_PER_DAY / DAYS_PER_YEAR,
        _ => value,
    }
}

/// The label of such an axis.
pub(super) fn axis_label(kind: &ColumnType, name: &str) -> String {
    match kind {
        ColumnType::Date { .. } | ColumnType::DateTime { .. } => format!("{name} (year)"),
        _ => name.to_owned(),
    }
}

fn day(days: f64) -> String {
    let (year, month, day) = calendar(days.floor() as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

fn moment(microseconds: f64) -> String {
    let days = (microseconds / MICROSECONDS_PER_DAY).floor();
    let minutes = ((microseconds - days * MICROSECONDS_PER_DAY) / 60e6).floor() as i64;
    format!("{} {:02}:{:02}", day(days), minutes / 60, minutes % 60)
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar extended in both directions. Years
/// begin in March, so that the leap day is their last.
fn calendar(days: i64) -> (i64, i64, i64) {
    let since = days.saturating_add(719_468);
    let (era, in_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let march_based = (5 * in_year + 2) / 153;
    let day = in_year - (153 * march_based + 2) / 5 + 1;
    let month = if march_based < 10 { march_based + 3 } else { march_based - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless_and_short() {
        assert_eq!(shown("age"), "age");
        assert_eq!(shown("a\u{202e}b\0c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(shown(" \n"), "(blank)");
        let long = shown(&format!("begin{}end", "x".repeat(100_000)));
        assert!(long.chars().count() == LONGEST && long.starts_with("begin") && long.ends_with("end"));
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            [0, 1234, 12_345, 1_234_567].map(count),
            ["0", "1234", "12\u{2009}345", "1\u{2009}234\u{2009}567"]
        );
        assert_eq!([0.5, 0.123_45, 1.0].map(percent), ["50\u{2009}%", "12.3\u{2009}%", "100\u{2009}%"]);
        assert_eq!(optional(None), "–");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        // as.Date(c(0, 19723, 19782, -1, 11016, -719528)) in R
        let days = [0.0, 19_723.0, 19_782.0, -1.0, 11_016.0, -719_528.0].map(day);
        assert_eq!(
            days,
            ["1970-01-01", "2024-01-01", "2024-02-29", "1969-12-31", "2000-02-29", "0000-01-01"]
        );
        assert_eq!(moment(86_399e6), "1970-01-01 23:59");
        assert_eq!(moment(-60e6), "1969-12-31 23:59");
        let date = ColumnType::Date { format: "%Y".to_owned() };
        assert!((on_axis(&date, 19_723.0) - 2024.0).abs() < 0.01);
    }
}
