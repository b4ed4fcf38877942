//! Options for opening a ledger, as asked for and checked.

use indistinct::privacy::ledger::Total;
use indistinct::privacy::{Delta, Epsilon, Neighbours};

use super::NewLedger;
use crate::Failure;

/// A ledger to open.
#[derive(Debug, Clone, Copy)]
pub struct InitOptions<'a> {
    /// All that may be spent.
    pub epsilon: Epsilon,
    /// With which probability that may fail.
    pub delta: Delta,
    /// The name of the data set.
    pub id: Option<&'a str>,
    /// Between which tables the sum of all guarantees holds.
    pub neighbours: Neighbours,
}

impl<'a> InitOptions<'a> {
    /// The same, checked.
    pub(super) fn checked(&self) -> Result<NewLedger<'a>, Failure> {
        if self.id.is_some_and(|id| id.trim().is_empty()) {
            return Err(
                Failure::usage("--id: the name is empty").advise("name the data set, or leave --id away")
            );
        }
        Ok(NewLedger {
            total: Total { epsilon: self.epsilon, delta: self.delta },
            id: self.id,
            neighbours: self.neighbours,
        })
    }
}

/// The total epsilon of a ledger as text.
///
/// # Errors
/// When it is no positive number.
pub fn total_epsilon_of(text: &str) -> Result<Epsilon, Failure> {
    text.parse().map_err(|error| {
        Failure::usage(format!("--epsilon: {error}"))
            .advise("say how much may be spent over all releases together, as in --epsilon 3")
    })
}

/// The total delta of a ledger as text.
///
/// # Errors
/// When it is no probability.
pub fn total_delta_of(text: &str) -> Result<Delta, Failure> {
    text.parse().map_err(|error| {
        Failure::usage(format!("--delta: {error}")).advise("leave --delta away for pure differential privacy")
    })
}
