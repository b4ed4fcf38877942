//! The way a text file writes the numbers of a column.

/// The way a text file writes the numbers of a column: `1234.5` unless declared, `€1.234,50` if so.
///
/// It is about text only: Parquet, Arrow and tables in memory hold numbers, and a model knows nothing of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notation {
    /// The mark before the decimals: a point unless declared.
    pub decimal_mark: char,
    /// The mark between groups of thousands, if there is one. A space stands for spaces of any width.
    pub thousands: Option<char>,
    /// Text before the number and after its sign, such as `$` or `USD ` with its space; may be absent in a cell.
    pub prefix: String,
    /// Text after the number, such as `%`; may be absent in a cell.
    pub suffix: String,
    /// Whether negative numbers stand in parentheses, as accountants write them: `(1,234.50)`. A minus is read, too.
    pub parentheses: bool,
}

impl Default for Notation {
    fn default() -> Self {
        Self {
            decimal_mark: '.',
            thousands: None,
            prefix: String::new(),
            suffix: String::new(),
            parentheses: false,
        }
    }
}

impl Notation {
    /// Marks that numbers may have before their decimals.
    pub const DECIMAL_MARKS: [char; 2] = ['.', ','];
    /// Marks that numbers may have between thousands.
    pub const THOUSANDS: [char; 5] = [',', '.', ' ', '\'', '_'];
    /// Most characters before or after a number.
    const LONGEST: usize = 20;

    /// Whether numbers are written as usual.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The key that numbers could not be read back with, and the reason, if there is one.
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        let unfit = |text: &str| {
            let mark = text.trim();
            mark.is_empty() != text.is_empty()
                || self.parentheses && mark.contains(['(', ')'])
                || text.chars().count() > Self::LONGEST
                || text.chars().any(char::is_control)
        };
        if !Self::DECIMAL_MARKS.contains(&self.decimal_mark) {
            Some(("decimal_mark", "must be \".\" or \",\""))
        } else if self.thousands.is_some_and(|mark| !Self::THOUSANDS.contains(&mark)) {
            Some(("thousands", "must be one of \",\", \".\", \" \", \"'\" and \"_\""))
        } else if self.thousands == Some(self.decimal_mark) {
            Some(("thousands", "is the decimal mark, too"))
        } else if unfit(&self.prefix) || self.prefix.starts_with(' ') || begins_number(self.prefix.trim()) {
            Some(("prefix", "must be a few characters that are no part of a number"))
        } else if unfit(&self.suffix) || self.suffix.ends_with(' ') || ends_number(self.suffix.trim()) {
            Some(("suffix", "must be a few characters that are no part of a number"))
        } else {
            None
        }
    }
}

/// Whether a number could begin with a prefix, or change its value by it. An `E` cannot begin one, nor does a point count
/// behind letters (`EUR`, `kr.`).
fn begins_number(prefix: &str) -> bool {
    let is_sign_or_digit = |mark: char| mark.is_ascii_digit() || "+-".contains(mark);
    prefix.starts_with(|mark| is_sign_or_digit(mark) || ".,".contains(mark))
        || prefix.ends_with(is_sign_or_digit)
}

/// Whether a number could end with a suffix, or go on in it: as its exponent, for example. `EUR` is none.
fn ends_number(suffix: &str) -> bool {
    let is_sign_or_digit = |mark: char| mark.is_ascii_digit() || "+-".contains(mark);
    // As in 95.- of the Swiss and 95,- of the Danes.
    if [".-", ",-"].contains(&suffix) {
        return false;
    }
    let exponent = suffix.strip_prefix(['e', 'E']);
    suffix.starts_with(|mark| is_sign_or_digit(mark) || ".,".contains(mark))
        || suffix.ends_with(is_sign_or_digit)
        || exponent.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_sign_or_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_cannot_be_told_apart_are_refused() {
        let german = Notation { decimal_mark: ',', thousands: Some('.'), ..Notation::default() };
        assert!(Notation::default().is_plain() && !german.is_plain());
        assert_eq!(german.problem(), None);
        let dollars = Notation { prefix: "$".to_owned(), thousands: Some(','), ..Notation::default() };
        assert_eq!(dollars.problem(), None);
        for (wrong, key) in [
            (Notation { decimal_mark: ';', ..Notation::default() }, "decimal_mark"),
            (Notation { thousands: Some('.'), ..Notation::default() }, "thousands"),
            (Notation { thousands: Some('0'), ..Notation::default() }, "thousands"),
            (Notation { prefix: "1".to_owned(), ..Notation::default() }, "prefix"),
            (Notation { suffix: "% ".to_owned(), ..Notation::default() }, "suffix"),
            (Notation { prefix: "-".to_owned(), ..Notation::default() }, "prefix"),
            (Notation { prefix: ".".to_owned(), ..Notation::default() }, "prefix"),
            (Notation { suffix: "e".to_owned(), ..Notation::default() }, "suffix"),
            (Notation { suffix: "E5x".to_owned(), ..Notation::default() }, "suffix"),
            (Notation { suffix: "-".to_owned(), ..Notation::default() }, "suffix"),
            (Notation { suffix: "(k)".to_owned(), parentheses: true, ..Notation::default() }, "suffix"),
        ] {
            assert_eq!(wrong.problem().map(|(key, _)| key), Some(key), "{wrong:?}");
        }
        for mark in ["EUR", "EUR ", "kr.", "Rs.", "CHF"] {
            let before = Notation { prefix: mark.to_owned(), ..Notation::default() };
            let after = Notation { suffix: mark.trim().to_owned(), ..Notation::default() };
            assert_eq!((before.problem(), after.problem()), (None, None), "{mark}");
        }
        assert_eq!(Notation { suffix: ".-".to_owned(), ..Notation::default() }.problem(), None);
    }
}
