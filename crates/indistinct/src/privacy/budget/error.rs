//! Why a budget refuses.

use crate::privacy::{Epsilon, Rho};

/// Why a charge was refused. Nothing was spent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// More than is left.
    #[error("{step} would cost epsilon {asked}, but only {left} of the budget is left")]
    Exceeded {
        /// What it was for.
        step: String,
        /// What it would cost.
        asked: Epsilon,
        /// What is left.
        left: Epsilon,
    },
    /// More than is left of a budget with a delta.
    #[error("{step} would cost rho {asked}, but only {left} of the budget is left")]
    ExceededRho {
        /// What it was for.
        step: String,
        /// What it would cost.
        asked: Rho,
        /// What is left.
        left: Rho,
    },
    /// A cost in rho for a pure budget, or in epsilon for one with a delta.
    #[error("the cost of {step} is a part of another kind of budget")]
    AnotherKind {
        /// What it was for.
        step: String,
    },
    /// A bound on candidates for counts, or on counts for candidates.
    #[error("the sensitivity of {step} is not of the kind that its noise needs")]
    WrongBound {
        /// What it was for.
        step: String,
    },
    /// A sensitivity that is proven for substituted rows only.
    #[error("what {step} reveals of a row that is added or removed is not proven")]
    OtherNeighbours {
        /// What it was for.
        step: String,
    },
    /// So little that nothing can be drawn with it.
    #[error("{step} has no budget: its share, for each of the rows of a person, rounds to zero")]
    Nothing {
        /// What it was for.
        step: String,
    },
    /// The operating system has no entropy to give.
    #[error("{step} has no noise: the operating system gave no random numbers")]
    NoEntropy {
        /// What it was for.
        step: String,
    },
}
