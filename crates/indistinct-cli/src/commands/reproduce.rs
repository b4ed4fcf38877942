//! `indistinct reproduce`: the paper's experiments.

use std::path::Path;

use indistinct_paper::page::ReportedRun;
use indistinct_paper::reproduction::{Experiment, Options, reproduce};
use indistinct_paper::store::ExperimentError;
use serde::Serialize;

use crate::args::{Common, Reproduce, Which};
use crate::failure::Failure;
use crate::output::{Bar, print, print_json};

/// Simulations are public, so that they have a seed even if nobody gives one.
const USUAL_SEED: u64 = 1;

/// The document that `--json` prints.
#[derive(Serialize)]
struct Report {
    experiments: Vec<String>,
    seed: u64,
    files: Vec<String>,
}

pub(crate) fn run(arguments: &Reproduce, common: &Common) -> Result<(), Failure> {
    let experiments = match arguments.experiment {
        Which::Table1 => vec![Experiment::Table1],
        Which::Table2 => vec![Experiment::Table2],
        Which::Regression => vec![Experiment::Regression],
        Which::All => Experiment::ALL.to_vec(),
    };
    let seed = common.seed.unwrap_or(USUAL_SEED);
    let bar = Bar::new(common.quiet, "simulating");
    let simulations = arguments.simulations.unwrap_or_default();
    let options =
        Options { folder: &arguments.out, resume: arguments.resume, seed, simulations, progress: &bar };
    let results = reproduce(&experiments, &options).map_err(failure)?;
    bar.finish();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let reported = ReportedRun { seed, simulations, version, figures: String::new() };
    let files = results.write(&arguments.out, arguments.page.as_deref(), &reported).map_err(failure)?;
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    if common.json {
        let experiments = experiments.iter().map(|one| format!("{one:?}").to_lowercase()).collect();
        return print_json(&Report { experiments, seed, files });
    }
    let summary = arguments.out.join("summary.md");
    print(&format!("{}\nwritten: {}\n", read(&summary)?, files.join(", ")))
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

fn failure(error: ExperimentError) -> Failure {
    Failure::failed(&error).advise(error.advice())
}
