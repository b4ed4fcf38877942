//! Error bars: the language of statistics, rehearsals, and how often intervals hold the truth.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod coverage;
mod coverage_page;
mod language;
mod populations;
mod rehearsals;
