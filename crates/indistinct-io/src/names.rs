//! Names of columns that may be values: the first record of a file without a header.
//!
//! Names are published with every release. Names declared in a schema are input like the rest of it; where they
//! are taken from the file, a file without a header would publish its first record.

use indistinct::table::DEFAULT_MISSING;

use crate::cells::number::{Number, parse, trim_spaces};
use crate::error::{Problem, ReadError};
use crate::plain::{PlainColumn, PlainValues, Wanted};
use crate::source::Source;

/// Months, which dates spell in full or by their first letters.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words between and behind numbers in times.
const PARTS_OF_TIMES: [&str; 5] = ["t", "z", "am", "pm", "utc"];

impl Source {
    /// Reads columns without a schema, as [`Source::read_plain`] does, for a schema that will take its names from
    /// the file.
    ///
    /// # Errors
    /// Those of [`Source::read_plain`]; also when a name looks like a value, or is one of the values of its
    /// column.
    pub fn read_named(&self, wanted: &[Wanted]) -> Result<Vec<PlainColumn>, ReadError> {
        self.refuse_values_as_names()?;
        let columns = self.read_plain(wanted)?;
        let is_value = |column: &PlainColumn| match &column.values {
            PlainValues::Text { levels, .. } => {
                levels.iter().any(|level| trim_spaces(level) == trim_spaces(&column.name))
            }
            PlainValues::Integers(_) | PlainValues::Floats(_) => false,
        };
        let found = columns.iter().find(|column| self.has_header() && is_value(column));
        let place = found.and_then(|found| self.names().iter().position(|name| *name == found.name));
        match place {
            Some(position) => Err(self.error(Problem::NameAsValue(self.place_in_file(position)))),
            None => Ok(columns),
        }
    }

    /// Refuses names that look like values. Names in Parquet, Arrow or memory that are all numbers from 0 on, as
    /// pandas makes them, are accepted.
    pub(crate) fn refuse_values_as_names(&self) -> Result<(), ReadError> {
        let numbered =
            |(position, name): (usize, &String)| *name == (self.place_in_file(position) - 1).to_string();
        if !self.has_header() || self.is_columnar() && self.names().iter().enumerate().all(numbered) {
            return Ok(());
        }
        match self.names().iter().position(|name| looks_like_value(name)) {
            Some(position) => Err(self.error(Problem::ValueAsName(self.place_in_file(position)))),
            None => Ok(()),
        }
    }
}

/// Whether a name looks like a number, a date, a time or a missing value: it has digits and no letters, or only
/// letters that occur in numbers and dates.
fn looks_like_value(name: &str) -> bool {
    let name = trim_spaces(name);
    let digits = name.chars().any(|letter| letter.is_ascii_digit());
    let number = matches!(parse(name), Number::Whole(_) | Number::Real(_) | Number::Infinite);
    let missing = DEFAULT_MISSING.contains(&name);
    missing || digits && (number || words(name).all(is_of_date) && !is_numbered(name))
}

/// Whether a name is a number after a word that stands behind one in times: `t1`, `z2`, `pm10`.
fn is_numbered(name: &str) -> bool {
    let word = words(name).next().unwrap_or_default();
    name.starts_with(word)
        && PARTS_OF_TIMES.contains(&word.to_lowercase().as_str())
        && words(name).count() == 1
        && !name.contains(':')
}

/// The runs of letters in a name.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty())
}

/// The month that a word names, in full or by three letters or more, from 1.
pub(crate) fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let is_it = |month: &str| word.len() >= 3 && month.starts_with(&word);
    MONTHS.iter().position(|month| is_it(month)).map(|place| place as u32 + 1)
}

/// Whether a run of letters occurs in dates: a month, or a separator of date, time and zone.
fn is_of_date(word: &str) -> bool {
    month(word).is_some() || PARTS_OF_TIMES.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_names() {
        for value in [
            "31",
            "-0.5",
            "1e+05",
            " 7 ",
            "1.000,5",
            "12 %",
            "$5",
            "2001-02-03",
            "03/02/2001",
            "3.2.2001",
            "12:30",
            "2001-02-03T04:05:06Z",
            "3 Feb 2001",
            "Feb-03-2001",
            "12:30 PM",
            "+49 30 1234",
            "18-25",
            "NA",
            "NaN",
            "?",
            "1e999",
            "T12:30",
            "12 PM",
            "Feb2001",
        ] {
            assert!(looks_like_value(value), "{value}");
        }
        for name in [
            "x",
            "x1",
            "age",
            "Q12",
            "2nd_visit",
            "1990s",
            "date",
            "march",
            "T",
            "inf",
            "nan",
            "_",
            "é",
            "año2",
            "t0 score",
            "mark 7",
            "t1",
            "T_2",
            "z10",
            "pm10",
            "PM2.5",
            "utc+1",
        ] {
            assert!(!looks_like_value(name), "{name}");
        }
    }
}
