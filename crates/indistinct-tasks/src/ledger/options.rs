//! How a ledger is to be opened, as typed and checked.

use clap::ValueEnum;
use indistinct::privacy::ledger::Total;
use indistinct::privacy::{Delta, Epsilon, Neighbours};
use indistinct_io::NewLedger;

use crate::Failure;

/// Between which tables the sum of all guarantees holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NeighboursArg {
    /// Tables in which one row is another
    Substitute,
    /// Tables of which one has a row more
    AddRemove,
}

impl From<NeighboursArg> for Neighbours {
    fn from(typed: NeighboursArg) -> Self {
        match typed {
            NeighboursArg::Substitute => Self::Substitute,
            NeighboursArg::AddRemove => Self::AddRemove,
        }
    }
}

/// A ledger to open, as typed.
#[derive(Debug, Clone, Copy)]
pub struct InitOptions<'a> {
    /// All that may be spent.
    pub epsilon: &'a str,
    /// With which probability that may fail.
    pub delta: &'a str,
    /// What the data set is called.
    pub id: Option<&'a str>,
    /// Between which tables the sum of all guarantees holds.
    pub neighbours: NeighboursArg,
}

impl<'a> InitOptions<'a> {
    /// The same, checked.
    pub(super) fn checked(&self) -> Result<NewLedger<'a>, Failure> {
        let epsilon: Epsilon = self.epsilon.parse().map_err(|error| {
            Failure::usage(format!("--epsilon: {error}"))
                .advise("say how much may be spent over all releases together, as in --epsilon 3")
        })?;
        let delta: Delta = self.delta.parse().map_err(|error| {
            Failure::usage(format!("--delta: {error}"))
                .advise("leave --delta away for pure differential privacy")
        })?;
        if self.id.is_some_and(|id| id.trim().is_empty()) {
            return Err(
                Failure::usage("--id: the name is empty").advise("name the data set, or leave --id away")
            );
        }
        let neighbours = self.neighbours.into();
        Ok(NewLedger { total: Total { epsilon, delta }, id: self.id, neighbours })
    }
}
