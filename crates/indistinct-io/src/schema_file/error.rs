//! Errors of schema files.

use std::fmt;

/// The reason why a schema file cannot be used: where, and what is wrong. Displays as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFileError {
    pub(super) file: Option<String>,
    pub(super) line: Option<usize>,
    pub(super) what: String,
    pub(super) advice: String,
}

impl SchemaFileError {
    pub(super) fn new(line: Option<usize>, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { file: None, line, what: what.into(), advice: advice.into() }
    }

    /// The line of the file, counted from 1, where it is known.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Advice in one line.
    pub fn advice(&self) -> &str {
        &self.advice
    }
}

impl fmt::Display for SchemaFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.file.as_deref().unwrap_or("schema"))?;
        if let Some(line) = self.line {
            write!(out, ", line {line}")?;
        }
        write!(out, ": {}", self.what)
    }
}

impl std::error::Error for SchemaFileError {}
