//! One module a command.

pub(crate) mod audit;
pub(crate) mod combine;
pub(crate) mod evaluate;
pub(crate) mod help;
pub(crate) mod interval;
pub(crate) mod ledger;
pub(crate) mod reproduce;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod synth;
pub(crate) mod verify;
