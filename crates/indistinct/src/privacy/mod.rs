//! Privacy: epsilon, the effect of one row, budgets, noise, and the promise in the end.
//!
//! Read in this order:
//! - [`Epsilon`], and [`Rho`] for budgets with a [`Delta`]: fixed point, so that sums are exact;
//! - [`Sensitivity`]: how far one substituted row moves an integer, and the [`Proof`] of it;
//! - [`Budget`]: everything that draws noise is charged to it first; a [`Charge`] is consumed by the noise it
//!   pays for;
//! - [`Budget::portion`], by which steps get a share of either kind of budget; [`choose`] and [`noisy_counts`]
//!   then draw the noise that suits it;
//! - [`permute_and_flip`], [`exponential_mechanism`], [`discrete_laplace_counts`], [`discrete_gaussian_counts`],
//!   [`k_norm`], [`smooth_histogram`]: the noise, exact, in integers;
//! - [`Guarantee`] and [`Certificate`]: computed from what was charged, never typed in;
//! - [`ledger`]: the budget of one data set across releases.
//!
//! Neighbouring tables have the same, public number of rows and differ in one of them, or in those of one person.
//! No float stands between counts and choice, no error depends on private rows, and the pages in `proofs` say why
//! each step holds.
//!
//! ```
//! use indistinct::privacy::{Budget, Randomness, Sensitivity, permute_and_flip};
//! use std::num::{NonZeroU32, NonZeroU64};
//!
//! let mut budget = Budget::new("1".parse()?, NonZeroU32::MIN, Randomness::from_system()?);
//! let charge = budget.charge("locate", "0.4".parse()?, Sensitivity::pmae(NonZeroU64::MIN))?;
//! let chosen = permute_and_flip(charge, &[-812, -3, -240])?;
//! assert!(chosen < 3);
//! assert_eq!(budget.remaining(), "0.6".parse()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same by shares, of a budget that is pure or has a delta:
//!
//! ```
//! use indistinct::privacy::{Budget, Randomness, Sensitivity, choose, noisy_counts};
//! use std::num::{NonZeroU32, NonZeroU64};
//!
//! for delta in ["0", "1e-6"] {
//!     let randomness = Randomness::from_system()?;
//!     let mut budget = Budget::with_delta("1".parse()?, delta.parse()?, NonZeroU32::MIN, randomness);
//!     let (first, second) = (budget.portion(0.3), budget.portion(0.7));
//!     let charge = budget.charge_choice("locate", first, Sensitivity::pmae(NonZeroU64::MIN))?;
//!     assert!(choose(charge, &[-812, -3, -240])? < 3);
//!     let charge = budget.charge_counts("measure", second, Sensitivity::counts(NonZeroU64::MIN))?;
//!     assert!(charge.noise_sd() > 3.0);
//!     assert_eq!(noisy_counts(charge, &[17, 4])?.len(), 2);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bound;
#[cfg(feature = "broken")]
pub mod broken;
mod budget;
mod certificate;
mod charge;
pub(crate) mod clipped_sums;
mod condition;
mod conversion;
mod cost;
mod decimal;
mod delta;
mod entropy;
mod epsilon;
mod exact;
mod exponential;
mod fixed_point;
mod guarantee;
pub(crate) mod histogram_cells;
pub mod ledger;
mod logarithm;
mod mechanism;
mod neighbours;
mod proof;
mod rho;
mod sensitivity;
mod stated;
mod step_error;

pub use bound::{Bound, Movement};
pub use budget::{Budget, BudgetError, Spend};
pub use certificate::{
    BoundsSource, Certificate, ColumnBounds, Comparison, Composition, Person, Problem, ReleaseFacts,
    SCORE_STEP, SchemaSource, Score, Spent,
};
pub use charge::{ChainCharge, Charge, ChoiceCharge, CountsCharge, GaussianCharge};
pub use condition::GuaranteeCondition;
pub use cost::{Accounting, Cost, RhoSpend};
pub use delta::{Delta, DeltaError};
pub use entropy::{EntropyError, Randomness};
pub use epsilon::{Epsilon, EpsilonError};
pub use guarantee::{Exactness, Guarantee};
pub use mechanism::{
    MechanismError, choose, choose_from_lists, discrete_gaussian_counts, discrete_laplace,
    discrete_laplace_counts, exponential_mechanism, k_norm, noisy_counts, permute_and_flip,
    permute_and_flip_lists, smooth_histogram, smooth_histogram_matching,
};
pub use neighbours::Neighbours;
pub use proof::Proof;
pub use rho::Rho;
pub(crate) use sensitivity::SCORE_FINENESS;
pub use sensitivity::Sensitivity;
pub use step_error::{SourceError, StepError};

/// The step that counts rows where their number is private.
pub const NUMBER_OF_ROWS: &str = "number of rows";
