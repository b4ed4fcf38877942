//! Tables and schemas in files.

// Numbers pass from function to function in registers only if all are inlined: twice as fast.
#![allow(clippy::inline_always)]

mod cells;
mod columnar;
mod comparable;
mod csv;
mod draft;
mod error;
mod format;
mod plain;
mod schema_file;
mod source;
mod typed;
mod write;

pub use comparable::read_comparable;
pub use draft::{ColumnNotes, Draft, draft_schema};
pub use error::{Fault, Problem, ReadError};
pub use format::Format;
pub use plain::{PlainColumn, PlainValues, Wanted};
pub use schema_file::{SchemaFileError, parse_schema, read_schema, write_schema};
pub use source::Source;
pub use write::{WriteError, WriteProblem, write, write_atomically, write_to};
