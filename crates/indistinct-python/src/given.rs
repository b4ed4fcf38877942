//! Options from Python.

use indistinct::Word;
use indistinct_io::Failure;
use indistinct_io::arguments::Arguments;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::raised;

/// Keyword arguments of a call; absent ones and `None` count as not given.
pub(crate) struct Given<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    fn extracted<T: for<'a> FromPyObject<'a, 'py>>(
        &self,
        name: &str,
        what: &str,
    ) -> Result<Option<T>, Failure> {
        let wrong = || Failure::usage(format!("{name} must be {what}"));
        let value = self.0.get_item(name).map_err(|_| wrong())?.filter(|value| !value.is_none());
        value.map(|value| value.extract::<T>().map_err(|_| wrong())).transpose()
    }
}

impl Arguments for Given<'_, '_> {
    fn whole(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.extracted(name, "a whole number that is not negative")
    }

    fn real(&self, name: &str) -> Result<Option<f64>, Failure> {
        self.extracted(name, "a number")
    }

    fn text_as(&self, name: &str, what: &str) -> Result<Option<String>, Failure> {
        self.extracted(name, what)
    }

    fn truth(&self, name: &str) -> Result<Option<bool>, Failure> {
        self.extracted(name, "True or False")
    }
}

/// The same, with failures as exceptions.
impl Given<'_, '_> {
    /// A whole number that is not negative, below a limit of its type.
    pub(crate) fn count<T: TryFrom<u64>>(&self, name: &str) -> PyResult<Option<T>> {
        Arguments::count(self, name).map_err(|failure| raised(&failure))
    }

    /// Text.
    pub(crate) fn text(&self, name: &str) -> PyResult<Option<String>> {
        Arguments::text(self, name).map_err(|failure| raised(&failure))
    }

    /// Text that is read by a parser of the command.
    pub(crate) fn parsed<T, E: Into<Failure>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> PyResult<Option<T>> {
        Arguments::parsed(self, name, parse).map_err(|failure| raised(&failure))
    }

    /// One of the words that the command knows.
    pub(crate) fn word<T: Word>(&self, name: &str) -> PyResult<Option<T>> {
        Arguments::word(self, name).map_err(|failure| raised(&failure))
    }
}
