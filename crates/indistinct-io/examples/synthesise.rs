//! A private table in, a synthetic one out, with the certificate that says what was promised.
//!
//! ```sh
//! cargo run --example synthesise -- examples/patients.csv examples/patients.toml
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;

use indistinct::Synthesis;
use indistinct::privacy::Randomness;
use indistinct_io::{Source, read_schema, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let table = arguments.next().unwrap_or_else(|| "examples/patients.csv".to_owned());
    let schema = arguments.next().unwrap_or_else(|| "examples/patients.toml".to_owned());

    let schema = read_schema(Path::new(&schema))?;
    let table = Source::open(Path::new(&table))?.read(&schema)?;

    // Everything that can fail is tried here; nothing is spent.
    let mut entropy = Randomness::from_system()?;
    let planned = Synthesis::of(schema).epsilon("1")?.delta("1e-6")?.plan(&table, &mut entropy)?;
    for part in planned.parts() {
        println!("{:5.1} %  {}", 100.0 * part.share, part.step);
    }

    let release = planned.release(&indistinct::progress::Silent)?.release;
    println!("{}", release.certificate().guarantee());
    // More rows cost nothing.
    let rows = release.sample(10_000)?;
    let folder = tempfile::tempdir()?;
    write(&rows, &folder.path().join("synthetic.csv"))?;
    println!("{} synthetic rows of {} columns", rows.rows(), rows.columns().len());
    Ok(())
}
