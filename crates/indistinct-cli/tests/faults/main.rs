//! Killed, out of space, refused by the disk, and all at once: what must hold then is that no budget is overspent, nothing is
//! released without its charge, no half-written file has a final name, and the ledger can be read.
//!
//! Every step of a run that changes the file system is a moment at which something can go wrong (`layer.c`). The tests try some
//! moments; `INDISTINCT_FAULTS=all cargo test -p indistinct-cli --test faults` tries every fault at each of them, and kills
//! at hundreds of random times.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]
#![expect(clippy::print_stderr, reason = "the long form says how far it is")]

mod disk;
mod layer;
mod many;
mod moments;
mod scene;

/// Whether everything is to be tried.
fn long_form() -> bool {
    std::env::var_os("INDISTINCT_FAULTS").is_some_and(|what| what == "all")
}

/// How often something random is tried.
fn rounds() -> u64 {
    if long_form() { 300 } else { 12 }
}

/// Where a kill that is to hit anywhere falls: spread evenly and without a pattern over `[0, 1)` by the golden ratio.
fn anywhere(round: u64) -> f64 {
    (round as f64 * 0.618_033_988_749_894_9).fract()
}
