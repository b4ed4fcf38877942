//! Between which tables a guarantee holds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Two tables that differ by one row in this way are told apart at most as well as epsilon (and delta) allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One row is another in the other table. The number of rows is public.
    #[default]
    Substitute,
    /// One row is in one of the tables only. The number of rows is private.
    AddRemove,
}

impl Neighbours {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Substitute, Self::AddRemove];

    /// What is done to a row in the other table, as certificates say it.
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Substitute => "substitute",
            Self::AddRemove => "add or remove",
        }
    }

    /// As it is typed and written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Substitute => "substitute",
            Self::AddRemove => "add-remove",
        }
    }
}

impl fmt::Display for Neighbours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
