//! Persons of rows, and the table of some rows.

use std::sync::Arc;

use indistinct::private::{PersonHash, PersonKey};

use crate::cells::number::{Number, parse, trim_spaces};
use crate::cells::{Collector, Dictionary, Invalid, Missing, Total};
use crate::error::{ColumnPlace, Fault, Problem, ReadError};
use crate::source::Source;

impl Source {
    /// The person of every row, by the column with this name: the same for the same value. Numbers are compared by
    /// value, however many digits they have (`7`, `07`, `7.0` and `7e+00` are one person); anything else by its
    /// spelling, without the spaces around it. `missing` are further spellings of a missing value, besides the empty
    /// one; a row without a value is an error, or, if invalid cells are missing ones, nobody's.
    ///
    /// The person of a row follows from its own cell alone.
    ///
    /// # Errors
    /// When the file is malformed, has no such column, or, with [`Invalid::Refuse`], does not say whose a row is.
    pub fn persons(
        &self,
        column: &str,
        missing: &[String],
        invalid: Invalid,
        key: &PersonKey,
    ) -> Result<Vec<Option<PersonHash>>, ReadError> {
        let place = self.place_of_persons(column)?;
        let codes = || missing.iter().map(String::as_str).chain([""]);
        let spellings = Arc::new(Missing::new(codes()));
        let mut totals = self.collect_any(&|position| {
            if position == place {
                Collector::Text(Dictionary::new(Arc::clone(&spellings)))
            } else {
                Collector::Nothing
            }
        })?;
        let (levels, persons) = match totals.swap_remove(place) {
            Total::Text(total) => total.finish(),
            // A collector of text makes a total of text.
            _ => (Vec::new(), Vec::new()),
        };
        let missing: Vec<String> = codes().map(one_spelling).collect();
        let person = |level: &String| {
            let spelled = one_spelling(level);
            (!missing.contains(&spelled)).then(|| key.person(&spelled))
        };
        let of_level: Vec<Option<PersonHash>> = levels.iter().map(person).collect();
        let persons: Vec<Option<PersonHash>> =
            persons.iter().map(|&level| of_level.get(level as usize).copied().flatten()).collect();
        if invalid == Invalid::Refuse
            && let Some(row) = persons.iter().position(Option::is_none)
        {
            let (row, column) = (row + 1, ColumnPlace::Named(column.to_owned()));
            return Err(self.error(Problem::Value { row, column, fault: Fault::NoPerson }));
        }
        Ok(persons)
    }

    /// The table of these rows (counted from 0, in increasing order) without this column, as if there were no
    /// others. Errors name rows as they are counted in the whole table.
    ///
    /// # Errors
    /// When there is no such column, or no other, or the rows cannot be read again.
    ///
    /// # Panics
    /// When this is such a table already.
    pub fn of_rows(&self, column: &str, rows: Vec<u32>) -> Result<Self, ReadError> {
        self.part(self.place_besides(column)?, Some(rows))
    }

    /// The table of all rows without this column.
    pub(crate) fn without(&self, column: &str) -> Result<Self, ReadError> {
        self.part(self.place_besides(column)?, None)
    }

    /// The place of a column that is not the only one.
    fn place_besides(&self, column: &str) -> Result<usize, ReadError> {
        let place = self.place_of_persons(column)?;
        if self.names().len() == 1 { Err(self.error(Problem::NoColumns)) } else { Ok(place) }
    }

    fn place_of_persons(&self, column: &str) -> Result<usize, ReadError> {
        let place = self.names().iter().position(|name| name == column);
        place.ok_or_else(|| self.error(Problem::NoPersonColumn(column.to_owned())))
    }
}

/// The same text for all spellings of one person: numbers by value, anything else as spelled, without the spaces
/// around it.
///
/// Splitting one person in two would break the promise to persons, and taking two for one costs rows only. So
/// whatever a reader of numbers would take for the same number is one person: `007` and `7`, `100000` and
/// `1e+05`, and all spellings of `nan` or of an infinity. Values are compared by their digits, not as doubles, so
/// that long whole numbers stay apart.
fn one_spelling(text: &str) -> String {
    let text = trim_spaces(text);
    decimal(text).or_else(|| word(text)).unwrap_or_else(|| text.to_owned())
}

/// The largest exponent of ten: larger ones count as this, as no table has such numbers.
const LARGEST_EXPONENT: i64 = 1 << 56;

/// A number that is spelled by digits, as its sign, its digits without the zeros at both ends, and the power of
/// ten of its last digit.
fn decimal(text: &str) -> Option<String> {
    let (negative, digits) = signed(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, power(exponent)?),
        None => (digits, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() || !all_digits(whole) || !all_digits(part) {
        return None;
    }
    let digits = [whole, part].concat();
    let significant = digits.trim_end_matches('0');
    let zeros = (digits.len() - significant.len()) as i64 - part.len() as i64;
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    let exponent = exponent.saturating_add(zeros).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT);
    Some(format!("{}{significant}e{exponent}", if negative { "-" } else { "" }))
}

