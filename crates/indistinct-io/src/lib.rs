//! Tables, schemas, privacy ledgers, models and releases in files.
//!
//! ```
//! use indistinct_io::{Format, Source, draft_schema};
//!
//! let file = "age,sex\n31,F\n,M\n";
//! let source = Source::from_reader("people.csv", Format::CSV, file.as_bytes())?;
//! assert_eq!(source.names(), ["age", "sex"]);
//! let draft = draft_schema(&source)?; // for the data's steward to review
//! let table = source.read(&draft.schema)?;
//! assert_eq!(table.rows(), 2);
//! # Ok::<(), indistinct_io::ReadError>(())
//! ```
//!
//! A tour:
//! - [`Source`] is an opened file. [`Source::read`] reads it as a schema declares ([`Source::read_with`] says
//!   what becomes of cells that the schema does not allow), [`Source::read_plain`] without one, and
//!   [`read_comparable`] several files whose columns then have the same types.
//! - [`Source::persons`] tells the persons of rows apart, and [`Source::of_rows`] is the table of some rows.
//! - [`parse_schema`], [`read_schema`] and [`write_schema`] know schema files; [`draft_schema`] learns one from a table
//!   and marks what it learned from private rows.
//! - [`write()`] writes a table, completely or not at all; [`write_atomically`] does so for any file.
//! - `Source::from_batches` reads Arrow arrays in memory, and `to_batch` gives a table in the types that its
//!   schema declares: with the feature `columnar`, which is on by default and without which there is neither
//!   Arrow nor Parquet.
//! - [`Source::from_columns`] reads columns in memory of a language that has no Arrow; their types are then known.
//! - [`LedgerFile`] keeps the privacy budget of a data set; [`ReleaseFolder`] is a release that appears whole or not at
//!   all; [`read_model`] reads what `sample` needs.
//! - [`ReadError`], [`WriteError`] and [`SchemaFileError`] display as one line that says what is wrong and where,
//!   and have `advice`, one line that says what to do. They name rows and columns and never quote a cell, nor a
//!   name that only the file has.
//!
//! Text is read in parallel, in parts of fixed size, so that results do not depend on the number of threads; numbers
//! are always rounded to the nearest double.
//!
//! Files are hostile. Whatever their bytes, reading ends with a table or an error, in time and memory in
//! proportion to their size; [`Expansion`] says how far packed files may go. Sizes that Parquet and Arrow files
//! claim are checked before their decoders see them. Decoders still panic now and then on damaged files; such
//! panics are caught and become errors, but the process's panic hook sees them first and may print them.

// Parts that only Parquet and Arrow files need.
#![cfg_attr(
    not(all(feature = "columnar", feature = "spreadsheets")),
    allow(dead_code, irrefutable_let_patterns)
)]
// Numbers pass from function to function in registers only if all are inlined: twice as fast.
#![allow(clippy::inline_always)]

#[cfg(feature = "spreadsheets")]
mod archive;
pub mod arguments;
mod cells;
mod clock;
#[cfg(feature = "columnar")]
mod columnar;
pub mod combine;
mod comparable;
mod csv;
mod draft;
mod encoding;
mod error;
pub mod evaluate;
mod expansion;
mod failure;
#[cfg(feature = "columnar")]
mod files;
mod fingerprint;
mod foreign;
mod format;
mod guarded;
mod hash;
pub mod interval;
pub mod ledger;
mod machine;
mod memory;
mod model_file;
mod names;
mod open;
mod page;
mod passes;
mod persons;
mod plain;
mod release;
pub mod sample;
pub mod schema;
mod schema_file;
mod source;
#[cfg(feature = "spreadsheets")]
mod spreadsheet;
pub mod synth;
mod typed;
pub mod verify;
mod write;

pub use cells::Invalid;
pub use clock::now;
pub use comparable::read_comparable;
pub use draft::{ColumnNotes, Draft, draft_schema, has_marks};
pub use encoding::Encoding;
pub use error::{ColumnPlace, Fault, Problem, ReadError};
pub use expansion::Expansion;
pub use failure::{Failure, FailureKind, in_flags, one_line, read_failure, schema_failure};
pub use fingerprint::SchemaFingerprint;
pub use format::Format;
pub use hash::sha256_of_file;
pub use ledger::{LedgerCharge, LedgerFile, LedgerFileError, LedgerFileProblem, NewLedger, Receipt};
pub use memory::{MemoryColumn, MemoryValues};
pub use model_file::{ModelFileError, model_json, parse_model, read_model};
pub use open::{TypedForm, format_of, one_standard_input, open, open_named, open_table};
pub use page::check_page;
pub use passes::{
    ChosenPass, ChosenRows, FileInPasses, PassProgress, PersonChooser, PersonColumn, owned_rows,
};
pub use plain::{PlainColumn, PlainValues, Wanted};
pub use release::{
    CERTIFICATE, Contradiction, FileCheck, FileState, MODEL, PAGE, ReleaseCheck, ReleaseError, ReleaseFolder,
    ReleaseProblem, is_overclaim, table_name,
};
pub use schema_file::{SchemaFileError, parse_schema, read_schema, read_schema_text, write_schema};
pub use source::{Header, Source, TextOptions};
#[cfg(feature = "columnar")]
pub use write::to_batch;
pub use write::{WriteError, WriteProblem, write, write_atomically, write_declared, write_to};
