//! `indistinct`: synthetic tables that a classifier cannot tell from the real one.
//!
//! The rooms of the house, in the order in which data flows through them:
//!
//! - [`table`]: columns with missing values, the schema that says what they mean, and conditions on their rows;
//! - [`discriminator`]: classifiers that look for cells where real and synthetic rows differ:
//!   [`discriminator::cart`] (R's rpart, exactly), [`discriminator::optimal`] (globally optimal trees),
//!   [`discriminator::logistic`] and [`discriminator::partition`];
//! - [`quality`]: what the cells say: pMSE, pMAE, and what both would be if the tables were alike;
//! - [`model`]: g(theta), which makes rows and takes them apart again;
//! - [`private`]: the privacy boundary, and [`privacy`]: what may be drawn behind it, at which price;
//! - [`sampler`] and [`release`]: from private rows and a budget to theta;
//! - [`margin`]: the distribution of one column of any type, measured privately, and [`mixed`]: tables of such columns;
//! - [`evaluate`]: distances between tables, and forests that predict real rows from synthetic ones;
//! - [`bounded`]: sums and histograms of rows clipped to bounds, which the comparison methods need;
//! - [`combine`]: regressions over several synthetic tables, with standard errors that fit how they were made.
//!
//! This crate reads no files, prints nothing and knows nothing of file formats.

pub mod bounded;
pub mod combine;
mod dependence;
pub mod discriminator;
pub mod evaluate;
pub mod grid;
pub mod interrupt;
pub mod linear;
pub mod margin;
pub mod mixed;
pub mod model;
pub mod normal;
mod pool;
pub mod privacy;
pub mod private;
pub mod quality;
pub mod random;
pub mod synthesis;
pub mod table;
mod terms;

pub use synthesis::{Release, Synthesis};
pub use terms::{FEWEST_ROWS, Field, Part, Terms, TermsError};
