//! Measures how well a classifier tells a synthetic table from the real one: for the holder of the private data only.
//!
//! ```sh
//! cargo run --example evaluate -- examples/patients.csv examples/patients-synthetic.csv
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;

use indistinct::evaluate::{EvaluateParams, evaluate};
use indistinct::progress::Silent;
use indistinct_io::{Source, read_comparable};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut open = |usual: &str| {
        let path = arguments.next().unwrap_or_else(|| usual.to_owned());
        Source::open(Path::new(&path))
    };
    let (real, synthetic) = (open("examples/patients.csv")?, open("examples/patients-synthetic.csv")?);
    let (real, synthetic) = read_comparable(&real, &[synthetic])?;
    let synthetic: Vec<_> = synthetic.into_iter().map(|table| ("synthetic".to_owned(), table)).collect();

    let found = evaluate(&real, &synthetic, &EvaluateParams::default(), &Silent)?;
    println!("pMSE {:.4}", found.mean.pmse);
    for column in &found.tables[0].columns {
        println!("{:12} pMSE {:.4}", column.name, column.pmse);
    }
    Ok(())
}
