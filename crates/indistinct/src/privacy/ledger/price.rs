//! The price of one release, and its conversion to other neighbours.

use crate::privacy::{Delta, Epsilon, Neighbours, Rho};

/// The price of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Epsilon of its guarantee.
    pub epsilon: Epsilon,
    /// Delta of its guarantee; zero if that is pure.
    pub delta: Delta,
    /// The rho of its budget, if that is known and the guarantee has a delta.
    pub rho: Option<Rho>,
}

impl Price {
    /// The price of a pure release.
    pub fn pure(epsilon: Epsilon) -> Self {
        Self { epsilon, delta: Delta::ZERO, rho: None }
    }

    /// The price of a release from a budget of epsilon and delta
    /// ([`Budget::with_delta`](crate::privacy::Budget::with_delta)); pure if delta is zero.
    pub fn of_budget(epsilon: Epsilon, delta: Delta) -> Self {
        let rho = (!delta.is_zero()).then(|| Rho::largest(epsilon, delta));
        Self { epsilon, delta, rho }
    }

    /// Its rho, if it has one: a pure price always has.
    pub fn concentrated(&self) -> Option<Rho> {
        self.rho.or_else(|| self.delta.is_zero().then(|| Rho::of_pure(self.epsilon)))
    }

    /// The price in a ledger for neighbours `ledger` of a release whose guarantee is for neighbours `of`. `None`
    /// if nothing follows.
    ///
    /// # Guarantee
    /// `proofs/ledger_account.md`: a substituted row is one that is removed and one that is added, so that
    /// epsilon doubles, delta grows by 1 + e^epsilon and rho by four. The reverse does not hold: nothing is
    /// promised about tables of different length.
    #[must_use]
    pub fn between(self, of: Neighbours, ledger: Neighbours) -> Option<Self> {
        match (of, ledger) {
            (Neighbours::Substitute, Neighbours::AddRemove) => None,
            (Neighbours::AddRemove, Neighbours::Substitute) => Some(Self {
                epsilon: self.epsilon.times(2),
                delta: self.delta.of_two_steps(self.epsilon),
                rho: self.rho.map(|rho| rho.times(4)),
            }),
            (Neighbours::Substitute, Neighbours::Substitute)
            | (Neighbours::AddRemove, Neighbours::AddRemove) => Some(self),
        }
    }
}
