//! The neighbouring tables between which a guarantee holds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The difference by one row between two tables, which are told apart at most as well as epsilon (and delta)
/// allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One row has other values in the other table. The number of rows is public.
    #[default]
    Substitute,
    /// One row is in only one of the tables. The number of rows is private.
    AddRemove,
}

words!(Neighbours {
    "substitute" => Substitute: "One row is substituted by another; the number of rows is public",
    "add-remove" => AddRemove: "One row is added or removed; the number of rows is private",
});

impl Neighbours {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Substitute, Self::AddRemove];

    /// The verb for the row that differs, in the words of certificates.
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Substitute => "substitute",
            Self::AddRemove => "add or remove",
        }
    }

    /// Its name, as typed and written.
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
