//! What goes wrong, what to do about it, and the exit code that scripts see.

use std::fmt;

/// Why a task stops. Displays as the command prints it: what is wrong, and below it what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    what: String,
    advice: Option<String>,
    kind: Kind,
}

/// What sort of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bad input, or input and output that failed: exit code 1.
    Failed,
    /// Options that do not fit together: exit code 2.
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
    fn new(what: impl fmt::Display, kind: Kind) -> Self {
        Self { what: what.to_string(), advice: None, kind }
    }

    /// Bad input, or input and output that failed: exit code 1.
    pub fn failed(what: impl fmt::Display) -> Self {
        Self::new(what, Kind::Failed)
    }

    /// Options that do not fit together: exit code 2.
    pub fn usage(what: impl fmt::Display) -> Self {
        Self::new(what, Kind::Usage)
    }

    /// A certificate that claims more than its parts carry: exit code 3.
    pub fn overclaim(what: impl fmt::Display) -> Self {
        Self::new(what, Kind::Overclaim)
    }

    /// Refused for the sake of privacy, by a ledger: exit code 3.
    pub fn refused(what: impl fmt::Display) -> Self {
        Self::new(what, Kind::Refused)
    }

    /// Refused because a release has no guarantee that would do: exit code 3.
    pub fn no_guarantee(what: impl fmt::Display) -> Self {
        Self::new(what, Kind::NoGuarantee)
    }

    /// The work was stopped by whom it was done for.
    pub fn stopped() -> Self {
        Self::new("stopped", Kind::Stopped)
    }

    /// The same with a line that says what to do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// What is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::Failed | Kind::Stopped => 1,
            Kind::Usage => 2,
            Kind::Refused | Kind::Overclaim | Kind::NoGuarantee => 3,
        }
    }

    /// What is wrong and, on a line below, what to do: all that the command prints after `error: `.
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
