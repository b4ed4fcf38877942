//! Options from Python.

use indistinct::Word;
use indistinct_io::Failure;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raised;

/// Keyword arguments of a call; absent ones and `None` count as not given.
pub(crate) struct Given<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    fn extracted<T: for<'a> FromPyObject<'a, 'py>>(&self, name: &str, what: &str) -> PyResult<Option<T>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        match value.extract::<T>() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(raised(&Failure::usage(format!("{name} must be {what}")))),
        }
    }

    /// A whole number that is not negative, below a limit of its type.
    pub(crate) fn count<T: TryFrom<u64>>(&self, name: &str) -> PyResult<Option<T>> {
        let what = "a whole number that is not negative";
        match self.extracted::<u64>(name, what)?.map(T::try_from) {
            None => Ok(None),
            Some(Ok(count)) => Ok(Some(count)),
            Some(Err(_)) => Err(raised(&Failure::usage(format!("{name} is too large")))),
        }
    }

    /// A real number.
    pub(crate) fn real(&self, name: &str) -> PyResult<Option<f64>> {
        self.extracted(name, "a number")
    }

    /// Text.
    pub(crate) fn text(&self, name: &str) -> PyResult<Option<String>> {
        self.extracted(name, "text")
    }

    /// True or false.
    pub(crate) fn truth(&self, name: &str) -> PyResult<Option<bool>> {
        self.extracted(name, "True or False")
    }

    /// A count, or a word instead of it, read by a parser of the command.
    pub(crate) fn count_or_word<T, E: Into<Failure>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        let text = match value.extract::<String>() {
            Ok(word) => Some(word),
            Err(_) => self.count::<u64>(name)?.map(|count| count.to_string()),
        };
        text.map(|text| parse(&text)).transpose().map_err(|error| raised(&error.into()))
    }

    /// Text that is read by a parser of the command.
    pub(crate) fn parsed<T, E: Into<Failure>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> PyResult<Option<T>> {
        let text = self.text(name)?;
        text.map(|text| parse(&text)).transpose().map_err(|error| raised(&error.into()))
    }

    /// One of the words that the command knows.
    pub(crate) fn word<T: Word>(&self, name: &str) -> PyResult<Option<T>> {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, ..)| *word).collect();
        let what = format!("one of {}", words.join(", "));
        let Some(word) = self.extracted::<String>(name, &what)? else { return Ok(None) };
        match T::of_word(&word) {
            Some(value) => Ok(Some(value)),
            None => Err(raised(&Failure::usage(format!("{name} must be {what}")))),
        }
    }
}
