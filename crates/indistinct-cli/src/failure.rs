//! What goes wrong, as the command prints it.

pub(crate) use indistinct_io::Failure;
