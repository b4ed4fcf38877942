//! Errors of ledgers, with advice.

use crate::privacy::{Delta, Epsilon};

/// Significant digits of the remaining budget, rounded down.
const DIGITS: u32 = 4;

/// The reason why a ledger cannot be read, or cannot be charged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The text does not begin like a ledger.
    #[error("this is not a privacy ledger")]
    NotALedger,
    /// The ledger has a later format.
    #[error("this ledger was written by a newer version, or its first line was edited")]
    Newer,
    /// A line does not match its hash.
    #[error("the ledger was changed: entry {entry} does not match its hash")]
    Tampered {
        /// The entry, counted from one.
        entry: usize,
    },
    /// The second line does not match the entries.
    #[error("the ledger was changed: its second line does not match its entries")]
    Header,
    /// Entries are missing at the end.
    #[error("the ledger was cut: it counts {counted} entries and holds {found}")]
    Truncated {
        /// Their number by the second line.
        counted: usize,
        /// Their number in the file.
        found: usize,
    },
    /// More was charged than the ledger allows.
    #[error("the ledger's charges exceed its budget")]
    Overdrawn,
    /// A charge does not fit.
    #[error("the ledger has {} left, and this would cost {}", amount_left(*left, *delta), cost(*asked, *delta))]
    Exhausted {
        /// Its epsilon.
        asked: Epsilon,
        /// The largest epsilon that would fit, with the same delta.
        left: Epsilon,
        /// The delta of both; zero for a pure release.
        delta: Delta,
    },
    /// A charge has a delta, and no delta is left to convert a rho with.
    #[error("the ledger has no delta left, and this release has delta {0}")]
    NoDelta(Delta),
    /// A charge has a delta and no rho.
    #[error("this release has a delta that was not made from a rho, and a ledger adds up rhos")]
    NoRho,
    /// A charge is for other neighbours, and implies nothing for those of the ledger.
    #[error(
        "the ledger is kept for rows that are added or removed, and this release is private for substituted rows: no bound follows"
    )]
    OtherNeighbours,
    /// A charge is for other data.
    #[error("the ledger is of `{own}`, and --ledger-id asks for `{asked}`")]
    AnotherDataSet {
        /// The ledger's name.
        own: String,
        /// The requested name.
        asked: String,
    },
    /// A name is requested, and the ledger has none.
    #[error(
        "the ledger has no name, so that it cannot be told whether it is the one that --ledger-id asks for"
    )]
    NoName,
    /// A release that promises nothing, or nothing about what it draws.
    #[error("a ledger adds up guarantees, and this release would have none of which it could: {kind}{why}")]
    NoGuarantee {
        /// The kind of guarantee that it would have.
        kind: &'static str,
        /// The reason, after a colon; empty if the kind says it.
        why: String,
    },
    /// A release with a conditional guarantee, which was not explicitly accepted.
    #[error(
        "the guarantee would be conditional, and a ledger takes such a charge only if it is told to: {0}"
    )]
    Conditional(String),
    /// A charge of nothing.
    #[error("a charge must cost more than nothing")]
    Nothing,
    /// The ledger has as many entries as it can count.
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
    /// Advice on what to do.
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

    /// Whether the ledger refuses a release because of its promise, whatever budget is left.
    pub fn lacks_guarantee(&self) -> bool {
        matches!(self, Self::NoGuarantee { .. } | Self::Conditional(_) | Self::NoRho)
    }

    /// Whether the ledger refuses for the sake of privacy, rather than because the file cannot be used.
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
