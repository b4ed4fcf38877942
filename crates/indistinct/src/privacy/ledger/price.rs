//! What one release costs, and what that is for other neighbours.

use crate::privacy::{Delta, Epsilon, Neighbours, Rho};

/// What a release is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Of its guarantee.
    pub epsilon: Epsilon,
    /// Of its guarantee; zero if that is pure.
    pub delta: Delta,
    /// The rho of the budget that it was made from, where that is known and the guarantee has a delta.
    pub rho: Option<Rho>,
}

impl Price {
    /// Of a pure release.
    pub fn pure(epsilon: Epsilon) -> Self {
        Self { epsilon, delta: Delta::ZERO, rho: None }
    }

    /// Of a release from a budget of epsilon and delta ([`Budget::with_delta`](crate::privacy::Budget::with_delta)); pure if
    /// delta is zero.
    pub fn of_budget(epsilon: Epsilon, delta: Delta) -> Self {
        let rho = (!delta.is_zero()).then(|| Rho::largest(epsilon, delta));
        Self { epsilon, delta, rho }
    }

    /// Its rho, if it has one: what is pure always has.
    pub fn concentrated(&self) -> Option<Rho> {
        self.rho.or_else(|| self.delta.is_zero().then(|| Rho::of_pure(self.epsilon)))
    }

    /// What a release whose guarantee is for neighbours `of` costs where they are those of `ledger`. None if nothing follows.
    ///
    /// # Guarantee
    /// `proofs/ledger_account.md`: a substituted row is one that is removed and one that is added, so that epsilon doubles, delta
    /// grows by 1 + e^epsilon and rho by four. The reverse does not hold: nothing is promised about tables of different length.
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
