//! Regressions over synthetic tables: against R's `lm`, at the edges, and the coverage of every rule.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../common/mod.rs"]
mod common;
mod coverage;
mod edges;
mod golden;
mod mixed_coverage;
