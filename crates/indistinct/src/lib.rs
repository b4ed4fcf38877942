//! `indistinct`: synthetic tables that a classifier cannot tell from the real one.
//!
//! A schema and a budget in; a release out, with a certificate that states which guarantee holds and why:
//!
//! ```
//! use indistinct::Synthesis;
//! use indistinct::privacy::Randomness;
//! use indistinct::table::{Column, ColumnSchema, ColumnType, Schema, Table, Values};
//!
//! let age = ColumnSchema::new("age", ColumnType::Integer).with_limits(Some(18.0), Some(95.0));
//! let ages = (0..1000).map(|row| 18 + row % 60).collect();
//! let table = Table::new(vec![Column::new(age.clone(), Values::Integer(ages))])?;
//! let schema = Schema::new(Vec::new(), vec![age])?;
//! let mut entropy = Randomness::from_system()?;
//!
//! let release = Synthesis::of(schema).epsilon("1")?.delta("1e-6")?.release(&table, &mut entropy)?;
//! let rows = release.sample(10_000)?; // more rows cost nothing
//! println!("{}", release.certificate().guarantee());
//! # assert_eq!(rows.rows(), 10_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables come from files by `indistinct-io`, whose examples are `first`, `synthesise`, `evaluate` and
//! `many_releases` (a ledger).
//!
//! The rooms of the house, each of which uses only those before it:
//!
//! - [`number`], [`random`], [`progress`], [`linear`], [`model`]: numbers in messages, streams of random numbers, stopping, a
//!   little algebra, and the paper's g(theta);
//! - [`table`]: columns with missing values, the schema that says what they mean, and conditions on their rows;
//! - [`privacy`]: epsilon, what one row can do, budgets, exact noise, certificates and ledgers;
//! - [`quality`] and [`discriminator`]: pMSE and pMAE, and what finds the cells that they are computed from:
//!   [`discriminator::cart`] (R's rpart, exactly), [`discriminator::optimal`] (globally optimal trees),
//!   [`discriminator::logistic`] and [`discriminator::partition`];
//! - [`grid`]: how the values of a column become positions;
//! - [`private`]: the privacy boundary, and [`bounded`]: sums and histograms of clipped rows, for comparison methods;
//! - [`margin`]: the distribution of one column of any type, found and measured privately;
//! - [`normal`]: the paper's mechanism for numbers;
//! - `pool`, `dependence` and [`mixed`]: the engine for columns of any type: rows that agree with measured tables;
//! - [`synthesis`]: from options to a release, and rows of it;
//! - [`evaluate`]: what a classifier, distances and forests tell the data holder of a synthetic table;
//! - [`combine`]: regressions over several synthetic tables, with standard errors that fit how they were made;
//! - [`interval`]: error bars for any statistic of a release, by rehearsing it.
//!
//! This crate reads no files, prints nothing and knows nothing of file formats.

#[macro_use]
mod word;

pub mod bounded;
pub mod combine;
mod dependence;
pub mod discriminator;
pub mod evaluate;
mod field;
pub mod grid;
pub mod interval;
pub mod linear;
pub mod margin;
pub mod mixed;
pub mod model;
pub mod normal;
pub mod number;
mod pool;
pub mod privacy;
pub mod private;
pub mod progress;
pub mod quality;
pub mod random;
pub mod synthesis;
pub mod table;
mod terms;
#[cfg(test)]
mod testing;

pub use field::{Field, Message, OptionsError, Piece};
pub use synthesis::{Release, Synthesis};
pub use terms::{FEWEST_ROWS, Part, Terms, TermsError};
pub use word::Word;
