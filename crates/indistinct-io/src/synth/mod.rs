//! A release from a private file: everything that can fail is tried before a ledger is charged, and the ledger is charged
//! before anything is drawn. The types see to that order: [`CheckedOptions`](indistinct::synthesis::CheckedOptions),
//! [`Prepared`], [`Charged`]. `indistinct-report` writes the folder.

mod admission;
mod columns;
mod failures;
mod persons;
mod prepared;
mod released;

pub use admission::{Fit, LedgerTerms, admit};
pub use failures::{sample_failure, terms_failure};
pub use persons::{left_out_of, person_key};
pub use prepared::{Charged, Prepared, PrivateInput, RowsElsewhere, prepare, prepare_from};
pub use released::{load_release, parse_release, release_text, released_model_json};

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