/// The number that an exponent spells; the largest or least possible one if it is beyond.
fn power(text: &str) -> Option<i64> {
    let (negative, digits) = signed(text);
    if digits.is_empty() || !all_digits(digits) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// The words that readers take for numbers, in one spelling.
fn word(text: &str) -> Option<String> {
    match parse(text) {
        Number::Nan => Some("nan".to_owned()),
        Number::Infinite => Some(if signed(text).0 { "-inf" } else { "inf" }.to_owned()),
        Number::Whole(_) | Number::Real(_) | Number::Not => None,
    }
}

/// Whether there is a minus in front, and the text after the sign.
fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn compares_numbers_by_value_and_text_as_it_is_spelled() {
        for (one, other) in [
            ("7", "07"),
            ("7", " 7.0 "),
            ("7", "+7."),
            ("0", "-0.00"),
            ("0", "0e99"),
            (".5", "0.50"),
            (".5", "5E-1"),
            ("-1.25", "-01.2500"),
            ("100000", "1e5"),
            ("100000", "1e+05"),
            ("100000", "0.001e0008"),
            ("1e99999999999999999999", "10e99999999999999999999"),
            ("nan", "-NAN"),
            ("inf", "+Infinity"),
            ("A7", " A7"),
        ] {
            assert_eq!(one_spelling(one), one_spelling(other), "{one} {other}");
        }
        // More digits than a double holds, and what only looks like a number.
        let all = [
            "9007199254740993",
            "9007199254740992",
            "18446744073709551615",
            "18446744073709551614",
            "7",
            "70",
            "-7",
            "A7",
            "a7",
            "1e3",
            "100",
            "1e-3",
            "1e400",
            "1e401",
            "inf",
            "-inf",
            "nan",
            "-",
            ".",
            "+",
            "7.0.0",
            "1e",
            "e5",
            "1e5.0",
            "1_000",
            "0x10",
        ];
        for (position, one) in all.iter().enumerate() {
            for other in &all[..position] {
                assert_ne!(one_spelling(one), one_spelling(other), "{one} {other}");
            }
        }
    }

    /// One of many spellings of `digits` times a power of ten, chosen by `how`: point, exponent, zeros, sign and
    /// spaces.
    fn spelled(digits: u128, power: i32, how: [usize; 6]) -> String {
        let [point, before, behind, sign, letter, spaces] = how;
        let text = format!("{}{digits}", "0".repeat(before % 4));
        let point = point % (text.len() + 1);
        let mut text = format!("{}.{}{}", &text[..point], &text[point..], "0".repeat(behind % 4));
        let places = (text.len() - point - 1 - behind % 4) as i32;
        let exponent = power + places;
        if text.ends_with('.') && behind % 3 == 0 {
            text.pop();
        }
        if exponent != 0 || letter % 3 == 0 {
            let mark = if letter % 2 == 0 { 'e' } else { 'E' };
            let plus = if exponent >= 0 && sign % 3 == 0 { "+" } else { "" };
            text = format!("{text}{mark}{plus}{exponent:03}");
        }
        let plus = if sign % 2 == 0 { "+" } else { "" };
        format!("{}{plus}{text}{}", " ".repeat(spaces % 3), " ".repeat(spaces / 3 % 3))
    }

    proptest! {
        #[test]
        fn one_value_in_two_spellings_is_one_person(
            digits: u128, drop in 0_u32..128, power in -30_i32..30, one: [usize; 6], other: [usize; 6],
        ) {
            let digits = digits >> drop;
            let (one, other) = (spelled(digits, power, one), spelled(digits, power, other));
            prop_assert!(!matches!(parse(&one), Number::Not), "{}", one);
            prop_assert_eq!(one_spelling(&one), one_spelling(&other), "{} {}", one, other);
        }

        #[test]
        fn two_values_are_two_persons(
            one: u128, other: u128, near in 0_u128..3, drop in 0_u32..128, power in -30_i32..30, how: [[usize; 6]; 2],
        ) {
            let one = one >> drop;
            // Neighbours are what rounding would confuse.
            let other = if near > 0 { one.wrapping_add(near) } else { other >> drop };
            prop_assume!(one != other);
            let (one, other) = (spelled(one, power, how[0]), spelled(other, power, how[1]));
            prop_assert_ne!(one_spelling(&one), one_spelling(&other), "{} {}", one, other);
        }

        /// Whatever the readers of numbers take for the same number is one person, if doubles tell such numbers
        /// apart.
        #[test]
        fn agrees_with_the_reader_of_numbers(one in "[-+]?[0-9.]{1,5}([eE][-+]?[0-9]{1,2})?", other in "[-+]?[0-9.]{1,5}([eE][-+]?[0-9]{1,2})?") {
            let value = |text: &str| match parse(text) {
                Number::Whole(value) => Some(value as f64),
                Number::Real(value) => Some(value),
                _ => None,
            };
            match (value(&one), value(&other)) {
                (Some(a), Some(b)) => prop_assert_eq!(one_spelling(&one) == one_spelling(&other), a == b),
                (None, None) => {}
                _ => prop_assert_ne!(one_spelling(&one), one_spelling(&other)),
            }
        }
    }
}
