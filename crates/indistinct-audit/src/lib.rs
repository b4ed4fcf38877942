//! An empirical audit of privacy, as an attacker would do it: two tables that differ in what one person owns,
//! many releases of each, and the best guess at which table a release came from. How often that guess is right
//! bounds epsilon from below, at a stated confidence; a bound above what the certificate says is a leak.
//!
//! - [`world`]: pairs of neighbouring tables that bring out the worst of a mechanism, and [`neighbours`] of a
//!   given table;
//! - [`subject`]: the audited program, by default a release as `indistinct synth` makes it, with all that it
//!   publishes;
//! - [`outcome`]: everything published as named numbers;
//! - [`sample`]: many releases from both sides, in blocks that survive being killed;
//! - [`attacker`]: statistics that tell the sides apart, fitted and chosen on one half of the releases;
//! - [`bound`]: the proof by the other half, with exact binomial bounds;
//! - [`audit`]: all of it, with the certificate's claim beside;
//! - [`exact`]: for tiny tables no releases at all, but output laws as polynomials, over all neighbours.
//!
//! An audit can show a leak. It cannot show that there is none: what it finds is a lower bound.

pub mod attacker;
pub mod audit;
pub mod bound;
pub mod chart;
pub mod exact;
#[cfg(feature = "broken")]
pub mod fault;
pub mod neighbours;
pub mod outcome;
pub mod sample;
pub mod show;
pub mod subject;
pub mod world;
