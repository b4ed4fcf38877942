//! Refusals of a budget.

use crate::privacy::{Epsilon, Rho};

/// The reason why a charge was refused. Nothing was spent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// The cost is more than is left.
    #[error("{step} would cost epsilon {asked}, but only {left} of the budget is left")]
    Exceeded {
        /// The step's name.
        step: String,
        /// Its cost.
        asked: Epsilon,
        /// The unspent epsilon.
        left: Epsilon,
    },
    /// The cost is more than is left of a budget with a delta.
    #[error("{step} would cost rho {asked}, but only {left} of the budget is left")]
    ExceededRho {
        /// The step's name.
        step: String,
        /// Its cost.
        asked: Rho,
        /// The unspent rho.
        left: Rho,
    },
    /// A cost in rho for a pure budget, or in epsilon for one with a delta.
    #[error("the cost of {step} is a part of another kind of budget")]
    AnotherKind {
        /// The step's name.
        step: String,
    },
    /// A bound on candidates for counts, or on counts for candidates.
    #[error("the sensitivity of {step} is not of the kind that its noise needs")]
    WrongBound {
        /// The step's name.
        step: String,
    },
    /// A sensitivity that is proven for substituted rows only.
    #[error("what {step} reveals of a row that is added or removed is not proven")]
    OtherNeighbours {
        /// The step's name.
        step: String,
    },
    /// A cost so small that nothing can be drawn with it.
    #[error("{step} has no budget: its share, for each of the rows of a person, rounds to zero")]
    Nothing {
        /// The step's name.
        step: String,
    },
    /// The operating system has no entropy.
    #[error("{step} has no noise: the operating system gave no random numbers")]
    NoEntropy {
        /// The step's name.
        step: String,
    },
}
