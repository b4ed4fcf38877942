//! `synth`: everything that can fail is tried before a ledger is charged, and the ledger is charged before anything is
//! drawn. The types see to that order: [`Asked`], [`Prepared`], [`Charged`], [`Released`], [`Writing`].

mod admission;
mod bounds;
mod columns;
mod comparison;
mod expected;
mod failures;
mod mechanism;
mod options;
mod persons;
mod prepared;
mod released;
mod split;
mod summary;
mod typed;
mod work;
mod writing;

pub use admission::{Fit, LedgerTerms};
pub use prepared::{Asked, Charged, Prepared, PrivateInput};
pub use released::Released;
pub use split::Split;
pub use summary::{summary, told_diagnostics};
pub use typed::{
    BASELINE, Cells, Draws, InvalidCells, MORE, Modelling, NORMAL, Relation, Sensitivity, SynthOptions,
    Synthesis,
};
pub use writing::{Writing, format_of};

use indistinct::privacy::Randomness;
use indistinct::random::Seed;

use crate::Failure;
use persons::Persons;
use work::Wanted;

/// Above this a guarantee says little.
const LARGE_EPSILON: f64 = 10.0;

impl SynthOptions {
    /// Turns what was typed into something that can be planned, or says why not.
    ///
    /// # Errors
    /// When options do not fit together, or are out of range.
    pub fn asked(&self) -> Result<Asked, Failure> {
        Ok(Asked {
            wanted: Wanted::of(self)?,
            persons: Persons::asked(self)?,
            invalid: self.invalid.into(),
            rows: self.rows,
        })
    }
}

impl Asked {
    /// Whether only tables of numbers can be released so, by the model, the options or the method that was asked for.
    pub fn is_of_numbers(&self) -> bool {
        self.wanted.is_of_numbers()
    }

    /// What is to be said about a budget that protects little.
    pub fn warning(&self) -> Option<String> {
        let epsilon = self.wanted.epsilon();
        (epsilon.to_f64() > LARGE_EPSILON).then(|| {
            format!(
                "epsilon {epsilon} promises very little: values above {LARGE_EPSILON} are rarely defensible"
            )
        })
    }
}

/// The randomness of a run.
fn randomness(seed: Option<u64>) -> Result<Randomness, Failure> {
    match seed {
        Some(seed) => Ok(Randomness::seeded(Seed(seed))),
        None => Randomness::from_system()
            .map_err(|error| Failure::failed(error).advise("the operating system gives no random numbers")),
    }
}
