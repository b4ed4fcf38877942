//! Targets that hostile bytes are thrown at, and what must hold of every one of them.
//!
//! A [`Target`] is a reader of ours together with what is done with what it read: written and read again, evaluated,
//! sampled, checked. It panics if that does not come out as it must, and never for the bytes' sake. Two runners share
//! the targets: `cargo fuzz`, guided by coverage (`fuzz/`), and the tests of this crate, which replay all that was
//! ever found and mutate it for some seconds, on stable Rust, with a count of the memory that every input takes.
//!
//! ```
//! let csv = indistinct_fuzz::target("csv").expect("there is one");
//! (csv.run)(b"x,y\n1,a\n2,\"b\n");
//! ```

mod certificate;
mod condition;
mod formula;
mod ledger;
mod model;
pub mod mutate;
mod schema;
mod tables;

use indistinct_io::Expansion;

/// Limits on what a packed file may unpack to here: little, so that bombs are cheap and still bombs.
pub const EXPANSION: Expansion = Expansion { free: 1 << 20, times: 64 };

/// A reader that is given any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its corpus and of its binary.
    pub name: &'static str,
    /// Reads the bytes and checks what must hold; panics if something does not.
    pub run: fn(&[u8]),
    /// Bytes of memory that an input may take for each of its own, above [`FREE_MEMORY`].
    pub memory: usize,
}

/// Bytes of memory that any input may take: buffers of fixed size, and what small files may unpack to.
pub const FREE_MEMORY: usize = 24 << 20;

/// All of them.
pub const TARGETS: [Target; 13] = [
    Target { name: "csv", run: tables::csv, memory: 200 },
    Target { name: "gzip", run: tables::gzip, memory: 2000 },
    Target { name: "zip", run: tables::zip, memory: 2000 },
    Target { name: "xlsx", run: tables::xlsx, memory: 4000 },
    Target { name: "ods", run: tables::ods, memory: 4000 },
    Target { name: "parquet", run: tables::parquet, memory: 500 },
    Target { name: "arrow", run: tables::arrow, memory: 500 },
    Target { name: "schema", run: schema::schema, memory: 200 },
    Target { name: "formula", run: formula::formula, memory: 200 },
    Target { name: "condition", run: condition::condition, memory: 200 },
    Target { name: "model", run: model::model, memory: 200 },
    Target { name: "certificate", run: certificate::certificate, memory: 200 },
    Target { name: "ledger", run: ledger::ledger, memory: 200 },
];

/// The target of that name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// Bytes as text; none if they are not.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
