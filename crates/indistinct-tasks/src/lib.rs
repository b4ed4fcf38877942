//! What a command does between its arguments and its output, for the command and for Python alike.
//!
//! Each module is one command: options as typed, their check, the work, and what is found, as text for people and as a
//! document for scripts. Nothing here prints. A [`Failure`] is what the command prints when it stops, and what an
//! exception of the Python package says.
//!
//! ```
//! use indistinct_io::{Format, Source};
//! use indistinct_tasks::evaluate::{self, EvaluateOptions};
//! use indistinct::progress::Silent;
//!
//! let open = |text: &str| Source::from_reader("table.csv", Format::CSV, text.as_bytes());
//! let (real, synthetic) = (open("x\n1\n2\n")?, open("x\n1\n2\n")?);
//! let tables = evaluate::read(&real, vec![("synthetic".to_owned(), synthetic)], None)?;
//! let options = EvaluateOptions::default().plan(None)?;
//! assert_eq!(evaluate::run(&tables, &options, &Silent)?.mean.pmse, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod combine;
pub mod evaluate;
mod failure;
mod keywords;
pub mod ledger;
pub mod sample;
pub mod schema;
pub mod synth;
mod tables;
pub mod verify;
mod word;
mod words;

pub use failure::{Failure, Kind};
pub use keywords::in_keywords;
pub use tables::{one_standard_input, open, open_named, read_failure, schema_failure};
pub use word::Word;
pub(crate) use words::number_of;
pub use words::{grid, one_line};
