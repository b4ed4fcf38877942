//! The program that the README shows: a private table and a schema in, a guarantee and synthetic rows out.
//!
//! ```sh
//! cargo run --example first
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;

use indistinct::Synthesis;
use indistinct::privacy::Randomness;
use indistinct_io::{Source, read_schema};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = read_schema(Path::new("examples/patients.toml"))?;
    let private = Source::open(Path::new("examples/patients.csv"))?.read(&schema)?;
    let synthesis = Synthesis::of(schema).epsilon("1")?.delta("1e-6")?;
    let release = synthesis.release(&private, &mut Randomness::from_system()?)?;
    println!("{}", release.certificate().guarantee()); // what is promised, computed from proven parts
    let rows = release.sample(10_000)?; // more rows cost nothing
    println!("{} rows of {} columns", rows.rows(), rows.columns().len());
    Ok(())
}
