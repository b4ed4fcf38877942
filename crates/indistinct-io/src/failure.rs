//! Failures: what goes wrong, what to do about it, and the exit code that scripts see.

use std::fmt;

use indistinct::{Field, Message, OptionsError};

use crate::{ReadError, SchemaFileError};

/// The reason why work stops. Displays as the command prints it: what is wrong, and below it what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    what: String,
    advice: Option<String>,
    kind: FailureKind,
}

/// The sort of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// Bad input, or input and output that failed: exit code 1.
    Failed,
    /// Options that are wrong in themselves, or do not fit together: exit code 2.
    Usage,
    /// Refused for the sake of privacy, by a ledger: exit code 3.
    Refused,
    /// A certificate that claims more than its parts carry: exit code 3.
    Overclaim,
    /// Refused for the sake of privacy, because a release has no guarantee that would do: exit code 3.
    NoGuarantee,
    /// Somebody asked for the work to stop; no exit code of its own.
    Stopped,
}

impl Failure {
    fn new(what: impl fmt::Display, kind: FailureKind) -> Self {
        Self { what: what.to_string(), advice: None, kind }
    }

    /// Bad input, or input and output that failed: exit code 1.
    pub fn failed(what: impl fmt::Display) -> Self {
        Self::new(what, FailureKind::Failed)
    }

    /// Options that are wrong in themselves, or do not fit together: exit code 2.
    pub fn usage(what: impl fmt::Display) -> Self {
        Self::new(what, FailureKind::Usage)
    }

    /// A certificate that claims more than its parts carry: exit code 3.
    pub fn overclaim(what: impl fmt::Display) -> Self {
        Self::new(what, FailureKind::Overclaim)
    }

    /// Refused for the sake of privacy, by a ledger: exit code 3.
    pub fn refused(what: impl fmt::Display) -> Self {
        Self::new(what, FailureKind::Refused)
    }

    /// Refused because a release has no guarantee that would do: exit code 3.
    pub fn no_guarantee(what: impl fmt::Display) -> Self {
        Self::new(what, FailureKind::NoGuarantee)
    }

    /// The work was stopped by whom it was done for.
    pub fn stopped() -> Self {
        Self::new("stopped", FailureKind::Stopped)
    }

    /// The same with a line that says what to do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// The problem, in words.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The sort of failure.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            FailureKind::Failed | FailureKind::Stopped => 1,
            FailureKind::Usage => 2,
            FailureKind::Refused | FailureKind::Overclaim | FailureKind::NoGuarantee => 3,
        }
    }

    /// The problem and, on a line below, what to do: all that the command prints after `error: `.
    pub fn message(&self) -> String {
        match &self.advice {
            Some(advice) => format!("{}\n help: {advice}", self.what),
            None => self.what.clone(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "error: {}", self.message())
    }
}

impl std::error::Error for Failure {}

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Self {
        let failure = Self::usage(in_flags(&error.what));
        match &error.advice {
            Some(advice) => failure.advise(in_flags(advice)),
            None => failure,
        }
    }
}

/// A message with settings as options of the command, from which other front ends make their own words.
pub fn in_flags(message: &Message) -> String {
    message.spelled(Field::flag)
}

/// Text on one line, from a file that anybody may have written: it must not move a terminal's cursor.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The failure when a table cannot be read.
pub fn read_failure(error: ReadError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}

/// The failure when a schema cannot be read.
pub fn schema_failure(error: SchemaFileError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}
