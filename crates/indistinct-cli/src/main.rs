//! The `indistinct` command.

fn main() {}
