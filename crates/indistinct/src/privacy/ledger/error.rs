//! What can be wrong with a ledger, and what to do about it.

use crate::privacy::{Delta, Epsilon};

/// Significant digits of what is left, rounded down.
const DIGITS: u32 = 4;

/// Why a ledger cannot be read, or not be charged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// It does not begin as ledgers do.
    #[error("this is not a privacy ledger")]
    NotALedger,
    /// It is of a later format.
    #[error("this ledger was written by a newer version, or its first line was edited")]
    Newer,
    /// A line does not match its hash.
    #[error("the ledger was changed: entry {entry} does not match its hash")]
    Tampered {
        /// The entry, from one.
        entry: usize,
    },
    /// The second line does not match the entries.
    #[error("the ledger was changed: its second line does not match its entries")]
    Header,
    /// Entries are missing at the end.
    #[error("the ledger was cut: it counts {counted} entries and holds {found}")]
    Truncated {
        /// By the second line.
        counted: usize,
        /// In the file.
        found: usize,
    },
    /// More was charged than it allows.
    #[error("the ledger's charges exceed its budget")]
    Overdrawn,
    /// A charge does not fit.
    #[error("the ledger has {} left, and this would cost {}", amount_left(*left, *delta), cost(*asked, *delta))]
    Exhausted {
        /// What it would cost.
        asked: Epsilon,
        /// The most that would fit, with the same delta.
        left: Epsilon,
        /// The delta of both; zero of a pure release.
        delta: Delta,
    },
    /// A charge has a delta, and there is none left to convert any rho with.
    #[error("the ledger has no delta left, and this release has delta {0}")]
    NoDelta(Delta),
    /// A charge has a delta and no rho.
    #[error("this release has a delta that was not made from a rho, and a ledger adds up rhos")]
    NoRho,
    /// A charge is for other neighbours, of which nothing follows for those of the ledger.
    #[error(
        "the ledger is kept for rows that are added or removed, and this release is private for substituted rows: no bound follows"
    )]
    OtherNeighbours,
    /// A charge is for other data.
    #[error("the ledger is of `{own}`, and --ledger-id asks for `{asked}`")]
    AnotherDataSet {
        /// The name that the ledger was opened with.
        own: String,
        /// The name that was asked for.
        asked: String,
    },
    /// A name is asked for where there is none to compare with.
    #[error(
        "the ledger has no name, so that it cannot be told whether it is the one that --ledger-id asks for"
    )]
    NoName,
    /// A release that promises nothing, or nothing of what it gave.
    #[error("a ledger adds up guarantees, and this release would have none of which it could: {kind}{why}")]
    NoGuarantee {
        /// The kind of guarantee that it would have.
        kind: &'static str,
        /// Why, behind a colon; empty if that is known from the kind.
        why: String,
    },
    /// A release whose guarantee is conditional, where nobody said that this will do.
    #[error(
        "the guarantee would be conditional, and a ledger takes such a charge only if it is told to: {0}"
    )]
    Conditional(String),
    /// A charge of nothing.
    #[error("a charge must cost more than nothing")]
    Nothing,
    /// No more entries can be counted.
    #[error("the ledger is full")]
    Full,
    /// An entry could not be written as JSON.
    #[error("the entry cannot be written")]
    Unwritable,
}

fn amount_left(epsilon: Epsilon, delta: Delta) -> String {
    let prefix = if delta.is_zero() { "epsilon " } else { "" };
    format!("{prefix}{}", cost(epsilon.rounded_down_to(DIGITS), delta))
}

/// An epsilon, with its delta if it has one.
fn cost(epsilon: Epsilon, delta: Delta) -> String {
    if delta.is_zero() { epsilon.to_string() } else { format!("({epsilon}, {delta})") }
}

impl LedgerError {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotALedger => "name the file that `indistinct ledger init` made",
            Self::Newer => "use the version that wrote it, or restore the file from a backup",
            Self::Tampered { .. } | Self::Header | Self::Truncated { .. } => {
                "restore the file from a backup; if there is none, count everything released so far as spent"
            }
            Self::Overdrawn => "make no further release of this data set",
            Self::Exhausted { .. } => {
                "ask for a smaller epsilon, or use `indistinct sample` on a released model, which costs nothing"
            }
            Self::NoDelta(_) => {
                "leave --delta out for pure differential privacy; a ledger that allows deltas is opened with --delta"
            }
            Self::OtherNeighbours => {
                "release with `--neighbours add-remove`, or charge a ledger that was opened with `--neighbours substitute`"
            }
            Self::AnotherDataSet { .. } => "name the ledger of this data set",
            Self::NoName => "leave --ledger-id out, or name the ledger of that data set",
            Self::NoGuarantee { .. } => {
                "leave out what takes the guarantee away (a seed, a chain, a method for comparison), or release without a \
                 ledger and do not publish"
            }
            Self::Conditional(_) => {
                "review the schema, delete its marks and give it with --schema, or say --accept-conditional if what was \
                 learned is public anyway"
            }
            Self::Nothing => "ask for an epsilon greater than zero",
            Self::Full => "open a new ledger with the budget that is left",
            Self::NoRho | Self::Unwritable => "report this: it should not happen",
        }
    }

    /// Whether this refuses a release for what it promises, whatever is left in the ledger.
    pub fn lacks_guarantee(&self) -> bool {
        matches!(self, Self::NoGuarantee { .. } | Self::Conditional(_) | Self::NoRho)
    }

    /// Whether this refuses for the sake of privacy, rather than because the file cannot be used.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Exhausted { .. }
                | Self::NoDelta(_)
                | Self::NoRho
                | Self::OtherNeighbours
                | Self::AnotherDataSet { .. }
                | Self::NoName
                | Self::NoGuarantee { .. }
                | Self::Conditional(_)
                | Self::Overdrawn
                | Self::Nothing
                | Self::Full
        )
    }
}
