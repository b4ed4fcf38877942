//! Statistics that compare a synthetic table with the real one, for the holder of the private data.
//!
//! - [`distances`]: total variation distance between tables of one, two and three columns;
//! - [`predict`]: how well a [`forest`] that was trained on synthetic rows predicts real ones.
//!
//! # Guarantee
//! None. Everything here is computed from the private rows, without noise: it is for their holder's eyes.

mod choice;
pub mod distances;
pub mod forest;
pub mod predict;

use crate::random::Generator;

/// `count` of the rows of a table, ascending, every choice as likely as any other; all of them if there are no more.
pub fn choose_rows(of: u32, count: u32, random: &mut Generator) -> Vec<u32> {
    choice::choose(u64::from(of), u64::from(count), random).into_iter().map(|row| row as u32).collect()
}
