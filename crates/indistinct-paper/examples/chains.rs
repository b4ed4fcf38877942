//! The pMSE mechanism of table 2 and its variants alone, with as many simulations as asked for: what `reproduce table2` runs
//! among all else.
//!
//! `cargo run --release -p indistinct-paper --example chains -- FOLDER SIMULATIONS SLUG...` goes on with what is in the
//! folder, and prints a line for every epsilon: simulations, mean pMSE with its interval, variance, published mean.
#![expect(clippy::print_stdout, reason = "a measuring program, not a library")]

use std::path::Path;

use indistinct::progress::Silent;
use indistinct_paper::intervals::{Estimate, Moments};
use indistinct_paper::methods::{Method, Variant};
use indistinct_paper::paper::{PMSE_MECHANISM, TABLE2_EPSILONS};
use indistinct_paper::store::Run;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, simulations, wanted @ ..] = arguments.as_slice() else {
        return Err("FOLDER SIMULATIONS SLUG...".into());
    };
    let run = Run::new(Path::new(folder), true, 1, simulations.parse()?, &Silent)?;
    let all = Variant::ALL.map(Method::PmseVariant);
    let methods = [Method::PmseMechanism { depth: 30 }].into_iter().chain(all);
    for method in methods.filter(|method| wanted.is_empty() || wanted.contains(&method.slug())) {
        for (epsilon, published) in TABLE2_EPSILONS.into_iter().zip(PMSE_MECHANISM.means) {
            let outcomes = method.outcomes(&run, epsilon)?;
            let values: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.pmse).collect();
            let (mean, variance) = (Estimate::mean(&values), Moments::of(&values).variance);
            println!(
                "{},{epsilon},{},{},{},{},{variance},{published}",
                method.slug(),
                values.len(),
                mean.value,
                mean.low,
                mean.high
            );
        }
    }
    Ok(())
}
