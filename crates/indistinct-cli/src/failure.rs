//! What goes wrong, what to do about it, and the exit code that scripts see.

use std::fmt;

/// Why the command stops.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    advice: Option<String>,
    code: u8,
}

impl Failure {
    /// Bad input, or input and output that failed: exit code 1.
    pub(crate) fn failed(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), advice: None, code: 1 }
    }

    /// Options that do not fit together: exit code 2.
    pub(crate) fn usage(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), advice: None, code: 2 }
    }

    /// Refused for the sake of privacy: exit code 3.
    pub(crate) fn refused(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), advice: None, code: 3 }
    }

    /// The same with a line that says what to do.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "error: {}", self.what)?;
        match &self.advice {
            Some(advice) => write!(formatter, "\n help: {advice}"),
            None => Ok(()),
        }
    }
}
