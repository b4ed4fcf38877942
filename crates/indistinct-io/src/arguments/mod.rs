//! Options as named arguments of another language: read from there, and named in messages as there.
//!
//! A front end says how values of its language are read ([`Arguments`]) and how arguments are written
//! ([`ArgumentStyle`]); which options there are, and what they may be, is said here once.

mod keywords;
mod options;

pub use keywords::{ArgumentStyle, PYTHON, R, in_keywords};
pub use options::{combine_options, evaluate_options, interval_options, rehearsed_options, synth_options};

use indistinct::Word;

use crate::Failure;

/// Named arguments of a call; those that are absent, or null in their language, count as not given.
pub trait Arguments {
    /// A whole number that is not negative.
    ///
    /// # Errors
    /// When it is something else.
    fn whole(&self, name: &str) -> Result<Option<u64>, Failure>;

    /// A real number.
    ///
    /// # Errors
    /// When it is something else.
    fn real(&self, name: &str) -> Result<Option<f64>, Failure>;

    /// Text.
    ///
    /// # Errors
    /// When it is something else; `what` is what it should have been.
    fn text_as(&self, name: &str, what: &str) -> Result<Option<String>, Failure>;

    /// True or false.
    ///
    /// # Errors
    /// When it is something else.
    fn truth(&self, name: &str) -> Result<Option<bool>, Failure>;

    /// Text.
    ///
    /// # Errors
    /// When it is something else.
    fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        self.text_as(name, "text")
    }

    /// A whole number that is not negative, below a limit of its type.
    ///
    /// # Errors
    /// When it is something else.
    fn count<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>, Failure> {
        match self.whole(name)?.map(T::try_from) {
            None => Ok(None),
            Some(Ok(count)) => Ok(Some(count)),
            Some(Err(_)) => Err(Failure::usage(format!("{name} is too large"))),
        }
    }

    /// A count, or a word instead of it, read by a parser of the command.
    ///
    /// # Errors
    /// When it is neither, or the parser refuses it.
    fn count_or_word<T, E: Into<Failure>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        let text = match self.text(name) {
            Ok(text) => text,
            Err(_) => self.whole(name)?.map(|count| count.to_string()),
        };
        text.map(|text| parse(&text)).transpose().map_err(Into::into)
    }

    /// Text that is read by a parser of the command.
    ///
    /// # Errors
    /// When it is no text, or the parser refuses it.
    fn parsed<T, E: Into<Failure>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        self.text(name)?.map(|text| parse(&text)).transpose().map_err(Into::into)
    }

    /// One of the words that the command knows.
    ///
    /// # Errors
    /// When it is something else.
    fn word<T: Word>(&self, name: &str) -> Result<Option<T>, Failure> {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, ..)| *word).collect();
        let what = format!("one of {}", words.join(", "));
        let Some(word) = self.text_as(name, &what)? else { return Ok(None) };
        match T::of_word(&word) {
            Some(value) => Ok(Some(value)),
            None => Err(Failure::usage(format!("{name} must be {what}"))),
        }
    }
}
