//! Failures, as the command prints them.

pub(crate) use indistinct_io::Failure;
