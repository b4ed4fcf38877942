//! One module a command.

pub(crate) mod combine;
pub(crate) mod evaluate;
pub(crate) mod ledger;
pub(crate) mod reproduce;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod synth;
pub(crate) mod verify;

use indistinct::release::TooRare;
use indistinct_tasks::{open, read_failure};

use crate::failure::Failure;

/// A model that hardly ever makes rows as demanded.
fn rare_failure(error: &TooRare) -> Failure {
    Failure::failed(error).advise(match error.broken {
        Some(_) => "the model cannot follow the rule: relax it in the schema, or declare limits and predictors that help",
        None => "ask for more with --where: wider limits, fewer conditions joined by `and`",
    })
}
