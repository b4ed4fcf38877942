//! The Rust functions of the R package.
//!
//! Thin on purpose: columns of data frames come in as vectors ([`table`]), options as a list ([`given`]), the work is
//! that of the command ([`indistinct_io`]) in a thread of its own ([`job`]), and results go back as plain R vectors
//! and lists ([`value`]): R keeps no pointer to anything of ours once a call is over. Functions for people are
//! written in R (`r/R`).

mod analysis;
mod given;
mod interval;
mod job;
mod ledger;
mod release;
mod schema;
mod synth;
mod table;
mod value;

use extendr_api::prelude::*;

/// The version of the library.
#[extendr]
fn rust_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Panics are caught where work is done; their text may hold private values and is not printed.
#[extendr]
fn rust_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

extendr_module! {
    mod indistinct;
    use analysis;
    use interval;
    use job;
    use ledger;
    use release;
    use schema;
    use synth;
    use table;
    use value;
    fn rust_quiet;
    fn rust_version;
}
