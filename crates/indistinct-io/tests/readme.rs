//! The README shows what can be run, and asks for the Rust that is needed.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the pages has failed")]

use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

#[test]
fn its_program_in_rust_is_an_example() {
    let example = read("crates/indistinct-io/examples/first.rs");
    let lines = example
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with("//!") || line.starts_with("#!["));
    let program: String = lines.map(|line| format!("{line}\n")).collect();
    assert!(read("README.md").contains(&format!("```rust\n{program}```\n")));
}

#[test]
fn rust_is_asked_for_in_the_version_that_is_tested() {
    let version = env!("CARGO_PKG_RUST_VERSION");
    assert!(read("README.md").contains(&format!("[Rust](https://rustup.rs) {version} or later")));
    assert!(read("r/DESCRIPTION").contains(&format!("rustc >= {version}")));
}
