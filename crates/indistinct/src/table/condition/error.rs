//! Errors in the text of a condition.

use std::fmt;

/// The reason why a text is not a condition: where, what is wrong, and what to do. Displays as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionError {
    pub(super) position: usize,
    pub(super) what: String,
    pub(super) advice: String,
}

impl ConditionError {
    pub(super) fn new(position: usize, what: impl Into<String>, advice: impl Into<String>) -> Self {
        // What was written is repeated on one line, and moves no cursor.
        let line = |text: String| text.replace(char::is_control, " ");
        Self { position, what: line(what.into()), advice: line(advice.into()) }
    }

    /// The character at which the error was found, counted from 1.
    pub fn position(&self) -> usize {
        self.position + 1
    }

    /// The error, without its position.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Advice in one line.
    pub fn advice(&self) -> &str {
        &self.advice
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at character {}: {}", self.position(), self.what)
    }
}

impl std::error::Error for ConditionError {}
