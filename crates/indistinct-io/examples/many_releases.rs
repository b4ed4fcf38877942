//! Several releases of one data set, paid for from one ledger until it refuses.
//!
//! ```sh
//! cargo run --example many_releases
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;

use indistinct::Synthesis;
use indistinct::privacy::ledger::Total;
use indistinct::privacy::{Neighbours, Randomness};
use indistinct::progress::Silent;
use indistinct_io::{LedgerCharge, LedgerFile, NewLedger, SchemaFingerprint, Source, read_schema};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let ledger = folder.path().join("patients.ledger");
    LedgerFile::create(
        &ledger,
        &NewLedger {
            total: Total { epsilon: "2".parse()?, delta: "1e-5".parse()? },
            id: Some("patients 2024"),
            neighbours: Neighbours::Substitute,
        },
    )?;

    let schema = read_schema(Path::new("examples/patients.toml"))?;
    let table = Source::open(Path::new("examples/patients.csv"))?.read(&schema)?;
    let mut entropy = Randomness::from_system()?;
    for release in 1.. {
        let synthesis = Synthesis::of(schema.clone()).epsilon("1")?.delta("1e-6")?;
        let planned = synthesis.plan(&table, &mut entropy)?;
        let charge = LedgerCharge {
            guarantee: &planned.guarantee(),
            rho: planned.rho(),
            neighbours: planned.terms().neighbours,
            accept_conditional: false,
            what: &format!("release {release}"),
            schema: &SchemaFingerprint::of(&schema),
            id: Some("patients 2024"),
        };
        // Charged before anything is drawn: whatever happens now, the budget is spent.
        if let Err(refused) = LedgerFile::charge(&ledger, &charge) {
            println!("release {release}: {refused}");
            break;
        }
        let released = planned.release(&Silent)?.release;
        println!("release {release}: {}, {} rows", released.certificate().guarantee(), released.rows());
    }
    Ok(())
}
