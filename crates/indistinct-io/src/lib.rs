//! Tables, schemas, privacy ledgers and releases in files.

// Numbers pass from function to function in registers only if all are inlined: twice as fast.
#![allow(clippy::inline_always)]

mod cells;
mod clock;
mod columnar;
mod comparable;
mod csv;
mod draft;
mod error;
mod fingerprint;
mod format;
mod hash;
mod ledger;
mod plain;
mod release;
mod schema_file;
mod source;
mod typed;
mod write;

pub use clock::now;
pub use comparable::read_comparable;
pub use draft::{ColumnNotes, Draft, draft_schema};
pub use error::{Fault, Problem, ReadError};
pub use fingerprint::SchemaFingerprint;
pub use format::Format;
pub use hash::sha256_of_file;
pub use ledger::{LedgerFile, LedgerFileError, LedgerFileProblem, Receipt};
pub use plain::{PlainColumn, PlainValues, Wanted};
pub use release::{
    CERTIFICATE, FileCheck, FileState, ReleaseCheck, ReleaseError, ReleaseFolder, ReleaseProblem,
    is_overclaim,
};
pub use schema_file::{SchemaFileError, parse_schema, read_schema, write_schema};
pub use source::Source;
pub use write::{WriteError, WriteProblem, write, write_atomically, write_to};
