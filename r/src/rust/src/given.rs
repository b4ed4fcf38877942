//! Options from R.

use extendr_api::prelude::*;
use indistinct_io::Failure;
use indistinct_io::arguments::Arguments;

/// The largest whole number up to which doubles are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Named arguments of a call, as a list; absent ones and NULL count as not given.
pub(crate) struct Given<'a>(pub(crate) &'a List);

impl Given<'_> {
    fn value(&self, name: &str) -> Option<Robj> {
        self.0.iter().find(|(own, value)| *own == name && !value.is_null()).map(|(_, value)| value)
    }

    fn converted<T>(
        &self,
        name: &str,
        what: &str,
        convert: impl FnOnce(&Robj) -> Option<T>,
    ) -> std::result::Result<Option<T>, Failure> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match convert(&value) {
            Some(value) => Ok(Some(value)),
            None => Err(Failure::usage(format!("{name} must be {what}"))),
        }
    }
}

/// A number, of either of R's types.
fn number(value: &Robj) -> Option<f64> {
    let number = value.as_real().or_else(|| value.as_integer().map(f64::from))?;
    (value.len() == 1 && !value.is_na() && !number.is_nan()).then_some(number)
}

impl Arguments for Given<'_> {
    fn whole(&self, name: &str) -> std::result::Result<Option<u64>, Failure> {
        self.converted(name, "a whole number that is not negative", |value| {
            let number = number(value)?;
            (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
        })
    }

    fn real(&self, name: &str) -> std::result::Result<Option<f64>, Failure> {
        self.converted(name, "a number", number)
    }

    fn text_as(&self, name: &str, what: &str) -> std::result::Result<Option<String>, Failure> {
        self.converted(name, what, |value| {
            let text = value.as_str().filter(|_| value.len() == 1 && !value.is_na())?;
            Some(text.to_owned())
        })
    }

    fn truth(&self, name: &str) -> std::result::Result<Option<bool>, Failure> {
        self.converted(name, "TRUE or FALSE", |value| value.as_bool().filter(|_| value.len() == 1))
    }
}
