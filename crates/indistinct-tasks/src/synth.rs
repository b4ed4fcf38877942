//! `synth`: everything that can fail is tried before a ledger is charged, and the ledger is charged before anything is
//! drawn. The types see to that order: [`CheckedOptions`], [`Prepared`], [`Charged`], [`Writing`].

mod admission;
mod bounds;
mod checked;
mod columns;
mod comparison;
mod expected;
mod failures;
mod options;
mod persons;
mod prepared;
mod released;
mod split;
mod summary;
mod typed;
mod writing;

pub use admission::{Fit, LedgerTerms};
pub use bounds::BoundsArg;
pub use checked::CheckedOptions;
pub use failures::sample_failure;
pub use options::{delta_of, epsilon_of, score_epsilon_of};
pub use prepared::{Charged, Prepared, PrivateInput};
pub use released::{load_release, parse_release, release_text, released_model_json};
pub use split::Split;
pub use summary::{summary, told_diagnostics};
pub use typed::{DiscriminatorArg, MethodArg, Modelling, SamplerArg, Sensitivity, SynthOptions};
pub use writing::{Writing, format_of};

use indistinct::privacy::Randomness;
use indistinct::random::Seed;

use crate::Failure;

/// The randomness of a run.
fn randomness(seed: Option<u64>) -> Result<Randomness, Failure> {
    match seed {
        Some(seed) => Ok(Randomness::seeded(Seed(seed))),
        None => Randomness::from_system()
            .map_err(|error| Failure::failed(error).advise("the operating system gives no random numbers")),
    }
}
