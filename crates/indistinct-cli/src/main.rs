//! The `indistinct` command: arguments as typed ([`args`]), checked plans and the work itself ([`commands`]).

mod args;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command, Common};
use failure::Failure;
use indistinct::progress::MOST_THREADS;

fn main() -> ExitCode {
    // Like --help it needs no table.
    if std::env::args_os().nth(1).is_some_and(|command| command == "synth")
        && std::env::args_os().any(|argument| argument == "--help-normal")
    {
        return match commands::help::normal_model() {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => ExitCode::from(failure.code()),
        };
    }
    let Cli { common, command } = Cli::parse();
    // Decoders of damaged files panic now and then and are caught; and the text of a panic may hold private values.
    std::panic::set_hook(Box::new(|_| {}));
    let done = std::panic::catch_unwind(|| run(&common, command)).unwrap_or_else(|_| {
        Err(Failure::failed("an internal error, which is a bug in indistinct; no release was written")
            .advise("please report the command and the version (indistinct --version), without any data"))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::tell(&failure.to_string());
            ExitCode::from(failure.code())
        }
    }
}

fn run(common: &Common, command: Command) -> Result<(), Failure> {
    threads(common.threads)?;
    match command {
        Command::Synth(arguments) => commands::synth::run(&arguments, common),
        Command::Baseline(arguments) => commands::synth::run_baseline(*arguments, common),
        Command::Sample(arguments) => commands::sample::run(&arguments, common),
        Command::Evaluate(arguments) => commands::evaluate::run(&arguments, common),
        Command::Combine(arguments) => commands::combine::run(&arguments, common),
        Command::Interval(arguments) => commands::interval::run(&arguments, common),
        Command::Rehearse(arguments) => commands::interval::rehearse(&arguments, common),
        Command::Schema(arguments) => commands::schema::run(&arguments, common),
        Command::Ledger(arguments) => commands::ledger::run(&arguments, common),
        Command::Verify(arguments) => commands::verify::run(&arguments, common),
        Command::Audit(arguments) => commands::audit::run(&arguments, common),
        Command::Reproduce(arguments) => commands::reproduce::run(&arguments, common),
        Command::Completions(arguments) => commands::help::completions(&arguments, common),
        Command::Man(arguments) => commands::help::man(&arguments, common),
    }
}

fn threads(threads: Option<usize>) -> Result<(), Failure> {
    match threads {
        None => Ok(()),
        Some(0) => Err(Failure::usage("--threads must be at least 1")),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads.min(MOST_THREADS))
            .build_global()
            .map_err(Failure::failed),
    }
}
