//! The `indistinct` command: arguments as typed ([`args`]), checked plans and the work itself ([`commands`]).

mod args;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let Cli { common, command } = Cli::parse();
    let done = threads(common.threads).and_then(|()| match command {
        Command::Synth(arguments) => commands::synth::run(&arguments, &common),
        Command::Sample(arguments) => commands::sample::run(&arguments, &common),
        Command::Evaluate(arguments) => commands::evaluate::run(&arguments, &common),
        Command::Schema(arguments) => commands::schema::run(&arguments, &common),
        Command::Ledger(arguments) => commands::ledger::run(&arguments, &common),
        Command::Verify(arguments) => commands::verify::run(&arguments, &common),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::tell(&failure.to_string());
            ExitCode::from(failure.code())
        }
    }
}

fn threads(threads: Option<usize>) -> Result<(), Failure> {
    match threads {
        None => Ok(()),
        Some(0) => Err(Failure::usage("--threads must be at least 1")),
        Some(threads) => {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(Failure::failed)
        }
    }
}
