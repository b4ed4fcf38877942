//! Whose rows they are, and a table of some of them.

use std::sync::Arc;

use indistinct::table::MISSING_CODE;
use rustc_hash::FxHashMap;

use crate::cells::number::trim_spaces;
use crate::cells::{Collector, Dictionary, Missing, Total};
use crate::error::{Fault, Problem, ReadError};
use crate::source::Source;

impl Source {
    /// For every row a number that says whose it is, by the column of that name: the same for the same value. Plain decimals are
    /// compared as numbers, however many digits they have (`7`, `07` and `7.0` are one person); anything else as it is
    /// spelled, without the spaces around it. `missing` are further spellings, beside nothing at all, of a missing value.
    ///
    /// Which person a row belongs to follows from its own cell alone.
    ///
    /// # Errors
    /// When the file is malformed, has no such column, or does not say whose a row is.
    pub fn persons(&self, column: &str, missing: &[String]) -> Result<Vec<u32>, ReadError> {
        let place = self.place_of_persons(column)?;
        let codes = || missing.iter().map(String::as_str).chain([""]);
        let spellings = Arc::new(Missing::new(codes()));
        let mut totals = self.collect(&|position| {
            if position == place {
                Collector::Text(Dictionary::new(Arc::clone(&spellings)))
            } else {
                Collector::Nothing
            }
        })?;
        let (levels, mut persons) = match totals.swap_remove(place) {
            Total::Text(total) => total.finish(),
            // A collector of text makes a total of text.
            _ => (Vec::new(), Vec::new()),
        };
        let missing: Vec<String> = codes().map(one_spelling).collect();
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        let person = |level: &String| {
            let spelled = one_spelling(level);
            if missing.contains(&spelled) {
                return MISSING_CODE;
            }
            let next = known.len() as u32;
            *known.entry(spelled).or_insert(next)
        };
        let of_level: Vec<u32> = levels.iter().map(person).collect();
        for (row, person) in persons.iter_mut().enumerate() {
            *person = of_level.get(*person as usize).copied().unwrap_or(MISSING_CODE);
            if *person == MISSING_CODE {
                let (row, column) = (row + 1, column.to_owned());
                return Err(self.error(Problem::Value { row, column, fault: Fault::NoPerson }));
            }
        }
        Ok(persons)
    }

    /// The table of these rows (counted from 0, in increasing order) without that column, as if there were no others. Errors name
    /// rows as they are counted in the whole table.
    ///
    /// # Errors
    /// When there is no such column, or no other, or the rows cannot be read again.
    ///
    /// # Panics
    /// When this is such a table already.
    pub fn of_rows(&self, column: &str, rows: Vec<u32>) -> Result<Self, ReadError> {
        let place = self.place_of_persons(column)?;
        if self.names().len() == 1 {
            return Err(self.error(Problem::NoColumns));
        }
        self.part(place, rows)
    }

    fn place_of_persons(&self, column: &str) -> Result<usize, ReadError> {
        let place = self.names().iter().position(|name| name == column);
        place.ok_or_else(|| self.error(Problem::NoPersonColumn(column.to_owned())))
    }
}

/// The same text for all spellings of one person.
fn one_spelling(text: &str) -> String {
    let text = trim_spaces(text);
    decimal(text).unwrap_or_else(|| text.to_owned())
}

/// A plain decimal without what does not matter: a sign of plus, zeros in front, and behind the point.
fn decimal(text: &str) -> Option<String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.len() == usize::from(digits.contains('.')) || !all_digits(whole) || !all_digits(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let sign = if negative && !(whole.is_empty() && part.is_empty()) { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers_and_text_as_it_is_spelled() {
        for (one, other) in [
            ("7", "07"),
            ("7", " 7.0 "),
            ("7", "+7."),
            ("0", "-0.00"),
            (".5", "0.50"),
            ("-1.25", "-01.2500"),
            ("A7", " A7"),
        ] {
            assert_eq!(one_spelling(one), one_spelling(other), "{one} {other}");
        }
        // More digits than a double holds, and what only looks like a number.
        let all = [
            "9007199254740993",
            "9007199254740992",
            "7",
            "70",
            "-7",
            "A7",
            "a7",
            "1e3",
            "1000",
            "-",
            ".",
            "+",
            "7.0.0",
        ];
        for (position, one) in all.iter().enumerate() {
            for other in &all[..position] {
                assert_ne!(one_spelling(one), one_spelling(other));
            }
        }
    }
}
