//! Errors of ledgers, with advice.

use crate::field::{Field, Message};
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
    #[error("the ledger is of `{own}`, and {} asks for `{asked}`", Field::LedgerId.name())]
    AnotherDataSet {
        /// The ledger's name.
        own: String,
        /// The requested name.
        asked: String,
    },
    /// A name is requested, and the ledger has none.
    #[error(
        "the ledger has no name, so that it cannot be told whether it is the one that {} asks for",
        Field::LedgerId.name()
    )]
    NoName,
    /// A release that promises nothing, or nothing about what it draws.
    #[error("a ledger adds up guarantees, and that of this release would be {kind}{why}")]
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
    /// The problem, with the settings that it names.
    pub fn message(&self) -> Message {
        match self {
            Self::AnotherDataSet { own, asked } => Message::of(
                "the ledger is of `{}`, and {} asks for `{}`",
                [own.as_str().into(), Field::LedgerId.into(), asked.as_str().into()],
            ),
            Self::NoName => Message::of(
                "the ledger has no name, so that it cannot be told whether it is the one that {} asks for",
                [Field::LedgerId.into()],
            ),
            other => other.to_string().into(),
        }
    }

    /// Advice on what to do.
    pub fn advice(&self) -> Message {
        match self {
            Self::NotALedger => "name the file that `indistinct ledger init` made".into(),
            Self::Newer => "use the version that wrote it, or restore the file from a backup".into(),
            Self::Tampered { .. } | Self::Header | Self::Truncated { .. } => {
                "restore the file from a backup; if there is none, count everything released so far as spent".into()
            }
            Self::Overdrawn => "make no further release of this data set".into(),
            Self::Exhausted { .. } => {
                "ask for a smaller epsilon, or use `indistinct sample` on a released model, which costs nothing".into()
            }
            Self::NoDelta(_) => Message::of(
                "leave {} out for pure differential privacy; a ledger that allows deltas is opened with {}",
                [Field::Delta.into(), Field::Delta.into()],
            ),
            Self::OtherNeighbours => Message::of(
                "release with `{} add-remove`, or charge a ledger that was opened with `{} substitute`",
                [Field::Neighbours.into(), Field::Neighbours.into()],
            ),
            Self::AnotherDataSet { .. } => "name the ledger of this data set".into(),
            Self::NoName => {
                Message::of("leave {} out, or name the ledger of that data set", [Field::LedgerId.into()])
            }
            Self::NoGuarantee { .. } => {
                "leave out what takes the guarantee away (a seed, a chain, a method for comparison), or release without a \
                 ledger and do not publish"
                    .into()
            }
            Self::Conditional(_) => Message::of(
                "review the schema, delete its marks and give it with {}, or say {} if what was learned is public anyway",
                [Field::Schema.into(), Field::AcceptConditional.into()],
            ),
            Self::Nothing => "ask for an epsilon greater than zero".into(),
            Self::Full => "open a new ledger with the budget that is left".into(),
            Self::NoRho | Self::Unwritable => "report this: it should not happen".into(),
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
